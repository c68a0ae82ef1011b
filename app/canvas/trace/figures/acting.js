// What a key or a click asks of the beam and of the heads.

import { finish, holderOf, isInside } from "../../shared/keys.js";
import { draw } from "../draw.js";
import { go } from "../step.js";
import { clickedInTree, closeHypothesis, drawBeam, pressedInTree, stepOnMap } from "./beam.js";
import { AVERAGE, chooseHead, drawMoment, enteredHeads, rovedInHeads } from "./heads.js";
import { askSoon } from "./opened.js";

/** @param {View} view */
export function mountFigures(view) {
  const { find, signal } = view;
  for (const name of ["beam", "heads"]) {
    find(`.${name}`).addEventListener("toggle", () => {
      drawBeam(view);
      drawMoment(view);
      askSoon(view);
    }, { signal });
  }
  const room = new ResizeObserver(([{ contentRect }]) => {
    view.room = contentRect.width; // asked for at each step it would have the browser lay out
    drawBeam(view);
  });
  room.observe(find(".beam-tree"));
  signal.addEventListener("abort", () => room.disconnect());
}

/** Gives whether a click meant a figure. @param {View} view @param {MouseEvent} event */
export function clickedInFigures(view, event) {
  const row = holderOf(event, "[data-hypothesis]");
  const head = holderOf(event, "[data-head]");
  if (row) clickedInTree(view, row);
  else if (head) showHead(view, Number(head.dataset.head));
  else if (isInside(event, ".average")) showHead(view, AVERAGE);
  else if (isInside(event, ".hypothesis-close")) closeHypothesis(view);
  else if (isInside(event, ".beam-map")) go(view, stepOnMap(view, event));
  else return false;
  askSoon(view);
  return true;
}

/** Gives whether a key meant a figure. @param {View} view @param {KeyboardEvent} event @param {string} key */
export function pressedInFigures(view, event, key) {
  const row = holderOf(event, "[data-hypothesis]");
  const head = holderOf(event, "[data-head]");
  if (row) {
    if (!pressedInTree(view, row, key)) return false;
  } else if (head) {
    if (!pressedInHeads(view, Number(head.dataset.head), key)) return false;
  } else if (!isInside(event, ".average") || !enteredHeads(view, key)) return false;
  askSoon(view);
  finish(event);
  return true;
}

/** @param {View} view @param {number} head @param {string} key */
function pressedInHeads(view, head, key) {
  if (key !== "Enter" && key !== " ") return rovedInHeads(view, head, key);
  showHead(view, head);
  return true;
}

/** @param {View} view @param {number} head */
function showHead(view, head) {
  chooseHead(view, head);
  draw(view);
}
