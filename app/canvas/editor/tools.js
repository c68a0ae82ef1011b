// The small bar at the part that was clicked: what is done to it most.

import { focusedIn } from "../shared/keys.js";
import { elementAt, focusAt } from "./choosing.js";

const GAPS = [8, 40, 80]; // pixels between a part and its bar: as few as it takes to cover nothing

/** Gives the acts that a part has in its bar. @param {Parts} parts @param {Picked} part */
export function toolsOf(parts, part) {
  if (part.kind === "edge") return ["rename", "delete", "reverse"];
  return parts.nodes[part.place].constant ? ["rename", "delete"]
    : ["rename", "add", "delete", "root", "split", "fold"];
}

/** Gives where a bar covers least, near its part and inside the stage.
 * @param {Around} part @param {Point} size
 * @param {Around} stage
 * @param {readonly Around[]} others  What is drawn beside the part. @returns {Point} */
export function placeOf(part, [width, height], stage, others) {
  const middle = (part.left + part.right - width) / 2;
  const beside = (part.top + part.bottom - height) / 2;
  const sides = GAPS.flatMap((gap) => {
    const [above, below] = [part.top - gap - height, part.bottom + gap];
    const [before, after] = [part.left - gap - width, part.right + gap];
    return [[middle, below], [middle, above], [after, beside], [before, beside],
      [after, below], [before, below], [after, above], [before, above]];
  }).map(([left, top]) => {
    const x = Math.max(stage.left, Math.min(left, stage.right - width));
    const y = Math.max(stage.top, Math.min(top, stage.bottom - height));
    const bar = { left: x, top: y, right: x + width, bottom: y + height };
    // Over the part itself the second click of two would press a button.
    const isOver = common(bar, part) > 0 ? Infinity : 0;
    return { x, y, covered: others.reduce((sum, other) => sum + common(bar, other), isOver) };
  });
  const { x, y } = sides.reduce((best, side) => (side.covered < best.covered ? side : best));
  return [x, y];
}

/** Gives the area that two boxes share. @param {Around} one @param {Around} other */
function common(one, other) {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return Math.max(0, width) * Math.max(0, height);
}

/** @param {Editor} view */
export function showTools(view) {
  const bar = view.find(".tools");
  const shown = toolsOf(view.data, view.at);
  const isRoot = view.at.kind === "node" && view.data.nodes[view.at.place].root;
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (bar.querySelectorAll("[data-act]"))) {
    const act = button.dataset.act ?? "";
    button.hidden = !shown.includes(act) || (act === "root" && Boolean(isRoot));
  }
  bar.hidden = false;
  placeTools(view);
}

/** Puts the bar where its part is now. @param {Editor} view */
export function placeTools(view) {
  const bar = view.find(".tools");
  const chosen = elementAt(view);
  if (bar.hidden || !chosen) return;
  const boxes = [...view.drawing.svg.querySelectorAll(".node .box, .edge .role")];
  const own = chosen.querySelector(".box, .role");
  const panel = view.find(".drawing").getBoundingClientRect();
  const others = boxes.filter((box) => box !== own).map((box) => box.getBoundingClientRect());
  const [left, top] = placeOf((own ?? chosen).getBoundingClientRect(), [bar.offsetWidth, bar.offsetHeight],
    view.drawing.stage.getBoundingClientRect(), others);
  bar.style.left = `${left - panel.left}px`;
  bar.style.top = `${top - panel.top}px`;
}

/** @param {Editor} view */
export function hideTools(view) {
  const bar = view.find(".tools");
  const wasInside = bar.contains(focusedIn(view.root));
  bar.hidden = true;
  if (wasInside) focusAt(view);
}
