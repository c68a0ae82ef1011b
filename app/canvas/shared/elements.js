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

/** What each element was built of, as text. @type {WeakMap<Element, string>} */
const sources = new WeakMap();

/**
 * Writes the entries of a list anew, but for those at its beginning and its end that are as they were.
 * The elements between are kept as far as they go: to write one costs less than to make one.
 *
 * @template {Element} E
 * @template T
 * @param {Element} list
 * @param {readonly E[]} before  What stands there now.
 * @param {readonly T[]} entries
 * @param {() => E} build  Makes an element with nothing in it.
 * @param {(element: E, entry: T) => void} write
 */
export function renew(list, before, entries, build, write) {
  const wanted = entries.map((entry) => JSON.stringify(entry));
  /** @param {E} element @param {number} place */
  const isAsBefore = (element, place) => sources.get(element) === wanted[place];
  const most = Math.min(before.length, wanted.length);
  let start = 0;
  while (start < most && isAsBefore(before[start], start)) start += 1;
  let end = 0;
  const shift = wanted.length - before.length;
  while (end < most - start && isAsBefore(before[before.length - 1 - end], wanted.length - 1 - end)) end += 1;
  const kept = before.slice(before.length - end);
  const spare = before.slice(start, before.length - end);
  const written = entries.slice(start, before.length - end + shift).map((entry, place) => {
    const element = spare[place] ?? build();
    if (!spare[place]) list.insertBefore(element, kept[0] ?? null);
    write(element, entry);
    sources.set(element, wanted[start + place]);
    return element;
  });
  spare.slice(written.length).forEach((old) => old.remove());
  return [...before.slice(0, start), ...written, ...kept];
}

/** What each element that is known by a name is called. @type {WeakMap<Element, string>} */
const calledWhat = new WeakMap();

/**
 * Builds the elements of named entries anew, but for those whose entry is as it was, wherever it
 * stood.
 *
 * @template {Element} E
 * @template T
 * @param {readonly E[]} before
 * @param {readonly T[]} entries
 * @param {(entry: T, place: number) => { name: string, source: unknown }} told  What an entry is
 *   called, and all that its element is built of.
 * @param {(entry: T, place: number) => E} build
 * @param {(element: E) => void} add  Puts an element among the others.
 */
export function renewNamed(before, entries, told, build, add) {
  const old = new Map(before.map((element) => [calledWhat.get(element), element]));
  const now = entries.map((entry, place) => {
    const { name, source: parts } = told(entry, place);
    const source = JSON.stringify(parts);
    const known = old.get(name);
    old.delete(name);
    if (known && sources.get(known) === source) return known;
    const fresh = build(entry, place);
    sources.set(fresh, source);
    calledWhat.set(fresh, name);
    if (known) known.replaceWith(fresh);
    else add(fresh);
    return fresh;
  });
  old.forEach((element) => element.remove());
  return now;
}

/** Sets an attribute only where it changes: that of a drawing makes the browser lay all of it out.
 * @param {Element} element @param {string} name @param {string} value */
export function setTo(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Writes a text only where it changes: the browser then has nothing to lay out.
 * @param {Element} element @param {string} text */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Hides or shows an element only where that changes: even the same value once more has the browser
 * work out its style. @param {HTMLElement} element @param {boolean} isHidden */
export function hide(element, isHidden) {
  if (element.hidden !== isHidden) element.hidden = isHidden;
}

/**
 * Gives what finds the parts of a component, all of which stand in its HTML. One that is named by its
 * class is looked for once: a step asks for thirty, behind thousands of elements.
 *
 * @param {Element} root
 */
export function finderIn(root) {
  /** @type {Map<string, Element>} */
  const known = new Map();
  /** @param {string} selector */
  const look = (selector) => {
    const before = known.get(selector);
    if (before && root.contains(before)) return before;
    const found = within(root, selector);
    if (/^\.[\w-]+$/.test(selector)) known.set(selector, found);
    return found;
  };
  /**
   * @template {Tag} [T="section"]
   * @param {string} selector
   * @param {T} [_tag]  Which element it is.
   */
  return (selector, _tag) => /** @type {HTMLElementTagNameMap[T]} */ (look(selector));
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
