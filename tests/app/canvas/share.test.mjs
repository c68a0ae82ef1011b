// How many of the doubtful parts are marked.

import assert from "node:assert/strict";
import { test } from "node:test";

import { doubtsOf, shareAfter, shareName, withShare } from "../../../app/canvas/editor/panels/share.js";

const PARTS = {
  nodes: [{ doubt: 400 }, {}, { doubt: 100 }, {}],
  edges: [{ doubt: 300 }, {}, {}, { doubt: 200 }],
};

test("the least sure parts are marked, a share of all parts", () => {
  assert.deepEqual(doubtsOf(withShare(PARTS, 25)), [100, 200]);
  assert.deepEqual(doubtsOf(withShare(PARTS, 10)), [100]);
  assert.deepEqual(doubtsOf(withShare(PARTS, 0)), []);
  assert.equal(withShare(PARTS, 100), PARTS);
});

test("what was sent stays as it is", () => {
  withShare(PARTS, 0);
  assert.equal(doubtsOf(PARTS).length, 4);
});

test("the switch leads through all shares and back", () => {
  const seen = [25];
  while (seen.length < 5) seen.push(shareAfter(seen.at(-1)));
  assert.deepEqual(seen, [25, 10, 100, 0, 25]);
  assert.equal(shareName(10), "least sure 10 %");
});
