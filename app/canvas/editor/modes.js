// Gestures that need a second choice: another node, edges, or words.

import { ascending } from "../shared/numbers.js";
import { drawChosen, focusAt, focusWord, stand } from "./choosing.js";
import { actOf } from "./keymap.js";
import { choosePart, describePart, partData, partOf } from "./places.js";
import { gesture } from "./sending/sending.js";
import { refuse, tell } from "./telling.js";
import { closePrompt } from "./typing/prompt.js";

const SHOWING = new Set(["find", "more"]); // acts that show what may be chosen

/** @param {Editor} view @param {string} question @param {(other: Chosen, base: number) => void} done */
export function chooseOther(view, question, done) {
  const base = view.data.sentence.revision;
  const from = view.at;
  beginMode(view, {
    from,
    hint: `${question} Go there with the arrows and press Enter, or click it. Esc leaves.`,
    take: () => {
      const other = view.at;
      if (other.kind !== "node" || view.data.nodes[other.place].constant) {
        refuse(view, "Choose a node for this.");
        return;
      }
      leaveMode(view);
      done(other, base);
    },
  });
  if (from.kind === "edge") stand(view, { kind: "node", place: view.data.edges[from.place].source }, true);
}

/** @param {Editor} view @param {Chosen} here  The node that is split. */
export function chooseEdges(view, here) {
  const base = view.data.sentence.revision;
  /** By name: more of the graph may be shown meanwhile. @type {Map<string, Ends>} */
  const picked = new Map();
  /** @param {EditedEdge} edge */
  const isOwn = ({ source, target }) => {
    const { nodes } = view.data;
    return [source, target].some((end) => nodes[end].name === here.id)
      && ![source, target].some((end) => nodes[end].constant);
  };
  const drawPicked = () => view.drawing.edges.forEach((group, place) =>
    group.classList.toggle("picked", picked.has(view.data.edges[place].ends.join("\n"))));
  beginMode(view, {
    from: here,
    hint: "Which edges go to the second node? Space or a click on each, then Enter. With none, the "
      + "second hangs on the first. Esc leaves.",
    mark: () => {
      const { kind, place } = view.at;
      const edge = kind === "edge" ? view.data.edges[place] : null;
      if (!edge || !isOwn(edge)) {
        refuse(view, "Choose an edge of the node that is split.");
        return;
      }
      const name = edge.ends.join("\n");
      if (!picked.delete(name)) picked.set(name, edge.ends);
      tell(view, `${describePart(view.data, view.at)}: ${picked.has(name) ? "goes" : "stays"}`);
      drawPicked();
    },
    take: () => {
      const edges = [...picked.values()];
      leaveMode(view);
      gesture(view, { kind: "split", id: here.id, edges }, base);
    },
    end: () => {
      picked.clear();
      drawPicked();
    },
  });
}

/** @param {Editor} view @param {Chosen} here */
export function chooseWords(view, here) {
  leaveMode(view);
  const base = view.data.sentence.revision;
  view.span = new Set(partData(view.data, here).tokens);
  const part = here.kind === "edge" ? { edge: here.ends } : { id: here.id };
  beginMode(view, {
    from: here,
    takesWords: true,
    hint: `Which tokens does ${describePart(view.data, here)} stand for? Space or a click marks one, `
      + "Enter takes them. Esc leaves.",
    take: () => {
      const tokens = ascending(view.span);
      leaveMode(view);
      gesture(view, { kind: "align", tokens, ...part }, base);
      focusAt(view);
    },
    end: () => view.span.clear(),
  });
  focusWord(view, Math.max(0, Math.min(...view.span, view.tokens.length - 1)));
}

/** @param {Editor} view @param {Mode} mode */
function beginMode(view, mode) {
  leaveMode(view);
  view.mode = mode;
  view.root.classList.add("choosing");
  tell(view, mode.hint);
  drawChosen(view);
}

/** @param {Editor} view */
export function leaveMode(view) {
  const { mode } = view;
  closePrompt(view);
  view.mode = null;
  view.root.classList.remove("choosing");
  if (!mode) return;
  mode.end?.();
  const back = partOf(view.data, mode.from);
  if (back) view.at = choosePart(view.data, view.walk, back);
  drawChosen(view);
}

/** Does what a key means in a mode; other letters wait until this is decided.
 * @param {Editor} view @param {Mode} mode @param {string} key */
export function modeKey(view, mode, key) {
  if (key === "Enter") mode.take();
  else if (key === " " && mode.mark) mode.mark();
  else if (key === "Escape") escapeAll(view);
  else if (SHOWING.has(actOf(view.keys, key))) return false;
  else return /^[^ ]$/.test(key);
  return true;
}

/** What a click on a part means beside choosing it. @param {Editor} view */
export function modeClick({ mode }) {
  if (mode?.mark) mode.mark();
  else if (mode && !mode.takesWords) mode.take();
}

/** Leaves what was begun. @param {Editor} view */
export function escapeAll(view) {
  if (view.mode) leaveMode(view);
  else view.span.clear();
  drawChosen(view);
  focusAt(view);
}
