"""The graph as text: whether it can be taken, and which line is in the way."""

from __future__ import annotations

from dataclasses import dataclass

from aptcore.amr import read_penman
from aptcore.editing import is_sound_text
from aptcore.errors import PenmanError


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a text is no graph.

    Attributes:
        line: From 1.
        message: What is wrong there.
    """

    line: int
    message: str


def text_fault(text: str) -> Fault | None:
    """Find what keeps a text from being a graph; None where nothing does."""
    try:
        graph, problems = read_penman(text)
    except PenmanError as error:
        return Fault(error.line or 1, error.message)
    if problems:
        line, message = problems[0]
        return Fault(line, message)
    if not is_sound_text(graph):
        return Fault(1, "some nodes are not linked to the root")
    return None
