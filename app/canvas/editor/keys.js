// The keys: one for everything, shown by `?`, and each can be given another.

import { act, leaveMode, modeKey } from "./act.js";
import { drawChosen, focusAt, keyOf, lineOf, stand } from "./draw.js";
import { tellEditor } from "./edit.js";
import { promptKey, typeInPrompt } from "./prompt.js";
import { sideKey, takeOption } from "./side.js";
import { writingKey } from "./text.js";
import { make, say } from "../shared/elements.js";
import { isInside } from "../shared/keys.js";

const KEPT_KEYS = "aptamr.correct.keys";
const ACTS = [
  ["accept", "a", "accept the sentence and go to the next"],
  ["reject", "j", "reject it and go to the next"],
  ["skip", "k", "skip it and go to the next"],
  ["flag", "f", "flag it, or take the flag away"],
  ["undo", "u", "undo (also Ctrl+Z)"],
  ["redo", "y", "redo (also Ctrl+Y)"],
  ["next", "]", "go to the next sentence"],
  ["back", "[", "go to the sentence before"],
  ["rename", "r", "rename a node or constant, relabel an edge"],
  ["add", "n", "add a node or constant below the chosen node, for the marked words"],
  ["delete", "d", "delete what is chosen (also Delete)"],
  ["link", "e", "add an edge to another node"],
  ["reverse", "v", "turn an edge round"],
  ["source", "s", "give an edge another source"],
  ["target", "t", "give an edge another target"],
  ["root", "o", "make a node the root"],
  ["merge", "m", "merge another node into the chosen one"],
  ["split", "b", "split a node in two"],
  ["reify", "i", "turn an edge into a concept, or such a concept back into an edge"],
  ["align", "l", "say which words it stands for"],
  ["confirm", "h", "confirm what is chosen: suggestions leave it alone"],
  ["doubt", "q", "go to the next doubtful part"],
  ["suggest", "g", "suggest the rest of the graph again"],
  ["leaveall", "x", "put the proposals away"],
  ["problem", "p", "go to the next problem"],
  ["fix", "z", "take the fix of the problem of what is chosen"],
  ["dismiss", "w", "dismiss a warning with a note"],
  ["comment", "c", "write a comment"],
  ["text", ".", "to the graph as text, and back"],
  ["tokens", ",", "to the words, and back"],
  ["tidy", "0", "lay the graph out again"],
  ["keys", "?", "all keys"],
];

const LEAVES = new Set(["accept", "reject", "skip", "next", "back"]); // another sentence comes
export const OPTIONS = /^[1-9]$/;

export function readKeys() {
  const own = Object.fromEntries(ACTS.map(([name, key]) => [name, key]));
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT_KEYS)) || {};
    for (const [name, key] of Object.entries(kept)) {
      if (own[name] && typeof key === "string" && key.length === 1) own[name] = key;
    }
  } catch {
    // no storage: the keys are as they came
  }
  return own;
}

function actOf(view, key) {
  return (ACTS.find(([name]) => view.keys[name] === key) || [""])[0];
}

export function pressed(view, event) {
  if (!view.data || event.isComposing) return;
  const inField = isInside(event, "input, textarea");
  const isControl = event.ctrlKey || event.metaKey;
  const inPrompt = isInside(event, ".prompt"); // its buttons take no keys of the graph
  if (isInside(event, "dialog") || inField || inPrompt) {
    event.stopPropagation(); // Streamlit's own keys are r and c
    if (inPrompt && (inField || event.key === "Escape")) promptKey(view, event);
    if (isInside(event, ".writing")) writingKey(view, event);
    if (isInside(event, ".help")) remapKey(view, event);
    return;
  }
  if (event.key === "r" || event.key === "c" || event.key === "Escape") event.stopPropagation();
  if (event.altKey || (isControl && !/^[zy]$/i.test(event.key))) return;
  const isButton = isInside(event, "button:not(.word)") && (event.key === "Enter" || event.key === " ");
  if (isButton || event.key === "Tab") return;
  if (isInside(event, ".alarm") && !/^(Arrow|Esc)/.test(event.key)) return; // decide first
  const press = { key: event.key, isControl, isShifted: event.shiftKey };
  const isOurs = isControl || press.key.length === 1 || /^(Arrow|Home|End|Enter|Esc|Del|Back)/.test(press.key);
  if (view.waiting && isOurs) {
    view.typed.push(press); // what it means depends on the answer that is under way
  } else if (!doKey(view, press, event)) {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

// Does the keys that were pressed while an answer was under way.
export function replay(view) {
  if (view.waiting && view.data.ack < view.waiting) return;
  view.waiting = 0;
  while (view.typed.length && !view.waiting) {
    const press = view.typed.shift();
    if (!view.find(".prompt").hidden) typeInPrompt(view, press);
    else doKey(view, press, null);
  }
}

// Does what a key stands for; gives whether it stood for anything.
function doKey(view, press, event) {
  const { key, isControl, isShifted } = press;
  if (isControl) {
    act(view, key.toLowerCase() === "y" || isShifted ? "redo" : "undo");
    return true;
  }
  const inWords = event && isInside(event, ".tokens");
  const inList = event && isInside(event, ".lines");
  if (inWords && wordKey(view, press, event)) return true;
  if (view.mode && modeKey(view, press)) return true;
  if (event && isInside(event, ".alarm, .offered, .doubts, .problems") && sideKey(view, key, event)) {
    return true;
  }
  if (moveKey(view, key, inList)) return true;
  if (key === "Escape") return escapeAll(view);
  if (key === "Delete" || key === "Backspace") {
    act(view, "delete");
    return true;
  }
  const known = actOf(view, key);
  if (known) {
    act(view, known);
    if (LEAVES.has(known)) view.leaving = view.waiting; // which then gets the focus
    return true;
  }
  if (OPTIONS.test(key)) return takeOption(view, Number(key) - 1);
  return false;
}

// Up and down lead to the next of the same kind, left and right up and down the graph.
function moveKey(view, key, inList) {
  const ways = { ArrowUp: -1, ArrowDown: 1 };
  if (!view.at || !/^(Arrow(Up|Down|Left|Right)|Home|End)$/.test(key)) return false;
  let next = null;
  if (ways[key]) {
    const same = inList ? view.order : view.order.filter(({ kind }) => kind === view.at.kind);
    const place = same.findIndex((part) => keyOf(part) === keyOf(view.at));
    next = same[place + ways[key]];
  }
  if (key === "ArrowLeft") next = view.above.get(keyOf(view.at));
  if (key === "ArrowRight") next = view.below.get(keyOf(view.at));
  if (key === "Home") next = view.order[0];
  if (key === "End") next = view.order.at(-1);
  if (next) stand(view, next, !inList);
  if (next && inList) focusLine(view);
  if (view.mode && next) view.mode.moved?.();
  return true;
}

export function focusLine(view) {
  const line = lineOf(view, view.at);
  if (line >= 0) view.lines[line].firstElementChild.focus();
}

export function escapeAll(view) {
  if (view.mode) leaveMode(view);
  else if (view.span.size) view.span.clear();
  drawChosen(view);
  focusAt(view);
  return true;
}

// --- words --------------------------------------------------------------------------------

// Arrows go from word to word, with Shift marking them; a space marks one.
function wordKey(view, press, event) {
  const { key, isShifted } = press;
  const here = Number(event.target.dataset.token);
  const way = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (way) {
    const next = here + way;
    if (!view.tokens[next]) return true;
    if (isShifted) {
      markWord(view, here, true);
      markWord(view, next, true);
    }
    focusWord(view, next);
    return true;
  }
  if (key === "Home" || key === "End") {
    focusWord(view, key === "Home" ? 0 : view.tokens.length - 1);
    return true;
  }
  if (key === " " || (key === "Enter" && isShifted)) {
    markWord(view, here, !view.span.has(here));
    return true;
  }
  if (key === "Enter" && view.mode && view.mode.takesWords) {
    if (!view.span.size) view.span.add(here);
    view.mode.take();
    return true;
  }
  if (key === "Enter") {
    standAtWord(view, here, true);
    return true;
  }
  if (key === "Escape" && !view.mode) return escapeAll(view);
  if (actOf(view, key) === "add" && !view.span.size) view.span.add(here);
  return false;
}

export function focusWord(view, place) {
  view.tokens.forEach((token, at) => (token.firstElementChild.tabIndex = at === place ? 0 : -1));
  view.tokens[place].firstElementChild.focus();
}

export function markWord(view, place, isIn) {
  if (isIn) view.span.add(place);
  else view.span.delete(place);
  drawChosen(view);
}

// Goes to the node that stands for a word.
export function standAtWord(view, word, byKey) {
  const places = view.data.nodes.flatMap((node, place) => (node.tokens.includes(word) ? [place] : []));
  if (!places.length) {
    tellEditor(view, `“${view.data.tokens[word]}”: no node stands for it`);
    return;
  }
  const now = view.at.kind === "node" ? places.indexOf(view.at.place) : -1;
  stand(view, { kind: "node", place: places[(now + 1) % places.length] }, byKey);
}

// --- all keys -----------------------------------------------------------------------------

export function mountKeys(view) {
  const help = view.find(".help");
  help.addEventListener("close", () => focusAt(view));
  drawKeys(view);
}

function drawKeys(view) {
  const rows = ACTS.flatMap(([name, , what]) => {
    const term = make("dt", "");
    const button = make("button", "remap");
    button.type = "button";
    button.dataset.remap = name;
    button.setAttribute("aria-label", `${what}: key ${view.keys[name]}; press to change`);
    button.append(make("kbd", "", view.keys[name]));
    term.append(button);
    return [term, make("dd", "", what)];
  });
  const more = [
    ["↑ ↓", "the next node or edge"], ["← →", "up and down the graph"],
    ["1 … 9", "take an option of the doubtful part, or a proposal"], ["Esc", "leave what was begun"],
    ["Space", "on a word: mark it; Shift with arrows marks several"],
  ].flatMap(([keys, what]) => {
    const name = make("dt", "");
    name.append(make("kbd", "", keys));
    return [name, make("dd", "", what)];
  });
  view.find(".help dl").replaceChildren(...rows, ...more);
  for (const button of view.root.querySelectorAll(".bar [data-act]")) {
    const key = view.keys[button.dataset.act];
    let sign = button.querySelector("kbd");
    if (!sign) button.append(" ", (sign = make("kbd", "")));
    say(sign, key);
    button.setAttribute("aria-keyshortcuts", key);
  }
}

function remapKey(view, event) {
  const { remapping } = view;
  if (!remapping || event.key === "Tab" || event.key === "Escape") {
    stopRemap(view);
    return;
  }
  if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const taken = actOf(view, event.key);
  if (OPTIONS.test(event.key)) return;
  if (taken && taken !== remapping) view.keys[taken] = view.keys[remapping]; // the two change places
  view.keys[remapping] = event.key;
  stopRemap(view);
  drawKeys(view);
  keepKeys(view);
  view.find(`[data-remap=${remapping}]`).focus();
}

export function startRemap(view, button) {
  stopRemap(view);
  view.remapping = button.dataset.remap;
  button.classList.add("waiting");
}

export function stopRemap(view) {
  view.remapping = "";
  for (const button of view.root.querySelectorAll(".remap.waiting")) button.classList.remove("waiting");
}

function keepKeys(view) {
  try {
    localStorage.setItem(KEPT_KEYS, JSON.stringify(view.keys));
  } catch {
    tellEditor(view, "This browser keeps no keys: they hold until the page is closed.");
  }
}

export function resetKeys(view) {
  for (const [name, key] of ACTS) view.keys[name] = key;
  keepKeys(view);
  drawKeys(view);
}
