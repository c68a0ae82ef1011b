"""The hill-climbing search of smatch 1.0.4, for comparison with published scores.

Three faults of it are kept out: repeated triples count once, values are compared
whole, and what it remembers of one pair is forgotten before the next. Two of its
ways remain: it may miss the best mapping, and it starts from random mappings that
cannot be repeated, because it seeds its random numbers from the system each time.
"""

from __future__ import annotations

import random

import smatch

from aptcore.graph.layout import INSTANCE
from aptcore.scoring.mapping import Match
from aptcore.scoring.node_pairs import simple_bound
from aptcore.scoring.triple_graph import TripleGraph

"""Starting points for each pair: one by concepts, four random; smatch's default."""

_Named = list[tuple[str, str, str]]


def search_match(first: TripleGraph, second: TripleGraph) -> Match:
    """Find a good mapping between two graphs by smatch's search.

    Side effects: none; the state of Python's random numbers is put back.
    """
    names: dict[str, str] = {}
    smatch.match_triple_dict.clear()
    state = random.getstate()
    try:
        mapping, matched = smatch.get_best_match(
            *_lists(first, "a", names), *_lists(second, "b", names), "a", "b"
        )
    finally:
        random.setstate(state)
    return Match(matched, max(matched, simple_bound(first, second)), tuple(mapping))


def _lists(graph: TripleGraph, prefix: str, names: dict[str, str]) -> tuple[_Named, _Named, _Named]:
    """Write a graph as smatch's three lists, with a plain name for each text.

    smatch cuts values at white space and strips underscores; it cannot harm ``t17``.
    """

    def name(text: str) -> str:
        return names.setdefault(text, f"t{len(names)}")

    labels = sorted(graph.labels)
    instances = [
        ("instance", f"{prefix}{node}", name(value))
        for node, role, value in labels
        if role == INSTANCE
    ]
    attributes = [
        (name(role), f"{prefix}{node}", name(value))
        for node, role, value in labels
        if role != INSTANCE
    ]
    relations = [
        (name(role), f"{prefix}{source}", f"{prefix}{target}")
        for source, role, target in sorted(graph.links)
    ]
    return instances, attributes, relations
