// What the pointer does: a click, two, one with the right button, a drag; and what the focus means.

import { pickOf } from "../shared/graph.js";
import { finish, holderOf, isInside, isWithControl, targetOf } from "../shared/keys.js";
import { near, zoom } from "../shared/stage.js";
import { act } from "./act.js";
import { bringIntoView, drawChosen, markWord, stand, standAtWord } from "./choosing.js";
import { draggedOn, dropped, leaveDrag, pressedDown } from "./drag.js";
import { hideAllKeys, resetKeys, startRemap } from "./keylist.js";
import { modeClick } from "./modes.js";
import { panelClicked } from "./panels/panels.js";
import { choosePart, keyOf } from "./places.js";
import { hideTools, placeTools, showTools } from "./tools.js";
import { closePrompt } from "./typing/prompt.js";

/** @param {Editor} view */
export function mountPointer(view) {
  const { find, root, signal } = view;
  const stage = find(".stage");
  root.addEventListener("click", (event) => clicked(view, event), { signal });
  root.addEventListener("focusin", (event) => focused(view, event), { signal });
  root.addEventListener("focusout", () => near(view.drawing, null), { signal });
  let rests = ""; // where the pointer is: a browser also tells what was drawn anew below it
  stage.addEventListener("pointermove", (event) => { rests = pointOf(event); }, { signal });
  stage.addEventListener("pointerover", (event) => {
    if (pointOf(event) !== rests) near(view.drawing, pickOf(event));
    rests = pointOf(event);
  }, { signal });
  stage.addEventListener("pointerleave", () => near(view.drawing, null), { signal });
  stage.addEventListener("pointerdown", (event) => pressedDown(view, event), { signal });
  stage.addEventListener("dblclick", (event) => clickedTwice(view, event), { signal });
  stage.addEventListener("contextmenu", (event) => clickedRight(view, event), { signal });
  stage.addEventListener("scroll", () => placeTools(view), { signal });
  root.addEventListener("pointerdown", (event) => {
    find(".notice").hidden = true; // it lies over the drawing, and lets the pointer through
    if (!isInside(event, ".tools")) hideTools(view);
  }, { signal });
  root.addEventListener("pointermove", (event) => draggedOn(view, event), { signal });
  root.addEventListener("pointerup", (event) => dropped(view, event), { signal });
  // Where the button comes up beside the editor, and where a browser takes the pointer for itself.
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, () => leaveDrag(view), { signal });
  }
  document.addEventListener("keydown", (event) => keyMeanwhile(view, event), { capture: true, signal });
  find(".tools").addEventListener("mousedown", (event) => event.preventDefault(), { signal }); // the focus stays
}

/** @param {PointerEvent} event */
function pointOf({ clientX, clientY }) {
  return `${clientX} ${clientY}`;
}

/** Esc leaves a drag; keys other than those that lead to the bar and press its buttons hide it.
 * @param {Editor} view @param {KeyboardEvent} event */
function keyMeanwhile(view, event) {
  const { key } = event;
  if (key !== "Tab" && key !== "Enter" && key !== " ") hideTools(view);
  if (key !== "Escape" || !view.drag?.line) return;
  leaveDrag(view);
  finish(event);
}

/** @param {Editor} view @param {MouseEvent} event */
function clicked(view, event) {
  const button = holderOf(event, "button");
  const picked = button ? null : pickOf(event);
  if (button) pressedButton(view, button, event);
  if (!picked) return;
  stand(view, picked, true);
  if (targetOf(event).classList.contains("folded-count")) act(view, "more");
  else if (view.mode) modeClick(view);
  else showTools(view);
}

/** @param {Editor} view @param {MouseEvent} event */
function clickedTwice(view, event) {
  const picked = pickOf(event);
  if (!picked || view.mode || targetOf(event).classList.contains("folded-count")) return;
  hideTools(view);
  stand(view, picked, true);
  act(view, "rename");
}

/** @param {Editor} view @param {MouseEvent} event */
function clickedRight(view, event) {
  const picked = pickOf(event);
  if (!picked || view.mode) return;
  event.preventDefault();
  stand(view, picked, true);
  showTools(view);
}

/** @param {Editor} view @param {HTMLElement} button @param {MouseEvent} event */
function pressedButton(view, button, event) {
  const { classList, dataset } = button;
  if (isInside(event, ".tools")) hideTools(view);
  if (dataset.act) act(view, dataset.act);
  if (dataset.zoom) {
    zoom(view.drawing, dataset.zoom);
    bringIntoView(view);
  }
  if (dataset.remap) startRemap(view, button);
  if (classList.contains("close")) hideAllKeys(view);
  if (classList.contains("reset-keys")) resetKeys(view);
  if (classList.contains("leave")) closePrompt(view);
  if (dataset.token) clickedWord(view, Number(dataset.token), event);
  if (dataset.line) clickedLine(view, Number(dataset.line));
  if (dataset.more) {
    stand(view, { kind: "node", place: Number(dataset.more) }, true);
    act(view, "more");
  }
  if (dataset.side) panelClicked(view, button);
}

/** @param {Editor} view @param {number} place */
function clickedLine(view, place) {
  const { edge, node } = view.data.lines[place];
  stand(view, edge >= 0 && node < 0 ? { kind: "edge", place: edge } : { kind: "node", place: node }, false);
  modeClick(view);
}

/** @param {Editor} view @param {number} word @param {MouseEvent} event */
function clickedWord(view, word, event) {
  const { span } = view;
  if (event.detail === 0 && !view.mode) return; // a key: see wordKey
  if (event.shiftKey && span.size) {
    const end = Math.max(...span, word);
    for (let place = Math.min(...span, word); place <= end; place += 1) span.add(place);
    drawChosen(view);
  } else if (event.shiftKey || isWithControl(event) || view.mode) {
    markWord(view, word, !span.has(word));
  } else {
    standAtWord(view, word, false);
    const isOnly = span.size === 1 && span.has(word);
    span.clear();
    markWord(view, word, !isOnly);
  }
}

/** @param {Editor} view @param {Event} event */
function focused(view, event) {
  const picked = pickOf(event);
  if (!picked) return;
  if (keyOf(picked) !== keyOf(view.at)) {
    view.at = choosePart(view.data, view.walk, picked);
    drawChosen(view);
  }
  near(view.drawing, targetOf(event).matches(":focus-visible") ? picked : null);
}
