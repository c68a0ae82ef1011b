// Two graphs in one drawing, as the page laid it out; nothing is sent back.

import { shape } from "../shared/elements.js";

export default function show(component) {
  const { parentElement, data } = component;
  if (data) draw(parentElement.querySelector(".union"), data);
}

function draw(root, data) {
  const picture = shape("svg", {
    width: data.width, height: data.height, role: "img", "aria-label": data.about,
    viewBox: `-4 -4 ${data.width} ${data.height}`,
  });
  for (const edge of data.edges) {
    const group = shape("g", { class: edge.mark });
    group.append(shape("path", { d: edge.path }), shape("polygon", { points: edge.head }));
    group.append(label(edge.role, edge.x, edge.y, "role"));
    picture.append(group);
  }
  for (const node of data.nodes) {
    const group = shape("g", { class: node.mark });
    const { x, y, w, h } = node;
    const rx = node.mark.includes("constant") ? 3 : 9;
    group.append(shape("rect", { x: x - w / 2, y: y - h / 2, width: w, height: h, rx }));
    const text = label(node.shown, x, y, "");
    const whole = shape("title", {});
    whole.textContent = node.label;
    text.append(whole);
    group.append(text);
    picture.append(group);
  }
  root.replaceChildren(picture);
}

function label(text, x, y, name) {
  const element = shape("text", { x, y, class: name });
  element.textContent = text;
  return element;
}
