// Selecting: a token, node, edge or triple marks all that belongs together, whatever was
// clicked; nothing is fetched and nothing moves.

import { say } from "../shared/elements.js";
import { drawFoldButton, toggleFold } from "./fold.js";
import { belongings, describeLinks } from "./links.js";
import { go } from "./step.js";

/** @param {View} view @param {Picked | null} picked  Once more lets go of it. */
export function pick(view, picked) {
  const isAgain = view.picked?.kind === picked?.kind && view.picked?.place === picked?.place;
  setPicked(view, isAgain ? null : picked);
}

/** @param {View} view @param {Picked | null} picked */
export function setPicked(view, picked) {
  view.picked = picked;
  drawPicked(view);
}

/** Gives the node, edge or token that is meant. @param {View} view */
function pickedPart({ picked, tripleParts }) {
  return picked?.kind === "triple" ? tripleParts[picked.place] : picked;
}

/** Gives -1 where no node is picked. @param {View} view */
function pickedNode(view) {
  const part = pickedPart(view);
  return part?.kind === "node" ? part.place : -1;
}

/** @param {View} view */
function drawPicked(view) {
  const { drawing } = view;
  const part = pickedPart(view);
  const all = belongings(view.trace, part);
  /** @type {(elements: Element[], isMarked: (place: number) => boolean) => void} */
  const mark = (elements, isMarked) =>
    elements.forEach((element, place) => element.classList.toggle("selected", isMarked(place)));
  mark(view.tokens, (place) => all.token.has(place));
  mark(view.jumps, (place) => all.step.has(place));
  mark(view.triples, (place) => all[view.tripleParts[place].kind].has(view.tripleParts[place].place));
  for (const kind of /** @type {const} */ (["node", "edge"])) {
    mark(drawing[`${kind}s`], (place) => all[kind].has(place));
    drawing[`${kind}s`].forEach((group, place) =>
      group.setAttribute("aria-pressed", String(all[kind].has(place))));
  }
  const told = describeLinks(view.trace, view.words, part, all);
  say(view.find(".picked-text"), told);
  view.find(".picked-text").title = told;
  const jump = view.find(".picked-jump");
  jump.hidden = !all.step.size;
  const made = Math.min(...all.step);
  jump.dataset.step = String(made);
  say(jump, `Go to action ${made - 1}`);
  view.find(".picked-clear").hidden = !view.picked;
  drawFoldButton(view, pickedNode(view));
}

/** @param {View} view */
export function goToPicked(view) {
  const { step } = belongings(view.trace, pickedPart(view));
  if (step.size) go(view, Math.min(...step));
}

/** @param {View} view */
export function foldPicked(view) {
  toggleFold(view, pickedNode(view));
}
