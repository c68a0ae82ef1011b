"""The address of an exercise: lesson, moment and, where it was another's, the walk itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from app.addresses.codec import TEXT, Form, choice, integer, parameter

Mode = Literal["build", "predict"]
Feedback = Literal["full", "step", "percentage", "none"]


MAX_LESSONS = 200
"""Most lessons that an address names."""


def _names(text: str) -> tuple[str, ...] | None:
    names = dict.fromkeys(name for part in text.split(",") if (name := part.strip()))
    return tuple(names)[:MAX_LESSONS] or None


@dataclass(frozen=True, slots=True)
class ExerciseLink:
    """What an address asks for.

    Attributes:
        lesson: Id of a lesson; None where the address names none.
        lessons: Ids of the lessons that follow one another; None for all that there are.
        own: A whole lesson, packed; None for a shipped one.
        make: A sentence with its graph, packed, to begin a lesson with; None for none.
        step: How many actions were taken; None is where the lesson starts.
        walk: The actions as text, where they are not the lesson's first right ones.
        mode: None where it is the lesson's.
        feedback: None where it is the lesson's.
    """

    lesson: str | None = parameter(None, TEXT)
    lessons: tuple[str, ...] | None = parameter(None, Form(_names, ",".join))
    own: str | None = parameter(None, TEXT)
    make: str | None = parameter(None, TEXT)
    step: int | None = parameter(None, integer(most=999_999))
    walk: str | None = parameter(None, TEXT)
    mode: Mode | None = parameter(None, choice(get_args(Mode)))
    feedback: Feedback | None = parameter(None, choice(get_args(Feedback)))
