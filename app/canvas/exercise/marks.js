// Steps at which something is to be seen, such as a model that would go another way: marked
// in the list of actions, with buttons and a key to go from one to the next. A trace in
// which no model decided anything is shown without the parts that tell of a model.

import { make, makeButton, say } from "../shared/elements.js";
import { finish, focusedIn, isInside, isWithModifier, keyEntry, signOf } from "../shared/keys.js";
import { isOwn } from "../trace/keys.js";
import { go } from "../trace/step.js";
import { onPageKey } from "../trace/view.js";

/** @param {View} view @param {Marks | null | undefined} marks */
export function showMarks(view, marks) {
  view.root.classList.toggle("unscored", Boolean(view.trace.unscored));
  if (!marks && !view.marking) return;
  const marking = (view.marking ??= mountMarks(view));
  marking.strip.hidden = !marks;
  marking.steps = marks?.steps ?? [];
  say(marking.text, marks?.text ?? "");
  for (const button of marking.buttons) button.hidden = !marking.steps.length;
  for (const old of view.find(".actions").querySelectorAll(".marked")) old.remove();
  for (const step of marking.steps) {
    view.jumps[step + 1]?.append(
      make("span", "marked", { title: marks?.what }, "≠", make("span", "unseen", ` ${marks?.what}`)));
  }
}

/** @param {View} view @returns {Marking} */
function mountMarks(view) {
  const text = make("p", "", { role: "status" });
  const buttons = [makeButton("to-mark", "Previous ≠ (N)"), makeButton("to-mark", "Next ≠ (n)")];
  buttons.forEach((button, place) => button.addEventListener("click", () => goToMark(view, place ? 1 : -1)));
  const strip = make("section", "panel marks", { "aria-label": "Marked actions" }, text, ...buttons);
  view.find(".body").before(strip);
  view.root.addEventListener("keydown", (event) => pressedMark(view, event));
  onPageKey(view, (event) => {
    if (document.activeElement === document.body || !document.activeElement) pressedMark(view, event);
  });
  view.find(".help dl").append(...keyEntry(["n", "N"], "next or previous marked action (≠)"));
  return { strip, text, buttons, steps: [] };
}

/** @param {View} view @param {KeyboardEvent} event */
function pressedMark(view, event) {
  const key = signOf(event, isOwn);
  const isTyping = isInside(event, "dialog[open], select, input:not([type=range]), textarea");
  if (isTyping || isWithModifier(event) || key.toLowerCase() !== "n") return;
  goToMark(view, key === "n" ? 1 : -1);
  finish(event);
}

/** @param {View} view @param {number} way */
function goToMark(view, way) {
  const next = nextMark(view.marking?.steps ?? [], view.step, way);
  if (next === undefined) return;
  const inList = focusedIn(view.root)?.classList.contains("jump");
  go(view, next); // the moment at which the marked action is the next
  if (inList) view.jumps[next].focus({ preventScroll: true });
}

/** Goes round: after the last mark comes the first.
 * @param {number[]} steps @param {number} from @param {number} way */
export function nextMark(steps, from, way) {
  return way > 0
    ? steps.find((step) => step > from) ?? steps[0]
    : steps.findLast((step) => step < from) ?? steps.at(-1);
}
