// Elements of HTML and SVG. Text goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Makes an element; an attribute that is null or undefined is left out.
 *
 * @template {Tag} T
 * @param {T} tag
 * @param {string} className
 * @param {...Part} parts
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, className, ...parts) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  return furnish(element, parts);
}

/** A button that submits nothing. @param {string} className @param {...Part} parts */
export function makeButton(className, ...parts) {
  return make("button", className, { type: "button" }, ...parts);
}

/** @param {string} value @param {string} [text] */
export function optionOf(value, text = value) {
  return make("option", "", { value }, text);
}

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {...Part} parts
 * @returns {SVGElementTagNameMap[T]}
 */
export function shape(tag, ...parts) {
  return furnish(document.createElementNS(SVG, tag), parts);
}

/** @template {Element} E @param {E} element @param {Part[]} parts */
function furnish(element, parts) {
  for (const part of parts) {
    if (typeof part === "string" || part instanceof Node) element.append(part);
    else setAll(element, part);
  }
  return element;
}

/** @param {Element} element @param {Attributes} attributes */
export function setAll(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
}

/**
 * @template Entry
 * @param {Element} parent
 * @param {readonly Entry[]} entries
 * @param {(entry: Entry, place: number) => Node | string} build
 */
export function fill(parent, entries, build) {
  parent.replaceChildren(...entries.map(build));
}

/** Writes a text only where it changes: the browser then has nothing to lay out.
 * @param {Element} element @param {string} text */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Gives what finds the parts of a component, all of which stand in its HTML.
 *
 * @param {Element} root
 */
export function finderIn(root) {
  /**
   * @template {Tag} [T="section"]
   * @param {string} selector
   * @param {T} [_tag]  Which element it is.
   */
  return (selector, _tag) => /** @type {HTMLElementTagNameMap[T]} */ (within(root, selector));
}

/** @param {Element} element @param {string} selector @returns {HTMLElement} */
export function within(element, selector) {
  const found = element.querySelector(selector);
  if (!found) throw new Error(`${selector} does not stand in ${element.className || element.tagName}`);
  return /** @type {HTMLElement} */ (found);
}

/** @param {Element} list @returns {HTMLElement[]} */
export function childrenOf(list) {
  return /** @type {HTMLElement[]} */ ([...list.children]);
}
