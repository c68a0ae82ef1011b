// The task of an exercise, with its terms explained.

import { make, makeButton, say } from "../shared/elements.js";
import { holderOf } from "../shared/keys.js";
import { drillOf } from "./drill.js";

/** @param {View} view */
export function mountTask(view) {
  const title = make("h3", "");
  const text = make("div", "task-text");
  const meaning = make("p", "meaning", { role: "status" });
  const hintText = make("p", "");
  const hint = make("details", "hint", make("summary", "", "Hint"), hintText);
  const panel = make("section", "panel task", { "aria-label": "Task" }, title, text, meaning, hint);
  panel.addEventListener("click", (event) => {
    const button = holderOf(event, ".term");
    if (button) explain(view, button);
  });
  panel.addEventListener("keydown", (event) => {
    if (event.key === "Escape") explain(view, null);
  });
  return { panel, title, text, meaning, hint, hintText, shown: "" };
}

/** @param {View} view */
export function drawTask(view) {
  const { task, exercise } = drillOf(view);
  if (task.shown === exercise.lesson) return;
  task.shown = exercise.lesson;
  task.hint.open = false;
  say(task.title, exercise.title);
  say(task.meaning, "");
  task.hint.hidden = !exercise.hint;
  say(task.hintText, exercise.hint);
  task.text.replaceChildren(...paragraphsOf(exercise));
}

/** @param {Exercise} exercise */
function paragraphsOf({ task, terms }) {
  let paragraph = make("p", "");
  const paragraphs = [paragraph];
  for (const piece of task) {
    if (typeof piece !== "string") {
      const [text, term] = piece;
      paragraph.append(makeButton("term",
        { title: terms[term], "data-term": term, "aria-expanded": false }, text));
      continue;
    }
    piece.split(/\n+/).forEach((text, place) => {
      if (place) paragraphs.push(paragraph = make("p", ""));
      paragraph.append(text);
    });
  }
  return paragraphs;
}

/** @param {View} view @param {HTMLElement | null} button  Once more takes the meaning away. */
function explain(view, button) {
  const { task, exercise } = drillOf(view);
  const shown = button?.getAttribute("aria-expanded") === "true" ? null : button;
  for (const term of task.text.querySelectorAll(".term")) {
    term.setAttribute("aria-expanded", String(term === shown));
  }
  const term = shown?.dataset.term ?? "";
  say(task.meaning, shown ? `${term}: ${exercise.terms[term]}` : "");
}
