// Asks "what if": another action at the step that is shown. The page decodes the rest anew
// and sends a branch; the branches so far stand as buttons above the drawing. Questions go
// out numbered, as component state, and are answered in the data.

import { fill, make, makeButton, optionOf, say, within } from "../shared/elements.js";
import { holderOf, keyEntry } from "../shared/keys.js";
import { acknowledge, newOutbox, put, sendUntilTaken } from "../shared/outbox.js";
import { drawBranches } from "./branches.js";
import { forgetReport, pause } from "./step.js";
import { lastStep, shownAt } from "./view.js";

const PLAIN = /^(SHIFT|REDUCE|MERGE|COPY\(\w+\))$/; // actions without a label

/** @param {View} view @param {WhatIf | undefined} answer @param {Reply} send */
export function showWhatIf(view, answer, send) {
  if (!answer) return;
  const asking = (view.asking ??= mountWhatIf(view, answer));
  asking.send = (question) => send("ask", question);
  asking.answer = answer;
  forget(asking, view.words.join(" "));
  addTries(view);
  const isAnswered = asking.waits && answer.ack >= asking.box.number && !answer.isDecoding;
  acknowledge(asking.box, answer.ack);
  if (isAnswered || !asking.waits) {
    refuse(asking, answer.refusal ?? "");
    asking.note.hidden = !answer.isDecoding;
  }
  drawBranches(view, asking);
  if (!isAnswered) return;
  asking.waits = false;
  view.root.removeAttribute("aria-busy");
  if (answer.refusal) return;
  asking.input.value = "";
  within(asking.strip, "[aria-current]").focus({ preventScroll: true });
  asking.strip.scrollIntoView({ block: "nearest" });
}

/** Lets nothing that was typed outlive its sentence. @param {Asking} asking @param {string} sentence */
function forget(asking, sentence) {
  if (asking.sentence !== sentence) asking.input.value = "";
  asking.sentence = sentence;
}

/** @param {View} view @param {WhatIf} answer @returns {Asking} */
function mountWhatIf(view, answer) {
  const tree = make("ol", "tree");
  const compared = make("p", "compared", { role: "status" });
  const changes = make("ul", "changes", { "aria-label": "Triples gained and lost" });
  const strip = make("section", "panel branches",
    { "aria-label": "Branches: what if another action had been chosen" }, tree, compared, changes);
  view.find(".body").before(strip);
  tree.addEventListener("click", (event) => {
    const path = holderOf(event, "button")?.dataset.path;
    if (path !== undefined && path !== view.asking?.answer.at) ask(view, { path });
  });
  view.find(".others").addEventListener("click", (event) => {
    const button = holderOf(event, ".try");
    if (button) tryOther(view, Number(button.dataset.place), view.drawn);
  });
  const typing = keyEntry(["w"], "");
  view.find(".help dl").append(
    ...keyEntry(["1"], "what if: the first of the next best stood here; so on with 2, 3, …"), ...typing);
  view.find(".of-asking").hidden = false;
  view.onKey.push((key) => askByKey(view, key));
  const form = mountForm(view);
  view.onDraw.push(() => drawExample(view, form, typing[1]));
  drawExample(view, form, typing[1]);
  const box = newOutbox();
  return { strip, tree, compared, changes, ...form, answer, box, waits: false, send: () => {}, sentence: "" };
}

/** Names an action that is legal here, as it can be typed; at the end there is nothing to ask.
 * @param {View} view @param {ReturnType<typeof mountForm>} form @param {HTMLElement} help */
function drawExample(view, { form, how, input }, help) {
  form.hidden = how.hidden = view.step === lastStep(view.trace);
  const such = exampleOf(choices(view));
  input.placeholder = such.slice(2); // short, as the field is
  say(help, `what if: type the action that shall stand here${such}; Esc leads back`);
}

/** @param {string[]} actions */
export function exampleOf(actions) {
  return actions.length ? `, such as ${actions[0]}` : "";
}

/** @param {View} view */
function mountForm(view) {
  const known = make("datalist", "", { id: "legal-actions" });
  const input = make("input", "", {
    "aria-label": "What if another action stood here", list: known.id,
    autocomplete: "off", spellcheck: false, maxlength: 300,
  });
  const form = make("form", "force", input, known, make("button", "try", "What if"));
  const refusal = make("p", "refusal", { role: "alert", hidden: "" });
  const note = make("p", "note", { hidden: "" }, "Decoding the rest …");
  const how = make("p", "note", "What if decodes the rest again, greedily (beam 1). Esc leads back to the steps.");
  view.find(".others").after(form, refusal, note, how);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const action = input.value.trim();
    if (action) ask(view, { action });
  });
  input.addEventListener("focus", () => fill(known, choices(view), (text) => optionOf(text, "")));
  return { form, how, input, refusal, note };
}

/** @param {View} view @param {Question} wanted @param {number} [step] */
function ask(view, wanted, step = view.step) {
  const { asking, trace } = view;
  if (!asking) return;
  const question = put(asking.box, { key: trace.key, step, ...wanted });
  asking.waits = true;
  asking.note.hidden = false;
  refuse(asking, "");
  view.root.setAttribute("aria-busy", "true");
  pause(view);
  forgetReport(view); // the address will name the branch and its step
  sendUntilTaken(asking.box, () => asking.send({ ...question, tries: asking.box.tries }), view.signal);
}

/** @param {Asking} asking @param {string} reason */
function refuse(asking, reason) {
  asking.refusal.hidden = !reason;
  say(asking.refusal, reason);
}

/** Puts a button beside each of the next best actions; their rows are new with each trace. @param {View} view */
function addTries(view) {
  view.find(".others").classList.add("asking");
  view.shares.others.forEach((row, place) => {
    if (row.querySelector(".try")) return;
    within(row, ".name").id = `other-${place}`;
    row.append(makeButton("try", {
      id: `try-${place}`, "data-place": place, "aria-labelledby": `try-${place} other-${place}`,
    }, "What if"));
  });
}

/** @param {View} view @param {number} place @param {number} step  Which may not be the one that is drawn next. */
function tryOther(view, place, step) {
  const other = view.trace.steps.others[step]?.[place];
  if (other) ask(view, { action: view.trace.texts[other[0]] }, step);
}

/** Does what a key asks; gives whether it asked for anything. @param {View} view @param {string} key */
function askByKey(view, key) {
  const place = Number(key) - 1;
  if (key === "w") view.asking?.input.focus();
  else if (!view.trace.steps.others[view.step]?.[place]) return false;
  else if (!view.asking?.waits) tryOther(view, place, view.step);
  return true;
}

/** Gives actions that may stand at a moment instead, as they are read: the next best, and the legal
 * kinds that need no label. @param {Pick<View, "step" | "trace">} view */
export function choices({ step, trace }) {
  if (step >= lastStep(trace)) return [];
  const others = trace.steps.others[step].map(([, , read]) => trace.texts[read]);
  const rule = trace.rules[trace.steps.legal[step]];
  const plain = trace.kinds.filter((kind, place) => rule[place] < 0 && PLAIN.test(kind));
  return [...new Set([...others, ...plain])].filter((action) => action !== shownAt(trace, step));
}
