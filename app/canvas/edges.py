"""Lines of edges between boxes; Correct and Exercises draw them alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.canvas.layout import PlacedEdge, PlacedNode, Point

_HEAD = 8.0


def join(source: PlacedNode, target: PlacedNode, number: int) -> PlacedEdge:
    """Draw a bent line between two boxes, or a loop at one.

    Args:
        source: Where it starts.
        target: Where it ends.
        number: How many edges join the two already: each further one bends more.
    """
    if source == target:
        return looped(source, number)
    return bent(source, target, 14.0 + 22.0 * number)


def bent(source: PlacedNode, target: PlacedNode, bend: float) -> PlacedEdge:
    """Draw a line between two boxes that leaves the straight one by some points, to the left."""
    middle = bend_of(source, target, bend)
    begin, end = _border(source, middle), _border(target, middle)
    label = (
        (begin[0] + end[0]) / 4 + middle[0] / 2,
        (begin[1] + end[1]) / 4 + middle[1] / 2,
    )
    path = f"M{begin[0]:g} {begin[1]:g}Q{middle[0]:g} {middle[1]:g} {end[0]:g} {end[1]:g}"
    return PlacedEdge(path, _head(middle, end), _rounded(label))


def bend_of(source: PlacedNode, target: PlacedNode, bend: float) -> Point:
    """Give the point towards which a bent line leaves both boxes."""
    dx, dy = target.x - source.x, target.y - source.y
    length = max(1.0, (dx * dx + dy * dy) ** 0.5)
    return (
        (source.x + target.x) / 2 - dy / length * bend * 2,
        (source.y + target.y) / 2 + dx / length * bend * 2,
    )


def along(points: Sequence[Point], radius: float) -> PlacedEdge:
    """Draw a line over some points, its corners rounded; its label stands at its start.

    Args:
        points: Two or more, from border to border.
        radius: How far from a corner the line leaves for the next one.
    """
    path = f"M{points[0][0]:g} {points[0][1]:g}"
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        start, stop = _towards(corner, before, radius), _towards(corner, after, radius)
        path += f"L{start[0]:g} {start[1]:g}Q{corner[0]:g} {corner[1]:g} {stop[0]:g} {stop[1]:g}"
    path += f"L{points[-1][0]:g} {points[-1][1]:g}"
    return PlacedEdge(path, _head(points[-2], points[-1]), points[0])


def _towards(start: Point, end: Point, far: float) -> Point:
    dx, dy = end[0] - start[0], end[1] - start[1]
    share = min(0.5, far / max(1.0, (dx * dx + dy * dy) ** 0.5))
    return _rounded((start[0] + dx * share, start[1] + dy * share))


def _border(box: PlacedNode, towards: Point) -> Point:
    """Find where a line from the middle of a box leaves it."""
    dx, dy = towards[0] - box.x, towards[1] - box.y
    across = box.width / 2 / abs(dx) if dx else float("inf")
    down = box.height / 2 / abs(dy) if dy else float("inf")
    share = min(across, down, 1.0) if dx or dy else 0.0
    return _rounded((box.x + dx * share, box.y + dy * share))


def looped(box: PlacedNode, number: int, side: Point = (1, 0)) -> PlacedEdge:
    """Draw a loop at a box, the larger the higher its number; ``side`` is where it lies."""
    x, y = side
    size = 26.0 + 14.0 * number
    edge = (box.x + x * box.width / 2, box.y + y * box.height / 2)
    far = (edge[0] + x * size, edge[1] + y * size)
    begin = _rounded((edge[0] - y * 5, edge[1] - x * 5))
    end = _rounded((edge[0] + y * 5, edge[1] + x * 5))
    out = _rounded((far[0] - y * size, far[1] - x * size))
    back = _rounded((far[0] + y * size, far[1] + x * size))
    path = f"M{begin[0]:g} {begin[1]:g}C{out[0]:g} {out[1]:g} {back[0]:g} {back[1]:g} "
    path += f"{end[0]:g} {end[1]:g}"
    return PlacedEdge(path, _head(back, end), _rounded(far))


def _head(base: Point, tip: Point) -> tuple[Point, Point, Point]:
    dx, dy = tip[0] - base[0], tip[1] - base[1]
    length = max(1.0, (dx * dx + dy * dy) ** 0.5)
    ux, uy = dx / length * _HEAD, dy / length * _HEAD
    return (
        tip,
        _rounded((tip[0] - ux - uy * 0.42, tip[1] - uy + ux * 0.42)),
        _rounded((tip[0] - ux + uy * 0.42, tip[1] - uy - ux * 0.42)),
    )


def _rounded(point: Point) -> Point:
    return round(point[0], 1), round(point[1], 1)


def numbered(pairs: Sequence[tuple[int, int]], known: Mapping[frozenset[int], int]) -> list[int]:
    """Say for each pair of nodes how many edges join it before.

    Args:
        pairs: The ends of the edges, in order.
        known: How many edges join a pair before the first of them.
    """
    counts = dict(known)
    found = []
    for pair in pairs:
        ends = frozenset(pair)
        found.append(counts.get(ends, 0))
        counts[ends] = counts.get(ends, 0) + 1
    return found
