"""What the session of the Exercises page holds, and how it changes.

The address is the truth about lesson and moment, so a refresh comes back to them; the
session keeps the answers that were given, which a refresh forgets.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from app.addresses.codec import format_link, parse_link
from app.addresses.exercises import ExerciseLink
from app.pages.exercises.drawing import Offers, name_of, offers_of
from app.pages.exercises.layout import GoalLayout, lay_out_goal
from app.pages.exercises.lessons.lesson import Lesson, Lessons, load_lessons
from app.pages.exercises.opening import link_of, play_of, unpack_lesson
from app.pages.exercises.outbox import Answered, answer, read_messages
from app.pages.exercises.play import begin, go
from aptcore.assets import asset_path
from aptcore.errors import FormatError

CANVAS = "exercise_canvas"
STATE = "exercise"


@dataclass(frozen=True, slots=True)
class Opened:
    """What is on the page.

    Attributes:
        lesson: The lesson.
        layout: Where its goal is drawn.
        offers: What can be chosen from.
        answered: What the learner has done, and which messages are answered.
        is_shipped: Whether the lesson comes with the program.
        address: The query parameters that stand for all this.
        problem: What of the address could not be followed.
    """

    lesson: Lesson
    layout: GoalLayout
    offers: Offers
    answered: Answered
    is_shipped: bool
    address: dict[str, str]
    problem: str | None = None


@st.cache_resource(show_spinner=False)
def shipped_lessons() -> Lessons:
    """Read the lessons that come with the program, once."""
    return load_lessons(asset_path("lessons"))


def opened() -> Opened | None:
    """Give what is on the page."""
    found: Opened | None = st.session_state.get(STATE)
    return found


def prepare() -> None:
    """Open what the address asks for, if it is not on the page already."""
    st.session_state.setdefault("exercise_toured", False)
    following = next_lesson() if st.session_state.get("exercise_awaited") else None
    if following is not None:  # not at once: the widgets of that run were drawn already
        st.session_state.exercise_awaited = False
        open_lesson(following, is_shipped=True)
        return
    now, address = opened(), st.query_params.to_dict()
    if now is not None and (address == now.address or not address):
        if not address:
            write_address()
        return
    link = parse_link(ExerciseLink, address)
    if link.lesson is not None or link.own is not None:
        st.session_state.exercise_toured = True  # who comes by a link has been here
    follow(link)


def follow(link: ExerciseLink) -> None:
    """Open what an address asks for; the first lesson where it asks for none that exists."""
    lessons = shipped_lessons().lessons
    lesson, problem = None, None
    if link.own is not None:
        try:
            lesson = unpack_lesson(link.own)
        except FormatError as error:
            problem = str(error)
    elif link.lesson is not None:
        lesson = next((lesson for lesson in lessons if lesson.id == link.lesson), None)
        if lesson is None:
            problem = f"There is no lesson {link.lesson!r}; the first one is shown instead."
    is_shipped = lesson is None or link.own is None
    if lesson is None:
        if not lessons:
            return
        lesson, link = lessons[0], ExerciseLink()
    open_lesson(lesson, link, is_shipped=is_shipped, problem=problem)


def open_lesson(
    lesson: Lesson,
    link: ExerciseLink | None = None,
    *,
    is_shipped: bool,
    problem: str | None = None,
) -> None:
    """Put a lesson on the page."""
    play, trouble = play_of(lesson, link or ExerciseLink())
    before = opened()
    answered = before.answered if before is not None else Answered(play)
    st.session_state[STATE] = Opened(
        lesson=lesson,
        layout=lay_out_goal(lesson.goal),
        offers=offers_of(lesson),
        answered=replace(answered, play=play),
        is_shipped=is_shipped,
        address={},
        problem=problem or trouble,
    )
    st.session_state.exercise_mode = play.mode
    st.session_state.exercise_feedback = play.feedback
    st.session_state.exercise_lesson = lesson.id if is_shipped else None
    write_address()


def write_address() -> None:
    """Make the address name what is shown."""
    now = opened()
    if now is None:
        return
    address = format_link(link_of(now.answered.play, is_shipped=now.is_shipped))
    st.query_params.from_dict(address)
    st.session_state[STATE] = replace(now, address=address)


def take_choice() -> None:
    """Open the lesson that was chosen from the list."""
    chosen = st.session_state.exercise_lesson
    for lesson in shipped_lessons().lessons:
        if lesson.id == chosen:
            open_lesson(lesson, is_shipped=True)


def take_settings() -> None:
    """Begin the lesson again under another mode or feedback."""
    now = opened()
    if now is None:
        return
    mode, feedback = st.session_state.exercise_mode, st.session_state.exercise_feedback
    play = begin(now.lesson, mode, feedback)
    st.session_state[STATE] = replace(now, answered=replace(now.answered, play=play))
    write_address()


def take_step() -> None:
    """Note the moment at which going back or forth paused."""
    now = opened()
    state = st.session_state.get(CANVAS)
    at = None if state is None else state.get("at")
    if now is None or not isinstance(at, dict) or not isinstance(at.get("step"), int | float):
        return
    if at.get("key") != st.session_state.get("exercise_key"):
        return
    play = go(now.answered.play, int(at["step"]))
    st.session_state[STATE] = replace(now, answered=replace(now.answered, play=play))
    write_address()


def take_messages() -> bool:
    """Answer what the canvas sent.

    Returns:
        Whether the rest of the page must be drawn anew.
    """
    now = opened()
    state = st.session_state.get(CANVAS)
    if now is None or state is None:
        return False
    messages = read_messages(state.get("ask"), name_of(now.lesson))
    fresh = [message for message in messages if message.number > now.answered.ack]
    if not fresh:
        return False
    answered = answer(now.answered, messages)
    st.session_state[STATE] = replace(now, answered=answered)
    write_address()
    verbs = {message.verb for message in fresh}
    if "toured" in verbs:
        st.session_state.exercise_toured = True
    st.session_state.exercise_awaited = "next" in verbs
    return "next" in verbs


def next_lesson() -> Lesson | None:
    """Give the shipped lesson after the one on the page; None after the last."""
    now = opened()
    lessons = shipped_lessons().lessons
    if now is None or not now.is_shipped:
        return None
    names = [lesson.id for lesson in lessons]
    place = names.index(now.lesson.id) + 1
    return lessons[place] if place < len(lessons) else None
