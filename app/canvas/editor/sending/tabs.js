// A tab has a name of its own, so that two tabs of one person are two writers; the boxes of
// tabs that are gone are taken over, so that a closed or killed browser loses nothing. Box, name
// and lock carry store and person: what belongs elsewhere stays where it is.

import { randomName, takeKept } from "./outbox.js";
import { keepAs, namesKept, readKept } from "../../shared/kept.js";

const BOX = "aptamr.correct.outbox.";
const TAB = "aptamr.correct.tab.";
const LOCK = "aptamr.correct.lock.";

/** The document's, since the editor may be mounted anew, from a module read anew. */
const names = /** @type {Record<string, Promise<string> | undefined>} */ (/** @type {unknown} */ (globalThis));

/** Reads what this tab had left, and what tabs that are gone had left. @param {Box} box */
export async function openBox(box) {
  const { scope } = box;
  box.tab = await (names[TAB + scope] ??= findName(box));
  const start = `${BOX}${scope}.`;
  const kept = namesKept(start);
  if (!kept) box.isKept = false;
  const alive = await tabsAlive(scope);
  for (const name of kept ?? []) {
    const tab = name.slice(start.length);
    const isOrphan = tab !== box.tab;
    if (isOrphan && (!alive || alive.has(tab))) continue;
    takeKept(box, readKept(name), isOrphan);
    if (isOrphan) keepAs(name, null);
  }
  for (const message of box.messages) message.tab ||= box.tab;
  box.isRead = true;
}

/** Gives the name under which a box is kept. @param {Box} box */
export function boxName({ scope, tab }) {
  return `${BOX}${scope}.${tab}`;
}

/** Counts what waits in this browser for others: by person of this store, and for other stores.
 * @param {string} store @param {string} person */
export function countElsewhere(store, person) {
  /** @type {Map<string, number>} */
  const people = new Map();
  let others = 0;
  for (const name of namesKept(BOX) ?? []) {
    const { messages = [], held = [] } = readKept(name) ?? {};
    const count = messages.length + held.length;
    const [owner, ...rest] = name.slice(BOX.length).split(".");
    const who = decodeURIComponent(rest.slice(0, -1).join("."));
    if (owner !== store) others += count;
    else if (who !== person && count) people.set(who, (people.get(who) ?? 0) + count);
  }
  return { people: [...people], others };
}

/** Gives null where the browser does not say. @param {string} scope */
async function tabsAlive(scope) {
  if (!navigator.locks) return null;
  const start = `${LOCK}${scope}.`;
  const { held } = await navigator.locks.query();
  return new Set(held?.map(({ name }) => name?.slice(start.length)));
}

/** A tab keeps its name over a reload. A duplicated tab gets a copy of it, and finds it taken.
 * @param {Box} box */
async function findName(box) {
  let name = "";
  try {
    name = sessionStorage.getItem(TAB + box.scope) ?? "";
  } catch {
    box.isKept = false;
  }
  if (!name || !(await takeLock(box.scope, name))) {
    name = randomName();
    await takeLock(box.scope, name);
  }
  try {
    sessionStorage.setItem(TAB + box.scope, name);
  } catch {
    box.isKept = false;
  }
  return name;
}

/** Holds a name for as long as the document lives; tells whether it was free.
 * @param {string} scope @param {string} name @returns {Promise<boolean>} */
function takeLock(scope, name) {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((decide) => {
    navigator.locks.request(`${LOCK}${scope}.${name}`, { ifAvailable: true }, (lock) => {
      decide(Boolean(lock));
      return lock ? new Promise(() => {}) : null;
    }).catch(() => decide(true));
  });
}
