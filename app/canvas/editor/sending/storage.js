// What this browser keeps over reloads. One that keeps nothing is no error.

const TEXT = "aptamr.correct.text.";

/** Gives what every name carries: nothing of one store, or of one person, is found under another.
 * @param {{ store: string, person: string }} data */
export function scopeOf({ store, person }) {
  return `${store}.${encodeURIComponent(person)}`;
}

/** Gives what is kept under a name; null where nothing is. @param {string} name */
export function readKept(name) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

/** Keeps a value under a name; null forgets it. Tells whether the browser keeps things.
 * @param {string} name @param {unknown} value */
export function keepAs(name, value) {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Gives the names under which something is kept; null where the browser keeps nothing. @param {string} start */
export function namesKept(start) {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(start));
  } catch {
    return null;
  }
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
