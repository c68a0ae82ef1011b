// What belongs together: a token, a node, an edge or a triple, and the actions that made it.

import { edgeName, nameOf } from "../shared/graph.js";
import { ascending } from "../shared/numbers.js";

/** Gives what each line of the list of triples stands for: a node or an edge.
 * @param {Trace} trace @returns {Picked[]} */
export function partsOfTriples({ nodes, edges, triples }) {
  const byName = new Map(nodes.map((node, place) => [node.name, place]));
  /** @type {Map<string, number[]>} */
  const edgesBy = new Map();
  edges.forEach((edge, place) => {
    const target = nodes[edge.target];
    const shown = target.constant && !edge.repair ? target.label : target.name;
    const key = JSON.stringify([edge.step, nodes[edge.source].name, edge.role, shown]);
    edgesBy.set(key, [...(edgesBy.get(key) ?? []), place]);
  });
  return triples.map(([step, source, role, target]) => {
    const edge = edgesBy.get(JSON.stringify([step, source, role, target]))?.shift();
    return edge === undefined
      ? { kind: "node", place: byName.get(source) ?? -1 }
      : { kind: "edge", place: edge };
  });
}

/** Gives everything that belongs to what was picked; a triple is given by its part.
 * @param {Trace} trace @param {Picked | null} part @returns {Belongings} */
export function belongings(trace, part) {
  const all = { node: new Set(), edge: new Set(), token: new Set(), step: new Set() };
  if (part?.kind === "edge") {
    all.edge.add(part.place);
    all.step.add(trace.edges[part.place].step);
  }
  if (part?.kind === "node") addNode(trace, all, part.place);
  if (part?.kind === "token") {
    all.token.add(part.place);
    for (const node of nodesAt(trace, part.place)) addNode(trace, all, node);
  }
  return all;
}

/** @param {Trace} trace @param {Belongings} all @param {number} place */
function addNode({ nodes, steps }, all, place) {
  const { step } = nodes[place];
  all.node.add(place);
  all.step.add(step);
  for (let token = steps.start[step - 1]; token <= steps.cursor[step - 1]; token += 1) all.token.add(token);
}

/** Nodes were made at the tokens that were under the cursor. @param {Trace} trace @param {number} token */
function nodesAt({ nodes, steps }, token) {
  return nodes.flatMap(({ step }, place) =>
    steps.start[step - 1] <= token && token <= steps.cursor[step - 1] ? [place] : [],
  );
}

/** @param {Trace} trace @param {string[]} words @param {Picked | null} part @param {Belongings} all */
export function describeLinks(trace, words, part, all) {
  if (!part) return "Click a token, node, edge or triple to see what belongs together.";
  if (part.kind === "token" && !all.node.size) return `“${words[part.place]}”: nothing was made here.`;
  const nodes = [...all.node].map((place) => nameOf(trace.nodes[place]));
  const edges = [...all.edge].map((place) => edgeName(trace, trace.edges[place]));
  const made = ascending(all.token).map((place) => words[place]);
  const at = made.length ? ` at “${made.join(" ")}”` : "";
  return `${[...nodes, ...edges].join(", ")}: made${at} by action ${ascending(all.step).map(before).join(", ")}`;
}

/** Gives the action that led to a moment. @param {number} moment */
function before(moment) {
  return moment - 1;
}
