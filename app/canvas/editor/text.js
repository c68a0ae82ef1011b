// The graph as text, beside the drawing. A text that is a graph becomes an edit like any
// other; one that is none stays as a draft, with its line marked, and the graph stays too.

import { leaveMode } from "./act.js";
import { focusAt } from "./draw.js";
import { post } from "./outbox.js";
import { make, say } from "../shared/elements.js";

const TEXT = "aptamr.correct.text.";
const CHECK = 400; // milliseconds without a key before the text is checked

export function mountWriting(view) {
  const area = view.find(".writing textarea");
  area.addEventListener("input", () => typed(view, CHECK));
  area.addEventListener("scroll", () => placeMark(view));
  const mark = make("div", "mark-line");
  mark.setAttribute("aria-hidden", "true");
  mark.hidden = true;
  area.before(mark);
  view.find(".take-text").addEventListener("click", () => takeText(view));
  view.find(".drop-text").addEventListener("click", () => dropText(view));
  view.find(".mend-text").addEventListener("click", () => mendText(view));
}

// Keeps what is in the field, and asks what is wrong with it.
function typed(view, wait) {
  const { value } = view.find(".writing textarea");
  view.seeksFault = false;
  keepText(view, value);
  clearTimeout(view.checking);
  view.checking = setTimeout(() => checkText(view), wait);
}

function checkText(view) {
  if (isWriting(view)) post(view, { do: "check", text: view.find(".writing textarea").value });
}

export function isWriting(view) {
  return !view.find(".writing").hidden;
}

// What is being typed stays in the browser until it is taken, over reloads too.
function keepText(view, text) {
  const name = TEXT + view.data.sentence.id;
  try {
    if (text === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify([view.data.person, text]));
  } catch {
    // no storage: the text is in the field alone until it is taken
  }
}

function keptText(view) {
  try {
    const [person, text] = JSON.parse(localStorage.getItem(TEXT + view.data.sentence.id)) || [];
    return person === view.data.person ? text : undefined;
  } catch {
    return undefined;
  }
}

export function toggleWriting(view) {
  if (isWriting(view)) closeWriting(view);
  else openWriting(view);
}

function openWriting(view) {
  leaveMode(view);
  const area = view.find(".writing textarea");
  view.written = view.data.sentence.revision;
  area.value = keptText(view) ?? (view.data.draft || view.data.penman);
  view.find(".writing").hidden = false;
  view.find(".list").classList.add("is-writing");
  view.find(".lines").hidden = true;
  view.find("[data-act=text]").setAttribute("aria-pressed", "true");
  say(view.find(".list h3"), "Text");
  area.setSelectionRange(0, 0);
  area.focus();
  area.scrollTo(0, 0);
  view.seeksFault = true;
  drawWriting(view, false);
  if (!faultOf(view)) checkText(view); // what was typed before, here or elsewhere
}

// Leaves the field; a text that was not taken stays as a draft.
function closeWriting(view) {
  const { data } = view;
  const area = view.find(".writing textarea");
  if (area.value !== data.penman && area.value !== data.draft) {
    post(view, { do: "draft", text: area.value });
  }
  keepText(view, null);
  shutWriting(view);
  focusAt(view);
}

function shutWriting(view) {
  view.find(".writing").hidden = true;
  view.find(".list").classList.remove("is-writing");
  view.find(".lines").hidden = false;
  view.find("[data-act=text]").setAttribute("aria-pressed", "false");
  say(view.find(".list h3"), "Triples");
}

function takeText(view) {
  const text = view.find(".writing textarea").value;
  if (text === view.data.penman) {
    closeWriting(view);
    return;
  }
  view.taking = { text, number: post(view, { do: "gesture", gesture: { kind: "text", text } }, view.written) };
}

function dropText(view) {
  keepText(view, null);
  view.find(".writing textarea").value = view.data.penman;
  view.written = view.data.sentence.revision;
  if (view.data.draft) post(view, { do: "draft", text: "" });
  drawWriting(view, false);
}

// Gives what is wrong with the text in the field, as far as the page has said.
function faultOf(view) {
  const { fault } = view.data;
  return fault && fault.text === view.find(".writing textarea").value ? fault : null;
}

function mendText(view) {
  const fault = faultOf(view);
  if (!fault || !fault.mend) return;
  const area = view.find(".writing textarea");
  area.value = fault.mend.text;
  typed(view, 0);
  drawWriting(view, false);
  area.focus();
}

// Called with every answer. The field is written to only when its text was taken, or when
// another sentence is shown: what a person types is never overwritten.
export function drawWriting(view, isOther) {
  const { data, taking } = view;
  if (isOther && isWriting(view)) shutWriting(view);
  const area = view.find(".writing textarea");
  if (taking && data.ack >= taking.number) {
    view.taking = null;
    const isDone = data.said && data.said.number === taking.number && data.said.kind === "done";
    const isTaken = isDone && data.draft !== taking.text; // what is no graph is a draft now
    if (isTaken && area.value === taking.text) {
      keepText(view, null);
      area.value = data.penman;
      shutWriting(view);
      focusAt(view);
    }
  }
  const text = view.find(".list h3");
  const isDraft = Boolean(data.draft) && !isWriting(view);
  if (!isWriting(view)) say(text, isDraft ? "Triples (a draft of the text waits)" : "Triples");
  const fault = faultOf(view);
  const mend = view.find(".mend-text");
  mend.hidden = !fault || !fault.mend;
  say(mend, mend.hidden ? "" : `Mend: ${fault.mend.does}`);
  const note = view.find(".fault");
  note.hidden = !fault;
  say(note, fault ? `Line ${fault.line}: ${fault.message}` : "");
  area.setAttribute("aria-invalid", String(Boolean(fault)));
  view.faultLine = fault ? fault.line : 0;
  view.find(".drop-text").hidden = !data.draft && area.value === data.penman;
  if (fault && view.seeksFault) showLine(area, fault.line);
  placeMark(view);
}

// Brings a line into view, once the text is opened and before anything is typed.
function showLine(area, line) {
  const top = (line - 1) * parseFloat(getComputedStyle(area).lineHeight);
  if (top < area.scrollTop || top > area.scrollTop + area.clientHeight / 2) {
    area.scrollTop = Math.max(0, top - area.clientHeight / 2);
  }
}

function placeMark(view) {
  const mark = view.find(".mark-line");
  const area = view.find(".writing textarea");
  mark.hidden = !view.faultLine || !isWriting(view);
  if (mark.hidden) return;
  const style = getComputedStyle(area);
  const height = parseFloat(style.lineHeight);
  mark.style.height = `${height}px`;
  mark.style.top = `${area.offsetTop + parseFloat(style.paddingTop) + 1
    + (view.faultLine - 1) * height - area.scrollTop}px`;
}

export function writingKey(view, event) {
  const { key } = event;
  const isControl = event.ctrlKey || event.metaKey;
  if (key === "Escape") closeWriting(view);
  else if (key === "Enter" && isControl) takeText(view);
  else return;
  event.preventDefault();
}
