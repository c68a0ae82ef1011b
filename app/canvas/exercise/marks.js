// Steps at which something is to be seen, such as a model that would go another way: marked
// in the list of actions, with buttons and a key to go from one to the next. A trace in
// which no model decided anything is shown without the parts that tell of a model.

import { make, say } from "../shared/elements.js";
import { isInside } from "../shared/keys.js";
import { go } from "../trace/step.js";

export function showMarks(view, marks) {
  view.root.classList.toggle("unscored", Boolean(view.trace.unscored));
  if (!marks && !view.marking) return;
  view.marking = view.marking || mountMarks(view);
  const { marking } = view;
  marking.strip.hidden = !marks;
  marking.steps = marks ? marks.steps : [];
  say(marking.text, marks ? marks.text : "");
  for (const button of marking.buttons) button.hidden = !marking.steps.length;
  for (const old of view.find(".actions").querySelectorAll(".marked")) old.remove();
  for (const step of marking.steps) {
    if (!view.jumps[step]) continue;
    const sign = make("span", "marked", "≠");
    sign.title = marks.what;
    sign.append(make("span", "unseen", ` ${marks.what}`));
    view.jumps[step].append(sign);
  }
}

function mountMarks(view) {
  const strip = make("section", "panel marks");
  strip.setAttribute("aria-label", "Marked actions");
  const text = make("p", "");
  text.setAttribute("role", "status");
  const buttons = [["Previous ≠ (N)", -1], ["Next ≠ (n)", 1]].map(([name, way]) => {
    const button = make("button", "to-mark", name);
    button.type = "button";
    button.addEventListener("click", () => goToMark(view, way));
    return button;
  });
  strip.append(text, ...buttons);
  view.find(".body").before(strip);
  const key = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || isTyping(event)) return;
    if (event.key !== "n" && event.key !== "N") return;
    goToMark(view, event.key === "n" ? 1 : -1);
    event.preventDefault();
    event.stopPropagation();
  };
  const pageKey = (event) => {
    if (document.activeElement === document.body || !document.activeElement) key(event);
  };
  view.root.addEventListener("keydown", key);
  document.addEventListener("keydown", pageKey);
  const { unmount } = view;
  view.unmount = () => {
    document.removeEventListener("keydown", pageKey);
    unmount();
  };
  const keys = make("dt", "");
  keys.append(make("kbd", "", "n"), " ", make("kbd", "", "N"));
  view.find(".help dl").append(keys, make("dd", "", "next or previous marked action (≠)"));
  return { strip, text, buttons, steps: [] };
}

function isTyping(event) {
  return isInside(event, "dialog, select, input:not([type=range]), textarea");
}

// Goes round: after the last mark comes the first.
function goToMark(view, way) {
  const { steps } = view.marking;
  if (!steps.length) return;
  const further = steps.filter((step) => (way > 0 ? step > view.step : step < view.step));
  const next = way > 0 ? further[0] ?? steps[0] : further.at(-1) ?? steps.at(-1);
  const inList = view.root.getRootNode().activeElement?.classList.contains("jump");
  go(view, next);
  if (inList) view.jumps[next].focus({ preventScroll: true });
}
