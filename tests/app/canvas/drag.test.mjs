// What may be dragged in the drawing of a graph, where it may be dropped, and where the bar stands.

import assert from "node:assert/strict";
import { test } from "node:test";

import { dragOf, dropOf } from "../../../app/canvas/editor/drag.js";
import { placeOf, toolsOf } from "../../../app/canvas/editor/tools.js";

// (w / want-01 :ARG0 (b / boy) :polarity -), drawn from the top.
const GRAPH = {
  nodes: [
    { name: "w", label: "want-01", x: 100, y: 20, w: 60, h: 24 },
    { name: "b", label: "boy", x: 60, y: 120, w: 40, h: 24 },
    { name: "w.0", label: "-", constant: true, x: 140, y: 120, w: 20, h: 24 },
  ],
  edges: [
    { source: 0, role: ":ARG0", target: 1, ends: ["w", ":ARG0", "b"] },
    { source: 0, role: ":polarity", target: 2, ends: ["w", ":polarity", "w.0"] },
  ],
};
const node = (place) => ({ kind: "node", place });
const edge = (place) => ({ kind: "edge", place });

test("a node drags a new edge, and a constant or the empty stage nothing", () => {
  const { end, from, id, name } = dragOf(GRAPH, node(0), [110, 25]);
  assert.deepEqual([end, from, id, name], ["", [100, 20], "w", "w / want-01"]);
  assert.equal(dragOf(GRAPH, node(2), [140, 120]), null);
  assert.equal(dragOf(GRAPH, null, [0, 0]), null);
  assert.equal(dragOf(GRAPH, { kind: "token", place: 0 }, [0, 0]), null);
});

test("an edge is dragged by its nearer end, and the other one stays", () => {
  const below = dragOf(GRAPH, edge(0), [65, 95]);
  assert.deepEqual([below.end, below.id, below.from], ["target", "b", [100, 20]]);
  const above = dragOf(GRAPH, edge(0), [90, 45]);
  assert.deepEqual([above.end, above.id, above.from], ["source", "w", [60, 120]]);
});

test("the edge of a constant is dragged by its source alone", () => {
  assert.equal(dragOf(GRAPH, edge(1), [140, 105]).end, "source");
});

test("what is dragged is dropped on another node, and nowhere else", () => {
  const link = dragOf(GRAPH, node(0), [100, 20]);
  assert.deepEqual(dropOf(GRAPH, link, node(1)), { to: "b" });
  assert.equal(dropOf(GRAPH, link, node(0)), null);
  assert.equal(dropOf(GRAPH, link, null), null);
  assert.match(dropOf(GRAPH, link, node(2)).refusal, /joins nodes/);
  assert.match(dropOf(GRAPH, link, edge(0)).refusal, /on a node/);
});

test("an end that is dropped on its own edge or node stays where it was", () => {
  const move = dragOf(GRAPH, edge(0), [65, 95]);
  assert.equal(dropOf(GRAPH, move, edge(0)), null);
  assert.equal(dropOf(GRAPH, move, node(1)), null);
  assert.deepEqual(dropOf(GRAPH, move, node(0)), { to: "w" });
  assert.match(dropOf(GRAPH, move, edge(1)).refusal, /on a node/);
});

test("a part's bar has what can be done to it", () => {
  assert.deepEqual(toolsOf(GRAPH, edge(0)), ["rename", "delete", "reverse"]);
  assert.deepEqual(toolsOf(GRAPH, node(2)), ["rename", "delete"]);
  assert.ok(toolsOf(GRAPH, node(0)).includes("split"));
});

const box = (left, top, width, height) => ({ left, top, right: left + width, bottom: top + height });

test("the bar stands below its part, or at a side where it covers less", () => {
  const stage = box(0, 0, 600, 400);
  const part = box(280, 100, 40, 20);
  assert.deepEqual(placeOf(part, [100, 30], stage, []), [250, 128]);
  assert.deepEqual(placeOf(part, [100, 30], stage, [box(200, 130, 200, 20)]), [250, 62]);
});

test("the bar stays on the stage and never lies over its own part", () => {
  const stage = box(0, 0, 300, 60);
  const [left, top] = placeOf(box(0, 20, 40, 20), [100, 30], stage, [box(50, 0, 250, 60)]);
  assert.ok(left >= 40 && left + 100 <= 300 && top >= 0 && top + 30 <= 60);
});
