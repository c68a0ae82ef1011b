// What this browser keeps over reloads. One that keeps nothing is no error.

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
