"""Where a learner's graph stands: on the places of the goal, and below it what is no part of it.

The goal is laid out once, so nothing that was drawn ever moves while a graph is built;
what the goal does not have goes into rows below it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.canvas.layout import (
    MAX_COLUMNS,
    DrawnEdge,
    DrawnNode,
    Layout,
    PlacedEdge,
    PlacedNode,
    Point,
    node_size,
    place,
)
from app.views.text import shorten
from aptcore.oracle.goal import Goal

_GAP = 26.0
_MIN_WIDTH = 320.0
_ROW = 62.0
"""Room kept for one row of strangers, so that the first ones move nothing."""

_HEAD = 8.0


@dataclass(frozen=True, slots=True)
class GoalLayout:
    """The goal, laid out.

    Attributes:
        names: Its gold ids, in the order of the drawing's nodes.
        edges: Source, role and target of its edges, in the order of the drawing's edges.
        layout: Where they stand.
    """

    names: tuple[str, ...]
    edges: tuple[tuple[str, str, str], ...]
    layout: Layout


def lay_out_goal(goal: Goal) -> GoalLayout:
    """Lay the gold graph out."""
    names = tuple(goal.labels)
    places = {name: number for number, name in enumerate(names)}
    edges = tuple(
        (source, role, target)
        for (source, target), roles in goal.links.items()
        for role in sorted(roles)
    )
    nodes = [DrawnNode(label, is_constant) for is_constant, label in goal.labels.values()]
    drawn = [DrawnEdge(places[source], role, places[target]) for source, role, target in edges]
    return GoalLayout(names, edges, place(nodes, drawn, places[goal.graph.root]))


def place_strangers(
    layout: Layout, nodes: Sequence[DrawnNode]
) -> tuple[float, float, tuple[PlacedNode, ...]]:
    """Put nodes into rows below a drawing.

    Returns:
        Width and height of the larger drawing, and where the nodes stand.
    """
    width = max(layout.width, _MIN_WIDTH)
    placed: list[PlacedNode] = []
    left, top = 0.0, layout.height + (2 * _GAP if layout.nodes else 0.0)
    for node in nodes:
        node_width, node_height = node_size(node)
        if left and left + node_width > width:
            left, top = 0.0, top + _ROW
        x, y = left + node_width / 2, top + 15.0
        shown = shorten(node.label, MAX_COLUMNS)
        placed.append(PlacedNode(round(x, 1), round(y, 1), node_width, node_height, shown))
        left += node_width + 2 * _GAP
    bottom = max([layout.height + 2 * _GAP + _ROW / 2, *(node.y + _ROW / 2 for node in placed)])
    right = max([layout.width, *(node.x + node.width / 2 for node in placed)])
    return right, bottom, tuple(placed)


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
