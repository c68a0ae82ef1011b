"""What all pages share: the engine, the stored traces and the look."""

from __future__ import annotations

import streamlit as st

from app import engine
from app.views.stored import load_traces
from app.views.trace import Trace
from aptcore.assets import asset_path

_LOOK = """<style>
.stMainBlockContainer { padding-top: 4rem; padding-bottom: 3rem; }
</style>"""


@st.cache_resource(show_spinner=False)
def shared_engine() -> engine.Engine:
    """Give the one engine of this process; it is not loading yet."""
    return engine.Engine(engine.load_parser)


@st.cache_resource(show_spinner=False)
def stored_traces() -> tuple[Trace, ...]:
    """Read the traces that come with the program, once."""
    return load_traces(asset_path("traces"))


def apply_look() -> None:
    """Bring the page's content nearer to the top."""
    st.html(_LOOK)
