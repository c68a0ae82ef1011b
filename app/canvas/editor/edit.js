// Edits one graph. Every gesture goes out as a numbered message and stays in the browser until
// the page has acknowledged it: see edit_outbox.js and DESIGN, outbox. What is drawn is what
// the page sent last. Text from sentences goes in through textContent alone.

import { clicked, focused, leaveMode } from "./act.js";
import { buildEditor, drawEditor, fitHeight, focusAt, focusPlace } from "./draw.js";
import { mountKeys, pressed, readKeys, replay } from "./keys.js";
import { acknowledge, leaveOutbox, mountOutbox } from "./outbox.js";
import { mountPrompt } from "./prompt.js";
import { mountReading } from "./reading.js";
import { drawSide } from "./side.js";
import { mountWriting } from "./text.js";
import { say } from "../shared/elements.js";
import { isInside } from "../shared/keys.js";
import { near, pickOf } from "../shared/parts.js";
import { scale } from "../shared/stage.js";

const TAKES_KEYS = "a, button, input, textarea, select, summary, iframe, [contenteditable='true'], "
  + "[role='listbox'], [role='dialog'], [role='combobox'], [role='radio'], [role='tab'], [role^='menu']";

const editors = new WeakMap();

export default function show(component) {
  const { parentElement, data, setStateValue } = component;
  const root = parentElement.querySelector(".edit");
  let view = editors.get(root);
  if (!view) {
    view = mountEditor(root);
    editors.set(root, view);
  }
  view.transmit = (outbox) => setStateValue("outbox", outbox);
  if (data) takeData(view, data);
  return () => {
    view.unmount();
    editors.delete(root);
  };
}

function mountEditor(root) {
  const find = (selector) => root.querySelector(selector);
  const view = {
    root, find, data: null, trace: { nodes: [], edges: [] }, at: null, zoom: null, factor: 1,
    size: [1, 1, 0], nodes: [], edges: [], incident: [], isNear: false, span: new Set(),
    mode: null, typed: [], waiting: 0, leaving: 0, drawn: "", session: "", transmit: () => {},
  };
  view.keys = readKeys();
  mountOutbox(view);
  root.addEventListener("click", (event) => clicked(view, event));
  root.addEventListener("focusin", (event) => focused(view, event));
  root.addEventListener("focusout", () => near(view, null));
  root.addEventListener("keydown", (event) => pressed(view, event));
  root.addEventListener("keyup", (event) => {
    // A browser presses a focused button when the space key comes up; on a word it marks.
    if (event.key === " " && isInside(event, ".word")) event.preventDefault();
  });
  const stage = find(".stage");
  stage.addEventListener("pointerover", (event) => near(view, pickOf(event.target)));
  stage.addEventListener("pointerleave", () => near(view, null));
  mountReading(view);
  mountPrompt(view);
  mountWriting(view);
  mountKeys(view);
  // Where nothing that uses keys has the focus they are the editor's, before Streamlit sees them.
  const pageKey = (event) => {
    if (isFocusFree(view)) pressed(view, event);
  };
  document.addEventListener("keydown", pageKey, true);
  const resized = new ResizeObserver(() => {
    if (!view.data) return;
    fitHeight(view);
    scale(view);
  });
  resized.observe(stage);
  resized.observe(root);
  view.unmount = () => {
    document.removeEventListener("keydown", pageKey, true);
    resized.disconnect();
    leaveOutbox(view);
  };
  return view;
}

// Tells whether neither the editor nor anything else that uses keys has the focus.
function isFocusFree(view) {
  const here = document.activeElement || document.body;
  return here !== view.root.getRootNode().host && !here.closest(TAKES_KEYS);
}

// Takes in what the page worked out.
function takeData(view, data) {
  const isOther = !view.data || view.data.sentence.id !== data.sentence.id;
  const before = view.data;
  view.data = data;
  view.root.hidden = false;
  if (isOther) {
    view.at = null;
    view.span.clear();
    view.zoom = null;
    leaveMode(view);
  }
  acknowledge(view, data);
  if (view.drawn !== data.key) {
    view.drawn = data.key;
    buildEditor(view, focusPlace(view));
  }
  drawEditor(view);
  drawSide(view, before, isOther);
  if (isOther && view.leaving && isFocusFree(view)) focusAt(view);
  if (data.ack >= view.leaving) view.leaving = 0;
  tellAnswer(view, before, isOther);
  replay(view);
}

// Says once what became of the last message, and then which sentence is shown where that is another.
function tellAnswer(view, before, isOther) {
  const { said } = view.data;
  const notice = view.find(".notice");
  const known = before && before.said;
  const isNew = said && !(known && known.number === said.number && known.text === said.text);
  if (!said) notice.hidden = true;
  if (isNew) {
    notice.hidden = said.kind !== "refused";
    say(notice, said.kind === "refused" ? said.text : "");
    if (said.kind !== "done") view.typed = []; // what was typed meant another outcome
    if (said.kind === "conflict") return; // drawAlarm says more of it
  }
  const outcome = isNew ? said.text : "";
  if (!isOther) {
    if (isNew) tellEditor(view, outcome);
    return;
  }
  const text = [outcome.replace(/[^.!?]$/, "$&."), speakSentence(view.data)].filter(Boolean).join(" ");
  if (before) tellEditor(view, text);
  // Only a change of a region that is already there is spoken.
  else setTimeout(() => view.find(".told").textContent || tellEditor(view, text), 100);
}

function speakSentence({ sentence, tokens }) {
  return `Sentence ${sentence.number}: ${tokens.join(" ").replace(/ (?=[.,;:!?]( |$))/g, "")}`;
}

// Speaks a text. One that is equal to the last would change nothing and be passed over in
// silence: it gets a space at its end, or loses it.
export function tellEditor(view, text) {
  const told = view.find(".told");
  told.textContent = text && told.textContent === text ? `${text}\u00a0` : text;
}
