// Which moves are possible at the moment that is shown, which are the learner's, and what the
// page says of the last one.

import { fill, make, makeButton, optionOf, say, within } from "../shared/elements.js";
import { pickOf } from "../shared/graph.js";
import { reasonsAt, stepAt } from "../trace/view.js";
import { lessonAfter, tellEnd } from "./course.js";
import { drillOf, send, wordsAt } from "./drill.js";

/** @param {View} view */
export function drawMoves(view) {
  const { moves, exercise } = drillOf(view);
  const isAtRoot = stepAt(view.trace, view.step).cursor >= view.trace.tokens.length;
  const isClosed = Boolean(exercise.closed[view.step]);
  moves.where.replaceChildren(...(isClosed ? ["The graph is finished"] : [
    exercise.mode === "predict" ? "What comes next at " : "Your move at ",
    make("bdi", "", isAtRoot ? wordsAt(view) : `“${wordsAt(view)}”`),
  ]));
  const reasons = reasonsAt(view.trace, view.step);
  for (const { button, kind } of moves.simple) allow(view, button, reasons.get(kind));
  drawCopies(view, reasons);
  for (const form of formsOf(view)) allow(view, within(form, "button"), reasons.get(form.dataset.kind ?? ""));
  drawEnds(view, reasons);
  refill(moves.root, itemsAt(view).filter((item) => !item.constant));
  allow(view, moves.mark, reasons.get("ROOT"));
  moves.typed.placeholder = `such as ${exercise.crosses ? possibleAction(view, reasons) : "SHIFT"}`;
  drawNotice(view);
  hideMoves(view, isAtRoot, isClosed);
}

/** @param {View} view @returns {NodeListOf<HTMLFormElement>} */
function formsOf(view) {
  return drillOf(view).moves.panel.querySelectorAll("form[data-kind]");
}

/** Crosses a button out whose action is not possible now, unless that would be the answer; the reason
 * stands in its title. @param {View} view @param {HTMLElement} button @param {string} [reason] */
function allow(view, button, reason) {
  if (!drillOf(view).exercise.crosses) reason = "";
  button.classList.toggle("no", Boolean(reason));
  button.title = reason ? `Not possible: ${reason}` : "";
}

/** Shows what copies make here, or else why the usual ones make nothing.
 * @param {View} view @param {Reasons} reasons */
function drawCopies(view, reasons) {
  const { moves, exercise } = drillOf(view);
  const now = exercise.copies[view.step];
  for (const button of moves.copies.values()) button.hidden = true;
  for (const [kind, label] of now) {
    const button = copyButton(view, kind);
    button.hidden = false;
    within(button, "span").replaceChildren("makes ", make("bdi", "", label));
    allow(view, button);
  }
  for (const kind of now.length ? [] : ["lemma", "sense"]) {
    const known = moves.copies.get(kind);
    if (!known) continue;
    known.hidden = false;
    say(within(known, "span"), "copy the token");
    allow(view, known, reasons.get(`COPY(${kind})`));
  }
}

/** @param {View} view @param {string} kind */
function copyButton(view, kind) {
  const { copies, copyRow } = drillOf(view).moves;
  const known = copies.get(kind);
  if (known) return known;
  const action = `COPY(${kind})`;
  const button = makeButton("move", make("b", "", action), " ", make("span", ""));
  button.addEventListener("click", () => send(view, "act", action));
  copies.set(kind, button);
  copyRow.append(button);
  return button;
}

/** The items that an edge can name: those that stand alone, or the root of a pattern. @param {View} view */
function itemsAt({ step, trace }) {
  const made = trace.nodes.filter((node) => node.step <= step && !node.inside);
  return made.sort((one, other) => one.step - other.step);
}

/** @param {View} view @param {Reasons} [reasons] */
export function drawEnds(view, reasons = reasonsAt(view.trace, view.step)) {
  const { moves, exercise } = drillOf(view);
  const items = itemsAt(view);
  const last = items.at(-1);
  const isOpen = last && !(exercise.crosses && reasons.get("LA") && reasons.get("RA"));
  refill(moves.other, items.filter((item) => item !== last || items.length === 1).reverse());
  const other = items.find((item) => String(item.step - 1) === moves.other.value);
  say(moves.ends, isOpen ? `Between the newest node, ${last.label}, and:` : "");
  for (const button of moves.arcs) {
    const isLeft = button.dataset.kind === "LA";
    let text = isLeft ? "from the newest node" : "to the newest node";
    if (isOpen && other) {
      const [from, to] = isLeft ? [last, other] : [other, last];
      text = `${from.label} ${moves.role.value} ${to.label}`;
    }
    say(within(button, "span"), text);
    allow(view, button, reasons.get(button.dataset.kind ?? ""));
  }
}

/** Gives an action that is possible, as it is typed: an edge where one can be drawn.
 * @param {View} view @param {Reasons} reasons */
function possibleAction(view, reasons) {
  const { step, trace } = view;
  const role = drillOf(view).moves.role.value;
  const [last, ...before] = itemsAt(view).reverse();
  const isThere = (/** @type {TraceNode} */ other) => trace.edges.some((edge) => edge.step <= step
    && edge.role === role && trace.nodes[edge.source] === last && trace.nodes[edge.target] === other);
  const other = last?.constant || reasons.get("LA") ? null
    : before.find((item) => !item.constant && !isThere(item));
  if (other) return `LA → ${last.label} ${role} ${other.label}`;
  if (last && !last.constant && !reasons.get("ROOT")) return `ROOT → ${last.label}`;
  return ["SHIFT", "REDUCE"].find((kind) => !reasons.get(kind)) ?? "SHIFT";
}

/** Fills a list of nodes anew only where it changed; the chosen one stays chosen.
 * @param {HTMLSelectElement} select @param {TraceNode[]} items */
function refill(select, items) {
  const wanted = items.map((item) => `${item.step - 1}: ${item.label}`);
  const shown = [...select.options].map((option) => option.textContent);
  if (wanted.join("\n") === shown.join("\n")) return;
  const before = select.value;
  fill(select, items, (item, place) => optionOf(String(item.step - 1), wanted[place]));
  choose(select, before);
}

/** @param {HTMLSelectElement} select @param {string} value  Taken only if it is offered. */
function choose(select, value) {
  if ([...select.options].some((option) => option.value === value)) select.value = value;
}

/** A click on a drawn node chooses it as the other end of an edge, or as the root.
 * @param {View} view @param {Event} event */
export function chooseEnd(view, event) {
  const picked = pickOf(event);
  if (picked?.kind !== "node") return;
  const { moves } = drillOf(view);
  const value = String(view.trace.nodes[picked.place].step - 1);
  choose(moves.other, value);
  choose(moves.root, value);
  drawEnds(view);
}

/** @param {View} view @param {boolean} isAtRoot @param {boolean} isClosed */
function hideMoves(view, isAtRoot, isClosed) {
  const { moves, exercise: { asks } } = drillOf(view);
  /** @param {string} [kind] */
  const isAsked = (kind = "") => moves.all || !asks.length || asks.includes(kind);
  for (const { button, kind } of moves.simple) button.hidden = !isAsked(kind);
  moves.copyRow.hidden = !isAsked("COPY");
  // Patterns are chosen from a list where there is one, and typed where there is none.
  const unused = moves.patterns.options.length > 0 ? moves.template : moves.patterns;
  for (const form of formsOf(view)) {
    form.hidden = !isAsked(form.dataset.kind) || form.contains(unused);
  }
  for (const button of moves.arcs) button.hidden = !isAsked(button.dataset.kind);
  const { go, nodes, edges, finish, typed } = moves.groups;
  const isOver = isAtRoot || isClosed;
  go.hidden = isOver || !["SHIFT", "REDUCE", "MERGE"].some(isAsked);
  nodes.hidden = isOver || !["COPY", "PRED", "CONST", "SUBGRAPH"].some(isAsked);
  edges.hidden = isOver || !["LA", "RA"].some(isAsked);
  finish.hidden = isClosed || !isAsked("ROOT") || (!isAtRoot && !moves.all);
  typed.hidden = isClosed || (asks.length > 0 && !moves.all);
  moves.more.hidden = isClosed || !asks.length;
  say(moves.more, moves.all ? "Show fewer moves" : "Show all moves");
}

/** Brings what was said into view, if who answered from further down could not see it.
 * @param {View} view @param {HTMLElement} notice */
function bringIn(view, notice) {
  const { top, bottom } = notice.getBoundingClientRect();
  const covered = view.find(".top").getBoundingClientRect().bottom;
  if (top < Math.max(0, covered) || bottom > innerHeight) notice.scrollIntoView({ block: "center" });
}

/** @param {View} view */
function drawNotice(view) {
  const { moves, exercise } = drillOf(view);
  const shown = view.step === exercise.at ? exercise.notice : null;
  const key = JSON.stringify([exercise.ack, shown]);
  if (moves.noticed === key) return;
  moves.noticed = key;
  moves.notice.className = shown ? `notice ${shown[0]}` : "notice";
  moves.notice.replaceChildren();
  if (!shown) return;
  const [kind, title, lines] = shown;
  moves.notice.append(make("b", "", title), make("ul", "", ...lines.map((line) => make("li", "", line))));
  requestAnimationFrame(() => bringIn(view, moves.notice));
  if (kind !== "done") return;
  const following = lessonAfter(exercise);
  if (!following) {
    moves.notice.append(make("p", "ending", tellEnd(exercise)));
    return;
  }
  const next = makeButton("main", `Next lesson: ${following[1]}`);
  next.addEventListener("click", () => send(view, "open", following[0]));
  moves.notice.append(next);
}
