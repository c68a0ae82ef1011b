// Edits one graph. Every gesture goes out as a numbered message and stays in the browser until
// the page has acknowledged it: see outbox.js. What is drawn is what the page sent last.

import { say } from "../shared/elements.js";
import { endOf } from "../shared/ending.js";
import { isInside } from "../shared/keys.js";
import { refit } from "../shared/stage.js";
import { buildEditor, goWhereLed } from "./build.js";
import { bringIntoView, drawChosen, focusAt } from "./choosing.js";
import { leaveDrag } from "./drag.js";
import { drawKeys, takeKeys } from "./keylist.js";
import { isFocusFree, pressed, replay } from "./keys.js";
import { leaveMode } from "./modes.js";
import { drawAlarm } from "./panels/conflicts.js";
import { withShare } from "./panels/share.js";
import { drawPanels } from "./panels/panels.js";
import { mountPointer } from "./pointer.js";
import { drawReading, mountReading } from "./reading.js";
import { keepFocus } from "./sending/gone.js";
import { drawSaved, guardLeaving, startSending, stopSending, takeAcknowledgement } from "./sending/sending.js";
import { scopeOf } from "./sending/storage.js";
import { tellAnswer } from "./telling.js";
import { hideTools, placeTools } from "./tools.js";
import { mountPrompt } from "./typing/prompt.js";
import { mountWriting } from "./typing/text.js";
import { newEditor } from "./view.js";

const ABOVE_EDITOR = 150; // pixels of the page above the editor, and a margin below it
const LOWEST = 400; // pixels of the drawing in the lowest window
/** @type {Record<string, string>} */
const STATUS = { open: "", accepted: "accepted", rejected: "rejected", skipped: "skipped" };

/** @type {WeakMap<Element, Editor>} */
const editors = new WeakMap();

/** @param {Component<Edited>} component */
export default function show({ parentElement, data, setStateValue }) {
  const root = /** @type {HTMLElement} */ (parentElement.querySelector(".edit"));
  const view = editors.get(root) ?? mount(newEditor(root));
  view.transmit = (outbox) => setStateValue("outbox", outbox);
  takeData(view, data);
  return endOf(view);
}

/** @param {Editor} view  Which gets its data before anything here happens. */
function mount(view) {
  const { find, root, signal } = view;
  editors.set(root, view);
  root.addEventListener("keydown", (event) => pressed(view, event), { signal });
  root.addEventListener("keyup", (event) => {
    // A browser presses a focused button when the space key comes up; on a word it marks.
    if (event.key === " " && isInside(event, ".word")) event.preventDefault();
  }, { signal });
  const stage = find(".stage");
  mountPointer(view);
  keepFocus(view);
  guardLeaving(view);
  mountReading(view);
  mountPrompt(view);
  mountWriting(view);
  drawKeys(view);
  // Where nothing that uses keys has the focus they are the editor's, before Streamlit sees them.
  document.addEventListener("keydown", (event) => {
    if (isFocusFree(view)) pressed(view, event);
  }, { capture: true, signal });
  const resized = new ResizeObserver(() => {
    fit(view);
    refit(view.drawing);
    placeTools(view);
  });
  resized.observe(stage);
  resized.observe(root);
  signal.addEventListener("abort", () => {
    resized.disconnect();
    stopSending(view);
  });
  return view;
}

/** Takes in what the page worked out. @param {Editor} view @param {Edited} data */
function takeData(view, data) {
  const before = /** @type {Edited | undefined} */ (view.data);
  const isOther = before?.sentence.id !== data.sentence.id || before.store !== data.store;
  view.root.hidden = false;
  if (before && isOther) leaveSentence(view);
  if (isOther) view.seen = 0;
  view.sent = data;
  view.data = withShare(data, view.share);
  takeKeys(view, scopeOf(data));
  startSending(view, data, () => {
    drawEditor(view);
    drawAlarm(view);
  });
  takeAcknowledgement(view);
  const isBuilt = view.drawn !== data.key;
  if (isBuilt) {
    view.drawn = data.key;
    buildEditor(view, isOther);
  } else goWhereLed(view);
  drawEditor(view);
  drawPanels(view, before, isOther);
  // What looks where things are comes last: each look behind a change costs a layout.
  if (isBuilt) bringIntoView(view);
  if (isBuilt) placeTools(view);
  if (isOther && view.leaving && isFocusFree(view)) focusAt(view);
  if (data.ack >= view.leaving) view.leaving = 0;
  tellAnswer(view, before, isOther);
  replay(view);
  // In the frame after the next one what is drawn now can be seen.
  requestAnimationFrame(() => requestAnimationFrame(() => (view.seen = data.sentence.id)));
}

/** Ends what was begun on a sentence: nothing of it outlives it. @param {Editor} view */
function leaveSentence(view) {
  leaveMode(view);
  leaveDrag(view);
  hideTools(view);
  view.span.clear();
  clearTimeout(view.asking);
  clearTimeout(view.checking);
  Object.assign(view, { problemAt: -1, wantsProposals: false, seeksFault: false });
}

/** @param {Editor} view */
function drawEditor(view) {
  const { data: { sentence }, find } = view;
  const state = [sentence.name || `Sentence ${sentence.number}`, STATUS[sentence.status],
    sentence.flagged ? "flagged" : ""];
  say(find(".state"), state.filter(Boolean).join(" · "));
  find("[data-act=undo]").setAttribute("aria-disabled", String(!sentence.canUndo));
  find("[data-act=redo]").setAttribute("aria-disabled", String(!sentence.canRedo));
  find("[data-act=flag]").setAttribute("aria-pressed", String(sentence.flagged));
  drawReading(view);
  drawFold(view);
  drawSaved(view);
  drawChosen(view);
}

/** Says how much of a large graph is shown, and where that is more than can be kept apart.
 * @param {Editor} view */
function drawFold({ data: { cleared, fold }, find, keys }) {
  find(".fold").hidden = !fold;
  find(".crowded").hidden = !cleared;
  say(find(".crowded"), `More than ${cleared} parts are shown: lines and roles may cross. `
    + `${keys.fold} puts the branch below a node away.`);
  if (!fold) return;
  const count = (/** @type {number} */ number) => number.toLocaleString("en");
  say(find(".fold span"), `${count(fold.shown)} of ${count(fold.all)} parts are shown`);
  find("[data-act=top]").hidden = Boolean(fold.root);
}

/** Gives the drawing what is left of the window below the words. @param {Editor} view */
function fit(view) {
  const body = view.find(".body");
  const above = body.offsetTop - view.root.offsetTop + ABOVE_EDITOR;
  body.style.setProperty("--room", `${Math.max(LOWEST, window.innerHeight - above)}px`);
}
