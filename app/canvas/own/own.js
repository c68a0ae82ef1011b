// What a browser keeps by itself: the pace of playing, and the keys of the Correct page.

import { finderIn, say } from "../shared/elements.js";
import { keepAs, readKept } from "../shared/kept.js";
import { PACE, STILL } from "../shared/pace.js";
import { changedKeys, keepKeymap, keysAsTheyCame, readKeymap } from "../editor/keymap.js";
import { scopeOf } from "../editor/sending/storage.js";

/** @param {Component<Own>} component */
export default function show({ parentElement, data }) {
  const root = /** @type {HTMLElement} */ (parentElement.querySelector(".own"));
  const find = finderIn(root);
  const pace = find(".pace", "select");
  const plays = find(".plays", "input");
  const kept = readKept(PACE);
  if ([...pace.options].some(({ value }) => value === kept)) pace.value = kept;
  plays.checked = !readKept(STILL);
  /** @param {boolean} isKept */
  const tell = (isKept) => say(find(".told"), isKept ? "Kept in this browser." : "This browser keeps nothing.");
  pace.onchange = () => tell(keepAs(PACE, pace.value));
  plays.onchange = () => tell(keepAs(STILL, plays.checked ? null : true));
  const scope = data.person ? scopeOf(data) : "";
  drawKeys(root, scope);
  find(".reset").onclick = () => {
    tell(keepKeymap(keysAsTheyCame(), scope));
    drawKeys(root, scope);
    find(".pace").focus(); // the button is gone
  };
}

/** @param {HTMLElement} root @param {string} scope */
function drawKeys(root, scope) {
  const find = finderIn(root);
  const changed = scope ? changedKeys(readKeymap(scope)) : [];
  find(".reset").hidden = !changed.length;
  say(find(".changed"), changed.length
    ? `Your keys on Correct: ${changed.map(([key, what]) => `${key} to ${what}`).join("; ")}.`
    : "Keys on Correct: as they came. Press ? there to give others.");
}
