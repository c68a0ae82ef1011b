// The tour of an exercise: a few stops, each at a part of the page.

import { make, makeButton, say } from "../shared/elements.js";
import { drillOf, send } from "./drill.js";

/** @type {Record<string, string>} */
const PARTS = {
  task: ".task", tokens: ".tokens", moves: ".moves", drawing: ".drawing", history: ".history",
  bar: ".drill-bar",
};

/** @param {View} view */
export function mountTour(view) {
  const title = make("h3", "");
  const text = make("p", "");
  const back = makeButton("", "Back");
  const next = makeButton("main", "Next");
  const skip = makeButton("", "Skip the tour");
  back.addEventListener("click", () => goTour(view, drillOf(view).tour.at - 1));
  next.addEventListener("click", () => goTour(view, drillOf(view).tour.at + 1));
  skip.addEventListener("click", () => goTour(view, Infinity));
  const panel = make("section", "panel tour", { "aria-label": "Tour of this page", hidden: "" },
    make("div", "", { role: "status" }, title, text), make("div", "row", back, next, skip));
  return { panel, title, text, back, next, isOffered: false, at: -1 };
}

/** Begins by itself, once. @param {View} view */
export function showTour(view) {
  const { tour, exercise } = drillOf(view);
  if (!exercise.tour || tour.isOffered) return;
  tour.isOffered = true;
  goTour(view, 0);
}

/** @param {View} view */
export function startTour(view) {
  goTour(view, 0);
  drillOf(view).tour.next.focus();
}

/** @param {View} view @param {number} place  Past the last one it is over. */
function goTour(view, place) {
  const { tour, exercise } = drillOf(view);
  const { places } = exercise;
  const isOver = place >= places.length;
  tour.at = isOver ? -1 : Math.max(0, place);
  tour.panel.hidden = isOver;
  for (const old of view.root.querySelectorAll(".toured")) old.classList.remove("toured");
  if (isOver) {
    tour.isOffered = true;
    if (exercise.tour) send(view, "toured");
    view.root.focus({ preventScroll: true });
    return;
  }
  const [part, title, text] = places[tour.at];
  say(tour.title, `${title} (${tour.at + 1} of ${places.length})`);
  say(tour.text, text);
  tour.back.disabled = tour.at === 0;
  say(tour.next, tour.at === places.length - 1 ? "Begin" : "Next");
  view.find(PARTS[part]).classList.add("toured");
}
