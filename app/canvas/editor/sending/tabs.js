// A tab has a name of its own, so that two tabs of one person are two writers; the boxes of
// tabs that are gone are taken over, so that a closed or killed browser loses nothing.

import { randomName, takeKept } from "./outbox.js";
import { keepAs, namesKept, readKept } from "./storage.js";

export const BOX = "aptamr.correct.outbox.";
const TAB = "aptamr.correct.tab";
const LOCK = "aptamr.correct.lock.";

/** The document's, since the editor may be mounted anew, from a module read anew. */
const names = /** @type {Record<string, Promise<string> | undefined>} */ (/** @type {unknown} */ (globalThis));

/** Reads what this tab had left, and what tabs that are gone had left. @param {Box} box */
export async function openBox(box) {
  box.tab = await (names[TAB] ??= findName(box));
  const kept = namesKept(BOX);
  if (!kept) box.isKept = false;
  const alive = await tabsAlive();
  for (const name of kept ?? []) {
    const tab = name.slice(BOX.length);
    const isOrphan = tab !== box.tab;
    if (isOrphan && (!alive || alive.has(tab))) continue;
    takeKept(box, readKept(name), isOrphan);
    if (isOrphan) keepAs(name, null);
  }
  for (const message of box.messages) message.tab ||= box.tab;
  box.isRead = true;
}

/** Gives null where the browser does not say. */
async function tabsAlive() {
  if (!navigator.locks) return null;
  const { held } = await navigator.locks.query();
  return new Set(held?.map(({ name }) => name?.slice(LOCK.length)));
}

/** A tab keeps its name over a reload. A duplicated tab gets a copy of it, and finds it taken.
 * @param {Box} box */
async function findName(box) {
  let name = "";
  try {
    name = sessionStorage.getItem(TAB) ?? "";
  } catch {
    box.isKept = false;
  }
  if (!name || !(await takeLock(name))) {
    name = randomName();
    await takeLock(name);
  }
  try {
    sessionStorage.setItem(TAB, name);
  } catch {
    box.isKept = false;
  }
  return name;
}

/** Holds a name for as long as the document lives; tells whether it was free.
 * @param {string} name @returns {Promise<boolean>} */
function takeLock(name) {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((decide) => {
    navigator.locks.request(LOCK + name, { ifAvailable: true }, (lock) => {
      decide(Boolean(lock));
      return lock ? new Promise(() => {}) : null;
    }).catch(() => decide(true));
  });
}
