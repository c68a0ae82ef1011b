// Shares of one: actions with their probabilities, items and tokens with their weights.

import { childrenOf, fill, hide, make, say } from "../../shared/elements.js";
import { shareText } from "../../shared/numbers.js";

/** @param {View} view */
export function buildShares(view) {
  const { steps } = view.trace;
  /** @param {{ length: number }[]} column */
  const most = (column) => Math.max(0, ...column.map((entries) => entries.length));
  view.shares = {
    chosen: rowsOf(view, "chosen", 1),
    others: rowsOf(view, "others", most(steps.others)),
    pointer: rowsOf(view, "pointer", most(steps.pointer)),
    attention: rowsOf(view, "attention", most(steps.attention)),
  };
}

/** Sees that there are rows enough. @param {View} view @param {Share} name @param {number} count */
export function growShares(view, name, count) {
  if (view.shares[name].length < count) view.shares[name] = rowsOf(view, name, count);
}

/** @param {View} view @param {Share} name @param {number} count */
function rowsOf(view, name, count) {
  const list = view.find(`.${name}`);
  fill(list, Array.from({ length: count }), () => make("div", "share",
    // A position, apart from what it names: that may run leftwards.
    make("span", "name", make("span", ""), make("bdi", "")), make("span", "value"), make("span", "bar")));
  return childrenOf(list);
}

/** @param {HTMLElement[]} rows
 * @param {[text: string, thousandths: number, position?: number, bare?: string][]} entries */
export function drawShares(rows, entries) {
  rows.forEach((row, place) => {
    hide(row, place >= entries.length);
    if (row.hidden) return;
    const [text, thousandths, position, bare] = entries[place];
    const [name, value, bar] = childrenOf(row);
    const [number, named] = childrenOf(name);
    say(number, position === undefined ? "" : `${position} `);
    say(named, text);
    const title = bare ?? text;
    if (name.title !== title) name.title = title;
    say(value, shareText(thousandths));
    bar.style.setProperty("--share", String(thousandths / 1000));
  });
}

/** Sets a weight only where it changes: the browser then has nothing to paint.
 * @param {HTMLElement | SVGElement} element @param {number} thousandths */
export function weigh(element, thousandths) {
  const weight = String(thousandths / 1000);
  if (element.style.getPropertyValue("--weight") === weight) return;
  element.style.setProperty("--weight", weight);
}
