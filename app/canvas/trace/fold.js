// Folding: a node takes in what hangs on it alone, and lets it out again. What is folded
// is only hidden, so that nothing else moves.

import { say, within } from "../shared/elements.js";
import { draw } from "./draw.js";

/** Gives descendants that are reached from outside through this node only.
 * @param {Pick<Drawing, "graph" | "incident">} drawing @param {number} top */
export function hangingOn(drawing, top) {
  const inside = below(drawing, top);
  let isLess = true;
  while (isLess) {
    isLess = false;
    for (const place of [...inside]) {
      if (place !== top && isReached(drawing, place, inside)) isLess = inside.delete(place) || isLess;
    }
  }
  inside.delete(top);
  return inside;
}

/** @param {Pick<Drawing, "graph" | "incident">} drawing @param {number} top */
function below({ graph, incident }, top) {
  const inside = new Set([top]);
  for (const here of inside) { // which grows on the way
    for (const place of incident[here]) {
      if (graph.edges[place].source === here) inside.add(graph.edges[place].target);
    }
  }
  return inside;
}

/** Tells whether an edge leads to a node from outside.
 * @param {Pick<Drawing, "graph" | "incident">} drawing @param {number} node @param {Set<number>} inside */
function isReached({ graph, incident }, node, inside) {
  return incident[node].some((place) =>
    graph.edges[place].target === node && !inside.has(graph.edges[place].source));
}

/** @param {View} view @param {number} place  Of a node; -1 for none. */
export function toggleFold(view, place) {
  const { drawing } = view;
  if (place < 0 || !hangingOn(drawing, place).size) return;
  if (!view.folds.delete(place)) view.folds.add(place);
  view.hidden = new Set([...view.folds].flatMap((top) => [...hangingOn(drawing, top)]));
  drawing.nodes.forEach((group, at) => {
    const isFold = view.folds.has(at);
    group.classList.toggle("folded", view.hidden.has(at));
    group.classList.toggle("fold", isFold);
    say(within(group, ".folded-count"), isFold ? `+${hangingOn(drawing, at).size}` : "");
  });
  drawing.edges.forEach((group, at) => {
    const { source, target } = drawing.graph.edges[at];
    group.classList.toggle("folded", view.hidden.has(source) || view.hidden.has(target));
  });
  drawFoldButton(view, place);
  draw(view);
}

/** @param {View} view @param {number} place  Of the node that is picked; -1 for none. */
export function drawFoldButton(view, place) {
  const button = view.find(".picked-fold");
  const size = place < 0 ? 0 : hangingOn(view.drawing, place).size;
  button.hidden = !size;
  button.setAttribute("aria-expanded", String(!view.folds.has(place)));
  say(button, view.folds.has(place) ? `Unfold ${size}` : `Fold ${size}`);
}
