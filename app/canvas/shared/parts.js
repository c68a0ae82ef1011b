// Nodes and edges of a drawn graph: how they look, what they are called, which is pointed at.

import { shape } from "./elements.js";

export function pickable(group, name, label) {
  group.dataset.pick = name;
  group.setAttribute("role", "button");
  group.setAttribute("tabindex", "-1");
  group.setAttribute("aria-label", label);
  return group;
}

export function buildEdge(edge) {
  const group = shape("g", { class: edge.repair ? "edge repair" : "edge" });
  const label = shape("text", { x: edge.label[0], y: edge.label[1], class: "role" }, edge.role);
  group.append(
    shape("path", { d: edge.path, class: "hit" }),
    shape("path", { d: edge.path, class: "line" }),
    shape("polygon", { points: edge.head, class: "tip" }),
    label,
  );
  return group;
}

export function buildNode(node) {
  const classes = ["node"];
  if (node.constant) classes.push("constant");
  const group = shape("g", { class: classes.join(" "), "data-name": node.name });
  const left = node.x - node.w / 2;
  const top = node.y - node.h / 2;
  const radius = node.constant ? 2 : 8;
  const box = { x: left, y: top, width: node.w, height: node.h, rx: radius };
  group.append(
    shape("title", {}, nameOf(node)),
    shape("rect", { ...box, class: "box" }),
    shape("rect", {
      x: left - 4, y: top - 4, width: node.w + 8, height: node.h + 8, rx: radius + 4, class: "ring",
    }),
    shape("text", { x: node.x, y: node.y, class: "label" }, node.shown),
    shape("text", { x: left + node.w, y: top + node.h + 3, class: "folded-count" }, ""),
    shape("text", { x: left + node.w + 6, y: node.y - node.h / 2 - 3, class: "weight" }, ""),
  );
  return group;
}

export function pickOf(element) {
  const found = element && element.closest && element.closest("[data-pick]");
  if (!found) return null;
  const [kind, place] = found.dataset.pick.split(":");
  return { kind, place: Number(place) };
}

export function nameOf(node) {
  return node.constant ? node.label : `${node.name} / ${node.label}`;
}

export function edgeName(trace, edge) {
  return `${trace.nodes[edge.source].label} ${edge.role} ${trace.nodes[edge.target].label}`;
}

// Dims all of the drawing but a node or edge and its neighbours.
export function near(view, picked) {
  const isOn = Boolean(picked && (picked.kind === "node" || picked.kind === "edge"));
  if (!isOn && !view.isNear) return;
  view.isNear = isOn;
  const nodes = new Set();
  const edges = new Set();
  if (isOn) {
    if (picked.kind === "node") nodes.add(picked.place);
    const touched = picked.kind === "node" ? view.incident[picked.place] : [picked.place];
    for (const edge of touched) {
      edges.add(edge);
      nodes.add(view.trace.edges[edge].source).add(view.trace.edges[edge].target);
    }
  }
  view.svg.classList.toggle("hovering", isOn);
  view.nodes.forEach((group, place) => group.classList.toggle("near", nodes.has(place)));
  view.edges.forEach((group, place) => group.classList.toggle("near", edges.has(place)));
}
