"""The editor of an alignment as a Streamlit component: a gold graph beside its words."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from app.canvas.bundle import read_script
from app.canvas.payload import Payload

_HERE = Path(__file__).resolve().parent
_mount = st.components.v2.component(
    "aptamr_aligner",
    html=(_HERE / "align.html").read_text(encoding="utf-8"),
    css=(_HERE / "align.css").read_text(encoding="utf-8"),
    js=read_script(_HERE / "align.js"),
)


def _ignore() -> None:
    """Let a change be answered by the next drawing alone."""


def draw_aligner(payload: Payload, *, key: str) -> None:
    """Draw a gold graph with its alignment.

    Args:
        payload: What :func:`app.pages.oracle.aligner.payload_of_aligner` gives.
        key: Name of the mount; ``st.session_state[key]["outbox"]`` holds the changes that
            are not acknowledged yet, see :func:`app.pages.oracle.aligner.read_outbox`.
    """
    _mount(key=key, data=payload, default={"outbox": None}, on_outbox_change=_ignore)
