// What is chosen in the graph, in the list of triples and among the words, and where the focus is.

import { say } from "../shared/elements.js";
import { keepInView, reveal } from "../shared/stage.js";
import { drawDoubts } from "./panels/doubts.js";
import { choosePart, describePart, doubtful, keyOf, lineOf, partData, sameAs } from "./places.js";
import { markNamed } from "./reading.js";
import { post } from "./sending/sending.js";
import { refuse, tell } from "./telling.js";

/** @param {Editor} view @param {Picked} part @param {boolean} byKey */
export function stand(view, part, byKey) {
  view.at = choosePart(view.data, view.walk, part);
  drawChosen(view);
  if (byKey) focusAt(view);
  else bringIntoView(view);
}

/** @param {Editor} view */
export function elementAt({ at, drawing }) {
  return (at.kind === "edge" ? drawing.edges : drawing.nodes)[at.place];
}

/** @param {Editor} view */
export function focusAt(view) {
  elementAt(view)?.focus({ preventScroll: true });
  bringIntoView(view);
}

/** Moves the drawing and the list so that what is chosen can be seen. @param {Editor} view */
export function bringIntoView(view) {
  const { at, data } = view;
  const edge = at.kind === "edge" ? data.edges[at.place] : null;
  const nodes = edge ? [data.nodes[edge.source], data.nodes[edge.target]] : [data.nodes[at.place]];
  reveal(view.drawing, nodes);
  const line = lineOf(data.lines, at);
  if (line >= 0 && !view.isWriting) keepInView(view.find(".lines"), view.lines[line]);
}

/** @param {Editor} view */
export function focusLine(view) {
  buttonOf(view.lines[lineOf(view.data.lines, view.at)])?.focus();
}

/** @param {HTMLElement | undefined} entry */
function buttonOf(entry) {
  return /** @type {HTMLElement | undefined} */ (entry?.firstElementChild ?? undefined);
}

/** Goes to the next doubtful part, as the graph is written. @param {Editor} view */
export function nextDoubt(view) {
  const { data, walk } = view;
  const parts = doubtful(data, walk);
  if (!parts.length) {
    refuse(view, data.doubtText || "No part of this graph is doubtful.");
    return;
  }
  const places = new Map(walk.order.map((part, place) => [keyOf(part), place]));
  const here = places.get(keyOf(view.at)) ?? -1;
  stand(view, parts.find((part) => (places.get(keyOf(part)) ?? -1) > here) ?? parts[0], true);
}

// --- words --------------------------------------------------------------------------------

/** @param {Editor} view @param {number} place */
export function focusWord(view, place) {
  view.tokens.forEach((token, at) => {
    const word = buttonOf(token);
    if (word) word.tabIndex = at === place ? 0 : -1;
  });
  buttonOf(view.tokens[place])?.focus();
}

/** @param {Editor} view @param {number} place @param {boolean} isIn */
export function markWord(view, place, isIn) {
  if (isIn) view.span.add(place);
  else view.span.delete(place);
  drawChosen(view);
}

/** Goes to the node that stands for a word; once more to the next one.
 * @param {Editor} view @param {number} word @param {boolean} byKey */
export function standAtWord(view, word, byKey) {
  const { at, data } = view;
  if (data.fold && data.covered.includes(word)) {
    post(view, { do: "show", word, at: at.id });
    return;
  }
  const places = data.nodes.flatMap((node, place) => (node.tokens.includes(word) ? [place] : []));
  if (!places.length) {
    tell(view, `“${data.tokens[word]}”: no node stands for it`);
    return;
  }
  const now = at.kind === "node" ? places.indexOf(at.place) : -1;
  stand(view, { kind: "node", place: places[(now + 1) % places.length] }, byKey);
}

// --- drawing ------------------------------------------------------------------------------

/** @param {Editor} view */
export function drawChosen(view) {
  const { at, data, drawing, span } = view;
  const own = new Set(partData(data, at).tokens);
  const covered = new Set(data.covered);
  view.tokens.forEach((token, place) => {
    token.classList.toggle("here", own.has(place));
    token.classList.toggle("spanned", span.has(place));
    token.classList.toggle("covered", covered.has(place));
    token.firstElementChild?.setAttribute("aria-pressed", String(span.has(place)));
  });
  const chosen = elementAt(view);
  // A browser that is told of a place in the order of Tab looks at once whether the focus may stay.
  for (const element of drawing.svg.querySelectorAll(".selected")) {
    if (element !== chosen) markChosen(element, false);
  }
  if (chosen && !chosen.classList.contains("selected")) markChosen(chosen, true);
  const line = lineOf(data.lines, at);
  view.lines.forEach((entry, place) => {
    const isHere = place === line;
    if (entry.classList.contains("selected") !== isHere) entry.classList.toggle("selected", isHere);
    const index = place === Math.max(0, line) ? "0" : "-1";
    const button = entry.firstElementChild;
    if (button?.getAttribute("tabindex") !== index) button?.setAttribute("tabindex", index);
  });
  markNamed(view);
  drawHint(view);
  drawDoubts(view);
}

/** @param {Element} element @param {boolean} isChosen */
function markChosen(element, isChosen) {
  element.classList.toggle("selected", isChosen);
  element.setAttribute("aria-pressed", String(isChosen));
  element.setAttribute("tabindex", isChosen ? "0" : "-1");
}

/** @param {Editor} view */
export function drawHint(view) {
  const { at, data, mode } = view;
  view.find(".ask").hidden = !mode;
  say(view.find(".ask"), mode?.hint ?? "");
  const { origin, tokens } = partData(data, at);
  const words = tokens.map((token) => data.tokens[token]).join(" ");
  const guess = at.kind === "node" && data.nodes[at.place]?.guessed ? " (by rules, not saved)" : "";
  const stands = at.kind === "node" ? `, stands for ${words ? `“${words}”${guess}` : "no token"}` : "";
  const same = at.kind === "node" ? sameAs(data.nodes[at.place] ?? {}) : [];
  const parts = [describePart(data, at) + stands, ...same, ...(origin ? [origin] : [])];
  say(view.find(".hint"), parts.join(" · "));
}
