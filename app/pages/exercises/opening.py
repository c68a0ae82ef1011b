"""A lesson opened where an address says."""

from __future__ import annotations

import json
from textwrap import shorten

from app.addresses.exercises import ExerciseLink
from app.addresses.packed import pack, unpack
from app.lessons.lesson import Lesson, read_lesson
from app.lessons.making import Draft
from app.pages.exercises.play import Play, begin, with_walk
from aptcore.errors import AptamrError, FormatError
from aptcore.transition.actions import Action, format_action
from aptcore.transition.sets import parse_action


def link_of(play: Play, *, is_listed: bool, lessons: tuple[str, ...] | None = None) -> ExerciseLink:
    """Give the address of what is on the page.

    Args:
        play: The play.
        is_listed: Whether its lesson is one of those that the page lists; another one is
            packed into the address, if it is short enough.
        lessons: Ids of the lessons that are listed; None for all that there are.
    """
    lesson = play.lesson
    actions = tuple(taken.action for taken in play.walk)
    opened = begin(lesson)
    is_first = (actions[: play.at]) == tuple(taken.action for taken in opened.walk)
    packed = None if is_listed else pack_lesson(lesson)
    is_known = is_listed or packed is not None
    walk = None if actions == lesson.walk[: len(actions)] else format_walk(actions)
    return ExerciseLink(
        lesson=lesson.id if is_listed else None,
        lessons=lessons,
        own=packed,
        step=None if is_first or not is_known else play.at,
        walk=walk if is_known else None,
        mode=None if play.mode == lesson.mode else play.mode,
        feedback=None if play.feedback == lesson.feedback else play.feedback,
    )


def play_of(lesson: Lesson, link: ExerciseLink) -> tuple[Play, str | None]:
    """Open a lesson where an address says.

    Returns:
        The play, and what of the address could not be followed.
    """
    play = begin(lesson, link.mode, link.feedback)
    if link.step is None and link.walk is None:
        return play, None
    step = len(play.walk) if link.step is None else link.step
    try:
        actions = lesson.walk[:step] if link.walk is None else parse_walk(link.walk)
        return with_walk(play, actions, step), None
    except AptamrError as error:
        return play, f"The walk in this address cannot be taken; the lesson starts anew. {error}"


def format_walk(actions: tuple[Action, ...]) -> str:
    """Write a walk as a JSON list of action strings."""
    return json.dumps([format_action(action) for action in actions], ensure_ascii=False)


def parse_walk(text: str) -> tuple[Action, ...]:
    """Read a walk.

    Raises:
        FormatError: If it is no list of actions.
    """
    try:
        names = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"it is not JSON: {error}") from error
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise FormatError("it is no list of actions")
    return tuple(parse_action(name) for name in names)


def pack_lesson(lesson: Lesson) -> str | None:
    """Write a lesson as text for an address; None where it is too long for one."""
    return pack(lesson.document)


def unpack_lesson(packed: str) -> Lesson:
    """Read a lesson out of an address.

    Raises:
        FormatError: If there is none in it.
    """
    return read_lesson(unpack(packed, "the lesson"))


def unpack_draft(packed: str) -> Draft:
    """Read out of an address what another page sent to begin a lesson with.

    Raises:
        FormatError: If there is no sentence and graph in it.
    """
    try:
        sent = json.loads(unpack(packed, "the graph"))
        text, graph = sent["text"], sent["graph"]
    except (ValueError, RecursionError, TypeError, KeyError) as error:
        raise FormatError("the address holds no sentence with its graph") from error
    if not isinstance(text, str) or not isinstance(graph, str):
        raise FormatError("the address holds no sentence with its graph")
    return Draft(
        text, graph, shorten(text, 50, placeholder="…"), "Build the graph of this sentence."
    )
