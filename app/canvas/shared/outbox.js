// An outbox: messages with numbers that stay until the page acknowledges them, so that none is
// lost and none is taken twice.

// Milliseconds without an answer before all is sent again; then ever longer. What is sent again
// may end what is still being worked out, so a busy server is given time.
const AGAIN = 9000;
export const LONGEST = 12000;

/** @template Message @returns {Outbox<Message>} */
export function newOutbox() {
  return { number: 0, acked: 0, messages: [], tries: 0, timer: 0 };
}

/** @template Message @param {Outbox<Message>} box @param {Message} message */
export function put(box, message) {
  box.number += 1;
  const numbered = { ...message, number: box.number };
  box.messages = [...box.messages, numbered];
  return numbered;
}

/** Drops what the page has taken; tells whether it took anything since it was last asked.
 * @param {Outbox<any>} box @param {number} ack */
export function acknowledge(box, ack) {
  const isNew = ack > box.acked;
  box.acked = Math.max(box.acked, ack);
  box.number = Math.max(box.number, ack);
  box.messages = box.messages.filter((message) => message.number > ack);
  return isNew;
}

/** Sends what is not acknowledged, again and again until it is: what is on its way when a connection
 * breaks is lost. @param {Outbox<any>} box @param {() => void} transmit  Each time another value, by
 * the box's `tries`. @param {AbortSignal} signal  Ends it. @param {number} [wait] */
export function sendUntilTaken(box, transmit, signal, wait = AGAIN) {
  clearTimeout(box.timer);
  if (signal.aborted || !box.messages.length) return;
  box.tries += 1;
  const longer = Math.min(LONGEST, wait * 1.6);
  box.timer = setTimeout(() => sendUntilTaken(box, transmit, signal, longer), wait);
  try {
    transmit();
  } catch {
    // The server cannot be reached now: the messages stay, and are sent again.
  }
}
