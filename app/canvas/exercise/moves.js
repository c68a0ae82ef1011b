// The moves of an exercise: buttons and fields for every kind of action, at the moment that
// is shown. What is not possible can be pressed all the same: the answer says why.

import { drillSend, wordsAt } from "./exercise.js";
import { fill, make, optionOf, say } from "../shared/elements.js";
import { pickOf } from "../shared/parts.js";
import { stepAt } from "../trace/draw.js";

const SIMPLE_MOVES = [
  ["SHIFT", "SHIFT", "done here: go on to the next word"],
  ["REDUCE", "REDUCE", "skip this word: it adds nothing"],
  ["MERGE", "MERGE", "join this word with the next"],
];

export function mountMoves(view) {
  const panel = make("section", "panel moves");
  panel.setAttribute("aria-label", "Your move");
  const where = make("h3", "where-now");
  const notice = make("div", "notice");
  notice.setAttribute("role", "status");
  const moves = { panel, where, notice, copies: new Map(), simple: [], all: false };
  const go = drillGroup("Go on", SIMPLE_MOVES.map(([kind, action, what]) => {
    const button = moveButton(view, action, what);
    moves.simple.push({ button, kind });
    return button;
  }));
  moves.copyRow = make("div", "copies");
  moves.pred = drillField("Name of the concept", "such as boy or want-01", "drill-concepts");
  moves.constant = drillField("Value of the constant", 'such as 2 or "Lima"', "drill-constants");
  moves.template = drillField("Pattern", "such as (name :op* {words})", "");
  moves.patterns = make("select", "");
  moves.patterns.setAttribute("aria-label", "Pattern");
  const nodes = drillGroup("Make a node", [
    moves.copyRow,
    fieldForm(view, "PRED", "make a node with this name", moves.pred),
    fieldForm(view, "CONST", "make a constant", moves.constant),
    fieldForm(view, "SUBGRAPH", "make several at once", moves.patterns),
    fieldForm(view, "SUBGRAPH", "make several at once", moves.template),
  ]);
  const edges = drillGroup("Draw an edge", mountEdges(view, moves));
  const finish = drillGroup("Finish", mountRoot(view, moves));
  moves.typed = drillField("Action", "such as LA(3, :ARG0)", "");
  const typed = drillGroup("Or type an action", [typedForm(view, moves.typed)]);
  moves.groups = { go, nodes, edges, finish, typed };
  moves.more = make("button", "more", "Show all moves");
  moves.more.type = "button";
  moves.more.addEventListener("click", () => {
    moves.all = !moves.all;
    drawMoves(view);
  });
  panel.append(where, notice, go, nodes, edges, finish, typed, moves.more);
  view.find(".decision").after(panel);
  return moves;
}

function drillGroup(title, parts) {
  const group = make("div", "group");
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", title);
  group.append(make("h4", "", title), ...parts);
  return group;
}

function moveButton(view, action, what) {
  const button = make("button", "move");
  button.type = "button";
  button.append(make("b", "", action), " ", make("span", "", what));
  button.addEventListener("click", () => drillSend(view, "act", action));
  return button;
}

function drillField(label, placeholder, list) {
  const input = make("input", "");
  input.setAttribute("aria-label", label);
  if (list) input.setAttribute("list", list);
  Object.assign(input, { placeholder, autocomplete: "off", spellcheck: false, maxLength: 300 });
  return input;
}

function fieldForm(view, kind, what, input) {
  const form = make("form", "field");
  form.dataset.kind = kind;
  const button = make("button", "move");
  button.append(make("b", "", kind), " ", make("span", "", what));
  form.append(input, button);
  const list = input.getAttribute("list");
  if (list) {
    const known = make("datalist", "");
    known.id = list;
    form.append(known);
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (!text) {
      input.focus();
      return;
    }
    drillSend(view, "act", `${kind}(${text})`);
    if (input.matches("input")) input.value = "";
  });
  return form;
}

function typedForm(view, input) {
  const form = make("form", "field typed");
  form.append(input, make("button", "move", "Take it"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (input.value.trim()) drillSend(view, "act", input.value.trim());
    input.value = "";
  });
  return form;
}

function mountEdges(view, moves) {
  moves.other = make("select", "");
  moves.other.setAttribute("aria-label", "The other node");
  moves.role = make("select", "");
  moves.role.setAttribute("aria-label", "Role");
  const redraw = () => drawEnds(view);
  moves.other.addEventListener("change", redraw);
  moves.role.addEventListener("change", redraw);
  const between = make("p", "note ends");
  moves.ends = between;
  moves.arcs = ["LA", "RA"].map((kind) => {
    const button = make("button", "move");
    button.type = "button";
    button.dataset.kind = kind;
    button.append(make("b", "", kind), " ", make("span", ""));
    button.addEventListener("click", () => {
      drillSend(view, "act", `${kind}(${moves.other.value || 0}, ${moves.role.value})`);
    });
    return button;
  });
  const row = make("div", "row");
  row.append(moves.role, moves.other);
  return [between, row, ...moves.arcs];
}

function mountRoot(view, moves) {
  moves.root = make("select", "");
  moves.root.setAttribute("aria-label", "Root of the graph");
  moves.mark = make("button", "move");
  moves.mark.type = "button";
  moves.mark.append(make("b", "", "ROOT"), " ", make("span", "", "mark it as the root"));
  moves.mark.addEventListener("click", () => {
    drillSend(view, "act", `ROOT(${moves.root.value || 0})`);
  });
  return [moves.root, moves.mark];
}

export function fillOffers(view) {
  const { exercise, moves } = view.drill;
  if (moves.offered === exercise.lesson) return;
  moves.offered = exercise.lesson;
  moves.all = false;
  const { concepts, constants, templates, roles } = exercise.offers;
  const lists = [[moves.pred, concepts], [moves.constant, constants]];
  for (const [input, texts] of lists) {
    input.value = "";
    fill(input.form.querySelector("datalist"), texts, optionOf);
  }
  fill(moves.role, roles, optionOf);
  fill(moves.patterns, templates, optionOf);
}

export function drawMoves(view) {
  const { moves, exercise } = view.drill;
  const isAtRoot = stepAt(view.trace, view.step).cursor >= view.trace.tokens.length;
  const isClosed = exercise.closed[view.step];
  moves.where.replaceChildren(...(isClosed ? ["The graph is finished"] : [
    exercise.mode === "predict" ? "What comes next at " : "Your move at ",
    make("bdi", "", isAtRoot ? wordsAt(view) : `“${wordsAt(view)}”`),
  ]));
  const reasons = reasonsAt(view);
  for (const { button, kind } of moves.simple) allow(button, reasons.get(kind));
  drawCopies(view, reasons);
  for (const form of moves.panel.querySelectorAll("form[data-kind]")) {
    allow(form.querySelector("button"), reasons.get(form.dataset.kind));
  }
  drawEnds(view, reasons);
  drawRoots(view, reasons);
  drawNotice(view);
  hideMoves(view, isAtRoot, isClosed);
}

function reasonsAt(view) {
  const { trace, step } = view;
  const rule = trace.rules[trace.steps.legal[step]];
  return new Map(trace.kinds.map((kind, place) => [
    kind, rule[place] < 0 ? "" : trace.texts[rule[place]],
  ]));
}

// Marks a button whose action is not possible now; the reason stands in its title.
function allow(button, reason) {
  button.classList.toggle("no", Boolean(reason));
  button.title = reason ? `Not possible: ${reason}` : "";
}

function drawCopies(view, reasons) {
  const { moves, exercise } = view.drill;
  const now = exercise.copies[view.step];
  for (const { button } of moves.copies.values()) button.hidden = true;
  for (const [kind, label] of now) {
    if (!moves.copies.has(kind)) {
      const button = moveButton(view, `COPY(${kind})`, "");
      moves.copies.set(kind, { button });
      moves.copyRow.append(button);
    }
    const { button } = moves.copies.get(kind);
    button.hidden = false;
    button.querySelector("span").replaceChildren("makes ", make("bdi", "", label));
    allow(button, "");
  }
  if (!now.length && !moves.copies.size) return;
  if (now.length) return;
  for (const kind of ["lemma", "sense"]) {
    const known = moves.copies.get(kind);
    if (!known) continue;
    known.button.hidden = false;
    say(known.button.querySelector("span"), "copy the word");
    allow(known.button, reasons.get(`COPY(${kind})`) || "");
  }
}

// The items that an edge can name: those that stand alone, or the root of a pattern.
function itemsAt(view) {
  const { nodes } = view.trace;
  const made = nodes.filter((node) => node.step <= view.step && !node.inside);
  return made.sort((one, other) => one.step - other.step);
}

function drawEnds(view, known) {
  const { moves } = view.drill;
  const reasons = known || reasonsAt(view);
  const items = itemsAt(view);
  const last = items[items.length - 1];
  const isOpen = last && !(reasons.get("LA") && reasons.get("RA"));
  refill(moves.other, items.filter((item) => item !== last || items.length === 1).reverse());
  const other = items.find((item) => String(item.step - 1) === moves.other.value);
  say(moves.ends, isOpen ? `Between the newest node, ${last.label}, and:` : "");
  for (const button of moves.arcs) {
    const isLeft = button.dataset.kind === "LA";
    const [from, to] = isLeft ? [last, other] : [other, last];
    const text = isOpen && other ? `${from.label} ${moves.role.value} ${to.label}` : (
      isLeft ? "from the newest node" : "to the newest node");
    say(button.querySelector("span"), text);
    allow(button, reasons.get(button.dataset.kind));
  }
}

function drawRoots(view, reasons) {
  const { moves } = view.drill;
  refill(moves.root, itemsAt(view).filter((item) => !item.constant));
  allow(moves.mark, reasons.get("ROOT"));
}

// Fills a list of nodes anew only where it changed; the chosen one stays chosen.
function refill(select, items) {
  const wanted = items.map((item) => `${item.step - 1}: ${item.label}`);
  const shown = [...select.options].map((option) => option.textContent);
  if (wanted.join("\n") === shown.join("\n")) return;
  const before = select.value;
  fill(select, items, (item) => {
    const option = make("option", "", `${item.step - 1}: ${item.label}`);
    option.value = String(item.step - 1);
    return option;
  });
  if ([...select.options].some((option) => option.value === before)) select.value = before;
}

// A click on a drawn node chooses it as the other end of an edge, or as the root.
export function chooseEnd(view, event) {
  const picked = pickOf(event.target);
  if (!picked || picked.kind !== "node") return;
  const { moves } = view.drill;
  const value = String(view.trace.nodes[picked.place].step - 1);
  for (const select of [moves.other, moves.root]) {
    if ([...select.options].some((option) => option.value === value)) select.value = value;
  }
  drawEnds(view);
}

function hideMoves(view, isAtRoot, isClosed) {
  const { moves, exercise } = view.drill;
  const asked = (kind) => moves.all || !exercise.asks.length || exercise.asks.includes(kind);
  for (const { button, kind } of moves.simple) button.hidden = !asked(kind);
  moves.copyRow.hidden = !asked("COPY");
  for (const form of moves.panel.querySelectorAll("form[data-kind]")) {
    form.hidden = !asked(form.dataset.kind);
  }
  // Patterns are chosen from a list where there is one, and typed where there is none.
  const isListed = moves.patterns.options.length > 0;
  moves.patterns.form.hidden ||= !isListed;
  moves.template.form.hidden ||= isListed;
  for (const button of moves.arcs) button.hidden = !asked(button.dataset.kind);
  const { go, nodes, edges, finish, typed } = moves.groups;
  const isOver = isAtRoot || isClosed;
  go.hidden = isOver || !["SHIFT", "REDUCE", "MERGE"].some(asked);
  nodes.hidden = isOver || !["COPY", "PRED", "CONST", "SUBGRAPH"].some(asked);
  edges.hidden = isOver || !["LA", "RA"].some(asked);
  finish.hidden = isClosed || !asked("ROOT") || (!isAtRoot && !moves.all);
  typed.hidden = isClosed || (exercise.asks.length > 0 && !moves.all);
  moves.more.hidden = isClosed || !exercise.asks.length;
  say(moves.more, moves.all ? "Show fewer moves" : "Show all moves");
}

function drawNotice(view) {
  const { moves, exercise } = view.drill;
  const shown = exercise.notice && view.step === exercise.at ? exercise.notice : null;
  const key = JSON.stringify([exercise.ack, shown]);
  if (moves.noticed === key) return;
  moves.noticed = key;
  moves.notice.className = shown ? `notice ${shown[0]}` : "notice";
  if (!shown) {
    moves.notice.replaceChildren();
    return;
  }
  const [kind, title, lines] = shown;
  const list = make("ul", "");
  list.append(...lines.map((line) => make("li", "", line)));
  moves.notice.replaceChildren(make("b", "", title), list);
  if (kind !== "done" || !exercise.next) return;
  const next = make("button", "main", `Next lesson: ${exercise.next}`);
  next.type = "button";
  next.addEventListener("click", () => drillSend(view, "next"));
  moves.notice.append(next);
}

export function firstMove(view) {
  const buttons = [...view.drill.moves.panel.querySelectorAll("button")];
  return buttons.find((button) => button.offsetParent && !button.classList.contains("no"));
}
