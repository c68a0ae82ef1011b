// When a view ends. Streamlit calls what a component gives back not only once the component is out
// of the page, but also, while it stands there, for a drawing that a newer one overtook before the
// script had come. A view that ended then would be deaf, and the next drawing would mount a second
// one in the same elements.

/** Gives what Streamlit is to call: it ends a view whose elements are out of the page.
 * @param {{ root: Element, gone: AbortController }} view */
export function endOf({ root, gone }) {
  return () => {
    if (!root.isConnected) gone.abort();
  };
}
