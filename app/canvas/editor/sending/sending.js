// Sends the messages of the outbox, again and again until they are acknowledged, keeps them in
// the browser's storage, and says how far they are.

import { say } from "../../shared/elements.js";
import { keepAs } from "../../shared/kept.js";
import { tell } from "../telling.js";
import { addMessage, changesIn, isAwaited, keptOf, newBox, nextTry, takeAnswer } from "./outbox.js";
import { scopeOf, unsavedText } from "./storage.js";
import { boxName, openBox } from "./tabs.js";

const LATE = 1500; // milliseconds after which the page says that it waits

/** Begins a box for a store and a person, unless it is there; what another one holds stays in the
 * browser. Then reads what was kept, and sends it.
 * @param {Editor} view @param {Edited} data @param {() => void} done */
export function startSending(view, data, done) {
  const scope = scopeOf(data);
  if (view.box.scope === scope) return;
  stopSending(view);
  const box = newBox(scope);
  Object.assign(view, { box, waiting: 0, typed: [], taking: null, shownHeld: "" });
  openBox(box).then(() => {
    if (view.box !== box) return;
    sendKept(view);
    done();
  });
}

/** @param {Editor} view */
export function stopSending({ box }) {
  clearTimeout(box.timer);
  clearTimeout(box.late);
}

/** Sends a message and gives its number. @param {Editor} view @param {What} what
 * @param {number} [base]  The revision that the person saw when beginning the gesture. */
export function post(view, what, base = view.data.sentence.revision) {
  const { box, data: { store, person, sentence } } = view;
  const called = sentence.name || `sentence ${sentence.number}`;
  const { number } = addMessage(box, { store, person, sentence: sentence.id, called, base, what });
  if (isAwaited(what)) view.waiting = number;
  sendKept(view);
  return number;
}

/** @param {Editor} view @param {Gesture} what @param {number} [base] */
export function gesture(view, what, base) {
  post(view, { do: "gesture", gesture: what }, base);
}

/** @param {Editor} view */
export function sendKept(view) {
  keep(view);
  flush(view);
  drawSaved(view);
}

/** @param {Editor} view */
function keep({ box }) {
  if (!box.isRead) return; // or what is kept there would be lost
  if (!keepAs(boxName(box), keptOf(box))) box.isKept = false;
}

/** @param {Editor} view */
function flush(view) {
  const { box } = view;
  clearTimeout(box.timer);
  // One that is out of the page sends nothing: what it kept goes out when it is opened again.
  if (view.signal.aborted || !box.isRead || !box.messages.length) return;
  const { sent, wait } = nextTry(box);
  try {
    view.transmit(sent);
  } catch {
    // The server cannot be reached now: the messages stay, and are sent again.
  }
  box.timer = setTimeout(() => flush(view), wait);
}

/** @param {Editor} view */
export function takeAcknowledgement(view) {
  const { box, data } = view;
  takeAnswer(box, data.ack, data.conflicts);
  keep(view);
  if (!box.messages.length) clearTimeout(box.timer);
  drawSaved(view);
}

/** @param {Editor} view */
export function drawSaved(view) {
  const { box, data } = view;
  const count = changesIn(box).length;
  const saved = view.find(".saved");
  view.root.setAttribute("aria-busy", String(!box.isRead || box.messages.length > 0));
  clearTimeout(box.late);
  if (!box.isRead) {
    say(saved, ""); // what this browser still has is not known yet
  } else if (count && data.failure) {
    drawLate(view);
  } else if (count || view.typed.length) {
    if (count && !saved.classList.contains("late")) say(saved, "Saving");
    box.late = setTimeout(() => drawLate(view), LATE);
  } else {
    const text = restOf(view);
    if (saved.classList.contains("late")) tell(view, box.held.length ? "" : text);
    saved.classList.remove("late");
    say(saved, text);
  }
}

/** Says what is not on disk though no message waits. @param {Editor} view */
function restOf({ box, data }) {
  const { length } = box.held;
  if (length) return `${length} ${length === 1 ? "change waits" : "changes wait"} for your decision`;
  return unsavedText(data) === undefined ? "All saved" : "The text is only in this browser yet";
}

/** Says that keys wait for an answer, where it has been long under way. @param {Editor} view */
export function drawTyped(view) {
  if (view.find(".saved").classList.contains("late")) drawLate(view);
  else if (view.typed.length === 1) drawSaved(view);
}

/** Lets the browser ask before a page is left that alone has what was done.
 * @param {Editor} view */
export function guardLeaving(view) {
  window.addEventListener("beforeunload", (event) => {
    const { box, typed } = view;
    if (typed.length || (!box.isKept && changesIn(box).length)) event.preventDefault();
  }, { signal: view.signal });
}

/** @param {Editor} view */
function drawLate(view) {
  const saved = view.find(".saved");
  const { box, data: { failure }, typed } = view;
  const count = changesIn(box).length;
  const what = count ? `${count} ${count === 1 ? "change waits" : "changes wait"}` : "The page waits";
  const why = failure ? `, for ${failure}` : " for the server";
  const where = box.isKept ? "kept in this browser" : "this browser keeps nothing: leave it open";
  const rest = typed.length ? "keys pressed since are only in this page: leave it open" : "";
  const text = [what + why, count ? where : "", rest].filter(Boolean).join("; ");
  saved.classList.add("late");
  if (saved.textContent !== text) tell(view, text);
  say(saved, text);
}
