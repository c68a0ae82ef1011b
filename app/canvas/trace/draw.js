// Draws a step: shows, hides and marks what was built.

import { childrenOf, hide, say, within } from "../shared/elements.js";
import { decimals, shareText, shortDecimals } from "../shared/numbers.js";
import { keepInView, reveal } from "../shared/stage.js";
import { drawBeam } from "./figures/beam.js";
import { drawAttention, drawMoment } from "./figures/heads.js";
import { drawPointer } from "./figures/pointer.js";
import { drawShares, weigh } from "./figures/shares.js";
import { drawRovers } from "./rove.js";
import { actionAt, lastStep, momentText, shownAt, stepAt } from "./view.js";

/** @param {View} view */
export function draw(view) {
  const { trace, step } = view;
  if (!trace.steps.cursor.length) return;
  const now = stepAt(trace, step);
  view.drawn = step;
  drawTokens(view, now);
  drawAttention(view, now);
  drawHistory(view);
  drawGraph(view, now);
  drawPointer(view, now);
  drawDecision(view, now);
  drawLegal(view, now);
  drawBeam(view);
  drawMoment(view);
  view.triples.forEach((entry, place) => {
    hide(entry, trace.triples[place][0] > step);
    entry.classList.toggle("new", trace.triples[place][0] === step);
  });
  drawRovers(view);
  for (const drawMore of view.onDraw) drawMore();
  tell(view);
  // Last, because they ask for positions: the browser then lays out once, not thrice.
  keepInView(view.find(".tokens"), view.tokens[Math.min(now.cursor, view.tokens.length - 1)]);
  keepInView(view.find(".actions"), view.jumps[step]);
  follow(view);
}

/** Writes the one sentence that a screen reader speaks: a voice cannot keep up with a fast
 * play, and then tells where it stopped. @param {View} view */
export function tell(view) {
  const { trace, step } = view;
  if (view.playing && perAction(view) < 1000) return;
  const { p, say: text } = stepAt(trace, step);
  const sure = p === null ? "" : ` Probability ${shareText(p)}.`;
  const done = step ? `Done: ${shownAt(trace, step - 1)}. ` : "";
  const next = actionAt(trace, step) && `Next, action ${step}: ${shownAt(trace, step)}. `;
  say(view.find(".live"), `${done}${next}${text}${sure}`);
}

/** Gives the milliseconds from one action of a play to the next. @param {View} view */
export function perAction(view) {
  return 1000 / Number(view.find(".speed", "select").value);
}

/** @param {View} view @param {Now} now */
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

/** @param {View} view */
function drawHistory(view) {
  const { shownJumps: [done, next], step } = view;
  if (done) {
    done.tabIndex = -1;
    done.removeAttribute("aria-current");
  }
  next?.classList.remove("next");
  const jump = view.jumps[step];
  jump.tabIndex = 0;
  jump.setAttribute("aria-current", "step");
  view.jumps[step + 1]?.classList.add("next");
  view.shownJumps = [jump, view.jumps[step + 1]];
  const last = lastStep(view.trace);
  const slider = view.find(".slider", "input");
  slider.value = String(step);
  slider.setAttribute("aria-valuetext", momentText(step, last));
  say(view.find(".count"), momentText(step, last));
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (
    view.find(".controls").querySelectorAll("[data-go]"))) {
    const end = ["first", "back"].includes(button.dataset.go ?? "") ? 0 : last;
    button.setAttribute("aria-disabled", String(step === end));
  }
}

/** @param {View} view @param {Now} now */
function drawGraph(view, now) {
  const { drawing, step, trace } = view;
  const weights = new Map(now.pointer);
  const isLast = step === lastStep(trace);
  const isPointing = Boolean(trace.steps.points[step]);
  const barred = trace.steps.barred?.[step];
  drawing.nodes.forEach((group, place) => {
    const node = trace.nodes[place];
    const isItem = isPointing && !node.inside && node.step <= step;
    const weight = isItem ? weights.get(node.step - 1) ?? 0 : 0;
    group.classList.toggle("absent", node.step > step);
    group.classList.toggle("new", node.step === step);
    group.classList.toggle("root", Boolean(isLast && node.root));
    group.classList.toggle("dropped", Boolean(isLast && node.dropped));
    group.classList.toggle("reachable", Boolean(isItem && barred && !barred.includes(place)));
    group.classList.toggle("pointed", weight >= 10);
    weigh(group, weight);
    say(within(group, ".weight"), weight >= 10 ? shortDecimals(weight) : "");
  });
  drawing.edges.forEach((group, place) => {
    group.classList.toggle("absent", trace.edges[place].step > step);
    group.classList.toggle("new", trace.edges[place].step === step);
  });
  hide(view.find(".empty"), trace.nodes.some((node) => node.step <= step));
}

/** @param {View} view @param {Now} now */
function drawDecision(view, now) {
  const { shares, step, trace } = view;
  const [action, shown] = [actionAt(trace, step), shownAt(trace, step)];
  const isPointing = Boolean(trace.steps.points[step]);
  say(view.find(".where"), action ? `Next: action ${step}${now.forced ? ", forced" : ""}` : "The end");
  say(view.find(".action"), shown);
  view.find(".action").title = action;
  say(view.find(".say"), now.say);
  drawShares(shares.chosen, now.p === null ? [] : [[shown, now.p]]);
  for (const part of [".others-title", ".pointer-title", ".attention-title", ".attention-note"]) {
    hide(view.find(part), !action);
  }
  say(view.find(".entropy"), action ? `Entropy ${decimals(now.entropy ?? 0)} nats` : "");
  const worth = now.others.filter(([, p]) => p > 0);
  drawShares(shares.others, worth.map(([text, p, read]) =>
    [trace.texts[read], p, undefined, trace.texts[text]]));
  say(view.find(".others-note"), action && othersNote(worth.length, now.others.length));
  say(view.find(".pointer-note"), action && pointerNote(now, isPointing));
  /** @param {number} made */
  const itemName = (made) => trace.nodes[view.itemAt.get(made) ?? -1]?.label ?? "(no node)";
  const weights = isPointing ? now.pointer : [];
  drawShares(shares.pointer, weights.map(([place, weight]) => [itemName(place), weight, place]));
}

/** @param {number} num  Of those that are shown. @param {number} all */
function othersNote(num, all) {
  if (num === all) return num ? "" : "None is listed.";
  return num ? `And ${all - num} below 0.001.` : "None above 0.001.";
}

/** @param {Now} now @param {boolean} isPointing */
function pointerNote(now, isPointing) {
  if (!now.pointer.length) return "There is nothing to point to yet.";
  if (!isPointing) return "Not used by this action.";
  return `Weights on earlier nodes.${now.pointerRest ? ` Not listed: ${decimals(now.pointerRest)}.` : ""}`;
}

/** @param {View} view @param {Now} now */
function drawLegal(view, now) {
  if (view.shownRule === now.legal) return;
  view.shownRule = now.legal;
  view.trace.rules[now.legal].forEach((reason, place) => {
    const [mark, , why] = childrenOf(view.legal[place]);
    view.legal[place].classList.toggle("yes", reason < 0);
    say(mark, reason < 0 ? "✓" : "✕");
    say(why, reason < 0 ? "legal" : view.trace.texts[reason]);
  });
}

/** Scrolls the stage, only if what was made last lies outside it. @param {View} view */
export function follow({ drawing, step, trace }) {
  const isLast = step === lastStep(trace);
  const parts = [...trace.nodes, ...trace.edges];
  const newest = Math.max(0, ...parts.map((part) => (part.step <= step ? part.step : 0)));
  const made = trace.nodes.filter((node) => node.step === newest || (isLast && node.root));
  const drawn = trace.edges.filter((edge) => edge.step === newest);
  reveal(drawing, [...made, ...drawn.flatMap(({ source, target }) => [trace.nodes[source], trace.nodes[target]])]);
}
