// Attention heads as a grid of small pictures, a row of a picture for each action. The one that is
// chosen shades the tokens or the actions, and is listed with its weights.

import { fill, make, say, shape } from "../../shared/elements.js";
import { decimals } from "../../shared/numbers.js";
import { unpackPairs } from "../unpack.js";
import { lastStep, shownAt } from "../view.js";
import { drawShares, growShares, weigh } from "./shares.js";

export const AVERAGE = -1; // over all layers and heads of cross-attention
const SHADES = 4; // how many weights a picture tells apart
const PAIR = 4; // characters

// --- which is which -------------------------------------------------------------------------

/** Gives the block of a head and its place in it; null for the average.
 * @param {readonly HeadBlock[] | null} blocks @param {number} head */
export function blockOf(blocks, head) {
  let before = 0;
  for (const block of blocks ?? []) {
    const size = block.layers * block.heads;
    if (head >= before && head < before + size) return { block, place: head - before };
    before += size;
  }
  return null;
}

/** @param {HeadBlock} block @param {number} place */
export function headName({ heads, names }, place) {
  const named = names[place] ? ` (${names[place]})` : "";
  return `layer ${Math.floor(place / heads)}, head ${place % heads}${named}`;
}

/** Gives the weights of a head at a step, by what it looks at.
 * @param {HeadBlock} block @param {number} place @param {number} step @returns {Pairs} */
export function weightsAt({ first, kept, weights }, place, step) {
  const length = PAIR * kept;
  return unpackPairs((weights[step] ?? "").slice(place * length, (place + 1) * length))
    .filter(([, weight]) => weight > 0)
    .map(([at, weight]) => [at + first, weight]);
}

// --- the grid -------------------------------------------------------------------------------

/** @param {View} view */
export function buildHeads(view) {
  const holds = view.trace.holds?.includes("heads");
  const blocks = view.opened.heads;
  say(view.find(".heads summary .note"), holds ? "" : "not in this trace");
  say(view.find(".heads-note"), headsNote(view));
  view.find(".average").hidden = !blocks;
  if (blocks && view.head !== AVERAGE && !blockOf(blocks, view.head)) view.head = AVERAGE;
  growShares(view, "attention", Math.max(0, ...(blocks ?? []).map(({ kept }) => kept)));
  let before = 0;
  fill(view.find(".head-grids"), blocks ?? [], (block) => {
    const grid = gridOf(block, before);
    before += block.layers * block.heads;
    return grid;
  });
  view.cells = [...view.find(".head-grids").querySelectorAll("[data-head]")].map((cell) =>
    /** @type {HTMLElement} */ (cell));
  markHead(view);
}

/** @param {View} view */
function headsNote({ opened, trace }) {
  if (!trace.holds?.includes("heads")) return "This trace holds the average over layers and heads only.";
  if (!opened.heads) return "Loading the heads …";
  return "A picture for each head: a row for each action, a column for each thing that it looks at, the "
    + "three largest weights of each. Enter or a click shades the tokens or the actions by that head, "
    + "and lists its weights under This decision.";
}

/** @param {HeadBlock} block @param {number} first  Number of its first head. */
function gridOf(block, first) {
  const { heads, layers, over } = block;
  const title = over === "tokens" ? "Cross-attention: tokens" : "Self-attention: earlier actions";
  const rows = Array.from({ length: layers }, (_row, layer) => make("div", "head-row", { role: "row" },
    make("span", "note", { role: "rowheader" }, `Layer ${layer}`),
    ...Array.from({ length: heads }, (_cell, head) => cellOf(block, layer * heads + head, first))));
  const grid = make("div", "head-grid", { role: "grid", "aria-label": title }, ...rows);
  grid.style.setProperty("--heads", String(heads));
  return make("section", "head-block", make("h4", "", title), grid);
}

/** @param {HeadBlock} block @param {number} place @param {number} first */
function cellOf(block, place, first) {
  return make("div", "head-cell", {
    role: "gridcell", tabindex: -1, "data-head": first + place, "aria-label": headName(block, place),
  }, make("span", "thumb", pictureOf(block, place), make("i", "moment")),
  make("span", "caption", block.names[place] || `head ${place % block.heads}`));
}

/** @param {HeadBlock} block @param {number} place */
function pictureOf(block, place) {
  const marks = Array.from({ length: SHADES }, () => "");
  let width = 1;
  block.weights.forEach((_, step) => {
    for (const [at, weight] of weightsAt(block, place, step)) {
      width = Math.max(width, at - block.first + 1);
      const shade = Math.min(SHADES - 1, Math.floor((weight * SHADES) / 1000));
      marks[shade] += `M${at - block.first} ${step}h1v1h-1z`;
    }
  });
  return shape("svg", {
    viewBox: `0 0 ${width} ${block.weights.length}`, preserveAspectRatio: "none", "aria-hidden": "true",
  }, ...marks.map((d, shade) => shape("path", { d, "fill-opacity": (shade + 1) / SHADES })));
}

/** Says which is chosen, and makes it the one stop of the tab key in its grid. @param {View} view */
function markHead(view) {
  const { cells, head, opened } = view;
  const stops = new Set([head]);
  let before = 0;
  for (const { heads, layers } of opened.heads ?? []) {
    if (head < before || head >= before + layers * heads) stops.add(before);
    before += layers * heads;
  }
  cells.forEach((cell, place) => {
    cell.setAttribute("aria-selected", String(place === head));
    cell.tabIndex = stops.has(place) ? 0 : -1;
  });
  view.find(".average").setAttribute("aria-pressed", String(head === AVERAGE));
}

/** Chooses a head; the one that is chosen gives way to the average. @param {View} view @param {number} head */
export function chooseHead(view, head) {
  view.head = head === view.head ? AVERAGE : head;
  markHead(view);
}

/** Gives the head to which a key leads from another in its grid.
 * @param {HeadBlock} block @param {number} place @param {string} key */
export function headBeside({ heads, layers }, place, key) {
  const [layer, head] = [Math.floor(place / heads), place % heads];
  /** @type {Record<string, [number, number]>} */
  const ways = {
    ArrowLeft: [layer, Math.max(0, head - 1)], ArrowRight: [layer, Math.min(heads - 1, head + 1)],
    ArrowUp: [Math.max(0, layer - 1), head], ArrowDown: [Math.min(layers - 1, layer + 1), head],
    Home: [layer, 0], End: [layer, heads - 1],
  };
  const to = ways[key];
  return to ? to[0] * heads + to[1] : null;
}

/** Moves the focus among heads; gives whether a key does.
 * @param {View} view @param {number} head @param {string} key */
export function rovedInHeads(view, head, key) {
  const found = blockOf(view.opened.heads, head);
  const to = found && headBeside(found.block, found.place, key);
  if (!found || to === null) return false;
  if (key === "ArrowUp" && head < found.block.heads) {
    view.find(".average").focus();
    return true;
  }
  view.cells[head].tabIndex = -1;
  const cell = view.cells[head - found.place + to];
  cell.tabIndex = 0;
  cell.focus();
  return true;
}

/** Leads from the average into the first grid; gives whether a key does.
 * @param {View} view @param {string} key */
export function enteredHeads(view, key) {
  const stop = view.cells.find(({ tabIndex }) => tabIndex === 0);
  if (!stop || !key.startsWith("Arrow")) return false;
  stop.focus();
  return true;
}

// --- what is shown of the chosen one ----------------------------------------------------------

/** Gives what is looked at with its weights, and the weight that is not listed.
 * @param {View} view @param {Now} now
 * @returns {{ over: string, name: string, pairs: Pairs, rest: number | null }} */
function attentionAt({ head, opened, step, trace }, now) {
  const found = blockOf(opened.heads, head);
  if (!found) {
    const name = "Cross-attention, average over layers and heads";
    const hidden = step < lastStep(trace) ? now.attentionRest : null;
    return { over: "tokens", name, pairs: now.attention, rest: hidden };
  }
  const { block, place } = found;
  const pairs = weightsAt(block, place, step);
  const listed = pairs.reduce((sum, [, weight]) => sum + weight, 0);
  const kind = block.over === "tokens" ? "Cross-attention" : "Self-attention";
  const isKnown = step < lastStep(trace) && block.weights[step];
  const rest = isKnown && (listed || block.over === "tokens") ? Math.max(0, 1000 - listed) : null;
  return { over: block.over, name: `${kind}, ${headName(block, place)}`, pairs, rest };
}

/** @param {View} view @param {Now} now */
export function drawAttention(view, now) {
  const { over, name, pairs, rest } = attentionAt(view, now);
  const weights = new Map(pairs);
  view.tokens.forEach((token, position) => {
    const weight = over === "tokens" ? weights.get(position) ?? 0 : 0;
    weigh(token, weight);
    const title = weight ? `cross-attention ${decimals(weight)}` : "";
    if (token.title !== title) token.title = title;
  });
  drawLookedBack(view, over === "actions" ? weights : new Map());
  const hidden = rest === null ? "; it sees nothing here" : rest && `; not listed: ${decimals(rest)}`;
  say(view.find(".attention-note"), `${name}${hidden || ""}.`);
  say(view.find(".heads summary .note"), view.head === AVERAGE ? "" : name);
  /** @param {number} place */
  const named = (place) => {
    if (over === "tokens") return view.words[place] ?? "";
    return place < 0 ? "start" : shownAt(view.trace, place);
  };
  drawShares(view.shares.attention, pairs.map(([place, weight]) =>
    [named(place), weight, place < 0 ? undefined : place]));
}

/** Shades the actions that a head looks back at, by their positions.
 * @param {View} view @param {Map<number, number>} weights */
function drawLookedBack(view, weights) {
  for (const jump of view.lookedBack) weigh(jump, 0);
  view.lookedBack = [];
  for (const [position, weight] of weights) {
    const jump = view.jumps[position + 1];
    if (!jump) continue;
    weigh(jump, weight);
    view.lookedBack.push(jump);
  }
}

/** Marks the row of the moment in all pictures at once. @param {View} view */
export function drawMoment(view) {
  if (!view.find(".heads", "details").open) return;
  const last = Math.max(1, lastStep(view.trace));
  const at = `translateY(${(100 * view.step) / last}%)`;
  for (const mark of view.find(".head-grids").getElementsByTagName("i")) mark.style.transform = at;
}
