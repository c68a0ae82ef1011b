// The moves of an exercise: buttons and fields for every kind of action. What is not possible
// can be pressed all the same: the answer says why.

import { fill, make, makeButton, optionOf } from "../shared/elements.js";
import { drillOf, send } from "./drill.js";
import { drawEnds, drawMoves } from "./possible.js";

const SIMPLE_MOVES = [
  ["SHIFT", "done here: go on to the next token"],
  ["REDUCE", "skip this token: it adds nothing"],
  ["MERGE", "join this token with the next"],
];

/** @param {View} view @returns {Moves} */
export function mountMoves(view) {
  const fields = mountFields();
  const { copyRow, pred, constant, patterns, template, role, other, ends, root, typed } = fields;
  const simple = SIMPLE_MOVES.map(([kind, what]) =>
    ({ kind, button: moveButton(view, kind, what, () => kind) }));
  const arcs = ["LA", "RA"].map((kind) =>
    moveButton(view, kind, "", () => `${kind}(${other.value || 0}, ${role.value})`));
  const mark = moveButton(view, "ROOT", "mark it as the root", () => `ROOT(${root.value || 0})`);
  for (const select of [other, role]) select.addEventListener("change", () => drawEnds(view));
  const groups = {
    go: groupOf("Go on", simple.map(({ button }) => button)),
    nodes: groupOf("Make a node", [
      copyRow,
      fieldForm(view, "PRED", "make a node with this name", pred),
      fieldForm(view, "CONST", "make a constant", constant),
      fieldForm(view, "SUBGRAPH", "make several at once", patterns),
      fieldForm(view, "SUBGRAPH", "make several at once", template),
    ]),
    edges: groupOf("Draw an edge", [ends, make("div", "row", role, other), ...arcs]),
    finish: groupOf("Finish", [root, mark]),
    typed: groupOf("Or type an action", [typedForm(view, typed)]),
  };
  const where = make("h3", "where-now");
  const notice = make("div", "notice", { role: "status" });
  const more = makeButton("more", "Show all moves");
  const panel = make("section", "panel moves", { "aria-label": "Your move" },
    where, notice, ...Object.values(groups), more);
  const moves = { ...fields, simple, arcs, mark, groups, where, notice, more, panel,
    copies: new Map(), noticed: "", offered: "", all: false };
  more.addEventListener("click", () => {
    moves.all = !moves.all;
    drawMoves(view);
  });
  view.find(".decision").after(panel);
  return moves;
}

function mountFields() {
  return {
    copyRow: make("div", "copies"),
    pred: fieldOf("Name of the concept", "such as boy or want-01", "drill-concepts"),
    constant: fieldOf("Value of the constant", 'such as 2 or "Lima"', "drill-constants"),
    template: fieldOf("Pattern", "such as (name :op* {words})"),
    patterns: make("select", "", { "aria-label": "Pattern" }),
    other: make("select", "", { "aria-label": "The other node" }),
    role: make("select", "", { "aria-label": "Role" }),
    ends: make("p", "note ends"),
    root: make("select", "", { "aria-label": "Root of the graph" }),
    typed: fieldOf("Action", ""),
  };
}

/** @param {string} title @param {Part[]} parts */
function groupOf(title, parts) {
  return make("div", "group", { role: "group", "aria-label": title }, make("h4", "", title), ...parts);
}

/** @param {string} label @param {string} placeholder @param {string} [list]  Id of what completes it. */
function fieldOf(label, placeholder, list) {
  return make("input", "",
    { "aria-label": label, placeholder, list, autocomplete: "off", spellcheck: false, maxlength: 300 });
}

/** @param {View} view @param {string} kind @param {string} what @param {() => string} action */
function moveButton(view, kind, what, action) {
  const button = makeButton("move", { "data-kind": kind }, make("b", "", kind), " ", make("span", "", what));
  button.addEventListener("click", () => send(view, "act", action()));
  return button;
}

/** @param {View} view @param {string} kind @param {string} what
 * @param {HTMLInputElement | HTMLSelectElement} field */
function fieldForm(view, kind, what, field) {
  const form = make("form", "field", { "data-kind": kind }, field,
    make("button", "move", make("b", "", kind), " ", make("span", "", what)));
  const list = field.getAttribute("list");
  if (list) form.append(make("datalist", "", { id: list }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (!text) {
      field.focus();
      return;
    }
    send(view, "act", `${kind}(${text})`);
    if (field instanceof HTMLInputElement) field.value = "";
  });
  return form;
}

/** @param {View} view @param {HTMLInputElement} field */
function typedForm(view, field) {
  const form = make("form", "field typed", field, make("button", "move", "Take it"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.value.trim()) send(view, "act", field.value.trim());
    field.value = "";
  });
  return form;
}

/** Fills the lists with what a lesson offers. @param {View} view */
export function fillOffers(view) {
  const { exercise, moves } = drillOf(view);
  if (moves.offered === exercise.lesson) return;
  moves.offered = exercise.lesson;
  moves.all = false;
  const { concepts, constants, templates, roles } = exercise.offers;
  for (const [field, texts] of /** @type {const} */ ([[moves.pred, concepts], [moves.constant, constants]])) {
    field.value = "";
    if (field.list) fill(field.list, texts, (text) => optionOf(text));
  }
  fill(moves.role, roles, (text) => optionOf(text));
  fill(moves.patterns, templates, (text) => optionOf(text));
}

/** @param {View} view */
export function firstMove(view) {
  const buttons = [...drillOf(view).moves.panel.querySelectorAll("button")];
  return buttons.find((button) => button.offsetParent && !button.classList.contains("no"));
}
