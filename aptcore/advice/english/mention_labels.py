"""The word by which a reading names each node again."""

from __future__ import annotations

from collections import Counter

from aptcore.advice.english.phrases import words_of
from aptcore.graph.amr import AmrGraph
from aptcore.graph.penman import item_order

_SAID = {"i": "I", "and": "group", "or": "choice", "slash": "choice", "date entity": "date"}
"""What is said instead of a concept's own words."""


def labels_of(graph: AmrGraph) -> dict[str, str]:
    """Give each node a word for later mentions; those alike are numbered from the second on."""
    counts: Counter[str] = Counter()
    labels = {}
    names = {node.id: node.concept for node in graph.nodes}
    for name in item_order(graph):
        if name in names:
            words = words_of(names[name])
            words = _SAID.get(words, words)
            counts[words] += 1
            labels[name] = words if counts[words] == 1 else f"{words} no. {counts[words]}"
    return labels
