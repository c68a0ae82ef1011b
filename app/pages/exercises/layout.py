"""Where a learner's graph stands: on the places of the goal, and below it what is no part of it.

The goal is laid out once, so nothing that was drawn ever moves while a graph is built;
what the goal does not have goes into rows below it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.canvas.layout import DrawnEdge, DrawnNode, Layout, PlacedNode, box_at, node_size, place
from aptcore.oracle.goal import Goal

_GAP = 26.0
_MIN_WIDTH = 320.0
_ROW = 62.0
"""Room kept for one row of strangers, so that the first ones move nothing."""


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
        node_width, _ = node_size(node)
        if left and left + node_width > width:
            left, top = 0.0, top + _ROW
        placed.append(box_at(node, left + node_width / 2, top + 15.0))
        left += node_width + 2 * _GAP
    bottom = max([layout.height + 2 * _GAP + _ROW / 2, *(node.y + _ROW / 2 for node in placed)])
    right = max([layout.width, *(node.x + node.width / 2 for node in placed)])
    return right, bottom, tuple(placed)
