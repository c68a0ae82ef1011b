// Cross-attention: which layer and head shade the tokens, or their average.

import { fill, make, say } from "../shared/elements.js";
import { decimals } from "../shared/numbers.js";
import { draw, drawShares, weigh } from "./draw.js";
import { unpackPairs } from "./unpack.js";

export const AVERAGE = -1;

export function buildHeads(view) {
  const { heads } = view.trace;
  const names = [];
  for (let head = 0; heads && head < heads.layers * heads.heads; head += 1) {
    names.push(`layer ${Math.floor(head / heads.heads)}, head ${head % heads.heads}`);
  }
  const select = view.find(".head-choice");
  fill(select, ["average", ...names], (name, place) => {
    const option = make("option", "", `Attention: ${name}`);
    option.value = String(place - 1);
    return option;
  });
  if (view.head >= names.length) view.head = AVERAGE;
  select.value = String(view.head);
  select.disabled = !names.length;
  select.title = names.length
    ? "Which cross-attention shades the tokens"
    : "This trace holds the average over layers and heads only";
}

export function chooseHead(view, head) {
  view.head = head;
  draw(view);
}

// Gives the weights that shade the tokens, and the weight that is not listed.
function attentionAt(view, now) {
  if (view.head === AVERAGE) return [now.attention, now.attentionRest];
  const { kept, weights } = view.trace.heads;
  const length = 4 * kept;
  const packed = weights[view.step].slice(view.head * length, (view.head + 1) * length);
  const pairs = unpackPairs(packed).filter(([, weight]) => weight > 0);
  const listed = pairs.reduce((sum, [, weight]) => sum + weight, 0);
  return [pairs, packed ? Math.max(0, 1000 - listed) : null];
}

export function drawAttention(view, now) {
  const [pairs, rest] = attentionAt(view, now);
  const weights = new Map(pairs);
  view.tokens.forEach((token, position) => {
    const weight = weights.get(position) || 0;
    weigh(token, weight);
    const title = weight ? `cross-attention ${decimals(weight)}` : "";
    if (token.title !== title) token.title = title;
  });
  const hidden = rest === null ? "not in this trace" : `not listed: ${decimals(rest)}`;
  say(view.find(".attention-rest"), hidden);
  const of = view.head === AVERAGE ? "Average over layers and heads" : headName(view);
  say(view.find(".attention-note"), `${of}; ${hidden}.`);
  drawShares(
    view.shares.attention,
    pairs.map(([place, weight]) => [view.words[place] ?? "", weight, place]),
  );
}

function headName(view) {
  const { heads } = view.trace.heads;
  return `Layer ${Math.floor(view.head / heads)}, head ${view.head % heads}`;
}
