"""The graph as text: whether it can be taken, and which line is in the way."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from aptcore.advice.problems.finding import all_problems
from aptcore.advice.problems.problem import Problem
from aptcore.errors import PenmanError
from aptcore.graph.amr import AmrGraph
from aptcore.graph.checks import is_connected
from aptcore.graph.layout import invert_role
from aptcore.graph.penman import parse_penman, read_penman
from aptcore.words.frames import Lexicon


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
    if not is_connected(graph):
        return Fault(1, "some nodes are not linked to the root")
    return None


def text_error(text: str, lexicon: Lexicon) -> Fault | None:
    """Find the first thing in a text that keeps it from being accepted.

    Args:
        text: What is typed.
        lexicon: Frames and counts.

    Returns:
        Why it is no graph; of a graph, its error that stands first in the text.
    """
    fault = text_fault(text)
    if fault is not None:
        return fault
    graph = parse_penman(text)
    errors = (problem for problem in all_problems(graph, lexicon) if problem.severity == "error")
    return _first(text, graph, errors)


def _first(text: str, graph: AmrGraph, errors: Iterable[Problem]) -> Fault | None:
    found = [Fault(_line_of(text, graph, problem), problem.reason) for problem in errors]
    return min(found, key=lambda fault: fault.line, default=None)


def _line_of(text: str, graph: AmrGraph, problem: Problem) -> int:
    """Find the line of the branch, or else of the node, that a problem is about."""
    lines = text.splitlines()
    values = {item.id: item.value for item in graph.attributes}
    wanted = []
    if problem.edge is not None:
        source, role, target = problem.edge
        end = re.escape(values.get(target, target))
        wanted.append(rf"(?<!\S){re.escape(role)}\s+\(?\s*{end}(?![^\s)/~])")
        wanted.append(
            rf"(?<!\S){re.escape(invert_role(role))}\s+\(?\s*{re.escape(source)}(?![^\s)/~])"
        )
    wanted += [rf"\(\s*{re.escape(node)}\s*/" for node in problem.nodes]
    for pattern in wanted:
        for number, line in enumerate(lines, 1):
            if re.search(pattern, line):
                return number
    return 1
