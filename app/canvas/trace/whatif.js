// Asks "what if": another action at the step that is shown. The page decodes the rest anew
// and sends a branch; the branches so far stand as buttons above the drawing. Questions go
// out numbered, as component state, and are answered in the data: see DESIGN, outbox.

import { fill, make, say } from "../shared/elements.js";
import { pause } from "./play.js";

export function showWhatIf(view, answer, send) {
  if (!answer) return;
  view.asking = view.asking || mountWhatIf(view);
  const { asking } = view;
  asking.send = (message) => send("ask", message);
  asking.answer = answer;
  addTries(view);
  const isAnswered = asking.waits && answer.ack >= asking.number;
  asking.number = Math.max(asking.number, answer.ack);
  if (isAnswered || !asking.waits) {
    refuse(asking, answer.refusal || "");
    asking.note.hidden = true;
  }
  drawTree(view);
  drawCompared(view);
  if (!isAnswered) return;
  asking.waits = false;
  view.root.removeAttribute("aria-busy");
  if (answer.refusal) return;
  asking.input.value = "";
  asking.strip.querySelector("[aria-current]").focus({ preventScroll: true });
  asking.strip.scrollIntoView({ block: "nearest" });
}

function mountWhatIf(view) {
  const strip = make("section", "panel branches");
  strip.setAttribute("aria-label", "Branches: what if another action had been chosen");
  const tree = make("ol", "tree");
  const compared = make("p", "compared");
  compared.setAttribute("role", "status");
  const changes = make("ul", "changes");
  changes.setAttribute("aria-label", "Triples gained and lost");
  strip.append(tree, compared, changes);
  view.find(".body").before(strip);

  const form = make("form", "force");
  const input = make("input", "");
  input.setAttribute("aria-label", "What if another action stood here");
  input.setAttribute("list", "legal-actions");
  input.placeholder = "or PRED(go-02), LA(3, :ARG0)";
  input.autocomplete = "off";
  input.spellcheck = false;
  input.maxLength = 300;
  const known = make("datalist", "");
  known.id = "legal-actions";
  form.append(input, known, make("button", "try", "What if"));
  const refusal = make("p", "refusal");
  refusal.setAttribute("role", "alert");
  refusal.hidden = true;
  const note = make("p", "note", "Decoding the rest …");
  note.hidden = true;
  const how = make("p", "note", "What if decodes the rest again, greedily (beam 1).");
  view.find(".others").after(form, refusal, note, how);

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (input.value.trim()) ask(view, { action: input.value.trim() });
  });
  input.addEventListener("focus", () => fill(known, choices(view), (text) => {
    const option = make("option", "");
    option.value = text;
    return option;
  }));
  // What is typed is no command to the canvas, nor to the page around it.
  input.addEventListener("keydown", (event) => event.stopPropagation());
  view.find(".others").addEventListener("click", (event) => {
    const button = event.target.closest(".try");
    if (button) tryOther(view, Number(button.dataset.place));
  });
  const keys = view.find(".help dl");
  for (const [key, does] of [
    ["1", "what if: the first of the next best stood here; so on with 2, 3, …"],
    ["w", "what if: type the action that shall stand here"],
  ]) {
    const name = make("dt", "");
    name.append(make("kbd", "", key));
    keys.append(name, make("dd", "", does));
  }
  tree.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button && button.dataset.path !== view.asking.answer.at) {
      ask(view, { path: button.dataset.path });
    }
  });
  return { strip, tree, compared, changes, input, refusal, note, number: 0, waits: false };
}

function ask(view, wanted) {
  const { asking, trace, step } = view;
  asking.number += 1;
  asking.waits = true;
  asking.note.hidden = false;
  refuse(asking, "");
  view.root.setAttribute("aria-busy", "true");
  pause(view);
  clearTimeout(view.timer); // the address will name the branch and its step
  asking.send({ key: trace.key, number: asking.number, step, ...wanted });
}

function refuse(asking, reason) {
  asking.refusal.hidden = !reason;
  say(asking.refusal, reason);
}

// Puts a button beside each of the next best actions; their rows are new with each trace.
function addTries(view) {
  view.find(".others").classList.add("asking");
  view.shares.others.forEach((row, place) => {
    if (row.querySelector(".try")) return;
    row.firstElementChild.id = `other-${place}`;
    const button = make("button", "try", "What if");
    button.type = "button";
    button.id = `try-${place}`;
    button.dataset.place = String(place);
    button.setAttribute("aria-labelledby", `try-${place} other-${place}`);
    row.append(button);
  });
}

function tryOther(view, place) {
  const [text] = view.trace.steps.others[view.step][place];
  ask(view, { action: view.trace.texts[text] });
}

// Does what a key asks; gives whether it asked for anything.
export function askByKey(view, key) {
  if (!view.asking) return false;
  if (key === "w") {
    view.asking.input.focus();
    return true;
  }
  const place = Number(key) - 1;
  if (!view.trace.steps.others[view.step][place]) return false;
  if (!view.asking.waits) tryOther(view, place);
  return true;
}

// Actions to complete a word with: the next best, and the legal kinds that need no label.
function choices(view) {
  const { trace, step } = view;
  const others = trace.steps.others[step].map(([text]) => trace.texts[text]);
  const rule = trace.rules[trace.steps.legal[step]];
  const plain = trace.kinds.filter(
    (kind, place) => rule[place] < 0 && /^(SHIFT|REDUCE|MERGE|COPY\(\w+\))$/.test(kind),
  );
  return [...new Set([...others, ...plain])].filter(
    (action) => action !== trace.texts[trace.steps.action[step]],
  );
}

function drawTree(view) {
  const { strip, tree, answer } = view.asking;
  strip.hidden = !answer.branches.length;
  const width = answer.beam === 1 ? "greedy" : `beam ${answer.beam}`;
  const rows = [{ path: "", depth: 0, text: `Original (${width})` }];
  for (const branch of answer.branches) {
    rows.push({ ...branch, text: `${branch.step}: ${branch.action}` });
  }
  fill(tree, rows, ({ path, depth, text }) => {
    const entry = make("li", "");
    const button = make("button", "");
    button.type = "button";
    button.dataset.path = path;
    if (path === answer.at) button.setAttribute("aria-current", "true");
    if (depth) button.append(make("span", "stem", "↳".repeat(depth)));
    button.append(make("bdi", "", text));
    button.title = path ? `What if: ${path}` : "The original";
    entry.append(button);
    return entry;
  });
}

// Names what the branch on the page grew from, with which it is compared.
function parentOf(answer) {
  const { depth } = answer.branches.find(({ path }) => path === answer.at);
  return depth > 1 ? "the branch that it grew from" : "the original";
}

function drawCompared(view) {
  const { compared, changes, answer } = view.asking;
  const difference = answer.compared;
  for (const old of view.find(".actions").querySelectorAll(".differs")) old.remove();
  changes.hidden = !difference;
  if (!difference) {
    say(compared, "The original. A branch shows what another action would have led to.");
    return;
  }
  const { step, was, how, gained, lost } = difference;
  if (step === null) {
    say(compared, `The same actions as ${parentOf(answer)}: this one stood there already. ${how}`);
    fill(changes, [], () => null);
    return;
  }
  const action = view.trace.texts[view.trace.steps.action[step]];
  const instead = was === null ? "" : ` instead of ${was}`;
  const sums = `Triples gained: ${gained.length}, lost: ${lost.length}.`;
  say(
    compared,
    `First different action than in ${parentOf(answer)}: ${step}, ${action}${instead}. ${sums} ${how}`,
  );
  const marked = [...gained.map((each) => ["+", each]), ...lost.map((each) => ["−", each])];
  fill(changes, marked, ([sign, [source, role, target]]) => {
    const entry = make("li", sign === "+" ? "gained" : "lost");
    entry.append(
      make("b", "", sign), make("span", "unseen", sign === "+" ? "gained" : "lost"), " ",
      make("bdi", "", source), " ", make("i", "", role), " ", make("bdi", "", target),
    );
    return entry;
  });
  const mark = make("span", "differs", "≠");
  mark.title = `The first different action${instead}`;
  if (view.jumps[step]) view.jumps[step].append(mark);
}
