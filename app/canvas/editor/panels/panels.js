// The panels beside the graph: conflicts, proposals, doubts, problems, comments.

import { say } from "../../shared/elements.js";
import { holderOf, targetOf, wayOf } from "../../shared/keys.js";
import { focusAt } from "../choosing.js";
import { OPTIONS } from "../keymap.js";
import { post } from "../sending/sending.js";
import { takeOffers } from "../typing/prompt.js";
import { drawWriting } from "../typing/text.js";
import { decide, decideAll, drawAlarm } from "./conflicts.js";
import { drawDoubts, takeOption } from "./doubts.js";
import { dismissProblem, drawComments, drawProblems, fixProblem, standAtProblem } from "./problems.js";
import { askSuggestions, drawProposals, leaveProposals, takeProposals } from "./proposals.js";

/** @param {Editor} view @param {Edited | undefined} before @param {boolean} isOther */
export function drawPanels(view, before, isOther) {
  const meeting = view.find(".met");
  meeting.hidden = !view.data.meeting;
  say(meeting, view.data.meeting);
  drawAlarm(view);
  drawProposals(view, before);
  drawDoubts(view);
  drawProblems(view);
  drawComments(view);
  drawWriting(view, isOther);
  takeOffers(view);
}

/** @param {Editor} view @param {HTMLElement} button */
export function panelClicked(view, button) {
  const { problems, proposals } = view.data;
  const { fix, place: at, side } = button.dataset;
  const place = Number(at);
  const items = proposals?.items ?? [];
  /** @type {Record<string, () => void>} */
  const does = {
    again: () => decide(view, true),
    drop: () => decide(view, false),
    "again-all": () => decideAll(view),
    take: () => takeProposals(view, [items[place]]),
    leave: () => post(view, { do: "suggest", leave: items[place].id }),
    more: () => askSuggestions(view),
    "take-all": () => takeProposals(view, items),
    "leave-all": () => leaveProposals(view),
    option: () => takeOption(view, place),
    problem: () => standAtProblem(view, problems[place]),
    fix: () => fixProblem(view, problems[place], Number(fix)),
    dismiss: () => dismissProblem(view, problems[place]),
  };
  does[side ?? ""]?.();
}

/** Arrows lead from button to button of a panel; a digit takes that proposal.
 * @param {Editor} view @param {KeyboardEvent} event */
export function panelKey(view, event) {
  const { key } = event;
  const panel = holderOf(event, "section");
  const buttons = [...panel?.querySelectorAll("button") ?? []];
  const isDigit = OPTIONS.test(key) && panel?.classList.contains("offered");
  if (wayOf(key)) {
    buttons[buttons.findIndex((button) => button === targetOf(event)) + wayOf(key)]?.focus();
  } else if (isDigit) {
    const item = view.data.proposals?.items[Number(key) - 1];
    if (item) takeProposals(view, [item]);
  } else if (key === "Escape") focusAt(view);
  else return false;
  return true;
}
