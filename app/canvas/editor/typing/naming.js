// Gestures that need a concept, a constant or a role to be typed.

import { nameOf } from "../../shared/graph.js";
import { ascending } from "../../shared/numbers.js";
import { describePart } from "../places.js";
import { gesture, post } from "../sending/sending.js";
import { refuse } from "../telling.js";
import { openPrompt } from "./prompt.js";

/** @param {Editor} view @param {Chosen} here */
export function openRename(view, here) {
  const node = view.data.nodes[here.place];
  openPrompt(view, {
    title: node.constant ? "Constant" : "Concept",
    value: node.label,
    what: `Rename ${nameOf(node)}`,
    asks: node.constant ? null : { kind: "concept", at: here.id, tokens: node.tokens },
    done: (text, typed, base) => {
      if (text !== node.label) gesture(view, { kind: "rename", id: here.id, text, typed }, base);
    },
  });
}

/** @param {Editor} view @param {Chosen} here */
export function openRelabel(view, { ends }) {
  const [source, was, target] = ends;
  openPrompt(view, {
    title: "Role",
    value: was,
    what: `Relabel ${describePart(view.data, view.at)}`,
    asks: { kind: "role", at: source, to: target, was },
    done: (role, typed, base) => {
      if (role !== was) gesture(view, { kind: "relabel", edge: ends, role, typed }, base);
    },
  });
}

/** @param {Editor} view @param {Chosen} here */
export function openAdd(view, here) {
  const { data } = view;
  const tokens = ascending(view.span);
  const words = tokens.map((token) => data.tokens[token]).join(" ");
  openPrompt(view, {
    title: "Role and concept",
    value: "",
    what: `Below ${describePart(data, here)}${words ? `, for “${words}”` : ""}: boy, :time now, `
      + ":ARG1 \"New York\", :date 12 July 2024",
    asks: { kind: "line", at: here.id, tokens },
    done: (line, typed, base) => {
      view.span.clear();
      gesture(view, { kind: "add", parent: here.id, line, tokens, typed }, base);
    },
  });
}

/** Hangs what the marked tokens say on a node: a name, a date, an amount, or a concept.
 * @param {Editor} view @param {Chosen} here */
export function addWords(view, here) {
  const tokens = ascending(view.span);
  if (!tokens.length) {
    refuse(view, "Mark the tokens first: a click, and another with Shift for the last of several.");
    return;
  }
  view.span.clear();
  gesture(view, { kind: "add", parent: here.id, line: "", tokens, typed: true });
}

/** @param {Editor} view @param {{ id: string, name: string }} here  As it was when it was
 * chosen: it may be folded now. @param {Chosen} other @param {number} since  Revision that was seen. */
export function openLink(view, here, other, since) {
  openPrompt(view, {
    title: "Role",
    value: "",
    what: `From ${here.name} to ${describePart(view.data, other)}`,
    asks: { kind: "role", at: here.id, to: other.id },
    base: since,
    done: (role, typed, base) =>
      gesture(view, { kind: "link", source: here.id, role, target: other.id, typed }, base),
  });
}

/** Links a node to one of another sentence, or takes a link away. @param {Editor} view @param {Chosen} here */
export function openCoref(view, here) {
  const node = view.data.nodes[here.place];
  if (node.constant) {
    refuse(view, "Choose a node for this.");
    return;
  }
  openPrompt(view, {
    title: "Node of another sentence",
    value: "",
    what: `${nameOf(node)} is the same as which node of the five sentences before or the next one?`,
    asks: { kind: "coref", at: here.id },
    done: (text, typed, base) => gesture(view, { kind: "coref", id: here.id, text, typed }, base),
  });
}

/** Goes on from what is chosen to the next node or constant that is called as typed.
 * @param {Editor} view */
export function openFind(view) {
  const { kind, id, ends } = view.at;
  openPrompt(view, {
    title: "Node or constant",
    value: "",
    what: "Find by variable, concept or value",
    asks: { kind: "part" },
    done: (text) => post(view, { do: "show", find: text, at: kind === "node" ? id : ends[2] }),
  });
}

/** @param {Editor} view */
export function openComment(view) {
  openPrompt(view, { title: "Comment", value: "", done: (text) => post(view, { do: "comment", text }) });
}
