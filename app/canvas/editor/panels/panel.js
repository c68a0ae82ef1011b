// What the panels beside the graph are made of.

import { make, makeButton } from "../../shared/elements.js";

/** @param {string} text */
export function titled(text) {
  return make("h3", "", text);
}

/** @param {string} className @param {string} what  See panels.js. @param {number} place @param {...Part} parts */
export function panelButton(className, what, place, ...parts) {
  return makeButton(className, { "data-side": what, "data-place": place }, ...parts);
}

/**
 * @template Entry
 * @param {string} className
 * @param {readonly Entry[]} entries
 * @param {(entry: Entry, place: number) => Part[]} build
 */
export function listOf(className, entries, build) {
  return make("ol", className, ...entries.map((entry, place) => make("li", "", ...build(entry, place))));
}

/** Tells whether a panel is to be drawn, as it does not show this yet.
 * @param {HTMLElement} panel @param {unknown} content */
export function isNewIn(panel, content) {
  const text = JSON.stringify(content);
  const isNew = panel.dataset.shown !== text;
  panel.dataset.shown = text;
  return isNew;
}
