"""The best one-to-one mapping between the nodes of two graphs, and a proof of it.

Smatch asks for the mapping of nodes that makes most triples equal. Hill climbing, as
in smatch 1.0.4, may stop below the best and differs from run to run. Here a good
mapping is found by assignment and climbing, always the same way; falling upper bounds
show for nearly all pairs that nothing is better (``aptcore.scoring.pair_bounds``). Where they
do not, an integer program over the few cells left either proves the mapping or
improves on it (``aptcore.scoring.pair_program``), and climbing begins anew from other
mappings, within a time limit. Graphs that are too large for all that in the time are
mapped from their roots on (``aptcore.scoring.large_pairs``); so is, first, what may be
equal.

Source: Cai and Knight 2013 (Smatch).
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from aptcore.scoring.large_pairs import map_large
from aptcore.scoring.node_pairs import (
    NodePairs,
    cell_support,
    climb,
    mapped_cells,
    node_pairs,
    num_links,
    simple_bound,
)
from aptcore.scoring.pair_bounds import Bounded, bound_mapping
from aptcore.scoring.pair_program import solve_open_cells
from aptcore.scoring.triple_graph import TripleGraph

TIME_LIMIT = 10.0
"""Seconds of processor time for one pair."""

CELLS_A_SECOND, LINKS_A_SECOND = 100_000, 400_000
SMALLEST_CELLS, SMALLEST_LINKS = 10_000, 20_000
"""Node pairs and their edges that a table may have, for each second of the limit or at
least: so many are made and bounded once in half that time on a slow core."""

PROGRAM_SHARE = 0.6
"""How much of the time left the integer program may take; climbing has the rest."""

RESTARTS = 20
"""Times that climbing begins anew, and times that it goes on from the best mapping."""


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
            changes little; the integer program knows the clock alone, and gets as much of
            that as this thread needed for the same time so far. A pair that needs more is
            given without its proof, and then ``is_proven`` is False.
    """
    begun, clock = time.thread_time(), time.monotonic()
    deadline = begun + time_limit
    bound = simple_bound(first, second)
    is_large = _is_large(first, second, time_limit)
    if is_large or bound == first.num_triples == second.num_triples:
        matched, mapping = map_large(first, second, bound, deadline, _mapping)
        if is_large or matched == bound:
            return Match(matched, bound, mapping)
    pairs = node_pairs(first, second)
    found = bound_mapping(pairs, bound, deadline)
    if found.matched < found.bound and (left := deadline - time.thread_time()) > 0:
        pace = (time.monotonic() - clock) / max(time.thread_time() - begun, 1e-3)
        found = solve_open_cells(pairs, found, left * PROGRAM_SHARE, max(1.0, pace))
        # The program may have taken more than its share: climbing has its own all the same.
        found = _restarted(pairs, found, time.thread_time() + left * (1 - PROGRAM_SHARE))
    support = cell_support(pairs, mapped_cells(found.partners))
    own = support[np.arange(pairs.size) * pairs.size + found.partners]  # (size,)
    partners = np.where(own > 0, found.partners, -1)[: first.num_nodes]
    return Match(found.matched, found.bound, tuple(partners.tolist()))


def _mapping(first: TripleGraph, second: TripleGraph, seconds: float) -> tuple[int, ...]:
    return best_match(first, second, seconds).mapping


def _is_large(first: TripleGraph, second: TripleGraph, time_limit: float) -> bool:
    """Tell whether a table of all node pairs would take too long; the clock is not asked."""
    num_cells = max(first.num_nodes, second.num_nodes) ** 2
    return num_cells > max(SMALLEST_CELLS, CELLS_A_SECOND * time_limit) or num_links(
        first, second
    ) > max(SMALLEST_LINKS, LINKS_A_SECOND * time_limit)


def _restarted(pairs: NodePairs, known: Bounded, deadline: float) -> Bounded:
    """Climb from other mappings: first from random ones, then from the best, shaken."""
    generator = np.random.default_rng(pairs.size)
    best, matched = known.partners, known.matched
    num_shaken = max(3, pairs.size // 8)
    for number in range(2 * RESTARTS):
        if matched == known.bound or time.thread_time() > deadline:
            break
        if number < RESTARTS:
            hopes = pairs.alone + generator.random(len(pairs.alone)) / 2
            _, partners = linear_sum_assignment(hopes.reshape(pairs.size, -1), maximize=True)
        else:
            partners = best.copy()
            places = generator.choice(pairs.size, min(num_shaken, pairs.size), replace=False)
            partners[places] = partners[generator.permutation(places)]
        partners, value = climb(pairs, partners, deadline)
        if value > matched:
            best, matched = partners, value
    return Bounded(best, matched, known.bound, known.is_open)
