// The graph read aloud above the drawing: folded, and not even worked out, until it is asked for.

import { post } from "./outbox.js";
import { make, say } from "../shared/elements.js";

export function mountReading(view) {
  view.find(".unfold").addEventListener("click", () => {
    post(view, { do: "read", on: !view.data.reading });
  });
}

// The graph in plain English, where it is asked for, and the button that asks.
export function drawReading(view) {
  const reading = view.find(".reading");
  const button = view.find(".unfold");
  const isOpen = Boolean(view.data.reading);
  button.setAttribute("aria-expanded", String(isOpen));
  say(button, isOpen ? "Fold the reading" : "Read it in plain English");
  const lines = isOpen ? view.data.reading.lines : [];
  reading.hidden = !lines.length;
  const text = lines.join(" ");
  if (reading.dataset.shown === text) return;
  reading.dataset.shown = text;
  reading.replaceChildren(...lines.flatMap((line) => [make("bdi", "", line), " "]));
}

// Marks the line that names what is chosen.
export function markNamed(view, name) {
  const { reading } = view.data;
  const place = reading ? reading.named[name] : -1;
  [...view.find(".reading").children].forEach((part, n) => part.classList.toggle("named", n === place));
}
