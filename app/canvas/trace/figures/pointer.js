// The pointer's distribution in the drawing: lines from the last item to earlier ones, as
// thick as their weights. They lie below everything else and never take a click.

import { shape } from "../../shared/elements.js";
import { actionAt } from "../view.js";

/** @param {View} view */
export function buildPointer(view) {
  const { nodes, steps } = view.trace;
  const most = Math.max(0, ...steps.pointer.map((pairs) => pairs.length));
  view.pointers = Array.from({ length: most }, () => shape("path", { class: "pointer-line" }));
  view.itemAt = new Map(nodes.flatMap(({ inside, step }, place) => (inside ? [] : [[step - 1, place]])));
  view.drawing.svg.prepend(shape("g", { class: "pointer-lines" }, ...view.pointers));
}

/** @param {View} view @param {Now} now */
export function drawPointer(view, now) {
  const { nodes } = view.trace;
  const last = Math.max(-1, ...[...view.itemAt.keys()].filter((step) => step < view.step));
  const from = openNode(view, last);
  const isUsed = Boolean(view.trace.steps.points[view.step]);
  const isRoot = actionAt(view.trace, view.step).endsWith(", root)"); // it comes from no item
  view.pointers.forEach((line, place) => {
    const [step, weight] = now.pointer[place] ?? [last, 0];
    const to = openNode(view, step);
    const isDrawn = isUsed && !isRoot && weight >= 10 && step !== last && from >= 0 && to >= 0;
    line.classList.toggle("absent", !isDrawn);
    if (!isDrawn) return;
    line.setAttribute("d", bend(nodes[from], nodes[to]));
    line.style.strokeWidth = String(1 + (9 * weight) / 1000);
  });
}

/** Gives the place of the node that a step made, -1 where it made none or it is folded.
 * @param {View} view @param {number} step */
function openNode({ itemAt, hidden }, step) {
  const place = itemAt.get(step) ?? -1;
  return hidden.has(place) ? -1 : place;
}

/** A shallow curve, so that the line does not lie on a straight edge between the two.
 * @param {DrawnNode} from @param {DrawnNode} to */
function bend(from, to) {
  const x = (from.x + to.x) / 2 - (to.y - from.y) * 0.18;
  const y = (from.y + to.y) / 2 + (to.x - from.x) * 0.18;
  return `M${from.x} ${from.y}Q${x} ${y} ${to.x} ${to.y}`;
}
