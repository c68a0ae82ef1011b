// The stage that a drawing stands on: its size, and what of it is in sight.

const READABLE = 0.75; // smallest scale at which labels are still read

export function scale(view) {
  const stage = view.find(".stage");
  const [width, height] = view.size;
  const fit = Math.min(1.1, stage.clientWidth / width, stage.clientHeight / height);
  const factor = view.zoom ?? Math.max(READABLE, fit);
  view.factor = factor;
  view.svg.setAttribute("width", String(Math.floor(width * factor)));
  view.svg.setAttribute("height", String(Math.floor(height * factor)));
}

export function scrollTo(stage, property, room, near, far) {
  const seen = stage[property];
  if (near >= seen && far <= seen + room) return;
  stage[property] = far - near > room ? near - 12 : (near + far - room) / 2;
}

// Brings an entry into the middle of its list, if it is out of sight; rows stay whole.
export function keepInView(list, entry) {
  const { offsetTop: top, offsetHeight: height } = entry;
  const seen = list.scrollTop;
  if (top >= seen && top + height <= seen + list.clientHeight) return;
  const rows = Math.floor((list.clientHeight - height) / 2 / height);
  list.scrollTop = top - Math.max(0, rows) * height - 2;
}
