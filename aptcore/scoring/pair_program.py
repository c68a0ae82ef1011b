"""The mapping of nodes as an integer program, for the few pairs that bounds leave open.

Source: Opitz 2023 (Smatch++), with tighter rows: an edge counts only if both of its
cells are mapped, and of one cell's edges to one neighbour only one counts.
"""

from __future__ import annotations

import time
from collections import defaultdict

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linear_sum_assignment, milp
from scipy.sparse import csr_array

from aptcore.scoring.node_pairs import NodePairs, mapped_cells, mapping_value
from aptcore.scoring.pair_bounds import Bounded

LINKS_A_SECOND = 10_000
"""Edges that a program may have for each second: making it and the solver's first steps, which
no limit ends, then take a tenth of them or so."""

_Row = tuple[list[tuple[int, int]], int]
"""Columns with their coefficients, and what they may sum to at most."""


def solve_open_cells(pairs: NodePairs, known: Bounded, time_limit: float, pace: float) -> Bounded:
    """Prove a mapping, or find a better one, among the cells still open.

    Args:
        pairs: What each cell gains.
        known: The best mapping so far; a better one holds only open cells that gain.
        time_limit: Seconds of this thread's processor time, the program's making
            included; after it the best mapping and the bound so far are given.
        pace: Seconds of the clock that one of processor time takes, 1 on a free machine:
            the solver knows the clock alone.
    """
    deadline = time.thread_time() + time_limit
    is_link_open = known.is_open[pairs.starts] & known.is_open[pairs.ends]
    links = np.flatnonzero(is_link_open).tolist()
    if len(links) > LINKS_A_SECOND * time_limit:
        return known
    starts, ends = pairs.starts.tolist(), pairs.ends.tolist()
    is_useful = pairs.alone > 0
    is_useful[pairs.starts[links]] = True
    is_useful[pairs.ends[links]] = True
    cells = np.flatnonzero(known.is_open & is_useful).tolist()
    column = {cell: number for number, cell in enumerate(cells)}
    joint = [(starts[link], ends[link]) for link in links]
    rows = _rows(column, joint, pairs.size)
    gains = np.concatenate([pairs.alone[cells], pairs.gains[links]])
    left = deadline - time.thread_time()
    if left <= 0:
        return known
    result = milp(
        -gains,
        integrality=np.array([1] * len(cells) + [0] * len(joint)),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(
            _matrix(rows, len(gains)), ub=np.array([float(limit) for _, limit in rows])
        ),
        # All gains are whole, so a gap under 1 is no gap.
        options={"time_limit": left * pace, "mip_rel_gap": 0.999 / max(known.bound, 1)},
    )
    partners, matched = known.partners, known.matched
    if result.x is not None:
        chosen = np.zeros(len(pairs.alone))
        chosen[cells] = result.x[: len(cells)] > 0.5
        _, found = linear_sum_assignment(chosen.reshape(pairs.size, -1), maximize=True)
        value = mapping_value(pairs, mapped_cells(found))
        if value > matched:
            partners, matched = found, value
    bound = known.bound
    if result.status == 0:
        bound = matched
    elif result.mip_dual_bound is not None and np.isfinite(result.mip_dual_bound):
        bound = max(matched, min(bound, int(np.floor(-result.mip_dual_bound + 1e-6))))
    return Bounded(partners, matched, bound, known.is_open)


def _rows(column: dict[int, int], joint: list[tuple[int, int]], size: int) -> list[_Row]:
    """Give the rows of the program."""
    of_node: dict[int, list[tuple[int, int]]] = defaultdict(list)
    of_partner: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for cell, number in column.items():
        of_node[cell // size].append((number, 1))
        of_partner[cell % size].append((number, 1))
    rows: list[_Row] = [
        (row, 1) for row in (*of_node.values(), *of_partner.values()) if len(row) > 1
    ]
    by_node: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    by_partner: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for number, (start, end) in enumerate(joint, start=len(column)):
        for cell, other in ((start, end), (end, start)):
            by_node[cell, other // size].append((number, 1))
            by_partner[cell, other % size].append((number, 1))
    rows += [([*row, (column[cell], -1)], 0) for (cell, _), row in by_node.items()]
    # A group of one says again what its row by node says.
    rows += [
        ([*row, (column[cell], -1)], 0) for (cell, _), row in by_partner.items() if len(row) > 1
    ]
    return rows


def _matrix(rows: list[_Row], num_columns: int) -> csr_array:
    values = [value for row, _ in rows for _, value in row]
    columns = [number for row, _ in rows for number, _ in row]
    starts = np.cumsum([0] + [len(row) for row, _ in rows])
    return csr_array((values, columns, starts), shape=(len(rows), num_columns))
