// The pointer's distribution in the drawing: lines from the last item to earlier ones, as
// thick as their weights. They lie below everything else and never take a click.

import { shape } from "../shared/elements.js";

export function buildPointer(view) {
  const most = Math.max(0, ...view.trace.steps.pointer.map((pairs) => pairs.length));
  view.pointers = Array.from({ length: most }, () => shape("path", { class: "pointer-line" }));
  view.itemAt = new Map(); // place of the topmost node that an action made
  view.trace.nodes.forEach((node, place) => {
    if (!node.inside) view.itemAt.set(node.step, place);
  });
  const group = shape("g", { class: "pointer-lines" });
  group.append(...view.pointers);
  return group;
}

export function drawPointer(view, now) {
  const made = [...view.itemAt.keys()].filter((step) => step < view.step);
  const last = Math.max(-1, ...made);
  const isRoot = view.trace.texts[now.action].endsWith(", root)"); // it comes from no item
  view.pointers.forEach((line, place) => {
    const [step, weight] = now.pointer[place] || [last, 0];
    const isDrawn = !isRoot && weight >= 10 && step !== last && isOpen(view, last) && isOpen(view, step);
    line.classList.toggle("absent", !isDrawn);
    if (!isDrawn) return;
    const ends = [last, step].map((each) => view.trace.nodes[view.itemAt.get(each)]);
    line.setAttribute("d", bend(...ends));
    line.style.strokeWidth = String(1 + (9 * weight) / 1000);
  });
}

function isOpen(view, step) {
  return view.itemAt.has(step) && !view.hidden.has(view.itemAt.get(step));
}

// A shallow curve, so that the line does not lie on a straight edge between the two.
function bend(from, to) {
  const middle = [(from.x + to.x) / 2, (from.y + to.y) / 2];
  const x = middle[0] - (to.y - from.y) * 0.18;
  const y = middle[1] + (to.x - from.x) * 0.18;
  return `M${from.x} ${from.y}Q${x} ${y} ${to.x} ${to.y}`;
}
