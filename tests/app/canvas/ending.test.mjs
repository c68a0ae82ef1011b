// When a view ends: out of the page, and never while its component stands there.

import assert from "node:assert/strict";
import { test } from "node:test";

import { endOf } from "../../../app/canvas/shared/ending.js";

const viewIn = (root) => ({ root, gone: new AbortController() });

test("an end that is called while the component stands in the page ends nothing", () => {
  const view = viewIn({ isConnected: true });
  endOf(view)();
  assert.equal(view.gone.signal.aborted, false);
});

test("a view whose elements are out of the page ends, by the end of whichever drawing", () => {
  const root = { isConnected: true };
  const view = viewIn(root);
  const ends = [endOf(view), endOf(view)];
  root.isConnected = false;
  ends.forEach((end) => end());
  assert.equal(view.gone.signal.aborted, true);
});
