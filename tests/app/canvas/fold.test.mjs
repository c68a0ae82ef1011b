// Folding: what hangs on a node alone.

import assert from "node:assert/strict";
import { test } from "node:test";

import { hangingOn } from "../../../app/canvas/trace/fold.js";

function drawingOf(numNodes, pairs) {
  const incident = Array.from({ length: numNodes }, () => []);
  const edges = pairs.map(([source, target], place) => {
    incident[source].push(place);
    if (target !== source) incident[target].push(place);
    return { source, target };
  });
  return { graph: { edges }, incident };
}

test("a chain hangs on its top", () => {
  assert.deepEqual([...hangingOn(drawingOf(3, [[0, 1], [1, 2]]), 0)], [1, 2]);
});

test("what is reached from elsewhere too does not hang on a node, nor does what hangs on that", () => {
  const drawing = drawingOf(5, [[0, 1], [0, 2], [1, 3], [2, 3], [3, 4]]);
  assert.deepEqual([...hangingOn(drawing, 1)], []);
  assert.deepEqual([...hangingOn(drawing, 3)], [4]);
  assert.deepEqual([...hangingOn(drawing, 0)].sort(), [1, 2, 3, 4]);
});

test("a node with a loop, and a circle back to it, are no trouble", () => {
  const drawing = drawingOf(3, [[0, 0], [0, 1], [1, 2], [2, 0]]);
  assert.deepEqual([...hangingOn(drawing, 0)].sort(), [1, 2]);
});
