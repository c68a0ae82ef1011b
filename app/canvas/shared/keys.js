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

/** @type {Record<string, string>} */
const SIGNS = { BracketLeft: "[", BracketRight: "]", Comma: ",", Period: ".", Slash: "?", Digit0: "0" };
export const CAPS_LOCK = "Caps Lock is on: keys are small letters. Press it once more.";

/** Gives the plain form of a sign of full width, as Chinese and Japanese keyboards give it. @param {string} key */
function plainSign(key) {
  return /^[\uff01-\uff5e]$/.test(key) ? key.normalize("NFKC") : key;
}

/** Gives the sign that a key stands for. Where it gives neither a Latin letter nor a sign that has a
 * meaning here, as on a Cyrillic or Hebrew keyboard, that is the sign of its place on an English one.
 * @param {Pick<KeyboardEvent, "key" | "code" | "shiftKey">} event @param {(key: string) => boolean} isOwn */
export function signOf({ code, key: typed, shiftKey }, isOwn) {
  const key = plainSign(typed);
  if (key.length !== 1 || isOwn(key) || /[\p{Script=Latin} ]/u.test(key)) return key;
  const letter = /^Key([A-Z])$/.exec(code ?? "")?.[1];
  if (letter) return shiftKey ? letter : letter.toLowerCase();
  if (/[!-~]/.test(key)) return key;
  return SIGNS[code] ?? /^Digit(\d)$/.exec(code ?? "")?.[1] ?? key;
}

/** Tells whether a sign with a meaning is typed by AltGr or Option, as `[` is on many keyboards: then
 * these are no modifiers. @param {KeyboardEvent} event @param {(key: string) => boolean} isOwn */
export function isByAlt(event, isOwn) {
  const { altKey, key } = event;
  if (key.length !== 1 || !isOwn(key)) return false;
  return event.getModifierState("AltGraph") || (altKey && !/[\p{L}\p{N}]/u.test(key));
}

/** Tells whether Caps Lock alone keeps a key from its meaning.
 * @param {KeyboardEvent} event @param {(key: string) => boolean} isOwn */
export function isLocked(event, isOwn) {
  const key = signOf(event, isOwn);
  return event.getModifierState("CapsLock") && !isOwn(key) && isOwn(key.toLowerCase());
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
