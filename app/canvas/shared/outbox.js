// An outbox: messages with numbers that stay until the page acknowledges them, so that none is
// lost and none is taken twice.

/** @template Message @returns {Outbox<Message>} */
export function newOutbox() {
  return { number: 0, acked: 0, messages: [] };
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
