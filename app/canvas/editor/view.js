// The view of one graph that is edited: what the page sent, what is chosen, what is under way.

import { finderIn } from "../shared/elements.js";
import { focusedIn } from "../shared/keys.js";
import { keysAsTheyCame } from "./keymap.js";
import { keptShare } from "./panels/share.js";
import { newBox } from "./sending/outbox.js";

/** @param {HTMLElement} root @returns {Editor} */
export function newEditor(root) {
  const gone = new AbortController();
  return /** @type {Editor} */ (/** @type {Partial<Editor>} */ ({
    root, gone, signal: gone.signal, find: finderIn(root), transmit: () => {}, box: newBox(),
    keys: keysAsTheyCame(), keysOf: "", remapping: "", drawn: "", span: new Set(), mode: null, prompt: null,
    drag: null, waiting: 0, typed: [],
    leaving: 0, seen: 0, focusedFor: 0, asking: 0, checking: 0, isWriting: false,
    taking: null, asksText: false,
    share: keptShare(), seeksFault: false, faultLine: 0, problemAt: -1, shownHeld: "", wantsProposals: false,
  }));
}

/** @param {Editor} view @param {Element} element */
export function hasFocus(view, element) {
  return element.contains(focusedIn(view.root));
}
