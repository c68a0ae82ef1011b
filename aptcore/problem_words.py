"""Content words that nothing in the graph stands for."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from aptcore.amr import AmrGraph, Edge, Mention
from aptcore.editing import fresh_variable
from aptcore.edits import AddEdge, AddNode, Several
from aptcore.penman_text import is_writable_concept
from aptcore.problem_types import Fix, Problem, key_of


def uncovered_words(
    graph: AmrGraph, silent: Collection[str], tokens: Sequence[str], lemmas: Sequence[str]
) -> list[Problem]:
    """Find words with a letter or digit, mark-up aside, that nothing is aligned to.

    Nothing is said of a graph without alignments, nor of words that training graphs
    mostly have nothing for.

    Args:
        graph: With alignments that count these tokens.
        silent: Lemmas of such words.
        tokens: The words.
        lemmas: One for each; the words themselves where there are none.
    """
    covered = {token for found in graph.alignments.values() for token in found.tokens}
    if not covered:
        return []
    found = []
    for place, word in enumerate(tokens):
        lemma = lemmas[place] if place < len(lemmas) else word.lower()
        is_word = any(c.isalnum() for c in word) and not set("<>=") & set(word)
        is_content = is_word and lemma not in silent and word.lower() not in silent
        if place in covered or not is_content:
            continue
        reason = f"nothing stands for {word!r}"
        key = key_of("uncovered", place, word)
        fixes = _fixes(graph, place, lemma)
        found.append(Problem(key, "uncovered", "warning", reason, tokens=(place,), fixes=fixes))
    return found


def _fixes(graph: AmrGraph, place: int, lemma: str) -> tuple[Fix, ...]:
    """Offer to add the lemma at the node that stands for the nearest words."""
    near = _nearest(graph, place)
    if near is None or not is_writable_concept(lemma):
        return ()
    name = fresh_variable(graph, lemma)
    edit = Several((AddNode(name, lemma, (place,)), AddEdge(near, ":mod", name)))
    return (Fix(f"add {lemma} at {near}", edit),)


def _nearest(graph: AmrGraph, place: int) -> str | None:
    nodes = {node.id for node in graph.nodes}
    distances = {
        key: min(abs(token - place) for token in found.tokens)
        for key, found in graph.alignments.items()
        if not isinstance(key, Edge | Mention) and key in nodes and found.tokens
    }
    return min(distances, key=lambda name: (distances[name], name)) if distances else None
