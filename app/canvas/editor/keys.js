// What a key asks of the editor, wherever it is pressed.

import {
  CAPS_LOCK, finish, isByAlt, isInside, isLocked, isWithControl, keepFromStreamlit, signOf, targetOf, wayOf,
} from "../shared/keys.js";
import { act } from "./act.js";
import { focusLine, focusWord, markWord, stand, standAtWord } from "./choosing.js";
import { remapKey } from "./keylist.js";
import { actOf, OPTIONS } from "./keymap.js";
import { escapeAll, modeKey } from "./modes.js";
import { takeOption } from "./panels/doubts.js";
import { panelKey } from "./panels/panels.js";
import { nextPart } from "./places.js";
import { drawSaved, drawTyped } from "./sending/sending.js";
import { refuse } from "./telling.js";
import { promptKey, typeInPrompt } from "./typing/prompt.js";
import { writingKey } from "./typing/text.js";

const LEAVES = new Set(["accept", "reject", "skip", "next", "back"]); // another sentence comes
const REPEATS = new Set(["next", "back", "doubt", "problem"]); // acts that a held key does again
const TAKES_KEYS = "a, button, input, textarea, select, summary, iframe, [contenteditable='true'], "
  + "[role='listbox'], [role='dialog'], [role='combobox'], [role='radio'], [role='tab'], [role^='menu']";

/** Tells whether neither the editor nor anything else that uses keys has the focus. @param {Editor} view */
export function isFocusFree(view) {
  const here = document.activeElement ?? document.body;
  return here !== /** @type {ShadowRoot} */ (view.root.getRootNode()).host && !here.closest(TAKES_KEYS);
}

/** @param {Editor} view @param {KeyboardEvent} event */
export function pressed(view, event) {
  if (event.isComposing) return;
  if (event.repeat && !mayRepeat(view, event)) {
    finish(event);
    return;
  }
  if (pressedApart(view, event)) return;
  keepFromStreamlit(event);
  if (event.key === "Escape") event.stopPropagation();
  if (isForBrowser(view, event)) return;
  const isControl = isWithControl(event) && !isByAlt(event, ownIn(view));
  const press = { key: signOf(event, ownIn(view)), isControl, isShifted: event.shiftKey };
  if (view.waiting && isCommand(press)) {
    view.typed.push(press); // what it means depends on the answer that is under way
    drawTyped(view);
    finish(event);
  } else if (doKey(view, press, event)) finish(event);
  else if (isLocked(event, ownIn(view))) refuse(view, CAPS_LOCK);
}

/** @param {Editor} view */
function ownIn({ keys }) {
  return (/** @type {string} */ key) => Boolean(actOf(keys, key)) || OPTIONS.test(key);
}

/** Tells whether a key that is held may do again what it does: nothing that commits or deletes.
 * @param {Editor} view @param {KeyboardEvent} event */
function mayRepeat(view, event) {
  const key = signOf(event, ownIn(view));
  const isCommitting = key === "Enter" && (isWithControl(event) || !isInside(event, "textarea"));
  if (isInside(event, "input, textarea")) return !isCommitting;
  const isUndo = isWithControl(event) && /^[zy]$/i.test(key);
  if (!isUndo && isForBrowser(view, event) && key !== "Enter" && key !== " ") return true;
  return Boolean(wayOf(key)) || /^(Home|End|Page)/.test(key) || REPEATS.has(actOf(view.keys, key));
}

/** Gives a key to the field, prompt or dialog in which it is pressed; tells whether there is one.
 * @param {Editor} view @param {KeyboardEvent} event */
function pressedApart(view, event) {
  const inField = isInside(event, "input, textarea");
  const inPrompt = isInside(event, ".prompt"); // its buttons take no keys of the graph
  if (!isInside(event, "dialog[open]") && !inField && !inPrompt) return false;
  event.stopPropagation(); // Streamlit's own keys are r and c
  if (inPrompt && (inField || event.key === "Escape")) promptKey(view, event);
  if (isInside(event, ".writing")) writingKey(view, event);
  if (isInside(event, ".help")) remapKey(view, event);
  return true;
}

/** @param {Editor} view @param {KeyboardEvent} event */
function isForBrowser(view, event) {
  const key = signOf(event, ownIn(view));
  const isModified = event.altKey || (isWithControl(event) && !/^[zy]$/i.test(key));
  if (key === "Tab" || (isModified && !isByAlt(event, ownIn(view)))) return true;
  if (isInside(event, "button:not(.word)") && (key === "Enter" || key === " ")) return true;
  return isInside(event, ".alarm") && !/^(Arrow|Esc)/.test(key); // decide first
}

/** @param {Press} press */
export function isCommand({ key, isControl }) {
  return isControl || key.length === 1 || /^(Arrow|Home|End|Enter|Esc|Del|Back)/.test(key);
}

/** Does the keys that were pressed while an answer was under way. @param {Editor} view */
export function replay(view) {
  if (view.waiting && view.data.ack < view.waiting) return;
  view.waiting = 0;
  while (view.typed.length && !view.waiting) {
    const press = /** @type {Press} */ (view.typed.shift());
    if (view.prompt) typeInPrompt(view, press);
    else doKey(view, press, null);
  }
  drawSaved(view);
}

/** Does what a key stands for; gives whether it stood for anything.
 * @param {Editor} view @param {Press} press
 * @param {KeyboardEvent | null} event  Where it was pressed, if that is known. */
function doKey(view, press, event) {
  const { key, isControl, isShifted } = press;
  if (isControl) {
    act(view, key.toLowerCase() === "y" || isShifted ? "redo" : "undo");
    return true;
  }
  if (event && isInside(event, ".tokens") && wordKey(view, press, targetOf(event))) return true;
  if (view.mode && modeKey(view, view.mode, key)) return true;
  if (event && isInside(event, ".alarm, .offered, .doubts, .problems") && panelKey(view, event)) return true;
  return moveKey(view, key, Boolean(event && isInside(event, ".lines"))) || commandKey(view, key);
}

/** @param {Editor} view @param {string} key */
function commandKey(view, key) {
  if (OPTIONS.test(key)) return takeOption(view, Number(key) - 1);
  const known = key === "Delete" || key === "Backspace" ? "delete" : actOf(view.keys, key);
  if (key === "Escape") escapeAll(view);
  else if (known) {
    act(view, known);
    if (LEAVES.has(known)) view.leaving = view.waiting; // which then gets the focus
  } else return false;
  return true;
}

/** @param {Editor} view @param {string} key @param {boolean} inList */
function moveKey(view, key, inList) {
  if (!wayOf(key) && key !== "Home" && key !== "End") return false;
  const next = nextPart(view.walk, view.at, key, inList);
  if (next) stand(view, next, !inList);
  if (next && inList) focusLine(view);
  return true;
}

/** Arrows go from word to word, with Shift marking them; a space marks one.
 * @param {Editor} view @param {Press} press @param {HTMLElement} word */
function wordKey(view, { key, isShifted }, word) {
  const here = Number(word.dataset.token);
  const way = { ArrowLeft: -1, ArrowRight: 1 }[key] ?? 0;
  if (way) stepWord(view, here, here + way, isShifted);
  else if (key === "Home") focusWord(view, 0);
  else if (key === "End") focusWord(view, view.tokens.length - 1);
  else if (key === " " || (key === "Enter" && isShifted)) markWord(view, here, !view.span.has(here));
  else if (key === "Enter") enterWord(view, here);
  else if (key === "Escape" && !view.mode) escapeAll(view);
  else {
    if (["add", "build"].includes(actOf(view.keys, key)) && !view.span.size) view.span.add(here);
    return false;
  }
  return true;
}

/** @param {Editor} view @param {number} here @param {number} next @param {boolean} isMarking */
function stepWord(view, here, next, isMarking) {
  if (!view.tokens[next]) return;
  if (isMarking) {
    markWord(view, here, true);
    markWord(view, next, true);
  }
  focusWord(view, next);
}

/** @param {Editor} view @param {number} word */
function enterWord(view, word) {
  if (!view.mode?.takesWords) {
    standAtWord(view, word, true);
    return;
  }
  if (!view.span.size) view.span.add(word);
  view.mode.take();
}
