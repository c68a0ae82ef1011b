// Steps through one trace. Everything drawn is made once, when a trace arrives; a step
// only shows, hides and marks.

import { showExercise } from "../exercise/exercise.js";
import { showMarks } from "../exercise/marks.js";
import { endOf } from "../shared/ending.js";
import { pickOf } from "../shared/graph.js";
import { near, refit } from "../shared/stage.js";
import { mountFigures } from "./figures/acting.js";
import { showOpened } from "./figures/opened.js";
import {
  clicked, focused, focusedOutside, isFocusFree, jumped, pressed, pressedAtChoice, pressedOutside, released,
  writtenOutside,
} from "./keys.js";
import { mountLeaving, takeLeft } from "./leaving.js";
import { load } from "./load.js";
import { begin, forgetReport, go, mountPace, reportNow } from "./step.js";
import { showTips } from "./tips.js";
import { isTyping, newView, onPageKey } from "./view.js";
import { showWhatIf } from "./whatif.js";

/** @type {WeakMap<Element, View>} */
const views = new WeakMap();
let turn = 0; // of what was asked for last: who comes back to the page has seen it already

/** @param {Component<ShownTrace>} component */
export default function show(component) {
  const { parentElement, data, setStateValue } = component;
  const root = /** @type {HTMLElement} */ (parentElement.querySelector(".apt"));
  const known = views.get(root);
  const view = known ?? newView(root);
  view.report = (at) => setStateValue("at", at);
  const isOther = view.trace?.key !== data.key;
  const isLed = !isOther && data.led !== view.led;
  view.led = data.led;
  if (isOther) load(view, data);
  if (!known) mount(view);
  const left = takeLeft(data.key);
  if (data.turn && data.turn !== turn) begin(view, left ?? data.start);
  else if (left !== null) go(view, left);
  else if (isLed) go(view, data.start);
  else if (data.awaits && !view.awaits) wait(view, Boolean(known));
  turn = data.turn ?? turn;
  view.awaits = Boolean(data.awaits);
  view.find(".autoplay").hidden = data.turn === undefined;
  showOpened(view, data.opened, setStateValue);
  showWhatIf(view, data.whatif, setStateValue);
  showMarks(view, data.marks);
  showTips(view, data.terms);
  showExercise(view, data.exercise, setStateValue);
  return endOf(view);
}

/** Gives the keys to the steps while what was asked for is awaited, unless a field is written in.
 * @param {View} view @param {boolean} isKnown  Whether it was there when it was asked for. */
function wait(view, isKnown) {
  if (isKnown ? !isTyping(view) : isFocusFree(view)) view.root.focus({ preventScroll: true });
}

/** @param {View} view */
function mount(view) {
  const { find, root, signal } = view;
  views.set(root, view);
  root.addEventListener("click", (event) => clicked(view, event), { signal });
  root.addEventListener("dblclick", (event) => jumped(view, event), { signal });
  root.addEventListener("focusin", (event) => focused(view, event), { signal });
  root.addEventListener("focusout", () => near(view.drawing, null), { signal });
  root.addEventListener("keydown", (event) => pressed(view, event), { signal });
  root.addEventListener("keyup", released, { signal });
  const stage = find(".stage");
  stage.addEventListener("pointerover", (event) => near(view.drawing, pickOf(event)), { signal });
  stage.addEventListener("pointerleave", () => near(view.drawing, null), { signal });
  const slider = find(".slider", "input");
  slider.addEventListener("input", () => go(view, Number(slider.value)), { signal });
  mountPace(view);
  mountFigures(view);
  mountLeaving(view);
  window.addEventListener("keydown", (event) => pressedAtChoice(view, event), { capture: true, signal });
  onPageKey(view, (event) => pressedOutside(view, event));
  for (const name of ["input", "compositionstart"]) {
    document.addEventListener(name, () => writtenOutside(view), { capture: true, signal });
  }
  document.addEventListener("focusin", () => focusedOutside(view), { signal });
  for (const name of ["focusin", "pointerdown"]) {
    document.addEventListener(name, (event) => {
      if (!event.composedPath().includes(root)) reportNow(view);
    }, { capture: true, signal });
  }
  const resized = new ResizeObserver(() => refit(view.drawing));
  resized.observe(stage);
  signal.addEventListener("abort", () => {
    resized.disconnect();
    forgetReport(view);
    clearTimeout(view.playing);
  });
}
