"""Exercises: drive the machine by hand, or guess its next action.

Only drawing stands here; how the session changes stands in ``app.pages.exercises.state``.
"""

from __future__ import annotations

from typing import get_args

import streamlit as st

from app.addresses.exercises import Feedback
from app.canvas.component import draw_canvas
from app.kit.look import apply_look, draw_switch
from app.kit.text import escape_markdown
from app.pages.exercises.drawing import Page, exercise_of, payload_of_play
from app.pages.exercises.glossary import TERMS
from app.pages.exercises.lessons.lesson import FEEDBACK_NAMES, MODE_NAMES
from app.pages.exercises.page_make import draw_making
from app.pages.exercises.state import (
    CANVAS,
    next_lesson,
    opened,
    prepare,
    shipped_lessons,
    take_choice,
    take_messages,
    take_settings,
    take_step,
)


def draw_page() -> None:
    """Draw the whole page."""
    apply_look()
    prepare()
    draw_head()
    for problem in shipped_lessons().problems:
        st.error(f"A lesson cannot be read. {escape_markdown(problem)}")
    now = opened()
    if now is None:
        st.info("There is no lesson yet: make one below, or open a lesson file.")
    else:
        if now.problem is not None:
            st.warning(escape_markdown(now.problem))
        draw_exercise()
    draw_glossary()
    draw_making()


def draw_head() -> None:
    """Draw the choice of lesson, mode and feedback."""
    now, lessons = opened(), shipped_lessons().lessons
    titles = {lesson.id: f"{n}. {lesson.title}" for n, lesson in enumerate(lessons, start=1)}
    row = st.container(horizontal=True, gap="small", vertical_alignment="center")
    row.selectbox(
        "Lesson",
        list(titles),
        index=0 if now is None or now.is_shipped else None,
        format_func=lambda name: titles[name],
        placeholder="A lesson of your own",
        key="exercise_lesson",
        on_change=take_choice,
        label_visibility="collapsed",
        width=360,
    )
    draw_switch(row, "What to do", MODE_NAMES, "exercise_mode", take_settings)
    row.selectbox(
        "What you are told",
        get_args(Feedback),
        format_func=lambda feedback: FEEDBACK_NAMES[feedback],
        key="exercise_feedback",
        on_change=take_settings,
        label_visibility="collapsed",
        width=260,
    )


@st.fragment
def draw_exercise() -> None:
    """Draw the canvas; what the learner does reruns no more than this."""
    if take_messages():
        st.rerun()
    now = opened()
    if now is None:
        return
    following = next_lesson()
    page = Page(
        ack=now.answered.ack,
        refused=now.answered.refused,
        is_touring=not st.session_state.exercise_toured,
        next_title="" if following is None else following.title,
    )
    payload = payload_of_play(now.answered.play, now.layout)
    payload["exercise"] = exercise_of(now.answered.play, now.offers, page) | {"key": payload["key"]}
    st.session_state.exercise_key = payload["key"]
    draw_canvas(payload, key=CANVAS, on_at_change=take_step)


def draw_glossary() -> None:
    """Explain every term."""
    with st.expander("Glossary: all terms explained"):
        lines = [
            f"- **{escape_markdown(term)}**: {escape_markdown(what)}"
            for term, what in TERMS.items()
        ]
        st.markdown("\n".join(lines))


draw_page()
