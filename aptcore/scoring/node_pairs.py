"""Two graphs as a table of node pairs and what each would gain if mapped.

Both graphs are padded with nodes that match nothing to one size, so that a mapping is
a permutation and any change of it a sequence of swaps. A pair of nodes is one number,
its cell: ``node * size + partner``.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from aptcore.scoring.triple_graph import TripleGraph

Integers = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class NodePairs:
    """Gains of node pairs alone, and of two node pairs together.

    Attributes:
        size: Nodes of the larger graph; the other one is padded.
        alone: (size * size,), triples that match if the cell is mapped, its edges aside.
        starts: (links,), a cell.
        ends: (links,), the cell that must be mapped as well for an edge to match.
        gains: (links,), edges that match if both are; whole numbers from 1.
    """

    size: int
    alone: Floats
    starts: Integers
    ends: Integers
    gains: Floats


def node_pairs(first: TripleGraph, second: TripleGraph) -> NodePairs:
    """Give the gains of mapping the nodes of one graph to those of another."""
    size = max(first.num_nodes, second.num_nodes, 1)
    alone = np.zeros(size * size)
    nodes_by_label: dict[tuple[str, str], list[int]] = defaultdict(list)
    for node, role, value in second.labels:
        nodes_by_label[role, value].append(node)
    for node, role, value in first.labels:
        for partner in nodes_by_label.get((role, value), ()):
            alone[node * size + partner] += 1
    links_by_role: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for source, role, target in second.links:
        links_by_role[role].append((source, target))
    together: dict[tuple[int, int], int] = defaultdict(int)
    for source, role, target in first.links:
        for other_source, other_target in links_by_role.get(role, ()):
            if (source == target) != (other_source == other_target):
                continue  # a self-loop can only match a self-loop
            start, end = source * size + other_source, target * size + other_target
            if start == end:
                alone[start] += 1
            else:
                together[min(start, end), max(start, end)] += 1
    found = sorted(together.items())
    return NodePairs(
        size,
        alone,
        np.array([cells[0] for cells, _ in found], dtype=np.intp),
        np.array([cells[1] for cells, _ in found], dtype=np.intp),
        np.array([gain for _, gain in found], dtype=np.float64),
    )


def simple_bound(first: TripleGraph, second: TripleGraph) -> int:
    """Count what could match if each triple could be matched on its own."""
    labels = Counter(label[1:] for label in first.labels)
    labels &= Counter(label[1:] for label in second.labels)
    links = Counter(role for _, role, _ in first.links)
    links &= Counter(role for _, role, _ in second.links)
    return labels.total() + links.total()


def num_links(first: TripleGraph, second: TripleGraph) -> int:
    """Count the pairs of edges that could match: what a table of node pairs holds."""
    other = Counter(role for _, role, _ in second.links)
    return sum(other[role] for _, role, _ in first.links)


def mapped_cells(partners: Integers) -> Flags:
    """Give (size * size,) flags of the cells that a mapping holds."""
    size = len(partners)
    flags = np.zeros(size * size, dtype=bool)
    flags[np.arange(size) * size + partners] = True
    return flags


def mapping_value(pairs: NodePairs, is_mapped: Flags) -> int:
    """Count the triples that match under the mapped cells."""
    linked = pairs.gains[is_mapped[pairs.starts] & is_mapped[pairs.ends]]
    return int(pairs.alone[is_mapped].sum() + linked.sum())


def cell_support(pairs: NodePairs, is_mapped: Flags) -> Floats:
    """Give for each cell what it gains beside the mapped cells, (size * size,)."""
    cells = len(pairs.alone)
    support = pairs.alone + np.bincount(pairs.starts, pairs.gains * is_mapped[pairs.ends], cells)
    support += np.bincount(pairs.ends, pairs.gains * is_mapped[pairs.starts], cells)
    return support


def climb(pairs: NodePairs, partners: Integers, deadline: float) -> tuple[Integers, int]:
    """Swap the partners of two nodes while that gains; the best swap first.

    Args:
        pairs: What each cell gains.
        partners: (size,), the partner of each node; a permutation.
        deadline: On the clock of ``time.thread_time``; the mapping so far is given then.

    Returns:
        The partners, and the triples that match under them.
    """
    partners = partners.copy()
    size = pairs.size
    while True:
        is_mapped = mapped_cells(partners)
        gain = _swap_gains(pairs, partners, is_mapped)
        best = int(gain.argmax())
        if gain.flat[best] < 0.5 or time.thread_time() > deadline:
            return partners, mapping_value(pairs, is_mapped)
        one, other = divmod(best, size)
        partners[[one, other]] = partners[[other, one]]


def _swap_gains(pairs: NodePairs, partners: Integers, is_mapped: Flags) -> Floats:
    """Tell for every two nodes what it gains to swap their partners, (size, size).

    The edges between the two nodes count twice or not at all in the sums of support,
    and are put right after.
    """
    size = pairs.size
    support = cell_support(pairs, is_mapped).reshape(size, size)[:, partners]
    own = support.diagonal()
    gains = support + support.T - own[:, None] - own[None, :]
    one, one_partner = np.divmod(pairs.starts, size)
    other, other_partner = np.divmod(pairs.ends, size)
    is_kept = is_mapped[pairs.starts] & is_mapped[pairs.ends]
    is_reached = (partners[one] == other_partner) & (partners[other] == one_partner)
    for link in np.flatnonzero(is_kept | is_reached).tolist():
        gains[one[link], other[link]] += pairs.gains[link]
        gains[other[link], one[link]] += pairs.gains[link]
    return gains
