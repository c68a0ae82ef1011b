// Draws the graph, the tokens and the list of triples, and keeps the focus on what it was on.

import { focusLine, focusWord } from "./keys.js";
import { drawSaved } from "./outbox.js";
import { drawReading, markNamed } from "./reading.js";
import { drawDoubts, partData } from "./side.js";
import { isWriting } from "./text.js";
import { fill, make, say, shape } from "../shared/elements.js";
import { decimals, shortDecimals } from "../shared/numbers.js";
import { buildEdge, buildNode, edgeName, nameOf, pickable } from "../shared/parts.js";
import { keepInView, scale, scrollTo } from "../shared/stage.js";

const ABOVE_EDITOR = 150; // pixels of the page above the editor, and a margin below it
const LOWEST = 400; // pixels of the drawing in the lowest window

export function buildEditor(view, hadFocus) {
  const { data } = view;
  const wordAt = Number(view.root.getRootNode().activeElement?.dataset.token ?? 0);
  view.trace = { nodes: data.nodes, edges: data.edges };
  view.incident = data.nodes.map(() => []);
  data.edges.forEach((edge, place) => {
    view.incident[edge.source].push(place);
    if (edge.target !== edge.source) view.incident[edge.target].push(place);
  });
  buildDrawing(view);
  buildWords(view);
  buildLines(view);
  orderParts(view);
  if (data.focus && data.focus.number !== view.focusedFor) {
    view.focusedFor = data.focus.number;
    const part = partOf(view, data.focus.part);
    if (part) view.at = choosePart(view, part);
  }
  view.at = standAt(view, view.at);
  scale(view);
  if (hadFocus === "tokens") focusWord(view, Math.min(wordAt, data.tokens.length - 1));
  if (hadFocus === "stage") focusAt(view);
  else if (hadFocus === "lines") focusLine(view);
  bringIntoView(view);
}

// Where the focus is, of what will be built anew.
export function focusPlace(view) {
  const focused = view.root.getRootNode().activeElement;
  return [".stage", ".lines", ".tokens"].find((part) => view.find(part).contains(focused))?.slice(1);
}

function buildDrawing(view) {
  const { data } = view;
  const margin = 30; // room for the numbers beside the boxes
  const box = [-margin, -margin, data.width + 2 * margin, data.height + 2 * margin];
  const svg = shape("svg", { viewBox: box.join(" "), role: "presentation", focusable: "false" });
  view.edges = data.edges.map((edge, place) => {
    const group = pickable(buildEdge(edge), `edge:${place}`, speakEdge(view, edge));
    markPart(group, edge);
    if (edge.doubt !== undefined) {
      group.append(shape("text", { x: edge.label[0], y: edge.label[1] + 13, class: "chance" },
        shortDecimals(edge.doubt)));
    }
    return group;
  });
  view.nodes = data.nodes.map((node, place) => {
    const group = pickable(buildNode(node), `node:${place}`, speakNode(view, node));
    markPart(group, node);
    group.classList.toggle("root", Boolean(node.root));
    if (node.doubt !== undefined) {
      say(group.querySelector(".weight"), shortDecimals(node.doubt));
    }
    return group;
  });
  svg.append(...view.edges, ...view.nodes);
  view.find(".stage").replaceChildren(svg);
  view.svg = svg;
  view.size = [data.width + 2 * margin, data.height + 2 * margin, margin];
}

function markPart(group, part) {
  group.classList.toggle("doubted", part.doubt !== undefined);
  group.classList.toggle("confirmed", Boolean(part.confirmed));
  group.classList.toggle("changed", Boolean(part.changed));
  group.classList.toggle("faulty", Boolean(part.problem));
}

function speakNode(view, node) {
  const words = node.tokens.map((token) => view.data.tokens[token]).join(" ");
  return [
    node.root ? `root ${nameOf(node)}` : nameOf(node),
    words ? `stands for ${words}` : "stands for no word",
    ...speakMarks(node),
  ].join(", ");
}

function speakEdge(view, edge) {
  return [edgeName(view.trace, edge), ...speakMarks(edge)].join(", ");
}

function speakMarks(part) {
  const marks = [];
  if (part.doubt !== undefined) marks.push(`doubtful, probability ${decimals(part.doubt)}`);
  if (part.confirmed) marks.push("confirmed");
  if (part.changed) marks.push("changed by a person");
  if (part.problem) marks.push("has a problem");
  return marks;
}

function buildWords(view) {
  fill(view.find(".tokens"), view.data.tokens, (text, place) => {
    const token = make("li", "token");
    const word = make("button", "word");
    word.type = "button";
    word.tabIndex = place ? -1 : 0;
    word.dataset.token = String(place);
    word.append(make("bdi", "", text));
    token.append(word);
    return token;
  });
  view.tokens = [...view.find(".tokens").children];
}

function buildLines(view) {
  fill(view.find(".lines"), view.data.lines, (line, place) => {
    const entry = make("li", "");
    const button = make("button", "line-of");
    button.type = "button";
    button.tabIndex = place ? -1 : 0;
    button.dataset.line = String(place);
    button.style.setProperty("--depth", String(Math.min(line.depth, 12)));
    if (line.role) button.append(make("b", "", line.role), " ");
    button.append(make("bdi", "", line.text));
    entry.append(button);
    return entry;
  });
  view.lines = [...view.find(".lines").children];
}

// The order in which the arrows go through nodes and edges: as the graph is written.
function orderParts(view) {
  const order = [];
  view.above = new Map();
  view.below = new Map();
  const stack = [];
  for (const line of view.data.lines) {
    stack.length = line.depth;
    const parent = stack.at(-1);
    if (line.edge >= 0) {
      order.push({ kind: "edge", place: line.edge });
      view.above.set(`edge:${line.edge}`, parent);
      view.below.set(`edge:${line.edge}`, { kind: "node", place: line.to });
      if (parent && !view.below.has(keyOf(parent))) view.below.set(keyOf(parent), order.at(-1));
    }
    const node = { kind: "node", place: line.to };
    if (line.node >= 0) {
      if (line.edge >= 0) view.above.set(keyOf(node), { kind: "edge", place: line.edge });
      order.push(node);
    }
    stack.push(node);
  }
  view.order = order;
}

export function keyOf(part) {
  return `${part.kind}:${part.place}`;
}

// --- what is chosen ---------------------------------------------------------------------

// A part is remembered by its names, because places change with every edit.
export function nameAt(view, part) {
  if (part.kind === "edge") return { kind: "edge", ends: view.data.edges[part.place].ends };
  return { kind: "node", id: view.data.nodes[part.place].name };
}

export function partOf(view, name) {
  if (!name) return null;
  const { nodes, edges } = view.data;
  const place = name.kind === "edge"
    ? edges.findIndex((edge) => edge.ends.join("\n") === name.ends.join("\n"))
    : nodes.findIndex((node) => node.name === name.id);
  return place < 0 ? null : { ...name, place };
}

// Where the choice was, or the nearest thing that is still there.
function standAt(view, at) {
  const found = partOf(view, at);
  if (found) return found;
  if (at && at.kind === "edge") {
    const [source, role, target] = at.ends;
    const { edges } = view.data;
    const same = edges.findIndex(({ ends }) => ends[0] === source && ends[2] === target);
    const moved = same >= 0 ? same : edges.findIndex(({ ends }) => ends[1] === role
      && [ends[0], ends[2]].some((end) => end === source || end === target));
    if (moved >= 0) return choosePart(view, { kind: "edge", place: moved });
    const end = partOf(view, { kind: "node", id: source });
    if (end) return end;
  }
  if (at && at.parent) {
    const parent = partOf(view, { kind: "node", id: at.parent });
    if (parent) return parent;
  }
  const root = view.data.nodes.findIndex((node) => node.root);
  return choosePart(view, { kind: "node", place: Math.max(0, root) });
}

export function choosePart(view, part) {
  const above = view.above.get(keyOf(part));
  const upper = above && (above.kind === "edge" ? view.above.get(keyOf(above)) : above);
  const parent = upper ? view.data.nodes[upper.place].name : "";
  return { ...part, ...nameAt(view, part), parent };
}

export function elementOf(view, part) {
  return part && (part.kind === "edge" ? view.edges : view.nodes)[part.place];
}

export function stand(view, part, byKey) {
  view.at = choosePart(view, part);
  drawChosen(view);
  if (byKey) focusAt(view);
  else bringIntoView(view);
}

export function focusAt(view) {
  const element = elementOf(view, view.at);
  if (element) element.focus({ preventScroll: true });
  bringIntoView(view);
}

// Moves the drawing and the list so that what is chosen can be seen.
export function bringIntoView(view) {
  if (!view.at) return;
  const stage = view.find(".stage");
  const margin = view.size[2];
  const at = (value) => (value + margin) * view.factor;
  const parts = view.at.kind === "node"
    ? [view.data.nodes[view.at.place]]
    : [view.data.edges[view.at.place]].flatMap((edge) => [
      view.data.nodes[edge.source], view.data.nodes[edge.target]]);
  const near1 = (middle, size) => at(Math.min(...parts.map((node) => node[middle] - node[size] / 2)));
  const far1 = (middle, size) => at(Math.max(...parts.map((node) => node[middle] + node[size] / 2)));
  scrollTo(stage, "scrollLeft", stage.clientWidth, near1("x", "w"), far1("x", "w"));
  scrollTo(stage, "scrollTop", stage.clientHeight, near1("y", "h"), far1("y", "h"));
  const line = lineOf(view, view.at);
  if (line >= 0 && !isWriting(view)) keepInView(view.find(".lines"), view.lines[line]);
}

export function lineOf(view, part) {
  return view.data.lines.findIndex((line) => part.kind === "edge"
    ? line.edge === part.place : line.node === part.place);
}

// --- drawing ------------------------------------------------------------------------------

export function drawEditor(view) {
  const { data } = view;
  const { sentence } = data;
  const { find } = view;
  const status = { open: "", accepted: "accepted", rejected: "rejected", skipped: "skipped" };
  const flagged = sentence.flagged ? "flagged" : "";
  const state = [sentence.name || `Sentence ${sentence.number}`, status[sentence.status], flagged];
  say(find(".state"), state.filter(Boolean).join(" · "));
  setOff(find("[data-act=undo]"), !sentence.canUndo);
  setOff(find("[data-act=redo]"), !sentence.canRedo);
  find("[data-act=flag]").setAttribute("aria-pressed", String(Boolean(sentence.flagged)));
  drawReading(view);
  fitHeight(view);
  drawSaved(view);
  drawChosen(view);
  drawHint(view);
}

// Gives the drawing what is left of the window below the words.
export function fitHeight(view) {
  const body = view.find(".body");
  const above = body.offsetTop - view.root.offsetTop + ABOVE_EDITOR;
  body.style.setProperty("--room", `${Math.max(LOWEST, window.innerHeight - above)}px`);
}

function setOff(button, isOff) {
  button.setAttribute("aria-disabled", String(isOff));
}

export function drawChosen(view) {
  if (!view.at) return;
  const { data, at } = view;
  const own = new Set(tokensOf(view, at));
  view.tokens.forEach((token, place) => {
    const isIn = view.span.has(place);
    token.classList.toggle("here", own.has(place));
    token.classList.toggle("spanned", isIn);
    token.classList.toggle("covered", data.nodes.some((node) => node.tokens.includes(place)));
    token.firstElementChild.setAttribute("aria-pressed", String(isIn));
  });
  const chosen = elementOf(view, at);
  for (const element of [...view.nodes, ...view.edges]) {
    element.classList.toggle("selected", element === chosen);
    element.setAttribute("aria-pressed", String(element === chosen));
    element.setAttribute("tabindex", element === chosen ? "0" : "-1");
  }
  const line = lineOf(view, at);
  view.lines.forEach((entry, place) => {
    entry.classList.toggle("selected", place === line);
    entry.firstElementChild.tabIndex = place === Math.max(0, line) ? 0 : -1;
  });
  markNamed(view, at.kind === "node" ? at.id : data.edges[at.place].ends[2]);
  drawHint(view);
  drawDoubts(view);
}

export function tokensOf(view, part) {
  const { nodes, edges } = view.data;
  return part.kind === "node" ? nodes[part.place].tokens : edges[part.place].tokens;
}

export function describePart(view, part) {
  return part.kind === "node" ? nameOf(view.data.nodes[part.place])
    : edgeName(view.trace, view.data.edges[part.place]);
}

function drawHint(view) {
  if (!view.data || !view.at) return;
  const ask = view.find(".ask");
  ask.hidden = !view.mode;
  say(ask, view.mode ? view.mode.hint : "");
  const words = tokensOf(view, view.at).map((token) => view.data.tokens[token]).join(" ");
  const stands = view.at.kind === "node" ? `, stands for ${words ? `“${words}”` : "no word"}` : "";
  const { origin } = partData(view, view.at);
  say(view.find(".hint"), describePart(view, view.at) + stands + (origin ? ` · ${origin}` : ""));
}
