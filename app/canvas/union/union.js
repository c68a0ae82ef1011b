// Two graphs in one drawing, as the page laid it out; nothing is sent back.

const SVG = "http://www.w3.org/2000/svg";

export default function show(component) {
  const { parentElement, data } = component;
  if (data) draw(parentElement.querySelector(".union"), data);
}

function draw(root, data) {
  const picture = make("svg", {
    width: data.width, height: data.height, role: "img", "aria-label": data.about,
    viewBox: `-4 -4 ${data.width} ${data.height}`,
  });
  for (const edge of data.edges) {
    const group = make("g", { class: edge.mark });
    group.append(make("path", { d: edge.path }), make("polygon", { points: edge.head }));
    group.append(label(edge.role, edge.x, edge.y, "role"));
    picture.append(group);
  }
  for (const node of data.nodes) {
    const group = make("g", { class: node.mark });
    const { x, y, w, h } = node;
    const rx = node.mark.includes("constant") ? 3 : 9;
    group.append(make("rect", { x: x - w / 2, y: y - h / 2, width: w, height: h, rx }));
    const text = label(node.shown, x, y, "");
    const whole = make("title", {});
    whole.textContent = node.label;
    text.append(whole);
    group.append(text);
    picture.append(group);
  }
  root.replaceChildren(picture);
}

function label(text, x, y, name) {
  const element = make("text", { x, y, class: name });
  element.textContent = text;
  return element;
}

function make(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
