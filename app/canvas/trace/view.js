// The view of one trace: what the page sent, what was built of it once, and what is shown now.

import { finderIn } from "../shared/elements.js";

export const LINE = "input[type='text']:not([role])"; // a field that Enter sends

/** @param {HTMLElement} root @returns {View} */
export function newView(root) {
  const gone = new AbortController();
  return /** @type {View} */ (/** @type {Partial<View>} */ ({
    root, gone, signal: gone.signal, find: finderIn(root), report: () => {}, step: 0, drawn: 0, head: -1,
    lookedBack: [], cells: [], sendOpened: () => {},
    timer: 0, frame: 0, playing: 0, room: 0, typing: false, pointedAt: null,
    awaits: false, shownJumps: [], before: null,
    onDraw: [], onKey: [], asking: null, marking: null, drill: null,
  }));
}

/** Tells whether a person is writing in a field of the page: the keys are then not for the steps.
 * @param {View} view */
export function isTyping(view) {
  return view.typing && Boolean(document.activeElement?.matches(LINE));
}

/** Gives a moment: what is known of the action that comes after so many.
 * @param {Trace} trace @param {number} step */
export function stepAt({ steps }, step) {
  return {
    cursor: steps.cursor[step], start: steps.start[step], p: steps.p[step],
    entropy: steps.entropy[step], forced: steps.forced[step], others: steps.others[step],
    legal: steps.legal[step], pointer: steps.pointer[step], pointerRest: steps.pointerRest[step],
    attention: steps.attention[step], attentionRest: steps.attentionRest[step], say: steps.say[step],
  };
}

/** Gives the moment after all actions. @param {Trace} trace */
export function lastStep(trace) {
  return trace.steps.action.length;
}

/** @param {Trace} trace @param {number} step */
export function clamp(trace, step) {
  return Math.min(Math.max(0, step), lastStep(trace));
}

/** Names a moment, the same wherever it is counted. @param {number} step @param {number} last */
export function momentText(step, last) {
  return `After ${step} of ${last} ${last === 1 ? "action" : "actions"}`;
}

/** Gives the action to come at a moment; an empty text at the end.
 * @param {Trace} trace @param {number} step */
export function actionAt(trace, step) {
  return trace.texts[trace.steps.action[step]] ?? "";
}

/** Gives the action to come as people read it. @param {Trace} trace @param {number} step */
export function shownAt({ steps, texts }, step) {
  return texts[(steps.shown ?? steps.action)[step]] ?? "";
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
