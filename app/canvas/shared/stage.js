// The stage: one drawn graph, its size, what of it is in sight, and what is near the pointer.

import { renewNamed, setTo, shape } from "./elements.js";
import { buildEdge, buildNode, incidentEdges } from "./graph.js";

const READABLE = 0.75; // smallest scale at which labels are still read

/**
 * Builds a drawing, which {@link scale} then gives its size.
 *
 * @param {HTMLElement} stage
 * @param {Graph} graph
 * @param {{ margin: number, zoom: number | null, nodeLabel: (place: number) => string,
 *   edgeLabel: (place: number) => string, most?: number, before?: Drawing | null }} how  `most`: how
 *   many times larger than its points a small one may be, to fill the stage. Of a drawing that was
 *   there before all is kept that is the same.
 * @returns {Drawing}
 */
export function newDrawing(stage, graph, how) {
  const { margin, zoom: chosen, nodeLabel, edgeLabel, most = 1.1, before = null } = how;
  const box = [-margin, -margin, graph.width + 2 * margin, graph.height + 2 * margin];
  const svg = before?.svg ?? shape("svg", { role: "presentation", focusable: "false" });
  setTo(svg, "viewBox", box.join(" "));
  const nodes = renewNamed(before?.nodes ?? [], graph.nodes,
    (node, place) => ({ name: node.name ?? `${place}`, source: [node, nodeLabel(place)] }),
    (node, place) => buildNode(node, place, nodeLabel(place)), (element) => svg.append(element));
  const first = svg.querySelector(".node"); // edges lie below all nodes
  const edges = renewNamed(before?.edges ?? [], graph.edges,
    (edge, place) => ({
      name: edge.ends?.join(" ") ?? `${place}`, source: [{ ...edge, source: 0, target: 0 }, edgeLabel(place)],
    }),
    (edge, place) => buildEdge(edge, place, edgeLabel(place)), (element) => svg.insertBefore(element, first));
  nodes.forEach((element, place) => setTo(element, "data-pick", `node:${place}`));
  edges.forEach((element, place) => setTo(element, "data-pick", `edge:${place}`));
  if (!before) {
    stage.replaceChildren(svg);
    void document.fonts.ready.then(() => fitFont(svg));
  }
  const incident = incidentEdges(nodes.length, graph.edges);
  const isNear = before?.isNear ?? false;
  const room = before?.room ?? roomIn(stage);
  return { stage, graph, svg, nodes, edges, incident, margin, most, room, zoom: chosen, factor: 1, isNear };
}

const PROBE = ":ARG0-of :location want-01";
const PROBE_WIDTH = 144; // CSS pixels in Arial at 12 px, whose widths the places are made for

/** Makes the labels smaller where the reader's font is wider. @param {SVGElement} svg */
function fitFont(svg) {
  const probe = shape("text", { class: "role" }, PROBE);
  svg.append(probe);
  const width = /** @type {SVGTextElement} */ (probe).getComputedTextLength();
  probe.remove();
  svg.style.setProperty("--fit", String(Math.min(1, PROBE_WIDTH / (width || PROBE_WIDTH))));
}

// --- size -------------------------------------------------------------------------------

/** @param {Drawing} drawing */
function sizeOf({ graph, margin }) {
  return [graph.width + 2 * margin, graph.height + 2 * margin];
}

/** @param {Drawing} drawing */
function fitting(drawing) {
  const [width, height] = sizeOf(drawing);
  return Math.min(drawing.most, drawing.room[0] / width, drawing.room[1] / height);
}

/** @param {HTMLElement} stage @returns {[width: number, height: number]} */
function roomIn(stage) {
  return [stage.clientWidth, stage.clientHeight];
}

/** Gives a drawing the size that fits a stage whose own size may have changed. To look at that
 * after a change of the page makes the browser lay it out at once. @param {Drawing} drawing */
export function refit(drawing) {
  drawing.room = roomIn(drawing.stage);
  scale(drawing);
}

/** @param {Drawing} drawing */
export function scale(drawing) {
  const [width, height] = sizeOf(drawing);
  drawing.factor = drawing.zoom ?? Math.max(READABLE, fitting(drawing));
  setTo(drawing.svg, "width", String(Math.floor(width * drawing.factor)));
  setTo(drawing.svg, "height", String(Math.floor(height * drawing.factor)));
}

/** @param {Drawing} drawing @param {string} way  `in`, `out` or `fit`. */
export function zoom(drawing, way) {
  const wanted = drawing.factor * (way === "in" ? 1.25 : 0.8);
  drawing.zoom = way === "fit" ? fitting(drawing) : Math.min(3, Math.max(0.1, wanted));
  scale(drawing);
}

// --- what is in sight ---------------------------------------------------------------------

/** Scrolls the stage, only if nodes lie outside it. @param {Drawing} drawing @param {DrawnNode[]} nodes */
export function reveal({ stage, margin, factor }, nodes) {
  if (!nodes.length) return;
  /** @param {(node: DrawnNode) => number} side */
  const ends = (side) => nodes.map((node) => (side(node) + margin) * factor);
  const left = Math.min(...ends((node) => node.x - node.w / 2));
  const right = Math.max(...ends((node) => node.x + node.w / 2));
  const top = Math.min(...ends((node) => node.y - node.h / 2));
  const bottom = Math.max(...ends((node) => node.y + node.h / 2));
  stage.scrollLeft = scrolled(stage.scrollLeft, stage.clientWidth, left, right);
  stage.scrollTop = scrolled(stage.scrollTop, stage.clientHeight, top, bottom);
}

/**
 * Gives where a window of a length stands that shows a range, moved only if it must be.
 *
 * @param {number} seen @param {number} room @param {number} start @param {number} end
 */
export function scrolled(seen, room, start, end) {
  if (start >= seen && end <= seen + room) return seen;
  return end - start > room ? start - 12 : (start + end - room) / 2;
}

/** Brings an entry into the middle of its list, if it is out of sight; rows stay whole.
 * @param {HTMLElement} list @param {HTMLElement} entry */
export function keepInView(list, entry) {
  const { offsetTop: top, offsetHeight: height } = entry;
  const seen = list.scrollTop;
  if (top >= seen && top + height <= seen + list.clientHeight) return;
  const rows = Math.floor((list.clientHeight - height) / 2 / height);
  list.scrollTop = top - Math.max(0, rows) * height - 2;
}

// --- what is near -------------------------------------------------------------------------

/** Dims all of the drawing but a node or edge and its neighbours.
 * @param {Drawing} drawing @param {Picked | null} picked */
export function near(drawing, picked) {
  const around = neighbourhood(drawing, picked);
  if (!around && !drawing.isNear) return;
  drawing.isNear = around !== null;
  drawing.svg.classList.toggle("hovering", drawing.isNear);
  drawing.nodes.forEach((group, place) => group.classList.toggle("near", around?.nodes.has(place) ?? false));
  drawing.edges.forEach((group, place) => group.classList.toggle("near", around?.edges.has(place) ?? false));
}

/** @param {Pick<Drawing, "graph" | "incident">} drawing @param {Picked | null} picked */
export function neighbourhood({ graph, incident }, picked) {
  if (picked?.kind !== "node" && picked?.kind !== "edge") return null;
  const edges = new Set(picked.kind === "node" ? incident[picked.place] : [picked.place]);
  const nodes = new Set(picked.kind === "node" ? [picked.place] : []);
  for (const place of edges) nodes.add(graph.edges[place].source).add(graph.edges[place].target);
  return { nodes, edges };
}
