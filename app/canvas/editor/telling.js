// What is told: in the region that a screen reader speaks, and in the notice above the drawing.

import { say } from "../shared/elements.js";

/** Speaks a text. One that is equal to the last would change nothing and be passed over in
 * silence: it gets a space at its end, or loses it. @param {Editor} view @param {string} text */
export function tell(view, text) {
  const told = view.find(".told");
  told.textContent = text && told.textContent === text ? `${text}\u00a0` : text;
}

/** Says why something is not done. @param {Editor} view @param {string} text */
export function refuse(view, text) {
  const notice = view.find(".notice");
  notice.hidden = false;
  say(notice, text);
  tell(view, text);
}

/** Says once what became of the last message, and then which sentence is shown where that is another.
 * @param {Editor} view @param {Edited | undefined} before @param {boolean} isOther */
export function tellAnswer(view, before, isOther) {
  const { said } = view.data;
  const notice = view.find(".notice");
  const isNew = said && !(before?.said?.number === said.number && before.said.text === said.text);
  if (!said) notice.hidden = true;
  if (isNew) {
    notice.hidden = said.kind !== "refused";
    say(notice, said.kind === "refused" ? said.text : "");
    if (said.kind !== "done") view.typed = []; // what was typed meant another outcome
    if (said.kind === "conflict") return; // drawAlarm says more of it
  }
  const outcome = isNew ? said.text : "";
  if (!isOther) {
    if (isNew) tell(view, outcome);
    return;
  }
  const text = [outcome.replace(/[^.!?]$/, "$&."), speakSentence(view.data)].filter(Boolean).join(" ");
  if (before) tell(view, text);
  // Only a change of a region that is already there is spoken.
  else setTimeout(() => view.find(".told").textContent || tell(view, text), 100);
}

/** @param {Edited} data */
function speakSentence({ sentence, tokens }) {
  return `Sentence ${sentence.number}: ${tokens.join(" ").replace(/ (?=[.,;:!?]( |$))/g, "")}`;
}
