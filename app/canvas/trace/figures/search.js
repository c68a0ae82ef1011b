// The hypotheses of a search: which grew from which, and how they are named.

import { decimals } from "../../shared/numbers.js";
import { actionAt, shownAt } from "../view.js";

export const FATES = ["kept", "closed", "pruned"]; // by their place: see app/canvas/trace/opened.py

/** @type {Record<string, number>} */
const SIDES = { ArrowUp: -1, ArrowDown: 1 };

/** Gives the hypotheses of a step of the trace. @param {Beam} beam @param {number} step */
export function rowsAt({ first, steps }, step) {
  return steps[step - first] ?? [];
}

/** Gives where a key leads from a hypothesis: up and down among those of its step, left to its
 * parent, right to the best that grew from it.
 * @param {Beam} beam @param {Place} at @param {string} key @returns {Place} */
export function leadsFrom(beam, [step, row], key) {
  const rows = rowsAt(beam, step);
  if (key === "Home") return [step, 0];
  if (key === "End") return [step, rows.length - 1];
  if (SIDES[key]) return [step, Math.min(rows.length - 1, Math.max(0, row + SIDES[key]))];
  const child = rowsAt(beam, step + 1).findIndex(([, , parent]) => parent === row);
  if (key === "ArrowRight") return child < 0 ? [step, row] : [step + 1, child];
  const parent = rows[row]?.[2] ?? -1;
  return parent < 0 ? [step, row] : [step - 1, parent];
}

/** Gives the actions of a hypothesis, those before the search included; null where not all are listed.
 * @param {Beam} beam @param {Trace} trace @param {Place} at @returns {[bare: string, shown: string][] | null} */
export function actionsOf(beam, trace, [step, row]) {
  /** @type {[bare: string, shown: string][]} */
  const found = [];
  for (let at = step; at >= beam.first; at -= 1) {
    const entry = rowsAt(beam, at)[row];
    if (!entry) return null;
    found.unshift(beam.actions[entry[0]]);
    row = entry[2];
  }
  const forced = Array.from({ length: beam.first }, (_, at) => /** @type {[string, string]} */ (
    [actionAt(trace, at), shownAt(trace, at)]));
  return [...forced, ...found];
}

/** Gives the first step of a window of so many columns in which a step is the last but one.
 * @param {Beam} beam @param {number} step @param {number} num */
export function windowAt({ first, steps }, step, num) {
  const last = first + steps.length - num;
  return Math.max(first, Math.min(last, step - Math.max(0, num - 2)));
}

/** @param {number} thousandths */
export function scoreText(thousandths) {
  return `${thousandths < 0 ? "−" : ""}${decimals(Math.abs(thousandths))}`;
}
