// Moving: to a moment, from mark to mark of a list, and playing one action after another.

import { say, within } from "../shared/elements.js";
import { keepAs, readKept } from "../shared/kept.js";
import { PACE, STILL } from "../shared/pace.js";
import { draw, perAction, tell } from "./draw.js";
import { clamp, isTyping, lastStep } from "./view.js";

const PAUSE = 500; // milliseconds without a step before the step is reported

/** Goes where a person wants, which ends a play. @param {View} view @param {number} step */
export function go(view, step) {
  pause(view);
  move(view, step);
}

/** @param {View} view @param {string} place  `first`, `back`, `forward` or `last`. */
export function goTo(view, place) {
  const { step } = view;
  go(view, { first: 0, back: step - 1, forward: step + 1 }[place] ?? lastStep(view.trace));
}

/** @param {View} view @param {number} step */
function move(view, step) {
  const wanted = clamp(view.trace, step);
  if (wanted === view.step) return;
  view.step = wanted;
  view.frame ||= requestAnimationFrame(() => {
    view.frame = 0;
    draw(view);
  });
  reportSoon(view);
}

/** @param {View} view */
function reportSoon(view) {
  forgetReport(view);
  if (view.playing) return;
  view.timer = setTimeout(() => report(view), PAUSE);
}

/** Leaves it to what is sent instead to say where a person is. @param {View} view */
export function forgetReport(view) {
  clearTimeout(view.timer);
  view.timer = 0;
}

/** @param {View} view */
function report(view) {
  view.timer = 0;
  view.report({ key: view.trace.key, step: view.step, asked: view.asking?.box.number ?? 0 });
}

/** Reports at once where a person is who turns to the page around. @param {View} view */
export function reportNow(view) {
  if (!view.timer) return;
  forgetReport(view);
  report(view);
}

/** Plays until the last action, or until something else is asked for. @param {View} view */
export function togglePlay(view) {
  if (view.playing) {
    pause(view);
    return;
  }
  if (!view.trace.steps.action.length) return;
  if (view.step === lastStep(view.trace)) move(view, 0);
  play(view);
}

/** @param {View} view */
function play(view) {
  view.playing = setTimeout(() => playOn(view), perAction(view));
  drawPlay(view);
}

/** @param {View} view */
function playOn(view) {
  move(view, view.step + 1);
  if (view.step === lastStep(view.trace)) pause(view);
  else view.playing = setTimeout(() => playOn(view), perAction(view));
}

/** @param {View} view */
export function pause(view) {
  if (!view.playing) return;
  clearTimeout(view.playing);
  view.playing = 0;
  drawPlay(view);
  tell(view);
  reportSoon(view);
}

/** Opens what a person asked for at its start, with the focus on it, and plays it once.
 * @param {View} view @param {number} start */
export function begin(view, start) {
  go(view, start);
  if (!isTyping(view)) view.root.focus({ preventScroll: true });
  const isStill = readKept(STILL) || matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!isStill && start === 0) togglePlay(view);
}

/** Keeps the pace of playing, and whether new parses play, in this browser. @param {View} view */
export function mountPace(view) {
  const speed = view.find(".speed", "select");
  const plays = view.find(".autoplay input", "input");
  const kept = readKept(PACE);
  if ([...speed.options].some(({ value }) => value === kept)) speed.value = kept;
  plays.checked = !readKept(STILL);
  speed.addEventListener("change", () => keepAs(PACE, speed.value), { signal: view.signal });
  plays.addEventListener("change", () => keepAs(STILL, plays.checked ? null : true), { signal: view.signal });
}

/** @param {View} view */
function drawPlay(view) {
  const button = view.find(".play");
  button.classList.toggle("on", view.playing > 0);
  button.title = view.playing ? "Pause (space)" : "Play (space)";
  say(within(button, ".unseen"), view.playing ? "Pause" : "Play");
}
