// What one hypothesis of the beam has built: its graph, and the actions that it took.

import { fill, make, say, setAll, within } from "../../shared/elements.js";
import { edgeName, nameOf } from "../../shared/graph.js";
import { newDrawing, scale } from "../../shared/stage.js";
import { actionAt } from "../view.js";
import { actionsOf, FATES, rowsAt, scoreText } from "./search.js";

/** @param {View} view */
export function drawHypothesis(view) {
  const { opened: { beam, hypothesis, isWhole, wanted }, trace } = view;
  const panel = view.find(".hypothesis");
  panel.hidden = !wanted || !beam;
  if (!wanted || !beam) return;
  const [action, score, , fate] = rowsAt(beam, wanted[0])[wanted[1]];
  say(within(panel, "h4"), `After action ${wanted[0]}, ${beam.actions[action][1]}`);
  const picture = within(panel, ".picture");
  const list = within(panel, ".taken");
  const graph = hypothesis?.graph ?? null;
  const actions = actionsOf(beam, trace, wanted);
  const parted = actions?.findIndex(([bare], step) => bare !== actionAt(trace, step)) ?? -1;
  picture.hidden = !graph;
  list.hidden = !actions;
  const [name, nats] = [FATES[fate], scoreText(score)];
  const missing = isWhole && actions ? "This file has no room for its graph: the page draws it."
    : "Not all of its actions are listed in this trace.";
  say(within(panel, ".note"), `${name[0].toUpperCase()}${name.slice(1)}, score ${nats} nats. ${
    graph ? partedText(parted) : hypothesis ? missing : "Drawing …"}`);
  fill(list, actions ?? [], ([bare, shown], step) =>
    make("li", parted >= 0 && step >= parted ? "parted" : "", { title: bare },
      make("span", "number", String(step)), make("bdi", "", shown)));
  if (graph) drawPicture(picture, graph);
  panel.scrollIntoView({ block: "nearest" });
}

/** @param {number} parted */
function partedText(parted) {
  if (parted < 0) return "It took the same actions as the graph that is shown.";
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
