// The beam as a tree and the heads as a grid: what leads where, and which weights are whose.

import assert from "node:assert/strict";
import { test } from "node:test";

import { actionsOf, leadsFrom, rowsAt, scoreText, windowAt } from "../../../app/canvas/trace/figures/search.js";
import { blockOf, headBeside, headName, weightsAt } from "../../../app/canvas/trace/figures/heads.js";

// Two hypotheses after step 3, of which the second has the best child; one row has no listed parent.
const BEAM = {
  first: 3,
  steps: [
    [[0, -100, -1, 0], [1, -2000, -1, 0]],
    [[2, -2100, 1, 0], [3, -2200, 0, 0], [4, -9000, -1, 2]],
    [[5, -2200, 0, 1]],
  ],
};

test("right leads to the best child, left to the parent, up and down stay within a step", () => {
  assert.deepEqual(leadsFrom(BEAM, [3, 1], "ArrowRight"), [4, 0]);
  assert.deepEqual(leadsFrom(BEAM, [3, 0], "ArrowRight"), [4, 1]);
  assert.deepEqual(leadsFrom(BEAM, [4, 0], "ArrowLeft"), [3, 1]);
  assert.deepEqual(leadsFrom(BEAM, [4, 0], "ArrowUp"), [4, 0]);
  assert.deepEqual(leadsFrom(BEAM, [4, 0], "End"), [4, 2]);
});

test("where there is no child, no parent or none that is listed, one stays", () => {
  assert.deepEqual(leadsFrom(BEAM, [5, 0], "ArrowRight"), [5, 0]);
  assert.deepEqual(leadsFrom(BEAM, [3, 0], "ArrowLeft"), [3, 0]);
  assert.deepEqual(leadsFrom(BEAM, [4, 2], "ArrowLeft"), [4, 2]);
  assert.deepEqual(rowsAt(BEAM, 2), []);
  assert.deepEqual(rowsAt(BEAM, 6), []);
});

test("a hypothesis took what its parents did and what was forced; where one is not listed, nobody knows", () => {
  const beam = { ...BEAM, actions: ["a", "b", "c", "d", "e", "f"].map((bare) => [bare, bare.toUpperCase()]) };
  const trace = { texts: ["x", "y"], steps: { action: [0, 0, 0], shown: [1, 1, 1] } };
  const forced = [["x", "y"], ["x", "y"], ["x", "y"]];
  assert.deepEqual(actionsOf(beam, trace, [5, 0]), [...forced, ["b", "B"], ["c", "C"], ["f", "F"]]);
  assert.equal(actionsOf(beam, trace, [4, 2]), null);
  assert.equal(actionsOf(beam, trace, [9, 0]), null);
});

test("the window holds the step as its last column but one, and never leaves the search", () => {
  assert.equal(windowAt({ first: 0, steps: Array(20) }, 10, 5), 7);
  assert.equal(windowAt({ first: 0, steps: Array(20) }, 20, 5), 15);
  assert.equal(windowAt({ first: 4, steps: Array(20) }, 0, 5), 4);
  assert.equal(windowAt({ first: 0, steps: Array(2) }, 1, 2), 0);
});

test("a score keeps its sign", () => {
  assert.equal(scoreText(-3375), "−3.375");
  assert.equal(scoreText(0), "0.000");
});

const TOKENS = { over: "tokens", first: 0, layers: 2, heads: 2, kept: 2, names: ["cursor", "", "", ""],
  weights: ["000A0000".repeat(4), ""] };
const ACTIONS = { ...TOKENS, over: "actions", first: -1, names: ["", "", "", "pointer"] };

test("a head is found in its block, by its number over all blocks", () => {
  assert.equal(blockOf(null, -1), null);
  assert.equal(blockOf([TOKENS, ACTIONS], -1), null);
  assert.deepEqual(blockOf([TOKENS, ACTIONS], 7), { block: ACTIONS, place: 3 });
  assert.equal(blockOf([TOKENS, ACTIONS], 8), null);
  assert.equal(headName(ACTIONS, 3), "layer 1, head 1 (pointer)");
  assert.equal(headName(TOKENS, 1), "layer 0, head 1");
});

test("weights of actions begin before the first, and what was cut to nothing is left out", () => {
  assert.deepEqual(weightsAt(TOKENS, 3, 0), [[0, 10]]);
  assert.deepEqual(weightsAt(ACTIONS, 3, 0), [[-1, 10]]);
  assert.deepEqual(weightsAt(TOKENS, 0, 1), []);
});

test("arrows go from picture to picture and stay in the grid", () => {
  assert.equal(headBeside(TOKENS, 0, "ArrowRight"), 1);
  assert.equal(headBeside(TOKENS, 1, "ArrowRight"), 1);
  assert.equal(headBeside(TOKENS, 1, "ArrowDown"), 3);
  assert.equal(headBeside(TOKENS, 3, "Home"), 2);
  assert.equal(headBeside(TOKENS, 3, "g"), null);
});
