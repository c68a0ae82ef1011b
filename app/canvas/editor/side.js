// The panels beside the graph: conflicts, proposals, doubts, problems.

import { refuse } from "./act.js";
import { describePart, drawChosen, focusAt, keyOf, nameAt, partOf, stand } from "./draw.js";
import { tellEditor } from "./edit.js";
import { focusWord, OPTIONS } from "./keys.js";
import { drawSaved, flush, keep, post, randomName } from "./outbox.js";
import { openPrompt, takeOffers } from "./prompt.js";
import { drawWriting } from "./text.js";
import { fill, make, say } from "../shared/elements.js";
import { decimals } from "../shared/numbers.js";

export function drawSide(view, before, isOther) {
  const meeting = view.find(".meeting");
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

function sideButton(text, what, place, className) {
  const button = make("button", className || "", text);
  button.type = "button";
  button.dataset.side = what;
  button.dataset.place = String(place);
  return button;
}

function title(text) {
  return make("h3", "", text);
}

// --- conflicts ----------------------------------------------------------------------------

// Another person or tab wrote in between: this one's change waits here for a decision.
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
  const { conflict } = held;
  const list = make("ul", "difference");
  fill(list, conflict.lines, ([sign, text]) => {
    const entry = make("li", "");
    entry.append(`${sign} `, make("bdi", "", text));
    return entry;
  });
  const mine = make("p", "");
  mine.append("Your change: ", make("bdi", "", conflict.mine));
  const row = make("div", "row");
  row.append(
    sideButton("Apply mine to the newest", "again", 0, "main"),
    sideButton("Drop mine", "drop", 0),
  );
  if (more) row.append(sideButton(`Apply all ${more + 1}`, "again-all", 0));
  alarm.replaceChildren(title(conflict.text), list, mine, row);
  tellEditor(view, `${conflict.text} Your change was not applied: ${conflict.mine}.`);
  alarm.focus({ preventScroll: true });
}

export function decide(view, isAgain) {
  const held = view.box.held.shift();
  if (!held) return;
  if (isAgain) {
    const { message, conflict } = held;
    const { sentence } = view.data;
    const isHere = message.sentence === sentence.id;
    view.box.number += 1;
    view.box.messages.push({
      ...message, number: view.box.number, id: randomName(), tab: view.box.tab,
      base: isHere ? Math.max(sentence.revision, conflict.revision) : conflict.revision,
    });
  }
  keep(view);
  flush(view);
  drawSaved(view);
  // Said before the next conflict is, which then says itself.
  tellEditor(view, `${isAgain ? "Sent again" : "Dropped"}: ${held.conflict.mine}.`);
  drawAlarm(view);
}

// --- proposals ----------------------------------------------------------------------------

export function askSuggestions(view) {
  post(view, { do: "suggest" });
  view.wantsProposals = true;
}

export function leaveProposals(view) {
  post(view, { do: "suggest", off: true });
  focusAt(view);
}

function drawProposals(view, before) {
  const panel = view.find(".offered");
  const { proposals } = view.data;
  const wasInside = panel.contains(view.root.getRootNode().activeElement);
  panel.hidden = !proposals;
  if (!proposals) {
    if (wasInside) focusAt(view);
    return;
  }
  const text = JSON.stringify(proposals);
  if (panel.dataset.shown === text) return;
  panel.dataset.shown = text;
  const list = make("ol", "");
  fill(list, proposals.items, (item, place) => {
    const entry = make("li", item.sign === "−" ? "gone" : "come");
    const what = make("span", "what");
    what.append(`${item.sign} `, make("bdi", "", item.text), " ", make("span", "note", item.why));
    entry.append(what, sideButton("Take", "take", place), sideButton("Leave", "leave", place));
    return entry;
  });
  const row = make("div", "row");
  if (proposals.items.length) row.append(sideButton("Take all", "take-all", 0, "main"));
  row.append(sideButton(proposals.items.length ? "Leave all" : "Close", "leave-all", 0));
  panel.replaceChildren(title("Proposals"), make("p", "note", proposals.text), list, row);
  const isNew = !before || !before.proposals || before.proposals.number !== proposals.number;
  if (isNew && proposals.state !== "waiting") tellEditor(view, proposals.text);
  if (wasInside || (view.wantsProposals && proposals.state !== "waiting")) {
    (list.querySelector("button") || row.querySelector("button")).focus();
  }
  if (proposals.state !== "waiting") view.wantsProposals = false;
}

function takeProposals(view, items) {
  const seen = new Set(); // one proposal may stand on another that is taken too
  const edits = items.flatMap((item) => item.edits.filter((_, place) => {
    const isNew = !seen.has(item.ids[place]);
    seen.add(item.ids[place]);
    return isNew;
  }));
  post(view, { do: "gesture", gesture: { kind: "edits", edits }, by: "model", taken: [...seen] });
}

// --- doubts -------------------------------------------------------------------------------

export function doubtful(view) {
  return view.order.filter((part) => partData(view, part).doubt !== undefined);
}

export function partData(view, part) {
  return (part.kind === "edge" ? view.data.edges : view.data.nodes)[part.place];
}

export function nextDoubt(view) {
  const parts = doubtful(view);
  if (!parts.length) {
    refuse(view, view.data.doubtText || "No part of this graph is doubtful.");
    return;
  }
  const place = view.order.findIndex((part) => keyOf(part) === keyOf(view.at));
  const isAfter = (part) => view.order.findIndex((one) => keyOf(one) === keyOf(part)) > place;
  stand(view, parts.find(isAfter) || parts[0], true);
}

export function drawDoubts(view) {
  const panel = view.find(".doubts");
  if (!view.at || !view.order) return;
  const part = partData(view, view.at);
  const count = doubtful(view).length;
  panel.hidden = !count && !view.data.doubtText;
  const list = make("ol", "options");
  fill(list, part.options || [], (option, place) => {
    const entry = make("li", "");
    const button = sideButton("", "option", place);
    button.append(make("kbd", "", String(place + 1)), " ", make("bdi", "", option.text), " ",
      make("span", "note", decimals(option.p)));
    entry.append(button);
    return entry;
  });
  const here = part.doubt === undefined ? "" : `${describePart(view, view.at)}: ${decimals(part.doubt)}`;
  const text = count ? `${count} doubtful ${count === 1 ? "part" : "parts"}; ${view.keys.doubt} leads on`
    : view.data.doubtText;
  panel.replaceChildren(title("Doubts"), make("p", "note", text), make("p", "", here), list);
}

export function takeOption(view, place) {
  const options = partData(view, view.at).options || [];
  if (!options[place]) return false;
  post(view, { do: "gesture", gesture: { kind: "edits", edits: options[place].edits } });
  return true;
}

// --- confirming ---------------------------------------------------------------------------

export function confirmHere(view) {
  const part = partData(view, view.at);
  post(view, { do: "confirm", on: !part.confirmed, part: nameAt(view, view.at) });
}

// --- problems -----------------------------------------------------------------------------

function drawProblems(view) {
  const panel = view.find(".problems");
  const { problems } = view.data;
  panel.hidden = !problems.length;
  const text = JSON.stringify(problems);
  if (panel.dataset.shown === text) return;
  const wasInside = panel.contains(view.root.getRootNode().activeElement);
  panel.dataset.shown = text;
  const list = make("ol", "");
  fill(list, problems, (problem, place) => {
    const entry = make("li", `problem ${problem.severity}${problem.note === null ? "" : " dismissed"}`);
    const go = sideButton("", "problem", place, "line-of");
    const sign = problem.severity === "error" ? "Error" : "Warning";
    go.append(make("b", "", problem.note === null ? sign : "Dismissed"), " ", make("bdi", "", problem.message));
    entry.append(go);
    if (problem.note) entry.append(make("span", "note", `“${problem.note}”`));
    problem.fixes.forEach((fix, number) => {
      const button = sideButton(fix.text, "fix", place);
      button.dataset.fix = String(number);
      entry.append(button);
    });
    if (problem.severity !== "error") {
      entry.append(sideButton(problem.note === null ? "Dismiss" : "Show again", "dismiss", place));
    }
    return entry;
  });
  const errors = problems.filter((problem) => problem.severity === "error").length;
  const head = errors ? `Problems: ${errors} to mend before it can be accepted` : "Problems";
  panel.replaceChildren(title(head), list);
  if (wasInside) (list.querySelector("button") || view.root).focus();
}

function standAtProblem(view, problem) {
  const part = partOf(view, problem.part);
  if (part) stand(view, part, true);
  else if (problem.word !== null && view.tokens[problem.word]) {
    view.span = new Set([problem.word]);
    drawChosen(view);
    focusWord(view, problem.word);
  }
  tellEditor(view, problem.message);
}

function openProblems(view) {
  return view.data.problems.filter((problem) => problem.note === null);
}

export function nextProblem(view) {
  const open = openProblems(view);
  if (!open.length) {
    refuse(view, "No problem is open.");
    return;
  }
  view.problemAt = ((view.problemAt ?? -1) + 1) % open.length;
  standAtProblem(view, open[view.problemAt]);
}

// The problem that was gone to last, if it is of what is chosen; else the first one there.
function problemHere(view) {
  const open = openProblems(view);
  const isHere = (problem) => {
    if (!problem) return false;
    const part = partOf(view, problem.part);
    return part ? keyOf(part) === keyOf(view.at) : problem.word === null || view.span.has(problem.word);
  };
  const last = open[view.problemAt ?? -1];
  return isHere(last) ? last : open.find(isHere) || null;
}

export function fixHere(view) {
  const problem = problemHere(view);
  if (!problem || !problem.fixes.length) refuse(view, "There is no fix for a problem here.");
  else fixProblem(view, problem, 0);
}

function fixProblem(view, problem, number) {
  post(view, { do: "gesture", gesture: { kind: "edits", edits: problem.fixes[number].edits } });
}

export function dismissHere(view) {
  const problem = problemHere(view);
  if (!problem || problem.severity === "error") {
    refuse(view, problem ? "An error cannot be dismissed: mend it." : "There is no warning here.");
  } else {
    dismissProblem(view, problem);
  }
}

function dismissProblem(view, problem) {
  if (problem.note !== null) {
    post(view, { do: "dismiss", problem: problem.id, note: "", on: false });
    return;
  }
  openPrompt(view, {
    title: "Why is this no problem?",
    value: "",
    mayBeEmpty: true,
    what: problem.message,
    done: (note) => post(view, { do: "dismiss", problem: problem.id, note, on: true }),
  });
}

function drawComments(view) {
  const panel = view.find(".comments");
  const { comments } = view.data.sentence;
  panel.hidden = !comments.length;
  const list = make("ol", "");
  fill(list, comments, ([person, text]) => {
    const entry = make("li", "");
    entry.append(make("bdi", "who", person), ": ", make("bdi", "", text));
    return entry;
  });
  panel.replaceChildren(title("Comments"), list);
}

// --- pointer and keys -----------------------------------------------------------------------

export function sideClicked(view, button) {
  const { data } = view;
  const place = Number(button.dataset.place);
  const items = data.proposals ? data.proposals.items : [];
  const does = {
    again: () => decide(view, true),
    drop: () => decide(view, false),
    "again-all": () => {
      while (view.box.held.length) decide(view, true);
    },
    take: () => takeProposals(view, [items[place]]),
    leave: () => post(view, { do: "suggest", leave: items[place].id }),
    "take-all": () => takeProposals(view, items),
    "leave-all": () => leaveProposals(view),
    option: () => takeOption(view, place),
    problem: () => standAtProblem(view, data.problems[place]),
    fix: () => fixProblem(view, data.problems[place], Number(button.dataset.fix)),
    dismiss: () => dismissProblem(view, data.problems[place]),
  };
  does[button.dataset.side]();
}

// Arrows lead from button to button of a panel; a digit takes that proposal.
export function sideKey(view, key, event) {
  const panel = event.target.closest("section");
  const buttons = [...panel.querySelectorAll("button")];
  const way = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[key];
  if (way) {
    const next = buttons[buttons.indexOf(event.target) + way];
    if (next) next.focus();
    return true;
  }
  if (panel.classList.contains("offered") && OPTIONS.test(key)) {
    const item = view.data.proposals.items[Number(key) - 1];
    if (item) takeProposals(view, [item]);
    return true;
  }
  if (key === "Escape") {
    focusAt(view);
    return true;
  }
  return false;
}
