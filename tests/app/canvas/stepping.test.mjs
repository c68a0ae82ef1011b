// Steps of a trace: where one stands, what belongs together, marks, an exercise's choices.

import assert from "node:assert/strict";
import { test } from "node:test";

import { canUndo, wordsWith } from "../../../app/canvas/aligner/align.js";
import { answerOf } from "../../../app/canvas/editor/typing/prompt.js";
import { lessonAfter, tellEnd } from "../../../app/canvas/exercise/course.js";
import { chosenAfter, chosenBefore } from "../../../app/canvas/exercise/drill.js";
import { nextMark } from "../../../app/canvas/exercise/marks.js";
import { incidentEdges } from "../../../app/canvas/shared/graph.js";
import { neighbourhood, scrolled } from "../../../app/canvas/shared/stage.js";
import { takeLeft } from "../../../app/canvas/trace/leaving.js";
import { belongings, describeLinks, partsOfTriples } from "../../../app/canvas/trace/links.js";
import { go, reportNow } from "../../../app/canvas/trace/step.js";
import { meaningOf } from "../../../app/canvas/trace/tips.js";
import { actionAt, clamp, lastStep, momentText, reasonsAt } from "../../../app/canvas/trace/view.js";
import { choices, exampleOf } from "../../../app/canvas/trace/whatif.js";

// "She left": COPY(lemma), SHIFT, PRED(leave-15), LA(0, :ARG0).
const TRACE = {
  texts: ["COPY(lemma)", "SHIFT", "PRED(leave-15)", "LA(0, :ARG0)", "there is one node only"],
  kinds: ["SHIFT", "LA"],
  rules: [[-1, 4], [-1, -1]],
  steps: { action: [0, 1, 2, 3], legal: [0, 0, 0, 1, 0], start: [0, 0, 1, 1, 1], cursor: [0, 0, 1, 1, 1] },
  nodes: [{ step: 1, name: "s", label: "she" }, { step: 3, name: "l", label: "leave-15" }],
  edges: [{ step: 4, source: 1, role: ":ARG0", target: 0 }],
  triples: [[1, "s", ":instance", "she", 0], [3, "l", ":instance", "leave-15", 0], [4, "l", ":ARG0", "s", 0]],
};
const WORDS = ["She", "left", "<ROOT>"];
const placesOf = (all) => Object.fromEntries(Object.entries(all).map(([kind, places]) => [kind, [...places]]));

test("a moment before the start is the start, one after the end is the end", () => {
  assert.equal(clamp(TRACE, -3), 0);
  assert.equal(clamp(TRACE, 2), 2);
  assert.equal(clamp(TRACE, 99), 4);
  assert.equal(lastStep({ steps: { action: [] } }), 0);
  assert.equal(actionAt(TRACE, 2), "PRED(leave-15)"); // the one to come
  assert.equal(actionAt(TRACE, 4), "");
});

test("moments are counted by the actions before them", () => {
  assert.equal(momentText(0, 27), "After 0 of 27 actions");
  assert.equal(momentText(1, 1), "After 1 of 1 action");
});

test("who aligned can undo before the page has taken it", () => {
  const box = (...kinds) => ({ messages: kinds.map((kind) => ({ kind })) });
  assert.equal(canUndo({ box: box(), graph: { canUndo: false } }), false);
  assert.equal(canUndo({ box: box("undo"), graph: { canUndo: false } }), false);
  assert.equal(canUndo({ box: box("align"), graph: { canUndo: false } }), true);
  assert.equal(canUndo({ box: box(), graph: { canUndo: true } }), true);
});

test("where one stands is told after a pause, at once to who turns away, and not twice", ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.requestAnimationFrame = () => 1;
  const told = [];
  const view = { trace: { ...TRACE, key: "k" }, step: 0, timer: 0, playing: 0, report: (at) => told.push(at) };
  go(view, 2);
  reportNow(view);
  assert.deepEqual(told, [{ key: "k", step: 2, asked: 0 }]);
  reportNow(view);
  mock.timers.tick(1000);
  assert.equal(told.length, 1);
  view.asking = { box: { number: 4 } };
  go(view, 3);
  mock.timers.tick(1000);
  assert.deepEqual(told[1], { key: "k", step: 3, asked: 4 });
});

test("what may be typed instead is legal at this moment, and written as it is read", () => {
  const texts = [...TRACE.texts, "RA(0, :mod)", "RA → she :mod leave-15"];
  const trace = { ...TRACE, texts, steps: { ...TRACE.steps, others: [[], [], [], [[5, 200, 6]], []] } };
  assert.deepEqual(choices({ trace, step: 3 }), ["RA → she :mod leave-15", "SHIFT"]);
  assert.equal(exampleOf(choices({ trace, step: 3 })), ", such as RA → she :mod leave-15");
  assert.deepEqual(choices({ trace, step: 4 }), []);
  assert.equal(exampleOf([]), "");
});

test("the moment at which a trace was left is taken once, under its address and key", () => {
  const kept = { "aptamr.trace.left": JSON.stringify({ href: "http://a/?step=1", key: "k", step: 7 }) };
  globalThis.sessionStorage = { getItem: (name) => kept[name] ?? null };
  globalThis.location = { href: "http://a/?step=1" };
  assert.equal(takeLeft("other"), null);
  assert.equal(takeLeft("k"), 7);
  assert.equal(takeLeft("k"), null);
  delete globalThis.sessionStorage;
  delete globalThis.location;
});

test("a kind that is not legal has the reason, one that is has none", () => {
  assert.deepEqual([...reasonsAt(TRACE, 0)], [["SHIFT", ""], ["LA", "there is one node only"]]);
  assert.equal(reasonsAt(TRACE, 3).get("LA"), "");
});

test("each triple stands for a node or an edge", () => {
  assert.deepEqual(partsOfTriples(TRACE),
    [{ kind: "node", place: 0 }, { kind: "node", place: 1 }, { kind: "edge", place: 0 }]);
});

test("a token belongs to the nodes made at it, a node to its tokens and its action", () => {
  const left = { node: [1], edge: [], token: [1], step: [3] };
  assert.deepEqual(placesOf(belongings(TRACE, { kind: "token", place: 1 })), left);
  assert.deepEqual(placesOf(belongings(TRACE, { kind: "node", place: 1 })), left);
  const made = { node: [], edge: [0], token: [], step: [4] };
  assert.deepEqual(placesOf(belongings(TRACE, { kind: "edge", place: 0 })), made);
});

test("what belongs together is said in words", () => {
  const said = (part) => describeLinks(TRACE, WORDS, part, belongings(TRACE, part));
  assert.equal(said({ kind: "node", place: 1 }), "l / leave-15: made at “left” by action 2");
  assert.equal(said({ kind: "edge", place: 0 }), "leave-15 :ARG0 she: made by action 3");
  assert.equal(said({ kind: "token", place: 2 }), "“<ROOT>”: nothing was made here.");
  assert.match(said(null), /^Click a token/);
});

test("marks go round: after the last comes the first", () => {
  assert.equal(nextMark([2, 5, 9], 5, 1), 9);
  assert.equal(nextMark([2, 5, 9], 9, 1), 2);
  assert.equal(nextMark([2, 5, 9], 4, -1), 2);
  assert.equal(nextMark([2, 5, 9], 2, -1), 9);
  assert.equal(nextMark([], 2, 1), undefined);
});

test("undo and redo of an exercise stop where the learner chose", () => {
  const own = [1, 0, 0, 1, 0];
  assert.equal(chosenBefore(own, 4), 3);
  assert.equal(chosenBefore(own, 3), 0);
  assert.equal(chosenBefore([0, 0], 1), 0);
  assert.equal(chosenAfter(own, 0), 3);
  assert.equal(chosenAfter(own, 3), 5);
});

const COURSE = { course: [["copy", "Copy"], ["edges", "Edges"], ["root", "Root"]], here: "root", chosen: true };

test("a lesson leads to the next of its set, the last to none", () => {
  assert.deepEqual(lessonAfter({ ...COURSE, here: "copy" }), ["edges", "Edges"]);
  assert.equal(lessonAfter(COURSE), undefined);
  assert.equal(lessonAfter({ ...COURSE, here: "" }), undefined);
});

test("the end of a set is said, with what is left of it", () => {
  assert.equal(tellEnd(COURSE, new Set(["copy"])),
    "This was the last lesson of the set. Not finished yet: 2. Edges.");
  assert.equal(tellEnd({ ...COURSE, chosen: false }, new Set(["copy", "edges", "old"])),
    "This was the last lesson: all are finished.");
  assert.equal(tellEnd({ ...COURSE, here: "" }, new Set()), "");
});

test("the neighbourhood of a node is its edges and their ends, of an edge its ends", () => {
  const pairs = [[0, 1], [1, 2], [2, 2]].map(([source, target]) => ({ source, target }));
  const incident = incidentEdges(3, pairs);
  assert.deepEqual(incident, [[0], [0, 1], [1, 2]]);
  const around = (kind, place) => {
    const found = neighbourhood({ graph: { edges: pairs }, incident }, { kind, place });
    return found && [[...found.nodes].sort(), [...found.edges]];
  };
  assert.deepEqual(around("node", 0), [[0, 1], [0]]);
  assert.deepEqual(around("edge", 1), [[1, 2], [1]]);
  assert.equal(around("token", 0), null);
});

test("a window moves only to what lies outside it, to its middle, or to the start of what is too long", () => {
  assert.equal(scrolled(100, 50, 110, 140), 100);
  assert.equal(scrolled(0, 50, 110, 130), 95);
  assert.equal(scrolled(0, 50, 100, 200), 88);
});

test("a word takes the place of the words of an item; with Shift it is added or taken away", () => {
  assert.deepEqual(wordsWith([3], 1, false), [1]);
  assert.equal(wordsWith([3], 3, false), null);
  assert.deepEqual(wordsWith([3, 10], 1, true), [1, 3, 10]);
  assert.deepEqual(wordsWith([1, 3], 3, true), [1]);
});

test("a field takes the completion that is shown, or lets the page complete what is typed", () => {
  const asks = { kind: "concept" };
  const shown = { asks, isTyped: true, isAnswered: true };
  assert.deepEqual(answerOf(shown, "w", "want-01", false), { text: "want-01", typed: false });
  assert.deepEqual(answerOf(shown, "w", undefined, true), { text: "w", typed: false });
  assert.deepEqual(answerOf({ asks, isTyped: true, isAnswered: false }, "w", undefined, false),
    { text: "w", typed: true });
  assert.deepEqual(answerOf({ asks, isTyped: false, isAnswered: false }, "boy", undefined, false),
    { text: "boy", typed: false });
  assert.equal(answerOf(shown, "", undefined, false), null);
  assert.deepEqual(answerOf({ mayBeEmpty: true }, "", undefined, false), { text: "", typed: false });
});

test("a kind of action has its own meaning, or that of its family", () => {
  const terms = { "COPY(lemma)": "the plain form", "COPY": "a copy", "LA": "left" };
  assert.equal(meaningOf(terms, "COPY(lemma)"), "the plain form");
  assert.equal(meaningOf(terms, "COPY(place)"), "a copy");
  assert.equal(meaningOf(terms, "JUMP"), "");
});
