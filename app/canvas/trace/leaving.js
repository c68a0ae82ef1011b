// Where a person stood when a page was left: a step goes into the address after a pause only, and a
// reload may come before. The tab keeps it, for this address and trace.

import { keepAs, readKept } from "../shared/kept.js";

const LEFT = "aptamr.trace.left";

/** @type {{ href: string, key: string, step: number } | null | undefined} */
let left; // undefined until it is read

/** @param {View} view */
export function mountLeaving(view) {
  const keep = () =>
    keepAs(LEFT, { href: location.href, key: view.trace.key, step: view.step }, "sessionStorage");
  addEventListener("pagehide", keep, { signal: view.signal });
  document.addEventListener("visibilitychange", keep, { signal: view.signal }); // a phone may end it then
}

/** Gives the moment at which a trace was left, once; null where it was not. @param {string} key */
export function takeLeft(key) {
  if (left === undefined) left = readKept(LEFT, "sessionStorage");
  if (left?.key !== key || left.href !== location.href) return null;
  const { step } = left;
  left = null;
  return Number.isInteger(step) ? step : null;
}
