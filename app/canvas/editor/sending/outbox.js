// The messages of one tab: with numbers, until the page acknowledges them. One that met a
// conflict is held until a person decides.

import { acknowledge, LONGEST, newOutbox, put } from "../../shared/outbox.js";

const RESEND = 2500; // milliseconds without an answer before all is sent again; then ever longer
// Not kept: they change nothing.
const ASKS = new Set(["offers", "check", "suggest", "go", "show", "tidy", "read", "write"]);
const REPLACED = new Set(["offers", "check", "read", "write"]); // only the newest of these is of use
const STAYS = new Set(["undo", "redo", "flag", "comment", "confirm", "dismiss", "draft", ...ASKS]);

const LEADS = new Set(["go", "show"]); // asks after which another part is chosen

/** @param {string} scope  Of which store and person: see storage.js. @returns {Box} */
export function newBox(scope = "") {
  return {
    ...newOutbox(), scope, tab: "", held: [], wait: RESEND, late: 0, isKept: true, isRead: false,
  };
}

export function randomName() {
  const numbers = crypto.getRandomValues(new Uint32Array(4));
  return [...numbers].map((number) => number.toString(16).padStart(8, "0")).join("");
}

/** @param {Box} box @param {Omit<Message, "id" | "tab">} message */
export function addMessage(box, message) {
  const { what } = message;
  if (REPLACED.has(what.do)) box.messages = box.messages.filter((one) => one.what.do !== what.do);
  box.wait = RESEND;
  return put(box, { ...message, id: randomName(), tab: box.tab });
}

/** Tells whether the meaning of the next key depends on the answer. @param {What} what */
export function isAwaited(what) {
  if (what.do === "gesture") return !["rename", "align"].includes(what.gesture?.kind ?? "");
  return LEADS.has(what.do) || !STAYS.has(what.do);
}

/** Tells whether the graph may be another after a message. @param {What} what */
export function changesGraph(what) {
  return ["gesture", "undo", "redo"].includes(what.do);
}

/** Gives the messages that change something. @param {Box} box */
export function changesIn(box) {
  return box.messages.filter((message) => !ASKS.has(message.what.do));
}

/** Gives all that is to be sent now, and waits longer for the next time: a slow server is not
 * to be made slower. @param {Box} box */
export function nextTry(box) {
  box.tries += 1;
  const { messages, tries, wait } = box;
  box.wait = Math.min(LONGEST, wait * 1.6);
  return { sent: { tries, messages }, wait };
}

/** Drops what the page has taken in, and holds what met a conflict.
 * @param {Box} box @param {number} ack @param {readonly Conflict[]} conflicts */
export function takeAnswer(box, ack, conflicts) {
  const byId = new Map(conflicts.map((conflict) => [conflict.id, conflict]));
  for (const message of box.messages) {
    const conflict = byId.get(message.id);
    const isHeld = box.held.some((held) => held.message.id === message.id);
    if (conflict && !isHeld) box.held.push({ message, conflict });
  }
  acknowledge(box, ack);
  box.messages = box.messages.filter((message) => !byId.has(message.id));
}

/** Takes in what was kept, before what is new; the messages of a tab that is gone get numbers of this one.
 * @param {Box} box @param {any} kept  As it was read. @param {boolean} isOrphan */
export function takeKept(box, kept, isOrphan) {
  if (!Array.isArray(kept?.messages)) return;
  if (!isOrphan) box.number = Math.max(box.number, kept.number || 0);
  const all = [...kept.messages, ...box.messages];
  box.messages = [];
  for (const message of all) put(box, message);
  box.held.push(...(kept.held ?? []));
}

/** Gives what waits for a decision on a sentence. @param {Box} box @param {number} sentence */
export function heldOn(box, sentence) {
  return box.held.filter(({ message }) => message.sentence === sentence);
}

/** Takes the first message that is held on a sentence, and sends it again as if it began at a
 * revision, or drops it.
 * @param {Box} box @param {number} sentence @param {((held: Held) => number) | null} base */
export function decideHeld(box, sentence, base) {
  const [held] = heldOn(box, sentence);
  box.held = box.held.filter((one) => one !== held);
  if (held && base) put(box, { ...held.message, id: randomName(), tab: box.tab, base: base(held) });
  return held;
}

/** Gives what is kept of a box; null where that is nothing. @param {Box} box */
export function keptOf(box) {
  const messages = changesIn(box);
  return messages.length || box.held.length ? { number: box.number, messages, held: box.held } : null;
}
