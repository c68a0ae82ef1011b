// The names under which a browser keeps what belongs to a store and a person, and the texts.

import { keepAs, readKept } from "../../shared/kept.js";

const TEXT = "aptamr.correct.text.";

/** Gives what every name carries: nothing of one store, or of one person, is found under another.
 * @param {{ store: string, person: string }} data */
export function scopeOf({ store, person }) {
  return `${store}.${encodeURIComponent(person)}`;
}

/** What is typed as text stays in the browser until it is on disk, over reloads too; null forgets it.
 * @param {Edited} data @param {string | null} text */
export function keepText(data, text) {
  keepAs(textName(data), text);
}

/** @param {Edited} data @returns {string | undefined} */
export function keptText(data) {
  return readKept(textName(data)) ?? undefined;
}

/** @param {Edited} data */
function textName(data) {
  return `${TEXT}${scopeOf(data)}.${data.sentence.id}`;
}

/** Gives a text that is kept here and not on disk. @param {Edited} data */
export function unsavedText(data) {
  const text = keptText(data);
  return text === data.draft || text === data.penman ? undefined : text;
}
