"""Two graphs of one sentence, triple by triple: matched, changed, missing, extra.

The nodes are put side by side by the exact Smatch mapping. What then differs is paired
where it is clearly one change: a node with another concept, an edge between the same
nodes with another role, an edge that was moved at one end, a constant with another value
or role. The rest is extra (only in the first graph) or missing (only in the second).

Constants are compared as written, so that ``2`` and ``"2"`` differ here although Smatch
takes them for equal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from aptcore.graph.amr import AmrGraph, Attribute, Edge
from aptcore.graph.layout import INSTANCE, TOP, Triple
from aptcore.scoring.mapping import TIME_LIMIT, best_match
from aptcore.scoring.triple_graph import triple_graph

Status = Literal["matched", "changed", "missing", "extra"]
Kind = Literal["root", "concept", "edge", "constant"]
_Part = TypeVar("_Part", Edge, Attribute)


@dataclass(frozen=True, slots=True)
class Pair:
    """One triple of either graph, or one of each that stand for another.

    Attributes:
        kind: What it is.
        status: How the two compare.
        first: Source, role, target in the first graph's names; None where it is missing.
            The target of a constant is its attribute id. A root is (node, ":top", "").
        second: The same in the second graph's names; None where it is extra.
    """

    kind: Kind
    status: Status
    first: Triple | None
    second: Triple | None


@dataclass(frozen=True, slots=True)
class Compared:
    """Two graphs side by side.

    Attributes:
        first: The graph that is looked at.
        second: What it is compared with.
        partners: Node of the first graph to node of the second.
        pairs: Every triple, in the order of the first graph, then what is missing.
        num_matched: Triples that Smatch counts as matched; letter case and quotation marks
            make no difference there.
        is_proven: Whether no other mapping matches more.
    """

    first: AmrGraph
    second: AmrGraph
    partners: Mapping[str, str]
    pairs: tuple[Pair, ...]
    num_matched: int
    is_proven: bool

    def count(self, status: Status) -> int:
        """Count the pairs with a status."""
        return sum(pair.status == status for pair in self.pairs)


def compare_graphs(first: AmrGraph, second: AmrGraph, time_limit: float = TIME_LIMIT) -> Compared:
    """Compare two graphs of one sentence.

    Args:
        first: The graph that is looked at.
        second: What it is compared with: silver, gold, or another person's.
        time_limit: Seconds of processor time for the mapping.
    """
    match = best_match(triple_graph(first), triple_graph(second), time_limit)
    partners = {
        node.id: second.nodes[place].id
        for node, place in zip(first.nodes, match.mapping, strict=True)
        if place >= 0
    }
    pairs = (
        _root_pair(first, second, partners),
        *_concept_pairs(first, second, partners),
        *_edge_pairs(first, second, partners),
        *_constant_pairs(first, second, partners),
    )
    return Compared(first, second, partners, pairs, match.matched, match.is_proven)


def _root_pair(first: AmrGraph, second: AmrGraph, partners: Mapping[str, str]) -> Pair:
    is_same = partners.get(first.root) == second.root
    own, other = (first.root, TOP, ""), (second.root, TOP, "")
    return Pair("root", "matched" if is_same else "changed", own, other)


def _concept_pairs(first: AmrGraph, second: AmrGraph, partners: Mapping[str, str]) -> list[Pair]:
    others = {node.id: node.concept for node in second.nodes}
    pairs = []
    for node in first.nodes:
        own = (node.id, INSTANCE, node.concept)
        partner = partners.get(node.id)
        if partner is None:
            pairs.append(Pair("concept", "extra", own, None))
            continue
        is_same = others[partner] == node.concept
        other = (partner, INSTANCE, others[partner])
        pairs.append(Pair("concept", "matched" if is_same else "changed", own, other))
    found = set(partners.values())
    pairs += [
        Pair("concept", "missing", None, (node.id, INSTANCE, node.concept))
        for node in second.nodes
        if node.id not in found
    ]
    return pairs


def _edge_pairs(first: AmrGraph, second: AmrGraph, partners: Mapping[str, str]) -> list[Pair]:
    def is_same(own: Edge, other: Edge) -> bool:
        return own.role == other.role and has_same_start(own, other) and has_same_end(own, other)

    def has_same_start(own: Edge, other: Edge) -> bool:
        return partners.get(own.source) == other.source

    def has_same_end(own: Edge, other: Edge) -> bool:
        return partners.get(own.target) == other.target

    def has_same_ends(own: Edge, other: Edge) -> bool:
        return {partners.get(own.source), partners.get(own.target)} == {other.source, other.target}

    def is_moved(own: Edge, other: Edge) -> bool:
        is_held = has_same_start(own, other) or has_same_end(own, other)
        return own.role == other.role and is_held

    found = _paired(list(first.edges), list(second.edges), [is_same, has_same_ends, is_moved])
    return [
        Pair("edge", _status(own, other, is_same), _triple(own), _triple(other))
        for own, other in found
    ]


def _constant_pairs(first: AmrGraph, second: AmrGraph, partners: Mapping[str, str]) -> list[Pair]:
    def is_same(own: Attribute, other: Attribute) -> bool:
        return has_same_role(own, other) and own.value == other.value

    def has_same_role(own: Attribute, other: Attribute) -> bool:
        return partners.get(own.source) == other.source and own.role == other.role

    def has_same_value(own: Attribute, other: Attribute) -> bool:
        return partners.get(own.source) == other.source and own.value == other.value

    tests = [is_same, has_same_role, has_same_value]
    found = _paired(list(first.attributes), list(second.attributes), tests)
    return [
        Pair("constant", _status(own, other, is_same), _triple(own), _triple(other))
        for own, other in found
    ]


def _paired(
    own: list[_Part], others: list[_Part], tests: Sequence[Callable[[_Part, _Part], bool]]
) -> list[tuple[_Part | None, _Part | None]]:
    """Pair parts by the first test that any two of them pass, the best test first."""
    partner: dict[int, int] = {}
    free: dict[int, None] = dict.fromkeys(range(len(others)))
    for test in tests:
        for place, part in enumerate(own):
            if place in partner:
                continue
            found = next((n for n in free if test(part, others[n])), None)
            if found is not None:
                partner[place] = found
                del free[found]
    pairs: list[tuple[_Part | None, _Part | None]] = [
        (part, others[partner[place]] if place in partner else None)
        for place, part in enumerate(own)
    ]
    pairs += [(None, others[place]) for place in free]
    return pairs


def _status(
    own: _Part | None, other: _Part | None, is_same: Callable[[_Part, _Part], bool]
) -> Status:
    if own is None:
        return "missing"
    if other is None:
        return "extra"
    return "matched" if is_same(own, other) else "changed"


def _triple(part: Edge | Attribute | None) -> Triple | None:
    if part is None:
        return None
    end = part.id if isinstance(part, Attribute) else part.target
    return (part.source, part.role, end)
