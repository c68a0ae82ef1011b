"""A mapping between two graphs that are too large for a table of all their node pairs.

From the roots on, nodes are paired with those that the same roles lead to, such first as
look the same eight edges around. Of documents, whose root has the edges ``:snt1``, ``:snt2``
and so on, sentence is mapped to sentence first, each as well as can be. Then partners are
swapped, node by node, while that gains. Equal graphs are told at once, without a search.
"""

from __future__ import annotations

import re
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence

from aptcore.graph.layout import INSTANCE, TOP
from aptcore.scoring.triple_graph import TripleGraph

COLOUR_ROUNDS = 8
SAME_CONCEPT = 8
"""Nodes of its concept that a node is tried with."""

SENTENCE = re.compile(r":snt\d+")
"""The role of a sentence at the root of a document."""

Solve = Callable[[TripleGraph, TripleGraph, float], Sequence[int]]
"""Maps two small graphs within so many seconds: for each node its partner, -1 for none."""

_Way = tuple[str, bool]
"""A role, and whether the edge leads away from the node."""


class _Side:
    """A graph by its nodes: their labels, their edges by role and direction, their looks."""

    def __init__(self, graph: TripleGraph) -> None:
        self.size = graph.num_nodes
        self.labels: list[set[tuple[str, str]]] = [set() for _ in range(graph.num_nodes)]
        for node, role, value in graph.labels:
            self.labels[node].add((role, value))
        self.ways: list[dict[_Way, list[int]]] = [{} for _ in range(graph.num_nodes)]
        for source, role, target in sorted(graph.links):
            self.ways[source].setdefault((role, True), []).append(target)
            self.ways[target].setdefault((role, False), []).append(source)
        self.links = graph.links
        self.concepts = [
            next((value for role, value in sorted(labels) if role == INSTANCE), "")
            for labels in self.labels
        ]
        self.colours = [hash(frozenset(labels)) for labels in self.labels]
        for _ in range(COLOUR_ROUNDS):
            self.colours = [self._look(node) for node in range(self.size)]

    def _look(self, node: int) -> int:
        around = sorted(
            (way, self.colours[other])
            for way, others in self.ways[node].items()
            for other in others
        )
        return hash((self.colours[node], tuple(around)))


class _Draft:
    """A mapping under way."""

    def __init__(self, first: _Side, second: _Side) -> None:
        self.first, self.second = first, second
        self.partners = [-1] * first.size
        self.owners = [-1] * second.size
        self._waiting: deque[int] = deque()

    def put(self, node: int, partner: int) -> None:
        """Make two nodes partners; a partner of -1 leaves the node alone."""
        self.partners[node] = partner
        if partner >= 0:
            self.owners[partner] = node

    def begin(self) -> None:
        """Pair the nodes that the same roles lead to, from the roots on, then all others."""
        tops = [
            [node for node in range(side.size) if (TOP, "") in side.labels[node]]
            for side in (self.first, self.second)
        ]
        for nodes, partners in (tops, [range(self.first.size), range(self.second.size)]):
            for keys in ("colours", "concepts"):
                self._pair(nodes, partners, keys)
        self._pair(range(self.first.size), range(self.second.size), "")

    def follow(self, partners: dict[int, int]) -> None:
        """Take pairs that are known, and pair all others from there on."""
        for node, partner in partners.items():
            self.put(node, partner)
        self._waiting.extend(partners)
        self._spread()
        self.begin()

    def _pair(self, nodes: Iterable[int], partners: Iterable[int], key: str) -> None:
        """Pair free nodes that look alike, and go on from each pair."""
        free: dict[object, deque[int]] = defaultdict(deque)
        for partner in partners:
            if self.owners[partner] < 0:
                free[_looks(self.second, key)[partner] if key else ""].append(partner)
        for node in nodes:
            alike = free.get(_looks(self.first, key)[node] if key else "", deque())
            while alike and self.partners[node] < 0:
                partner = alike.popleft()
                if self.owners[partner] < 0:
                    self.put(node, partner)
                    self._waiting.append(node)
                    self._spread()

    def _spread(self) -> None:
        while self._waiting:
            node = self._waiting.popleft()
            reached = self.second.ways[self.partners[node]]
            for way, others in self.first.ways[node].items():
                free = [other for other in others if self.partners[other] < 0]
                targets = [other for other in reached.get(way, ()) if self.owners[other] < 0]
                for looks in ("colours", "concepts", ""):
                    for other in free:
                        self._meet(other, targets, looks)

    def _meet(self, node: int, targets: Sequence[int], key: str) -> None:
        if self.partners[node] >= 0:
            return
        for target in targets:
            is_alike = not key or _looks(self.first, key)[node] == _looks(self.second, key)[target]
            if self.owners[target] < 0 and is_alike:
                self.put(node, target)
                self._waiting.append(node)
                return

    def gain(self, nodes: set[int]) -> int:
        """Count the triples at these nodes that match; an edge between two counts once."""
        found = 0
        for node in nodes:
            partner = self.partners[node]
            if partner < 0:
                continue
            found += len(self.first.labels[node] & self.second.labels[partner])
            for (role, is_away), others in self.first.ways[node].items():
                for other in others:
                    if other in nodes and not is_away:
                        continue
                    ends = (partner, self.partners[other])
                    link = (ends[0], role, ends[1]) if is_away else (ends[1], role, ends[0])
                    found += link in self.second.links
        return found

    def try_swap(self, node: int, partner: int) -> bool:
        """Give a node another partner, whose node takes the old one, if that gains."""
        old, other = self.partners[node], self.owners[partner]
        touched = {node} if other < 0 else {node, other}
        before = self.gain(touched)
        self._swap(node, partner, other, old)
        if self.gain(touched) > before:
            return True
        self._swap(node, old, other, partner)
        return False

    def _swap(self, node: int, partner: int, other: int, others_partner: int) -> None:
        for place in (partner, others_partner):
            if place >= 0:
                self.owners[place] = -1
        if other >= 0:
            self.put(other, others_partner)
        self.put(node, partner)

    def candidates(self, node: int, by_concept: dict[str, list[int]]) -> list[int]:
        """Give partners that a node may gain from."""
        found = list(by_concept.get(self.first.concepts[node], ())[:SAME_CONCEPT])
        for (role, is_away), others in self.first.ways[node].items():
            for other in others:
                if self.partners[other] >= 0:
                    found += self.second.ways[self.partners[other]].get((role, not is_away), ())
        return [other for other in dict.fromkeys(found) if other != self.partners[node]]


def _looks(side: _Side, key: str) -> Sequence[object]:
    return side.colours if key == "colours" else side.concepts


def sentences_of(graph: TripleGraph) -> dict[str, tuple[int, ...]]:
    """Give the nodes of each sentence of a document, its top first; of none where it is none.

    A node that several sentences share belongs to the one whose top is nearest.
    """
    roots = {node for node, role, _ in graph.labels if role == TOP}
    links = sorted(graph.links)
    tops = {r: t for s, r, t in links if s in roots and SENTENCE.fullmatch(r) and t not in roots}
    near: dict[int, list[int]] = defaultdict(list)
    for source, _, target in links:
        if not roots & {source, target}:
            near[source].append(target)
            near[target].append(source)
    found: dict[str, list[int]] = {}
    owner: dict[int, str] = {}
    for role, top in tops.items():
        if top not in owner:  # two sentences may have one top
            owner[top], found[role] = role, [top]
    waiting = deque(owner)
    while waiting:
        node = waiting.popleft()
        for other in near[node]:
            if other not in owner:
                owner[other] = owner[node]
                found[owner[node]].append(other)
                waiting.append(other)
    return {role: tuple(nodes) for role, nodes in found.items()}


def _part_of(graph: TripleGraph, nodes: Sequence[int]) -> TripleGraph:
    """Cut out some nodes, the first of them as the root."""
    places = {node: place for place, node in enumerate(nodes)}
    labels = {(places[n], role, value) for n, role, value in graph.labels if n in places}
    links = {(places[s], r, places[t]) for s, r, t in graph.links if s in places and t in places}
    return TripleGraph(len(nodes), frozenset({*labels, (0, TOP, "")}), frozenset(links))


def _by_sentences(
    first: TripleGraph, second: TripleGraph, deadline: float, solve: Solve
) -> dict[int, int]:
    """Map sentence to sentence of two documents; gives the pairs that match in something."""
    own, other = sentences_of(first), sentences_of(second)
    both = [role for role in own if role in other]
    pairs: dict[int, int] = {}
    for number, role in enumerate(both):
        seconds = max(0.0, deadline - time.thread_time()) / (2 * (len(both) - number))
        nodes, partners = own[role], other[role]
        mapping = solve(_part_of(first, nodes), _part_of(second, partners), seconds)
        pairs |= {nodes[n]: partners[p] for n, p in enumerate(mapping) if p >= 0}
    return pairs


def map_large(
    first: TripleGraph, second: TripleGraph, bound: int, deadline: float, solve: Solve
) -> tuple[int, tuple[int, ...]]:
    """Map the nodes of two graphs of any size.

    Args:
        first: Its nodes are mapped.
        second: To nodes of this one.
        bound: What any mapping can match at most; where that is reached nothing is tried.
        deadline: On the clock of ``time.thread_time``; the mapping so far is given then.
        solve: Maps the sentences of documents.

    Returns:
        The triples that match, and for each node its partner, -1 for none.
    """
    sides, everything = (_Side(first), _Side(second)), set(range(first.num_nodes))
    draft = _Draft(*sides)
    draft.begin()
    if draft.gain(everything) < bound and (pairs := _by_sentences(first, second, deadline, solve)):
        other = _Draft(*sides)
        other.follow(pairs)
        draft = max(draft, other, key=lambda one: one.gain(everything))
    by_concept: dict[str, list[int]] = defaultdict(list)
    for node, concept in enumerate(draft.second.concepts):
        by_concept[concept].append(node)
    is_better = draft.gain(everything) < bound
    while is_better:
        is_better = False
        for node in range(first.num_nodes):
            if time.thread_time() > deadline:
                return draft.gain(everything), tuple(draft.partners)
            for partner in draft.candidates(node, by_concept):
                is_better |= draft.try_swap(node, partner)
    return draft.gain(everything), tuple(draft.partners)
