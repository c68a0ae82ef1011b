// Builds everything that a trace draws, once, when it arrives.

function load(view, packed) {
  pause(view);
  const trace = unpackTrace(packed);
  view.trace = trace;
  view.zoom = null;
  view.byStep = labelsByStep(trace);
  buildTokens(view);
  buildActions(view);
  buildGraph(view);
  buildShares(view);
  buildLegal(view);
  buildHeads(view);
  buildBeam(view);
  buildTriples(view);
  buildFolds(view);
  buildLinks(view);
  buildRovers(view);
  fill(view.find(".repairs"), trace.repairs, (text) => make("li", "", text));
  view.find(".penman").textContent = trace.penman;
  view.find(".cut").textContent = trace.cut;
  view.find(".slider").max = String(Math.max(0, trace.steps.action.length - 1));
  view.step = clamp(view, trace.start);
  scale(view);
  draw(view);
}

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function shape(tag, attributes, text) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, String(value));
  }
  if (text !== undefined) element.textContent = text;
  return element;
}

function fill(parent, entries, build) {
  parent.replaceChildren(...entries.map(build));
}

function labelsByStep(trace) {
  const labels = new Map();
  for (const node of trace.nodes) {
    if (!node.inside) labels.set(node.step, node.label);
  }
  return labels;
}

function buildTokens(view) {
  const tokens = [...view.trace.tokens, "<ROOT>"];
  view.words = tokens;
  fill(view.find(".tokens"), tokens, (text, position) => {
    const token = make("li", position === tokens.length - 1 ? "token end" : "token");
    const word = make("button", "word");
    word.type = "button";
    word.tabIndex = -1;
    word.dataset.pick = `token:${position}`;
    word.append(make("bdi", "", text));
    const bar = make("span", "bar");
    bar.setAttribute("aria-hidden", "true");
    token.append(word, bar);
    return token;
  });
  view.tokens = [...view.find(".tokens").children];
}

function buildActions(view) {
  fill(view.find(".actions"), view.trace.steps.action, (action, position) => {
    const entry = make("li", "");
    const button = make("button", "jump");
    button.type = "button";
    button.tabIndex = -1;
    button.dataset.step = String(position);
    button.title = view.trace.texts[action];
    button.append(
      make("span", "number", String(position)),
      make("bdi", "name", view.trace.texts[action]),
    );
    entry.append(button);
    return entry;
  });
  view.jumps = [...view.find(".actions").querySelectorAll("button")];
}

function buildGraph(view) {
  const { trace } = view;
  const margin = 14;
  const svg = shape("svg", {
    viewBox: `${-margin} ${-margin} ${trace.width + 2 * margin} ${trace.height + 2 * margin}`,
    role: "presentation",
    focusable: "false",
  });
  view.edges = trace.edges.map((edge, place) => pickable(
    buildEdge(edge), `edge:${place}`, `${edgeName(trace, edge)}, edge of action ${edge.step}`));
  view.nodes = trace.nodes.map((node, place) => pickable(
    buildNode(node), `node:${place}`, `${nameOf(node)}, node of action ${node.step}`));
  svg.append(buildPointer(view), ...view.edges, ...view.nodes);
  const empty = make("p", "empty", "Nothing has been made yet.");
  view.find(".stage").replaceChildren(svg, empty);
  view.svg = svg;
  view.empty = empty;
  view.size = [trace.width + 2 * margin, trace.height + 2 * margin, margin];
}

function pickable(group, name, label) {
  group.dataset.pick = name;
  group.setAttribute("role", "button");
  group.setAttribute("tabindex", "-1");
  group.setAttribute("aria-label", label);
  return group;
}

function buildEdge(edge) {
  const group = shape("g", { class: edge.repair ? "edge repair" : "edge" });
  const label = shape("text", { x: edge.label[0], y: edge.label[1], class: "role" }, edge.role);
  group.append(
    shape("path", { d: edge.path, class: "hit" }),
    shape("path", { d: edge.path, class: "line" }),
    shape("polygon", { points: edge.head, class: "tip" }),
    label,
  );
  return group;
}

function buildNode(node) {
  const classes = ["node"];
  if (node.constant) classes.push("constant");
  const group = shape("g", { class: classes.join(" "), "data-name": node.name });
  const left = node.x - node.w / 2;
  const top = node.y - node.h / 2;
  const radius = node.constant ? 2 : 8;
  const box = { x: left, y: top, width: node.w, height: node.h, rx: radius };
  group.append(
    shape("title", {}, nameOf(node)),
    shape("rect", { ...box, class: "box" }),
    shape("rect", {
      x: left - 4, y: top - 4, width: node.w + 8, height: node.h + 8, rx: radius + 4, class: "ring",
    }),
    shape("text", { x: node.x, y: node.y, class: "label" }, node.shown),
    shape("text", { x: left + node.w, y: top + node.h + 3, class: "folded-count" }, ""),
    shape("text", { x: left + node.w + 6, y: node.y - node.h / 2 - 3, class: "weight" }, ""),
  );
  return group;
}

function buildShares(view) {
  const { others, pointer, attention } = view.trace.steps;
  const most = (column) => Math.max(0, ...column.map((entries) => entries.length));
  const counts = { chosen: 1, others: most(others), pointer: most(pointer) };
  counts.attention = Math.max(most(attention), view.trace.heads ? view.trace.heads.kept : 0);
  view.shares = {};
  for (const [name, count] of Object.entries(counts)) {
    fill(view.find(`.${name}`), Array.from({ length: count }), () => {
      const row = make("div", "share");
      const name = make("span", "name"); // a position, apart from what it names: that may run leftwards
      name.append(make("span", ""), make("bdi", ""));
      row.append(name, make("span", "value"), make("span", "bar"));
      return row;
    });
    view.shares[name] = [...view.find(`.${name}`).children];
  }
}

function buildLegal(view) {
  view.shownRule = null;
  fill(view.find(".legal"), view.trace.kinds, (kind) => {
    const entry = make("li", "");
    entry.append(make("span", "mark"), make("span", "kind", kind), make("span", "why"));
    return entry;
  });
  view.legal = [...view.find(".legal").children];
}

function buildTriples(view) {
  fill(view.find(".triples"), view.trace.triples, (triple, place) => {
    const [, source, role, target, repair] = triple;
    const entry = make("li", repair ? "repair" : "");
    const line = make("button", "line-of");
    line.type = "button";
    line.tabIndex = -1;
    line.dataset.pick = `triple:${place}`;
    line.append(make("bdi", "", source), " ", make("b", "", role), " ", make("bdi", "", target));
    if (repair) line.append(" ", make("i", "", "repair"));
    entry.append(line);
    return entry;
  });
  view.triples = [...view.find(".triples").children];
}
