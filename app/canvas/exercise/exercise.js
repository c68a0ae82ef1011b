// An exercise: the learner chooses the actions. Going back and forth is local, as in any
// trace; every choice goes out as a numbered message, as component state, and is answered
// in the data: see DESIGN, outbox. Here a step is a moment: step k comes after k actions.

import { chooseEnd, drawMoves, fillOffers, firstMove, mountMoves } from "./moves.js";
import { fill, make, say, shape } from "../shared/elements.js";
import { isInside } from "../shared/keys.js";
import { scale } from "../shared/stage.js";
import { draw, stepAt } from "../trace/draw.js";
import { pause, showKeys } from "../trace/play.js";
import { clamp, go, lastStep } from "../trace/step.js";

const RUNS = [
  ["reentrancy", "first reentrancy"],
  ["ra", "next RA"],
  ["entropy", "a model's entropy above"],
  ["end", "end"],
];

const PARTS = {
  task: ".task", tokens: ".tokens", moves: ".moves", drawing: ".drawing", history: ".history",
  bar: ".drill-bar",
};

export function showExercise(view, exercise, send) {
  if (!exercise) return;
  view.drill = view.drill || mountExercise(view);
  const { drill } = view;
  const isAnswer = exercise.ack > drill.acked;
  const isOther = drill.exercise && drill.exercise.lesson !== exercise.lesson;
  drill.exercise = exercise;
  drill.send = (messages) => send("ask", { lesson: exercise.lesson, messages });
  drill.acked = Math.max(drill.acked, exercise.ack);
  drill.number = Math.max(drill.number, exercise.ack);
  drill.queue = isOther ? [] : drill.queue.filter((message) => message.number > exercise.ack);
  view.root.setAttribute("aria-busy", String(drill.queue.length > 0));
  nameEnd(view);
  numberJumps(view);
  numberNodes(view);
  drawTask(view);
  drawBar(view);
  fillOffers(view);
  showTour(view);
  if (view.zoom === null && drill.zoom && !isOther) view.zoom = drill.zoom;
  if (isAnswer && view.step !== exercise.at) view.step = clamp(view, exercise.at);
  scale(view);
  draw(view);
  if (isAnswer) keepFocus(view);
}

function mountExercise(view) {
  const { root } = view;
  root.classList.add("exercise");
  root.setAttribute("aria-label", "Exercise");
  view.find(".live").setAttribute("aria-live", "off");
  view.find(".penman").closest(".panel").querySelector("h3").textContent = "Goal (PENMAN)";
  const drill = {
    number: 0, acked: 0, queue: [], exercise: null, send: () => {}, zoom: null, toured: -1,
  };
  view.drill = drill;
  drill.told = make("p", "unseen told");
  drill.told.setAttribute("role", "status");
  drill.task = mountTask(view);
  drill.tour = mountTour(view);
  drill.bar = mountBar(view);
  drill.moves = mountMoves(view);
  view.find(".top").before(drill.told, drill.tour.panel);
  view.find(".body").prepend(drill.task.panel);
  root.addEventListener("keydown", (event) => drillKey(view, event), true);
  view.find(".stage").addEventListener("click", (event) => chooseEnd(view, event));
  return drill;
}

// --- messages -------------------------------------------------------------------------

export function drillSend(view, verb, text = "", threshold = 0) {
  const { drill } = view;
  drill.number += 1;
  const moment = drill.queue.length ? null : view.step;
  drill.queue.push({ number: drill.number, seen: drill.acked, verb, moment, text, threshold });
  view.root.setAttribute("aria-busy", "true");
  pause(view);
  clearTimeout(view.timer); // the answer moves on by itself
  drill.zoom = view.zoom;
  drill.wasInside = drill.moves.panel.contains(view.root.getRootNode().activeElement);
  drill.send([...drill.queue]);
}

function undo(view) {
  const { own } = view.drill.exercise;
  let step = view.step - 1;
  while (step > 0 && !own[step]) step -= 1; // to where the learner last chose
  go(view, Math.max(0, step));
}

function redo(view) {
  const { own } = view.drill.exercise;
  let step = view.step + 1;
  while (step < own.length && !own[step]) step += 1;
  go(view, step);
}

function drillKey(view, event) {
  if (isInside(event, "input, select, dialog")) {
    event.stopPropagation();
    if (event.key === "Escape") view.root.focus({ preventScroll: true });
    return;
  }
  const isWithControl = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (event.altKey || (isWithControl && key !== "z" && key !== "y")) return;
  if (!drillShortcut(view, key, isWithControl, event.shiftKey)) return;
  event.preventDefault();
  event.stopPropagation();
}

// Does what a key stands for; gives whether it stood for anything.
function drillShortcut(view, key, isWithControl, isShifted) {
  const { moves, task } = view.drill;
  if (isWithControl || key === "u" || key === "y") {
    if (key === "y" || (isShifted && key === "z")) redo(view);
    else undo(view);
    return true;
  }
  const actions = { s: "SHIFT", d: "REDUCE", m: "MERGE", c: "COPY(lemma)", v: "COPY(sense)" };
  if (actions[key]) {
    drillSend(view, "act", actions[key]);
    return true;
  }
  const fields = { p: moves.pred, k: moves.constant, e: moves.role, o: moves.root, t: moves.typed,
    b: moves.patterns.form.hidden ? moves.template : moves.patterns };
  if (fields[key] && fields[key].offsetParent) {
    fields[key].focus();
    return true;
  }
  if (key === "h") {
    task.hint.open = !task.hint.open;
    return true;
  }
  return false;
}

// --- the task, with its terms explained -------------------------------------------------

function mountTask(view) {
  const panel = make("section", "panel task");
  panel.setAttribute("aria-label", "Task");
  const title = make("h3", "");
  const text = make("div", "task-text");
  const meaning = make("p", "meaning");
  meaning.setAttribute("role", "status");
  const hint = make("details", "hint");
  const hintText = make("p", "");
  hint.append(make("summary", "", "Hint"), hintText);
  panel.append(title, text, meaning, hint);
  panel.addEventListener("click", (event) => {
    const button = event.target.closest(".term");
    if (button) explain(view, button);
  });
  panel.addEventListener("keydown", (event) => {
    if (event.key === "Escape") explain(view, null);
  });
  return { panel, title, text, meaning, hint, hintText, shown: null };
}

function drawTask(view) {
  const { task, exercise } = view.drill;
  if (task.shown === exercise.lesson) return;
  task.shown = exercise.lesson;
  task.hint.open = false;
  say(task.title, exercise.title);
  say(task.meaning, "");
  task.hint.hidden = !exercise.hint;
  say(task.hintText, exercise.hint);
  const paragraphs = [make("p", "")];
  for (const piece of exercise.task) {
    if (typeof piece !== "string") {
      paragraphs.at(-1).append(termButton(piece[0], piece[1], exercise.terms));
      continue;
    }
    piece.split(/\n+/).forEach((text, place) => {
      if (place) paragraphs.push(make("p", ""));
      paragraphs.at(-1).append(text);
    });
  }
  task.text.replaceChildren(...paragraphs);
}

function termButton(text, term, terms) {
  const button = make("button", "term", text);
  button.type = "button";
  button.title = terms[term];
  button.dataset.term = term;
  button.setAttribute("aria-expanded", "false");
  return button;
}

function explain(view, button) {
  const { task, exercise } = view.drill;
  const isAgain = !button || button.getAttribute("aria-expanded") === "true";
  for (const term of task.text.querySelectorAll(".term")) {
    term.setAttribute("aria-expanded", String(term === button && !isAgain));
  }
  const { term } = button ? button.dataset : {};
  say(task.meaning, isAgain ? "" : `${term}: ${exercise.terms[term]}`);
}

// --- the bar: undo, redo, start again, run, show ------------------------------------------

function mountBar(view) {
  const panel = make("div", "drill-bar");
  panel.setAttribute("role", "toolbar");
  panel.setAttribute("aria-label", "Back and forth");
  const button = (name, title, press) => {
    const made = make("button", "", name);
    made.type = "button";
    made.title = title;
    made.addEventListener("click", press);
    return made;
  };
  const undoes = button("Undo", "Undo (u, Ctrl+Z)", () => undo(view));
  const redoes = button("Redo", "Redo (y, Ctrl+Y)", () => redo(view));
  const again = button("Start again", "Begin the lesson again", () => drillSend(view, "restart"));
  const reveals = button("Show me", "Let the page take the next right action",
    () => drillSend(view, "reveal"));
  const stop = make("select", "");
  stop.setAttribute("aria-label", "Where a run stops");
  const level = make("input", "level");
  Object.assign(level, { type: "number", min: "0", max: "9", step: "0.1", value: "0.5" });
  level.setAttribute("aria-label", "Entropy in nats");
  stop.addEventListener("change", () => (level.hidden = stop.value !== "entropy"));
  const runs = button("Run", "Let the page take right actions up to there",
    () => drillSend(view, "run", stop.value, Number(level.value) || 0));
  const label = make("span", "note", "Run to");
  const tour = button("Tour", "A short tour of this page", () => startTour(view));
  const keys = button("", "List of keys (?)", () => showKeys(view));
  keys.append(make("kbd", "", "?"), " Keys");
  const score = make("output", "score note");
  panel.append(undoes, redoes, again, reveals, label, stop, level, runs, score, tour, keys);
  view.find(".controls").after(panel);
  addKeys(view);
  return { panel, undoes, redoes, stop, level, score, running: [label, stop, runs] };
}

function drawBar(view) {
  const { bar, exercise } = view.drill;
  const options = RUNS.filter(([name]) => name !== "entropy" || exercise.model);
  if (bar.stop.options.length !== options.length) {
    fill(bar.stop, options, ([name, text]) => {
      const option = make("option", "", text);
      option.value = name;
      return option;
    });
  }
  // Where the page takes some kinds of action itself, a run could stop before one of them.
  const isRunning = !exercise.asks.length;
  for (const part of bar.running) part.hidden = !isRunning;
  bar.level.hidden = !isRunning || bar.stop.value !== "entropy";
  bar.stop.title = exercise.model ? `The model is ${exercise.model}` : "";
  const { score } = exercise;
  say(bar.score, score ? `${score[0]} of ${score[1]} right at once` : "");
}

function addKeys(view) {
  const rows = [
    ["s d m", "SHIFT, REDUCE, MERGE"], ["c v", "COPY(lemma), COPY(sense)"],
    ["p k b", "to the fields of PRED, CONST, SUBGRAPH"], ["e o t", "to edges, to the root, to typing"],
    ["u y", "undo, redo"], ["h", "hint"],
  ];
  for (const [keys, what] of rows.reverse()) {
    const name = make("dt", "");
    for (const key of keys.split(" ")) name.append(make("kbd", "", key), " ");
    view.find(".help dl").prepend(name, make("dd", "", what));
  }
}

// --- the tour -------------------------------------------------------------------------------

function mountTour(view) {
  const panel = make("section", "panel tour");
  panel.setAttribute("aria-label", "Tour of this page");
  panel.hidden = true;
  const title = make("h3", "");
  const text = make("p", "");
  const told = make("div", "");
  told.setAttribute("role", "status");
  told.append(title, text);
  const buttons = [["Back", -1], ["Next", 1], ["Skip the tour", 0]].map(([name, way]) => {
    const button = make("button", way === 1 ? "main" : "", name);
    button.type = "button";
    button.addEventListener("click", () => {
      if (way) goTour(view, view.drill.toured + way);
      else goTour(view, Infinity);
    });
    return button;
  });
  const row = make("div", "row");
  row.append(...buttons);
  panel.append(told, row);
  return { panel, title, text, buttons, isOffered: false };
}

function showTour(view) {
  const { tour, exercise } = view.drill;
  if (!exercise.tour || tour.isOffered) return;
  tour.isOffered = true;
  goTour(view, 0);
}

function startTour(view) {
  goTour(view, 0);
  view.drill.tour.buttons[1].focus();
}

function goTour(view, place) {
  const { drill } = view;
  const { places } = drill.exercise;
  const isOver = place >= places.length;
  drill.toured = isOver ? -1 : Math.max(0, place);
  drill.tour.panel.hidden = isOver;
  for (const old of view.root.querySelectorAll(".toured")) old.classList.remove("toured");
  if (isOver) {
    drill.tour.isOffered = true;
    if (drill.exercise.tour) drillSend(view, "toured");
    view.root.focus({ preventScroll: true });
    return;
  }
  const [part, title, text] = places[drill.toured];
  say(drill.tour.title, `${title} (${drill.toured + 1} of ${places.length})`);
  say(drill.tour.text, text);
  drill.tour.buttons[0].disabled = drill.toured === 0;
  say(drill.tour.buttons[1], drill.toured === places.length - 1 ? "Begin" : "Next");
  view.find(PARTS[part]).classList.add("toured");
}

// --- drawing --------------------------------------------------------------------------------

// The place after the last word, in a learner's words.
function nameEnd(view) {
  view.words[view.words.length - 1] = "the end";
  say(view.tokens[view.tokens.length - 1].querySelector("bdi"), "(end)");
}

// The first entry is the start; the others are numbered as pointers count them.
function numberJumps(view) {
  view.jumps.forEach((jump, place) => {
    say(jump.querySelector(".number"), place ? String(place - 1) : "");
    if (!place) say(jump.querySelector(".name"), "start");
  });
}

function numberNodes(view) {
  view.nodes.forEach((group, place) => {
    const node = view.trace.nodes[place];
    group.classList.toggle("goal", Boolean(node.goal));
    if (group.querySelector(".position") || node.inside) return;
    const text = shape("text", {
      x: node.x - node.w / 2 + 2, y: node.y - node.h / 2 - 7, class: "position",
    }, String(node.step - 1));
    group.insertBefore(text, group.lastElementChild);
  });
  view.edges.forEach((group, place) => {
    group.classList.toggle("goal", Boolean(view.trace.edges[place].goal));
  });
}

// Called with every step that is drawn.
export function drawExercise(view) {
  if (!view.drill || !view.drill.exercise || view.drill.exercise.key !== view.trace.key) return;
  const { bar, exercise, told } = view.drill;
  bar.undoes.setAttribute("aria-disabled", String(view.step === 0));
  bar.redoes.setAttribute("aria-disabled", String(view.step === lastStep(view)));
  view.root.classList.toggle("closed", Boolean(exercise.closed[view.step]));
  view.root.classList.toggle("ghosts", exercise.ghost);
  drawMoves(view);
  const num = `${view.step} ${view.step === 1 ? "action" : "actions"} taken.`;
  say(told, `${num} Now at “${wordsAt(view)}”.`);
}

export function wordsAt(view) {
  const now = stepAt(view.trace, view.step);
  return view.words.slice(now.start, now.cursor + 1).join(" ");
}

// A pressed button may be gone with the answer: the focus then stays among the moves.
function keepFocus(view) {
  const focused = view.root.getRootNode().activeElement;
  if (focused && focused.offsetParent && !focused.hidden) return;
  if (view.drill.wasInside) (firstMove(view) || view.root).focus({ preventScroll: true });
}
