"""The best one-to-one mapping between the nodes of two graphs, and a proof of it.

Smatch asks for the mapping of nodes that makes most triples equal. Hill climbing, as
in smatch 1.0.4, may stop below the best and differs from run to run. Here a good
mapping is found by assignment and climbing, always the same way; an upper bound
from assignment shows for most pairs that nothing is better. Where it does not,
HiGHS solves the problem as an integer program, which either proves the mapping or
improves on it, within a time limit.

Source: Cai and Knight 2013 (Smatch); the program is that of Opitz 2023 (Smatch++)
with tighter rows: an edge pair needs both of its node pairs, and for one neighbour
only one partner can count.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linear_sum_assignment, milp
from scipy.sparse import csr_array

from aptcore.triple_graph import TripleGraph


@dataclass(frozen=True, slots=True)
class Match:
    """The outcome for one pair.

    Attributes:
        matched: Triples that are equal under the mapping.
        bound: No mapping can make more equal; equals ``matched`` where proven.
        mapping: For each node of the first graph its partner in the second, or -1.
    """

    matched: int
    bound: int
    mapping: tuple[int, ...]

    @property
    def is_proven(self) -> bool:
        """Tell whether the mapping is known to be the best."""
        return self.bound == self.matched


Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Problem:
    """Gains of node pairs alone, and of two node pairs together."""

    num_first: int
    num_second: int
    alone: Mapping[Pair, int]
    together: Mapping[Pair, Mapping[Pair, int]]  # symmetric


def best_match(first: TripleGraph, second: TripleGraph, time_limit: float = 10.0) -> Match:
    """Find the mapping that makes most triples of two graphs equal.

    Args:
        first: Its nodes are mapped.
        second: To nodes of this one.
        time_limit: Seconds for the proof of one pair; on a slower machine a hard
            pair may end without it, and then ``is_proven`` is False.
    """
    problem = _problem(first, second)
    mapping, bound = _assigned(problem, simple_bound(first, second))
    mapping, matched = _climb(problem, mapping)
    if matched < bound:
        mapping, matched, bound = _solve(problem, mapping, matched, bound, time_limit)
    return Match(matched, bound, tuple(mapping))


def count_matched(first: TripleGraph, second: TripleGraph, mapping: tuple[int, ...]) -> int:
    """Count the triples that are equal under a mapping (-1: no partner)."""
    labels = sum(
        (mapping[node], role, value) in second.labels for node, role, value in first.labels
    )
    return labels + sum(
        (mapping[source], role, mapping[target]) in second.links
        for source, role, target in first.links
    )


def _problem(first: TripleGraph, second: TripleGraph) -> _Problem:
    alone: dict[Pair, int] = defaultdict(int)
    together: dict[Pair, dict[Pair, int]] = defaultdict(lambda: defaultdict(int))
    nodes_by_label: dict[tuple[str, str], list[int]] = defaultdict(list)
    for node, role, value in sorted(second.labels):
        nodes_by_label[role, value].append(node)
    for node, role, value in sorted(first.labels):
        for partner in nodes_by_label[role, value]:
            alone[node, partner] += 1
    links_by_role: dict[str, list[Pair]] = defaultdict(list)
    for source, role, target in sorted(second.links):
        links_by_role[role].append((source, target))
    for source, role, target in sorted(first.links):
        for other_source, other_target in links_by_role[role]:
            if (source == target) != (other_source == other_target):
                continue  # a self-loop can only match a self-loop
            start, end = (source, other_source), (target, other_target)
            if start == end:
                alone[start] += 1
            else:
                together[start][end] += 1
                together[end][start] += 1
    return _Problem(first.num_nodes, second.num_nodes, alone, together)


def simple_bound(first: TripleGraph, second: TripleGraph) -> int:
    """Count what could match if each triple could be matched on its own."""
    labels = Counter(label[1:] for label in first.labels)
    labels &= Counter(label[1:] for label in second.labels)
    links = Counter(role for _, role, _ in first.links)
    links &= Counter(role for _, role, _ in second.links)
    return labels.total() + links.total()


def _assigned(problem: _Problem, bound: int) -> tuple[list[int], int]:
    """Start from the best assignment of hopeful gains; their sum is also a bound.

    The hope of a pair is its gain alone and half of the best that each of its
    neighbours could add: no mapping can reach more in sum.
    """
    hopes = np.zeros((problem.num_first, problem.num_second))
    for pair, gain in problem.alone.items():
        hopes[pair] = 2 * gain
    for pair, others in problem.together.items():
        hopes[pair] += _best_sum(others)
    rows, columns = linear_sum_assignment(hopes, maximize=True)
    mapping = [-1] * problem.num_first
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        mapping[row] = column
    return mapping, min(bound, int(hopes[rows, columns].sum()) // 2)


def _best_sum(others: Mapping[Pair, int]) -> int:
    """Bound the gain with neighbours: each, on either side, counts once at most."""
    best_first: dict[int, int] = defaultdict(int)
    best_second: dict[int, int] = defaultdict(int)
    for (node, partner), gain in others.items():
        best_first[node] = max(best_first[node], gain)
        best_second[partner] = max(best_second[partner], gain)
    return min(sum(best_first.values()), sum(best_second.values()))


def _climb(problem: _Problem, mapping: list[int]) -> tuple[list[int], int]:
    """Move or swap partners while that gains; the first best change is taken."""
    pairs = sorted({*problem.alone, *problem.together})
    owner = {partner: node for node, partner in enumerate(mapping) if partner >= 0}
    while True:
        best_gain, best_pair = 0, None
        for node, partner in pairs:
            if mapping[node] == partner:
                continue
            gain = _gain(problem, mapping, node, partner, owner.get(partner, -1))
            if gain > best_gain:
                best_gain, best_pair = gain, (node, partner)
        if best_pair is None:
            break
        node, partner = best_pair
        previous, other = mapping[node], owner.get(partner, -1)
        mapping[node] = partner
        owner.pop(previous, None)
        owner[partner] = node
        if other >= 0:
            mapping[other] = previous
            if previous >= 0:
                owner[previous] = other
    return mapping, _value(problem, mapping)


def _gain(problem: _Problem, mapping: list[int], node: int, partner: int, other: int) -> int:
    """Tell what it gains to map ``node`` to ``partner``, and its owner to what is freed."""
    previous = mapping[node]
    before = _part(problem, mapping, node, other)
    mapping[node] = partner
    if other >= 0:
        mapping[other] = previous
    after = _part(problem, mapping, node, other)
    mapping[node] = previous
    if other >= 0:
        mapping[other] = partner
    return after - before


def _part(problem: _Problem, mapping: list[int], node: int, other: int) -> int:
    """Sum the gains in which one of two nodes takes part."""
    total = 0
    for one in (node, other):
        if one < 0 or mapping[one] < 0:
            continue
        pair = (one, mapping[one])
        total += problem.alone.get(pair, 0)
        for (neighbour, partner), gain in problem.together.get(pair, {}).items():
            if mapping[neighbour] == partner and not (one == other and neighbour == node):
                total += gain
    return total


def _value(problem: _Problem, mapping: list[int]) -> int:
    total = 0
    for pair in enumerate(mapping):
        total += 2 * problem.alone.get(pair, 0)
        for (neighbour, partner), gain in problem.together.get(pair, {}).items():
            total += gain * (mapping[neighbour] == partner)
    return total // 2


def _solve(
    problem: _Problem, mapping: list[int], matched: int, bound: int, time_limit: float
) -> tuple[list[int], int, int]:
    """Prove that a mapping is the best, or find a better one, by integer programming."""
    pairs = sorted({*problem.alone, *problem.together})
    position = {pair: number for number, pair in enumerate(pairs)}
    joint = [
        (pair, other, gain)
        for pair in pairs
        for other, gain in sorted(problem.together.get(pair, {}).items())
        if pair < other
    ]
    gains = [problem.alone.get(pair, 0) for pair in pairs] + [gain for _, _, gain in joint]
    rows = _rows(pairs, position, joint)
    upper = np.array([float(limit) for _, limit in rows])
    matrix = _matrix([row for row, _ in rows], len(gains))
    integrality = np.array([1] * len(pairs) + [0] * len(joint))
    result = milp(
        -np.array(gains, dtype=float),
        integrality=integrality,
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(matrix, ub=upper),
        # All values are whole, so a gap under 1 is no gap.
        options={"time_limit": time_limit, "mip_rel_gap": 0.999 / max(bound, 1)},
    )
    if result.x is not None:
        found = [-1] * problem.num_first
        for pair, chosen in zip(pairs, result.x, strict=False):
            if chosen > 0.5:
                found[pair[0]] = pair[1]
        value = _value(problem, found)
        if value > matched:
            mapping, matched = found, value
    if result.status == 0:
        bound = matched
    elif result.mip_dual_bound is not None:
        bound = max(matched, min(bound, int(np.floor(-result.mip_dual_bound + 1e-6))))
    return mapping, matched, bound


_Row = list[tuple[int, int]]  # column and coefficient


def _rows(
    pairs: list[Pair], position: Mapping[Pair, int], joint: list[tuple[Pair, Pair, int]]
) -> list[tuple[_Row, int]]:
    """Give the rows of the program, each with its upper limit."""
    at_first: dict[int, _Row] = defaultdict(list)
    at_second: dict[int, _Row] = defaultdict(list)
    for pair in pairs:
        at_first[pair[0]].append((position[pair], 1))
        at_second[pair[1]].append((position[pair], 1))
    rows = [(row, 1) for row in (*at_first.values(), *at_second.values()) if len(row) > 1]
    with_neighbour: dict[tuple[Pair, int, int], _Row] = defaultdict(list)
    for number, (pair, other, _) in enumerate(joint):
        for one, two in ((pair, other), (other, pair)):
            for side in (0, 1):
                with_neighbour[one, side, two[side]].append((len(pairs) + number, 1))
    seen = set()
    for (pair, _, _), row in with_neighbour.items():
        whole = (pair, tuple(row))
        if whole not in seen:
            seen.add(whole)
            rows.append(([*row, (position[pair], -1)], 0))
    return rows


def _matrix(rows: list[_Row], num_columns: int) -> csr_array:
    values = [value for row in rows for _, value in row]
    columns = [column for row in rows for column, _ in row]
    starts = np.cumsum([0] + [len(row) for row in rows])
    return csr_array((values, columns, starts), shape=(len(rows), num_columns))
