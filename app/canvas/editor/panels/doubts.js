// What the parser doubts, and what may stand in the place of what is chosen.

import { make, makeButton } from "../../shared/elements.js";
import { shareText } from "../../shared/numbers.js";
import { describePart, doubtful, partData } from "../places.js";
import { gesture } from "../sending/sending.js";
import { listOf, panelButton, titled } from "./panel.js";
import { doubtsOf, shareName } from "./share.js";

const DIGITS = 9; // as many keys as there are for what is offered

/** Gives what is offered in the place of what is chosen: what the parser would rather have, then
 * what is likely there. @param {Editor} view @returns {Instead[]} */
export function insteadOf({ at, data }) {
  const { options = [], instead = [] } = partData(data, at);
  /** @type {Instead[]} */
  const found = options.map(({ edits, p, text }) => ({ text, p, does: { kind: "edits", edits } }));
  const has = new Set(found.map(({ text }) => text));
  for (const text of instead) {
    const does = at.kind === "edge" ? { kind: "relabel", edge: at.ends, role: text }
      : { kind: "rename", id: at.id, text };
    if (!has.has(text)) found.push({ text, does });
  }
  return found.slice(0, DIGITS);
}

/** @param {Editor} view */
export function drawDoubts(view) {
  const { at, data, keys, sent, share, walk } = view;
  const panel = view.find(".doubts");
  const { doubt } = partData(data, at);
  const offered = insteadOf(view);
  const count = doubtful(data, walk).length;
  const all = doubtsOf(sent).length;
  panel.hidden = !all && !data.doubtText && !offered.length;
  const list = listOf("options", offered, ({ p, text }, place) => [panelButton("", "option", place,
    make("kbd", "", String(place + 1)), " ", make("bdi", "", text), " ",
    make("span", "note", p === undefined ? "" : shareText(p)))]);
  const name = describePart(data, at);
  const instead = offered.length ? `Instead of ${name}:` : "";
  const here = doubt === undefined ? instead : `${name}: ${shareText(doubt)}`;
  const text = all ? `${count} of ${all} doubtful ${all === 1 ? "part" : "parts"} marked; ${keys.doubt} leads on`
    : data.doubtText;
  const key = make("kbd", "", keys.share);
  const choose = all ? [makeButton("", { "data-act": "share" }, key, ` Mark: ${shareName(share)}`)] : [];
  panel.replaceChildren(titled("Doubts"), make("p", "note", text), ...choose, make("p", "", here), list);
}

/** Tells whether there was such an option. @param {Editor} view @param {number} place */
export function takeOption(view, place) {
  const option = insteadOf(view)[place];
  if (option) gesture(view, option.does);
  return option !== undefined;
}
