// Steps through one trace. Everything drawn is made once, when a trace arrives; a step
// only shows, hides and marks. Text from sentences goes in through textContent alone.

import { showExercise } from "../exercise/exercise.js";
import { showMarks } from "../exercise/marks.js";
import { isInside } from "../shared/keys.js";
import { near, pickOf } from "../shared/parts.js";
import { scale } from "../shared/stage.js";
import { drawBeam } from "./beam.js";
import { load } from "./build.js";
import { draw, zoom } from "./draw.js";
import { toggleFold } from "./fold.js";
import { AVERAGE, chooseHead } from "./heads.js";
import { hideKeys, pause, showKeys, togglePlay } from "./play.js";
import { rove, roverFocused } from "./rove.js";
import { drawPicked, goToPicked, pick, pickedNode } from "./select.js";
import { askByKey, showWhatIf } from "./whatif.js";

const PAUSE = 500; // milliseconds without a step before the step is reported

// Taken where the focus is outside the canvas, but on nothing that has a use for them.
const PAGE_KEYS = /^(ArrowLeft|ArrowRight|Home|End|[?w1-9])$/;
const USES_KEYS = "input, textarea, select, iframe, [contenteditable='true'], [role='listbox'], "
  + "[role='slider'], [role='radio'], [role='tab'], [role='combobox'], [role^='menu'], [role='grid']";

const views = new WeakMap();

export default function show(component) {
  const { parentElement, data, setStateValue } = component;
  const root = parentElement.querySelector(".apt");
  let view = views.get(root);
  if (!view) {
    view = mount(root);
    views.set(root, view);
  }
  view.report = (at) => setStateValue("at", at);
  if (data && (!view.trace || view.trace.key !== data.key)) {
    load(view, data);
  }
  if (data) showWhatIf(view, data.whatif, setStateValue);
  if (data) showMarks(view, data.marks);
  if (data) showExercise(view, data.exercise, setStateValue);
  return () => view.unmount();
}

function mount(root) {
  const find = (selector) => root.querySelector(selector);
  const view = {
    root,
    find,
    trace: null,
    step: 0,
    zoom: null,
    timer: 0,
    frame: 0,
    playing: 0,
    head: AVERAGE,
    nodes: [],
    edges: [],
    report: () => {},
  };
  root.addEventListener("click", (event) => clicked(view, event));
  root.addEventListener("dblclick", (event) => jumped(view, event));
  root.addEventListener("focusin", (event) => focused(view, event));
  root.addEventListener("focusout", () => view.trace && near(view, null));
  const stage = find(".stage");
  stage.addEventListener("pointerover", (event) => view.trace && near(view, pickOf(event.target)));
  stage.addEventListener("pointerleave", () => view.trace && near(view, null));
  root.addEventListener("keydown", (event) => pressed(view, event));
  find(".slider").addEventListener("input", (event) => go(view, Number(event.target.value)));
  find(".head-choice").addEventListener("change", (event) => {
    chooseHead(view, Number(event.target.value));
  });
  find(".beam").addEventListener("toggle", () => view.trace && drawBeam(view));
  root.addEventListener("keyup", (event) => released(event));
  const pageKey = (event) => {
    const holder = document.activeElement || document.body;
    if (holder === root.getRootNode().host || holder.closest(USES_KEYS)) return;
    const isNowhere = holder === document.body;
    if (PAGE_KEYS.test(event.key) || (event.key === " " && isNowhere)) pressed(view, event);
  };
  document.addEventListener("keydown", pageKey);
  const resized = new ResizeObserver(() => view.trace && scale(view));
  resized.observe(find(".stage"));
  view.unmount = () => {
    document.removeEventListener("keydown", pageKey);
    resized.disconnect();
    clearTimeout(view.timer);
    clearTimeout(view.playing);
    views.delete(root);
  };
  return view;
}

// --- moving -----------------------------------------------------------------------

export function clamp(view, step) {
  return Math.min(Math.max(0, step), Math.max(0, view.trace.steps.action.length - 1));
}

export function lastStep(view) {
  return view.trace ? Math.max(0, view.trace.steps.action.length - 1) : 0;
}

// Goes where a person wants, which ends a play.
export function go(view, step) {
  pause(view);
  move(view, step);
}

export function move(view, step) {
  if (!view.trace) return;
  const wanted = clamp(view, step);
  if (wanted === view.step) return;
  view.step = wanted;
  if (!view.frame) {
    view.frame = requestAnimationFrame(() => {
      view.frame = 0;
      draw(view);
    });
  }
  reportSoon(view);
}

export function reportSoon(view) {
  clearTimeout(view.timer);
  if (view.playing) return;
  view.timer = setTimeout(() => view.report({ key: view.trace.key, step: view.step }), PAUSE);
}

function clicked(view, event) {
  const picked = pickOf(event.target);
  if (picked) {
    pick(view, picked);
    return;
  }
  const button = event.target.closest("button");
  if (!button) {
    if (view.trace && event.target.closest(".stage")) pick(view, null);
    return;
  }
  if (button.classList.contains("jump")) pick(view, null);
  if (button.classList.contains("picked-fold")) toggleFold(view, pickedNode(view));
  if (button.classList.contains("picked-clear")) pick(view, null);
  if (button.dataset.step) go(view, Number(button.dataset.step));
  if (button.dataset.go) goTo(view, button.dataset.go);
  if (button.dataset.zoom) zoom(view, button.dataset.zoom);
  if (button.classList.contains("copy")) copy(view, button);
  if (button.classList.contains("play")) togglePlay(view);
  if (button.classList.contains("keys")) showKeys(view);
  if (button.classList.contains("close")) hideKeys(view);
}

// A double click on a node or edge goes to the action that made it.
function jumped(view, event) {
  const picked = pickOf(event.target);
  if (!picked || picked.kind === "token") return;
  view.picked = picked;
  drawPicked(view);
  goToPicked(view);
}

function focused(view, event) {
  const picked = view.trace && pickOf(event.target);
  if (!picked) return;
  roverFocused(view, event.target);
  near(view, event.target.matches(":focus-visible") ? picked : null);
}

function goTo(view, place) {
  const last = lastStep(view);
  const steps = { first: 0, back: view.step - 1, forward: view.step + 1, last };
  go(view, steps[place]);
}

function pressed(view, event) {
  if (event.key === "r" || event.key === "c") event.stopPropagation(); // Streamlit's own keys
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (isInside(event, "dialog, select")) {
    event.stopPropagation();
    return;
  }
  if (!act(view, event)) return;
  event.preventDefault();
  event.stopPropagation();
}

// Does what a key stands for; gives whether it stood for anything.
function act(view, event) {
  const inList = isInside(event, ".actions");
  const places = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };
  if (inList) Object.assign(places, { ArrowUp: "back", ArrowDown: "forward" });
  const place = places[event.key];
  if (place) {
    goTo(view, place);
    if (inList) view.jumps[view.step].focus({ preventScroll: true });
    return true;
  }
  if (event.key === " " && (inList || !isInside(event, "button, summary, [data-pick]"))) {
    togglePlay(view);
    return true;
  }
  if (actOnPicked(view, event) || askByKey(view, event.key)) return true;
  if (event.key === "?") {
    showKeys(view);
    return true;
  }
  return false;
}

// The keys for what has the focus among tokens, nodes, edges and triples.
function actOnPicked(view, event) {
  const { key } = event;
  const picked = pickOf(event.target);
  if (key === "Escape" && view.picked) {
    pick(view, null);
    return true;
  }
  if (picked && (key === "ArrowUp" || key === "ArrowDown")) {
    rove(view, event.target, key === "ArrowUp" ? -1 : 1);
    return true;
  }
  if (picked && (key === "Enter" || key === " ") && isInside(event, ".stage")) {
    pick(view, picked);
    return true;
  }
  if (key !== "g" && key !== "f") return false;
  if (picked) {
    view.picked = picked;
    drawPicked(view);
  }
  if (key === "g") goToPicked(view);
  else toggleFold(view, pickedNode(view));
  return true;
}

// A browser presses a focused button when the space key comes up: in the list it plays.
function released(event) {
  if (event.key === " " && isInside(event, ".actions")) event.preventDefault();
}

function copy(view, button) {
  navigator.clipboard.writeText(view.trace.penman).then(() => {
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
}
