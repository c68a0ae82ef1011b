// The outbox: messages with numbers, kept in the browser's storage until the page acknowledges
// them. A tab has a name of its own, so that two tabs of one person are two writers; messages
// of a tab that is gone are taken over, so that a closed or killed browser loses nothing.

import { drawEditor } from "./draw.js";
import { tellEditor } from "./edit.js";
import { drawAlarm } from "./side.js";
import { say } from "../shared/elements.js";

const BOX = "aptamr.correct.outbox.";
const TAB = "aptamr.correct.tab";
const LOCK = "aptamr.correct.lock.";
const RESEND = 2500; // milliseconds without an answer before all is sent again; then ever longer
const LONGEST = 12000;
const LATE = 1500; // milliseconds after which the page says that it waits
const ASKS = new Set(["offers", "check", "suggest", "go", "tidy", "read"]); // not kept: they change nothing
const REPLACED = new Set(["offers", "check", "read"]); // only the newest of these is of use
const STAYS = new Set(["undo", "redo", "flag", "comment", "confirm", "dismiss", "draft", ...ASKS]);

export function mountOutbox(view) {
  view.box = {
    tab: "", number: 0, messages: [], held: [], tries: 0, wait: RESEND, timer: 0, late: 0, isKept: true,
    isRead: false,
  };
  nameTab(view).then((tab) => {
    view.box.tab = tab;
    takeOver(view, tab).then(() => {
      for (const message of view.box.messages) message.tab = message.tab || tab;
      view.box.isRead = true;
      keep(view);
      flush(view);
      if (view.data) drawEditor(view);
      if (view.data) drawAlarm(view);
    });
  });
}

export function leaveOutbox(view) {
  clearTimeout(view.box.timer);
  clearTimeout(view.box.late);
}

export function randomName() {
  const numbers = crypto.getRandomValues(new Uint32Array(4));
  return [...numbers].map((number) => number.toString(16).padStart(8, "0")).join("");
}

// A tab keeps its name over a reload. A duplicated tab gets a copy of it, and finds it taken.
// The name is the document's, since the editor may be mounted anew, from a module read anew.
function nameTab(view) {
  globalThis[TAB] = globalThis[TAB] || findName(view);
  return globalThis[TAB];
}

async function findName(view) {
  let name = "";
  try {
    name = sessionStorage.getItem(TAB) || "";
  } catch {
    view.box.isKept = false;
  }
  if (!name || !(await takeLock(name))) {
    name = randomName();
    await takeLock(name);
  }
  try {
    sessionStorage.setItem(TAB, name);
  } catch {
    view.box.isKept = false;
  }
  return name;
}

// Holds a name for as long as the document lives; tells whether it was free.
function takeLock(name) {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((decide) => {
    navigator.locks.request(LOCK + name, { ifAvailable: true }, (lock) => {
      decide(Boolean(lock));
      return lock ? new Promise(() => {}) : null;
    }).catch(() => decide(true));
  });
}

// Reads what this tab had left, and what tabs that are gone had left.
async function takeOver(view, own) {
  let names = [];
  try {
    names = Object.keys(localStorage).filter((key) => key.startsWith(BOX));
  } catch {
    view.box.isKept = false;
    return;
  }
  const locks = navigator.locks ? await navigator.locks.query() : { held: [] };
  const alive = new Set(locks.held.map((lock) => lock.name));
  for (const key of names) {
    const tab = key.slice(BOX.length);
    if (tab !== own && (!navigator.locks || alive.has(LOCK + tab))) continue;
    readBox(view, key, tab !== own);
  }
}

function readBox(view, key, isOrphan) {
  const { box } = view;
  let kept = null;
  try {
    kept = JSON.parse(localStorage.getItem(key));
    if (isOrphan) localStorage.removeItem(key);
  } catch {
    return;
  }
  if (!kept || !Array.isArray(kept.messages)) return;
  if (!isOrphan) box.number = Math.max(box.number, kept.number || 0);
  const fresh = box.messages;
  box.messages = [];
  for (const message of [...kept.messages, ...fresh]) {
    box.number += 1;
    box.messages.push({ ...message, number: box.number });
  }
  box.held.push(...(kept.held || []));
}

export function keep(view) {
  const { box } = view;
  if (!box.isRead) return; // or what is kept there would be lost
  const messages = box.messages.filter((message) => !ASKS.has(message.what.do));
  try {
    if (messages.length || box.held.length) {
      const text = JSON.stringify({ number: box.number, messages, held: box.held });
      localStorage.setItem(BOX + box.tab, text);
    } else {
      localStorage.removeItem(BOX + box.tab);
    }
  } catch {
    box.isKept = false;
  }
}

// Sends a message. `base` is the revision that the person saw when beginning the gesture.
export function post(view, what, base) {
  const { box, data } = view;
  box.number += 1;
  const message = {
    number: box.number,
    id: randomName(),
    tab: box.tab,
    person: data.person,
    sentence: data.sentence.id,
    base: base ?? data.sentence.revision,
    what,
  };
  if (REPLACED.has(what.do)) box.messages = box.messages.filter((one) => one.what.do !== what.do);
  box.messages.push(message);
  box.wait = RESEND;
  const isStaying = STAYS.has(what.do) || (what.do === "gesture"
    && ["rename", "align"].includes(what.gesture.kind));
  if (!isStaying || (what.do === "go")) view.waiting = message.number;
  keep(view);
  flush(view);
  drawSaved(view);
  return message.number;
}

export function flush(view) {
  const { box } = view;
  clearTimeout(box.timer);
  if (!box.isRead || !box.messages.length) return;
  box.tries += 1;
  try {
    view.transmit({ tries: box.tries, messages: box.messages });
  } catch {
    // The server cannot be reached now: the messages stay, and are sent again.
  }
  box.timer = setTimeout(() => flush(view), box.wait);
  box.wait = Math.min(LONGEST, box.wait * 1.6); // a slow server is not to be made slower
}

// Drops what the page has taken in. A message that met a conflict is held until it is decided.
export function acknowledge(view, data) {
  const { box } = view;
  box.number = Math.max(box.number, data.ack);
  const conflicts = new Map(data.conflicts.map((conflict) => [conflict.id, conflict]));
  for (const message of box.messages) {
    const conflict = conflicts.get(message.id);
    const isHeld = box.held.some((held) => held.message.id === message.id);
    if (conflict && !isHeld) box.held.push({ message, conflict });
  }
  box.messages = box.messages.filter((message) => message.number > data.ack
    && !conflicts.has(message.id));
  keep(view);
  if (!box.messages.length) clearTimeout(box.timer);
  drawSaved(view);
}

export function drawSaved(view) {
  const { box } = view;
  const count = box.messages.filter((message) => !ASKS.has(message.what.do)).length;
  view.root.setAttribute("aria-busy", String(!box.isRead || box.messages.length > 0));
  clearTimeout(box.late);
  if (!box.isRead) {
    say(view.find(".saved"), ""); // what this browser still has is not known yet
    return;
  }
  const where = box.isKept ? "kept in this browser" : "this browser keeps nothing: leave it open";
  const saved = view.find(".saved");
  if (!count) {
    if (saved.classList.contains("late")) tellEditor(view, box.held.length ? "" : "All saved");
    saved.classList.remove("late");
    say(saved, "All saved");
  }
  if (count && !saved.classList.contains("late")) say(saved, "Saving");
  if (count) {
    box.late = setTimeout(() => {
      saved.classList.add("late");
      const noun = count === 1 ? "change waits" : "changes wait";
      const text = `${count} ${noun} for the server; ${where}`;
      if (saved.textContent !== text) tellEditor(view, text);
      say(saved, text);
    }, LATE);
  }
}
