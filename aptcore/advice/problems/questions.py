"""Questions whose graph asks nothing."""

from __future__ import annotations

from collections.abc import Sequence

from aptcore.advice.problems.problem import Fix, Problem, key_of
from aptcore.editing.applying import fresh_attribute, fresh_variable
from aptcore.editing.edits import AddAttribute, AddEdge, AddNode, Several
from aptcore.graph.amr import AmrGraph
from aptcore.graph.branches import unquote

_ASKING = frozenset(
    "amr-unknown amr-choice interrogative imperative request-confirmation-91 truth-value".split()
)
"""Concepts and constants, one of which the graph of a question has, or of a polite request."""

_CLOSING = frozenset("\"'\u201d\u2019\u00bb)]")


def question_problems(graph: AmrGraph, tokens: Sequence[str]) -> list[Problem]:
    """Ask about a sentence with a question mark at its end in whose graph nothing asks.

    Args:
        graph: Any graph.
        tokens: The words of its sentence; without them nothing is said.
    """
    place = _question_mark(tokens)
    said = {node.concept for node in graph.nodes} | {unquote(a.value) for a in graph.attributes}
    if place is None or said & _ASKING:
        return []
    reason = "the sentence is a question, but no amr-unknown and no :mode interrogative asks it"
    fixes = _fixes(graph, place) if any(node.id == graph.root for node in graph.nodes) else ()
    key = key_of("question", place)
    nodes = (graph.root,) if fixes else ()
    return [Problem(key, "question", "warning", reason, nodes, tokens=(place,), fixes=fixes)]


def _question_mark(tokens: Sequence[str]) -> int | None:
    for place in range(len(tokens) - 1, -1, -1):
        if not set(tokens[place]) <= _CLOSING:
            is_mark = "?" in tokens[place] and set(tokens[place]) <= {"?", "!"}
            return place if is_mark else None
    return None


def _fixes(graph: AmrGraph, place: int) -> tuple[Fix, ...]:
    root = graph.root
    unknown = fresh_variable(graph, "amr-unknown")
    links = [*(item.triple for item in graph.attributes), *(edge.triple for edge in graph.edges)]
    is_free = not any((source, role) == (root, ":polarity") for source, role, _ in links)
    whether = AddNode(unknown, "amr-unknown", (place,)), AddEdge(root, ":polarity", unknown)
    mode = AddAttribute(
        fresh_attribute(graph, root, ":mode"), root, ":mode", "interrogative", (place,)
    )
    asked = (Fix(f"ask whether {root}", Several(whether)),) if is_free else ()
    return (*asked, Fix(f"give {root} :mode interrogative", mode))
