"""The editor of one graph as a Streamlit component."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from app.views.drawing import Payload

_HERE = Path(__file__).resolve().parent
_SCRIPTS = (
    "edit.js",
    "edit_outbox.js",
    "edit_draw.js",
    "edit_reading.js",
    "edit_keys.js",
    "edit_act.js",
    "edit_prompt.js",
    "edit_side.js",
    "edit_text.js",
    "build.js",
    "draw.js",
    "select.js",
)
"""Parts of one JavaScript module; the last three belong to the canvas of a trace."""

_STYLES = ("canvas.css", "edit.css")


def _read(names: tuple[str, ...]) -> str:
    return "\n".join((_HERE / name).read_text(encoding="utf-8") for name in names)


_mount = st.components.v2.component(
    "aptamr_editor",
    html=_read(("edit.html",)),
    css=_read(_STYLES),
    js=_read(_SCRIPTS),
)


def _ignore() -> None:
    """Let a message be answered by the next drawing alone."""


def draw_editor(payload: Payload, *, key: str) -> None:
    """Draw a graph to be corrected.

    Args:
        payload: What :func:`app.views.correct_drawing.payload_of` gives.
        key: Name of the mount; ``st.session_state[key]["outbox"]`` holds the messages that
            are not acknowledged yet, see :func:`app.views.correct_outbox.read_outbox`.
    """
    _mount(key=key, data=payload, default={"outbox": None}, on_outbox_change=_ignore)
