// The keys of an exercise: what each does, when it works, and their list, which shows no others.

import { say } from "../shared/elements.js";
import { finish, isInside, isWithControl, keyEntry, signOf } from "../shared/keys.js";
import { drawCaps, isFocusFree } from "../trace/keys.js";
import { lastStep } from "../trace/view.js";
import { drillOf, redo, send, undo } from "./drill.js";

/** @type {Record<string, Hotkey>} */
const HOTKEYS = {
  s: taking("SHIFT", "go"),
  d: taking("REDUCE", "go"),
  m: taking("MERGE", "go"),
  c: taking("COPY", "nodes", "COPY(lemma)"),
  v: taking("COPY", "nodes", "COPY(sense)"),
  p: leading("to the field of PRED", ["PRED"], "nodes", ({ pred }) => pred),
  k: leading("to the field of CONST", ["CONST"], "nodes", ({ constant }) => constant),
  b: leading("to the pattern of SUBGRAPH", ["SUBGRAPH"], "nodes",
    ({ patterns, template }) => (patterns.form?.hidden ? template : patterns)),
  e: leading("to the edges", ["LA", "RA"], "edges", ({ role }) => role),
  o: leading("to the root", ["ROOT"], "finish", ({ root }) => root),
  t: leading("to typing an action", [], "typed", ({ typed }) => typed),
  h: { does: "hint", kinds: [], group: null, use: ({ drill }) => turnHint(drill) },
  u: { does: "undo", kinds: [], group: null, use: undo },
  y: { does: "redo", kinds: [], group: null, use: redo },
};

/** @param {string} kind @param {MoveGroup} group @param {string} [action] @returns {Hotkey} */
function taking(kind, group, action = kind) {
  return { does: action, kinds: [kind], group, use: (view) => send(view, "act", action) };
}

/** @param {string} does @param {string[]} kinds @param {MoveGroup} group
 * @param {(moves: Moves) => HTMLElement} field @returns {Hotkey} */
function leading(does, kinds, group, field) {
  return { does, kinds, group, use: (view) => field(drillOf(view).moves).focus() };
}

/** @param {Drill | null} drill */
function turnHint(drill) {
  if (drill) drill.task.hint.open = !drill.task.hint.open;
}

/** Tells whether a key does anything now. While an answer is awaited, all that the lesson asks for does:
 * who types ahead means a later moment. @param {View} view @param {string} key */
export function isHotkey(view, key) {
  const hotkey = HOTKEYS[key];
  if (!hotkey) return false;
  const { box, exercise, moves } = drillOf(view);
  if (key === "h") return Boolean(exercise.hint);
  if (!hotkey.group) return true;
  const { asks } = exercise;
  const isAsked = moves.all || !asks.length || hotkey.kinds.some((kind) => asks.includes(kind));
  return isAsked && (box.messages.length > 0 || !moves.groups[hotkey.group].hidden);
}

/** @param {View} view */
export function mountHotkeys(view) {
  const { root, signal } = view;
  root.addEventListener("keydown", (event) => pressedInDrill(view, event), { capture: true, signal });
  document.addEventListener("keydown", (event) => {
    if (isFocusFree(view)) pressedInDrill(view, event);
  }, { capture: true, signal });
  const rows = Object.entries(HOTKEYS).map(([key, { does }]) => ({ key, entry: keyEntry([key], does) }));
  view.find(".help dl").prepend(...rows.flatMap(({ entry }) => entry));
  say(view.find(".help .note"), "Letters, arrows and ? work at once, wherever no field has the focus.");
  return rows;
}

/** Shows in the list of keys those that do something now. @param {View} view */
export function drawHotkeys(view) {
  for (const { key, entry } of drillOf(view).hotkeys) {
    for (const part of entry) part.hidden = !isHotkey(view, key);
  }
  for (const part of view.find(".help dl").getElementsByClassName("of-playing")) {
    /** @type {HTMLElement} */ (part).hidden = !lastStep(view.trace); // what was taken so far is played
  }
}

/** @param {View} view @param {KeyboardEvent} event */
function pressedInDrill(view, event) {
  if (isInside(event, "input, select, dialog[open]")) {
    event.stopPropagation();
    if (event.key === "Escape" && !isInside(event, "dialog[open]")) view.root.focus({ preventScroll: true });
    return;
  }
  drawCaps(view, event);
  const key = signOf(event, () => false).toLowerCase();
  const isControl = isWithControl(event);
  if (event.altKey || (isControl && key !== "z" && key !== "y")) return;
  if (isControl) {
    if (key === "y" || event.shiftKey) redo(view);
    else undo(view);
  } else if (!isHotkey(view, key)) return;
  else if (!event.repeat || key === "u" || key === "y") HOTKEYS[key].use(view); // a held key takes one action
  finish(event);
}
