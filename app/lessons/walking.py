"""A lesson as a trace: the right actions from the start to its graph."""

from __future__ import annotations

from app.lessons.lesson import Lesson
from aptcore.trace.making import trace_of_walk
from aptcore.trace.trace import Trace

_CUT = "These actions build the graph of the lesson; no model took part, so there are no "
_CUT += "probabilities."


def trace_of_lesson(lesson: Lesson) -> Trace:
    """Take the right actions of a lesson and write every moment down."""
    who = f"lesson {lesson.id}"
    return trace_of_walk(lesson.sentence, lesson.walk, lesson.goal.action_set, who, _CUT)
