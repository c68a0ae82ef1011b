// Keys that tick the differences of two graphs.

import assert from "node:assert/strict";
import { test } from "node:test";

import { pickFor } from "../../../app/canvas/union/union.js";

const BOXES = ["first", "second", "third"];

test("a digit leads to its difference, from wherever the focus is", () => {
  assert.equal(pickFor(BOXES, "body", "2"), "second");
  assert.equal(pickFor(BOXES, "third", "1"), "first");
  assert.equal(pickFor(BOXES, "body", "9"), undefined);
  assert.equal(pickFor(BOXES, "body", "0"), undefined);
});

test("arrows lead on among the differences, and scroll the page elsewhere", () => {
  assert.equal(pickFor(BOXES, "first", "ArrowDown"), "second");
  assert.equal(pickFor(BOXES, "second", "ArrowUp"), "first");
  assert.equal(pickFor(BOXES, "body", "ArrowDown"), undefined);
});
