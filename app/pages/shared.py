"""What all pages share: the engine, the stored traces and the look."""

from __future__ import annotations

from functools import partial

import streamlit as st

from app import engine
from app.views.drawing import Payload, payload_of
from app.views.link import Link
from app.views.stored import StoredTraces, load_traces
from app.views.text import escape_markdown
from app.views.trace import Trace
from aptcore.assets import asset_path

MAX_RUN_ENGINES = 2
"""Models of training runs that are held beside the pages' own one."""

NO_VALUE = "–"
"""What a table shows in a cell without a value."""

_LOOK = """<style>
[data-testid="InputInstructions"] { display: none; }
.stMainBlockContainer { padding-top: 4rem; padding-bottom: 3rem; }
.stApp :is(a, button, summary):focus-visible {
  outline: 3px solid currentColor;
  outline-offset: 2px;
}
</style>"""


@st.cache_resource(show_spinner=False)
def shared_engine() -> engine.Engine:
    """Give the one engine of this process; it is not loading yet."""
    return engine.Engine(engine.load_parser)


def engine_of(link: Link) -> engine.Engine:
    """Give the engine that is to parse for a link.

    Raises:
        InputError: If the link names a run or checkpoint that is not in the folder of runs.
    """
    if link.run is None:
        return shared_engine()
    from trainer.runs.folders import runs_folder  # here: no first page needs it
    from trainer.runs.watching import checkpoint_folder  # here: no first page needs it

    folder = checkpoint_folder(runs_folder(), link.run, link.checkpoint or "")
    return _engine_at(str(folder), (folder / "parser.json").stat().st_mtime_ns)


@st.cache_resource(max_entries=MAX_RUN_ENGINES, on_release=engine.Engine.close, show_spinner=False)
def _engine_at(folder: str, written: int) -> engine.Engine:
    """Give the engine of one model folder, as it was written at a time in nanoseconds."""
    return engine.Engine(partial(engine.load_model, folder))


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
