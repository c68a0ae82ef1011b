// Problems of the graph, with their fixes; a warning can be dismissed with a note. And comments.

import { fill, make } from "../../shared/elements.js";
import { drawChosen, focusWord, stand } from "../choosing.js";
import { keyOf, partOf } from "../places.js";
import { post } from "../sending/sending.js";
import { refuse, tell } from "../telling.js";
import { openPrompt } from "../typing/prompt.js";
import { hasFocus } from "../view.js";
import { isNewIn, listOf, panelButton, titled } from "./panel.js";

/** @param {Editor} view */
export function drawProblems(view) {
  const panel = view.find(".problems");
  const { problems, problemsText } = view.data;
  const wasInside = hasFocus(view, panel);
  panel.hidden = !problems.length;
  if (!isNewIn(panel, [problemsText, problems])) return;
  const list = make("ol", "");
  fill(list, problems, buildProblem);
  panel.replaceChildren(titled(problemsText), list);
  if (wasInside) (list.querySelector("button") ?? view.root).focus();
}

/** @param {Problem} problem @param {number} place */
function buildProblem({ severity, message, note, fixes }, place) {
  const isError = severity === "error";
  const sign = isError ? "Error" : "Warning";
  const entry = make("li", `problem ${severity}${note === null ? "" : " dismissed"}`,
    panelButton("line-of", "problem", place,
      make("b", "", note === null ? sign : "Dismissed"), " ", make("bdi", "", message)));
  if (note) entry.append(make("span", "note", `“${note}”`));
  entry.append(...fixes.map((fix, number) => panelButton("", "fix", place, { "data-fix": number }, fix.text)));
  if (!isError) entry.append(panelButton("", "dismiss", place, note === null ? "Dismiss" : "Show again"));
  return entry;
}

/** @param {Editor} view */
export function drawComments(view) {
  const panel = view.find(".comments");
  const { comments } = view.data.sentence;
  panel.hidden = !comments.length;
  panel.replaceChildren(titled("Comments"), listOf("", comments, ([person, text]) =>
    [make("bdi", "who", person), ": ", make("bdi", "", text)]));
}

/** @param {Editor} view @param {Problem} problem */
export function standAtProblem(view, { message, part: name, word }) {
  const part = partOf(view.data, name);
  if (part) stand(view, part, true);
  else if (name) post(view, { do: "show", part: name }); // it is folded
  else if (word !== null && view.tokens[word]) {
    view.span = new Set([word]);
    drawChosen(view);
    focusWord(view, word);
  }
  tell(view, message);
}

/** @param {Editor} view */
function openProblems({ data }) {
  return data.problems.filter((problem) => problem.note === null);
}

/** @param {Editor} view */
export function nextProblem(view) {
  const open = openProblems(view);
  if (!open.length) {
    refuse(view, "No problem is open.");
    return;
  }
  view.problemAt = (view.problemAt + 1) % open.length;
  standAtProblem(view, open[view.problemAt]);
}

/** Gives the problem that was gone to last, if it is of what is chosen; else the first one there.
 * @param {Editor} view */
function problemHere(view) {
  const open = openProblems(view);
  /** @param {Problem | undefined} problem */
  const isHere = (problem) => {
    if (!problem) return false;
    const part = partOf(view.data, problem.part);
    if (problem.part) return part !== null && keyOf(part) === keyOf(view.at);
    return problem.word === null || view.span.has(problem.word);
  };
  return [open[view.problemAt], ...open].find(isHere);
}

/** @param {Editor} view */
export function fixHere(view) {
  const problem = problemHere(view);
  if (problem?.fixes.length) fixProblem(view, problem, 0);
  else refuse(view, "There is no fix for a problem here.");
}

/** @param {Editor} view @param {Problem} problem @param {number} number */
export function fixProblem(view, problem, number) {
  post(view, { do: "gesture", gesture: { kind: "edits", edits: problem.fixes[number].edits } });
}

/** @param {Editor} view */
export function dismissHere(view) {
  const problem = problemHere(view);
  if (!problem) refuse(view, "There is no warning here.");
  else if (problem.severity === "error") refuse(view, "An error cannot be dismissed: mend it.");
  else dismissProblem(view, problem);
}

/** Dismisses a warning, or shows it again. @param {Editor} view @param {Problem} problem */
export function dismissProblem(view, { id, message, note }) {
  if (note !== null) {
    post(view, { do: "dismiss", problem: id, note: "", on: false });
    return;
  }
  openPrompt(view, {
    title: "Why is this no problem?",
    value: "",
    mayBeEmpty: true,
    what: message,
    done: (why) => post(view, { do: "dismiss", problem: id, note: why, on: true }),
  });
}
