// Steps through one trace. Everything drawn is made once, when a trace arrives; a step
// only shows, hides and marks. Text from sentences goes in through textContent alone.

const SVG = "http://www.w3.org/2000/svg";
const READABLE = 0.75; // smallest scale at which labels are still read
const PAUSE = 500; // milliseconds without a step before the step is reported

const views = new WeakMap();

export default function (component) {
  const { parentElement, data, setStateValue } = component;
  const root = parentElement.querySelector(".apt");
  let view = views.get(root);
  if (!view) {
    view = mount(root);
    views.set(root, view);
  }
  view.report = (at) => setStateValue("at", at);
  if (data && (!view.trace || view.trace.key !== data.key)) {
    load(view, data);
  }
  return () => view.unmount();
}

function mount(root) {
  const find = (selector) => root.querySelector(selector);
  const view = {
    root,
    find,
    trace: null,
    step: 0,
    zoom: null,
    timer: 0,
    frame: 0,
    nodes: [],
    edges: [],
    report: () => {},
  };
  root.addEventListener("click", (event) => clicked(view, event));
  root.addEventListener("keydown", (event) => pressed(view, event));
  find(".slider").addEventListener("input", (event) => go(view, Number(event.target.value)));
  const pageKey = (event) => {
    const nowhere = document.activeElement === document.body || !document.activeElement;
    if (nowhere && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      pressed(view, event);
    }
  };
  document.addEventListener("keydown", pageKey);
  const resized = new ResizeObserver(() => view.trace && scale(view));
  resized.observe(find(".stage"));
  view.unmount = () => {
    document.removeEventListener("keydown", pageKey);
    resized.disconnect();
    clearTimeout(view.timer);
    views.delete(root);
  };
  return view;
}

// --- building, once for each trace ----------------------------------------------

function load(view, trace) {
  view.trace = trace;
  view.zoom = null;
  view.byStep = labelsByStep(trace);
  buildTokens(view);
  buildActions(view);
  buildGraph(view);
  buildLegal(view);
  buildTriples(view);
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
  fill(view.find(".tokens"), tokens, (text, position) => {
    const token = make("li", position === tokens.length - 1 ? "token end" : "token");
    const word = make("bdi", "word", text);
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
    "aria-hidden": "true",
    focusable: "false",
  });
  view.edges = trace.edges.map((edge) => buildEdge(edge));
  view.nodes = trace.nodes.map((node) => buildNode(node));
  svg.append(...view.edges, ...view.nodes);
  const empty = make("p", "empty", "Nothing has been made yet.");
  view.find(".stage").replaceChildren(svg, empty);
  view.svg = svg;
  view.empty = empty;
  view.size = [trace.width + 2 * margin, trace.height + 2 * margin, margin];
}

function buildEdge(edge) {
  const group = shape("g", { class: edge.repair ? "edge repair" : "edge" });
  const label = shape("text", { x: edge.label[0], y: edge.label[1], class: "role" }, edge.role);
  group.append(
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
    shape("title", {}, node.constant ? node.label : `${node.name} / ${node.label}`),
    shape("rect", { ...box, class: "box" }),
    shape("rect", {
      x: left - 4, y: top - 4, width: node.w + 8, height: node.h + 8, rx: radius + 4, class: "ring",
    }),
    shape("text", { x: node.x, y: node.y, class: "label" }, node.shown),
    shape("text", { x: left + node.w + 3, y: node.y, class: "weight" }, ""),
  );
  return group;
}

function buildLegal(view) {
  fill(view.find(".legal"), view.trace.kinds, (kind) => {
    const entry = make("li", "");
    entry.append(make("span", "mark"), make("span", "kind", kind), make("span", "why"));
    return entry;
  });
  view.legal = [...view.find(".legal").children];
}

function buildTriples(view) {
  fill(view.find(".triples"), view.trace.triples, ([, source, role, target, repair]) => {
    const entry = make("li", repair ? "repair" : "");
    entry.append(make("bdi", "", source), " ", make("b", "", role), " ", make("bdi", "", target));
    if (repair) entry.append(" ", make("i", "", "repair"));
    return entry;
  });
  view.triples = [...view.find(".triples").children];
}

// --- moving -----------------------------------------------------------------------

function clamp(view, step) {
  return Math.min(Math.max(0, step), Math.max(0, view.trace.steps.action.length - 1));
}

function go(view, step) {
  if (!view.trace) return;
  const wanted = clamp(view, step);
  if (wanted === view.step) return;
  view.step = wanted;
  if (!view.frame) {
    view.frame = requestAnimationFrame(() => {
      view.frame = 0;
      draw(view);
    });
  }
  clearTimeout(view.timer);
  view.timer = setTimeout(() => view.report({ key: view.trace.key, step: view.step }), PAUSE);
}

function clicked(view, event) {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.dataset.step) go(view, Number(button.dataset.step));
  if (button.dataset.go) goTo(view, button.dataset.go);
  if (button.dataset.zoom) zoom(view, button.dataset.zoom);
  if (button.classList.contains("copy")) copy(view, button);
}

function goTo(view, place) {
  const last = view.trace ? view.trace.steps.action.length - 1 : 0;
  const steps = { first: 0, back: view.step - 1, forward: view.step + 1, last };
  go(view, steps[place]);
}

function pressed(view, event) {
  if (event.key === "r" || event.key === "c") event.stopPropagation(); // Streamlit's own keys
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const inList = Boolean(event.target.closest && event.target.closest(".actions"));
  const places = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };
  if (inList) Object.assign(places, { ArrowUp: "back", ArrowDown: "forward" });
  const place = places[event.key];
  if (!place) return;
  event.preventDefault();
  event.stopPropagation();
  goTo(view, place);
  if (inList) view.jumps[view.step].focus({ preventScroll: true });
}

function copy(view, button) {
  navigator.clipboard.writeText(view.trace.penman).then(() => {
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
}

// --- drawing a step ---------------------------------------------------------------

function draw(view) {
  const { trace, step } = view;
  if (!trace.steps.action.length) return;
  const now = stepAt(trace, step);
  drawTokens(view, now);
  drawHistory(view);
  drawGraph(view, now);
  drawDecision(view, now);
  drawLegal(view, now);
  view.triples.forEach((entry, place) => {
    entry.hidden = trace.triples[place][0] > step;
    entry.classList.toggle("new", trace.triples[place][0] === step);
  });
  view.find(".live").textContent =
    `Action ${step} of ${trace.steps.action.length - 1}: ${trace.texts[now.action]}. ${now.say}`;
}

function stepAt(trace, step) {
  const now = {};
  for (const [name, column] of Object.entries(trace.steps)) now[name] = column[step];
  return now;
}

function drawTokens(view, now) {
  const weights = new Map(now.attention);
  view.tokens.forEach((token, position) => {
    const here = position >= now.start && position <= now.cursor;
    token.classList.toggle("here", here);
    token.classList.toggle("opens", position === now.start);
    token.classList.toggle("closes", position === now.cursor);
    token.classList.toggle("ahead", position > now.cursor);
    if (here) token.setAttribute("aria-current", "true");
    else token.removeAttribute("aria-current");
    const weight = weights.get(position) || 0;
    token.style.setProperty("--weight", String(weight / 1000));
    token.title = weight ? `cross-attention ${decimals(weight)}` : "";
  });
  const current = view.tokens[Math.min(now.cursor, view.tokens.length - 1)];
  keepInView(view.find(".tokens"), current);
}

function drawHistory(view) {
  const { step, trace } = view;
  if (view.shownJump) {
    view.shownJump.tabIndex = -1;
    view.shownJump.removeAttribute("aria-current");
  }
  const jump = view.jumps[step];
  jump.tabIndex = 0;
  jump.setAttribute("aria-current", "step");
  view.shownJump = jump;
  keepInView(view.find(".actions"), jump);
  const last = trace.steps.action.length - 1;
  const slider = view.find(".slider");
  slider.value = String(step);
  slider.setAttribute("aria-valuetext", `action ${step} of ${last}`);
  view.find(".count").textContent = `${step} / ${last}`;
  for (const button of view.root.querySelectorAll(".go")) {
    const atStart = button.dataset.go === "first" || button.dataset.go === "back";
    button.setAttribute("aria-disabled", String(step === (atStart ? 0 : last)));
  }
}

function drawGraph(view, now) {
  const { trace, step } = view;
  const weights = new Map(now.pointer);
  const isLast = step === trace.steps.action.length - 1;
  let num = 0;
  view.nodes.forEach((group, place) => {
    const node = trace.nodes[place];
    const exists = node.step <= step;
    const weight = exists && !node.inside && node.step < step ? weights.get(node.step) || 0 : 0;
    num += exists;
    group.classList.toggle("absent", !exists);
    group.classList.toggle("new", node.step === step);
    group.classList.toggle("root", Boolean(isLast && node.root));
    group.classList.toggle("dropped", Boolean(isLast && node.dropped));
    group.classList.toggle("pointed", weight > 0);
    group.style.setProperty("--weight", String(weight / 1000));
    group.lastElementChild.textContent = weight >= 10 ? decimals(weight).slice(1, 4) : "";
  });
  view.edges.forEach((group, place) => {
    const edge = trace.edges[place];
    group.classList.toggle("absent", edge.step > step);
    group.classList.toggle("new", edge.step === step);
  });
  view.root.classList.toggle("pointing", isEdge(trace.texts[now.action]));
  view.empty.hidden = num > 0;
  follow(view);
}

function isEdge(action) {
  return action.startsWith("LA(") || action.startsWith("RA(");
}

function drawDecision(view, now) {
  const { trace, step } = view;
  const action = trace.texts[now.action];
  view.find(".where").textContent = `Action ${step}${now.forced ? ", forced" : ""}`;
  view.find(".action").textContent = action;
  view.find(".say").textContent = now.say;
  fill(view.find(".chosen"), now.p === null ? [] : [now.p], (p) => share(action, p, "chosen"));
  fill(view.find(".others"), now.others, ([text, p]) => share(trace.texts[text], p, ""));
  if (!now.others.length) view.find(".others").append(make("p", "note", "No other action is legal."));
  const used = isEdge(action);
  view.find(".pointer-note").textContent = pointerNote(now, used);
  fill(view.find(".pointer"), now.pointer, ([position, weight]) =>
    share(`${position} ${view.byStep.get(position) || "(no item)"}`, weight, used ? "" : "unused"),
  );
}

function pointerNote(now, used) {
  if (!now.pointer.length) return "There is nothing to point to yet.";
  const rest = now.pointerRest ? ` Not listed: ${decimals(now.pointerRest)}.` : "";
  return (used ? "Weights on earlier items." : "Not used by this action.") + rest;
}

function decimals(thousandths) {
  return (thousandths / 1000).toFixed(3);
}

function share(text, thousandths, className) {
  const row = make("div", `share ${className}`);
  const bar = make("span", "bar");
  bar.style.setProperty("--share", String(thousandths / 1000));
  const name = make("bdi", "name", text);
  name.title = text;
  row.append(name, make("span", "value", decimals(thousandths)), bar);
  return row;
}

function drawLegal(view, now) {
  view.trace.rules[now.legal].forEach((reason, place) => {
    const entry = view.legal[place];
    const isLegal = reason < 0;
    entry.classList.toggle("yes", isLegal);
    entry.children[0].textContent = isLegal ? "✓" : "✕";
    entry.children[2].textContent = isLegal ? "legal" : view.trace.texts[reason];
  });
}

// --- size and scrolling -------------------------------------------------------------

function scale(view) {
  const stage = view.find(".stage");
  const [width, height] = view.size;
  const fit = Math.min(1.1, stage.clientWidth / width, stage.clientHeight / height);
  const factor = view.zoom ?? Math.max(READABLE, fit);
  view.factor = factor;
  view.svg.setAttribute("width", String(Math.floor(width * factor)));
  view.svg.setAttribute("height", String(Math.floor(height * factor)));
}

function zoom(view, way) {
  const stage = view.find(".stage");
  const [width, height] = view.size;
  if (way === "fit") {
    view.zoom = Math.min(1.1, stage.clientWidth / width, stage.clientHeight / height);
  } else {
    view.zoom = Math.min(3, Math.max(0.1, view.factor * (way === "in" ? 1.25 : 0.8)));
  }
  scale(view);
  follow(view);
}

// Scrolls the stage, only if what is new lies outside it.
function follow(view) {
  const { trace, step, factor } = view;
  const stage = view.find(".stage");
  const margin = view.size[2];
  const boxes = trace.nodes
    .filter((node) => node.step === step)
    .map((node) => [node.x - node.w / 2, node.y - node.h / 2, node.x + node.w / 2, node.y + node.h / 2]);
  for (const edge of trace.edges.filter((candidate) => candidate.step === step)) {
    for (const end of [trace.nodes[edge.source], trace.nodes[edge.target]]) {
      boxes.push([end.x - end.w / 2, end.y - end.h / 2, end.x + end.w / 2, end.y + end.h / 2]);
    }
  }
  if (!boxes.length) return;
  const at = (value) => (value + margin) * factor;
  const box = [0, 1].map((side) => at(Math.min(...boxes.map((each) => each[side]))));
  const far = [2, 3].map((side) => at(Math.max(...boxes.map((each) => each[side]))));
  scrollTo(stage, "scrollLeft", stage.clientWidth, box[0], far[0]);
  scrollTo(stage, "scrollTop", stage.clientHeight, box[1], far[1]);
}

function scrollTo(stage, property, room, near, far) {
  const seen = stage[property];
  if (near >= seen && far <= seen + room) return;
  stage[property] = far - near > room ? near - 12 : (near + far - room) / 2;
}

function keepInView(list, entry) {
  const outer = list.getBoundingClientRect();
  const inner = entry.getBoundingClientRect();
  if (inner.top < outer.top) list.scrollTop += inner.top - outer.top - 40;
  if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom + 40;
}
