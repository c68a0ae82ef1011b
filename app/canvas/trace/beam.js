// The beam: which hypotheses came up at a step, and what became of each.

import { fill, make, say } from "../shared/elements.js";
import { decimals } from "../shared/numbers.js";
import { pieces, unpack } from "./unpack.js";

const CLOSED = 62; // in the place of a row, as 63 for pruned: see app/canvas/trace/extras.py

export function buildBeam(view) {
  const { beams } = view.trace;
  const most = beams ? Math.max(0, ...beams.rows.map((rows) => rows.length / 8)) : 0;
  fill(view.find(".beam tbody"), Array.from({ length: most }), () => {
    const row = make("tr", "");
    for (const name of ["place", "action", "score", "parent", "fate"]) row.append(make("td", name));
    row.children[1].append(make("bdi", ""));
    return row;
  });
  view.hypotheses = [...view.find(".beam tbody").children];
  say(view.find(".beam summary .note"), beams ? "" : "not in this trace");
}

// Draws only while it is open, so that a step stays quick.
export function drawBeam(view) {
  if (!view.find(".beam").open) return;
  const { beams, texts } = view.trace;
  const at = beams ? view.step - beams.first : -1;
  const rows = beams && beams.rows[at] ? pieces(beams.rows[at], 8) : [];
  say(view.find(".beam-note"), beamNote(view, at, rows));
  view.find(".beam table").hidden = !rows.length;
  view.hypotheses.forEach((row, place) => {
    row.hidden = place >= rows.length;
    if (!row.hidden) drawHypothesis(row, rows[place], texts, place === beams.path[at]);
  });
}

function drawHypothesis(row, packed, texts, isShown) {
  const [place, action, score, parent, fate] = row.children;
  const goesOn = unpack(packed.slice(7));
  const isKept = goesOn < CLOSED;
  row.className = isKept ? "" : goesOn === CLOSED ? "closed" : "pruned";
  row.classList.toggle("path", isShown);
  say(place, isKept ? String(goesOn) : "–");
  say(action.firstChild, texts[unpack(packed.slice(0, 2))]);
  say(score, `−${decimals(unpack(packed.slice(2, 6)))}`);
  say(parent, String(unpack(packed.slice(6, 7))));
  const became = isKept ? "kept" : goesOn === CLOSED ? "closed" : "pruned";
  say(fate, isShown ? `${became}; the one shown` : became);
}

function beamNote(view, at, rows) {
  if (!view.trace.beams) return "This trace holds no beam.";
  if (at < 0) return "This action was forced: there was no search.";
  if (!rows.length) return "No hypothesis is listed for this step.";
  return "Score: sum of log-probabilities so far, in nats. Row and parent: places in the beam.";
}
