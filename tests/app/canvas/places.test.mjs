// Parts of a graph that is edited: the way through them, names, and what is nearest.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  choosePart, describePart, doubtful, keyOf, lineOf, nameAt, nearestPart, nextPart, partOf, walkThrough,
} from "../../../app/canvas/editor/places.js";

// (w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b)), as the page sends it.
const GRAPH = {
  nodes: [
    { name: "w", label: "want-01", root: true },
    { name: "b", label: "boy" },
    { name: "g", label: "go-02", doubt: 400 },
  ],
  edges: [
    { source: 0, role: ":ARG0", target: 1, ends: ["w", ":ARG0", "b"] },
    { source: 0, role: ":ARG1", target: 2, ends: ["w", ":ARG1", "g"] },
    { source: 2, role: ":ARG0", target: 1, ends: ["g", ":ARG0", "b"], doubt: 300 },
  ],
};
const LINES = [
  { depth: 0, edge: -1, node: 0, to: 0 },
  { depth: 1, edge: 0, node: 1, to: 1 },
  { depth: 1, edge: 1, node: 2, to: 2 },
  { depth: 2, edge: 2, node: -1, to: 1 },
];
const WALK = walkThrough(LINES);
const node = (place) => ({ kind: "node", place });
const edge = (place) => ({ kind: "edge", place });

test("the way goes through the graph as it is written, each node once", () => {
  assert.deepEqual(WALK.order.map(keyOf), ["node:0", "edge:0", "node:1", "edge:1", "node:2", "edge:2"]);
});

test("left leads up and right leads down the graph, over the edges", () => {
  assert.deepEqual(nextPart(WALK, node(2), "ArrowLeft", false), edge(1));
  assert.deepEqual(nextPart(WALK, edge(1), "ArrowLeft", false), node(0));
  assert.deepEqual(nextPart(WALK, node(0), "ArrowRight", false), edge(0));
  assert.deepEqual(nextPart(WALK, edge(2), "ArrowRight", false), node(1));
  assert.equal(nextPart(WALK, node(0), "ArrowLeft", false), undefined);
});

test("up and down lead to the same kind in the drawing, and to the next line in the list", () => {
  assert.deepEqual(nextPart(WALK, node(1), "ArrowDown", false), node(2));
  assert.deepEqual(nextPart(WALK, node(1), "ArrowDown", true), edge(1));
  assert.deepEqual(nextPart(WALK, edge(1), "ArrowUp", false), edge(0));
  assert.equal(nextPart(WALK, node(2), "ArrowDown", false), undefined);
  assert.deepEqual(nextPart(WALK, node(2), "Home", false), node(0));
  assert.deepEqual(nextPart(WALK, node(0), "End", false), edge(2));
});

test("a part is found again by its name, wherever it stands by then", () => {
  for (const part of WALK.order) assert.deepEqual(partOf(GRAPH, nameAt(GRAPH, part)), part);
  assert.equal(partOf(GRAPH, { kind: "node", id: "x" }), null);
  assert.equal(partOf(GRAPH, null), null);
});

test("what is chosen knows the node above it", () => {
  const { id, parent } = choosePart(GRAPH, WALK, node(2));
  assert.deepEqual([id, parent], ["g", "w"]);
  assert.equal(choosePart(GRAPH, WALK, edge(2)).parent, "g");
  assert.equal(choosePart(GRAPH, WALK, node(0)).parent, "");
});

test("a node that is gone leads to its parent, and where that is gone too to the root", () => {
  const gone = { kind: "node", place: 9, id: "x", ends: ["", "", ""] };
  assert.deepEqual(nearestPart(GRAPH, { ...gone, parent: "g" }), node(2));
  assert.deepEqual(nearestPart(GRAPH, { ...gone, parent: "y" }), node(0));
  assert.deepEqual(nearestPart(GRAPH, null), node(0));
});

test("an edge that is gone leads to one of the same nodes, of one and the role, or to its source", () => {
  const was = (ends) => ({ kind: "edge", place: 9, id: ends[0], ends, parent: "" });
  assert.deepEqual(nearestPart(GRAPH, was(["w", ":mod", "g"])), edge(1));
  assert.deepEqual(nearestPart(GRAPH, was(["w", ":ARG1", "x"])), edge(1));
  assert.deepEqual(nearestPart(GRAPH, was(["g", ":time", "x"])), node(2));
});

test("parts are described, found in the list and told to be doubtful", () => {
  assert.equal(describePart(GRAPH, node(0)), "w / want-01");
  assert.equal(describePart(GRAPH, edge(2)), "go-02 :ARG0 boy");
  assert.equal(lineOf(LINES, edge(2)), 3);
  assert.equal(lineOf(LINES, node(1)), 1);
  assert.deepEqual(doubtful(GRAPH, WALK).map(keyOf), ["node:2", "edge:2"]);
});
