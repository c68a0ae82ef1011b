// Builds everything that a trace draws, once, when it arrives.

import { childrenOf, fill, make, makeButton } from "../shared/elements.js";
import { edgeName, nameOf } from "../shared/graph.js";
import { newDrawing, scale } from "../shared/stage.js";
import { draw } from "./draw.js";
import { buildBeam } from "./figures/beam.js";
import { buildHeads } from "./figures/heads.js";
import { nothingOpened } from "./figures/opened.js";
import { buildPointer } from "./figures/pointer.js";
import { buildShares } from "./figures/shares.js";
import { partsOfTriples } from "./links.js";
import { buildRovers } from "./rove.js";
import { setPicked } from "./select.js";
import { pause } from "./step.js";
import { unpackTrace } from "./unpack.js";
import { actionAt, clamp, lastStep, shownAt } from "./view.js";

/** @param {View} view @param {PackedTrace} packed */
export function load(view, packed) {
  pause(view);
  const trace = unpackTrace(packed);
  view.trace = trace;
  view.opened = nothingOpened();
  buildTokens(view);
  buildActions(view);
  buildGraph(view);
  buildShares(view);
  buildLegal(view);
  buildHeads(view);
  buildBeam(view);
  for (const entry of childrenOf(view.find(".help dl"))) {
    if (entry.classList.contains("of-figures")) entry.hidden = !trace.holds?.length;
  }
  buildTriples(view);
  view.folds = new Set();
  view.hidden = new Set();
  view.tripleParts = partsOfTriples(trace);
  setPicked(view, null);
  buildRovers(view);
  fill(view.find(".repairs"), trace.repairs, (text) => make("li", "", text));
  view.find(".penman").textContent = trace.penman;
  view.find(".cut").textContent = trace.cut;
  view.find(".slider", "input").max = String(lastStep(trace));
  view.step = clamp(trace, trace.start);
  scale(view.drawing);
  draw(view);
}

/** @param {View} view */
function buildTokens(view) {
  const list = view.find(".tokens");
  view.words = [...view.trace.tokens, "<ROOT>"];
  const end = view.words.length - 1;
  fill(list, view.words, (text, position) => make("li", position === end ? "token end" : "token",
    makeButton("word", { tabindex: -1, "data-pick": `token:${position}` }, make("bdi", "", text)),
    make("span", "bar", { "aria-hidden": "true" })));
  view.tokens = childrenOf(list);
}

/** @param {View} view */
function buildActions(view) {
  const list = view.find(".actions");
  const { trace } = view;
  // An entry a moment: what leads to it. The start has no action.
  fill(list, ["", ...trace.steps.action], (action, step) => make("li", "",
    makeButton("jump", { tabindex: -1, "data-step": step, title: step ? actionAt(trace, step - 1) : "" },
      make("span", "number", step ? String(step - 1) : ""),
      make("bdi", "name", step ? shownAt(trace, step - 1) : "start"))));
  view.jumps = [...list.querySelectorAll("button")];
}

/** @param {View} view */
function buildGraph(view) {
  const { trace } = view;
  view.drawing = newDrawing(view.find(".stage"), trace, {
    margin: 14,
    zoom: null,
    nodeLabel: (place) => `${nameOf(trace.nodes[place])}, node of action ${trace.nodes[place].step - 1}`,
    edgeLabel: (place) => `${edgeName(trace, trace.edges[place])}, edge of action ${trace.edges[place].step - 1}`,
  });
  view.drawing.stage.append(make("p", "empty", "Nothing has been made yet."));
  buildPointer(view);
}

/** @param {View} view */
function buildLegal(view) {
  const list = view.find(".legal");
  view.shownRule = null;
  fill(list, view.trace.kinds, (kind) =>
    make("li", "", make("span", "mark"), make("span", "kind", kind), make("span", "why")));
  view.legal = childrenOf(list);
}

/** @param {View} view */
function buildTriples(view) {
  const list = view.find(".triples");
  fill(list, view.trace.triples, ([, source, role, target, repair], place) => make("li", repair ? "repair" : "",
    makeButton("line-of", { tabindex: -1, "data-pick": `triple:${place}` },
      make("bdi", "", source), " ", make("b", "", role), " ", make("bdi", "", target),
      ...(repair ? [" ", make("i", "", "repair")] : []))));
  view.triples = childrenOf(list);
}
