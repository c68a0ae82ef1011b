// Builds everything that a trace draws, once, when it arrives.

import { fill, make, shape } from "../shared/elements.js";
import { buildEdge, buildNode, edgeName, nameOf, pickable } from "../shared/parts.js";
import { scale } from "../shared/stage.js";
import { buildBeam } from "./beam.js";
import { draw } from "./draw.js";
import { buildFolds } from "./fold.js";
import { buildHeads } from "./heads.js";
import { pause } from "./play.js";
import { buildPointer } from "./pointer.js";
import { buildRovers } from "./rove.js";
import { buildLinks } from "./select.js";
import { clamp } from "./step.js";
import { unpackTrace } from "./unpack.js";

export function load(view, packed) {
  pause(view);
  const trace = unpackTrace(packed);
  view.trace = trace;
  view.zoom = null;
  view.byStep = labelsByStep(trace);
  buildTokens(view);
  buildActions(view);
  buildGraph(view);
  buildShares(view);
  buildLegal(view);
  buildHeads(view);
  buildBeam(view);
  buildTriples(view);
  buildFolds(view);
  buildLinks(view);
  buildRovers(view);
  fill(view.find(".repairs"), trace.repairs, (text) => make("li", "", text));
  view.find(".penman").textContent = trace.penman;
  view.find(".cut").textContent = trace.cut;
  view.find(".slider").max = String(Math.max(0, trace.steps.action.length - 1));
  view.step = clamp(view, trace.start);
  scale(view);
  draw(view);
}

function labelsByStep(trace) {
  const labels = new Map();
  for (const node of trace.nodes) {
    if (!node.inside) labels.set(node.step, node.label);
  }
  return labels;
}

function buildTokens(view) {
  const tokens = [...view.trace.tokens, "<ROOT>"];
  view.words = tokens;
  fill(view.find(".tokens"), tokens, (text, position) => {
    const token = make("li", position === tokens.length - 1 ? "token end" : "token");
    const word = make("button", "word");
    word.type = "button";
    word.tabIndex = -1;
    word.dataset.pick = `token:${position}`;
    word.append(make("bdi", "", text));
    const bar = make("span", "bar");
    bar.setAttribute("aria-hidden", "true");
    token.append(word, bar);
    return token;
  });
  view.tokens = [...view.find(".tokens").children];
}

function buildActions(view) {
  fill(view.find(".actions"), view.trace.steps.action, (action, position) => {
    const entry = make("li", "");
    const button = make("button", "jump");
    button.type = "button";
    button.tabIndex = -1;
    button.dataset.step = String(position);
    button.title = view.trace.texts[action];
    button.append(
      make("span", "number", String(position)),
      make("bdi", "name", view.trace.texts[action]),
    );
    entry.append(button);
    return entry;
  });
  view.jumps = [...view.find(".actions").querySelectorAll("button")];
}

function buildGraph(view) {
  const { trace } = view;
  const margin = 14;
  const svg = shape("svg", {
    viewBox: `${-margin} ${-margin} ${trace.width + 2 * margin} ${trace.height + 2 * margin}`,
    role: "presentation",
    focusable: "false",
  });
  view.edges = trace.edges.map((edge, place) => pickable(
    buildEdge(edge), `edge:${place}`, `${edgeName(trace, edge)}, edge of action ${edge.step}`));
  view.nodes = trace.nodes.map((node, place) => pickable(
    buildNode(node), `node:${place}`, `${nameOf(node)}, node of action ${node.step}`));
  svg.append(buildPointer(view), ...view.edges, ...view.nodes);
  const empty = make("p", "empty", "Nothing has been made yet.");
  view.find(".stage").replaceChildren(svg, empty);
  view.svg = svg;
  view.empty = empty;
  view.size = [trace.width + 2 * margin, trace.height + 2 * margin, margin];
}

function buildShares(view) {
  const { others, pointer, attention } = view.trace.steps;
  const most = (column) => Math.max(0, ...column.map((entries) => entries.length));
  const counts = { chosen: 1, others: most(others), pointer: most(pointer) };
  counts.attention = Math.max(most(attention), view.trace.heads ? view.trace.heads.kept : 0);
  view.shares = {};
  for (const [name, count] of Object.entries(counts)) {
    fill(view.find(`.${name}`), Array.from({ length: count }), () => {
      const row = make("div", "share");
      const named = make("span", "name"); // a position, apart from what it names: that may run leftwards
      named.append(make("span", ""), make("bdi", ""));
      row.append(named, make("span", "value"), make("span", "bar"));
      return row;
    });
    view.shares[name] = [...view.find(`.${name}`).children];
  }
}

function buildLegal(view) {
  view.shownRule = null;
  fill(view.find(".legal"), view.trace.kinds, (kind) => {
    const entry = make("li", "");
    entry.append(make("span", "mark"), make("span", "kind", kind), make("span", "why"));
    return entry;
  });
  view.legal = [...view.find(".legal").children];
}

function buildTriples(view) {
  fill(view.find(".triples"), view.trace.triples, (triple, place) => {
    const [, source, role, target, repair] = triple;
    const entry = make("li", repair ? "repair" : "");
    const line = make("button", "line-of");
    line.type = "button";
    line.tabIndex = -1;
    line.dataset.pick = `triple:${place}`;
    line.append(make("bdi", "", source), " ", make("b", "", role), " ", make("bdi", "", target));
    if (repair) line.append(" ", make("i", "", "repair"));
    entry.append(line);
    return entry;
  });
  view.triples = [...view.find(".triples").children];
}
