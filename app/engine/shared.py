"""The engines of this process."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import streamlit as st

from app.addresses.parse import Link
from app.engine import worker as engine
from app.kit.text import escape_markdown
from aptcore.assets import asset_path
from aptcore.errors import FormatError
from aptcore.trace.format import load_trace
from aptcore.trace.trace import Trace

MAX_RUN_ENGINES = 2
"""Models of training runs that are held beside the pages' own one."""


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


@dataclass(frozen=True, slots=True)
class StoredTraces:
    """The traces of a folder; ``problems`` names every file that is none, and why."""

    traces: tuple[Trace, ...]
    problems: tuple[str, ...]


def load_traces(folder: Path) -> StoredTraces:
    """Read all traces of a folder, in order of file name; a bad file hides no other."""
    traces: list[Trace] = []
    problems: list[str] = []
    for path in sorted(folder.glob("*.json")):
        try:
            traces.append(load_trace(path))
        except FormatError as error:
            problems.append(str(error))
    return StoredTraces(tuple(traces), tuple(problems))


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
