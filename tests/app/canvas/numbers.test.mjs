// Numbers as they are read, and as they travel.

import assert from "node:assert/strict";
import { test } from "node:test";

import { decimals, shareText, shortDecimals } from "../../../app/canvas/shared/numbers.js";
import { pieces, unpack, unpackPairs } from "../../../app/canvas/trace/unpack.js";

test("thousandths are read with three decimals", () => {
  assert.equal(decimals(0), "0.000");
  assert.equal(decimals(950), "0.950");
  assert.equal(decimals(1000), "1.000");
});

test("a share that is less than can be written is told as such", () => {
  assert.equal(shareText(0), "<.001");
  assert.equal(shareText(1), "0.001");
  assert.equal(shareText(999), "0.999");
});

test("a short weight is short, and never more than it is", () => {
  assert.equal(shortDecimals(950), ".95");
  assert.equal(shortDecimals(994), ".99");
  assert.equal(shortDecimals(999), ">.99");
  assert.equal(shortDecimals(1000), "1.0");
  assert.equal(shortDecimals(5), ".01");
  assert.equal(shortDecimals(4), "<.01");
});

test("packed text is a number in base 64, most significant digit first", () => {
  assert.equal(unpack("0"), 0);
  assert.equal(unpack("_"), 63);
  assert.equal(unpack("10"), 64);
  assert.equal(unpack("__"), 4095);
});

test("packed pairs are positions and weights", () => {
  assert.deepEqual(unpackPairs("01FA__0A"), [[1, 15 * 64 + 10], [4095, 10]]);
  assert.deepEqual(unpackPairs(""), []);
});

test("text is cut into pieces of one length", () => {
  assert.deepEqual(pieces("abcdef", 2), ["ab", "cd", "ef"]);
});
