"""Two graphs in one drawing, as a Streamlit component that only shows."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from app.canvas.bundle import read_script
from app.canvas.payload import Payload

_HERE = Path(__file__).resolve().parent
_mount = st.components.v2.component(
    "aptamr_union",
    html=(_HERE / "union.html").read_text(encoding="utf-8"),
    css=(_HERE / "union.css").read_text(encoding="utf-8"),
    js=read_script(_HERE / "union.js"),
)


def draw_union(payload: Payload, *, key: str) -> None:
    """Draw what :func:`app.pages.compare.drawing.payload_of_union` gives.

    Args:
        payload: The drawing.
        key: Name of the mount; keep it the same over reruns and sentences.
    """
    _mount(key=key, data=payload)
