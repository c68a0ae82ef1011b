// The gold graph as it is written, each node and constant beside its words. Choose an item,
// then its words; the page works the actions out anew and says what changed. Every change
// goes out numbered and stays in the outbox until it is acknowledged.

import { childrenOf, fill, finderIn, make, makeButton, say } from "../shared/elements.js";
import { endOf } from "../shared/ending.js";
import {
  finish, holderOf, isWithControl, isWithModifier, keepFromStreamlit, leadsTo, targetOf,
} from "../shared/keys.js";
import { ascending } from "../shared/numbers.js";
import { acknowledge, newOutbox, put, sendUntilTaken } from "../shared/outbox.js";

/** @type {WeakMap<Element, Aligner>} */
const aligners = new WeakMap();
const HOW = "Choose a node or constant, then the token it stands for.";
const HOW_WORDS = "Click its token, or press Enter on it; with Shift the token is added or taken "
  + "away. Esc lets go.";

/** @param {Component<Aligned>} component */
export default function show({ parentElement, data, setStateValue }) {
  const root = /** @type {HTMLElement} */ (parentElement.querySelector(".aligner"));
  const view = aligners.get(root) ?? mount(root, data);
  view.transmit = () => setStateValue("outbox", { tries: view.box.tries, messages: view.box.messages });
  take(view, data);
  return endOf(view);
}

/** @param {HTMLElement} root @param {Aligned} graph @returns {Aligner} */
function mount(root, graph) {
  /** @type {Aligner} */
  const view = {
    root, find: finderIn(root), graph, transmit: () => {}, box: newOutbox(), shown: [],
    chosen: null, marked: null, words: [], lines: [], items: [], gone: new AbortController(),
  };
  build(view);
  aligners.set(root, view);
  root.addEventListener("click", (event) => clicked(view, event));
  root.addEventListener("keydown", (event) => pressed(view, event));
  root.addEventListener("focusin", (event) => keepStop(view, targetOf(event)));
  return view;
}

/** Takes in what the page worked out; what is still on its way stays in the outbox.
 * @param {Aligner} view @param {Aligned} graph */
function take(view, graph) {
  const before = view.graph;
  acknowledge(view.box, graph.ack);
  view.graph = graph;
  if (before.key !== graph.key) {
    view.chosen = null;
    view.marked = null;
  }
  const isOther = before.key !== graph.key || before.text !== graph.text;
  if (isOther) build(view);
  if (isOther || !view.box.messages.length) { // what is on its way is of other lines
    view.shown = graph.lines.map(({ tokens, source }) => ({ tokens, source }));
  }
  if (!view.box.messages.length) view.root.removeAttribute("aria-busy");
  draw(view);
  drawEffect(view);
}

/** @param {Aligner} view */
function build(view) {
  const { find, graph } = view;
  view.words = graph.tokens.map((text, place) =>
    makeButton("word", { "data-token": place, tabindex: place ? -1 : 0 }, make("bdi", "", text)));
  fill(find(".words"), view.words, (button) => make("li", "", button));
  fill(find(".lines"), graph.lines, buildLine);
  view.lines = childrenOf(find(".lines"));
  view.items = view.lines.map((line) => line.querySelector(".item"));
  const first = view.items.find((item) => item);
  if (first) first.tabIndex = 0;
}

/** @param {AlignedLine} line @param {number} place */
function buildLine({ depth, item, role, text }, place) {
  const graph = make("span", "text", { style: `--depth: ${Math.min(depth, 14)}` });
  if (role) graph.append(make("span", "role", role), " ");
  graph.append(item === null
    ? make("span", "mention", text)
    : makeButton("item", { tabindex: -1, "data-line": place }, make("bdi", "", text)));
  return make("li", "line", graph, make("span", "stands"), make("span", "source"));
}

/** @param {Aligner} view */
function draw(view) {
  const { chosen, graph, marked } = view;
  const own = new Set(chosen === null ? [marked] : view.shown[chosen].tokens);
  say(view.find(".how"), chosen === null ? HOW : `${graph.lines[chosen].text}: ${HOW_WORDS}`);
  view.root.classList.toggle("choosing", chosen !== null);
  view.words.forEach((word, place) => {
    word.classList.toggle("own", own.has(place));
    word.setAttribute("aria-pressed", String(own.has(place)));
  });
  view.items.forEach((item, place) => {
    if (item) drawLine(view, item, place);
  });
}

/** @param {Aligner} view @param {HTMLElement} item @param {number} place */
function drawLine({ chosen, graph, lines, marked, shown }, item, place) {
  const { text, made } = graph.lines[place];
  const { tokens, source } = shown[place];
  const [, stands, from] = childrenOf(lines[place]);
  const words = tokens.map((token) => graph.tokens[token]).join(" ");
  say(stands, words || (made ? `(none; made at “${made}”)` : "(none)"));
  stands.classList.toggle("none", !tokens.length);
  say(from, source);
  lines[place].dataset.source = source;
  lines[place].classList.toggle("chosen", place === chosen);
  lines[place].classList.toggle("marked", marked !== null && tokens.includes(marked));
  item.setAttribute("aria-pressed", String(place === chosen));
  item.setAttribute("aria-label", `${text}, stands for ${words || "no token"}, ${source}`);
}

/** Tells whether there is anything to undo, or will be once the page has taken what is on its way.
 * @param {Pick<Aligner, "box" | "graph">} view */
export function canUndo({ box, graph }) {
  return graph.canUndo || box.messages.some(({ kind }) => kind === "align");
}

/** @param {Aligner} view */
function drawUndo(view) {
  view.find(".undo", "button").disabled = !canUndo(view);
  view.find(".reset", "button").disabled = !view.graph.canReset && !canUndo(view);
}

/** @param {Aligner} view */
function drawEffect(view) {
  const { find, graph: { changes, problem } } = view;
  drawUndo(view);
  say(find(".summary"), changes ? changes.text : "Nothing yet: this is the alignment as it came.");
  find(".problem").hidden = !problem;
  say(find(".problem"), problem ?? "");
  const labels = [...(changes?.newLabels ?? []).map((label) => `new: ${label}`),
    ...(changes?.oldLabels ?? []).map((label) => `gone: ${label}`)];
  listTexts(find, "gained", "+ ", changes?.gained ?? []);
  listTexts(find, "lost", "− ", changes?.lost ?? []);
  listTexts(find, "labels", "", labels);
}

/** @param {Find} find @param {string} name @param {string} sign @param {string[]} texts */
function listTexts(find, name, sign, texts) {
  find(`.${name}-title`).hidden = !texts.length;
  fill(find(`.${name}`), texts, (text) => make("li", "", sign, make("bdi", "", text)));
}

// --- choosing -----------------------------------------------------------------------

/** @param {Aligner} view @param {MouseEvent} event */
function clicked(view, event) {
  const button = holderOf(event, "button");
  if (!button) return;
  const { line, token } = button.dataset;
  if (line) choose(view, Number(line), event.detail === 0);
  if (token) chooseWord(view, Number(token), event.shiftKey || isWithControl(event));
  if (button.classList.contains("undo")) send(view, { kind: "undo" });
  if (button.classList.contains("reset")) send(view, { kind: "reset" });
}

/** @param {Aligner} view @param {number} place @param {boolean} byKey */
function choose(view, place, byKey) {
  view.marked = null;
  view.chosen = view.chosen === place ? null : place;
  draw(view);
  if (view.chosen !== null && byKey) view.words[view.shown[place].tokens[0] ?? 0]?.focus();
}

/** @param {Aligner} view @param {number} token @param {boolean} isAdded  Or taken away, where it is there. */
function chooseWord(view, token, isAdded) {
  if (view.chosen === null) {
    view.marked = view.marked === token ? null : token;
    draw(view);
    return;
  }
  const tokens = wordsWith(view.shown[view.chosen].tokens, token, isAdded);
  if (!tokens) return;
  view.shown[view.chosen] = { tokens, source: "person" };
  draw(view);
  send(view, { kind: "align", item: view.graph.lines[view.chosen].item ?? "", tokens });
}

/** Gives the words of an item after one was chosen; null where nothing changes.
 * @param {number[]} tokens @param {number} token @param {boolean} isAdded */
export function wordsWith(tokens, token, isAdded) {
  if (!isAdded) return tokens.length === 1 && tokens[0] === token ? null : [token];
  const others = tokens.filter((other) => other !== token);
  return ascending(others.length < tokens.length ? others : [...tokens, token]);
}

/** @param {Aligner} view @param {Operation} operation */
function send(view, operation) {
  put(view.box, { key: view.graph.key, ...operation });
  view.root.setAttribute("aria-busy", "true");
  drawUndo(view);
  sendUntilTaken(view.box, () => view.transmit(), view.gone.signal);
}

/** Gives whether there was anything to let go of. @param {Aligner} view */
function letGo(view) {
  const { chosen, marked } = view;
  view.chosen = null;
  view.marked = null;
  draw(view);
  if (chosen !== null) view.items[chosen]?.focus();
  return chosen !== null || marked !== null;
}

// --- keys ---------------------------------------------------------------------------

/** @param {Aligner} view @param {KeyboardEvent} event */
function pressed(view, event) {
  keepFromStreamlit(event);
  const isUndo = event.key === "z" && isWithControl(event) && !event.shiftKey;
  if (isUndo && canUndo(view)) {
    send(view, { kind: "undo" });
    finish(event);
  } else if (!isWithModifier(event) && doKey(view, event)) finish(event);
}

/** Does what a key stands for; gives whether it stood for anything.
 * @param {Aligner} view @param {KeyboardEvent} event */
function doKey(view, event) {
  const { key } = event;
  const target = targetOf(event);
  if (key === "Escape") return letGo(view);
  if (key === "Enter" && event.shiftKey && target.dataset.token) {
    chooseWord(view, Number(target.dataset.token), true);
    return true;
  }
  const list = groupOf(view, target);
  if (!list || !/^(Arrow|Home|End)/.test(key)) return false;
  leadsTo(list, target, key)?.focus();
  return true;
}

/** @param {Aligner} view @param {HTMLElement} element */
function groupOf({ items, words }, element) {
  return [words, items.filter((item) => item !== null)].find((list) => list.includes(element));
}

/** Each list is one stop of the tab key: where the focus was last.
 * @param {Aligner} view @param {HTMLElement} element */
function keepStop(view, element) {
  for (const other of groupOf(view, element) ?? []) other.tabIndex = other === element ? 0 : -1;
}
