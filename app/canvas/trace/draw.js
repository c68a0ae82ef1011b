// Draws a step: shows, hides and marks what was built.

import { drawExercise } from "../exercise/exercise.js";
import { say } from "../shared/elements.js";
import { decimals, shortDecimals } from "../shared/numbers.js";
import { keepInView, scale, scrollTo } from "../shared/stage.js";
import { drawBeam } from "./beam.js";
import { drawAttention } from "./heads.js";
import { isTooFastToTell } from "./play.js";
import { drawPointer } from "./pointer.js";
import { drawRovers } from "./rove.js";
import { lastStep } from "./step.js";

export function draw(view) {
  const { trace, step } = view;
  if (!trace.steps.action.length) return;
  const now = stepAt(trace, step);
  drawTokens(view, now);
  drawAttention(view, now);
  drawHistory(view);
  drawGraph(view, now);
  drawPointer(view, now);
  drawDecision(view, now);
  drawLegal(view, now);
  drawBeam(view);
  view.triples.forEach((entry, place) => {
    entry.hidden = trace.triples[place][0] > step;
    entry.classList.toggle("new", trace.triples[place][0] === step);
  });
  drawRovers(view);
  drawExercise(view);
  tell(view);
  // Last, because they ask for positions: the browser then lays out once, not thrice.
  keepInView(view.find(".tokens"), view.tokens[Math.min(now.cursor, view.tokens.length - 1)]);
  keepInView(view.find(".actions"), view.jumps[step]);
  follow(view);
}

// Writes the one sentence that a screen reader speaks.
export function tell(view) {
  const { trace, step } = view;
  if (isTooFastToTell(view)) return;
  const now = stepAt(trace, step);
  const sure = now.p === null ? "" : ` Probability ${decimals(now.p)}.`;
  const action = trace.texts[now.action];
  say(view.find(".live"), `Action ${step} of ${lastStep(view)}: ${action}. ${now.say}${sure}`);
}

export function stepAt(trace, step) {
  const now = {};
  for (const [name, column] of Object.entries(trace.steps)) now[name] = column[step];
  return now;
}

function drawTokens(view, now) {
  view.tokens.forEach((token, position) => {
    const here = position >= now.start && position <= now.cursor;
    token.classList.toggle("here", here);
    token.classList.toggle("opens", position === now.start);
    token.classList.toggle("closes", position === now.cursor);
    token.classList.toggle("ahead", position > now.cursor);
    if (here) token.setAttribute("aria-current", "true");
    else token.removeAttribute("aria-current");
  });
}

function drawHistory(view) {
  const { step, trace } = view;
  if (view.shownJump) {
    view.shownJump.tabIndex = -1;
    view.shownJump.removeAttribute("aria-current");
  }
  const jump = view.jumps[step];
  jump.tabIndex = 0;
  jump.setAttribute("aria-current", "step");
  view.shownJump = jump;
  const last = trace.steps.action.length - 1;
  const slider = view.find(".slider");
  slider.value = String(step);
  slider.setAttribute("aria-valuetext", `action ${step} of ${last}`);
  view.find(".count").textContent = `${step} / ${last}`;
  for (const button of view.root.querySelectorAll(".go")) {
    const atStart = button.dataset.go === "first" || button.dataset.go === "back";
    button.setAttribute("aria-disabled", String(step === (atStart ? 0 : last)));
  }
}

function drawGraph(view, now) {
  const { trace, step } = view;
  const weights = new Map(now.pointer);
  const isLast = step === trace.steps.action.length - 1;
  const used = points(trace.texts[now.action]);
  let num = 0;
  view.nodes.forEach((group, place) => {
    const node = trace.nodes[place];
    const exists = node.step <= step;
    const weight = exists && !node.inside && node.step < step ? weights.get(node.step) || 0 : 0;
    num += exists;
    group.classList.toggle("absent", !exists);
    group.classList.toggle("new", node.step === step);
    group.classList.toggle("root", Boolean(isLast && node.root));
    group.classList.toggle("dropped", Boolean(isLast && node.dropped));
    group.classList.toggle("pointed", weight > 0);
    weigh(group, weight);
    say(group.lastElementChild, used && weight >= 10 ? shortDecimals(weight) : "");
  });
  view.edges.forEach((group, place) => {
    const edge = trace.edges[place];
    group.classList.toggle("absent", edge.step > step);
    group.classList.toggle("new", edge.step === step);
  });
  view.root.classList.toggle("pointing", used);
  view.empty.hidden = num > 0;
}

// Tells whether an action names an earlier item.
function points(action) {
  return /^(LA|RA|LINK)\(/.test(action);
}

function drawDecision(view, now) {
  const { trace, step } = view;
  const action = trace.texts[now.action];
  const used = points(action);
  say(view.find(".where"), `Action ${step}${now.forced ? ", forced" : ""}`);
  say(view.find(".action"), action);
  say(view.find(".say"), now.say);
  drawShares(view.shares.chosen, now.p === null ? [] : [[action, now.p]]);
  say(view.find(".entropy"), `Entropy ${decimals(now.entropy)} nats`);
  drawShares(view.shares.others, now.others.map(([text, p]) => [trace.texts[text], p]));
  say(view.find(".others-note"), now.others.length ? "" : "None is listed.");
  say(view.find(".pointer-note"), pointerNote(now, used));
  view.find(".pointer").classList.toggle("unused", !used);
  const nameOf = (position) => view.byStep.get(position) || "(no item)";
  drawShares(
    view.shares.pointer,
    now.pointer.map(([place, weight]) => [nameOf(place), weight, place]),
  );
}

// Sets a weight only where it changes, for the same reason as below.
export function weigh(element, thousandths) {
  const weight = String(thousandths / 1000);
  if (element.style.getPropertyValue("--weight") === weight) return;
  element.style.setProperty("--weight", weight);
}

function pointerNote(now, used) {
  if (!now.pointer.length) return "There is nothing to point to yet.";
  const rest = now.pointerRest ? ` Not listed: ${decimals(now.pointerRest)}.` : "";
  return (used ? "Weights on earlier items." : "Not used by this action.") + rest;
}

export function drawShares(rows, entries) {
  rows.forEach((row, place) => {
    row.hidden = place >= entries.length;
    if (row.hidden) return;
    const [text, thousandths, position] = entries[place];
    const [name, value, bar] = row.children;
    say(name.firstElementChild, position === undefined ? "" : `${position} `);
    say(name.lastElementChild, text);
    name.title = text;
    say(value, decimals(thousandths));
    bar.style.setProperty("--share", String(thousandths / 1000));
  });
}

function drawLegal(view, now) {
  if (view.shownRule === now.legal) return;
  view.shownRule = now.legal;
  view.trace.rules[now.legal].forEach((reason, place) => {
    const entry = view.legal[place];
    const isLegal = reason < 0;
    entry.classList.toggle("yes", isLegal);
    say(entry.children[0], isLegal ? "✓" : "✕");
    say(entry.children[2], isLegal ? "legal" : view.trace.texts[reason]);
  });
}

// --- size and scrolling -------------------------------------------------------------

export function zoom(view, way) {
  const stage = view.find(".stage");
  const [width, height] = view.size;
  if (way === "fit") {
    view.zoom = Math.min(1.1, stage.clientWidth / width, stage.clientHeight / height);
  } else {
    view.zoom = Math.min(3, Math.max(0.1, view.factor * (way === "in" ? 1.25 : 0.8)));
  }
  scale(view);
  follow(view);
}

// Scrolls the stage, only if what is new lies outside it.
function follow(view) {
  const { trace, step, factor } = view;
  const stage = view.find(".stage");
  const margin = view.size[2];
  const boxes = trace.nodes
    .filter((node) => node.step === step || (node.root && step === trace.steps.action.length - 1))
    .map((node) => [node.x - node.w / 2, node.y - node.h / 2, node.x + node.w / 2, node.y + node.h / 2]);
  for (const edge of trace.edges.filter((candidate) => candidate.step === step)) {
    for (const end of [trace.nodes[edge.source], trace.nodes[edge.target]]) {
      boxes.push([end.x - end.w / 2, end.y - end.h / 2, end.x + end.w / 2, end.y + end.h / 2]);
    }
  }
  if (!boxes.length) return;
  const at = (value) => (value + margin) * factor;
  const box = [0, 1].map((side) => at(Math.min(...boxes.map((each) => each[side]))));
  const far = [2, 3].map((side) => at(Math.max(...boxes.map((each) => each[side]))));
  scrollTo(stage, "scrollLeft", stage.clientWidth, box[0], far[0]);
  scrollTo(stage, "scrollTop", stage.clientHeight, box[1], far[1]);
}
