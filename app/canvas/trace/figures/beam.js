// The beam as a tree: a column for each step of the search, a line from each hypothesis to those
// that grew from it. As many columns are drawn as there is room for, around the step that is shown.

import { childrenOf, fill, hide, make, say, setAll, shape, within } from "../../shared/elements.js";
import { focusedIn } from "../../shared/keys.js";
import { drawHypothesis } from "./hypothesis.js";
import { FATES, leadsFrom, rowsAt, scoreText, windowAt } from "./search.js";

const ROW = 26; // pixels, as in the style sheet
const GAP = 30; // between columns
const NARROW = 190; // a column

// --- lines ----------------------------------------------------------------------------------

/** Draws lines from rows to the rows of the next column that grew from them.
 * @param {Hypotheses} rows  Of the next column. @param {(row: number) => boolean} isDrawn */
function linesTo(rows, isDrawn) {
  return rows.map(([, , parent], row) => {
    if (parent < 0 || !isDrawn(row)) return "";
    const [from, to] = [middle(parent), middle(row)];
    return `M0 ${from}C${GAP / 2} ${from} ${GAP / 2} ${to} ${GAP} ${to}`;
  }).join("");
}

/** @param {number} row */
function middle(row) {
  return row * ROW + ROW / 2;
}

// --- building -------------------------------------------------------------------------------

/** @param {View} view */
export function buildBeam(view) {
  const holds = view.trace.holds ?? [];
  const { beam } = view.opened;
  say(view.find(".beam summary .note"), holds.includes("beam") ? "" : "not in this trace");
  view.find(".beam-map").hidden = view.find(".beam-tree").hidden = !beam;
  view.find(".hypothesis").hidden = true;
  view.tree = { columns: [], from: 0, at: null, followed: -1 };
  if (beam) drawMap(view, beam);
  drawBeam(view);
}

/** The whole search at a glance: its lines, and crosses where they end.
 * @param {View} view @param {Beam} beam */
function drawMap(view, { path, steps }) {
  const most = Math.max(1, ...steps.map((rows) => rows.length));
  /** @param {(step: number, row: number) => boolean} isDrawn */
  const lines = (isDrawn) => steps.map((rows, step) => rows.map(([, , parent], row) => {
    if (parent < 0 || !isDrawn(step, row)) return "";
    return `M${step - 0.5} ${parent + 0.5}L${step + 0.5} ${row + 0.5}`;
  }).join("")).join("");
  /** @param {number} fate */
  const dots = (fate) => steps.map((rows, step) => rows.map(([, , , own], row) =>
    own === fate ? `M${step + 0.5} ${row + 0.5}h0` : "").join("")).join("");
  const svg = shape("svg", { viewBox: `0 0 ${steps.length} ${most}`, preserveAspectRatio: "none" },
    shape("path", { d: lines((step, row) => steps[step][row][3] < 2), class: "kept" }),
    shape("path", { d: dots(2), class: "pruned" }),
    shape("path", { d: lines((step, row) => path[step] === row), class: "shown" }),
    shape("path", { d: dots(1), class: "closed" }));
  fill(view.find(".beam-map"), [svg, make("i", "window")], (element) => element);
}

/** Makes as many columns as there is room for. @param {View} view @param {Beam} beam */
function buildColumns({ find, room, tree }, beam) {
  const num = Math.min(beam.steps.length, Math.max(2, Math.floor((room + GAP) / (NARROW + GAP))));
  if (tree.columns.length === num) return;
  const most = Math.max(1, ...beam.steps.map((rows) => rows.length));
  tree.columns = Array.from({ length: num }, () => {
    const paths = ["kept", "pruned", "shown"].map((name) => shape("path", { class: name }));
    const rows = Array.from({ length: most }, () =>
      make("div", "hyp", { role: "treeitem", tabindex: -1 },
        make("bdi", "name"), make("span", "value"), make("span", "fate")));
    const head = make("span", "column-head", { "aria-hidden": "true" });
    const group = make("div", "column", { role: "group" }, head, ...rows);
    const lines = shape("svg", { class: "lines", width: GAP, "aria-hidden": "true" }, ...paths);
    return { at: -1, group, head, rows, lines, paths };
  });
  fill(find(".beam-tree"), tree.columns.flatMap(({ group, lines }) => [lines, group]), (element) => element);
  tree.followed = -1;
}

// --- drawing --------------------------------------------------------------------------------

/** Draws only while it is open, so that a step stays quick. @param {View} view */
export function drawBeam(view) {
  const { opened: { beam }, step, tree } = view;
  if (!view.find(".beam", "details").open) return;
  say(view.find(".beam-note"), beamNote(view));
  if (!beam || !view.room) return;
  buildColumns(view, beam);
  if (tree.followed !== step) tree.from = windowAt(beam, step, tree.columns.length);
  tree.followed = step;
  drawColumns(view, beam);
}

/** @param {View} view @param {Beam} beam */
function drawColumns(view, beam) {
  const { opened, step, tree } = view;
  turnColumns(view);
  tree.columns.forEach((column, number) => {
    const at = tree.from + number;
    column.group.setAttribute("aria-label", `Action ${at}${at === step ? ", next" : ""}`);
    column.group.classList.toggle("next", at === step);
    say(column.head, at === step ? `${at} next` : String(at));
    column.lines.classList.toggle("first", number === 0);
    if (column.at !== at) drawColumn(beam, column, at);
  });
  view.find(".beam-tree").querySelector("[aria-selected='true']")?.setAttribute("aria-selected", "false");
  if (opened.wanted) rowOf(tree, opened.wanted)?.setAttribute("aria-selected", "true");
  drawStop(view);
  const num = tree.columns.length;
  const mark = within(view.find(".beam-map"), ".window");
  mark.style.width = `${(100 * num) / beam.steps.length}%`;
  mark.style.transform = `translateX(${(100 * (tree.from - beam.first)) / num}%)`;
}

/** Brings the columns that stay in sight to their places, as they are: a step then draws one.
 * @param {View} view */
function turnColumns({ find, tree: { columns, from } }) {
  const list = find(".beam-tree");
  const by = from - columns[0].at;
  if (Math.abs(by) >= columns.length) return;
  for (let turned = 0; turned < Math.abs(by); turned += 1) {
    const moved = by > 0 ? columns.shift() : columns.pop();
    if (!moved) return;
    if (by > 0) {
      columns.push(moved);
      list.append(moved.lines, moved.group);
    } else {
      columns.unshift(moved);
      list.prepend(moved.lines, moved.group);
    }
  }
}

/** @param {Beam} beam @param {Column} column @param {number} at */
function drawColumn(beam, column, at) {
  const entries = rowsAt(beam, at);
  const path = beam.path[at - beam.first] ?? -1;
  column.at = at;
  column.paths[0].setAttribute("d", linesTo(entries, (row) => entries[row][3] < 2));
  column.paths[1].setAttribute("d", linesTo(entries, (row) => entries[row][3] === 2));
  column.paths[2].setAttribute("d", linesTo(entries, (row) => row === path));
  column.rows.forEach((row, place) => {
    hide(row, place >= entries.length);
    if (!row.hidden) drawRow(beam, row, [at, place], place === path);
  });
}

/** Makes one hypothesis the stop of the tab key: that which has the focus, was last gone to, or is
 * shown at the step. @param {View} view */
function drawStop(view) {
  const { step, tree } = view;
  const focused = focusedIn(view.root);
  if (focused?.dataset.hypothesis) tree.at = placeOf(focused);
  const next = tree.columns[Math.max(0, step - tree.from)] ?? tree.columns[0];
  const shown = next.rows.find((row) => row.classList.contains("path")) ?? next.rows[0];
  view.find(".beam-tree").querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
  ((tree.at && rowOf(tree, tree.at)) ?? shown).tabIndex = 0;
}

/** Gives what shows a hypothesis, where it is in sight. @param {View["tree"]} tree @param {Place} at */
function rowOf({ columns, from }, [step, row]) {
  const found = columns[step - from]?.rows[row];
  return found && !found.hidden ? found : null;
}

/** @param {Beam} beam @param {HTMLElement} row @param {Place} at @param {boolean} isShown */
function drawRow(beam, row, [step, place], isShown) {
  const rows = rowsAt(beam, step);
  const [action, score, , fate] = rows[place];
  const [bare, shown] = beam.actions[action];
  const [name, value, sign] = childrenOf(row);
  row.className = `hyp ${FATES[fate]}`;
  row.classList.toggle("path", isShown);
  row.dataset.hypothesis = `${step}:${place}`;
  const title = bare === shown ? bare : `${shown}\n${bare}`;
  if (row.title !== title) row.title = title;
  say(name, shown);
  say(value, scoreText(score));
  say(sign, ["", "■", "✕"][fate]);
  setAll(row, {
    "aria-label": `${shown}, score ${scoreText(score)}, ${FATES[fate]}${isShown ? ", the one shown" : ""}`,
    "aria-selected": "false",
    "aria-level": step - beam.first + 1, "aria-posinset": place + 1, "aria-setsize": rows.length,
  });
}

/** @param {View} view */
function beamNote({ opened: { beam }, step, trace }) {
  if (!trace.holds?.includes("beam")) return "This trace holds no beam.";
  if (!beam) return "Loading the beam …";
  if (step < beam.first) return `Actions before ${beam.first} were forced: there was no search.`;
  return "A column for each action, the best hypothesis first. Score: sum of log-probabilities so far, in "
    + "nats. ■ closed, ✕ pruned; the thick line leads to the graph that is shown. Enter or a click "
    + "draws what a hypothesis has built.";
}

// --- going through it -----------------------------------------------------------------------

/** Gives the hypothesis that an element of the tree shows. @param {HTMLElement} element @returns {Place} */
function placeOf(element) {
  const [step, row] = (element.dataset.hypothesis ?? "").split(":").map(Number);
  return [step, row];
}

/** Does what a key stands for in the tree; gives whether it stood for anything.
 * @param {View} view @param {HTMLElement} element @param {string} key */
export function pressedInTree(view, element, key) {
  const { opened, tree } = view;
  if (!opened.beam) return false;
  if (key === "Enter" || key === " ") openHypothesis(view, placeOf(element));
  else if (key === "Escape" && opened.wanted) closeHypothesis(view);
  else if (/^(Arrow(Left|Right|Up|Down)|Home|End)$/.test(key)) {
    const to = leadsFrom(opened.beam, placeOf(element), key);
    const end = tree.from + tree.columns.length - 1;
    tree.from += Math.min(0, to[0] - tree.from) + Math.max(0, to[0] - end);
    element.blur(); // else it would be taken for where one is
    tree.at = to;
    drawColumns(view, opened.beam);
    view.find(".beam-tree [tabindex='0']").focus({ preventScroll: true });
  } else return false;
  return true;
}

/** @param {View} view @param {HTMLElement} element */
export function clickedInTree(view, element) {
  view.tree.at = placeOf(element);
  openHypothesis(view, view.tree.at);
}

/** Goes to the step at a place of the map. @param {View} view @param {MouseEvent} event */
export function stepOnMap({ find, opened: { beam } }, event) {
  const { left, width } = find(".beam-map").getBoundingClientRect();
  return beam ? beam.first + Math.floor(((event.clientX - left) / width) * beam.steps.length) : 0;
}

/** Opens a hypothesis, or closes it where it is open. @param {View} view @param {Place} at */
function openHypothesis(view, at) {
  const { opened } = view;
  if (opened.wanted?.[0] === at[0] && opened.wanted[1] === at[1]) {
    closeHypothesis(view);
    return;
  }
  opened.wanted = at;
  opened.hypothesis = null;
  drawBeam(view);
  drawHypothesis(view);
}

/** @param {View} view */
export function closeHypothesis(view) {
  view.opened.wanted = view.opened.hypothesis = null;
  view.find(".hypothesis").hidden = true;
  drawBeam(view);
  view.find(".beam-tree [tabindex='0']").focus({ preventScroll: true });
}
