"""What the canvas says around a play, and what it offers to press."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from app.canvas.payload import Payload
from app.kit.glossary import TERMS, with_terms
from app.lessons.lesson import FEEDBACK_NAMES, MODE_NAMES, Lesson
from app.pages.exercises.course import Course
from app.pages.exercises.drawing import short_hash
from app.pages.exercises.play import (
    Play,
    is_crossed_out,
    is_finished,
    marks_of,
    score_of,
    states_of,
)
from aptcore.assets import asset_path
from aptcore.transition.items import Copy, Subgraph
from aptcore.transition.state import ParserState

TOUR = json.loads(asset_path("exercises.json").read_text(encoding="utf-8"))["tour"]
"""Part of the canvas, title and text of each stop of the tour."""

NAME_TEMPLATE = "(name :op* {words})"
"""A name without its type: offered beside the patterns of the goal, for the same reason."""

USUAL_ROLES = (":ARG0", ":ARG1", ":ARG2", ":mod", ":time", ":location", ":op1", ":op2")
"""Roles that are offered beside those of the goal, so that the list is no answer."""


@dataclass(frozen=True, slots=True)
class Page:
    """What the page around a play tells the canvas.

    Attributes:
        ack: Number of the last message of the canvas that was answered.
        refused: Number of the last one that took no action.
        is_touring: Whether the tour is to begin by itself.
        turn: Rises with every lesson that is opened from elsewhere on the page.
        course: The lessons that follow one another.
        here: Id of the one that is shown; empty for a lesson that is none of them.
    """

    ack: int = 0
    refused: int = 0
    is_touring: bool = False
    turn: int = 0
    course: Course = Course(())
    here: str = ""


@dataclass(frozen=True, slots=True)
class Offers:
    """What a lesson offers to choose from: the same at every moment, so that it tells nothing.

    Attributes:
        concepts: Names of concepts.
        constants: Values of constants.
        templates: Patterns of SUBGRAPH.
        roles: Roles of edges.
    """

    concepts: tuple[str, ...]
    constants: tuple[str, ...]
    templates: tuple[str, ...]
    roles: tuple[str, ...]


def offers_of(lesson: Lesson) -> Offers:
    """Collect what occurs in the goal, sorted."""
    goal = lesson.goal
    if not lesson.is_goal_shown:
        return Offers((), (), (), USUAL_ROLES)
    labels = goal.labels.values()
    templates = {action.label for action in lesson.walk if isinstance(action, Subgraph)}
    roles = {role for roles in goal.links.values() for role in roles}
    return Offers(
        tuple(sorted({label for is_constant, label in labels if not is_constant})),
        tuple(sorted({label for is_constant, label in labels if is_constant})),
        tuple(sorted(templates | {NAME_TEMPLATE} if templates else templates)),
        tuple(sorted(roles.union(USUAL_ROLES))),
    )


def name_of(lesson: Lesson) -> str:
    """Name a lesson so that no other shares the name, whatever its id."""
    document = repr(sorted(lesson.document.items(), key=lambda field: field[0]))
    return f"{lesson.id}-{short_hash(document)[:8]}"


def exercise_of(play: Play, offers: Offers, page: Page) -> Payload:
    """Give the canvas the task, the buttons of every moment and what there is to say.

    Args:
        play: The play.
        offers: Of its lesson.
        page: What else is on the page.
    """
    lesson, states, notice = play.lesson, states_of(play), play.notice
    good, num = score_of(play)
    return {
        "lesson": name_of(lesson),
        "ack": page.ack,
        "refused": page.refused,
        "at": play.at,
        "mode": play.mode,
        "feedback": play.feedback,
        "modes": list(MODE_NAMES.items()),
        "feedbacks": list(FEEDBACK_NAMES.items()),
        "course": [[each.id, each.title] for each in page.course.lessons],
        "chosen": page.course.names is not None,
        "here": page.here,
        "finished": is_finished(play),
        "turn": page.turn,
        "title": lesson.title,
        "task": [list(p) if isinstance(p, tuple) else p for p in with_terms(lesson.task)],
        "terms": dict(TERMS),
        "hint": lesson.hint,
        "asks": list(lesson.asks),
        "ghost": lesson.is_goal_shown,
        "crosses": is_crossed_out(play),
        "marks": list(marks_of(play)),
        "own": [int(taken.is_own) for taken in play.walk],
        "copies": [_copies(state) for state in states],
        "model": lesson.trace.model if lesson.trace else "",
        "offers": asdict(offers),
        "notice": None if notice is None else [notice.kind, notice.title, list(notice.lines)],
        "score": [good, num] if play.feedback in ("full", "step") and num else None,
        "closed": [int(state.is_closed) for state in states],
        "tour": page.is_touring,
        "places": TOUR,
    }


def _copies(state: ParserState) -> list[list[str]]:
    """List the legal copies of a moment and what each would make."""
    return [[kind, made.label] for kind, made in Copy.pieces(state).items()]
