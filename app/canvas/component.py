"""The canvas as a Streamlit component: one mount, one trace, stepping in the browser."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from app.canvas.parts import read_html, read_script, read_style
from app.views.drawing import Payload

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
        payload: What :func:`app.views.drawing.payload_of` gives.
        key: Name of the mount; keep it the same over reruns and traces.
        on_at_change: Called after a pause in stepping; ``st.session_state[key]["at"]``
            then holds ``{"key": trace key, "step": position}``.

    What the canvas asks stands in ``st.session_state[key]["ask"]``, numbered; see
    :func:`app.views.whatif.read_ask`. It asks only where the payload has ``whatif``.
    """
    _mount(
        key=key,
        data=payload,
        default={"at": None, "ask": None},
        on_at_change=on_at_change,
        on_ask_change=_ignore,
    )
