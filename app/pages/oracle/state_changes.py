"""What a person does on the Oracle page, and what it does to the session."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from app.kit.corpora import Source, open_pasted, open_path, open_upload
from app.kit.data_folder import data_folder
from app.pages.oracle.aligner import Operation, apply, read_outbox
from app.pages.oracle.sentence import changes_between
from app.pages.oracle.state import (
    ALIGNER,
    CANVAS,
    STATE,
    Opened,
    example_source,
    opened,
    places_of,
    sentence_key,
    shown_corpus,
    shown_history,
    shown_index,
    view_with,
    write_address,
)
from aptcore.errors import AptamrError
from aptcore.trace.trace import clamp_step


def show(source: Source) -> None:
    """Put a source on the page, at its first sentence."""
    take_operations()
    now = opened()
    st.session_state.oracle_problem = None
    if source.hash != now.source.hash:
        st.session_state[STATE] = Opened(source, now.variant, now.view, replay=now.replay)
    write_address()


def take_origin() -> None:
    """Show the example where it was chosen; all else waits for its field."""
    st.session_state.oracle_problem = None
    if st.session_state.oracle_origin == "example":
        show(example_source())


def take_path() -> None:
    """Open the file that was chosen or typed."""
    name = st.session_state.oracle_path
    if name:
        _try_to_show(lambda: open_path(data_folder(), name.strip()))


def take_upload() -> None:
    """Open the file that was uploaded."""
    upload = st.session_state.oracle_upload
    if upload is not None:
        _try_to_show(lambda: open_upload(upload.name, upload.getvalue()))


def take_text() -> None:
    """Open what was pasted."""
    _try_to_show(lambda: open_pasted(st.session_state.oracle_text))


def _try_to_show(open_source: Callable[[], Source]) -> None:
    try:
        show(open_source())
    except AptamrError as error:
        st.session_state.oracle_problem = str(error)


def take_variant() -> None:
    """Run the oracle that was chosen."""
    _put(variant=st.session_state.oracle_variant)


def take_view() -> None:
    """Show the sentence or the corpus."""
    _put(view=st.session_state.oracle_view)


def take_replay() -> None:
    """Put the model beside the oracle, or take it away; the step stays."""
    st.session_state[STATE] = replace(opened(), replay=st.session_state.oracle_replay)
    write_address()


def take_number() -> None:
    """Go to the sentence of a number."""
    go_to(int(st.session_state.oracle_number) - 1)


def go_to(place: int) -> None:
    """Show a sentence by its place among the graphs of the corpus."""
    last = len(places_of(shown_corpus())) - 1
    _put(place=min(max(0, place), max(0, last)), view="sentence")


def change_variant(variant: str) -> None:
    """Run another oracle, as if it had been chosen in its field."""
    st.session_state.oracle_variant = variant
    take_variant()


def _put(**changes: Any) -> None:
    """Show something else than before, once what was done there is taken in.

    On a slow line both come at once; what was refused there is no longer told.
    """
    take_operations()
    st.session_state[STATE] = replace(opened(), **changes, step=None, refusal=None)
    write_address()


def take_step(key: str, num_steps: int) -> None:
    """Write the step at which stepping paused into the address."""
    state = st.session_state.get(CANVAS)
    at = None if state is None else state.get("at")
    if isinstance(at, dict) and at.get("key") == key:
        step = clamp_step(int(at["step"]), num_steps)
        st.session_state[STATE] = replace(opened(), step=step)
        write_address()


def take_operations() -> None:
    """Take in what the editor of the alignment sent, once and in order.

    What is sent next ends this wherever it asks the session: a change is taken only with its
    outcome.
    """
    state = st.session_state.get(ALIGNER)
    fresh = read_outbox(None if state is None else state.get("outbox"), st.session_state.oracle_ack)
    for operation in fresh:
        if operation.key == sentence_key():
            _take_operation(operation)
        else:
            st.session_state.oracle_ack = operation.number


def _take_operation(operation: Operation) -> None:
    before = shown_history()
    after = apply(before, operation)
    now, place = opened(), (opened().source.hash, shown_index())
    refusal, step = None, now.step
    try:
        if after is not before:
            changes = changes_between(view_with(before), view_with(after))
            step = changes.steps[0] if changes.steps else step
    except AptamrError as error:
        after, refusal = before, str(error)
    histories = st.session_state.oracle_histories
    st.session_state.oracle_ack = operation.number
    histories[place] = after
    if after is not before or refusal is not None:
        st.session_state[STATE] = replace(now, refusal=refusal, step=step)
    if after is not before:
        write_address()
