// What a key or a click asks of a trace.

import { say } from "../shared/elements.js";
import { pickOf } from "../shared/graph.js";
import {
  CAPS_LOCK, finish, focusedIn, holderOf, isByAlt, isInside, isLocked, isWithModifier, keepFromStreamlit,
  signOf, targetOf,
} from "../shared/keys.js";
import { near, zoom } from "../shared/stage.js";
import { follow } from "./draw.js";
import { clickedInFigures, pressedInFigures } from "./figures/acting.js";
import { rove, roverFocused } from "./rove.js";
import { foldPicked, goToPicked, pick, setPicked } from "./select.js";
import { go, goTo, togglePlay } from "./step.js";
import { LINE } from "./view.js";

// Taken where the focus is outside the canvas, but on nothing that has a use for them.
const PAGE_KEYS = /^(ArrowLeft|ArrowRight|Home|End|[?w1-9])$/;
const USES_KEYS = "input, textarea, select, iframe, [contenteditable='true'], [role='listbox'], "
  + "[role='slider'], [role='radio'], [role='tab'], [role='combobox'], [role^='menu'], [role='grid']";

const WRITTEN = "input:not([role], [type='checkbox'], [type='radio'], [type='range']), textarea";

const CHOICE = "[role='radio'], [role='tab']"; // of these a pointer chooses, and arrows lead among them
const LEFT_BY_ESC = `${WRITTEN}, ${CHOICE}, [role='combobox'][aria-expanded='false']`;

/** @type {Record<string, string>} */
const PLACES = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };
/** @type {Record<string, string>} */
const PLACES_IN_LIST = { ...PLACES, ArrowUp: "back", ArrowDown: "forward" };

// --- clicks -------------------------------------------------------------------------------

/** @param {View} view @param {MouseEvent} event */
export function clicked(view, event) {
  if (clickedInFigures(view, event)) return;
  const picked = pickOf(event);
  const button = holderOf(event, "button");
  if (picked) pick(view, picked);
  else if (button) pressedButton(view, button);
  else if (isInside(event, ".stage")) pick(view, null);
}

/** @param {View} view @param {HTMLElement} button */
function pressedButton(view, button) {
  const { classList, dataset } = button;
  if (classList.contains("jump") || classList.contains("picked-clear")) pick(view, null);
  if (classList.contains("picked-fold")) foldPicked(view);
  if (dataset.step) go(view, Number(dataset.step));
  if (dataset.go) goTo(view, dataset.go);
  if (dataset.zoom) {
    zoom(view.drawing, dataset.zoom);
    follow(view);
  }
  if (classList.contains("copy")) copy(view, button);
  if (classList.contains("play")) togglePlay(view);
  if (classList.contains("keys")) showKeys(view);
  if (classList.contains("close")) hideKeys(view);
}

/** A double click on a node or edge goes to the action that made it. @param {View} view @param {Event} event */
export function jumped(view, event) {
  const picked = pickOf(event);
  if (!picked || picked.kind === "token") return;
  setPicked(view, picked);
  goToPicked(view);
}

/** @param {View} view @param {Event} event */
export function focused(view, event) {
  const picked = pickOf(event);
  if (!picked) return;
  roverFocused(view, targetOf(event));
  near(view.drawing, targetOf(event).matches(":focus-visible") ? picked : null);
}

/** @param {View} view @param {HTMLElement} button */
function copy(view, button) {
  navigator.clipboard.writeText(view.trace.penman).then(() => {
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
}

// --- keys ---------------------------------------------------------------------------------

/** Tells whether a sign has a meaning for a trace, its marks or a what-if. @param {string} key */
export function isOwn(key) {
  return /^[?wgfnN1-9]$/.test(key);
}

/** @param {View} view @param {KeyboardEvent} event */
export function pressed(view, event) {
  if (isInside(event, `dialog[open], select, ${WRITTEN}`)) {
    pressedInField(view, event);
    return;
  }
  keepFromStreamlit(event);
  if (isWithModifier(event) && !isByAlt(event, isOwn)) return;
  drawCaps(view, event);
  if (act(view, event)) finish(event);
}

/** What is typed is no command to the canvas, nor to the page around it; Esc leaves a field.
 * @param {View} view @param {KeyboardEvent} event */
function pressedInField(view, event) {
  event.stopPropagation();
  const isLeft = event.key === "Escape" && !event.isComposing && !isInside(event, "dialog[open]");
  if (isLeft) view.root.focus({ preventScroll: true });
}

/** Says where Caps Lock keeps a key from its meaning. @param {View} view @param {KeyboardEvent} event */
export function drawCaps(view, event) {
  const caps = view.find(".caps");
  caps.hidden = !isLocked(event, isOwn) || isInside(event, USES_KEYS);
  say(caps, caps.hidden ? "" : CAPS_LOCK);
}

function holderOfFocus() {
  return document.activeElement ?? document.body;
}

/** Tells whether neither the canvas nor anything else that uses keys has the focus: who chose by a
 * pointer is done with the choice. @param {View} view */
export function isFocusFree(view) {
  const holder = holderOfFocus();
  if (holder === /** @type {ShadowRoot} */ (view.root.getRootNode()).host) return false;
  return holder === view.pointedAt || !holder.closest(USES_KEYS);
}

/** Keeps the choice of the page around that a pointer gave the focus to. @param {View} view */
export function focusedOutside(view) {
  const holder = holderOfFocus();
  view.pointedAt = holder.matches(CHOICE) && !holder.matches(":focus-visible") ? holder : null;
}

/** A key of a field or choice of the page around, which would keep it for itself.
 * @param {View} view @param {KeyboardEvent} event */
export function pressedAtChoice(view, event) {
  const holder = holderOfFocus();
  if (holder === view.pointedAt || holder.matches(LEFT_BY_ESC)) pressedOutside(view, event);
}

/** Text that came into a field of the page, maybe without any key: pasted, composed or dictated.
 * @param {View} view */
export function writtenOutside(view) {
  if (holderOfFocus().matches(LINE)) view.typing = true;
}

/** A key of the page around. @param {View} view @param {KeyboardEvent} event */
export function pressedOutside(view, event) {
  const holder = holderOfFocus();
  if (holder.matches(WRITTEN) && !event.isComposing) {
    view.typing = holder.matches(LINE) && (event.key.length === 1 || (view.typing && event.key !== "Enter"));
  }
  if (event.key === "Escape" && !event.isComposing && holder.matches(LEFT_BY_ESC)) {
    view.root.focus({ preventScroll: true });
  }
  if (!isFocusFree(view)) return;
  const key = signOf(event, isOwn);
  const isPlay = key === " " && holder === document.body;
  if (isPlay || PAGE_KEYS.test(key) || isLocked(event, isOwn)) pressed(view, event);
}

/** Does what a key stands for; gives whether it stood for anything.
 * @param {View} view @param {KeyboardEvent} event */
function act(view, event) {
  const key = signOf(event, isOwn);
  if (pressedInFigures(view, event, key)) return true;
  const inList = isInside(event, ".actions");
  const place = (inList ? PLACES_IN_LIST : PLACES)[key];
  if (place) {
    goTo(view, place);
    if (inList) view.jumps[view.step].focus({ preventScroll: true });
    return true;
  }
  if (key === " " && (inList || !isInside(event, "button, summary, [type='checkbox'], [data-pick]"))) {
    togglePlay(view);
    return true;
  }
  if (actOnPicked(view, event) || view.onKey.some((does) => does(key))) return true;
  if (key === "?") showKeys(view);
  return key === "?";
}

/** The keys for what has the focus among tokens, nodes, edges and triples.
 * @param {View} view @param {KeyboardEvent} event */
function actOnPicked(view, event) {
  const key = signOf(event, isOwn);
  const picked = pickOf(event);
  if (key === "Escape" && view.picked) pick(view, null);
  else if (picked && (key === "ArrowUp" || key === "ArrowDown")) rove(view, targetOf(event), key);
  else if (picked && (key === "Enter" || key === " ") && isInside(event, ".stage")) pick(view, picked);
  else if (key === "g" || key === "f") {
    if (picked) setPicked(view, picked);
    if (key === "g") goToPicked(view);
    else foldPicked(view);
  } else return false;
  return true;
}

/** A browser presses a focused button when the space key comes up: in the list it plays.
 * @param {KeyboardEvent} event */
export function released(event) {
  if (event.key === " " && isInside(event, ".actions")) event.preventDefault();
}

// --- the list of keys -----------------------------------------------------------------------

/** @param {View} view */
export function showKeys(view) {
  const dialog = view.find(".help", "dialog");
  view.before = focusedIn(view.root);
  if (!dialog.open) dialog.showModal();
}

/** @param {View} view */
function hideKeys(view) {
  view.find(".help", "dialog").close();
  view.before?.focus({ preventScroll: true });
}
