// Proposals of the parser for the rest of the graph, to take or leave.

import { fill, make, within } from "../../shared/elements.js";
import { focusAt } from "../choosing.js";
import { OPTIONS } from "../keymap.js";
import { post } from "../sending/sending.js";
import { tell } from "../telling.js";
import { hasFocus } from "../view.js";
import { isNewIn, panelButton, titled } from "./panel.js";

/** Asks for proposals; in their panel for those further off or less sure.
 * @param {Editor} view */
export function askSuggestions(view) {
  const wantsMore = view.data.proposals?.more && hasFocus(view, view.find(".offered"));
  post(view, wantsMore ? { do: "suggest", more: true } : { do: "suggest" });
  view.wantsProposals = true;
}

/** @param {Editor} view */
export function leaveProposals(view) {
  post(view, { do: "suggest", off: true });
  focusAt(view);
}

/** @param {Editor} view @param {Edited | undefined} before */
export function drawProposals(view, before) {
  const panel = view.find(".offered");
  const { proposals } = view.data;
  const wasInside = hasFocus(view, panel);
  panel.hidden = !proposals;
  if (!proposals) {
    if (wasInside) focusAt(view);
    return;
  }
  if (!isNewIn(panel, proposals)) return;
  const { items, more, number, state, text } = proposals;
  const list = make("ol", "");
  fill(list, items, (item, place) => make("li", item.sign === "−" ? "gone" : "come",
    make("span", "what", `${item.sign} `, make("bdi", "", item.text), " ", make("span", "note", item.why)),
    panelButton("", "take", place, ...digitOf(place), "Take"),
    panelButton("", "leave", place, "Leave")));
  panel.replaceChildren(titled("Proposals"), make("p", "note", text), list, make("div", "row",
    ...(more ? [panelButton("", "more", 0, make("kbd", "", view.keys.suggest), ` ${more} more`)] : []),
    panelButton("", "leave-all", 0, items.length ? "Leave all" : "Close"),
    ...(items.length > 1 ? [panelButton("", "take-all", 0, "Take all")] : [])));
  const isReady = state !== "waiting";
  const was = before?.proposals;
  if (isReady && (was?.number !== number || was.state !== state)) tell(view, text);
  if (wasInside || (view.wantsProposals && isReady)) within(panel, "button").focus();
  if (isReady) view.wantsProposals = false;
}

/** @param {number} place */
function digitOf(place) {
  const key = String(place + 1);
  return OPTIONS.test(key) ? [make("kbd", "", key), " "] : [];
}

/** @param {Editor} view @param {Proposal[]} items */
export function takeProposals(view, items) {
  // One proposal may stand on another that is taken too.
  const edits = new Map(items.flatMap(({ ids, edits: own }) => ids.map((id, place) => [id, own[place]])));
  post(view, { do: "gesture", gesture: { kind: "edits", edits: [...edits.values()] }, by: "model",
    taken: [...edits.keys()] });
}
