"""Exercises: drive the machine by hand, or guess its next action.

Only drawing stands here; how the session changes stands in ``app.pages.exercises.state``.
"""

from __future__ import annotations

import streamlit as st

from app.canvas.component import draw_canvas
from app.kit.glossary import TERMS
from app.kit.look import apply_look
from app.kit.text import escape_markdown
from app.pages.exercises.drawing import payload_of_play
from app.pages.exercises.offering import Page, exercise_of
from app.pages.exercises.page_make import draw_begun, draw_making
from app.pages.exercises.state import (
    CANVAS,
    all_lessons,
    opened,
    prepare,
    take_messages,
    take_step,
)


def draw_page() -> None:
    """Draw the whole page."""
    apply_look()
    prepare()
    packed = st.query_params.get("make")
    if packed is not None:
        draw_begun(packed)
        return
    now = opened()
    with st.container(gap=None):  # always there: what comes and goes in it leaves the canvas alone
        for problem in all_lessons().problems:
            st.error(f"A lesson cannot be read. {escape_markdown(problem)}")
        if now is None:
            st.info("There is no lesson yet: make one below, or open a lesson file.")
        elif now.problem is not None:
            st.warning(escape_markdown(now.problem))
    if now is not None:
        draw_exercise()
    draw_glossary()
    draw_making()


@st.fragment
def draw_exercise() -> None:
    """Draw the canvas; what the learner does reruns no more than this."""
    if take_messages():
        st.rerun()
    now = opened()
    if now is None:
        return
    page = Page(
        ack=now.answered.ack,
        refused=now.answered.refused,
        is_touring=not st.session_state.exercise_toured,
        turn=st.session_state.exercise_turn,
        course=now.course,
        here=now.lesson.id if now.is_listed else "",
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
