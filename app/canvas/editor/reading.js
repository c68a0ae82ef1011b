// The graph read aloud above the drawing, folded where it is long.

import { make, say } from "../shared/elements.js";

// The graph in plain English; the line that names what is chosen is marked.
export function buildReading(view) {
  const { lines } = view.data.reading;
  const reading = view.find(".reading");
  reading.hidden = !lines.length;
  const text = lines.join(" ");
  if (reading.dataset.shown === text) return;
  reading.dataset.shown = text;
  reading.replaceChildren(...lines.flatMap((line) => [make("bdi", "", line), " "]));
  reading.scrollTop = 0;
}

// A long reading is folded, and says so: what does not fit is a button away.
export function foldReading(view) {
  const reading = view.find(".reading");
  const button = view.find(".unfold");
  reading.classList.remove("unfolded"); // folded, to see whether it fits
  button.hidden = reading.hidden || reading.scrollHeight <= reading.clientHeight + 1;
  reading.classList.toggle("unfolded", view.isUnfolded);
  button.setAttribute("aria-expanded", String(view.isUnfolded));
  const count = view.data.reading.lines.length;
  say(button, view.isUnfolded ? "Fold the reading" : `Show the whole reading, ${count} sentences`);
}

export function showNamed(view) {
  const reading = view.find(".reading");
  const named = reading.querySelector(".named");
  if (!named || view.isUnfolded) return;
  const place = named.offsetTop - reading.offsetTop;
  const isSeen = place >= reading.scrollTop
    && place + named.offsetHeight <= reading.scrollTop + reading.clientHeight;
  if (!isSeen) reading.scrollTop = place;
}
