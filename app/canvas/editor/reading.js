// The graph read aloud above the drawing: folded, and not even worked out, until it is asked for.

import { make, say } from "../shared/elements.js";
import { post } from "./sending/sending.js";

/** @param {Editor} view */
export function mountReading(view) {
  view.find(".unfold").addEventListener("click", () => {
    post(view, { do: "read", on: !view.data.reading });
  }, { signal: view.signal });
}

/** Draws the graph in plain English, where it is asked for, and the button that asks. @param {Editor} view */
export function drawReading(view) {
  const panel = view.find(".reading");
  const button = view.find(".unfold");
  const isOpen = view.data.reading !== null;
  button.setAttribute("aria-expanded", String(isOpen));
  say(button, isOpen ? "Fold the reading" : "Read it in plain English");
  const lines = view.data.reading?.lines ?? [];
  panel.hidden = !lines.length;
  const text = lines.join(" ");
  if (panel.dataset.shown === text) return;
  panel.dataset.shown = text;
  panel.replaceChildren(...lines.flatMap((line) => [make("bdi", "", line), " "]));
}

/** Marks the line that names what is chosen. @param {Editor} view */
export function markNamed({ at, data, find }) {
  const place = data.reading?.named[at.kind === "edge" ? at.ends[2] : at.id];
  [...find(".reading").children].forEach((line, here) => line.classList.toggle("named", here === place));
}
