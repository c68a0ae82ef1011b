// Folding: a node takes in what hangs on it alone, and lets it out again. What is folded
// is only hidden, so that nothing else moves.

import { say } from "../shared/elements.js";
import { draw } from "./draw.js";
import { pickedNode } from "./select.js";

export function buildFolds(view) {
  view.folds = new Set();
  view.hidden = new Set();
}

// Descendants that are reached from outside through this node only.
export function hangingOn(view, top) {
  const { edges } = view.trace;
  const inside = new Set([top]);
  const waiting = [top];
  while (waiting.length) {
    const here = waiting.pop();
    for (const place of view.incident[here]) {
      const { source, target } = edges[place];
      if (source !== here || inside.has(target)) continue;
      inside.add(target);
      waiting.push(target);
    }
  }
  let isLess = true;
  while (isLess) {
    isLess = false;
    for (const place of [...inside]) {
      const isReached = view.incident[place].some((edge) =>
        edges[edge].target === place && !inside.has(edges[edge].source));
      if (place !== top && isReached) isLess = inside.delete(place) || isLess;
    }
  }
  inside.delete(top);
  return inside;
}

export function toggleFold(view, place) {
  if (place < 0 || !hangingOn(view, place).size) return;
  if (!view.folds.delete(place)) view.folds.add(place);
  view.hidden = new Set([...view.folds].flatMap((top) => [...hangingOn(view, top)]));
  view.nodes.forEach((group, at) => {
    const isFold = view.folds.has(at);
    group.classList.toggle("folded", view.hidden.has(at));
    group.classList.toggle("fold", isFold);
    say(group.querySelector(".folded-count"), isFold ? `+${hangingOn(view, at).size}` : "");
  });
  view.edges.forEach((group, at) => {
    const { source, target } = view.trace.edges[at];
    group.classList.toggle("folded", view.hidden.has(source) || view.hidden.has(target));
  });
  drawFoldButton(view, view.find(".picked-fold"));
  draw(view);
}

export function drawFoldButton(view, button) {
  const place = pickedNode(view);
  const size = place < 0 ? 0 : hangingOn(view, place).size;
  button.hidden = !size;
  button.setAttribute("aria-expanded", String(!view.folds.has(place)));
  say(button, view.folds.has(place) ? `Unfold ${size}` : `Fold ${size}`);
}
