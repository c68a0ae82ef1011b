// The graph as text, beside the drawing. A text that is a graph becomes an edit like any
// other; one that is none stays as a draft, with its line marked, and the graph stays too.

import { say } from "../../shared/elements.js";
import { isWithControl } from "../../shared/keys.js";
import { focusAt } from "../choosing.js";
import { leaveMode } from "../modes.js";
import { drawSaved, post } from "../sending/sending.js";
import { keepText, keptText, unsavedText } from "../sending/storage.js";

const CHECK = 400; // milliseconds without a key before the text is checked

/** @param {Editor} view */
export function mountWriting(view) {
  const { signal } = view;
  areaOf(view).addEventListener("input", () => typed(view, CHECK), { signal });
  areaOf(view).addEventListener("scroll", () => placeMark(view), { signal });
  view.find(".take-text").addEventListener("click", () => takeText(view), { signal });
  view.find(".drop-text").addEventListener("click", () => dropText(view), { signal });
  view.find(".mend-text").addEventListener("click", () => mendText(view), { signal });
}

/** @param {Editor} view */
function areaOf(view) {
  return view.find(".writing textarea", "textarea");
}

/** Keeps what is in the field, and asks what is wrong with it. @param {Editor} view @param {number} delay */
function typed(view, delay) {
  view.seeksFault = false;
  keepText(view.data, areaOf(view).value);
  drawSaved(view);
  clearTimeout(view.checking);
  view.checking = setTimeout(() => checkText(view), delay);
}

/** @param {Editor} view */
function checkText(view) {
  if (view.isWriting) post(view, { do: "check", text: areaOf(view).value });
}

/** @param {Editor} view */
export function toggleWriting(view) {
  if (view.isWriting) closeWriting(view);
  else openWriting(view);
}

/** @param {Editor} view */
function openWriting(view) {
  leaveMode(view);
  const area = areaOf(view);
  showWriting(view, true);
  area.readOnly = view.data.penman === null;
  if (!area.readOnly) {
    fillWriting(view);
    return;
  }
  area.value = "";
  area.focus();
  askText(view);
}

/** Asks for the text of a large graph, which comes only where it is looked at. @param {Editor} view */
function askText(view) {
  view.asksText = true;
  post(view, { do: "write", on: true });
}

/** @param {Editor} view */
function fillWriting(view) {
  const { data } = view;
  const area = areaOf(view);
  area.readOnly = false;
  view.written = data.sentence.revision;
  area.value = keptText(data) ?? (data.draft || data.penman || "");
  area.setSelectionRange(0, 0);
  area.focus();
  area.scrollTo(0, 0);
  view.seeksFault = true;
  drawWriting(view, false);
  if (!faultOf(view)) checkText(view); // what was typed before, here or elsewhere
}

/** Leaves the field; a text that was not taken stays as a draft, and here until that is on disk.
 * @param {Editor} view */
function closeWriting(view) {
  const { readOnly, value: text } = areaOf(view);
  if (!readOnly && text !== view.data.penman && text !== view.data.draft) {
    keepText(view.data, text);
    post(view, { do: "draft", text });
  }
  hideWriting(view);
  forgetText(view);
  focusAt(view);
}

/** Shows the text instead of the triples, or these. @param {Editor} view @param {boolean} isWriting */
function showWriting(view, isWriting) {
  const { find } = view;
  view.isWriting = isWriting;
  find(".writing").hidden = !isWriting;
  find(".list").classList.toggle("is-writing", isWriting);
  find(".lines").hidden = isWriting;
  find("[data-act=text]").setAttribute("aria-pressed", String(isWriting));
  say(find(".list h3"), isWriting ? "Text" : "Triples");
}

/** @param {Editor} view */
function hideWriting(view) {
  showWriting(view, false);
  if (view.asksText) post(view, { do: "write", on: false });
  view.asksText = false;
}

/** Forgets what the page now shows as it stands on disk. @param {Editor} view */
function forgetText({ data }) {
  if (unsavedText(data) === undefined) keepText(data, null);
}

/** @param {Editor} view */
function takeText(view) {
  const text = areaOf(view).value;
  if (areaOf(view).readOnly || text === view.data.penman) closeWriting(view);
  else {
    const number = post(view, { do: "gesture", gesture: { kind: "text", text } }, view.written);
    view.taking = { text, number, data: view.data };
  }
}

/** @param {Editor} view */
function dropText(view) {
  const { data } = view;
  keepText(data, null);
  areaOf(view).value = data.penman ?? "";
  view.written = data.sentence.revision;
  if (data.draft) post(view, { do: "draft", text: "" });
  drawWriting(view, false);
}

/** Gives what is wrong with the text in the field, as far as the page has said. @param {Editor} view */
function faultOf(view) {
  const { fault } = view.data;
  return fault?.text === areaOf(view).value ? fault : null;
}

/** @param {Editor} view */
function mendText(view) {
  const mend = faultOf(view)?.mend;
  if (!mend) return;
  const area = areaOf(view);
  area.value = mend.text;
  typed(view, 0);
  drawWriting(view, false);
  area.focus();
}

/** Called with every answer. The field is written to only when its text was taken, or when
 * another sentence is shown: what a person types is never overwritten.
 * @param {Editor} view @param {boolean} isOther */
export function drawWriting(view, isOther) {
  const { data, find } = view;
  if (isOther) {
    if (view.isWriting) showWriting(view, false);
    view.asksText = false;
  }
  endTaking(view);
  if (view.isWriting && data.penman === null) {
    // Also after another start of the server, which no longer knows that it is looked at.
    if (!view.box.messages.some(({ what }) => what.do === "write")) askText(view);
  } else if (view.isWriting && areaOf(view).readOnly) fillWriting(view);
  if (!view.isWriting) {
    forgetText(view);
    const waits = data.draft || unsavedText(data) !== undefined;
    say(find(".list h3"), waits ? "Triples (a draft of the text waits)" : "Triples");
  }
  drawFault(view);
  find(".drop-text").hidden = !data.draft && areaOf(view).value === data.penman;
}

/** Leaves the field once its text was taken; what is no graph is a draft now, and stays. @param {Editor} view */
function endTaking(view) {
  const { data, taking } = view;
  if (!taking || data.ack < taking.number) return;
  view.taking = null;
  const isDone = data.said?.number === taking.number && data.said.kind === "done";
  const isHere = taking.data.sentence.id === data.sentence.id;
  const area = areaOf(view);
  if (!isDone || (isHere && (data.draft === taking.text || area.value !== taking.text))) return;
  keepText(taking.data, null);
  if (!isHere) return;
  area.value = data.penman ?? "";
  hideWriting(view);
  focusAt(view);
}

/** @param {Editor} view */
function drawFault(view) {
  const { find } = view;
  const area = areaOf(view);
  const fault = faultOf(view);
  const mend = fault?.mend;
  find(".mend-text").hidden = !mend;
  say(find(".mend-text"), mend ? `Mend: ${mend.does}` : "");
  find(".fault").hidden = !fault;
  say(find(".fault"), fault ? `Line ${fault.line}: ${fault.message}` : "");
  area.setAttribute("aria-invalid", String(fault !== null));
  view.faultLine = fault?.line ?? 0;
  if (fault && view.seeksFault) showLine(area, fault.line);
  placeMark(view);
}

/** Brings a line into view, once the text is opened and before anything is typed.
 * @param {HTMLTextAreaElement} area @param {number} line */
function showLine(area, line) {
  const top = (line - 1) * parseFloat(getComputedStyle(area).lineHeight);
  if (top < area.scrollTop || top > area.scrollTop + area.clientHeight / 2) {
    area.scrollTop = Math.max(0, top - area.clientHeight / 2);
  }
}

/** @param {Editor} view */
function placeMark(view) {
  const mark = view.find(".mark-line");
  const area = areaOf(view);
  mark.hidden = !view.faultLine || !view.isWriting;
  if (mark.hidden) return;
  const style = getComputedStyle(area);
  const height = parseFloat(style.lineHeight);
  const top = area.offsetTop + parseFloat(style.paddingTop) + 1 - area.scrollTop;
  mark.style.height = `${height}px`;
  mark.style.top = `${top + (view.faultLine - 1) * height}px`;
}

/** @param {Editor} view @param {KeyboardEvent} event */
export function writingKey(view, event) {
  if (event.key === "Escape") closeWriting(view);
  else if (event.key === "Enter" && isWithControl(event)) takeText(view);
  else return;
  event.preventDefault();
}
