"""The best one-to-one mapping between the nodes of two graphs, and a proof of it.

Smatch asks for the mapping of nodes that makes most triples equal. Hill climbing, as
in smatch 1.0.4, may stop below the best and differs from run to run. Here a good
mapping is found by assignment and climbing, always the same way; falling upper bounds
show for nearly all pairs that nothing is better (``aptcore.scoring.pair_bounds``). Where they
do not, an integer program over the few cells left either proves the mapping or
improves on it (``aptcore.scoring.pair_program``), within a time limit.

Source: Cai and Knight 2013 (Smatch).
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from aptcore.scoring.node_pairs import cell_support, mapped_cells, node_pairs, simple_bound
from aptcore.scoring.pair_bounds import bound_mapping
from aptcore.scoring.pair_program import solve_open_cells
from aptcore.scoring.triple_graph import TripleGraph

TIME_LIMIT = 10.0
"""Seconds of processor time for one pair."""


@dataclass(frozen=True, slots=True)
class Match:
    """The outcome for one pair.

    Attributes:
        matched: Triples that are equal under the mapping.
        bound: No mapping can make more equal; equals ``matched`` where proven.
        mapping: For each node of the first graph its partner in the second; -1 where
            it has none, or none with which any triple matches.
    """

    matched: int
    bound: int
    mapping: tuple[int, ...]

    @property
    def is_proven(self) -> bool:
        """Tell whether the mapping is known to be the best."""
        return self.bound == self.matched


def best_match(first: TripleGraph, second: TripleGraph, time_limit: float = TIME_LIMIT) -> Match:
    """Find the mapping that makes most triples of two graphs equal.

    Args:
        first: Its nodes are mapped.
        second: To nodes of this one.
        time_limit: Seconds of this thread's processor time, so that a busy machine
            changes little; the integer program takes what is left of them by the
            clock. A pair that needs more is given without its proof, and then
            ``is_proven`` is False.
    """
    deadline = time.thread_time() + time_limit
    pairs = node_pairs(first, second)
    found = bound_mapping(pairs, simple_bound(first, second), deadline)
    if found.matched < found.bound and (left := deadline - time.thread_time()) > 0:
        found = solve_open_cells(pairs, found, left)
    support = cell_support(pairs, mapped_cells(found.partners))
    own = support[np.arange(pairs.size) * pairs.size + found.partners]  # (size,)
    partners = np.where(own > 0, found.partners, -1)[: first.num_nodes]
    return Match(found.matched, found.bound, tuple(partners.tolist()))
