// Two graphs in one drawing, as the page laid it out. Nothing is sent back; but the keys that
// tick the differences listed below the drawing are taken here, as Streamlit's boxes have none.

import { shape } from "../shared/elements.js";
import { endOf } from "../shared/ending.js";
import { finish, isWithModifier, leadsTo } from "../shared/keys.js";

const FORM = ".st-key-compare_picks"; // the page calls it so
const WRITTEN = "input:not([type='checkbox']), textarea, [role='combobox'], [role='listbox']";

/** @type {WeakMap<Element, { root: Element, gone: AbortController }>} */
const mounted = new WeakMap();

/** @param {Component<Union>} component */
export default function show({ parentElement, data }) {
  const { width, height, about } = data;
  const root = /** @type {Element} */ (parentElement.querySelector(".union"));
  root.replaceChildren(shape("svg",
    { width, height, role: "img", "aria-label": about, viewBox: `-4 -4 ${width} ${height}` },
    ...data.edges.map(drawEdge), ...data.nodes.map(drawNode)));
  return endOf(mounted.get(root) ?? mount(root));
}

/** @param {Element} root */
function mount(root) {
  const view = { root, gone: new AbortController() };
  mounted.set(root, view);
  document.addEventListener("keydown", pressed, { capture: true, signal: view.gone.signal });
  return view;
}

/** A digit ticks a difference, arrows lead on from it, and r leads to the reason.
 * @param {KeyboardEvent} event */
function pressed(event) {
  const form = document.querySelector(FORM);
  const here = document.activeElement ?? document.body;
  if (!form || isWithModifier(event) || here.closest(WRITTEN)) return;
  const boxes = /** @type {HTMLElement[]} */ ([...form.querySelectorAll("input[type='checkbox']")]);
  const led = pickFor(boxes, /** @type {HTMLElement} */ (here), event.key);
  const wanted = event.key === "r" ? form.querySelector("input[type='text']") : led;
  if (!wanted) return;
  finish(event);
  /** @type {HTMLElement} */ (wanted).focus();
  if (/^\d$/.test(event.key)) /** @type {HTMLElement} */ (wanted).click();
}

/** Gives what a key leads to among the boxes; nothing where it has no meaning there.
 * @template Box @param {readonly Box[]} boxes @param {Box} here @param {string} key */
export function pickFor(boxes, here, key) {
  if (/^[1-9]$/.test(key)) return boxes[Number(key) - 1];
  return boxes.includes(here) ? leadsTo(boxes, here, key) : undefined;
}

/** @param {UnionEdge} edge */
function drawEdge({ mark, path, head, role, label: [x, y] }) {
  return shape("g", { class: mark }, shape("path", { d: path }), shape("polygon", { points: head }),
    shape("text", { x, y, class: "role" }, role));
}

/** @param {UnionNode} node */
function drawNode({ mark, label, shown, x, y, w, h }) {
  const rx = mark.includes("constant") ? 3 : 9;
  return shape("g", { class: mark }, shape("rect", { x: x - w / 2, y: y - h / 2, width: w, height: h, rx }),
    shape("text", { x, y, class: "" }, shown, shape("title", label)));
}
