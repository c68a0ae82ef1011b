// The gold graph as it is written, each node and constant beside its words. Choose an item,
// then its words; the page works the actions out anew and says what changed. Every change
// goes out numbered and stays in the outbox until it is acknowledged: see DESIGN, outbox.

import { make, say } from "../shared/elements.js";

const aligners = new WeakMap();
const HOW = "Choose a node or constant, then the word it stands for.";
const HOW_WORDS = "Click its word, or press Enter on it; with Shift the word is added or taken "
  + "away. Esc lets go.";

export default function show(component) {
  const { parentElement, data, setStateValue } = component;
  const root = parentElement.querySelector(".aligner");
  let view = aligners.get(root);
  if (!view) {
    view = mount(root);
    aligners.set(root, view);
  }
  view.send = (outbox) => setStateValue("outbox", outbox);
  if (data) take(view, data);
  return () => aligners.delete(root);
}

function mount(root) {
  const find = (selector) => root.querySelector(selector);
  const view = { root, find, graph: null, chosen: null, marked: null, number: 0, outbox: [] };
  root.addEventListener("click", (event) => clicked(view, event));
  root.addEventListener("keydown", (event) => pressed(view, event));
  root.addEventListener("focusin", (event) => keepStop(view, event.target));
  return view;
}

// Takes in what the page worked out; what is still on its way stays in the outbox.
function take(view, data) {
  const isOther = !view.graph || view.graph.key !== data.key;
  view.number = Math.max(view.number, data.ack);
  view.outbox = view.outbox.filter((operation) => operation.number > data.ack);
  const isTextNew = isOther || view.graph.text !== data.text;
  view.graph = data;
  if (isOther) {
    view.chosen = null;
    view.marked = null;
  }
  if (isTextNew) build(view);
  if (!view.outbox.length) {
    view.shown = data.lines.map(({ tokens, source }) => ({ tokens, source }));
    view.root.removeAttribute("aria-busy");
  }
  draw(view);
  drawEffect(view);
}

function build(view) {
  const { tokens, lines } = view.graph;
  view.words = tokens.map((text, place) => {
    const button = make("button", "word");
    button.type = "button";
    button.dataset.token = String(place);
    button.tabIndex = place ? -1 : 0;
    button.append(make("bdi", "", text));
    return button;
  });
  view.find(".words").replaceChildren(...view.words.map((button) => {
    const entry = make("li", "");
    entry.append(button);
    return entry;
  }));
  view.lines = lines.map((line, place) => buildLine(line, place));
  view.find(".lines").replaceChildren(...view.lines);
  view.items = view.lines.map((line) => line.querySelector(".item"));
  const first = view.items.find((item) => item);
  if (first) first.tabIndex = 0;
}

function buildLine(line, place) {
  const entry = make("li", "line");
  const graph = make("span", "text");
  graph.style.setProperty("--depth", String(Math.min(line.depth, 14)));
  if (line.role) graph.append(make("span", "role", line.role), " ");
  if (line.item === null) {
    graph.append(make("span", "mention", line.text));
  } else {
    const item = make("button", "item");
    item.type = "button";
    item.tabIndex = -1;
    item.dataset.line = String(place);
    item.append(make("bdi", "", line.text));
    graph.append(item);
  }
  entry.append(graph, make("span", "stands"), make("span", "source"));
  return entry;
}

function draw(view) {
  const { tokens, lines } = view.graph;
  const line = view.chosen === null ? null : lines[view.chosen];
  const own = new Set(view.chosen === null ? [] : view.shown[view.chosen].tokens);
  say(view.find(".how"), line ? `${line.text}: ${HOW_WORDS}` : HOW);
  view.root.classList.toggle("choosing", Boolean(line));
  view.words.forEach((word, place) => {
    const isMarked = line ? own.has(place) : place === view.marked;
    word.classList.toggle("own", isMarked);
    word.setAttribute("aria-pressed", String(isMarked));
  });
  view.lines.forEach((entry, place) => {
    if (lines[place].item === null) return;
    const { tokens: at, source } = view.shown[place];
    const [, stands, from] = entry.children;
    const words = at.map((token) => tokens[token]).join(" ");
    say(stands, words || (lines[place].made ? `(none; made at “${lines[place].made}”)` : "(none)"));
    stands.classList.toggle("none", !at.length);
    say(from, source);
    entry.dataset.source = source;
    const item = view.items[place];
    const isMarked = view.marked !== null && at.includes(view.marked);
    entry.classList.toggle("chosen", place === view.chosen);
    entry.classList.toggle("marked", isMarked);
    item.setAttribute("aria-pressed", String(place === view.chosen));
    item.setAttribute("aria-label", `${lines[place].text}, stands for ${words || "no word"}, ${source}`);
  });
}

function drawEffect(view) {
  const { changes, canUndo, canReset, problem } = view.graph;
  const { find } = view;
  find(".undo").disabled = !canUndo;
  find(".reset").disabled = !canReset;
  say(find(".summary"), changes ? changes.text : "Nothing yet: this is the alignment as it came.");
  find(".problem").hidden = !problem;
  say(find(".problem"), problem || "");
  const lists = {
    gained: changes ? changes.gained : [],
    lost: changes ? changes.lost : [],
    labels: changes ? [...changes.newLabels.map((label) => `new: ${label}`),
      ...changes.oldLabels.map((label) => `gone: ${label}`)] : [],
  };
  for (const [name, texts] of Object.entries(lists)) {
    find(`.${name}-title`).hidden = !texts.length;
    const sign = { gained: "+ ", lost: "− ", labels: "" }[name];
    find(`.${name}`).replaceChildren(...texts.map((text) => {
      const entry = make("li", "");
      entry.append(sign, make("bdi", "", text));
      return entry;
    }));
  }
}

function clicked(view, event) {
  const button = event.target.closest("button");
  if (!button || !view.graph) return;
  const byKey = event.detail === 0;
  if (button.dataset.line) choose(view, Number(button.dataset.line), byKey);
  if (button.dataset.token) {
    chooseWord(view, Number(button.dataset.token), event.shiftKey || event.ctrlKey || event.metaKey);
  }
  if (button.classList.contains("undo")) send(view, { kind: "undo" });
  if (button.classList.contains("reset")) send(view, { kind: "reset" });
}

function choose(view, place, byKey) {
  view.marked = null;
  view.chosen = view.chosen === place ? null : place;
  draw(view);
  if (view.chosen === null || !byKey) return;
  const word = view.words[view.shown[place].tokens[0] ?? 0];
  if (word) word.focus();
}

function chooseWord(view, token, isAdded) {
  if (view.chosen === null) {
    view.marked = view.marked === token ? null : token;
    draw(view);
    return;
  }
  const { tokens } = view.shown[view.chosen];
  const has = tokens.includes(token);
  let wanted = [token];
  if (isAdded) wanted = has ? tokens.filter((other) => other !== token) : [...tokens, token];
  if (!isAdded && has && tokens.length === 1) return;
  wanted.sort((one, other) => one - other);
  view.shown[view.chosen] = { tokens: wanted, source: "person" };
  draw(view);
  send(view, { kind: "align", item: view.graph.lines[view.chosen].item, tokens: wanted });
}

function send(view, operation) {
  view.number += 1;
  view.outbox = [...view.outbox, { number: view.number, key: view.graph.key, ...operation }];
  view.root.setAttribute("aria-busy", "true");
  view.send(view.outbox);
}

function letGo(view) {
  const item = view.chosen === null ? null : view.items[view.chosen];
  const isHeld = view.chosen !== null || view.marked !== null;
  view.chosen = null;
  view.marked = null;
  draw(view);
  if (item) item.focus();
  return isHeld;
}

// --- keys ---------------------------------------------------------------------------

function pressed(view, event) {
  if (event.key === "r" || event.key === "c") event.stopPropagation(); // Streamlit's own keys
  const isUndo = event.key === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey;
  if (isUndo && view.graph && view.graph.canUndo) {
    send(view, { kind: "undo" });
    done(event);
    return;
  }
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "Escape" && view.graph) {
    if (letGo(view)) done(event);
    return;
  }
  if (event.key === "Enter" && event.shiftKey && event.target.dataset.token) {
    chooseWord(view, Number(event.target.dataset.token), true);
    done(event);
    return;
  }
  const list = groupOf(view, event.target);
  const way = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
  if (!list || !(way || event.key === "Home" || event.key === "End")) return;
  const at = list.indexOf(event.target);
  const next = event.key === "Home" ? list[0] : event.key === "End" ? list.at(-1) : list[at + way];
  if (next) next.focus();
  done(event);
}

function done(event) {
  event.preventDefault();
  event.stopPropagation();
}

function groupOf(view, element) {
  if (!view.graph) return null;
  return [view.words, view.items.filter((item) => item)].find((list) => list.includes(element));
}

// Each list is one stop of the tab key: where the focus was last.
function keepStop(view, element) {
  for (const other of groupOf(view, element) || []) other.tabIndex = other === element ? 0 : -1;
}
