// Nodes and edges of a graph: what they are called, how they are drawn, which one is meant.

import { shape } from "./elements.js";
import { targetOf } from "./keys.js";

/** @param {DrawnNode} node */
export function nameOf(node) {
  return node.constant ? node.label : `${node.name} / ${node.label}`;
}

/** @param {{ nodes: readonly DrawnNode[] }} graph @param {DrawnEdge} edge */
export function edgeName({ nodes }, edge) {
  return `${nodes[edge.source].label} ${edge.role} ${nodes[edge.target].label}`;
}

/** Gives the places of the edges at each node.
 * @param {number} numNodes @param {readonly { source: number, target: number }[]} edges */
export function incidentEdges(numNodes, edges) {
  /** @type {number[][]} */
  const incident = Array.from({ length: numNodes }, () => []);
  edges.forEach(({ source, target }, place) => {
    incident[source].push(place);
    if (target !== source) incident[target].push(place);
  });
  return incident;
}

/** Gives what an event is about. @param {Event} event @returns {Picked | null} */
export function pickOf(event) {
  const found = /** @type {HTMLElement | null} */ (targetOf(event).closest("[data-pick]"));
  if (!found) return null;
  const [kind, place] = (found.dataset.pick ?? "").split(":");
  return { kind, place: Number(place) };
}

/** @param {DrawnNode} node @param {number} place @param {string} label */
export function buildNode(node, place, label) {
  const left = node.x - node.w / 2;
  const top = node.y - node.h / 2;
  const rx = node.constant ? 2 : 8;
  const around = { x: left - 4, y: top - 4, width: node.w + 8, height: node.h + 8, rx: rx + 4 };
  return pickable("node", place, label,
    { class: node.constant ? "node constant" : "node", "data-name": node.name },
    shape("title", nameOf(node)),
    shape("rect", { x: left, y: top, width: node.w, height: node.h, rx, class: "box" }),
    shape("rect", { ...around, class: "ring" }),
    shape("rect", { x: left - 9, y: top - 9, width: node.w + 18, height: node.h + 18, rx, class: "frame" }),
    shape("text", { x: node.x, y: node.y, class: "label" }, node.shown),
    // Numbers stand on the node's own border, where no neighbour is.
    shape("text", { x: left + node.w - 2, y: top + node.h + 1, class: "folded-count" }),
    shape("text", { x: left + node.w - 2, y: top - 1, class: "weight" }));
}

/** @param {DrawnEdge} edge @param {number} place @param {string} label */
export function buildEdge(edge, place, label) {
  const [x, y] = edge.label;
  return pickable("edge", place, label, { class: edge.repair ? "edge repair" : "edge" },
    shape("path", { d: edge.path, class: "hit" }),
    shape("path", { d: edge.path, class: "line" }),
    shape("polygon", { points: edge.head, class: "tip" }),
    shape("text", { x, y, class: "role" }, edge.role));
}

/** @param {string} kind @param {number} place @param {string} label @param {...Part} parts */
function pickable(kind, place, label, ...parts) {
  return shape("g", { "data-pick": `${kind}:${place}`, role: "button", tabindex: -1, "aria-label": label },
    ...parts);
}
