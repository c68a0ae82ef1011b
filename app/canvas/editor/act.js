// What each act does, whether a key or a button asks for it: its key and its words stand in
// keymap.js.

import { focusedIn } from "../shared/keys.js";
import { buildEditor } from "./build.js";
import { drawChosen, focusAt, focusWord, nextDoubt, stand } from "./choosing.js";
import { showAllKeys } from "./keylist.js";
import { chooseEdges, chooseOther, chooseWords } from "./modes.js";
import { shareAfter, shareName, withShare } from "./panels/share.js";
import { dismissHere, fixHere, nextProblem } from "./panels/problems.js";
import { askSuggestions, leaveProposals } from "./panels/proposals.js";
import { describePart, nameAt, partData } from "./places.js";
import { changesGraph, changesIn } from "./sending/outbox.js";
import { gesture, post } from "./sending/sending.js";
import { refuse, tell } from "./telling.js";
import {
  addWords, openAdd, openComment, openCoref, openFind, openLink, openRelabel, openRename,
} from "./typing/naming.js";
import { toggleWriting } from "./typing/text.js";

/** @type {Record<string, (view: Editor) => void>} */
const ON_SENTENCE = {
  accept: (view) => judge(view, "accept"),
  reject: (view) => judge(view, "reject"),
  skip: (view) => judge(view, "skip"),
  flag: (view) => post(view, { do: "flag", on: !view.data.sentence.flagged, reason: "" }),
  undo: (view) => post(view, { do: "undo" }),
  redo: (view) => post(view, { do: "redo" }),
  next: (view) => post(view, { do: "go", way: 1 }),
  back: (view) => post(view, { do: "go", way: -1 }),
  tidy: (view) => post(view, { do: "tidy" }),
  find: openFind,
  more: showMore,
  whole: (view) => post(view, { do: "show", whole: true }),
  top: (view) => post(view, { do: "show", top: true }),
  suggest: askSuggestions,
  leaveall: leaveProposals,
  text: toggleWriting,
  tokens: toggleWords,
  problem: nextProblem,
  doubt: nextDoubt,
  share: nextShare,
  fix: fixHere,
  dismiss: dismissHere,
  confirm: confirmHere,
  comment: openComment,
  keys: showAllKeys,
};

/** What is done to an edge. @type {Record<string, (view: Editor, here: Chosen) => void>} */
const ON_EDGE = {
  rename: openRelabel,
  delete: (view, { ends }) => gesture(view, { kind: "delete", edge: ends }),
  reify: (view, { ends }) => gesture(view, { kind: "reify", edge: ends }),
  reverse: (view, { ends }) => gesture(view, { kind: "reverse", edge: ends }),
  source: (view, { ends }) => chooseOther(view, "Which node is the new source?",
    ({ id }, base) => gesture(view, { kind: "move", edge: ends, end: "source", to: id }, base)),
  target: (view, { ends }) => chooseOther(view, "Which node is the new target?",
    ({ id }, base) => gesture(view, { kind: "move", edge: ends, end: "target", to: id }, base)),
  align: chooseWords,
};

/** What is done to a node. @type {Record<string, (view: Editor, here: Chosen) => void>} */
const ON_NODE = {
  rename: openRename,
  delete: (view, { id }) => gesture(view, { kind: "delete", id }),
  reify: (view, { id }) => gesture(view, { kind: "dereify", id }),
  fold: (view, { id }) => post(view, { do: "show", fold: id }),
  root: (view, { id }) => gesture(view, { kind: "root", id }),
  add: openAdd,
  build: addWords,
  link: (view, here) => {
    const from = { id: here.id, name: describePart(view.data, here) };
    chooseOther(view, "Edge to which node?", (other, base) => openLink(view, from, other, base));
  },
  merge: (view, here) => chooseOther(view, `Which node goes into ${describePart(view.data, here)}?`,
    ({ id }, base) => gesture(view, { kind: "merge", kept: here.id, gone: id }, base)),
  split: chooseEdges,
  align: chooseWords,
  coref: openCoref,
};

const FOR_PARENT = new Set(["add", "build", "link"]); // on an edge or constant: the node above

/** @param {Editor} view @param {string} name */
export function act(view, name) {
  view.find(".notice").hidden = true;
  if (ON_SENTENCE[name]) ON_SENTENCE[name](view);
  else edit(view, name);
}

/** Does what is asked to what is chosen. @param {Editor} view @param {string} name */
function edit(view, name) {
  const isEdge = view.at.kind === "edge";
  const does = (isEdge ? ON_EDGE : ON_NODE)[name];
  const parent = FOR_PARENT.has(name) ? parentHere(view) : -1;
  if (parent >= 0) {
    stand(view, { kind: "node", place: parent }, true);
    ON_NODE[name](view, view.at);
  } else if (does) {
    does(view, view.at);
  } else {
    refuse(view, `This is for ${isEdge ? "a node" : "an edge"}: choose one first.`);
  }
}

/** Gives the node that an edge comes from, or a constant hangs on; -1 where a concept is chosen.
 * @param {Editor} view */
function parentHere({ at, data: { edges, nodes } }) {
  if (at.kind === "edge") return edges[at.place].source;
  return nodes[at.place].constant ? edges.find(({ target }) => target === at.place)?.source ?? -1 : -1;
}

/** Marks another share of the doubtful parts. @param {Editor} view */
function nextShare(view) {
  view.share = shareAfter(view.share);
  view.data = withShare(view.sent, view.share);
  buildEditor(view, false);
  drawChosen(view);
  tell(view, `Marked: ${shareName(view.share)}`);
}

/** Says what becomes of the sentence, if it was drawn as it is: after a change that is on its way
 * it is first drawn anew. @param {Editor} view @param {string} name */
function judge(view, name) {
  const { box, data: { sentence }, seen, typed } = view;
  const change = changesIn(box).findLast((one) => one.sentence === sentence.id && changesGraph(one.what));
  if (seen !== sentence.id) {
    refuse(view, `The key came before sentence ${sentence.number} was shown. Look at it and press again.`);
  } else if (change && !view.waiting) {
    view.waiting = change.number;
    typed.unshift({ key: view.keys[name], isControl: false, isShifted: false });
  } else post(view, { do: name, then: "next" });
}

/** @param {Editor} view */
function showMore(view) {
  if (view.data.fold) post(view, { do: "show", more: view.at.id });
  else refuse(view, "All of this graph is shown.");
}

/** @param {Editor} view */
function confirmHere(view) {
  const { at, data } = view;
  post(view, { do: "confirm", on: !partData(data, at).confirmed, part: nameAt(data, at) });
}

/** @param {Editor} view */
function toggleWords(view) {
  if (focusedIn(view.root)?.classList.contains("word")) focusAt(view);
  else focusWord(view, partData(view.data, view.at).tokens[0] ?? 0);
}
