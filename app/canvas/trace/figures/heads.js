// Cross-attention: which layer and head shade the tokens, or their average.

import { fill, optionOf, say } from "../../shared/elements.js";
import { decimals } from "../../shared/numbers.js";
import { unpackPairs } from "../unpack.js";
import { drawShares, weigh } from "./shares.js";

const AVERAGE = -1; // over all layers and heads

/** @param {View} view */
export function buildHeads(view) {
  const { heads } = view.trace;
  const count = heads ? heads.layers * heads.heads : 0;
  const names = Array.from({ length: count }, (_, head) => headName(view, head));
  const select = view.find(".head-choice", "select");
  fill(select, ["average", ...names], (name, place) => optionOf(String(place - 1), `Attention: ${name}`));
  if (view.head >= count) view.head = AVERAGE;
  select.value = String(view.head);
  select.disabled = !count;
  select.title = count
    ? "Which cross-attention shades the tokens"
    : "This trace holds the average over layers and heads only";
}

/** @param {View} view @param {number} head @param {string} [layer] */
function headName({ trace }, head, layer = "layer") {
  const each = trace.heads?.heads ?? 1;
  return `${layer} ${Math.floor(head / each)}, head ${head % each}`;
}

/** Gives the weights that shade the tokens, and the weight that is not listed.
 * @param {View} view @param {Now} now @returns {[Pairs, number | null]} */
function attentionAt({ head, step, trace }, now) {
  if (head === AVERAGE || !trace.heads) return [now.attention, now.attentionRest];
  const length = 4 * trace.heads.kept;
  const packed = (trace.heads.weights[step] ?? "").slice(head * length, (head + 1) * length);
  const pairs = unpackPairs(packed).filter(([, weight]) => weight > 0);
  const listed = pairs.reduce((sum, [, weight]) => sum + weight, 0);
  return [pairs, packed ? Math.max(0, 1000 - listed) : null];
}

/** @param {View} view @param {Now} now */
export function drawAttention(view, now) {
  const [pairs, rest] = attentionAt(view, now);
  const weights = new Map(pairs);
  view.tokens.forEach((token, position) => {
    const weight = weights.get(position) ?? 0;
    weigh(token, weight);
    const title = weight ? `cross-attention ${decimals(weight)}` : "";
    if (token.title !== title) token.title = title;
  });
  const hidden = rest === null ? "not in this trace" : `not listed: ${decimals(rest)}`;
  say(view.find(".attention-rest"), hidden);
  const of = view.head === AVERAGE ? "Average over layers and heads" : headName(view, view.head, "Layer");
  say(view.find(".attention-note"), `${of}; ${hidden}.`);
  drawShares(view.shares.attention, pairs.map(([place, weight]) => [view.words[place] ?? "", weight, place]));
}
