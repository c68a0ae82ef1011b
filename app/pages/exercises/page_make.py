"""The forms for instructors: make a lesson without code, link several, open a lesson file."""

from __future__ import annotations

from dataclasses import asdict
from typing import get_args
from urllib.parse import urlencode

import streamlit as st

from app.addresses.codec import format_link
from app.addresses.exercises import ExerciseLink, Feedback, Mode
from app.kit.limits import MAX_CHARACTERS
from app.kit.text import as_sentence, escape_markdown
from app.lessons.lesson import (
    FEEDBACK_NAMES,
    KINDS,
    MAX_FILE,
    MAX_TEXT,
    MODE_NAMES,
    GoalShown,
    Lesson,
    read_lesson,
)
from app.lessons.making import (
    MAX_GRAPH,
    Draft,
    Made,
    draft_of,
    format_lesson,
    make_lesson,
    numbered_tokens,
)
from app.pages.exercises.opening import unpack_draft
from app.pages.exercises.state import all_lessons, open_own, opened
from aptcore.errors import AptamrError, FormatError
from aptcore.transition.sets import ACTION_SETS

_GOALS = {"shown": "Drawn faintly from the start", "hidden": "Not shown"}
_SETS = {"paper": "The paper's actions", "exact": "All actions of aptamr"}
_EXAMPLE = "(s / sleep-01\n   :ARG0 (c / cat))"
_CODE = """<style>
.st-key-make_penman textarea { font-family: "Source Code Pro", ui-monospace, monospace; }
</style>"""
_DEFAULTS = Draft("The cat sleeps.", _EXAMPLE, "My lesson", "Build the graph of this sentence.")


def draw_making() -> None:
    """Draw the forms, each behind a line that opens."""
    with st.expander("For instructors: make a lesson"):
        draw_form()
        draw_made()
    with st.expander("For instructors: a link for a class"):
        draw_class_link()
    with st.expander("Open a lesson file"):
        draw_upload()


def draw_begun(packed: str) -> None:
    """Draw the form alone, begun with a sentence and graph that another page sent.

    Args:
        packed: Both, as the address holds them; they are taken once, so that corrections stay.
    """
    st.subheader("Make a lesson")
    st.button("To the lessons", icon=":material/arrow_back:", on_click=st.query_params.clear)
    if st.session_state.get("make_source") != packed:
        try:
            _fill_fields(unpack_draft(packed))
        except FormatError as error:
            _draw_error("Nothing can be begun from this address.", error)
            return
        st.session_state.make_source = packed
        take_draft()
    draw_form()
    draw_made()


def draw_form() -> None:
    """Draw the form; its button aligns the graph and checks everything."""
    _fill_fields()
    st.html(_CODE)
    st.markdown(
        "Write a sentence and its graph. **Check** splits the sentence into tokens and finds, for "
        "every part of the graph, the token that it stands for: a mark `~e.2` means token 2, "
        "counted from 0. Change the marks where they are wrong, and check again."
    )
    if "make" not in st.query_params:
        st.markdown(
            "To begin with the parser's graph, parse a sentence on Parse & step and press **Make "
            "a lesson of this** there."
        )
        is_alone = opened() is None
        st.button(
            "Start from the lesson above", on_click=take_lesson, disabled=is_alone, key="make_from"
        )
    with st.form("make_form", border=False):
        st.text_input("Sentence", key="make_text", max_chars=MAX_CHARACTERS)
        st.text_area("Graph (PENMAN)", key="make_penman", height=190, max_chars=MAX_GRAPH)
        left, right = st.columns(2)
        left.text_input("Title", key="make_title", max_chars=100)
        left.text_area("Task", key="make_task", height=110, max_chars=MAX_TEXT)
        right.text_area("Hint (may be empty)", key="make_hint", height=68, max_chars=MAX_TEXT)
        right.text_area("Closing words (may be empty)", key="make_closing", max_chars=MAX_TEXT)
        _draw_choices()
        st.form_submit_button("Check", type="primary", on_click=take_draft)


def _draw_choices() -> None:
    row = st.columns(4)
    row[0].selectbox(
        "What to do", get_args(Mode), key="make_mode", format_func=MODE_NAMES.__getitem__
    )
    row[1].selectbox(
        "What is told",
        get_args(Feedback),
        key="make_feedback",
        format_func=FEEDBACK_NAMES.__getitem__,
    )
    row[2].selectbox(
        "The goal", get_args(GoalShown), key="make_goal", format_func=_GOALS.__getitem__
    )
    row[3].selectbox(
        "Actions", tuple(ACTION_SETS), key="make_action_set", format_func=_SETS.__getitem__
    )
    left, right = st.columns((3, 1))
    left.multiselect(
        "Actions that the learner takes (none chosen: all); the page takes the others",
        KINDS,
        key="make_asks",
    )
    right.number_input("First actions already taken", 0, 500, key="make_start")


def _fill_fields(draft: Draft | None = None) -> None:
    """Fill the form: with a draft, or where it is empty with the example."""
    for name, value in asdict(draft or _DEFAULTS).items():
        if draft is not None or f"make_{name}" not in st.session_state:
            st.session_state[f"make_{name}"] = list(value) if name == "asks" else value


def take_lesson() -> None:
    """Fill the form from the lesson that is on the page."""
    now = opened()
    if now is not None:
        _fill_fields(draft_of(now.lesson))
        st.session_state.made = st.session_state.make_problem = None


def take_draft() -> None:
    """Align and check what was filled in."""
    fields = {name: st.session_state[f"make_{name}"] for name in asdict(_DEFAULTS)}
    fields["asks"] = tuple(fields["asks"])
    st.session_state.made = st.session_state.make_problem = None
    try:
        made = make_lesson(Draft(**fields))
    except AptamrError as error:
        st.session_state.make_problem = error
        return
    st.session_state.made = made
    st.session_state.make_penman = made.penman


def draw_made() -> None:
    """Show the checked lesson, or what is wrong."""
    problem: AptamrError | None = st.session_state.get("make_problem")
    made: Made | None = st.session_state.get("made")
    if problem is not None:
        _draw_error("This is no lesson yet.", problem)
    if made is None:
        return
    st.success("The lesson is complete, and the graph can be built.")
    st.text(f"Tokens: {numbered_tokens(made.lesson.sentence)}")
    columns = ("part of the graph", "stands for", "found by")
    rows = [dict(zip(columns, row, strict=True)) for row in made.rows]
    st.dataframe(rows, hide_index=True)
    row = st.container(horizontal=True, gap="small")
    row.download_button(
        "Download the lesson file",
        format_lesson(made.lesson).encode("utf-8"),
        file_name=f"{made.lesson.id}.json",
        mime="application/json",
        on_click="ignore",
    )
    row.button("Open it here", on_click=open_own, args=(made.lesson,))
    st.caption(
        "Opened here, the address of this page holds the whole lesson if it is short enough: "
        "send it to your learners, or give them the file."
    )


def _draw_error(what: str, error: AptamrError) -> None:
    """Say what an error was; the line that it stands on, with its caret, keeps its blanks."""
    head, _, place = str(error).partition("\n")
    st.error(f"{what} {escape_markdown(as_sentence(head))}")
    if place:
        st.code(place, language=None)


def draw_class_link() -> None:
    """Make a link that leads through some lessons in an order of one's own."""
    titles = {lesson.id: lesson.title for lesson in all_lessons().lessons}
    st.markdown(
        "Choose lessons in the order in which your learners are to take them, and send them the "
        "link. Lessons of your own are offered here once their files stand in the folder that "
        "`aptamr app --lessons FOLDER` names."
    )
    chosen = st.multiselect(
        "Lessons, in this order",
        list(titles),
        format_func=lambda name: titles[name],
        key="class_lessons",
    )
    if chosen:
        address = format_link(ExerciseLink(lessons=tuple(chosen)))
        base = (st.context.url or "").partition("?")[0]
        st.code(f"{base}?{urlencode(address, safe=',')}", language=None, wrap_lines=True)


def draw_upload() -> None:
    """Offer to open a lesson file."""
    upload = st.file_uploader("A lesson file (JSON)", type="json", key="lesson_upload")
    if upload is None:
        return
    try:
        lesson = _read(upload.getvalue(), upload.name)
    except FormatError as error:
        _draw_error("This file holds no lesson.", error)
        return
    st.button(
        f"Open “{escape_markdown(lesson.title)}”", type="primary", on_click=open_own, args=(lesson,)
    )


def _read(content: bytes, name: str) -> Lesson:
    if len(content) > 4 * MAX_FILE:
        raise FormatError(f"the file is larger than {4 * MAX_FILE // 1000} KB", path=name)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(f"the file is not UTF-8 text: {error}", path=name) from error
    return read_lesson(text, path=name)
