// Roving focus: each list of things to pick is one stop of the tab key; the up and down
// arrows go from one to the next inside it.

import { within } from "../shared/elements.js";
import { focusedIn, leadsTo } from "../shared/keys.js";

/** @param {View} view */
export function buildRovers(view) {
  const { drawing, trace } = view;
  const drawn = [
    ...drawing.nodes.map((element, place) => ({ element, step: trace.nodes[place].step })),
    ...drawing.edges.map((element, place) => ({ element, step: trace.edges[place].step })),
  ];
  drawn.sort((one, other) => one.step - other.step);
  view.groups = [
    view.tokens.map((token) => within(token, "button")),
    drawn.map(({ element }) => element),
    view.triples.map((entry) => within(entry, "button")),
  ];
  view.rovers = view.groups.map(() => null);
}

/** @param {Element} element */
function isShown(element) {
  if (element.parentElement?.hidden) return false;
  return !element.classList.contains("absent") && !element.classList.contains("folded");
}

/** Sees that each list has one stop, and that the focus is not lost with what is hidden. @param {View} view */
export function drawRovers(view) {
  const focused = focusedIn(view.root);
  view.groups.forEach((group, place) => {
    const rover = view.rovers[place];
    if (rover && isShown(rover)) return;
    const next = group.find(isShown) ?? null;
    if (rover && rover === focused) focusOn(next ?? view.root);
    setRover(view, place, next);
  });
}

/** @param {Element} element */
function focusOn(element) {
  /** @type {HTMLElement} */ (element).focus({ preventScroll: true });
}

/** @param {View} view @param {number} place @param {Element | null} element */
function setRover(view, place, element) {
  view.rovers[place]?.setAttribute("tabindex", "-1");
  element?.setAttribute("tabindex", "0");
  view.rovers[place] = element;
}

/** @param {View} view @param {Element} element */
export function roverFocused(view, element) {
  const place = view.groups.findIndex((group) => group.includes(element));
  if (place >= 0 && view.rovers[place] !== element) setRover(view, place, element);
}

/** @param {View} view @param {HTMLElement} element @param {string} key */
export function rove(view, element, key) {
  const group = view.groups.find((candidate) => candidate.includes(element)) ?? [];
  /** @type {HTMLElement | undefined} */ (leadsTo(group.filter(isShown), element, key))?.focus();
}
