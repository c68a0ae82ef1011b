"""The address of an exercise: lesson, moment and, where it was another's, the walk itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from app.addresses.codec import TEXT, choice, integer, parameter

Mode = Literal["build", "predict"]


Feedback = Literal["full", "step", "percentage", "none"]


@dataclass(frozen=True, slots=True)
class ExerciseLink:
    """What an address asks for.

    Attributes:
        lesson: Id of a lesson; None where the address names none.
        own: A whole lesson, packed; None for a shipped one.
        step: How many actions were taken; None is where the lesson starts.
        walk: The actions as text, where they are not the lesson's first right ones.
        mode: None where it is the lesson's.
        feedback: None where it is the lesson's.
    """

    lesson: str | None = parameter(None, TEXT)
    own: str | None = parameter(None, TEXT)
    step: int | None = parameter(None, integer(most=999_999))
    walk: str | None = parameter(None, TEXT)
    mode: Mode | None = parameter(None, choice(get_args(Mode)))
    feedback: Feedback | None = parameter(None, choice(get_args(Feedback)))
