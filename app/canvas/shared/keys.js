// Keys: where they were pressed, where they lead, and how a list of them is shown.

import { make } from "./elements.js";

const WAYS = new Map([["ArrowUp", -1], ["ArrowLeft", -1], ["ArrowDown", 1], ["ArrowRight", 1]]);
const STREAMLIT_KEYS = ["r", "c"]; // rerun, and clear the cache

/** @param {Event} event @returns {HTMLElement} */
export function targetOf(event) {
  return /** @type {HTMLElement} */ (event.target);
}

/** @param {Event} event @param {string} selector @returns {HTMLElement | null} */
export function holderOf(event, selector) {
  return targetOf(event).closest(selector);
}

/** @param {Event} event @param {string} selector */
export function isInside(event, selector) {
  return holderOf(event, selector) !== null;
}

/** @param {KeyboardEvent | MouseEvent} event */
export function isWithControl(event) {
  return event.ctrlKey || event.metaKey;
}

/** @param {KeyboardEvent} event */
export function isWithModifier(event) {
  return event.altKey || isWithControl(event);
}

/** @param {KeyboardEvent} event */
export function keepFromStreamlit(event) {
  if (STREAMLIT_KEYS.includes(event.key)) event.stopPropagation();
}

/** Ends an event's way, as it did what it should. @param {Event} event */
export function finish(event) {
  event.preventDefault();
  event.stopPropagation();
}

/** Gives -1 or 1 for an arrow, 0 for any other key. @param {string} key */
export function wayOf(key) {
  return WAYS.get(key) ?? 0;
}

/**
 * Gives what a key leads to in a list: by an arrow the neighbour, by Home and End the ends.
 *
 * @template Entry
 * @param {readonly Entry[]} list
 * @param {Entry} from
 * @param {string} key
 * @returns {Entry | undefined}
 */
export function leadsTo(list, from, key) {
  if (key === "Home") return list[0];
  if (key === "End") return list.at(-1);
  return wayOf(key) ? list[list.indexOf(from) + wayOf(key)] : undefined;
}

/** @param {Element} root @returns {HTMLElement | null} */
export function focusedIn(root) {
  return /** @type {HTMLElement | null} */ (/** @type {ShadowRoot} */ (root.getRootNode()).activeElement);
}

/** Gives an entry of a list of keys. @param {string[]} keys @param {string} does */
export function keyEntry(keys, does) {
  const signs = keys.flatMap((key) => [make("kbd", "", key), " "]);
  return [make("dt", "", ...signs.slice(0, -1)), make("dd", "", does)];
}
