// An exercise around a trace: its parts, its keys, and what of it changes with a step. Going
// back and forth is local, as in any trace.

import { make, say, shape, within } from "../shared/elements.js";
import { finish, focusedIn, isInside, isWithControl, signOf } from "../shared/keys.js";
import { acknowledge, newOutbox } from "../shared/outbox.js";
import { scale } from "../shared/stage.js";
import { draw } from "../trace/draw.js";
import { drawCaps } from "../trace/keys.js";
import { clamp, lastStep } from "../trace/view.js";
import { drawBar, mountBar } from "./bar.js";
import { drillOf, redo, send, undo, wordsAt } from "./drill.js";
import { fillOffers, firstMove, mountMoves } from "./moves.js";
import { chooseEnd, drawMoves } from "./possible.js";
import { drawTask, mountTask } from "./task.js";
import { mountTour, showTour } from "./tour.js";

/** @type {Record<string, string>} */
const ACTIONS = { s: "SHIFT", d: "REDUCE", m: "MERGE", c: "COPY(lemma)", v: "COPY(sense)" };

/** @param {View} view @param {Exercise | undefined} exercise @param {Reply} reply */
export function showExercise(view, exercise, reply) {
  if (!exercise) return;
  const drill = (view.drill ??= mountExercise(view, exercise));
  const isOther = drill.exercise.lesson !== exercise.lesson;
  drill.exercise = exercise;
  drill.send = (messages) => reply("ask", { lesson: exercise.lesson, messages });
  const isAnswer = acknowledge(drill.box, exercise.ack);
  if (isOther) drill.box.messages = [];
  view.root.setAttribute("aria-busy", String(drill.box.messages.length > 0));
  nameEnd(view);
  numberNodes(view);
  drawTask(view);
  drawBar(view);
  fillOffers(view);
  showTour(view);
  if (!isOther) view.drawing.zoom ??= drill.zoom;
  if (isAnswer) view.step = clamp(view.trace, exercise.at);
  scale(view.drawing);
  draw(view);
  if (isAnswer) keepFocus(view);
}

/** @param {View} view @param {Exercise} exercise @returns {Drill} */
function mountExercise(view, exercise) {
  const { find, root } = view;
  root.classList.add("exercise");
  root.setAttribute("aria-label", "Exercise");
  find(".live").setAttribute("aria-live", "off");
  const goal = /** @type {Element} */ (find(".penman").closest(".panel"));
  within(goal, "h3").textContent = "Goal (PENMAN)";
  /** @type {Drill} */
  const drill = {
    exercise, send: () => {}, box: newOutbox(), zoom: null, wasInside: false,
    told: make("p", "unseen told", { role: "status" }),
    task: mountTask(view), tour: mountTour(view), bar: mountBar(view), moves: mountMoves(view),
  };
  find(".top").before(drill.told, drill.tour.panel);
  find(".body").prepend(drill.task.panel);
  root.addEventListener("keydown", (event) => pressedInDrill(view, event), true);
  find(".stage").addEventListener("click", (event) => chooseEnd(view, event));
  view.onDraw.push(() => drawExercise(view));
  return drill;
}

// --- keys -----------------------------------------------------------------------------------

/** @param {View} view @param {KeyboardEvent} event */
function pressedInDrill(view, event) {
  if (isInside(event, "input, select, dialog[open]")) {
    event.stopPropagation();
    if (event.key === "Escape") view.root.focus({ preventScroll: true });
    return;
  }
  drawCaps(view, event);
  const key = signOf(event, () => false).toLowerCase();
  const isControl = isWithControl(event);
  if (event.altKey || (isControl && key !== "z" && key !== "y")) return;
  if (isControl || key === "u" || key === "y") {
    if (key === "y" || (event.shiftKey && key === "z")) redo(view);
    else undo(view);
    finish(event);
  } else if (doKey(view, key)) finish(event);
}

/** Does what a key stands for; gives whether it stood for anything. @param {View} view @param {string} key */
function doKey(view, key) {
  const { moves, task } = drillOf(view);
  if (ACTIONS[key]) {
    send(view, "act", ACTIONS[key]);
    return true;
  }
  if (key === "h") {
    task.hint.open = !task.hint.open;
    return true;
  }
  /** @type {Record<string, HTMLElement>} */
  const fields = { p: moves.pred, k: moves.constant, e: moves.role, o: moves.root, t: moves.typed,
    b: moves.patterns.form?.hidden ? moves.template : moves.patterns };
  if (!fields[key]?.offsetParent) return false;
  fields[key].focus();
  return true;
}

// --- drawing --------------------------------------------------------------------------------

/** The place after the last word, in a learner's words. @param {View} view */
function nameEnd(view) {
  const end = view.words.length - 1;
  view.words[end] = "the end";
  say(within(view.tokens[end], "bdi"), "(end)");
}

/** @param {View} view */
function numberNodes({ drawing, trace }) {
  drawing.nodes.forEach((group, place) => {
    const node = trace.nodes[place];
    group.classList.toggle("goal", Boolean(node.goal));
    if (group.querySelector(".position") || node.inside) return;
    const at = { x: node.x - node.w / 2 + 2, y: node.y - node.h / 2 - 7 };
    within(group, ".weight").before(shape("text", { ...at, class: "position" }, String(node.step - 1)));
  });
  drawing.edges.forEach((group, place) => group.classList.toggle("goal", Boolean(trace.edges[place].goal)));
}

/** Called with every step that is drawn. @param {View} view */
function drawExercise(view) {
  const { bar, exercise, told } = drillOf(view);
  if (exercise.key !== view.trace.key) return;
  bar.undoes.setAttribute("aria-disabled", String(view.step === 0));
  bar.redoes.setAttribute("aria-disabled", String(view.step === lastStep(view.trace)));
  view.root.classList.toggle("closed", Boolean(exercise.closed[view.step]));
  view.root.classList.toggle("ghosts", exercise.ghost);
  drawMoves(view);
  const num = `${view.step} ${view.step === 1 ? "action" : "actions"} taken.`;
  say(told, `${num} Now at “${wordsAt(view)}”.`);
}

/** A pressed button may be gone with the answer: the focus then stays among the moves. @param {View} view */
function keepFocus(view) {
  const focused = focusedIn(view.root);
  if (focused?.offsetParent && !focused.hidden) return;
  if (drillOf(view).wasInside) (firstMove(view) ?? view.root).focus({ preventScroll: true });
}
