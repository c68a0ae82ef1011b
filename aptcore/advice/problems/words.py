"""Content words that nothing in the graph stands for."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from aptcore.advice.problems.problem import Fix, Problem, key_of
from aptcore.advice.problems.said_words import SaidWords, is_structural, roles_saying
from aptcore.editing.applying import fresh_attribute, fresh_variable
from aptcore.editing.edits import AddAttribute, AddEdge, AddNode, Several
from aptcore.graph.amr import AmrGraph, Edge, Mention
from aptcore.graph.branches import is_writable_concept
from aptcore.words.tokens import bare_words


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
    lemmas = [*lemmas, *(word.lower() for word in bare_words(tuple(tokens))[len(lemmas) :])]
    said = SaidWords(graph, tokens, lemmas)
    found = []
    for place, (token, word) in enumerate(zip(tokens, bare_words(tuple(tokens)), strict=True)):
        lemma = lemmas[place]
        is_word = any(c.isalnum() for c in word) and not set("<>=") & set(word)
        is_content = is_word and lemma not in silent and word.lower() not in silent
        if place in covered or not is_content or said.has(place):
            continue
        key = key_of("uncovered", place, token)
        reason = f"nothing stands for {word!r}"
        roles = roles_saying(word.lower()) or roles_saying(lemma)
        if roles:
            reason += f": no concept, and no {' or '.join(roles[:3])}"
        fixes = _fixes(graph, place, word.lower(), lemma)
        found.append(Problem(key, "uncovered", "warning", reason, tokens=(place,), fixes=fixes))
    return found


def _fixes(graph: AmrGraph, place: int, word: str, lemma: str) -> tuple[Fix, ...]:
    """Offer to add the lemma, or a negation, at the node of the nearest words.

    A word that AMR says by structure (`although`) is no concept: nothing is offered for it.
    """
    near = _nearest(graph, place)
    if near is None:
        return ()
    if ":polarity" in roles_saying(word):
        name = fresh_attribute(graph, near, ":polarity")
        return (Fix(f"negate {near}", AddAttribute(name, near, ":polarity", "-", (place,))),)
    if is_structural(word) or is_structural(lemma) or not is_writable_concept(lemma):
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
