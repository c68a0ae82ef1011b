"""The editor of one graph as a Streamlit component."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from app.canvas.bundle import read_script
from app.canvas.payload import Payload

_HERE = Path(__file__).resolve().parent
_STYLES = ("../trace/canvas.css", "edit.css")


def _read(names: tuple[str, ...]) -> str:
    return "\n".join((_HERE / name).read_text(encoding="utf-8") for name in names)


_mount = st.components.v2.component(
    "aptamr_editor",
    html=_read(("edit.html",)),
    css=_read(_STYLES),
    js=read_script(_HERE / "edit.js"),
)


def _ignore() -> None:
    """Let a message be answered by the next drawing alone."""


def draw_editor(payload: Payload, *, key: str) -> None:
    """Draw a graph to be corrected.

    Args:
        payload: What :func:`app.pages.correct.editor.drawing.payload_of` gives.
        key: Name of the mount; ``st.session_state[key]["outbox"]`` holds the messages that
            are not acknowledged yet, see :func:`app.pages.correct.editor.outbox.read_outbox`.
    """
    _mount(key=key, data=payload, default={"outbox": None}, on_outbox_change=_ignore)
