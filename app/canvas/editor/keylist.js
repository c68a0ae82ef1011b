// All keys in a list, where each can be given another.

import { make, makeButton, say } from "../shared/elements.js";
import { isWithModifier, keyEntry } from "../shared/keys.js";
import { focusAt } from "./choosing.js";
import { ACTS, keepKeymap, keysAsTheyCame, OPTIONS, readKeymap, withKey } from "./keymap.js";
import { tell } from "./telling.js";

const FIXED = [
  ["↑ ↓", "the next node or edge"], ["← →", "up and down the graph"],
  ["1 … 9", "take an option of the doubtful part, or a proposal"], ["Esc", "leave what was begun"],
  ["Space", "on a token: mark it; Shift with arrows marks several"],
];

/** @param {Editor} view */
export function showAllKeys(view) {
  stopRemap(view);
  view.find(".help", "dialog").showModal();
}

/** The focus goes back at once: the event of a closed dialog comes late, when the next key may have
 * opened a field. @param {Editor} view */
export function hideAllKeys(view) {
  stopRemap(view);
  view.find(".help", "dialog").close();
  focusAt(view);
}

/** @param {Editor} view */
export function drawKeys(view) {
  const { find, keys, root } = view;
  const rows = ACTS.flatMap(([act, , what]) => [
    make("dt", "", makeButton("remap",
      { "data-remap": act, "aria-label": `${what}: key ${keys[act]}; press to change` },
      make("kbd", "", keys[act]))),
    make("dd", "", what),
  ]);
  find(".help dl").replaceChildren(...rows, ...FIXED.flatMap(([key, what]) => keyEntry([key], what)));
  const named = ".bar [data-act], .fold [data-act], .tools [data-act]";
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(named))) {
    const key = keys[button.dataset.act ?? ""];
    if (!key) continue;
    if (!button.querySelector("kbd")) button.append(" ", make("kbd", ""));
    say(/** @type {Element} */ (button.querySelector("kbd")), key);
    button.setAttribute("aria-keyshortcuts", key);
  }
}

/** @param {Editor} view @param {HTMLElement} button */
export function startRemap(view, button) {
  stopRemap(view);
  view.remapping = button.dataset.remap ?? "";
  button.classList.add("waiting");
}

/** @param {Editor} view */
function stopRemap(view) {
  view.remapping = "";
  for (const button of view.root.querySelectorAll(".remap.waiting")) button.classList.remove("waiting");
}

/** @param {Editor} view @param {KeyboardEvent} event */
export function remapKey(view, event) {
  const { keys, remapping } = view;
  const { key } = event;
  if (key === "Escape") {
    event.preventDefault();
    hideAllKeys(view);
    return;
  }
  if (!remapping || key === "Tab") {
    stopRemap(view);
    return;
  }
  if (key.length !== 1 || isWithModifier(event)) return;
  event.preventDefault();
  if (OPTIONS.test(key)) return;
  stopRemap(view);
  setKeys(view, withKey(keys, remapping, key));
  view.find(`[data-remap=${remapping}]`).focus();
}

/** @param {Editor} view */
export function resetKeys(view) {
  setKeys(view, keysAsTheyCame());
}

/** Takes the keys of the person at work, once. @param {Editor} view @param {string} scope */
export function takeKeys(view, scope) {
  if (view.keysOf === scope) return;
  view.keysOf = scope;
  view.keys = readKeymap(scope);
  drawKeys(view);
}

/** @param {Editor} view @param {Keymap} keys */
function setKeys(view, keys) {
  view.keys = keys;
  drawKeys(view);
  if (keepKeymap(keys, view.keysOf)) return;
  tell(view, "This browser keeps no keys: they hold until the page is closed.");
}
