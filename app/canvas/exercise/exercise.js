// An exercise around a trace: its parts, its keys, and what of it changes with a step. Going
// back and forth is local, as in any trace.

import { make, say, shape, within } from "../shared/elements.js";
import { focusedIn } from "../shared/keys.js";
import { acknowledge, newOutbox } from "../shared/outbox.js";
import { scale } from "../shared/stage.js";
import { draw } from "../trace/draw.js";
import { clamp, lastStep, momentText } from "../trace/view.js";
import { drawBar, mountBar } from "./bar.js";
import { drawCourse, mountCourse } from "./course.js";
import { drillOf, wordsAt } from "./drill.js";
import { drawHotkeys, mountHotkeys } from "./hotkeys.js";
import { fillOffers, firstMove, mountMoves } from "./moves.js";
import { chooseEnd, drawMoves } from "./possible.js";
import { drawTask, mountTask } from "./task.js";
import { mountTour, showTour } from "./tour.js";

/** What stands beside an action that was not right at once. @type {Record<string, [string, string]>} */
const MARKS = {
  wrong: ["✕", "left the way to the goal"],
  missed: ["↺", "the first answer here was not right"],
};

let arrived = 0; // of the lessons that were opened from elsewhere on the page: once led to is enough

/** @param {View} view @param {Exercise | undefined} exercise @param {Reply} reply */
export function showExercise(view, exercise, reply) {
  if (!exercise) return;
  const drill = (view.drill ??= mountExercise(view, exercise));
  const isOther = drill.exercise.lesson !== exercise.lesson;
  drill.exercise = exercise;
  drill.send = () => {
    const { messages, tries } = drill.box;
    reply("ask", { lesson: exercise.lesson, messages, tries });
  };
  const isAnswer = acknowledge(drill.box, exercise.ack);
  if (isOther) drill.box.messages = [];
  view.root.setAttribute("aria-busy", String(drill.box.messages.length > 0));
  drawCourse(view);
  nameEnd(view);
  numberNodes(view);
  drawTask(view);
  drawBar(view);
  markActions(view);
  fillOffers(view);
  showTour(view);
  if (!isOther) view.drawing.zoom ??= drill.zoom;
  if (isAnswer) view.step = clamp(view.trace, exercise.at);
  scale(view.drawing);
  draw(view);
  if (isOther || exercise.turn > arrived) lead(view);
  else if (isAnswer) keepFocus(view);
  arrived = exercise.turn;
}

/** Leads to the lesson that was opened: its task in view, its keys at work. @param {View} view */
function lead({ root }) {
  root.scrollIntoView({ block: "start" });
  root.focus({ preventScroll: true });
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
    course: mountCourse(view),
    told: make("p", "unseen told", { role: "status" }),
    task: mountTask(view), tour: mountTour(view), bar: mountBar(view), moves: mountMoves(view),
    hotkeys: mountHotkeys(view),
  };
  find(".top").before(drill.course.panel, drill.told, drill.tour.panel);
  find(".body").prepend(drill.task.panel);
  find(".stage").addEventListener("click", (event) => chooseEnd(view, event));
  view.onDraw.push(() => drawExercise(view));
  return drill;
}

// --- drawing --------------------------------------------------------------------------------

/** The place after the last token, in a learner's words. @param {View} view */
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

/** @param {View} view */
function markActions(view) {
  for (const old of view.find(".actions").querySelectorAll(".marked")) old.remove();
  drillOf(view).exercise.marks.forEach((mark, place) => {
    if (!mark) return;
    const [sign, what] = MARKS[mark];
    view.jumps[place + 1]?.append(
      make("span", `marked ${mark}`, { title: what }, sign, make("span", "unseen", ` ${what}`)));
  });
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
  drawHotkeys(view);
  say(told, `${momentText(view.step, lastStep(view.trace))}, at “${wordsAt(view)}”.`);
}

/** A pressed button may be gone with the answer: the focus then stays among the moves. @param {View} view */
function keepFocus(view) {
  const focused = focusedIn(view.root);
  if (focused?.offsetParent && !focused.hidden) return;
  if (drillOf(view).wasInside) (firstMove(view) ?? view.root).focus({ preventScroll: true });
}
