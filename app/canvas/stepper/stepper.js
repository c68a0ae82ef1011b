// The stepper alone in a file; app/exports/stepper.py joins this behind ../trace/show.js.
/* global show */

const held = /** @type {Lecture} */ (JSON.parse(inPage("#trace").textContent ?? ""));
const sheets = held.entries;
const named = new URLSearchParams(location.hash.slice(1));
let at = 0;

/** @param {string} selector */
function inPage(selector) {
  return /** @type {HTMLElement} */ (document.querySelector(selector));
}

/** Opens a sentence. @param {number} place @param {number} start  Actions that are taken. */
function openSheet(place, start) {
  at = place;
  const { sentence, note, by, trace } = sheets[place];
  inPage("h1 bdi").textContent = inPage("h1").title = sentence;
  inPage(".told").textContent = note;
  inPage(".told").hidden = !note;
  inPage(".made").textContent = by;
  [...inPage("header nav").children].forEach((button, number) => {
    if (number === place) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  });
  show({
    parentElement: document.body,
    data: { ...trace, start },
    setStateValue: (name, value) => {
      if (name === "at") location.replace(addressOf(/** @type {{ step: number }} */ (value).step));
    },
  });
  inPage(".apt").focus({ preventScroll: true });
}

/** Turns to a sentence, from its top; a reload opens it again. @param {number} place */
function turnTo(place) {
  const { start } = sheets[place].trace;
  openSheet(place, start);
  location.replace(addressOf(start));
  scrollTo(0, 0);
}

/** @param {number} step */
function addressOf(step) {
  return sheets.length > 1 ? `#sentence=${at + 1}&step=${step}` : `#step=${step}`;
}

/** @param {string} name @param {number} least @param {number} most @param {number} otherwise */
function numberNamed(name, least, most, otherwise) {
  const text = named.get(name) ?? "";
  return /^\d{1,6}$/.test(text) ? Math.min(Math.max(least, Number(text)), most) : otherwise;
}

if (sheets.length > 1) {
  inPage("header nav").hidden = false;
  inPage("header nav").replaceChildren(...sheets.map(({ sentence }, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = button.title = `${place + 1}. ${sentence}`;
    button.addEventListener("click", () => turnTo(place));
    return button;
  }));
  const entry = ["dt", "dd"].map((name) => document.createElement(name));
  entry[0].textContent = "Page Up, Page Down";
  entry[1].textContent = "to the sentence before or after";
  inPage(".help dl").append(...entry);
  document.addEventListener("keydown", (event) => {
    const turn = { PageDown: 1, PageUp: -1 }[event.key];
    if (!turn || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault(); // past the last sentence neither, where it would scroll that one away
    if (sheets[at + turn]) turnTo(at + turn);
  });
}
{
  const first = numberNamed("sentence", 1, sheets.length, 1) - 1;
  openSheet(first, numberNamed("step", 0, Infinity, sheets[first].trace.start));
}
