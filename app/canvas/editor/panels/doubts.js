// What the parser doubts, and what it would rather have there.

import { make } from "../../shared/elements.js";
import { decimals } from "../../shared/numbers.js";
import { describePart, doubtful, partData } from "../places.js";
import { post } from "../sending/sending.js";
import { listOf, panelButton, titled } from "./panel.js";

/** @param {Editor} view */
export function drawDoubts(view) {
  const { at, data, keys, walk } = view;
  const panel = view.find(".doubts");
  const { doubt, options = [] } = partData(data, at);
  const count = doubtful(data, walk).length;
  panel.hidden = !count && !data.doubtText;
  const list = listOf("options", options, (option, place) => [panelButton("", "option", place,
    make("kbd", "", String(place + 1)), " ", make("bdi", "", option.text), " ",
    make("span", "note", decimals(option.p)))]);
  const here = doubt === undefined ? "" : `${describePart(data, at)}: ${decimals(doubt)}`;
  const text = count ? `${count} doubtful ${count === 1 ? "part" : "parts"}; ${keys.doubt} leads on`
    : data.doubtText;
  panel.replaceChildren(titled("Doubts"), make("p", "note", text), make("p", "", here), list);
}

/** Tells whether there was such an option. @param {Editor} view @param {number} place */
export function takeOption(view, place) {
  const option = partData(view.data, view.at).options?.[place];
  if (option) post(view, { do: "gesture", gesture: { kind: "edits", edits: option.edits } });
  return option !== undefined;
}
