"""The drawings as Streamlit components: a trace, a graph to be corrected, an alignment, a union."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from app.canvas.bundle import read_script
from app.canvas.payload import Payload
from app.canvas.trace import parts
from app.canvas.trace.drawing import payload_of
from app.canvas.trace.opened import Opened, payload_of_opened, read_opened
from app.kit.glossary import TERMS
from aptcore.trace.trace import Trace

_HERE = Path(__file__).resolve().parent


def _mount(folder: str, stem: str, *styles: str) -> Callable[..., Any]:
    """Make a component of a folder's HTML and script, which have one stem, and of style sheets."""
    html, *sheets = (
        (_HERE / name).read_text("utf-8") for name in (f"{folder}/{stem}.html", *styles)
    )
    return st.components.v2.component(
        f"aptamr_{folder}",
        html=html,
        css="\n".join(sheets),
        js=read_script(_HERE / folder / f"{stem}.js"),
    )


_canvas = st.components.v2.component(
    "aptamr_canvas", html=parts.read_html(), css=parts.read_style(), js=parts.read_script()
)
_editor = _mount("editor", "edit", "trace/canvas.css", "editor/edit.css")
_aligner = _mount("aligner", "align", "aligner/align.css")
_union = _mount("union", "union", "union/union.css")
_own = _mount("own", "own", "own/own.css")


def _ignore() -> None:
    """Let a message be answered by the next drawing alone."""


def shown_payload(trace: Trace, start: int, key: str) -> Payload:
    """Give what the canvas draws of a trace.

    Args:
        trace: What is shown.
        start: How many actions are taken where it opens.
        key: Name of the mount, which tells what is open on it.
    """
    state = st.session_state.get(key)
    opened = read_opened(None if state is None else state.get("opened"), trace.hash)
    parts = _cached_opened(trace.hash, opened, trace)
    return {
        **_cached_payload(trace.hash, trace),
        "start": start,
        "terms": dict(TERMS),
        "opened": parts,
    }


@st.cache_data(max_entries=32, show_spinner=False)
def _cached_payload(trace_hash: str, _trace: Trace) -> Payload:
    """Work out once what is drawn; the trace is known by its hash."""
    return payload_of(_trace, 0)


@st.cache_data(max_entries=32, show_spinner=False)
def _cached_opened(trace_hash: str, opened: Opened, _trace: Trace) -> Payload:
    """Work out once what is open."""
    return payload_of_opened(_trace, opened)


def draw_canvas(payload: Payload, *, key: str, on_at_change: Callable[[], None]) -> None:
    """Draw a trace.

    Args:
        payload: What :func:`app.canvas.trace.drawing.payload_of` gives.
        key: Name of the mount; keep it the same over reruns and traces.
        on_at_change: Called after a pause in stepping; ``st.session_state[key]["at"]``
            then holds ``{"key": trace key, "step": actions taken}``.

    What the canvas asks stands in ``st.session_state[key]["ask"]``, numbered; see
    :func:`app.pages.parse.whatif.read_ask`. It asks only where the payload has ``whatif``.
    What is open on it stands in ``["opened"]``, which :func:`shown_payload` reads.
    """
    _canvas(
        key=key,
        data=payload,
        default={"at": None, "ask": None, "opened": None},
        on_at_change=on_at_change,
        on_ask_change=_ignore,
        on_opened_change=_ignore,
    )


def draw_editor(payload: Payload, *, key: str) -> None:
    """Draw a graph to be corrected: :func:`app.pages.correct.editor.drawing.payload_of`.

    ``st.session_state[key]["outbox"]`` holds the messages that are not acknowledged yet, see
    :func:`app.pages.correct.editor.outbox.read_outbox`.
    """
    _editor(key=key, data=payload, default={"outbox": None}, on_outbox_change=_ignore)


def draw_aligner(payload: Payload, *, key: str) -> None:
    """Draw a gold graph with its alignment: :func:`app.pages.oracle.aligner.payload_of_aligner`.

    ``st.session_state[key]["outbox"]`` holds the changes that are not acknowledged yet, see
    :func:`app.pages.oracle.aligner.read_outbox`.
    """
    _aligner(key=key, data=payload, default={"outbox": None}, on_outbox_change=_ignore)


def draw_union(payload: Payload, *, key: str) -> None:
    """Draw what :func:`app.pages.compare.drawing.payload_of_union` gives; nothing is sent back."""
    _union(key=key, data=payload)


def draw_own(payload: Payload, *, key: str) -> None:
    """Draw what the browser keeps by itself: the pace, and a person's keys in a store."""
    _own(key=key, data=payload)
