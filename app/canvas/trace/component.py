"""The canvas as a Streamlit component: one mount, one trace, stepping in the browser."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from app.canvas.payload import Payload
from app.canvas.trace.drawing import payload_of
from app.canvas.trace.parts import read_html, read_script, read_style
from aptcore.trace.trace import Trace


def shown_payload(trace: Trace, start: int) -> Payload:
    """Give what the canvas draws of a trace, from the action at ``start`` on."""
    return {**_cached_payload(trace.hash, trace), "start": start}


@st.cache_data(max_entries=32, show_spinner=False)
def _cached_payload(trace_hash: str, _trace: Trace) -> Payload:
    """Work out once what is drawn; the trace is known by its hash."""
    return payload_of(_trace, 0)


_mount = st.components.v2.component(
    "aptamr_canvas",
    html=read_html(),
    css=read_style(),
    js=read_script(),
)


def _ignore() -> None:
    """Let a question be answered by the next drawing alone."""


def draw_canvas(payload: Payload, *, key: str, on_at_change: Callable[[], None]) -> None:
    """Draw a trace.

    Args:
        payload: What :func:`app.canvas.trace.drawing.payload_of` gives.
        key: Name of the mount; keep it the same over reruns and traces.
        on_at_change: Called after a pause in stepping; ``st.session_state[key]["at"]``
            then holds ``{"key": trace key, "step": position}``.

    What the canvas asks stands in ``st.session_state[key]["ask"]``, numbered; see
    :func:`app.pages.parse.whatif.read_ask`. It asks only where the payload has ``whatif``.
    """
    _mount(
        key=key,
        data=payload,
        default={"at": None, "ask": None},
        on_at_change=on_at_change,
        on_ask_change=_ignore,
    )
