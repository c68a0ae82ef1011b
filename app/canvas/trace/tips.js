// Terms explained where they stand: a heading that is one opens its meaning, as the terms of a lesson do.

import { make, makeButton, say } from "../shared/elements.js";
import { holderOf } from "../shared/keys.js";

/** Headings by their text, and the term that each is. @type {Record<string, string>} */
const TERM_OF = {
  "Actions": "action", "Graph so far": "graph", "Pointer": "pointer", "Cross-attention": "cross-attention",
  "Legal now": "legal", "Triples so far": "triple", "Finished graph (PENMAN)": "PENMAN",
};

/** @param {View} view @param {Record<string, string> | undefined} terms  None where nothing is explained. */
export function showTips(view, terms) {
  if (!terms) return;
  if (!view.root.querySelector(".term")) mountTips(view, terms);
  for (const kind of /** @type {NodeListOf<HTMLElement>} */ (view.root.querySelectorAll(".legal .kind"))) {
    kind.title = meaningOf(terms, kind.textContent ?? "");
  }
}

/** Gives what a kind of action means, as `COPY(place)` is one of COPY where it has no entry of its own.
 * @param {Record<string, string>} terms @param {string} kind */
export function meaningOf(terms, kind) {
  return terms[kind] ?? terms[kind.split("(")[0]] ?? "";
}

/** @param {View} view @param {Record<string, string>} terms */
function mountTips({ find, root, signal }, terms) {
  find(".entropy").title = terms.entropy;
  const meaning = make("p", "meaning", { role: "status" });
  for (const heading of root.querySelectorAll(":is(h3, h4)")) {
    const text = heading.textContent ?? "";
    const term = TERM_OF[text];
    if (!term) continue;
    heading.replaceChildren(
      makeButton("term", { "title": terms[term], "data-term": term, "aria-expanded": false }, text));
  }
  root.addEventListener("click", (event) => {
    const button = holderOf(event, ".term");
    if (!button) return;
    const isOpen = button.getAttribute("aria-expanded") === "true";
    for (const other of root.querySelectorAll(".term")) other.setAttribute("aria-expanded", "false");
    button.setAttribute("aria-expanded", String(!isOpen));
    (button.closest(".head") ?? button.parentElement)?.after(meaning);
    say(meaning, isOpen ? "" : `${button.dataset.term}: ${terms[button.dataset.term ?? ""]}`);
  }, { signal });
}
