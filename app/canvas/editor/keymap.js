// Which key does what: one for everything, and each can be given another.

import { keepAs, readKept } from "../shared/kept.js";

const KEPT_KEYS = "aptamr.correct.keys.";
/** Name, key and what it does. */
export const ACTS = [
  ["accept", "a", "accept the sentence and go to the next"],
  ["reject", "j", "reject it and go to the next"],
  ["skip", "k", "skip it and go to the next"],
  ["flag", "f", "flag it, or take the flag away"],
  ["undo", "u", "undo (also Ctrl+Z)"],
  ["redo", "y", "redo (also Ctrl+Y)"],
  ["next", "]", "go to the next sentence"],
  ["back", "[", "go to the sentence before"],
  ["rename", "r", "rename a node or constant, relabel an edge"],
  ["add", "n", "add a node or constant below the chosen node, for the marked tokens"],
  ["build", "=", "add what the marked tokens say: a name, a date, an amount"],
  ["delete", "d", "delete what is chosen (also Delete)"],
  ["link", "e", "add an edge to another node"],
  ["reverse", "v", "turn an edge round"],
  ["source", "s", "give an edge another source"],
  ["target", "t", "give an edge another target"],
  ["root", "o", "make a node the root"],
  ["merge", "m", "merge another node into the chosen one"],
  ["split", "b", "split a node in two"],
  ["reify", "i", "turn an edge into a concept, or such a concept back into an edge"],
  ["align", "l", "say which tokens it stands for"],
  ["coref", "&", "say that a node is the same as one of another sentence, or no longer"],
  ["confirm", "h", "confirm what is chosen: suggestions leave it alone"],
  ["doubt", "q", "go to the next doubtful part"],
  ["share", "%", "mark more or fewer doubtful parts"],
  ["suggest", "g", "suggest the rest of the graph again"],
  ["leaveall", "x", "put the proposals away"],
  ["problem", "p", "go to the next problem"],
  ["fix", "z", "take the fix of the problem of what is chosen"],
  ["dismiss", "w", "dismiss a warning with a note"],
  ["comment", "c", "write a comment"],
  ["text", ".", "to the graph as text, and back"],
  ["tokens", ",", "to the tokens, and back"],
  ["tidy", "0", "lay the graph out again"],
  ["keys", "?", "all keys"],
  ["find", "/", "find a node or constant"],
  ["fold", "-", "put the branch below a node away, or show it again"],
  ["more", "+", "show more of a large graph, near what is chosen"],
];
export const OPTIONS = /^[1-9]$/; // the keys that take an option or a proposal

/** @returns {Keymap} */
export function keysAsTheyCame() {
  return Object.fromEntries(ACTS.map(([act, key]) => [act, key]));
}

/** Gives the keys of a person. @param {string} scope  Of which store and person: see storage.js. */
export function readKeymap(scope) {
  return withKept(keysAsTheyCame(), readKept(KEPT_KEYS + scope));
}

/** Takes in what was kept, as far as it can be used. @param {Keymap} keys @param {unknown} kept */
export function withKept(keys, kept) {
  const known = { ...keys };
  for (const [act, key] of Object.entries(kept ?? {})) {
    if (known[act] && typeof key === "string" && key.length === 1) known[act] = key;
  }
  return known;
}

/** Lists the keys that a person gave, each with what it does. @param {Keymap} keys */
export function changedKeys(keys) {
  return ACTS.filter(([act, key]) => keys[act] !== key).map(([act, , what]) => [keys[act], what]);
}

/** Tells whether the browser keeps it. @param {Keymap} keys @param {string} scope */
export function keepKeymap(keys, scope) {
  return keepAs(KEPT_KEYS + scope, keys);
}

/** Gives the act that a key stands for; an empty text for none. @param {Keymap} keys @param {string} key */
export function actOf(keys, key) {
  return ACTS.find(([act]) => keys[act] === key)?.[0] ?? "";
}

/** Gives an act another key; the act that had it gets the one that becomes free.
 * @param {Keymap} keys @param {string} act @param {string} key */
export function withKey(keys, act, key) {
  const taken = actOf(keys, key);
  return { ...keys, ...(taken ? { [taken]: keys[act] } : {}), [act]: key };
}
