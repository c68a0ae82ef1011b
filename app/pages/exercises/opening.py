"""A lesson opened where an address says."""

from __future__ import annotations

import base64
import binascii
import json
import zlib

from app.addresses.exercises import ExerciseLink
from app.pages.exercises.lessons.lesson import MAX_FILE, Lesson, read_lesson
from app.pages.exercises.play import Play, begin, with_walk
from aptcore.errors import AptamrError, FormatError
from aptcore.transition.actions import Action, format_action
from aptcore.transition.sets import parse_action

MAX_PACKED = 12_000
"""Longest lesson that an address can hold, in characters once packed."""


def link_of(play: Play, *, is_shipped: bool) -> ExerciseLink:
    """Give the address of what is on the page.

    Args:
        play: The play.
        is_shipped: Whether its lesson comes with the program; another one is packed into
            the address, if it is short enough.
    """
    lesson = play.lesson
    actions = tuple(taken.action for taken in play.walk)
    opened = begin(lesson)
    is_first = (actions[: play.at]) == tuple(taken.action for taken in opened.walk)
    packed = None if is_shipped else pack_lesson(lesson)
    is_known = is_shipped or packed is not None
    walk = None if actions == lesson.walk[: len(actions)] else format_walk(actions)
    return ExerciseLink(
        lesson=lesson.id if is_shipped else None,
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
    text = json.dumps(lesson.document, ensure_ascii=False, separators=(",", ":"))
    packed = base64.urlsafe_b64encode(zlib.compress(text.encode("utf-8"), 9)).decode("ascii")
    return packed if len(packed) <= MAX_PACKED else None


def unpack_lesson(packed: str) -> Lesson:
    """Read a lesson out of an address.

    Raises:
        FormatError: If there is none in it.
    """
    if len(packed) > MAX_PACKED:
        raise FormatError("the lesson in this address is too long")
    try:
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(base64.urlsafe_b64decode(packed.encode("ascii")), 4 * MAX_FILE)
        return read_lesson(text.decode("utf-8"))
    except (binascii.Error, zlib.error, UnicodeError) as error:
        reason = "the lesson in this address is damaged: part of the link is missing or changed"
        raise FormatError(reason) from error
