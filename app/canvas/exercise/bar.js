// The bar of an exercise: undo, redo, start again, run, show, and the list of keys.

import { fill, make, makeButton, optionOf, say } from "../shared/elements.js";
import { showKeys } from "../trace/keys.js";
import { drillOf, redo, send, undo } from "./drill.js";
import { startTour } from "./tour.js";

const RUNS = [
  ["reentrancy", "first reentrancy"],
  ["ra", "next RA"],
  ["entropy", "a model's entropy above"],
  ["end", "end"],
];

/** @param {View} view */
export function mountBar(view) {
  /** @type {(name: string, title: string, press: () => void) => HTMLButtonElement} */
  const button = (name, title, press) => {
    const made = makeButton("", { title }, name);
    made.addEventListener("click", press);
    return made;
  };
  const stop = make("select", "", { "aria-label": "Where a run stops" });
  const level = make("input", "level",
    { type: "number", min: 0, max: 9, step: 0.1, value: 0.5, "aria-label": "Entropy in nats" });
  stop.addEventListener("change", () => (level.hidden = stop.value !== "entropy"));
  const undoes = button("Undo", "Undo (u, Ctrl+Z)", () => undo(view));
  const redoes = button("Redo", "Redo (y, Ctrl+Y)", () => redo(view));
  const label = make("span", "note", "Run to");
  const runs = button("Run", "Let the page take right actions up to there",
    () => send(view, "run", stop.value, Number(level.value) || 0));
  const score = make("output", "score note");
  const keys = button("", "List of keys (?)", () => showKeys(view));
  keys.append(make("kbd", "", "?"), " Keys");
  const panel = make("div", "drill-bar", { role: "toolbar", "aria-label": "Back and forth" },
    undoes, redoes,
    button("Start again", "Begin the lesson again", () => send(view, "restart")),
    button("Show me", "Let the page take the next right action", () => send(view, "reveal")),
    label, stop, level, runs, score,
    button("Tour", "A short tour of this page", () => startTour(view)), keys);
  view.find(".controls").after(panel);
  return { panel, undoes, redoes, stop, level, score, running: [label, stop, runs] };
}

/** @param {View} view */
export function drawBar(view) {
  const { bar, exercise } = drillOf(view);
  const options = RUNS.filter(([name]) => name !== "entropy" || exercise.model);
  if (bar.stop.options.length !== options.length) {
    fill(bar.stop, options, ([name, text]) => optionOf(name, text));
  }
  // Where the page takes some kinds of action itself, a run could stop before one of them.
  const isRunning = !exercise.asks.length;
  for (const part of bar.running) part.hidden = !isRunning;
  bar.level.hidden = !isRunning || bar.stop.value !== "entropy";
  bar.stop.title = exercise.model ? `The model is ${exercise.model}` : "";
  const { score } = exercise;
  say(bar.score, score ? `${score[0]} of ${score[1]} right at once` : "");
}
