// What a click, and what the focus means.

import { pickOf } from "../shared/graph.js";
import { holderOf, isWithControl, targetOf } from "../shared/keys.js";
import { near, zoom } from "../shared/stage.js";
import { act } from "./act.js";
import { bringIntoView, drawChosen, markWord, stand, standAtWord } from "./choosing.js";
import { hideAllKeys, resetKeys, startRemap } from "./keylist.js";
import { modeClick } from "./modes.js";
import { panelClicked } from "./panels/panels.js";
import { choosePart, keyOf } from "./places.js";
import { closePrompt } from "./typing/prompt.js";

/** @param {Editor} view @param {MouseEvent} event */
export function clicked(view, event) {
  const button = holderOf(event, "button");
  const picked = button ? null : pickOf(event);
  if (button) pressedButton(view, button, event);
  if (!picked) return;
  stand(view, picked, true);
  if (targetOf(event).classList.contains("folded-count")) act(view, "more");
  else modeClick(view);
}

/** @param {Editor} view @param {HTMLElement} button @param {MouseEvent} event */
function pressedButton(view, button, event) {
  const { classList, dataset } = button;
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
export function focused(view, event) {
  const picked = pickOf(event);
  if (!picked) return;
  if (keyOf(picked) !== keyOf(view.at)) {
    view.at = choosePart(view.data, view.walk, picked);
    drawChosen(view);
  }
  near(view.drawing, targetOf(event).matches(":focus-visible") ? picked : null);
}
