// The view of one trace: what the page sent, what was built of it once, and what is shown now.

import { finderIn } from "../shared/elements.js";

/** @param {HTMLElement} root @returns {View} */
export function newView(root) {
  const gone = new AbortController();
  return /** @type {View} */ (/** @type {Partial<View>} */ ({
    root, gone, signal: gone.signal, find: finderIn(root), report: () => {}, step: 0, drawn: 0, head: -1,
    timer: 0, frame: 0, playing: 0, shownJump: null, before: null, onDraw: [], onKey: [],
    asking: null, marking: null, drill: null,
  }));
}

/** @param {Trace} trace @param {number} step */
export function stepAt({ steps }, step) {
  return {
    cursor: steps.cursor[step], start: steps.start[step], action: steps.action[step], p: steps.p[step],
    entropy: steps.entropy[step], forced: steps.forced[step], others: steps.others[step],
    legal: steps.legal[step], pointer: steps.pointer[step], pointerRest: steps.pointerRest[step],
    attention: steps.attention[step], attentionRest: steps.attentionRest[step], say: steps.say[step],
  };
}

/** @param {Trace} trace */
export function lastStep(trace) {
  return Math.max(0, trace.steps.action.length - 1);
}

/** @param {Trace} trace @param {number} step */
export function clamp(trace, step) {
  return Math.min(Math.max(0, step), lastStep(trace));
}

/** @param {Trace} trace @param {number} step */
export function actionAt(trace, step) {
  return trace.texts[trace.steps.action[step]];
}

/** Gives why each kind of action is not possible at a step; an empty text where it is.
 * @param {Trace} trace @param {number} step */
export function reasonsAt({ kinds, rules, steps, texts }, step) {
  const rule = rules[steps.legal[step]];
  return new Map(kinds.map((kind, place) => [kind, rule[place] < 0 ? "" : texts[rule[place]]]));
}

/** Listens to the keys of the whole page for as long as the view stands.
 * @param {View} view @param {(event: KeyboardEvent) => void} does */
export function onPageKey(view, does) {
  document.addEventListener("keydown", does, { signal: view.signal });
}
