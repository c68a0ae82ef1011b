// How many of the doubtful parts are marked: a share of all parts, those of the least probability.

import { keepAs, readKept } from "../../shared/kept.js";

const KEPT_SHARE = "aptamr.correct.doubts";
/** Which share of the parts is marked at most, those the parser is least sure of, and how it is
 * called. @type {[percent: number, name: string][]} */
const SHARES = [[25, "least sure 25 %"], [10, "least sure 10 %"], [100, "all below 0.5"], [0, "none"]];

/** @param {number} share */
export function shareName(share) {
  return SHARES.find(([percent]) => percent === share)?.[1] ?? "";
}

/** Gives the share that this browser keeps. */
export function keptShare() {
  const kept = readKept(KEPT_SHARE);
  return SHARES.some(([percent]) => percent === kept) ? kept : SHARES[0][0];
}

/** Gives the share after one, and lets the browser keep it. @param {number} share */
export function shareAfter(share) {
  const place = SHARES.findIndex(([percent]) => percent === share);
  const [next] = SHARES[(place + 1) % SHARES.length];
  keepAs(KEPT_SHARE, next);
  return next;
}

/** Leaves the doubt at the parts that the parser is least sure of, and takes it from others.
 * @template {Parts} P @param {P} parts @param {number} share  Percent of all parts. @returns {P} */
export function withShare(parts, share) {
  const all = [...parts.nodes, ...parts.edges];
  const doubts = doubtsOf(parts).sort((one, other) => one - other);
  const most = Math.ceil((all.length * share) / 100);
  if (doubts.length <= most) return parts;
  const highest = most ? doubts[most - 1] : -1;
  /** @template {Marked} M @param {M} part @returns {M} */
  const marked = (part) => ((part.doubt ?? 0) > highest ? { ...part, doubt: undefined } : part);
  return { ...parts, nodes: parts.nodes.map(marked), edges: parts.edges.map(marked) };
}

/** Gives how sure the parser is of each part that it doubts, in thousandths. @param {Parts} parts */
export function doubtsOf({ nodes, edges }) {
  return [...nodes, ...edges].flatMap(({ doubt }) => (doubt === undefined ? [] : [doubt]));
}
