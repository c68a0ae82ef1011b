// The field in which a concept, a role, a comment or a note is typed, with completions.

import { fill, make, say, within } from "../../shared/elements.js";
import { focusedIn, holderOf, targetOf } from "../../shared/keys.js";
import { elementAt, focusAt } from "../choosing.js";
import { post } from "../sending/sending.js";
import { hasFocus } from "../view.js";

/** @param {Editor} view */
export function mountPrompt(view) {
  const { signal } = view;
  const form = view.find(".prompt", "form");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submitPrompt(view);
  }, { signal });
  form.addEventListener("input", (event) => askOffers(view, targetOf(event), true), { signal });
  form.addEventListener("focusin", (event) => askOffers(view, targetOf(event), false), { signal });
  form.addEventListener("mousedown", (event) => {
    const offer = holderOf(event, "[data-offer]");
    if (!offer) return;
    event.preventDefault();
    takeOffer(view, Number(offer.dataset.offer));
  }, { signal });
}

/** @param {Editor} view */
function fieldsOf(view) {
  const form = view.find(".prompt", "form");
  const field = (/** @type {string} */ name) =>
    /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
  return { form, role: field("role"), text: field("text") };
}

/** @param {Editor} view @param {Wanted} wanted */
export function openPrompt(view, wanted) {
  const { form, role, text } = fieldsOf(view);
  const { revision } = view.data.sentence;
  view.prompt = { ...wanted, base: wanted.base ?? revision, field: null, chosen: -1, asked: "", offers: [] };
  within(form, ".for-role").hidden = wanted.role === undefined;
  within(form, ".for-text").hidden = wanted.value === undefined;
  role.value = wanted.role ?? "";
  text.value = wanted.value ?? "";
  say(within(form, ".for-text span"), wanted.title);
  say(within(form, ".what"), wanted.what ?? "");
  form.hidden = false;
  const stage = view.drawing.stage.getBoundingClientRect();
  const chosen = elementAt(view).getBoundingClientRect();
  form.classList.toggle("up", chosen.top + chosen.height / 2 > stage.top + stage.height / 2);
  drawOffers(view, view.prompt);
  const first = wanted.value === undefined ? role : text;
  first.focus();
  first.select();
}

/** @param {Editor} view */
export function closePrompt(view) {
  const { form } = fieldsOf(view);
  if (form.hidden) return;
  const wasInside = hasFocus(view, form);
  form.hidden = true;
  view.prompt = null;
  if (wasInside) focusAt(view);
}

/** @param {Editor} view */
export function submitPrompt(view) {
  const { prompt } = view;
  if (!prompt) return;
  const { role, text } = fieldsOf(view);
  const lacks = missing(prompt, text.value.trim(), role.value.trim());
  if (lacks) {
    (lacks === "text" ? text : role).focus();
    return;
  }
  closePrompt(view);
  prompt.done(text.value.trim(), role.value.trim(), prompt.base);
}

/** Gives which field lacks something; null for none.
 * @param {Wanted} wanted @param {string} text @param {string} role */
export function missing(wanted, text, role) {
  if (wanted.value !== undefined && !text && !wanted.mayBeEmpty) return "text";
  return wanted.role !== undefined && !role ? "role" : null;
}

/** @param {Editor} view @param {KeyboardEvent} event */
export function promptKey(view, event) {
  const { key } = event;
  const { prompt } = view;
  if (!prompt) return;
  const isTaking = prompt.chosen >= 0 && (key === "Enter" || (key === "Tab" && !event.shiftKey));
  if (key === "Escape") {
    closePrompt(view);
  } else if ((key === "ArrowDown" || key === "ArrowUp") && prompt.offers.length) {
    const way = key === "ArrowDown" ? 1 : -1;
    prompt.chosen = Math.max(-1, Math.min(prompt.offers.length - 1, prompt.chosen + way));
    drawOffers(view, prompt);
  } else if (isTaking) {
    takeOffer(view, prompt.chosen);
    if (key === "Tab") return;
    submitPrompt(view);
  } else {
    return;
  }
  event.preventDefault();
}

/** What was typed while an answer was under way goes into the field that the answer opened.
 * @param {Editor} view @param {Press} press */
export function typeInPrompt(view, { key }) {
  const { role, text } = fieldsOf(view);
  const field = focusedIn(view.root) === role ? role : text;
  if (key === "Enter") submitPrompt(view);
  else if (key === "Escape") closePrompt(view);
  else if (key === "Backspace") field.value = field.value.slice(0, -1);
  else if (key.length === 1) {
    const isAllMarked = field.selectionStart === 0 && field.selectionEnd === field.value.length;
    field.value = isAllMarked ? key : field.value + key;
    field.setSelectionRange(field.value.length, field.value.length);
  }
}

// --- completion ---------------------------------------------------------------------------

/** Where a field is only entered all that fits is offered.
 * @param {Editor} view @param {HTMLElement} field @param {boolean} isTyped */
function askOffers(view, field, isTyped) {
  const { prompt } = view;
  if (!prompt || !(field instanceof HTMLInputElement)) return;
  prompt.field = field;
  prompt.chosen = -1;
  const kind = field.name === "role" ? "role" : prompt.offersFor;
  if (!kind) {
    prompt.offers = [];
    drawOffers(view, prompt);
    return;
  }
  const typed = isTyped ? field.value : "";
  clearTimeout(view.asking);
  view.asking = setTimeout(() => {
    prompt.asked = `${kind}:${typed}`;
    post(view, {
      do: "offers", kind, typed, at: prompt.from ?? view.at.id, role: fieldsOf(view).role.value,
      to: prompt.to ?? "", tokens: prompt.tokens ?? [],
    });
  }, 60);
}

/** Called with every answer: shows the completions if they are for what is typed now. @param {Editor} view */
export function takeOffers(view) {
  const { prompt, data: { offers } } = view;
  if (!prompt?.field || offers?.for !== prompt.asked) return;
  prompt.offers = offers.items;
  drawOffers(view, prompt);
}

/** @param {Editor} view @param {Prompt} prompt */
function drawOffers(view, { chosen, field, offers }) {
  const list = view.find(".offers");
  fill(list, offers, ([text, note], place) => make("li", "",
    { id: `offer-${place}`, "data-offer": place, role: "option", "aria-selected": place === chosen },
    make("bdi", "", text), " ", make("span", "note", note)));
  list.hidden = !offers.length;
  if (!field) return;
  field.setAttribute("aria-expanded", String(offers.length > 0));
  if (chosen >= 0) {
    field.setAttribute("aria-activedescendant", `offer-${chosen}`);
    list.children[chosen].scrollIntoView({ block: "nearest" });
  } else {
    field.removeAttribute("aria-activedescendant");
  }
}

/** @param {Editor} view @param {number} place */
function takeOffer(view, place) {
  const { prompt } = view;
  if (!prompt?.field) return;
  [prompt.field.value] = prompt.offers[place];
  prompt.field.focus();
  prompt.chosen = -1;
  prompt.offers = [];
  drawOffers(view, prompt);
}
