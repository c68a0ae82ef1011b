// Elements of HTML and SVG. Text from sentences goes in through textContent alone.

const SVG = "http://www.w3.org/2000/svg";

export function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

export function shape(tag, attributes, text) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, String(value));
  }
  if (text !== undefined) element.textContent = text;
  return element;
}

export function fill(parent, entries, build) {
  parent.replaceChildren(...entries.map(build));
}

// Writes a text only where it changes: the browser then has nothing to lay out.
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function optionOf(text) {
  const option = make("option", "", text);
  option.value = text;
  return option;
}

// --- drawing ----------------------------------------------------------------------------
