// Keys: what they stand for, where they lead, and how they are given others.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isCommand } from "../../../app/canvas/editor/keys.js";
import {
  ACTS, actOf, changedKeys, keysAsTheyCame, readKeymap, withKept, withKey,
} from "../../../app/canvas/editor/keymap.js";
import { leadsTo, signOf, wayOf } from "../../../app/canvas/shared/keys.js";
import {
  focusedOutside, isFocusFree, pressed, pressedOutside, writtenOutside,
} from "../../../app/canvas/trace/keys.js";
import { isTyping } from "../../../app/canvas/trace/view.js";

test("no two acts have one key, and no key is a digit that takes an option", () => {
  const keys = ACTS.map(([, key]) => key);
  assert.equal(new Set(keys).size, keys.length);
  assert.ok(keys.every((key) => key.length === 1 && !/[1-9]/.test(key)));
});

test("a key stands for its act, and any other for none", () => {
  assert.equal(actOf(keysAsTheyCame(), "a"), "accept");
  assert.equal(actOf(keysAsTheyCame(), "A"), "");
});

test("an act that gets the key of another gives its own for it", () => {
  const keys = withKey(keysAsTheyCame(), "accept", "r");
  assert.equal(actOf(keys, "r"), "accept");
  assert.equal(actOf(keys, "a"), "rename");
});

test("a key that is free is given without any change to others", () => {
  const keys = withKey(keysAsTheyCame(), "accept", "ö");
  assert.equal(actOf(keys, "ö"), "accept");
  assert.equal(actOf(keys, "a"), "");
  assert.deepEqual({ ...keys, accept: "a" }, keysAsTheyCame());
});

test("the keys that a person gave are listed with what they do", () => {
  assert.deepEqual(changedKeys(keysAsTheyCame()), []);
  const [[key, what]] = changedKeys(withKey(keysAsTheyCame(), "accept", "ö"));
  assert.equal(`${key} to ${what}`, "ö to accept the sentence and go to the next");
});

test("giving an act its own key changes nothing", () => {
  assert.deepEqual(withKey(keysAsTheyCame(), "accept", "a"), keysAsTheyCame());
});

test("of the keys that were kept only single signs for acts that are known count", () => {
  const keys = withKept(keysAsTheyCame(), { accept: "q", reject: "Enter", gone: "7", skip: 4 });
  assert.deepEqual(keys, { ...keysAsTheyCame(), accept: "q" });
  assert.deepEqual(withKept(keysAsTheyCame(), null), keysAsTheyCame());
});

test("where a browser keeps nothing the keys are as they came", () => {
  assert.deepEqual(readKeymap("a.Ada"), keysAsTheyCame());
});

test("letters, arrows and keys with Control are commands; Shift and function keys are none", () => {
  for (const key of ["a", " ", "ArrowUp", "Enter", "Delete", "Escape"]) {
    assert.equal(isCommand({ key, isControl: false, isShifted: false }), true, key);
  }
  for (const key of ["Shift", "F5", "PageDown"]) {
    assert.equal(isCommand({ key, isControl: false, isShifted: false }), false, key);
  }
  assert.equal(isCommand({ key: "Z", isControl: true, isShifted: true }), true);
});

test("arrows lead to neighbours in a list, Home and End to its ends, and other keys nowhere", () => {
  const list = ["one", "two", "three"];
  assert.equal(leadsTo(list, "two", "ArrowUp"), "one");
  assert.equal(leadsTo(list, "two", "ArrowRight"), "three");
  assert.equal(leadsTo(list, "three", "ArrowDown"), undefined);
  assert.equal(leadsTo(list, "one", "ArrowLeft"), undefined);
  assert.equal(leadsTo(list, "two", "Home"), "one");
  assert.equal(leadsTo(list, "two", "End"), "three");
  assert.equal(leadsTo(list, "two", "x"), undefined);
  assert.equal(wayOf("x"), 0);
});

test("a key that gives no Latin letter stands for what its place gives on an English keyboard", () => {
  const isOwn = (key) => "a[].,?0".includes(key);
  const sign = (key, code, shiftKey = false) => signOf({ key, code, shiftKey }, isOwn);
  for (const key of ["ф", "α", "ש", "ش"]) assert.equal(sign(key, "KeyA"), "a", key);
  assert.equal(sign("Ф", "KeyA", true), "A");
  assert.equal(sign("х", "BracketLeft"), "[");
  assert.equal(sign("ю", "Period"), ".");
  assert.equal(sign("/", "KeyQ"), "q"); // Hebrew
  assert.equal(sign("١", "Digit1"), "1");
});

test("signs of full width are the plain ones, as Chinese and Japanese keyboards give them", () => {
  const isOwn = (key) => "?=a".includes(key);
  const sign = (key, code) => signOf({ key, code, shiftKey: false }, isOwn);
  for (const [wide, plain] of ["？?", "＝=", "ａa", "１1", "％%"]) assert.equal(sign(wide, ""), plain);
});

test("Latin letters, signs with a meaning and named keys are what they say, wherever they stand", () => {
  const isOwn = (key) => "[],".includes(key);
  const sign = (key, code) => signOf({ key, code, shiftKey: false }, isOwn);
  assert.equal(sign("a", "KeyQ"), "a"); // French
  assert.equal(sign("ö", "Semicolon"), "ö");
  assert.equal(sign(",", "KeyW"), ","); // Dvorak
  assert.equal(sign("&", "Digit1"), "&");
  assert.equal(sign("ArrowUp", "ArrowUp"), "ArrowUp");
  assert.equal(signOf({ key: "é", code: "Digit2", shiftKey: false }, isOwn), "é");
});

// An element that is all that a selector names; the keys that come to it, and what the view did.
function pressIn(tag, key) {
  const told = [];
  const target = { closest: (selector) => (selector.includes(tag) ? target : null) };
  const view = { root: { focus: () => told.push("steps") }, find: () => told.push("asked") };
  pressed(view, { key, target, isComposing: false, stopPropagation: () => told.push("kept") });
  return told;
}

test("what is typed into a field of the canvas stays there, and Esc leads from it to the steps", () => {
  for (const field of ["input", "select", "textarea"]) {
    for (const key of ["w", "1", "ArrowRight", "?"]) assert.deepEqual(pressIn(field, key), ["kept"], key);
    assert.deepEqual(pressIn(field, "Escape"), ["kept", "steps"], field);
  }
  assert.deepEqual(pressIn("dialog[open]", "Escape"), ["kept"]); // the browser closes it
});

test("Esc leads from a field of the page to the steps, whatever it holds", () => {
  const told = [];
  const view = { root: { focus: () => told.push("steps"), getRootNode: () => ({ host: null }) } };
  globalThis.document = {
    activeElement: { matches: (selector) => selector.includes("textarea"), closest: () => ({}) },
  };
  pressedOutside(view, { key: "a", isComposing: false });
  assert.deepEqual(told, []);
  pressedOutside(view, { key: "Escape", isComposing: false });
  assert.deepEqual(told, ["steps"]);
  delete globalThis.document;
});

test("a choice that a pointer made leaves the keys to the steps, one that keys made keeps them", () => {
  const view = { root: { getRootNode: () => ({ host: null }) } };
  for (const [isVisible, isFree] of [[false, true], [true, false]]) {
    const choice = {
      matches: (selector) => selector.includes("radio") || (selector === ":focus-visible" && isVisible),
      closest: (selector) => (selector.includes("radio") ? choice : null),
    };
    globalThis.document = { activeElement: choice };
    focusedOutside(view);
    assert.equal(isFocusFree(view), isFree);
  }
  delete globalThis.document;
});

// A field of a line that has the focus, and a button beside it.
const FIELD = { matches: (selector) => selector.startsWith("input"), closest: () => FIELD };
const BUTTON = { matches: () => false, closest: () => null };

test("text that comes without a key is being typed until Enter sends it, or the focus is elsewhere", () => {
  const view = { typing: false, root: { getRootNode: () => ({ host: null }) }, pointedAt: null };
  globalThis.document = { activeElement: FIELD };
  assert.equal(isTyping(view), false);
  writtenOutside(view);
  assert.equal(isTyping(view), true);
  pressedOutside(view, { key: "Enter", isComposing: false });
  assert.equal(isTyping(view), false);
  writtenOutside(view);
  globalThis.document.activeElement = BUTTON; // which sends it
  assert.equal(isTyping(view), false);
  delete globalThis.document;
});
