// What one hypothesis of the beam has built: its graph, and the actions that it took.

import { fill, make, say, setAll, within } from "../../shared/elements.js";
import { edgeName, nameOf } from "../../shared/graph.js";
import { newDrawing, scale } from "../../shared/stage.js";
import { FATES, rowsAt, scoreText } from "./search.js";

/** @param {View} view */
export function drawHypothesis(view) {
  const { opened: { beam, hypothesis, isWhole, wanted } } = view;
  const panel = view.find(".hypothesis");
  panel.hidden = !wanted || !beam;
  if (!wanted || !beam) return;
  const [action, score, , fate] = rowsAt(beam, wanted[0])[wanted[1]];
  say(within(panel, "h4"), `After action ${wanted[0]}, ${beam.actions[action][1]}`);
  const picture = within(panel, ".picture");
  const list = within(panel, ".taken");
  const graph = hypothesis?.graph ?? null;
  picture.hidden = list.hidden = !graph;
  const [name, nats] = [FATES[fate], scoreText(score)];
  say(within(panel, ".note"), `${name[0].toUpperCase()}${name.slice(1)}, score ${nats} nats. ${
    graph ? partedText(hypothesis) : hypothesis ? "Not all of its actions are listed in this trace."
      : isWhole ? "Only the page draws its graph: this file holds the one that is shown." : "Drawing …"}`);
  if (!graph || !hypothesis) return;
  fill(list, hypothesis.actions ?? [], ([bare, shown], step) =>
    make("li", step >= (hypothesis.parted ?? Infinity) ? "parted" : "", { title: bare },
      make("span", "number", String(step)), make("bdi", "", shown)));
  drawPicture(picture, graph);
  panel.scrollIntoView({ block: "nearest" });
}

/** @param {HypothesisSent | null} hypothesis */
function partedText(hypothesis) {
  const parted = hypothesis?.parted;
  if (parted === null || parted === undefined) return "It took the same actions as the graph that is shown.";
  return `It parts from what is shown at action ${parted}.`;
}

/** @param {HTMLElement} picture @param {Graph} graph */
function drawPicture(picture, graph) {
  if (!graph.nodes.length) {
    fill(picture, ["It has made nothing yet."], (text) => make("p", "note", text));
    return;
  }
  const drawing = newDrawing(picture, graph, {
    margin: 10, zoom: null,
    nodeLabel: () => "", edgeLabel: () => "",
  });
  for (const group of [...drawing.nodes, ...drawing.edges]) {
    for (const name of ["data-pick", "role", "tabindex", "aria-label"]) group.removeAttribute(name);
  }
  graph.nodes.forEach((node, place) => drawing.nodes[place].classList.toggle("root", Boolean(node.root)));
  const said = [...graph.nodes.map(nameOf), ...graph.edges.map((edge) => edgeName(graph, edge))].join("; ");
  setAll(drawing.svg, { role: "img", "aria-label": `Graph of the hypothesis: ${said}` });
  scale(drawing);
}
