// The lessons that follow one another: which is open, which this browser has seen finished, and
// how the open one is asked.

import { fill, make, optionOf, say } from "../shared/elements.js";
import { keepAs, readKept } from "../shared/kept.js";
import { drillOf, send } from "./drill.js";

const FINISHED = "aptamr.lessons.finished"; // ids of lessons

/** @param {View} view */
export function mountCourse(view) {
  const lessons = make("select", "lessons", { "aria-label": "Lesson" });
  const mode = make("select", "", { "aria-label": "What to do" });
  const feedback = make("select", "", { "aria-label": "What you are told" });
  const progress = make("output", "note");
  lessons.addEventListener("change", () => send(view, "open", lessons.value));
  for (const select of [mode, feedback]) {
    select.addEventListener("change", () => send(view, "settings", `${mode.value} ${feedback.value}`));
  }
  const panel = make("div", "course", lessons, mode, feedback, progress);
  return { panel, lessons, mode, feedback, progress };
}

/** @param {View} view */
export function drawCourse(view) {
  const { course, exercise } = drillOf(view);
  if (exercise.finished && exercise.here) keepFinished(exercise.here);
  const finished = finishedLessons();
  const listed = exercise.course.map(([id, title], place) =>
    optionOf(id, `${finished.has(id) ? "✓ " : ""}${place + 1}. ${title}`));
  course.lessons.replaceChildren(...(exercise.here ? [] : [ownOption()]), ...listed);
  course.lessons.value = exercise.here;
  fill(course.mode, exercise.modes, ([value, name]) => optionOf(value, name));
  fill(course.feedback, exercise.feedbacks, ([value, name]) => optionOf(value, name));
  course.mode.value = exercise.mode;
  course.feedback.value = exercise.feedback;
  const num = exercise.course.filter(([id]) => finished.has(id)).length;
  say(course.progress, `${num} of ${exercise.course.length}${exercise.chosen ? " of this set" : ""} finished`);
}

function ownOption() {
  const option = optionOf("", "A lesson of your own");
  option.disabled = true;
  return option;
}

/** @returns {Set<string>} */
function finishedLessons() {
  const kept = readKept(FINISHED);
  return new Set(Array.isArray(kept) ? kept : []);
}

/** @param {string} id */
function keepFinished(id) {
  const finished = finishedLessons();
  if (finished.has(id)) return;
  keepAs(FINISHED, [...finished, id]);
}

/** Gives the lesson that follows the open one. @param {Pick<Exercise, "course" | "here">} exercise */
export function lessonAfter({ course, here }) {
  const place = course.findIndex(([id]) => id === here);
  return place < 0 ? undefined : course[place + 1];
}

/** Says that no lesson follows, and which of them are left.
 * @param {Pick<Exercise, "course" | "here" | "chosen">} exercise @param {Set<string>} [finished] */
export function tellEnd({ course, here, chosen }, finished = finishedLessons()) {
  if (!here) return "";
  const left = course.map(([id, title], place) => ({ id, title: `${place + 1}. ${title}` }))
    .filter(({ id }) => id !== here && !finished.has(id));
  const end = chosen ? "This was the last lesson of the set" : "This was the last lesson";
  return left.length
    ? `${end}. Not finished yet: ${left.map(({ title }) => title).join("; ")}.`
    : `${end}: all are finished.`;
}
