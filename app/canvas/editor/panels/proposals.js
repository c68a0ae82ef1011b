// Proposals of the parser for the rest of the graph, to take or leave.

import { fill, make, within } from "../../shared/elements.js";
import { focusAt } from "../choosing.js";
import { post } from "../sending/sending.js";
import { tell } from "../telling.js";
import { hasFocus } from "../view.js";
import { isNewIn, panelButton, titled } from "./panel.js";

/** @param {Editor} view */
export function askSuggestions(view) {
  post(view, { do: "suggest" });
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
  const { items, number, state, text } = proposals;
  const list = make("ol", "");
  fill(list, items, (item, place) => make("li", item.sign === "−" ? "gone" : "come",
    make("span", "what", `${item.sign} `, make("bdi", "", item.text), " ", make("span", "note", item.why)),
    panelButton("", "take", place, "Take"), panelButton("", "leave", place, "Leave")));
  panel.replaceChildren(titled("Proposals"), make("p", "note", text), list, make("div", "row",
    ...(items.length ? [panelButton("main", "take-all", 0, "Take all")] : []),
    panelButton("", "leave-all", 0, items.length ? "Leave all" : "Close")));
  const isReady = state !== "waiting";
  if (isReady && before?.proposals?.number !== number) tell(view, text);
  if (wasInside || (view.wantsProposals && isReady)) within(panel, "button").focus();
  if (isReady) view.wantsProposals = false;
}

/** @param {Editor} view @param {Proposal[]} items */
export function takeProposals(view, items) {
  // One proposal may stand on another that is taken too.
  const edits = new Map(items.flatMap(({ ids, edits: own }) => ids.map((id, place) => [id, own[place]])));
  post(view, { do: "gesture", gesture: { kind: "edits", edits: [...edits.values()] }, by: "model",
    taken: [...edits.keys()] });
}
