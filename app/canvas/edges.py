"""Correct and Exercises draw edges alike."""

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
        return _loop(source, number)
    bend = 14.0 + 22.0 * number
    dx, dy = target.x - source.x, target.y - source.y
    length = max(1.0, (dx * dx + dy * dy) ** 0.5)
    middle = (
        (source.x + target.x) / 2 - dy / length * bend * 2,
        (source.y + target.y) / 2 + dx / length * bend * 2,
    )
    begin, end = _border(source, middle), _border(target, middle)
    label = (
        (begin[0] + end[0]) / 4 + middle[0] / 2,
        (begin[1] + end[1]) / 4 + middle[1] / 2,
    )
    path = f"M{begin[0]:g} {begin[1]:g}Q{middle[0]:g} {middle[1]:g} {end[0]:g} {end[1]:g}"
    return PlacedEdge(path, _head(middle, end), _rounded(label))


def _border(box: PlacedNode, towards: Point) -> Point:
    """Find where a line from the middle of a box leaves it."""
    dx, dy = towards[0] - box.x, towards[1] - box.y
    across = box.width / 2 / abs(dx) if dx else float("inf")
    down = box.height / 2 / abs(dy) if dy else float("inf")
    share = min(across, down, 1.0) if dx or dy else 0.0
    return _rounded((box.x + dx * share, box.y + dy * share))


def _loop(box: PlacedNode, number: int) -> PlacedEdge:
    right, size = box.x + box.width / 2, 26.0 + 14.0 * number
    begin, end = _rounded((right, box.y - 5)), _rounded((right, box.y + 5))
    far = round(right + size, 1)
    path = f"M{begin[0]:g} {begin[1]:g}C{far:g} {box.y - size:g} {far:g} {box.y + size:g} "
    path += f"{end[0]:g} {end[1]:g}"
    return PlacedEdge(path, _head((far, box.y + size), end), _rounded((far, box.y)))


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
