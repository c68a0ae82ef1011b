// Outboxes: numbering, acknowledgement, what is kept, sent again, held and taken over.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  addMessage, changesIn, decideHeld, heldOn, isAwaited, keptOf, newBox, nextTry, takeAnswer, takeKept,
} from "../../../app/canvas/editor/sending/outbox.js";
import { acknowledge, newOutbox, put, sendUntilTaken } from "../../../app/canvas/shared/outbox.js";

const message = (what) => ({ person: "ann", sentence: 7, base: 3, what });
const numbers = (box) => box.messages.map(({ number }) => number);

test("messages are numbered on, and stay until they are acknowledged", () => {
  const box = newOutbox();
  assert.deepEqual(put(box, { verb: "act" }), { verb: "act", number: 1 });
  put(box, { verb: "run" });
  assert.equal(acknowledge(box, 1), true);
  assert.deepEqual(numbers(box), [2]);
  assert.equal(acknowledge(box, 1), false);
  assert.deepEqual(numbers(box), [2]);
});

test("numbers go on after those that the page has seen, as after a reload", () => {
  const box = newOutbox();
  acknowledge(box, 12);
  assert.equal(put(box, {}).number, 13);
});

test("what was sent is not changed by what comes later", () => {
  const box = newOutbox();
  put(box, { verb: "act" });
  const sent = box.messages;
  put(box, { verb: "run" });
  assert.equal(sent.length, 1);
});

test("each message of the editor has a name of its own, and the name of its tab", () => {
  const box = { ...newBox(), tab: "here" };
  const one = addMessage(box, message({ do: "undo" }));
  const two = addMessage(box, message({ do: "undo" }));
  assert.match(one.id, /^[0-9a-f]{32}$/);
  assert.notEqual(one.id, two.id);
  assert.equal(two.tab, "here");
});

test("only the newest question for completions is sent", () => {
  const box = newBox();
  addMessage(box, message({ do: "offers", typed: "w" }));
  addMessage(box, message({ do: "undo" }));
  addMessage(box, message({ do: "offers", typed: "wa" }));
  assert.deepEqual(box.messages.map(({ what }) => what.typed ?? what.do), ["undo", "wa"]);
  assert.deepEqual(numbers(box), [2, 3]);
});

test("questions are no changes: they are not counted, nor kept", () => {
  const box = newBox();
  addMessage(box, message({ do: "suggest" }));
  assert.deepEqual(changesIn(box), []);
  assert.equal(keptOf(box), null);
  addMessage(box, message({ do: "accept" }));
  assert.deepEqual(keptOf(box).messages.map(({ what }) => what.do), ["accept"]);
});

test("keys wait for what may lead elsewhere, and for no more", () => {
  const merge = { do: "gesture", gesture: { kind: "merge" } };
  const rename = { do: "gesture", gesture: { kind: "rename" } };
  for (const what of [{ do: "accept" }, { do: "go", way: 1 }, { do: "show" }, merge]) {
    assert.equal(isAwaited(what), true, what.do);
  }
  for (const what of [{ do: "undo" }, { do: "check" }, { do: "write" }, rename]) {
    assert.equal(isAwaited(what), false, what.do);
  }
});

test("each try waits longer than the one before, up to twelve seconds, until something is new", () => {
  const box = newBox();
  addMessage(box, message({ do: "undo" }));
  const waits = Array.from({ length: 6 }, () => nextTry(box).wait);
  assert.deepEqual(waits.slice(0, 3), [2500, 4000, 6400]);
  assert.equal(waits.at(-1), 12000);
  addMessage(box, message({ do: "undo" }));
  const { sent, wait } = nextTry(box);
  assert.equal(wait, 2500);
  assert.equal(sent.tries, 7);
  assert.deepEqual(sent.messages.map(({ number }) => number), [1, 2]);
});

test("a message that met a conflict is held, once, and the others go on", () => {
  const box = newBox();
  const one = addMessage(box, message({ do: "accept" }));
  addMessage(box, message({ do: "undo" }));
  const conflict = { id: one.id, revision: 9 };
  takeAnswer(box, 1, [conflict]);
  takeAnswer(box, 1, [conflict]);
  assert.deepEqual(numbers(box), [2]);
  assert.deepEqual(box.held, [{ message: one, conflict }]);
});

test("a held message is sent again under a new name, or dropped", () => {
  const box = { ...newBox(), tab: "here" };
  const one = addMessage(box, message({ do: "accept" }));
  takeAnswer(box, 1, [{ id: one.id, revision: 9 }]);
  decideHeld(box, 7, ({ conflict }) => conflict.revision);
  assert.deepEqual(box.held, []);
  assert.equal(box.messages[0].number, 2);
  assert.equal(box.messages[0].base, 9);
  assert.notEqual(box.messages[0].id, one.id);
  takeAnswer(box, 2, []);
  assert.equal(decideHeld(box, 7, null), undefined);
});

test("a decision on one sentence takes nothing that is held on another", () => {
  const box = newBox();
  const [one, two] = [7, 8].map((sentence) => addMessage(box, { ...message({ do: "accept" }), sentence }));
  takeAnswer(box, 2, [one, two].map(({ id }) => ({ id, revision: 9 })));
  assert.equal(decideHeld(box, 9, null), undefined);
  assert.equal(decideHeld(box, 8, null).message.id, two.id);
  assert.deepEqual(heldOn(box, 7).map(({ message: { id } }) => id), [one.id]);
});

test("what was kept comes before what is new, and goes on after its own numbers", () => {
  const box = newBox();
  addMessage(box, message({ do: "skip" }));
  takeKept(box, { number: 20, messages: [{ ...message({ do: "accept" }), number: 20 }], held: [] }, false);
  assert.deepEqual(box.messages.map(({ number, what }) => [number, what.do]), [[21, "accept"], [22, "skip"]]);
});

test("the messages of a tab that is gone get numbers of this one", () => {
  const box = newBox();
  takeKept(box, { number: 90, messages: [{ ...message({ do: "accept" }), id: "same", number: 90 }] }, true);
  assert.deepEqual(numbers(box), [1]);
  assert.equal(box.messages[0].id, "same");
});

test("what was kept and is damaged is passed over", () => {
  const box = newBox();
  for (const kept of [null, 3, {}, { messages: "none" }]) takeKept(box, kept, true);
  assert.deepEqual(box.messages, []);
});

test("what is lost on its way is sent again, ever more seldom, until it is acknowledged", ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const box = newOutbox();
  const sent = [];
  const { signal } = new AbortController();
  put(box, { verb: "act" });
  sendUntilTaken(box, () => {
    sent.push([box.tries, numbers(box)]);
    throw new Error("the server cannot be reached");
  }, signal);
  mock.timers.tick(8999);
  assert.deepEqual(sent, [[1, [1]]]);
  mock.timers.tick(1);
  mock.timers.tick(11_000);
  assert.equal(sent.length, 2);
  mock.timers.tick(1000);
  assert.deepEqual(sent.map(([tries]) => tries), [1, 2, 3]);
  acknowledge(box, 1);
  mock.timers.tick(60_000);
  assert.equal(sent.length, 3);
});

test("what comes meanwhile is sent at once, and a view that has ended sends nothing more", ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const box = newOutbox();
  const sent = [];
  const gone = new AbortController();
  for (const verb of ["act", "run"]) {
    put(box, { verb });
    sendUntilTaken(box, () => sent.push(numbers(box)), gone.signal);
  }
  assert.deepEqual(sent, [[1], [1, 2]]);
  mock.timers.tick(9000);
  assert.deepEqual(sent, [[1], [1, 2], [1, 2]]);
  gone.abort();
  mock.timers.tick(60_000);
  assert.equal(sent.length, 3);
});
