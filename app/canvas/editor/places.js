// Where things are in a graph: its parts by place and by name, the way that the arrows take
// through them, and what is nearest to a part that is gone.

import { edgeName, nameOf } from "../shared/graph.js";

/** @param {Picked} part */
export function keyOf({ kind, place }) {
  return `${kind}:${place}`;
}

/** Gives the order in which the arrows go through nodes and edges: as the graph is written.
 * @param {readonly Line[]} lines @returns {Walk} */
export function walkThrough(lines) {
  /** @type {Walk} */
  const walk = { order: [], above: new Map(), below: new Map() };
  /** @type {Picked[]} */
  const stack = [];
  for (const line of lines) {
    stack.length = line.depth;
    const parent = stack.at(-1);
    const node = { kind: "node", place: line.to };
    const edge = line.edge >= 0 ? { kind: "edge", place: line.edge } : null;
    if (edge) {
      walk.order.push(edge);
      walk.below.set(keyOf(edge), node);
      if (parent) walk.above.set(keyOf(edge), parent);
      if (parent && !walk.below.has(keyOf(parent))) walk.below.set(keyOf(parent), edge);
    }
    if (line.node >= 0) {
      if (edge) walk.above.set(keyOf(node), edge);
      walk.order.push(node);
    }
    stack.push(node);
  }
  return walk;
}

/** Gives where a key leads: up and down to the next of the same kind (in a list: to the next),
 * left and right up and down the graph.
 * @param {Walk} walk @param {Picked} at @param {string} key @param {boolean} inList */
export function nextPart({ order, above, below }, at, key, inList) {
  if (key === "ArrowLeft") return above.get(keyOf(at));
  if (key === "ArrowRight") return below.get(keyOf(at));
  if (key === "Home") return order[0];
  if (key === "End") return order.at(-1);
  const same = inList ? order : order.filter(({ kind }) => kind === at.kind);
  return same[same.findIndex((part) => keyOf(part) === keyOf(at)) + (key === "ArrowUp" ? -1 : 1)];
}

/** @param {Parts} parts @param {Picked} part */
export function partData({ nodes, edges }, part) {
  return part.kind === "edge" ? edges[part.place] : nodes[part.place];
}

/** @param {Parts} parts @param {Picked} part @returns {Name} */
export function nameAt({ nodes, edges }, { kind, place }) {
  return kind === "edge" ? { kind, ends: edges[place].ends } : { kind, id: nodes[place].name };
}

/** @param {Parts} parts @param {Name | null} name @returns {Picked | null} */
export function partOf({ nodes, edges }, name) {
  if (!name) return null;
  const place = name.kind === "edge"
    ? edges.findIndex(({ ends }) => ends.join("\n") === name.ends?.join("\n"))
    : nodes.findIndex((node) => node.name === name.id);
  return place < 0 ? null : { kind: name.kind, place };
}

/** Gives where the choice was, or the nearest thing that is still there.
 * @param {Parts} parts @param {Chosen | null} at @returns {Picked} */
export function nearestPart(parts, at) {
  return partOf(parts, at) ?? (at?.kind === "edge" ? nearestEdge(parts, at.ends) : null)
    ?? partOf(parts, at && { kind: "node", id: at.parent })
    ?? { kind: "node", place: Math.max(0, parts.nodes.findIndex((node) => node.root)) };
}

/** Gives an edge of the same nodes, or of one of them with the same role, or else the source.
 * @param {Parts} parts @param {Ends} ends */
function nearestEdge(parts, [source, role, target]) {
  const { edges } = parts;
  const same = edges.findIndex(({ ends }) => ends[0] === source && ends[2] === target);
  const moved = same >= 0 ? same : edges.findIndex(({ ends }) => ends[1] === role
    && [ends[0], ends[2]].some((end) => end === source || end === target));
  return moved >= 0 ? { kind: "edge", place: moved } : partOf(parts, { kind: "node", id: source });
}

/** @param {Parts} parts @param {Walk} walk @param {Picked} part @returns {Chosen} */
export function choosePart({ nodes, edges }, { above }, { kind, place }) {
  const over = above.get(keyOf({ kind, place }));
  const upper = over?.kind === "edge" ? above.get(keyOf(over)) : over;
  const parent = upper ? nodes[upper.place].name : "";
  if (kind === "edge") return { kind, place, id: edges[place].ends[0], ends: edges[place].ends, parent };
  return { kind, place, id: nodes[place].name, ends: ["", "", ""], parent };
}

/** @param {Parts} parts @param {Picked} part */
export function describePart(parts, { kind, place }) {
  return kind === "edge" ? edgeName(parts, parts.edges[place]) : nameOf(parts.nodes[place]);
}

/** Says with which nodes of other sentences one is the same. @param {Pick<EditedNode, "same">} node */
export function sameAs({ same = [] }) {
  return same.map((other) => `the same as ${other}`);
}

/** Gives the place of the line in which a part is written. @param {readonly Line[]} lines @param {Picked} part */
export function lineOf(lines, { kind, place }) {
  return lines.findIndex((line) => (kind === "edge" ? line.edge : line.node) === place);
}

/** @param {Parts} parts @param {Walk} walk */
export function doubtful(parts, { order }) {
  return order.filter((part) => partData(parts, part).doubt !== undefined);
}
