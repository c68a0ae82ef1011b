// The beam: which hypotheses came up at a step, and what became of each.

import { childrenOf, fill, make, say } from "../../shared/elements.js";
import { decimals } from "../../shared/numbers.js";
import { pieces, unpack } from "../unpack.js";

const CLOSED = 62; // in the place of a row, as 63 for pruned: see app/canvas/trace/extras.py
const ROW = 8; // characters

/** @param {View} view */
export function buildBeam(view) {
  const { beams } = view.trace;
  const most = Math.max(0, ...(beams?.rows ?? []).map((rows) => rows.length / ROW));
  const list = view.find(".beam tbody");
  fill(list, Array.from({ length: most }), () => make("tr", "",
    make("td", "place"), make("td", "action", make("bdi", "")),
    ...["score", "parent", "fate"].map((name) => make("td", name))));
  view.hypotheses = childrenOf(list);
  say(view.find(".beam summary .note"), beams ? "" : "not in this trace");
}

/** Draws only while it is open, so that a step stays quick. @param {View} view */
export function drawBeam(view) {
  if (!view.find(".beam", "details").open) return;
  const { beams, texts } = view.trace;
  const at = beams ? view.step - beams.first : -1;
  const rows = pieces(beams?.rows[at] ?? "", ROW);
  say(view.find(".beam-note"), beamNote(view, at, rows));
  view.find(".beam table").hidden = !rows.length;
  view.hypotheses.forEach((row, place) => {
    row.hidden = place >= rows.length;
    if (!row.hidden) drawHypothesis(row, rows[place], texts, place === beams?.path[at]);
  });
}

/** @param {HTMLElement} row @param {string} packed @param {string[]} texts @param {boolean} isShown */
function drawHypothesis(row, packed, texts, isShown) {
  const [place, action, score, parent, fate] = childrenOf(row);
  const goesOn = unpack(packed.slice(7));
  const became = goesOn < CLOSED ? "kept" : goesOn === CLOSED ? "closed" : "pruned";
  row.className = became === "kept" ? "" : became;
  row.classList.toggle("path", isShown);
  say(place, became === "kept" ? String(goesOn) : "–");
  say(childrenOf(action)[0], texts[unpack(packed.slice(0, 2))]);
  say(score, `−${decimals(unpack(packed.slice(2, 6)))}`);
  say(parent, String(unpack(packed.slice(6, 7))));
  say(fate, isShown ? `${became}; the one shown` : became);
}

/** @param {View} view @param {number} at @param {string[]} rows */
function beamNote(view, at, rows) {
  if (!view.trace.beams) return "This trace holds no beam.";
  if (at < 0) return "This action was forced: there was no search.";
  if (!rows.length) return "No hypothesis is listed for this step.";
  return "Score: sum of log-probabilities so far, in nats. Row and parent: places in the beam.";
}
