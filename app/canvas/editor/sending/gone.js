// Streamlit says in a dialog that its server is gone, and takes every key for the dialog. The editor
// says so itself and keeps what is done: the dialog is closed, and the focus is again where it was.

import { targetOf } from "../../shared/keys.js";

const DIALOG = "[data-testid=stDialog]";
const TITLE = "Connection error";

/** @param {Editor} view */
export function keepFocus({ root, signal }) {
  /** @type {HTMLElement | null} */
  let left = null;
  root.addEventListener("focusout", (event) => {
    const next = /** @type {Element | null} */ (event.relatedTarget);
    left = next?.closest(DIALOG) ? targetOf(event) : null;
  }, { signal });
  const watch = new MutationObserver((changes) => {
    for (const { addedNodes, removedNodes } of changes) {
      for (const node of addedNodes) closeDialog(node);
      if (![...removedNodes].some(isDialog)) continue;
      left?.focus();
      left = null;
    }
  });
  watch.observe(document.body, { childList: true });
  signal.addEventListener("abort", () => watch.disconnect());
}

/** @param {Node} node @returns {node is HTMLElement} */
function isDialog(node) {
  return node instanceof HTMLElement && node.matches(DIALOG);
}

/** @param {Node} node */
function closeDialog(node) {
  if (!isDialog(node) || node.querySelector("h2")?.textContent !== TITLE) return;
  /** @type {HTMLElement | null} */ (node.querySelector("[aria-label=Close]"))?.click();
}
