"""What the canvas of the Parse & step page asks, and what it does to the session."""

from __future__ import annotations

from concurrent.futures import wait
from dataclasses import replace

import streamlit as st

from app.addresses.branch import Path
from app.engine.shown import Shown, shown_at
from app.pages.parse.branches import Tree, move, path_of, path_with, trace_at
from app.pages.parse.state import (
    CANVAS,
    Awaited,
    follow,
    linked,
    requested,
    take_parse,
    write_address,
)
from app.pages.parse.whatif import Ask, read_ask
from aptcore.errors import AptamrError
from aptcore.trace.trace import clamp_step

ANSWER_SECONDS = 1.0
"""How long the canvas's question is waited for at once; later the page looks again."""


def take_ask() -> bool:
    """Answer what the canvas asked since the last time, if anything.

    Returns:
        Whether the answer takes longer: the page must then be drawn anew to look for it.
    """
    state = st.session_state.get(CANVAS)
    ask = read_ask(None if state is None else state.get("ask"))
    tree: Tree = st.session_state.tree
    if ask is None or ask.number <= st.session_state.asked:
        return False
    seen = path_of(tree, ask.key)  # of the branch it was asked in, which may be left by now
    path, reason = (None, None) if seen is None else _read_path(ask, move(tree, seen))
    # Worked out before: what is sent next ends this wherever it asks the session.
    st.session_state.asked = ask.number
    st.session_state.refusal = None
    if seen is None:
        return False
    if seen == tree.at:
        shown: Shown = st.session_state.shown
        start = clamp_step(ask.step, len(shown.trace.steps))
        st.session_state.shown = replace(shown, start=start)
    if st.session_state.awaited is not None:
        reason = "Another parse is under way: ask again when it is done."
    if reason is not None:
        _refuse(reason)
    return path is not None and reason is None and _decode_asked(ask, path)


def _read_path(ask: Ask, tree: Tree) -> tuple[Path | None, str | None]:
    """Give the branch that is meant, asked in what a tree shows, or why there is none."""
    try:
        return ask.path if ask.action is None else path_with(tree, ask.step, ask.action), None
    except AptamrError as error:
        return None, str(error)


def _refuse(reason: str) -> None:
    """Say why nothing comes of a question; the address then names where it was asked."""
    st.session_state.refusal = reason
    write_address()


def _decode_asked(ask: Ask, path: Path) -> bool:
    """Go to the branch that is meant, decoding it first if it is new."""
    tree: Tree = st.session_state.tree
    trace = trace_at(tree, path)
    if trace is not None:
        st.session_state.tree = move(tree, path)
        st.session_state.shown = shown_at(trace, "parsed", ask.step)
        write_address()
        return False
    follow(linked(tree.root.sentence.text, ask.step, requested().beam, path), is_asked=True)
    awaited: Awaited | None = st.session_state.awaited
    if awaited is None:
        return False
    if not wait([awaited.job], ANSWER_SECONDS).done:
        return True
    take_parse(awaited)
    return st.session_state.awaited is not None
