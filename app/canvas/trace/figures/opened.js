// What is sent only once it is open: single heads, the beam, the graph of a hypothesis. What is
// open stands in the component's state, so that the page knows it with every drawing.

import { draw } from "../draw.js";
import { buildBeam } from "./beam.js";
import { AVERAGE, buildHeads } from "./heads.js";
import { decompressJson } from "../unpack.js";
import { drawHypothesis } from "./hypothesis.js";

/** Takes what the page sent, and asks for what is open and did not come.
 * @param {View} view @param {Opened | undefined} sent @param {Reply} reply */
export function showOpened(view, sent, reply) {
  const { opened } = view;
  opened.isWhole = Boolean(sent?.isWhole);
  if (sent?.graphs) opened.built ??= decompressJson(sent.graphs);
  if (sent?.beam && !opened.beam) {
    opened.beam = sent.beam;
    buildBeam(view);
  }
  if (sent?.heads && !opened.heads) {
    opened.heads = sent.heads;
    buildHeads(view);
    draw(view);
  }
  if (sent?.hypothesis && isSame(sent.hypothesis.at, opened.wanted)) {
    opened.hypothesis = sent.hypothesis;
    drawHypothesis(view);
  }
  view.sendOpened = (what) => reply("opened", what);
  askSoon(view);
}

/** @param {readonly number[] | null} one @param {readonly number[] | null} other */
function isSame(one, other) {
  return one?.[0] === other?.[0] && one?.[1] === other?.[1];
}

/** Asks once the drawing is done: a component may not speak while it is drawn. @param {View} view */
export function askSoon(view) {
  setTimeout(() => view.signal.aborted || askForOpen(view), 0);
}

/** @param {View} view */
function askForOpen(view) {
  const { opened, trace } = view;
  const what = {
    key: trace.key,
    beam: opened.asked.beam || view.find(".beam", "details").open,
    heads: opened.asked.heads || view.find(".heads", "details").open || view.head !== AVERAGE,
    hypothesis: opened.wanted,
  };
  const holds = trace.holds ?? [];
  if (!what.beam || !holds.includes("beam")) what.beam = false;
  if (!what.heads || !holds.includes("heads")) what.heads = false;
  const isAnswered = (!what.beam || opened.beam) && (!what.heads || opened.heads)
    && (!what.hypothesis || isSame(opened.hypothesis?.at ?? null, what.hypothesis));
  const text = JSON.stringify(what);
  if (opened.isWhole && opened.wanted && !isAnswered) void lookUp(view, opened.wanted);
  if (isAnswered || opened.isWhole || text === opened.asked.text) return;
  opened.asked = { beam: what.beam, heads: what.heads, text };
  view.sendOpened(what);
}

/** Takes the graph of a hypothesis out of the file. @param {View} view @param {Place} at */
async function lookUp(view, at) {
  const { beam, built } = view.opened;
  const found = await built;
  if (!beam || !isSame(view.opened.wanted, at)) return;
  const place = found?.places[at[0] - beam.first]?.[at[1]] ?? -1;
  view.opened.hypothesis = { at, graph: found?.graphs[place] ?? null };
  drawHypothesis(view);
}

/** Forgets what was open of another trace; its panels stay as they are. @returns {View["opened"]} */
export function nothingOpened() {
  return {
    beam: null, heads: null, hypothesis: null, wanted: null, isWhole: false, built: null,
    asked: { beam: false, heads: false, text: "" },
  };
}
