// What the keys and buttons do: gestures of one step, of a second choice, and of a field.

import {
  bringIntoView, choosePart, describePart, drawChosen, focusAt, keyOf, partOf, stand, tokensOf,
} from "./draw.js";
import { tellEditor } from "./edit.js";
import {
  escapeAll, focusWord, markWord, resetKeys, standAtWord, startRemap, stopRemap,
} from "./keys.js";
import { post } from "./outbox.js";
import { closePrompt, openAdd, openLink, openPrompt, openRelabel, openRename } from "./prompt.js";
import {
  askSuggestions, confirmHere, dismissHere, fixHere, leaveProposals, nextDoubt, nextProblem,
  sideClicked,
} from "./side.js";
import { toggleWriting } from "./text.js";
import { say } from "../shared/elements.js";
import { near, pickOf } from "../shared/parts.js";
import { scale } from "../shared/stage.js";

export function act(view, name) {
  const { data } = view;
  const { sentence } = data;
  view.find(".notice").hidden = true;
  const plain = {
    accept: () => post(view, { do: "accept", then: "next" }),
    reject: () => post(view, { do: "reject", then: "next" }),
    skip: () => post(view, { do: "skip", then: "next" }),
    flag: () => post(view, { do: "flag", on: !sentence.flagged, reason: "" }),
    undo: () => post(view, { do: "undo" }),
    redo: () => post(view, { do: "redo" }),
    next: () => post(view, { do: "go", way: 1 }),
    back: () => post(view, { do: "go", way: -1 }),
    tidy: () => post(view, { do: "tidy" }),
    suggest: () => askSuggestions(view),
    leaveall: () => leaveProposals(view),
    text: () => toggleWriting(view),
    tokens: () => toggleWords(view),
    problem: () => nextProblem(view),
    doubt: () => nextDoubt(view),
    fix: () => fixHere(view),
    dismiss: () => dismissHere(view),
    confirm: () => confirmHere(view),
    comment: () => openPrompt(view, {
      title: "Comment", value: "", done: (text) => post(view, { do: "comment", text }),
    }),
    keys: () => showAllKeys(view),
  };
  if (plain[name]) plain[name]();
  else edit(view, name);
}

// The acts on what is chosen.
function edit(view, name) {
  const { at } = view;
  const isEdge = at.kind === "edge";
  const wanted = { reverse: "edge", source: "edge", target: "edge", root: "node", merge: "node",
    split: "node", link: "node", add: "node" }[name];
  if (wanted && wanted !== at.kind) {
    if (isEdge && ["add", "link"].includes(name)) {
      stand(view, { kind: "node", place: view.data.edges[at.place].source }, true);
    } else {
      refuse(view, `This is for ${wanted === "edge" ? "an edge" : "a node"}: choose one first.`);
      return;
    }
  }
  const here = view.at;
  const { ends } = here;
  const acts = {
    rename: () => (isEdge ? openRelabel(view, here) : openRename(view, here)),
    add: () => openAdd(view, here),
    delete: () => gesture(view, isEdge ? { kind: "delete", edge: ends } : { kind: "delete", id: here.id }),
    reverse: () => gesture(view, { kind: "reverse", edge: ends }),
    root: () => gesture(view, { kind: "root", id: here.id }),
    reify: () => gesture(view, isEdge ? { kind: "reify", edge: ends } : { kind: "dereify", id: here.id }),
    link: () => chooseOther(view, "Edge to which node?", (other) => openLink(view, here, other)),
    source: () => chooseOther(view, "Which node is the new source?",
      (other) => gesture(view, { kind: "move", edge: ends, end: "source", to: other.id })),
    target: () => chooseOther(view, "Which node is the new target?",
      (other) => gesture(view, { kind: "move", edge: ends, end: "target", to: other.id })),
    merge: () => chooseOther(view, `Which node goes into ${describePart(view, here)}?`,
      (other) => gesture(view, { kind: "merge", kept: here.id, gone: other.id })),
    split: () => chooseEdges(view, here),
    align: () => chooseWords(view, here),
  };
  if (acts[name]) acts[name]();
}

export function gesture(view, what, base) {
  post(view, { do: "gesture", gesture: what }, base);
}

export function refuse(view, text) {
  const notice = view.find(".notice");
  notice.hidden = false;
  say(notice, text);
  tellEditor(view, text);
}

// --- a second choice ----------------------------------------------------------------------

function chooseOther(view, question, done) {
  leaveMode(view);
  const from = view.at;
  const base = view.data.sentence.revision;
  view.mode = {
    from,
    hint: `${question} Go there with the arrows and press Enter, or click it. Esc leaves.`,
    take: () => {
      if (view.at.kind !== "node" || view.data.nodes[view.at.place].constant) {
        refuse(view, "Choose a node for this.");
        return;
      }
      const other = view.at;
      leaveMode(view);
      view.base = base;
      done(other);
    },
  };
  beginMode(view);
  if (from.kind === "edge") stand(view, { kind: "node", place: view.data.edges[from.place].source }, true);
}

function chooseEdges(view, here) {
  leaveMode(view);
  const picked = new Set();
  const own = view.incident[here.place].filter((place) => {
    const { source, target } = view.data.edges[place];
    return !view.data.nodes[source === here.place ? target : source].constant;
  });
  const draw = () => view.edges.forEach((group, place) => group.classList.toggle("picked", picked.has(place)));
  view.mode = {
    from: here,
    hint: "Which edges go to the second node? Space or a click on each, then Enter. With none, the "
      + "second hangs on the first. Esc leaves.",
    mark: () => {
      const { kind, place } = view.at;
      if (kind !== "edge" || !own.includes(place)) {
        refuse(view, "Choose an edge of the node that is split.");
        return;
      }
      if (!picked.delete(place)) picked.add(place);
      tellEditor(view, `${describePart(view, view.at)}: ${picked.has(place) ? "goes" : "stays"}`);
      draw();
    },
    take: () => {
      const edges = [...picked].map((place) => view.data.edges[place].ends);
      leaveMode(view);
      gesture(view, { kind: "split", id: here.id, edges });
    },
    end: () => {
      picked.clear();
      draw();
    },
  };
  beginMode(view);
}

function chooseWords(view, here) {
  leaveMode(view);
  const isEdge = here.kind === "edge";
  view.span = new Set(tokensOf(view, here));
  const first = Math.min(...view.span, view.tokens.length - 1);
  view.mode = {
    from: here,
    takesWords: true,
    hint: `Which words does ${describePart(view, here)} stand for? Space or a click marks one, `
      + "Enter takes them. Esc leaves.",
    take: () => {
      const tokens = [...view.span].sort((one, other) => one - other);
      leaveMode(view);
      gesture(view, { kind: "align", tokens, ...(isEdge ? { edge: here.ends } : { id: here.id }) });
      focusAt(view);
    },
    end: () => view.span.clear(),
  };
  beginMode(view);
  focusWord(view, Math.max(0, first));
}

function beginMode(view) {
  view.root.classList.add("choosing");
  tellEditor(view, view.mode.hint);
  drawChosen(view);
}

export function leaveMode(view) {
  const { mode } = view;
  closePrompt(view);
  view.mode = null;
  view.root.classList.remove("choosing");
  if (!mode) return;
  if (mode.end) mode.end();
  const back = view.data && partOf(view, mode.from);
  if (back) view.at = { ...mode.from, ...back };
  if (view.data) drawChosen(view);
}

export function modeKey(view, press) {
  const { mode } = view;
  if (press.key === "Enter") mode.take();
  else if (press.key === " " && mode.mark) mode.mark();
  else if (press.key === "Escape") escapeAll(view);
  else return /^[^ ]$/.test(press.key); // other letters wait until this is decided
  return true;
}

// --- pointer ------------------------------------------------------------------------------

export function clicked(view, event) {
  if (!view.data) return;
  const button = event.target.closest("button");
  if (button && button.dataset.act) act(view, button.dataset.act);
  if (button && button.dataset.zoom) zoomEditor(view, button.dataset.zoom);
  if (button && button.dataset.remap) startRemap(view, button);
  if (button && button.classList.contains("close")) view.find(".help").close();
  if (button && button.classList.contains("reset-keys")) resetKeys(view);
  if (button && button.classList.contains("leave")) closePrompt(view);
  if (button && button.dataset.token) clickedWord(view, Number(button.dataset.token), event);
  if (button && button.dataset.line) {
    const line = view.data.lines[Number(button.dataset.line)];
    const part = line.edge >= 0 && line.node < 0 ? { kind: "edge", place: line.edge }
      : { kind: "node", place: line.node };
    stand(view, part, false);
    if (view.mode) modeClick(view);
  }
  if (button && button.dataset.side) sideClicked(view, button);
  const picked = button ? null : pickOf(event.target);
  if (!picked) return;
  stand(view, picked, true);
  if (view.mode) modeClick(view);
}

function modeClick(view) {
  if (view.mode.mark) view.mode.mark();
  else if (!view.mode.takesWords) view.mode.take();
}

function clickedWord(view, word, event) {
  const isMarking = event.shiftKey || event.ctrlKey || event.metaKey || view.mode;
  if (event.detail === 0 && !view.mode) return; // a key: see wordKey
  if (isMarking && event.shiftKey && view.span.size) {
    const from = Math.min(...view.span, word);
    const to = Math.max(...view.span, word);
    for (let place = from; place <= to; place += 1) view.span.add(place);
    drawChosen(view);
  } else if (isMarking) {
    markWord(view, word, !view.span.has(word));
  } else {
    standAtWord(view, word, false);
    const isOnly = view.span.size === 1 && view.span.has(word);
    view.span.clear();
    if (!isOnly) view.span.add(word);
    drawChosen(view);
  }
}

function zoomEditor(view, way) {
  const stage = view.find(".stage");
  const [width, height] = view.size;
  const fit = Math.min(1.1, stage.clientWidth / width, stage.clientHeight / height);
  view.zoom = way === "fit" ? fit : Math.min(3, Math.max(0.1, view.factor * (way === "in" ? 1.25 : 0.8)));
  scale(view);
  bringIntoView(view);
}

export function focused(view, event) {
  const picked = view.data && pickOf(event.target);
  if (!picked) return;
  if (!view.at || keyOf(picked) !== keyOf(view.at)) {
    view.at = choosePart(view, picked);
    drawChosen(view);
  }
  near(view, event.target.matches(":focus-visible") ? picked : null);
}

function showAllKeys(view) {
  stopRemap(view);
  view.find(".help").showModal();
}

function toggleWords(view) {
  const isInWords = view.root.getRootNode().activeElement?.classList.contains("word");
  if (isInWords) focusAt(view);
  else focusWord(view, tokensOf(view, view.at)[0] ?? 0);
}
