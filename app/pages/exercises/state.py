"""What the session of the Exercises page holds, and how it changes.

The address is the truth about lesson and moment, so a refresh comes back to them; the
session keeps the answers that were given, which a refresh forgets.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import streamlit as st

from app.addresses.codec import format_link, parse_link
from app.addresses.exercises import ExerciseLink
from app.kit.address import put_address
from app.lessons.files import lesson_files
from app.lessons.lesson import Lesson, Lessons, load_lessons
from app.pages.exercises.course import Course, course_of
from app.pages.exercises.layout import GoalLayout, lay_out_goal
from app.pages.exercises.offering import Offers, name_of, offers_of
from app.pages.exercises.opening import link_of, play_of, unpack_lesson
from app.pages.exercises.outbox import Answered, answer, read_messages
from app.pages.exercises.play import go
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
        course: The lessons that follow one another.
        is_listed: Whether the lesson is one of them.
        address: The query parameters that stand for all this.
        problem: What of the address could not be followed.
    """

    lesson: Lesson
    layout: GoalLayout
    offers: Offers
    answered: Answered
    course: Course
    is_listed: bool
    address: dict[str, str]
    problem: str | None = None


def all_lessons() -> Lessons:
    """Read the lessons of all folders, again only where a file has changed."""
    return _read_lessons([(path, _changed_at(path)) for path in lesson_files()])


def _changed_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:  # reading says what is wrong with it
        return 0


@st.cache_resource(show_spinner=False, max_entries=2)
def _read_lessons(files: list[tuple[Path, int]]) -> Lessons:
    """Read lessons; their files are known by path and time of change, in nanoseconds."""
    return load_lessons(path for path, _ in files)


def opened() -> Opened | None:
    """Give what is on the page."""
    found: Opened | None = st.session_state.get(STATE)
    return found


def prepare() -> None:
    """Open what the address asks for, if it is not on the page already."""
    st.session_state.setdefault("exercise_toured", False)
    st.session_state.setdefault("exercise_turn", 0)
    now, address = opened(), st.query_params.to_dict()
    if now is not None and (address == now.address or not address):
        if not address:
            write_address()
        return
    link = parse_link(ExerciseLink, address)
    if link.make is not None:  # the form for lessons stands alone then
        return
    if link.lesson is not None or link.own is not None:
        st.session_state.exercise_toured = True  # who comes by a link has been here
    follow(link)


def follow(link: ExerciseLink) -> None:
    """Open what an address asks for; the first lesson where it asks for none that exists."""
    course = course_of(all_lessons().lessons, link.lessons)
    lesson, problem = None, course.problem
    if link.own is not None:
        try:
            lesson = unpack_lesson(link.own)
        except FormatError as error:
            problem = str(error)
    elif link.lesson is not None:
        lesson = next((each for each in course.lessons if each.id == link.lesson), None)
        if lesson is None and problem is None:
            where = "" if link.lessons is None else " in this set"
            problem = f"There is no lesson {link.lesson!r}{where}; the first one is shown instead."
    is_listed = lesson is None or link.own is None
    if lesson is None:
        if not course.lessons:
            return
        lesson, link = course.lessons[0], ExerciseLink()
    open_lesson(lesson, course, link, is_listed=is_listed, problem=problem)


def open_lesson(
    lesson: Lesson,
    course: Course,
    link: ExerciseLink | None = None,
    *,
    is_listed: bool,
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
        course=course,
        is_listed=is_listed,
        address={},
        problem=problem or trouble,
    )
    write_address()


def open_own(lesson: Lesson) -> None:
    """Put a lesson that is in no folder on the page, and lead there."""
    st.session_state.exercise_turn += 1
    st.session_state.exercise_toured = True  # who makes lessons needs no tour
    open_lesson(lesson, course_of(all_lessons().lessons, None), is_listed=False)


def write_address() -> None:
    """Make the address name what is shown."""
    now = opened()
    if now is None:
        return
    link = link_of(now.answered.play, is_listed=now.is_listed, lessons=now.course.names)
    address = format_link(link)
    put_address(address)
    st.session_state[STATE] = replace(now, address=address)


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
    if any(message.verb == "toured" for message in fresh):
        st.session_state.exercise_toured = True
    wanted = [message.text for message in fresh if message.verb == "open"]
    lesson = next((each for each in now.course.lessons if each.id in wanted[-1:]), None)
    if lesson is not None:
        open_lesson(lesson, now.course, is_listed=True)
    return lesson is not None and now.problem is not None
