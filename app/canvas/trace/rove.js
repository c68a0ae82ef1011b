// Roving focus: each list of things to pick is one stop of the tab key; the up and down
// arrows go from one to the next inside it.

export function buildRovers(view) {
  const drawn = [
    ...view.nodes.map((element, place) => ({ element, step: view.trace.nodes[place].step })),
    ...view.edges.map((element, place) => ({ element, step: view.trace.edges[place].step })),
  ];
  drawn.sort((one, other) => one.step - other.step);
  view.groups = [
    view.tokens.map((token) => token.querySelector("button")),
    drawn.map(({ element }) => element),
    view.triples.map((entry) => entry.querySelector("button")),
  ];
  view.rovers = view.groups.map(() => null);
}

function isShown(element) {
  if (element.parentElement.hidden) return false;
  return !element.classList.contains("absent") && !element.classList.contains("folded");
}

// Sees that each list has one stop, and that the focus is not lost with what is hidden.
export function drawRovers(view) {
  const focused = view.root.getRootNode().activeElement;
  view.groups.forEach((group, place) => {
    const rover = view.rovers[place];
    if (rover && isShown(rover)) return;
    const next = group.find(isShown);
    if (rover && rover === focused) (next || view.root).focus({ preventScroll: true });
    setRover(view, place, next || null);
  });
}

function setRover(view, place, element) {
  if (view.rovers[place]) view.rovers[place].setAttribute("tabindex", "-1");
  if (element) element.setAttribute("tabindex", "0");
  view.rovers[place] = element;
}

export function roverFocused(view, element) {
  const place = view.groups.findIndex((group) => group.includes(element));
  if (place >= 0 && view.rovers[place] !== element) setRover(view, place, element);
}

export function rove(view, element, way) {
  const group = view.groups.find((candidate) => candidate.includes(element));
  const shown = (group || []).filter(isShown);
  const next = shown[shown.indexOf(element) + way];
  if (next) next.focus();
}
