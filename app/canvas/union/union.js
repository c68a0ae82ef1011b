// Two graphs in one drawing, as the page laid it out; nothing is sent back.

import { shape } from "../shared/elements.js";

/** @param {Component<Union>} component */
export default function show({ parentElement, data }) {
  const { width, height, about } = data;
  parentElement.querySelector(".union")?.replaceChildren(shape("svg",
    { width, height, role: "img", "aria-label": about, viewBox: `-4 -4 ${width} ${height}` },
    ...data.edges.map(drawEdge), ...data.nodes.map(drawNode)));
}

/** @param {UnionEdge} edge */
function drawEdge({ mark, path, head, role, label: [x, y] }) {
  return shape("g", { class: mark }, shape("path", { d: path }), shape("polygon", { points: head }),
    shape("text", { x, y, class: "role" }, role));
}

/** @param {UnionNode} node */
function drawNode({ mark, label, shown, x, y, w, h }) {
  const rx = mark.includes("constant") ? 3 : 9;
  return shape("g", { class: mark }, shape("rect", { x: x - w / 2, y: y - h / 2, width: w, height: h, rx }),
    shape("text", { x, y, class: "" }, shown, shape("title", label)));
}
