"""Count concepts, their roles, and words without any, in aligned training graphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from aptcore.amr import AmrGraph, Sentence
from aptcore.frames import Counts

MIN_COUNT = 2
"""Occurrences from which on a concept is kept."""

MIN_SILENT = 20
"""Occurrences from which on a lemma can be called silent."""

SILENT_SHARE = 0.5
"""Share of its occurrences that a silent lemma is aligned to nothing in."""


def learn_counts(pairs: Iterable[tuple[Sentence, AmrGraph]]) -> Counts:
    """Count over training graphs.

    Args:
        pairs: Sentences and graphs with an alignment for each node.

    Returns:
        Counts without the concepts that came once.
    """
    concepts: Counter[str] = Counter()
    roles: dict[str, Counter[str]] = {}
    words: Counter[str] = Counter()
    uncovered: Counter[str] = Counter()
    num_graphs = 0
    for sentence, graph in pairs:
        num_graphs += 1
        names = {node.id: node.concept for node in graph.nodes}
        concepts.update(names.values())
        for source, role in _branches(graph):
            roles.setdefault(names[source], Counter())[role] += 1
        covered = {token for found in graph.alignments.values() for token in found.tokens}
        words.update(sentence.lemmas)
        uncovered.update(
            lemma for token, lemma in enumerate(sentence.lemmas) if token not in covered
        )
    kept = {name: count for name, count in concepts.items() if count >= MIN_COUNT}
    total: Counter[str] = Counter()
    for found in roles.values():
        total.update(found)
    silent = {
        lemma
        for lemma, count in words.items()
        if lemma.isalpha() and count >= MIN_SILENT and uncovered[lemma] >= SILENT_SHARE * count
    }
    own = {name: dict(roles.get(name, {})) for name in kept}
    return Counts(kept, own, dict(total), frozenset(silent), num_graphs)


def _branches(graph: AmrGraph) -> Iterable[tuple[str, str]]:
    """Give source and role of every branch, ``:wiki`` left out."""
    yield from ((edge.source, edge.role) for edge in graph.edges)
    yield from ((item.source, item.role) for item in graph.attributes if item.role != ":wiki")
