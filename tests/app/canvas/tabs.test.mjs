// Boxes in the browser: each store and person has its own, and all others wait.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { keepKeymap, keysAsTheyCame, readKeymap } from "../../../app/canvas/editor/keymap.js";
import { addMessage, keptOf, newBox } from "../../../app/canvas/editor/sending/outbox.js";
import { keepText, keptText, scopeOf } from "../../../app/canvas/editor/sending/storage.js";
import { boxName, countElsewhere, openBox } from "../../../app/canvas/editor/sending/tabs.js";
import { keepAs } from "../../../app/canvas/shared/kept.js";

const ada = scopeOf({ store: "a", person: "Ada" });

beforeEach(() => {
  for (const name of ["localStorage", "sessionStorage"]) {
    const kept = {};
    const methods = {
      getItem: (key) => kept[key] ?? null,
      setItem: (key, value) => { kept[key] = value; },
      removeItem: (key) => { delete kept[key]; },
    };
    for (const [key, value] of Object.entries(methods)) {
      Object.defineProperty(kept, key, { value, enumerable: false });
    }
    Object.defineProperty(globalThis, name, { value: kept, configurable: true });
  }
});

function keepOne(scope, tab) {
  const box = { ...newBox(scope), tab };
  addMessage(box, { sentence: 1, what: { do: "accept" } });
  keepAs(boxName(box), keptOf(box));
}

test("a box opens what its store and person left, and nothing else", async () => {
  keepOne(ada, "gone");
  keepOne(scopeOf({ store: "a", person: "Bea. L" }), "gone");
  keepOne(scopeOf({ store: "b", person: "Ada" }), "gone");
  keepAs("aptamr.correct.outbox.old", { number: 1, messages: [{}], held: [] });
  assert.deepEqual(countElsewhere("a", "Ada"), { people: [["Bea. L", 1]], others: 2 });
  Object.defineProperty(globalThis, "navigator", {
    value: { locks: { query: async () => ({ held: [] }), request: async (_, __, take) => take({}) } },
    configurable: true,
  });
  const box = newBox(ada);
  await openBox(box);
  assert.equal(box.messages.length, 1);
  assert.deepEqual(countElsewhere("a", "Ada"), { people: [["Bea. L", 1]], others: 2 });
});

test("a text is found again under its store, person and sentence alone", () => {
  const data = { store: "a", person: "Ada", sentence: { id: 7 } };
  keepText(data, "(b / boy");
  assert.equal(keptText(data), "(b / boy");
  for (const other of [{ store: "b" }, { person: "Bea" }, { sentence: { id: 8 } }]) {
    assert.equal(keptText({ ...data, ...other }), undefined);
  }
});

test("keys that one person gave to acts are nobody else's, and of no other store", () => {
  const own = { ...keysAsTheyCame(), accept: "ö" };
  assert.equal(keepKeymap(own, ada), true);
  assert.deepEqual(readKeymap(ada), own);
  assert.deepEqual(readKeymap(scopeOf({ store: "a", person: "Bea" })), keysAsTheyCame());
  assert.deepEqual(readKeymap(scopeOf({ store: "b", person: "Ada" })), keysAsTheyCame());
});
