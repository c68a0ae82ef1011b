"""The canvas as a Streamlit component: one mount, one trace, stepping in the browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from app.views.drawing import Payload

_HERE = Path(__file__).resolve().parent
_SCRIPTS = ("step.js", "build.js", "draw.js")
"""Parts of one JavaScript module, joined here: a component takes a single text."""


def read_script() -> str:
    """Join the parts of the canvas's JavaScript."""
    return "\n".join((_HERE / name).read_text(encoding="utf-8") for name in _SCRIPTS)


_mount = st.components.v2.component(
    "aptamr_canvas",
    html=(_HERE / "canvas.html").read_text(encoding="utf-8"),
    css=(_HERE / "canvas.css").read_text(encoding="utf-8"),
    js=read_script(),
)


def draw_canvas(payload: Payload, *, key: str, on_at_change: Callable[[], None]) -> None:
    """Draw a trace.

    Args:
        payload: What :func:`app.views.drawing.payload_of` gives.
        key: Name of the mount; keep it the same over reruns and traces.
        on_at_change: Called after a pause in stepping; ``st.session_state[key]["at"]``
            then holds ``{"key": trace key, "step": position}``.
    """
    _mount(key=key, data=payload, default={"at": None}, on_at_change=on_at_change)
