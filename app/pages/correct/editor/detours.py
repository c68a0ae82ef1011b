"""A way around what lies between two boxes."""

from __future__ import annotations

import heapq
import math

import numpy as np
import numpy.typing as npt

from app.canvas.layout import PlacedNode, Point
from app.pages.correct.editor.geometry import (
    Array,
    any_along,
    box_around,
    crosses,
    points_along,
    rows,
    widened,
)

_CELL = 8.0
_MOST_CELLS = 30_000
_MARGIN = 70.0
_LINE_COST = 3.0
"""Steps that it costs beside the way itself to walk where another line is: crossing is cheap,
walking along is not."""
_STEPS = [(dx, dy, math.hypot(dx, dy)) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]

Cell = tuple[int, int]
Costs = npt.NDArray[np.float64]


def way_around(
    source: PlacedNode, target: PlacedNode, blocks: Array, lines: Array, room: float
) -> list[Point] | None:
    """Find a short way from the border of one box to that of another.

    It is looked for on a grid (A*; Hart, Nilsson and Raphael 1968) and then drawn straight
    from corner to corner.

    Args:
        source: Where it starts.
        target: Where it ends.
        blocks: Boxes that it must not touch: (boxes, 4).
        lines: Segments that it may cross, and should not follow: (segments, 4).
        room: Points that are to be free beside it.
    """
    own = rows([box_around(source), box_around(target)])
    both = np.concatenate([blocks, own])
    left, top = max(-16.0, both[:, 0].min() - _MARGIN), max(-16.0, both[:, 1].min() - _MARGIN)
    right, bottom = both[:, 2].max() + _MARGIN, both[:, 3].max() + _MARGIN
    cell = max(_CELL, math.sqrt((right - left) * (bottom - top) / _MOST_CELLS))
    shape = (int((right - left) / cell) + 2, int((bottom - top) / cell) + 2)
    costs = _costs(shape, (left, top), cell, widened(blocks, room), lines, round(room / cell))

    def cell_of(x: float, y: float) -> Cell:
        return round((x - left) / cell), round((y - top) / cell)

    start, goal = cell_of(source.x, source.y), cell_of(target.x, target.y)
    for box in own:  # the boxes at its ends are no hindrance
        (x, y), (to_x, to_y) = cell_of(box[0], box[1]), cell_of(box[2], box[3])
        inside = costs[x : to_x + 1, y : to_y + 1]
        inside[:] = np.where(np.isinf(inside), 1.0, inside)
    found = _shortest(costs, start, goal)
    if found is None:
        return None
    points = [(left + x * cell, top + y * cell) for x, y in found]
    points[0], points[-1] = (source.x, source.y), (target.x, target.y)
    return _clipped(_straightened(points, widened(blocks, room - 1)), source, target)


def _costs(
    shape: tuple[int, int], origin: Point, cell: float, blocks: Array, lines: Array, wide: int
) -> Costs:
    """Give what a step onto each cell costs; what is blocked is infinite: (columns, rows)."""
    costs = np.ones(shape)
    if len(lines):
        x = np.linspace(lines[:, 0], lines[:, 2], 3).ravel()
        y = np.linspace(lines[:, 1], lines[:, 3], 3).ravel()
        columns = np.clip(np.rint((x - origin[0]) / cell).astype(int), 0, shape[0] - 1)
        at_rows = np.clip(np.rint((y - origin[1]) / cell).astype(int), 0, shape[1] - 1)
        busy = np.zeros(shape, dtype=np.bool_)
        busy[columns, at_rows] = True
        for _ in range(wide - 1):
            busy[1:] |= busy[:-1].copy()
            busy[:-1] |= busy[1:].copy()
            busy[:, 1:] |= busy[:, :-1].copy()
            busy[:, :-1] |= busy[:, 1:].copy()
        costs[busy] += _LINE_COST
    around = blocks - np.array([*origin, *origin])
    starts, stops = np.ceil(around[:, :2] / cell), np.floor(around[:, 2:] / cell)
    for (x, y), (to_x, to_y) in zip(
        np.maximum(starts, 0).astype(int), stops.astype(int), strict=True
    ):
        costs[x : max(0, to_x + 1), y : max(0, to_y + 1)] = math.inf
    return costs


def _shortest(costs: Costs, start: Cell, goal: Cell) -> list[Cell] | None:
    table = costs.tolist()
    width, height = costs.shape
    best: dict[Cell, float] = {start: 0.0}
    came: dict[Cell, Cell] = {}
    waiting = [(0.0, start)]
    done: set[Cell] = set()
    while waiting:
        _, here = heapq.heappop(waiting)
        if here == goal:
            break
        if here in done:
            continue
        done.add(here)
        for dx, dy, length in _STEPS:
            there = x, y = here[0] + dx, here[1] + dy
            if not (0 <= x < width and 0 <= y < height):
                continue
            cost = best[here] + length * table[x][y]
            if cost < best.get(there, math.inf):
                best[there], came[there] = cost, here
                heapq.heappush(waiting, (cost + math.hypot(goal[0] - x, goal[1] - y), there))
    if goal not in best or math.isinf(best[goal]):
        return None
    found = [goal]
    while found[-1] != start:
        found.append(came[found[-1]])
    return found[::-1]


def _straightened(points: list[Point], blocks: Array) -> list[Point]:
    """Leave out the points between two that see each other."""
    kept, at = [points[0]], 0
    while at < len(points) - 1:
        rest = points[at + 1 :]
        sights = rows([(*points[at], *point) for point in rest])
        is_seen = ~any_along(crosses(sights, blocks), 1)
        is_seen[0] = True
        at += int(np.flatnonzero(is_seen)[-1]) + 1
        kept.append(points[at])
    return kept


def _clipped(points: list[Point], source: PlacedNode, target: PlacedNode) -> list[Point] | None:
    """Let a way begin where it leaves one box and end where it comes to the other."""
    for box, is_last in ((source, False), (target, True)):
        points = points[::-1] if is_last else points
        left, top, right, bottom = box_around(box)
        outside = [not (left < x < right and top < y < bottom) for x, y in points]
        if not any(outside):
            return None
        first = outside.index(True)
        piece = rows([(*points[first - 1], *points[first])])
        shares = np.linspace(0, 1, 200)
        on = points_along(piece, shares)
        is_in = (on[:, 0] > left) & (on[:, 0] < right) & (on[:, 1] > top) & (on[:, 1] < bottom)
        x, y = on[int(np.flatnonzero(is_in)[-1])] if is_in.any() else on[0]
        points = [(round(float(x), 1), round(float(y), 1)), *points[first:]]
        points = points[::-1] if is_last else points
    return [(round(x, 1), round(y, 1)) for x, y in points]
