// A drill: the learner chooses the actions. Every choice goes out as a numbered message, as
// component state, and is answered in the data. Here a step is a moment: step k comes after
// k actions.

import { focusedIn } from "../shared/keys.js";
import { put, sendUntilTaken } from "../shared/outbox.js";
import { forgetReport, go, pause } from "../trace/step.js";
import { stepAt } from "../trace/view.js";

/** @param {View} view @returns {Drill} */
export function drillOf(view) {
  return /** @type {Drill} */ (view.drill);
}

/** @param {View} view @param {string} verb @param {string} [text] @param {number} [threshold] */
export function send(view, verb, text = "", threshold = 0) {
  const drill = drillOf(view);
  const { box } = drill;
  const moment = box.messages.length ? null : view.step;
  put(box, { seen: box.acked, verb, moment, text, threshold });
  view.root.setAttribute("aria-busy", "true");
  pause(view);
  forgetReport(view); // the answer moves on by itself
  drill.zoom = view.drawing.zoom;
  drill.wasInside = drill.moves.panel.contains(focusedIn(view.root));
  sendUntilTaken(box, () => drill.send(), view.signal);
}

/** Goes to where the learner chose before. @param {View} view */
export function undo(view) {
  go(view, chosenBefore(drillOf(view).exercise.own, view.step));
}

/** @param {View} view */
export function redo(view) {
  go(view, chosenAfter(drillOf(view).exercise.own, view.step));
}

/** @param {number[]} own  Whether each action was the learner's. @param {number} step */
export function chosenBefore(own, step) {
  return Math.max(0, own.findLastIndex((isOwn, place) => place < step && isOwn));
}

/** @param {number[]} own @param {number} step */
export function chosenAfter(own, step) {
  const next = own.findIndex((isOwn, place) => place > step && isOwn);
  return next < 0 ? Math.max(own.length, step + 1) : next;
}

/** @param {View} view */
export function wordsAt(view) {
  const now = stepAt(view.trace, view.step);
  return view.words.slice(now.start, now.cursor + 1).join(" ");
}
