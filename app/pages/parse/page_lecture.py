"""A lecture: sentences of this visit with notes, in one file that steps without a server."""

from __future__ import annotations

import re
from collections.abc import Callable

import streamlit as st

from app.kit.text import counted, escape_markdown, moment_text, shorten
from app.pages.parse.lecture import Desk
from aptcore.errors import FormatError
from aptcore.trace.trace import Trace

MAX_ENTRIES = 60
"""Most sentences of one lecture."""

MAX_NOTE = 4000
"""Longest note, in characters."""


def desk() -> Desk:
    """Give what this session works at."""
    found: Desk = st.session_state.setdefault("lecture_desk", Desk())
    return found


def draw_lecture(trace: Trace, where: Callable[[], int]) -> None:
    """Draw the lecture behind one line that opens.

    Args:
        trace: What is shown, and can be added.
        where: Tells how many actions are taken where the person stands; the sentence opens there.
    """
    number = len(desk().numbers)
    with st.expander("Lecture"):  # another label would close it
        st.caption(
            "Sentences with notes of yours, in one file that steps without a network. A reload "
            "of this page begins a new one: download the file, and open it here to go on."
        )
        row = st.container(horizontal=True, gap="small", vertical_alignment="bottom")
        row.button(
            "Add this sentence",
            icon=":material/add:",
            on_click=lambda: desk().add(trace, where()),
            disabled=number >= MAX_ENTRIES,
        )
        row.caption(
            f"It opens where you stand: {moment_text(where(), len(trace.steps)).lower()}. "
            f"The lecture has {counted(number, 'sentence')}."
        )
        for place, name in enumerate(desk().numbers):
            _draw_entry(place, name)
        if number:
            _draw_taking()
        _draw_opening()


def _draw_entry(place: int, number: int) -> None:
    """Draw a sentence of the lecture: its note, and where it stands."""
    entry = desk().lecture.entries[place]
    key = f"lecture_{number}"  # not its place: what was typed goes along with the sentence
    row = st.container(horizontal=True, gap="small", vertical_alignment="center")
    words = shorten(entry.trace.sentence.text, 80)
    row.markdown(f"**{place + 1}.** {escape_markdown(words)}")
    row.button(
        "Up",
        key=f"{key}_up",
        on_click=desk().move_up,
        args=(number,),
        disabled=place == 0,
        help=f"Move sentence {place + 1} before the one above it",
    )
    row.button(
        "Remove",
        key=f"{key}_out",
        on_click=desk().remove,
        args=(number,),
        help=f"Sentence {place + 1}",
    )
    st.text_area(
        f"Note on sentence {place + 1}",
        value=entry.note,
        max_chars=MAX_NOTE,
        height=80,
        key=f"{key}_note",
        on_change=lambda: desk().note(number, st.session_state[f"{key}_note"]),
        placeholder="What to look at here",
    )


def _draw_taking() -> None:
    """Offer title and file."""
    title = desk().lecture.title
    key = f"lecture_title_{st.session_state.get('lecture_turn', 0)}"
    row = st.container(horizontal=True, gap="small", vertical_alignment="bottom")
    row.text_input(
        "Title",
        value=title,
        max_chars=200,
        key=key,
        on_change=lambda: desk().name(st.session_state[key]),
    )
    words = re.findall(r"[a-z0-9]+", title.lower())
    row.download_button(
        "Download the lecture",
        desk().write,
        file_name=f"{'-'.join(words)[:40].strip('-') or 'lecture'}.html",
        mime="text/html",
        type="primary",
        on_click=desk().is_pressed.set,
        key="lecture_file",
    )


def _draw_opening() -> None:
    """Take a lecture's file to go on with."""
    st.file_uploader(
        "Open a lecture that was made here; it takes the place of the one above",
        type="html",
        key="lecture_upload",
        on_change=_open,
    )
    if refusal := st.session_state.pop("lecture_refusal", None):
        st.error(escape_markdown(refusal))


def _open() -> None:
    uploaded = st.session_state.lecture_upload
    if uploaded is None:
        return
    try:
        desk().open(uploaded.getvalue().decode("utf-8", "replace"))
    except FormatError as error:
        st.session_state.lecture_refusal = f"{uploaded.name}: {error}"
    else:
        st.session_state.lecture_turn = st.session_state.get("lecture_turn", 0) + 1
