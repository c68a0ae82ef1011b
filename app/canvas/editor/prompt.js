// The field in which a concept, a role, a comment or a note is typed, with completions.

import { gesture } from "./act.js";
import { describePart, elementOf, focusAt } from "./draw.js";
import { post } from "./outbox.js";
import { fill, make, say } from "../shared/elements.js";
import { nameOf } from "../shared/parts.js";

export function mountPrompt(view) {
  const form = view.find(".prompt");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submitPrompt(view);
  });
  form.addEventListener("input", (event) => askOffers(view, event.target, event.target.value));
  form.addEventListener("focusin", (event) => askOffers(view, event.target, ""));
  form.addEventListener("mousedown", (event) => {
    const offer = event.target.closest("[data-offer]");
    if (!offer) return;
    event.preventDefault();
    takeOffer(view, Number(offer.dataset.offer));
  });
}

// Opens the field. `wanted` has: title, value, and where a role is asked for: role; done(text, role).
export function openPrompt(view, wanted) {
  const form = view.find(".prompt");
  view.prompt = { ...wanted, base: view.base ?? view.data.sentence.revision, field: null, chosen: -1, offers: [] };
  view.base = undefined;
  const { role, text } = form.elements;
  form.querySelector(".for-role").hidden = wanted.role === undefined;
  form.querySelector(".for-text").hidden = wanted.value === undefined;
  role.value = wanted.role || "";
  text.value = wanted.value || "";
  say(form.querySelector(".for-text span"), wanted.title);
  say(form.querySelector(".what"), wanted.what || "");
  form.hidden = false;
  const stage = view.find(".stage").getBoundingClientRect();
  const chosen = elementOf(view, view.at).getBoundingClientRect();
  form.classList.toggle("up", chosen.top + chosen.height / 2 > stage.top + stage.height / 2);
  drawOffers(view);
  const first = wanted.value === undefined ? role : text;
  first.focus();
  first.select();
}

export function closePrompt(view) {
  const form = view.find(".prompt");
  if (form.hidden) return;
  const wasInside = form.contains(view.root.getRootNode().activeElement);
  form.hidden = true;
  view.prompt = null;
  if (wasInside && view.data) focusAt(view);
}

function submitPrompt(view) {
  const { prompt } = view;
  if (!prompt) return;
  const { role, text } = view.find(".prompt").elements;
  const values = [text.value.trim(), role.value.trim()];
  const isLacking = (prompt.value !== undefined && !values[0] && !prompt.mayBeEmpty)
    || (prompt.role !== undefined && !values[1]);
  if (isLacking) {
    (prompt.value !== undefined && !values[0] ? text : role).focus();
    return;
  }
  closePrompt(view);
  prompt.done(...values, prompt.base);
}

export function promptKey(view, event) {
  const { key } = event;
  const { prompt } = view;
  if (!prompt) return;
  if (key === "Escape") {
    closePrompt(view);
  } else if ((key === "ArrowDown" || key === "ArrowUp") && prompt.offers.length) {
    const way = key === "ArrowDown" ? 1 : -1;
    prompt.chosen = Math.max(-1, Math.min(prompt.offers.length - 1, prompt.chosen + way));
    drawOffers(view);
  } else if ((key === "Enter" || (key === "Tab" && !event.shiftKey)) && prompt.chosen >= 0) {
    const isLast = key === "Enter";
    takeOffer(view, prompt.chosen);
    if (isLast) submitPrompt(view);
    else return;
  } else {
    return;
  }
  event.preventDefault();
}

// What was typed while an answer was under way goes into the field that the answer opened.
export function typeInPrompt(view, press) {
  const { role, text } = view.find(".prompt").elements;
  const field = view.root.getRootNode().activeElement === role ? role : text;
  if (press.key === "Enter") submitPrompt(view);
  else if (press.key === "Escape") closePrompt(view);
  else if (press.key === "Backspace") field.value = field.value.slice(0, -1);
  else if (press.key.length === 1) {
    const isAllMarked = field.selectionStart === 0 && field.selectionEnd === field.value.length;
    field.value = isAllMarked ? press.key : field.value + press.key;
    field.setSelectionRange(field.value.length, field.value.length);
  }
}

export function openRename(view, here) {
  const node = view.data.nodes[here.place];
  openPrompt(view, {
    title: node.constant ? "Constant" : "Concept",
    value: node.label,
    what: `Rename ${nameOf(node)}`,
    offersFor: node.constant ? "" : "concept",
    tokens: node.tokens,
    done: (text, _, base) => text !== node.label && gesture(view, { kind: "rename", id: here.id, text }, base),
  });
}

export function openRelabel(view, here) {
  openPrompt(view, {
    title: "",
    role: here.ends[1],
    what: `Relabel ${describePart(view, here)}`,
    to: here.ends[2],
    done: (_, role, base) => gesture(view, { kind: "relabel", edge: here.ends, role }, base),
  });
}

export function openAdd(view, here) {
  const tokens = [...view.span].sort((one, other) => one - other);
  const words = tokens.map((token) => view.data.tokens[token]).join(" ");
  openPrompt(view, {
    title: "Concept",
    value: words.toLowerCase().split(" ").join("-"),
    role: freeRole(view, here),
    what: `Below ${describePart(view, here)}${words ? `, for “${words}”` : ""}`,
    offersFor: "concept",
    tokens,
    done: (text, role, base) => {
      view.span.clear();
      gesture(view, { kind: "add", parent: here.id, role, text, tokens }, base);
    },
  });
}

export function openLink(view, here, other) {
  openPrompt(view, {
    title: "",
    role: freeRole(view, here),
    what: `From ${describePart(view, here)} to ${describePart(view, other)}`,
    at: here.id,
    to: other.id,
    done: (_, role, base) =>
      gesture(view, { kind: "link", source: here.id, role, target: other.id }, base),
  });
}

// The first numbered argument that a frame lacks, or what may hang on anything.
function freeRole(view, here) {
  const { label } = view.data.nodes[here.place];
  const own = new Set(view.data.edges.filter((edge) => edge.source === here.place).map(({ role }) => role));
  const free = (name, from) => {
    let number = from;
    while (own.has(`:${name}${number}`)) number += 1;
    return `:${name}${number}`;
  };
  if (/-\d\d+$/.test(label)) return free("ARG", 0);
  if (/^(and|or|name|multi-sentence)$/.test(label)) return free(label[0] === "m" ? "snt" : "op", 1);
  return ":mod";
}

// --- completion ---------------------------------------------------------------------------

// `typed` is empty where a field is only entered: then all that fits is offered.
function askOffers(view, field, typed) {
  const { prompt } = view;
  if (!prompt || !field.name) return;
  prompt.field = field;
  prompt.chosen = -1;
  const kind = field.name === "role" ? "role" : prompt.offersFor;
  if (!kind) {
    prompt.offers = [];
    drawOffers(view);
    return;
  }
  clearTimeout(view.asking);
  view.asking = setTimeout(() => {
    const at = prompt.at || (view.at.kind === "node" ? view.at.id : view.at.ends[0]);
    const role = view.find(".prompt").elements.role.value;
    prompt.asked = `${kind}:${typed}`;
    post(view, { do: "offers", kind, typed, at, role,
      to: prompt.to || "", tokens: prompt.tokens || [] });
  }, 60);
}

// Called with every answer: shows the completions if they are for what is typed now.
export function takeOffers(view) {
  const { prompt, data } = view;
  if (!prompt || !prompt.field || !data.offers || data.offers.for !== prompt.asked) return;
  prompt.offers = data.offers.items;
  drawOffers(view);
}

function drawOffers(view) {
  const list = view.find(".offers");
  const { offers, chosen, field } = view.prompt;
  fill(list, offers, ([text, note], place) => {
    const entry = make("li", "");
    entry.id = `offer-${place}`;
    entry.dataset.offer = String(place);
    entry.setAttribute("role", "option");
    entry.setAttribute("aria-selected", String(place === chosen));
    entry.append(make("bdi", "", text), " ", make("span", "note", note));
    return entry;
  });
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

function takeOffer(view, place) {
  const { prompt } = view;
  prompt.field.value = prompt.offers[place][0];
  prompt.field.focus();
  prompt.chosen = -1;
  prompt.offers = [];
  drawOffers(view);
}
