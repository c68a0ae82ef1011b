// Where a key was pressed.

export function isInside(event, selector) {
  return Boolean(event.target.closest && event.target.closest(selector));
}
