"""Small lessons for the tests of the Exercises page."""

from __future__ import annotations

from typing import Any

from app.lessons.lesson import Lesson, decode_lesson
from app.pages.exercises.play import Play, act, begin

BOY = {
    "schema": 1,
    "id": "boy",
    "title": "A boy who wants to go",
    "task": "Build the graph.",
    "hint": "He goes himself.",
    "sentence": {
        "text": "The boy wants to go.",
        "tokens": ["The", "boy", "wants", "to", "go", "."],
        "lemmas": ["the", "boy", "want", "to", "go", "."],
    },
    "graph": "(w / want-01~e.2 :ARG0 (b / boy~e.1) :ARG1 (g / go-02~e.4 :ARG0 b))",
    "action_set": "paper",
}
WALK = (
    "REDUCE",
    "COPY(lemma)",
    "SHIFT",
    "COPY(sense)",
    "LA(1, :ARG0)",
    "SHIFT",
    "REDUCE",
    "PRED(go-02)",
    "RA(3, :ARG1)",
    "LA(1, :ARG0)",
    "SHIFT",
    "REDUCE",
    "LA(3, root)",
)


def lesson_of(**changes: Any) -> Lesson:
    """The lesson of the boy, with some fields changed; None leaves a field out."""
    document = BOY | changes
    return decode_lesson({name: value for name, value in document.items() if value is not None})


def played(*actions: str, **changes: Any) -> Play:
    """Take actions in the lesson of the boy."""
    play = begin(lesson_of(**changes))
    for action in actions:
        play = act(play, action)
    return play
