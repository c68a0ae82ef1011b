// Gestures that need a concept, a constant or a role to be typed.

import { nameOf } from "../../shared/graph.js";
import { ascending } from "../../shared/numbers.js";
import { describePart } from "../places.js";
import { gesture, post } from "../sending/sending.js";
import { openPrompt } from "./prompt.js";

/** @param {Editor} view @param {Chosen} here */
export function openRename(view, here) {
  const node = view.data.nodes[here.place];
  openPrompt(view, {
    title: node.constant ? "Constant" : "Concept",
    value: node.label,
    what: `Rename ${nameOf(node)}`,
    offersFor: node.constant ? "" : "concept",
    tokens: node.tokens,
    done: (text, _, base) => {
      if (text !== node.label) gesture(view, { kind: "rename", id: here.id, text }, base);
    },
  });
}

/** @param {Editor} view @param {Chosen} here */
export function openRelabel(view, here) {
  openPrompt(view, {
    title: "",
    role: here.ends[1],
    what: `Relabel ${describePart(view.data, here)}`,
    to: here.ends[2],
    done: (_, role, base) => gesture(view, { kind: "relabel", edge: here.ends, role }, base),
  });
}

/** @param {Editor} view @param {Chosen} here */
export function openAdd(view, here) {
  const { data } = view;
  const tokens = ascending(view.span);
  const words = tokens.map((token) => data.tokens[token]).join(" ");
  openPrompt(view, {
    title: "Concept",
    value: words.toLowerCase().split(" ").join("-"),
    role: data.nodes[here.place].free ?? ":mod",
    what: `Below ${describePart(data, here)}${words ? `, for “${words}”` : ""}`,
    offersFor: "concept",
    tokens,
    done: (text, role, base) => {
      view.span.clear();
      gesture(view, { kind: "add", parent: here.id, role, text, tokens }, base);
    },
  });
}

/** @param {Editor} view @param {{ id: string, name: string, role: string }} here  As it was when it was
 * chosen: it may be folded now. @param {Chosen} other @param {number} since  Revision that was seen. */
export function openLink(view, here, other, since) {
  openPrompt(view, {
    title: "",
    role: here.role,
    what: `From ${here.name} to ${describePart(view.data, other)}`,
    from: here.id,
    to: other.id,
    base: since,
    done: (_, role, base) => gesture(view, { kind: "link", source: here.id, role, target: other.id }, base),
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
    offersFor: "part",
    done: (text) => post(view, { do: "show", find: text, at: kind === "node" ? id : ends[2] }),
  });
}

/** @param {Editor} view */
export function openComment(view) {
  openPrompt(view, { title: "Comment", value: "", done: (text) => post(view, { do: "comment", text }) });
}
