// The branches of a trace, and what the one that is shown changed.

import { fill, make, makeButton, say } from "../shared/elements.js";
import { shownAt } from "./view.js";

/** @param {View} view @param {Asking} asking */
export function drawBranches(view, asking) {
  drawTree(asking);
  for (const old of view.find(".actions").querySelectorAll(".differs")) old.remove();
  const { compared } = asking.answer;
  asking.changes.hidden = !compared;
  if (!compared) say(asking.compared, "The original. A branch shows what another action would have led to.");
  else drawCompared(view, asking, compared);
}

/** @param {Asking} asking */
function drawTree({ answer, strip, tree }) {
  strip.hidden = !answer.branches.length;
  const width = answer.beam === 1 ? "greedy" : `beam ${answer.beam}`;
  const rows = [{ path: "", depth: 0, text: `Original (${width})` },
    ...answer.branches.map(({ path, depth, step, action }) => ({ path, depth, text: `${step}: ${action}` }))];
  fill(tree, rows, ({ path, depth, text }) => make("li", "", makeButton("", {
    "data-path": path,
    "aria-current": path === answer.at ? "true" : null,
    title: path ? `What if: ${path}` : "The original",
  }, ...(depth ? [make("span", "stem", "↳".repeat(depth))] : []), make("bdi", "", text))));
}

/** Names what the branch on the page grew from, with which it is compared. @param {WhatIf} answer */
function parentOf({ at, branches }) {
  const shown = branches.find(({ path }) => path === at);
  return shown && shown.depth > 1 ? "the branch that it grew from" : "the original";
}

/** @param {View} view @param {Asking} asking @param {Compared} difference */
function drawCompared(view, { answer, changes, compared }, { step, was, how, gained, lost }) {
  const parent = parentOf(answer);
  fill(changes, [...gained.map(changeOf("+", "gained")), ...lost.map(changeOf("−", "lost"))], (row) => row);
  if (step === null) {
    say(compared, `The same actions as ${parent}: this one stood there already. ${how}`);
    return;
  }
  const instead = was === null ? "" : ` instead of ${was}`;
  const sums = `Triples gained: ${gained.length}, lost: ${lost.length}.`;
  const action = shownAt(view.trace, step);
  say(compared, `First different action than in ${parent}: ${step}, ${action}${instead}. ${sums} ${how}`);
  view.jumps[step + 1]?.append(
    make("span", "differs", { title: `The first different action${instead}` }, "≠"));
}

/** @param {string} sign @param {string} name @returns {(triple: Triple) => HTMLElement} */
function changeOf(sign, name) {
  return ([source, role, target]) => make("li", name,
    make("b", "", sign), make("span", "unseen", name), " ",
    make("bdi", "", source), " ", make("i", "", role), " ", make("bdi", "", target));
}
