"""A lecture: sentences of this visit with notes, in one file that steps without a server."""

from __future__ import annotations

import re
from dataclasses import replace

import streamlit as st

from app.exports.stepper import Entry, Lecture, format_lecture, read_lecture
from app.kit.text import counted, escape_markdown, moment_text, shorten
from aptcore.errors import FormatError
from aptcore.trace.trace import Trace

MAX_ENTRIES = 60
"""Most sentences of one lecture."""

MAX_NOTE = 4000
"""Longest note, in characters."""


def draw_lecture(trace: Trace, step: int) -> None:
    """Draw the lecture behind one line that opens.

    Args:
        trace: What is shown, and can be added.
        step: How many actions are taken where the person stands; the sentence opens there.
    """
    lecture: Lecture = st.session_state.setdefault("lecture", Lecture())
    number = len(lecture.entries)
    with st.expander("Lecture"):  # another label would close it
        st.caption(
            "Sentences with notes of yours, in one file that steps without a network. A reload "
            "of this page begins a new one: download the file, and open it here to go on."
        )
        row = st.container(horizontal=True, gap="small", vertical_alignment="bottom")
        row.button(
            "Add this sentence",
            icon=":material/add:",
            on_click=_add,
            args=(trace, step),
            disabled=number >= MAX_ENTRIES,
        )
        row.caption(
            f"It opens where you stand: {moment_text(step, len(trace.steps)).lower()}. "
            f"The lecture has {counted(number, 'sentence')}."
        )
        for place, entry in enumerate(lecture.entries):
            _draw_entry(place, entry)
        if number:
            _draw_taking(lecture)
        _draw_opening()


def _draw_entry(place: int, entry: Entry) -> None:
    """Draw a sentence of the lecture: its note, and where it stands."""
    turn = st.session_state.get("lecture_turn", 0)
    key = f"lecture_{turn}_{place}"
    row = st.container(horizontal=True, gap="small", vertical_alignment="center")
    words = shorten(entry.trace.sentence.text, 80)
    row.markdown(f"**{place + 1}.** {escape_markdown(words)}")
    row.button(
        "Up",
        key=f"{key}_up",
        on_click=_move,
        args=(place,),
        disabled=place == 0,
        help=f"Move sentence {place + 1} before the one above it",
    )
    row.button(
        "Remove", key=f"{key}_out", on_click=_remove, args=(place,), help=f"Sentence {place + 1}"
    )
    st.text_area(
        f"Note on sentence {place + 1}",
        value=entry.note,
        max_chars=MAX_NOTE,
        height=80,
        key=f"{key}_note",
        on_change=_note,
        args=(place, f"{key}_note"),
        placeholder="What to look at here",
    )


def _draw_taking(lecture: Lecture) -> None:
    """Offer title and file."""
    row = st.container(horizontal=True, gap="small", vertical_alignment="bottom")
    row.text_input(
        "Title",
        value=lecture.title,
        max_chars=200,
        key=f"lecture_{st.session_state.get('lecture_turn', 0)}_title",
        on_change=_title,
    )
    # A note that is just typed comes with the click on this, and not with one on a download.
    row.button("Write the file", type="primary", on_click=_write, key="lecture_write")
    if "lecture_file" in st.session_state:
        words = re.findall(r"[a-z0-9]+", lecture.title.lower())
        row.download_button(
            "Download the lecture",
            st.session_state.lecture_file,
            file_name=f"{'-'.join(words)[:40].strip('-') or 'lecture'}.html",
            mime="text/html",
            on_click="ignore",
            key="lecture_file_button",
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


def _write() -> None:
    st.session_state.lecture_file = format_lecture(st.session_state.lecture).encode(
        "utf-8", "backslashreplace"
    )


def _keep(lecture: Lecture) -> None:
    """Keep what changed; a file that was written before is not of it."""
    st.session_state.lecture = lecture
    st.session_state.pop("lecture_file", None)


def _set(lecture: Lecture) -> None:
    """Keep a changed order; fields of another one are not taken for its own."""
    _keep(lecture)
    st.session_state.lecture_turn = st.session_state.get("lecture_turn", 0) + 1


def _add(trace: Trace, step: int) -> None:
    lecture: Lecture = st.session_state.lecture
    _set(replace(lecture, entries=(*lecture.entries, Entry(trace, "", step))))


def _remove(place: int) -> None:
    entries = st.session_state.lecture.entries
    _set(replace(st.session_state.lecture, entries=entries[:place] + entries[place + 1 :]))


def _move(place: int) -> None:
    entries = list(st.session_state.lecture.entries)
    entries[place - 1 : place + 1] = entries[place], entries[place - 1]
    _set(replace(st.session_state.lecture, entries=tuple(entries)))


def _note(place: int, key: str) -> None:
    entries = list(st.session_state.lecture.entries)
    entries[place] = replace(entries[place], note=st.session_state[key])
    _keep(replace(st.session_state.lecture, entries=tuple(entries)))


def _title() -> None:
    key = f"lecture_{st.session_state.get('lecture_turn', 0)}_title"
    _keep(replace(st.session_state.lecture, title=st.session_state[key]))


def _open() -> None:
    uploaded = st.session_state.lecture_upload
    if uploaded is None:
        return
    try:
        _set(read_lecture(uploaded.getvalue().decode("utf-8", "replace")))
    except FormatError as error:
        st.session_state.lecture_refusal = f"{uploaded.name}: {error}"
