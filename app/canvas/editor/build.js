// Builds the graph, the tokens and the list of triples anew after each change, and keeps the
// focus on what it was on.

import { childrenOf, fill, hide, make, makeButton, renew, say, setTo, shape, within } from "../shared/elements.js";
import { edgeName, nameOf } from "../shared/graph.js";
import { focusedIn } from "../shared/keys.js";
import { shareText, shortDecimals } from "../shared/numbers.js";
import { newDrawing, scale } from "../shared/stage.js";
import { elementAt, focusLine, focusWord, stand } from "./choosing.js";
import { choosePart, nearestPart, partOf, sameAs, walkThrough } from "./places.js";
import { hasFocus } from "./view.js";

/** @param {Editor} view @param {boolean} isOther  Whether another sentence is shown than before. */
export function buildEditor(view, isOther) {
  const { data, find } = view;
  const holder = [".stage", ".lines", ".tokens"].find((part) => hasFocus(view, find(part)));
  const word = Number(focusedIn(view.root)?.dataset.token ?? 0);
  buildDrawing(view, isOther);
  buildWords(view);
  buildLines(view);
  view.walk = walkThrough(data.lines);
  view.at = choosePart(data, view.walk, wantedPart(view) ?? nearestPart(data, isOther ? null : view.at));
  scale(view.drawing);
  if (holder === ".tokens") focusWord(view, Math.min(word, data.tokens.length - 1));
  if (holder === ".lines") focusLine(view);
  if (holder === ".stage") elementAt(view)?.focus({ preventScroll: true });
}

/** Goes where an answer leads that changed nothing in the drawing. @param {Editor} view */
export function goWhereLed(view) {
  const part = wantedPart(view);
  if (part) stand(view, part, hasFocus(view, view.find(".stage")));
}

/** Gives the part that an answer puts the focus on, once. @param {Editor} view */
function wantedPart(view) {
  const { focus } = view.data;
  if (!focus || focus.number === view.focusedFor) return null;
  view.focusedFor = focus.number;
  return partOf(view.data, focus.part);
}

/** @param {Editor} view @param {boolean} isOther */
function buildDrawing(view, isOther) {
  const { data } = view;
  const before = isOther ? null : view.drawing;
  const kept = new Set(before ? [...before.nodes, ...before.edges] : []);
  view.drawing = newDrawing(view.find(".stage"), data, {
    margin: 30, // room for the numbers beside the boxes
    most: 1.8,
    zoom: before ? before.zoom : null,
    nodeLabel: (place) => speakNode(view, place),
    edgeLabel: (place) => [edgeName(data, data.edges[place]), ...speakMarks(data.edges[place])].join(", "),
    before,
  });
  view.drawing.edges.forEach((group, place) => {
    if (kept.has(group)) return;
    const { doubt } = data.edges[place];
    markPart(group, data.edges[place]);
    // A number at the line would need room that the layout keeps for roles.
    if (doubt !== undefined) group.append(shape("title", shareText(doubt)));
  });
  view.drawing.nodes.forEach((group, place) => {
    if (kept.has(group)) return;
    const { doubt, more, root, same } = data.nodes[place];
    markPart(group, data.nodes[place]);
    group.classList.toggle("root", Boolean(root));
    group.classList.toggle("linked", Boolean(same));
    if (doubt !== undefined) say(within(group, ".weight"), shortDecimals(doubt));
    if (more) say(within(group, ".folded-count"), `+${more}`);
  });
}

/** @param {Element} group @param {Marked} part */
function markPart(group, part) {
  group.setAttribute("aria-pressed", "false"); // until it is chosen
  group.classList.toggle("doubted", part.doubt !== undefined);
  group.classList.toggle("confirmed", Boolean(part.confirmed));
  group.classList.toggle("changed", Boolean(part.changed));
  group.classList.toggle("faulty", Boolean(part.problem));
}

/** @param {Editor} view @param {number} place */
function speakNode({ data }, place) {
  const node = data.nodes[place];
  const words = node.tokens.map((token) => data.tokens[token]).join(" ");
  return [
    node.root ? `root ${nameOf(node)}` : nameOf(node),
    words ? `stands for ${words}` : "stands for no token",
    ...sameAs(node),
    ...(node.more ? [`${node.more} more below are not shown`] : []),
    ...speakMarks(node),
  ].join(", ");
}

/** @param {Marked} part */
function speakMarks(part) {
  const marks = [];
  if (part.doubt !== undefined) marks.push(`doubtful, probability ${shareText(part.doubt)}`);
  if (part.confirmed) marks.push("confirmed");
  if (part.changed) marks.push("changed by a person");
  if (part.problem) marks.push("has a problem");
  return marks;
}

/** @param {Editor} view */
function buildWords(view) {
  const list = view.find(".tokens");
  const words = JSON.stringify(view.data.tokens);
  if (list.dataset.words === words) return;
  list.dataset.words = words;
  fill(list, view.data.tokens, (text, place) => make("li", "token",
    makeButton("word", { tabindex: place ? -1 : 0, "data-token": place }, make("bdi", "", text))));
  view.tokens = childrenOf(list);
}

function buildLine() {
  return make("li", "", makeButton("line-of", { tabindex: -1 }, make("b", ""), make("bdi", "")),
    makeButton("unfolds", { tabindex: -1 }));
}

/** @param {Editor} view */
function buildLines(view) {
  const list = view.find(".lines");
  const written = view.data.lines.map(({ depth, more, node, role, text }) =>
    ({ depth, more, node: more ? node : -1, role, text }));
  view.lines = renew(list, view.lines ?? [], written, buildLine, (entry, { depth, more, node, role, text }) => {
    const [button, unfold] = /** @type {HTMLElement[]} */ (childrenOf(entry));
    const [shownRole, shownText] = childrenOf(button);
    setTo(button, "style", `--depth: ${Math.min(depth, 12)}`);
    say(shownRole, role && `${role} `);
    say(shownText, text);
    entry.classList.toggle("cut-off", Boolean(more));
    hide(unfold, !more);
    say(unfold, more ? `${more} more` : "");
    setTo(unfold, "data-more", `${node}`);
  });
  view.lines.forEach((entry, place) => {
    const { dataset } = /** @type {HTMLElement} */ (entry.firstElementChild);
    if (dataset.line !== `${place}`) dataset.line = `${place}`;
  });
}
