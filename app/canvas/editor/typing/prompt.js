// The field in which a concept, a role, a line of both, a comment or a note is typed. Enter takes
// the completion that is shown; a person who types faster than the list comes gets what would have
// been first in it, which the page then works out.

import { fill, make, say, within } from "../../shared/elements.js";
import { holderOf, isWithControl } from "../../shared/keys.js";
import { keepInView } from "../../shared/stage.js";
import { elementAt, focusAt } from "../choosing.js";
import { post } from "../sending/sending.js";
import { hasFocus } from "../view.js";

const PAUSE = 60; // milliseconds without a key before the list is asked for

/** @param {Editor} view */
export function mountPrompt(view) {
  const { signal } = view;
  const form = view.find(".prompt", "form");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submitPrompt(view);
  }, { signal });
  form.addEventListener("input", () => typedOn(view), { signal });
  form.addEventListener("mousedown", (event) => {
    const offer = holderOf(event, "[data-offer]");
    if (!offer) return;
    event.preventDefault();
    if (view.prompt) view.prompt.chosen = Number(offer.dataset.offer);
    submitPrompt(view);
  }, { signal });
}

/** @param {Editor} view */
function fieldOf(view) {
  return view.find(".prompt input", "input");
}

/** @param {Editor} view @param {Wanted} wanted */
export function openPrompt(view, wanted) {
  const form = view.find(".prompt", "form");
  const field = fieldOf(view);
  const base = wanted.base ?? view.data.sentence.revision;
  view.prompt = { ...wanted, base, chosen: -1, asked: "", offers: [], isTyped: false, isAnswered: false };
  field.value = wanted.value;
  say(within(form, "label span"), wanted.title);
  say(within(form, ".what"), wanted.what ?? "");
  form.hidden = false;
  const stage = view.drawing.stage.getBoundingClientRect();
  const chosen = elementAt(view).getBoundingClientRect();
  form.classList.toggle("up", chosen.top + chosen.height / 2 > stage.top + stage.height / 2);
  drawOffers(view, view.prompt);
  field.focus();
  field.select();
  askOffers(view, view.prompt, 0);
}

/** @param {Editor} view */
export function closePrompt(view) {
  const form = view.find(".prompt", "form");
  if (form.hidden) return;
  const wasInside = hasFocus(view, form);
  form.hidden = true;
  view.prompt = null;
  clearTimeout(view.asking);
  if (wasInside) focusAt(view);
}

/** Takes the completion that is shown, or what is typed. @param {Editor} view
 * @param {boolean} [isLiteral]  Whether what is typed is meant as it stands. */
export function submitPrompt(view, isLiteral = false) {
  const { prompt } = view;
  if (!prompt) return;
  const field = fieldOf(view);
  const offer = isLiteral ? undefined : prompt.offers[prompt.chosen]?.[0];
  if (offer?.endsWith(" ")) {
    fillPrompt(view, prompt, offer);
    return;
  }
  const answer = answerOf(prompt, field.value.trim(), offer, isLiteral);
  if (!answer) {
    field.focus();
    return;
  }
  closePrompt(view);
  prompt.done(answer.text, answer.typed, prompt.base);
}

/** Gives what a field is left with; null while there is nothing to take. `typed` says that the page
 * is to complete it: its list was not there yet.
 * @param {Prompt} prompt @param {string} text @param {string | undefined} offer @param {boolean} isLiteral */
export function answerOf(prompt, text, offer, isLiteral) {
  if (offer !== undefined) return { text: offer, typed: false };
  if (!text) return prompt.mayBeEmpty ? { text, typed: false } : null;
  return { text, typed: Boolean(prompt.asks && prompt.isTyped && !prompt.isAnswered && !isLiteral) };
}

/** @param {Editor} view @param {KeyboardEvent} event */
export function promptKey(view, event) {
  const { key } = event;
  const { prompt } = view;
  if (!prompt) return;
  const offer = prompt.offers[prompt.chosen]?.[0];
  if (key === "Escape") {
    closePrompt(view);
  } else if ((key === "ArrowDown" || key === "ArrowUp") && prompt.offers.length) {
    const way = key === "ArrowDown" ? 1 : -1;
    prompt.chosen = Math.max(-1, Math.min(prompt.offers.length - 1, prompt.chosen + way));
    drawOffers(view, prompt);
  } else if (key === "Tab" && !event.shiftKey && offer && offer !== fieldOf(view).value) {
    fillPrompt(view, prompt, offer);
  } else if (key === "Enter" && isWithControl(event)) {
    submitPrompt(view, true);
  } else {
    return;
  }
  event.preventDefault();
}

/** What was typed while an answer was under way goes into the field that the answer opened.
 * @param {Editor} view @param {Press} press */
export function typeInPrompt(view, { key }) {
  const field = fieldOf(view);
  if (key === "Enter") submitPrompt(view);
  else if (key === "Escape") closePrompt(view);
  else if (key === "Backspace") field.value = field.value.slice(0, -1);
  else if (key.length === 1) {
    const isAllMarked = field.selectionStart === 0 && field.selectionEnd === field.value.length;
    field.value = isAllMarked ? key : field.value + key;
    field.setSelectionRange(field.value.length, field.value.length);
  }
  if (view.prompt) typedOn(view);
}

// --- completion ---------------------------------------------------------------------------

/** @param {Editor} view */
function typedOn(view) {
  const { prompt } = view;
  if (!prompt) return;
  Object.assign(prompt, { isTyped: true, isAnswered: false, asked: "", chosen: -1, offers: [] });
  askOffers(view, prompt, PAUSE);
}

/** Puts a completion into the field, to be typed on. @param {Editor} view @param {Prompt} prompt
 * @param {string} text */
function fillPrompt(view, prompt, text) {
  fieldOf(view).value = text;
  fieldOf(view).focus();
  Object.assign(prompt, { isTyped: true, isAnswered: false, asked: "", chosen: -1, offers: [] });
  askOffers(view, prompt, 0);
}

/** Asks for what fits; before anything is typed, for what is likely here.
 * @param {Editor} view @param {Prompt} prompt @param {number} pause */
function askOffers(view, prompt, pause) {
  const { asks } = prompt;
  clearTimeout(view.asking);
  if (!asks) return;
  view.asking = setTimeout(() => {
    const what = { ...asks, typed: prompt.isTyped ? fieldOf(view).value : "" };
    prompt.asked = JSON.stringify([view.data.sentence.revision, what]);
    post(view, { do: "offers", ask: prompt.asked, ...what });
  }, pause);
}

/** Called with every answer: shows the completions if they are for what is typed now. @param {Editor} view */
export function takeOffers(view) {
  const { prompt, data: { offers } } = view;
  if (!prompt || prompt.isAnswered || !prompt.asked || offers?.for !== prompt.asked) return;
  prompt.isAnswered = true;
  prompt.offers = offers.items;
  prompt.chosen = offers.items.length ? 0 : -1;
  drawOffers(view, prompt);
}

/** @param {Editor} view @param {Prompt} prompt */
function drawOffers(view, { chosen, offers }) {
  const list = view.find(".offers");
  const field = fieldOf(view);
  fill(list, offers, ([text, note], place) => make("li", "",
    { id: `offer-${place}`, "data-offer": place, role: "option", "aria-selected": place === chosen },
    make("bdi", "", text), " ", make("span", "note", note)));
  list.hidden = !offers.length;
  field.setAttribute("aria-expanded", String(offers.length > 0));
  field.scrollIntoView({ block: "nearest" }); // the list may have pushed it out of a low window
  if (chosen >= 0) {
    field.setAttribute("aria-activedescendant", `offer-${chosen}`);
    keepInView(list, /** @type {HTMLElement} */ (list.children[chosen]));
  } else {
    field.removeAttribute("aria-activedescendant");
  }
}
