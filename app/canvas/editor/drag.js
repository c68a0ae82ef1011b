// What is dragged in the drawing: from one node to another a new edge, whose role is asked at once;
// one end of an edge to another node.

import { setAll, shape } from "../shared/elements.js";
import { pickOf } from "../shared/graph.js";
import { choosePart, describePart } from "./places.js";
import { gesture } from "./sending/sending.js";
import { refuse } from "./telling.js";
import { openLink } from "./typing/naming.js";

const SLACK = 5; // pixels within which a press is a click

/** Gives what a press on a part may drag; null for nothing. Of an edge it is the nearer end.
 * @param {Parts} parts @param {Picked | null} picked @param {Point} point  In points of the drawing.
 * @returns {Dragged | null} */
export function dragOf(parts, picked, point) {
  const { edges, nodes } = parts;
  if (picked?.kind === "node") {
    const node = nodes[picked.place];
    if (node.constant) return null;
    const name = describePart(parts, picked);
    return { end: "", id: node.name, name, ends: ["", "", ""], from: [node.x, node.y] };
  }
  if (picked?.kind !== "edge") return null;
  const { ends, source, target } = edges[picked.place];
  const isSource = nodes[target].constant || distance(nodes[source], point) < distance(nodes[target], point);
  const held = nodes[isSource ? target : source];
  const name = describePart(parts, picked);
  return { end: isSource ? "source" : "target", id: ends[isSource ? 0 : 2], name, ends, from: [held.x, held.y] };
}

/** Gives how far a point is from the box of a node. @param {DrawnNode} node @param {Point} point */
function distance({ x, y, w, h }, [left, top]) {
  return Math.hypot(Math.max(0, Math.abs(left - x) - w / 2), Math.max(0, Math.abs(top - y) - h / 2));
}

/** Gives the node on which something is dropped, or why it is none; null where nothing is meant.
 * @param {Parts} parts @param {Dragged} dragged @param {Picked | null} picked */
export function dropOf({ edges, nodes }, { end, ends, id }, picked) {
  if (!picked) return null;
  if (picked.kind === "edge") {
    const isOwn = end && edges[picked.place].ends.join("\n") === ends.join("\n");
    return isOwn ? null : { refusal: "Drop it on a node." };
  }
  const { constant, name } = nodes[picked.place];
  if (constant) return { refusal: "An edge joins nodes: drop it on one." };
  return name === id ? null : { to: name };
}

/** Begins what may become a drag. @param {Editor} view @param {PointerEvent} event */
export function pressedDown(view, event) {
  if (event.button !== 0 || event.pointerType === "touch" || view.mode) return; // a finger scrolls
  const dragged = dragOf(view.data, pickOf(event), pointIn(view.drawing, event));
  const { revision } = view.data.sentence;
  if (dragged) view.drag = { ...dragged, base: revision, at: [event.clientX, event.clientY], line: null };
}

/** @param {Editor} view @param {PointerEvent} event */
export function draggedOn(view, event) {
  const { drag, drawing } = view;
  if (!drag) return;
  const [left, top] = drag.at;
  if (!drag.line && Math.hypot(event.clientX - left, event.clientY - top) < SLACK) return;
  const [x, y] = pointIn(drawing, event);
  drag.line ??= drawing.svg.appendChild(shape("line", { class: "dragged", x1: drag.from[0], y1: drag.from[1] }));
  setAll(drag.line, { x2: x, y2: y });
  const drop = dropOf(view.data, drag, pickOf(event));
  drawing.nodes.forEach((node, place) => node.classList.toggle("drop", drop?.to === view.data.nodes[place].name));
}

/** @param {Editor} view @param {PointerEvent} event */
export function dropped(view, event) {
  const { data, drag } = view;
  leaveDrag(view);
  const picked = pickOf(event);
  const drop = drag?.line ? dropOf(data, drag, picked) : null;
  if (!drag || !drop || !picked) return;
  if (!drop.to) refuse(view, drop.refusal ?? "");
  else if (drag.end) gesture(view, { kind: "move", edge: drag.ends, end: drag.end, to: drop.to }, drag.base);
  else openLink(view, drag, choosePart(data, view.walk, picked), drag.base);
}

/** @param {Editor} view */
export function leaveDrag(view) {
  if (!view.drag) return;
  view.drag.line?.remove();
  view.drag = null;
  for (const node of view.drawing.nodes) node.classList.remove("drop");
}

/** @param {Drawing} drawing @param {MouseEvent} event @returns {Point} */
function pointIn({ factor, margin, svg }, { clientX, clientY }) {
  const { left, top } = svg.getBoundingClientRect();
  return [(clientX - left) / factor - margin, (clientY - top) / factor - margin];
}
