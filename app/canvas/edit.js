// Edits one graph. Every gesture goes out as a numbered message and stays in the browser until
// the page has acknowledged it: see edit_outbox.js and DESIGN, outbox. What is drawn is what
// the page sent last. Text from sentences goes in through textContent alone.

const SVG = "http://www.w3.org/2000/svg";
const READABLE = 0.75; // smallest scale at which labels are still read

const TAKES_KEYS = "a, button, input, textarea, select, summary, iframe, [contenteditable='true'], "
  + "[role='listbox'], [role='dialog'], [role='combobox'], [role='radio'], [role='tab'], [role^='menu']";

const editors = new WeakMap();

export default function show(component) {
  const { parentElement, data, setStateValue } = component;
  const root = parentElement.querySelector(".edit");
  let view = editors.get(root);
  if (!view) {
    view = mountEditor(root);
    editors.set(root, view);
  }
  view.transmit = (outbox) => setStateValue("outbox", outbox);
  if (data) takeData(view, data);
  return () => {
    view.unmount();
    editors.delete(root);
  };
}

function mountEditor(root) {
  const find = (selector) => root.querySelector(selector);
  const view = {
    root, find, data: null, trace: { nodes: [], edges: [] }, at: null, zoom: null, factor: 1,
    size: [1, 1, 0], nodes: [], edges: [], incident: [], isNear: false, span: new Set(),
    mode: null, typed: [], waiting: 0, drawn: "", session: "", transmit: () => {}, isUnfolded: false,
  };
  view.keys = readKeys();
  mountOutbox(view);
  root.addEventListener("click", (event) => clicked(view, event));
  root.addEventListener("focusin", (event) => focused(view, event));
  root.addEventListener("focusout", () => near(view, null));
  root.addEventListener("keydown", (event) => pressed(view, event));
  root.addEventListener("keyup", (event) => {
    // A browser presses a focused button when the space key comes up; on a word it marks.
    if (event.key === " " && isInside(event, ".word")) event.preventDefault();
  });
  const stage = find(".stage");
  stage.addEventListener("pointerover", (event) => near(view, pickOf(event.target)));
  stage.addEventListener("pointerleave", () => near(view, null));
  find(".unfold").addEventListener("click", () => {
    view.isUnfolded = !view.isUnfolded;
    foldReading(view);
    fitHeight(view);
  });
  mountPrompt(view);
  mountWriting(view);
  mountKeys(view);
  // Where nothing that uses keys has the focus they are the editor's, before Streamlit sees them.
  const pageKey = (event) => {
    const here = document.activeElement || document.body;
    if (here !== root.getRootNode().host && !here.closest(TAKES_KEYS)) pressed(view, event);
  };
  document.addEventListener("keydown", pageKey, true);
  const resized = new ResizeObserver(() => {
    if (!view.data) return;
    foldReading(view);
    fitHeight(view);
    scale(view);
  });
  resized.observe(stage);
  resized.observe(root);
  view.unmount = () => {
    document.removeEventListener("keydown", pageKey, true);
    resized.disconnect();
    leaveOutbox(view);
  };
  return view;
}

// Takes in what the page worked out.
function takeData(view, data) {
  const isOther = !view.data || view.data.sentence.id !== data.sentence.id;
  const before = view.data;
  view.data = data;
  view.root.hidden = false;
  if (isOther) {
    view.at = null;
    view.span.clear();
    view.zoom = null;
    leaveMode(view);
  }
  acknowledge(view, data);
  if (view.drawn !== data.key) {
    view.drawn = data.key;
    buildEditor(view, focusPlace(view));
  }
  drawEditor(view);
  drawSide(view, before, isOther);
  tellAnswer(view, before);
  replay(view);
}

// Says once what became of the last message.
function tellAnswer(view, before) {
  const { said } = view.data;
  const notice = view.find(".notice");
  if (!said) {
    notice.hidden = true;
    return;
  }
  if (before && before.said && before.said.number === said.number
    && before.said.text === said.text) return;
  notice.hidden = said.kind !== "refused";
  say(notice, said.kind === "refused" ? said.text : "");
  if (said.kind !== "done") view.typed = []; // what was typed meant another outcome
  if (said.kind !== "conflict") tellEditor(view, said.text); // drawAlarm says more of it
}

function tellEditor(view, text) {
  say(view.find(".told"), text);
}
