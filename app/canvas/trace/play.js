// Plays: one action after another, until the last one or until something else is asked for.

import { say } from "../shared/elements.js";
import { tell } from "./draw.js";
import { lastStep, move, reportSoon } from "./step.js";

export function togglePlay(view) {
  if (view.playing) {
    pause(view);
    return;
  }
  if (!view.trace || !view.trace.steps.action.length) return;
  if (view.step === lastStep(view)) move(view, 0);
  view.playing = setTimeout(() => playOn(view), perAction(view));
  drawPlay(view);
}

function playOn(view) {
  move(view, view.step + 1);
  if (view.step === lastStep(view)) pause(view);
  else view.playing = setTimeout(() => playOn(view), perAction(view));
}

export function pause(view) {
  if (!view.playing) return;
  clearTimeout(view.playing);
  view.playing = 0;
  drawPlay(view);
  tell(view);
  reportSoon(view);
}

// Milliseconds from one action to the next.
function perAction(view) {
  return 1000 / Number(view.find(".speed").value);
}

// A voice cannot keep up with a fast play: it then tells where the play stopped.
export function isTooFastToTell(view) {
  return Boolean(view.playing) && perAction(view) < 1000;
}

function drawPlay(view) {
  const button = view.find(".play");
  button.classList.toggle("on", Boolean(view.playing));
  button.title = view.playing ? "Pause (space)" : "Play (space)";
  say(button.querySelector(".unseen"), view.playing ? "Pause" : "Play");
}

// --- the list of keys -----------------------------------------------------------------

export function showKeys(view) {
  const dialog = view.find(".help");
  view.before = view.root.getRootNode().activeElement;
  if (!dialog.open) dialog.showModal();
}

export function hideKeys(view) {
  view.find(".help").close();
  if (view.before) view.before.focus({ preventScroll: true });
}
