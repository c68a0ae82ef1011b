// Conflicts: another person or tab wrote in between, and a change waits here for a decision.

import { fill, make } from "../../shared/elements.js";
import { focusAt } from "../choosing.js";
import { decideHeld } from "../sending/outbox.js";
import { sendKept } from "../sending/sending.js";
import { tell } from "../telling.js";
import { panelButton, titled } from "./panel.js";

/** @param {Editor} view */
export function drawAlarm(view) {
  const alarm = view.find(".alarm");
  const [held] = view.box.held;
  const wasHidden = alarm.hidden;
  alarm.hidden = !held;
  if (!held) {
    view.shownHeld = "";
    if (!wasHidden) focusAt(view);
    return;
  }
  const more = view.box.held.length - 1;
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

/** @param {Editor} view @param {boolean} isAgain */
export function decide(view, isAgain) {
  const { id, revision } = view.data.sentence;
  const held = decideHeld(view.box, isAgain ? ({ message, conflict }) =>
    message.sentence === id ? Math.max(revision, conflict.revision) : conflict.revision : null);
  if (!held) return;
  sendKept(view);
  // Said before the next conflict is, which then says itself.
  tell(view, `${isAgain ? "Sent again" : "Dropped"}: ${held.conflict.mine}.`);
  drawAlarm(view);
}

/** @param {Editor} view */
export function decideAll(view) {
  while (view.box.held.length) decide(view, true);
}
