"""Upper bounds on what any mapping can match, driven down until they meet the best found.

Each edge's gain is shared out between the two cells that it needs. For fixed shares
the best mapping is an assignment, and its value is a bound. Where the two ends
disagree about an edge, its share moves to the end that did not want it, and the bound
falls. A cell whose bound, were it forced, is below one more than the best mapping known
cannot be part of a better one, and is struck out; that lowers the bound further.

Source: the dual of Adams and Johnson 1994 for quadratic assignment, with Polyak's
steps; whole gains let a bound be rounded down. An integer program for each pair that the
first bound leaves open scored a fifth to a quarter as many pairs a second.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from aptcore.scoring.node_pairs import (
    Flags,
    Floats,
    Integers,
    NodePairs,
    climb,
    mapped_cells,
    mapping_value,
)

MAX_ROUNDS = 80
PATIENCE = 4  # rounds without a lower bound before the steps are halved
ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class Bounded:
    """The best mapping found, and what a better one could be made of.

    Attributes:
        partners: (size,), the partner of each node; a permutation.
        matched: Triples that match under it.
        bound: No mapping matches more.
        is_open: (size * size,), cells that a better mapping may hold.
    """

    partners: Integers
    matched: int
    bound: int
    is_open: Flags


@dataclass(frozen=True, slots=True)
class _Sides:
    """Every link seen from both of its ends: ``links`` from the start, then from the end.

    Attributes:
        cells: (2 * links,), the cell of this side.
        by_node: Of one cell's sides, those that ask for the same node; one can count.
        by_partner: The same, by the partner that they ask for.
    """

    cells: Integers
    by_node: _Groups
    by_partner: _Groups


@dataclass(frozen=True, slots=True)
class _Groups:
    """Sides in groups: ``order`` sorts them, ``starts`` is where each group begins."""

    order: Integers
    starts: Integers
    cells: Integers
    sizes: Integers


def bound_mapping(pairs: NodePairs, bound: int, deadline: float) -> Bounded:
    """Find a good mapping and a bound; most often they meet.

    Args:
        pairs: What each cell gains.
        bound: Known to hold.
        deadline: On the clock of ``time.thread_time``.
    """
    is_open = np.ones(len(pairs.alone), dtype=bool)
    sides = _sides(pairs)
    shares = np.concatenate([pairs.gains, pairs.gains]) / 2  # (2 * links,)
    best = Bounded(np.arange(pairs.size), -1, bound, is_open)
    lowest, num_stalled, pace = np.inf, 0, 1.0
    open_pairs = pairs
    for _ in range(MAX_ROUNDS):
        hopes, wanted = _hopes(open_pairs, is_open, sides, shares)
        partners, total = _assign(hopes)
        best = _better(pairs, best, partners, deadline)
        bound = min(best.bound, max(int(total + ROUNDING), best.matched))
        best = Bounded(best.partners, best.matched, bound, is_open)
        if bound == best.matched or time.thread_time() > deadline:
            break
        num_stalled = 0 if total < lowest - 1e-3 else num_stalled + 1
        lowest = min(lowest, total)
        if num_stalled == PATIENCE:
            pace, num_stalled = pace / 2, 0
        losses = _forcing_losses(hopes, partners, deadline)
        still_open = is_open & (total - losses >= best.matched + 1 - ROUNDING)
        if still_open.sum() < is_open.sum():
            is_open = still_open
            best = Bounded(best.partners, best.matched, bound, is_open)
            is_kept = is_open[open_pairs.starts] & is_open[open_pairs.ends]
            if not is_kept.all():
                shares = shares[np.concatenate([is_kept, is_kept])]
                open_pairs = _with_links(open_pairs, is_kept)
                sides = _sides(open_pairs)
                continue
        excess = _disagreement(wanted, sides, partners, is_open)
        if not excess.any():
            break  # the ends agree everywhere: the bound is as low as shares can bring it
        shares = _moved(shares, excess, pace * (total - best.matched - 0.9))
    return best


def _moved(shares: Floats, excess: Floats, distance: float) -> Floats:
    """Move shares away from the ends that count on them alone, by Polyak's step."""
    change = np.clip(distance / (excess @ excess) * excess, -0.5, 0.5)
    moved: Floats = shares + np.concatenate([-change, change])
    return moved


def _better(pairs: NodePairs, best: Bounded, partners: Integers, deadline: float) -> Bounded:
    """Take a mapping, after climbing, if it is better than the best known."""
    value = mapping_value(pairs, mapped_cells(partners))
    if value <= best.matched:
        return best
    partners, value = climb(pairs, partners, deadline)
    return Bounded(partners, value, best.bound, best.is_open)


def _assign(hopes: Floats) -> tuple[Integers, float]:
    rows, partners = linear_sum_assignment(hopes, maximize=True)
    return partners, float(hopes[rows, partners].sum())


def _with_links(pairs: NodePairs, is_kept: Flags) -> NodePairs:
    return NodePairs(
        pairs.size,
        pairs.alone,
        pairs.starts[is_kept],
        pairs.ends[is_kept],
        pairs.gains[is_kept],
    )


def _sides(pairs: NodePairs) -> _Sides:
    cells = np.concatenate([pairs.starts, pairs.ends])
    others = np.concatenate([pairs.ends, pairs.starts])
    return _Sides(
        cells,
        _groups(cells, others // pairs.size, pairs.size),
        _groups(cells, others % pairs.size, pairs.size),
    )


def _groups(cells: Integers, asked: Integers, size: int) -> _Groups:
    keys = cells * size + asked
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    is_first = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=is_first[1:])
    starts = np.flatnonzero(is_first)
    sizes = np.empty_like(starts)
    np.subtract(starts[1:], starts[:-1], out=sizes[:-1])
    sizes[-1:] = len(keys) - starts[-1:]
    return _Groups(order, starts, cells[order[starts]], sizes)


def _hopes(pairs: NodePairs, is_open: Flags, sides: _Sides, shares: Floats) -> tuple[Floats, Flags]:
    """Give what each cell can gain with its shares, and the sides that it counts on.

    Returns:
        (size, size) hopes, 0 where a cell is not open; (2 * links,) sides counted.
    """
    num_cells = len(pairs.alone)
    hopes = pairs.alone.copy()
    is_wanted = np.zeros(len(shares), dtype=bool)
    if len(shares):
        positive = np.maximum(shares, 0)
        by_node, most_node = _group_sums(sides.by_node, positive, num_cells)
        by_partner, most_partner = _group_sums(sides.by_partner, positive, num_cells)
        hopes += np.minimum(by_node, by_partner)
        is_node_lower = (by_node <= by_partner)[sides.cells]
        is_wanted = np.where(is_node_lower, most_node, most_partner) & (shares > ROUNDING)
    return np.where(is_open, hopes, 0).reshape(pairs.size, pairs.size), is_wanted


def _group_sums(groups: _Groups, shares: Floats, num_cells: int) -> tuple[Floats, Flags]:
    """Sum for each cell the largest share of each group; also flag the largest."""
    ordered = shares[groups.order]
    largest = np.maximum.reduceat(ordered, groups.starts)
    is_largest = np.empty(len(shares), dtype=bool)
    is_largest[groups.order] = ordered >= np.repeat(largest, groups.sizes)
    sums = np.bincount(groups.cells, largest, num_cells).astype(np.float64, copy=False)
    return sums, is_largest


def _disagreement(is_wanted: Flags, sides: _Sides, partners: Integers, is_open: Flags) -> Floats:
    """Give for each link 1 where only its start counts on it, -1 where only its end does."""
    is_counted = (is_wanted & (mapped_cells(partners) & is_open)[sides.cells]).astype(np.float64)
    half = len(is_counted) // 2
    return is_counted[:half] - is_counted[half:]


def _forcing_losses(hopes: Floats, partners: Integers, deadline: float) -> Floats:
    """Bound from below what the assignment loses if a cell is forced, (size * size,).

    These are the reduced costs under potentials found as shortest paths among swaps; all
    are 0 where those are not found in time.
    """
    own_first = hopes[:, partners]  # (size, size), a node's own partner on the diagonal
    losses = own_first.diagonal()[:, None] - own_first
    potentials = np.zeros(len(hopes))
    for _ in range(len(hopes)):
        lower = np.minimum(potentials, (potentials[:, None] + losses).min(axis=0))
        if (lower >= potentials - ROUNDING * 1e-3).all():
            break
        potentials = lower
        if time.thread_time() > deadline:
            return np.zeros(losses.size)
    reduced = np.empty_like(losses)
    reduced[:, partners] = losses + potentials[:, None] - potentials[None, :]
    return reduced.ravel()
