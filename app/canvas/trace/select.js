// Selecting: a token, node, edge or triple marks all that belongs together, whatever was
// clicked; nothing is fetched and nothing moves.

import { say } from "../shared/elements.js";
import { edgeName, nameOf } from "../shared/parts.js";
import { drawFoldButton } from "./fold.js";
import { go } from "./step.js";

export function buildLinks(view) {
  const { trace } = view;
  view.incident = trace.nodes.map(() => []);
  trace.edges.forEach((edge, place) => {
    view.incident[edge.source].push(place);
    if (edge.target !== edge.source) view.incident[edge.target].push(place);
  });
  const byName = new Map(trace.nodes.map((node, place) => [node.name, place]));
  const edgesBy = new Map();
  trace.edges.forEach((edge, place) => {
    const target = trace.nodes[edge.target];
    const shown = target.constant && !edge.repair ? target.label : target.name;
    const key = tripleKey(edge.step, trace.nodes[edge.source].name, edge.role, shown);
    edgesBy.set(key, [...(edgesBy.get(key) || []), place]);
  });
  // What each line of the list of triples stands for: a node or an edge.
  view.tripleParts = trace.triples.map(([step, source, role, target]) => {
    const edges = edgesBy.get(tripleKey(step, source, role, target));
    return edges && edges.length
      ? { kind: "edge", place: edges.shift() }
      : { kind: "node", place: byName.get(source) };
  });
  view.picked = null;
  drawPicked(view);
}

function tripleKey(...parts) {
  return JSON.stringify(parts);
}

export function pick(view, picked) {
  const isAgain = view.picked && picked && view.picked.kind === picked.kind
    && view.picked.place === picked.place;
  view.picked = isAgain ? null : picked;
  drawPicked(view);
}

// Gives everything that belongs to what was picked.
function belongings(view, picked) {
  const all = { node: new Set(), edge: new Set(), token: new Set(), step: new Set() };
  if (!picked) return all;
  const part = picked.kind === "triple" ? view.tripleParts[picked.place] : picked;
  if (part.kind === "edge") {
    all.edge.add(part.place);
    all.step.add(view.trace.edges[part.place].step);
  }
  if (part.kind === "node") addNode(view, all, part.place);
  if (part.kind === "token") {
    all.token.add(part.place);
    for (const node of nodesAt(view, part.place)) addNode(view, all, node);
  }
  return all;
}

function addNode(view, all, place) {
  const { start, cursor } = view.trace.steps;
  const { step } = view.trace.nodes[place];
  all.node.add(place);
  all.step.add(step);
  for (let token = start[step]; token <= cursor[step]; token += 1) all.token.add(token);
}

// Nodes were made at the tokens that were under the cursor.
function nodesAt(view, token) {
  const { start, cursor } = view.trace.steps;
  return view.trace.nodes.flatMap(({ step }, place) =>
    start[step] <= token && token <= cursor[step] ? [place] : [],
  );
}

export function drawPicked(view) {
  const all = belongings(view, view.picked);
  const marked = (part) => all[part.kind].has(part.place);
  const mark = (element, isMarked) => element.classList.toggle("selected", isMarked);
  view.tokens.forEach((token, place) => mark(token, all.token.has(place)));
  view.jumps.forEach((jump, place) => mark(jump, all.step.has(place)));
  view.triples.forEach((entry, place) => mark(entry, marked(view.tripleParts[place])));
  for (const [kind, groups] of [["node", view.nodes], ["edge", view.edges]]) {
    groups.forEach((group, place) => {
      mark(group, all[kind].has(place));
      group.setAttribute("aria-pressed", String(all[kind].has(place)));
    });
  }
  const step = Math.min(...all.step);
  say(view.find(".picked-text"), describePicked(view, all));
  const jump = view.find(".picked-jump");
  jump.hidden = !all.step.size;
  jump.dataset.step = String(step);
  say(jump, `Go to action ${step}`);
  view.find(".picked-clear").hidden = !view.picked;
  drawFoldButton(view, view.find(".picked-fold"));
}

function describePicked(view, all) {
  const { trace, picked } = view;
  if (!picked) return "Click a token, node, edge or triple to see what belongs together.";
  if (picked.kind === "token" && !all.node.size) {
    return `“${view.words[picked.place]}”: nothing was made here.`;
  }
  const nodes = [...all.node].map((place) => nameOf(trace.nodes[place]));
  const edges = [...all.edge].map((place) => edgeName(trace, trace.edges[place]));
  const words = [...all.token].sort((a, b) => a - b).map((place) => view.words[place]);
  const at = words.length ? ` at “${words.join(" ")}”` : "";
  const steps = [...all.step].sort((a, b) => a - b).join(", ");
  return `${[...nodes, ...edges].join(", ")}: made${at} by action ${steps}`;
}

// The node that was picked, or that a picked triple names; -1 where it is something else.
export function pickedNode(view) {
  if (!view.picked) return -1;
  const isTriple = view.picked.kind === "triple";
  const part = isTriple ? view.tripleParts[view.picked.place] : view.picked;
  return part.kind === "node" ? part.place : -1;
}

export function goToPicked(view) {
  const { step } = belongings(view, view.picked);
  if (step.size) go(view, Math.min(...step));
}
