"""The address of an exercise: lesson, moment and, where it was another's, the walk itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

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

    lesson: str | None = None
    own: str | None = None
    step: int | None = None
    walk: str | None = None
    mode: str | None = None
    feedback: str | None = None


def parse_exercise_link(parameters: Mapping[str, str]) -> ExerciseLink:
    """Read query parameters; what cannot be read counts as absent."""
    step = parameters.get("step", "")
    mode, feedback = parameters.get("mode"), parameters.get("feedback")
    return ExerciseLink(
        lesson=parameters.get("lesson"),
        own=parameters.get("own"),
        step=int(step) if step.isascii() and step.isdigit() and len(step) <= 6 else None,
        walk=parameters.get("walk"),
        mode=mode if mode in get_args(Mode) else None,
        feedback=feedback if feedback in get_args(Feedback) else None,
    )


def format_exercise_link(link: ExerciseLink) -> dict[str, str]:
    """Write query parameters, without those that say nothing."""
    named = {
        "lesson": link.lesson,
        "own": link.own,
        "step": link.step,
        "walk": link.walk,
        "mode": link.mode,
        "feedback": link.feedback,
    }
    return {name: str(value) for name, value in named.items() if value is not None}
