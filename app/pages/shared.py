"""What all pages share: the engine, the stored traces and the look."""

from __future__ import annotations

import streamlit as st

from app import engine
from app.views.drawing import Payload, payload_of
from app.views.stored import StoredTraces, load_traces
from app.views.text import escape_markdown
from app.views.trace import Trace
from aptcore.assets import asset_path

_LOOK = """<style>
[data-testid="InputInstructions"] { display: none; }
.stMainBlockContainer { padding-top: 4rem; padding-bottom: 3rem; }
</style>"""


@st.cache_resource(show_spinner=False)
def shared_engine() -> engine.Engine:
    """Give the one engine of this process; it is not loading yet."""
    return engine.Engine(engine.load_parser)


@st.cache_resource(show_spinner=False)
def stored_folder() -> StoredTraces:
    """Read the traces that come with the program, once."""
    return load_traces(asset_path("traces"))


def stored_traces() -> tuple[Trace, ...]:
    """Give the stored traces that can be read."""
    return stored_folder().traces


def draw_stored_problems() -> None:
    """Name the stored traces that cannot be read."""
    for problem in stored_folder().problems:
        st.error(f"A stored trace cannot be read. {escape_markdown(problem)}")


def shown_payload(trace: Trace, start: int) -> Payload:
    """Give what the canvas draws of a trace, from the action at ``start`` on."""
    return {**_cached_payload(trace.hash, trace), "start": start}


@st.cache_data(max_entries=32, show_spinner=False)
def _cached_payload(trace_hash: str, _trace: Trace) -> Payload:
    """Work out once what is drawn; the trace is known by its hash."""
    return payload_of(_trace, 0)


def apply_look() -> None:
    """Bring the page's content nearer to the top."""
    st.html(_LOOK)
