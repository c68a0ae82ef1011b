// Conflicts: another person or tab wrote in between, and a change waits here for a decision. It
// is shown on the sentence that it belongs to, and elsewhere named with a link there.

import { fill, make } from "../../shared/elements.js";
import { focusAt } from "../choosing.js";
import { decideHeld, heldOn } from "../sending/outbox.js";
import { sendKept } from "../sending/sending.js";
import { countElsewhere } from "../sending/tabs.js";
import { tell } from "../telling.js";
import { isNewIn, panelButton, titled } from "./panel.js";

/** @param {Editor} view */
export function drawAlarm(view) {
  const alarm = view.find(".alarm");
  const here = heldOn(view.box, view.data.sentence.id);
  const [held] = here;
  const wasHidden = alarm.hidden;
  alarm.hidden = !held;
  drawElsewhere(view);
  if (!held) {
    view.shownHeld = "";
    if (!wasHidden) focusAt(view);
    return;
  }
  const more = here.length - 1;
  const name = `${held.message.id} ${more}`;
  if (view.shownHeld === name) return;
  view.shownHeld = name;
  const { text, mine, lines } = held.conflict;
  const list = make("ul", "difference");
  fill(list, lines, ([sign, line]) => make("li", "", `${sign} `, make("bdi", "", line)));
  alarm.replaceChildren(titled(text), list, make("p", "", "Your change: ", make("bdi", "", mine)),
    make("div", "row",
      panelButton("main", "again", 0, "Apply mine to the newest"), panelButton("", "drop", 0, "Drop mine"),
      ...(more ? [panelButton("", "again-all", 0, `Apply all ${more + 1}`)] : [])));
  tell(view, `${text} Your change was not applied: ${mine}.`);
  alarm.focus({ preventScroll: true });
}

/** Names the changes to other sentences that wait for a decision there, and what waits in this browser
 * for other people and stores. @param {Editor} view */
function drawElsewhere({ box, data, find }) {
  const panel = find(".elsewhere");
  const others = box.held.filter(({ message }) => message.sentence !== data.sentence.id);
  const foreign = foreignLines(data);
  panel.hidden = !others.length && !foreign.length;
  if (!isNewIn(panel, [others.map(({ message }) => message.id), foreign])) return;
  panel.replaceChildren(...foreign, ...others.flatMap(({ message, conflict }) => [
    "Conflict in ", make("a", "", { href: addressOf(message.sentence), target: "_self" },
      message.called ?? `sentence ${message.sentence}`),
    ", where your change waits for your decision: ", make("bdi", "", conflict.mine), ". "]));
}

/** @param {Edited} data */
function foreignLines({ store, person }) {
  const { people, others } = countElsewhere(store, person);
  const waits = (/** @type {number} */ count) => `${count} ${count === 1 ? "change waits" : "changes wait"}`;
  const lines = people.map(([who, count]) =>
    `${waits(count)} in this browser until ${who} opens this page. `);
  return others ? [...lines, `${waits(others)} in this browser for another store. `] : lines;
}

/** @param {number} sentence */
function addressOf(sentence) {
  const parameters = new URLSearchParams(location.search);
  parameters.set("sentence", String(sentence));
  return `${location.pathname}?${parameters}`;
}

/** Decides the first conflict of the sentence that is shown. @param {Editor} view @param {boolean} isAgain */
export function decide(view, isAgain) {
  const { id, revision } = view.data.sentence;
  const base = (/** @type {Held} */ { conflict }) => Math.max(revision, conflict.revision);
  const held = decideHeld(view.box, id, isAgain ? base : null);
  if (!held) return;
  sendKept(view);
  // Said before the next conflict is, which then says itself.
  tell(view, `${isAgain ? "Sent again" : "Dropped"}: ${held.conflict.mine}.`);
  drawAlarm(view);
}

/** @param {Editor} view */
export function decideAll(view) {
  while (heldOn(view.box, view.data.sentence.id).length) decide(view, true);
}
