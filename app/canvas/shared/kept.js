// What this browser, or a tab of it, keeps over reloads. One that keeps nothing is no error.

/** @typedef {"localStorage" | "sessionStorage"} Store  The second is the tab's. */

/** Gives what is kept under a name; null where nothing is. @param {string} name @param {Store} [store] */
export function readKept(name, store = "localStorage") {
  try {
    return JSON.parse(globalThis[store].getItem(name) ?? "null");
  } catch {
    return null;
  }
}

/** Keeps a value under a name; null forgets it. Tells whether the browser keeps things.
 * @param {string} name @param {unknown} value @param {Store} [store] */
export function keepAs(name, value, store = "localStorage") {
  try {
    if (value === null) globalThis[store].removeItem(name);
    else globalThis[store].setItem(name, JSON.stringify(value));
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
