"""Where every node and edge of a finished graph stands.

The graph is laid out once, from its last step, so that stepping only shows and
hides: nothing drawn ever moves. Graphviz runs in-process through pygraphviz; its
node sizes are fixed here from the text, so the drawing does not depend on fonts.

Units are points of the drawing (1/72 inch, one CSS pixel at a scale of 1); the
origin is the top left corner.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import pygraphviz

from app.kit.text import num_columns, shorten

MAX_COLUMNS = 30
"""Widest label that is drawn in full, in columns; longer ones are cut in their middle."""

_POINTS_PER_INCH = 72.0
_COLUMN = 7.6
_PADDING = 22.0
_NODE_HEIGHT = 30.0
_CONSTANT_HEIGHT = 24.0
GRAPHVIZ_LOCK = threading.Lock()
"""Graphviz keeps global state: one layout or picture at a time."""

MANY_RETURNING = 150
"""Edges more than nodes above which a layout is cut short, and the editor lists what is shown:
300 among 100 nodes took Graphviz more than two minutes, and take 1.5 s so; 150 more than nodes
took 0.6 s.
"""
_CUT_SHORT = "nslimit=0.1, nslimit1=0.1, mclimit=0.05, splines=line, "
_WINDOW = (580.0, 360.0)
_READABLE_SCALE = 0.7
Direction = Literal["TB", "LR"]
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """What is to be drawn as one box."""

    label: str
    is_constant: bool


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    """What is to be drawn as one arrow; ends are positions in the list of nodes."""

    source: int
    role: str
    target: int


@dataclass(frozen=True, slots=True)
class PlacedNode:
    """A box: its middle, its size and the text that fits into it."""

    x: float
    y: float
    width: float
    height: float
    shown: str


@dataclass(frozen=True, slots=True)
class PlacedEdge:
    """An arrow: an SVG path, the three corners of its head and the middle of its label."""

    path: str
    head: tuple[Point, Point, Point]
    label: Point


@dataclass(frozen=True, slots=True)
class Layout:
    """A whole drawing, in the order of the nodes and edges that were given."""

    width: float
    height: float
    nodes: tuple[PlacedNode, ...]
    edges: tuple[PlacedEdge, ...]


def place(
    nodes: Sequence[DrawnNode],
    edges: Sequence[DrawnEdge],
    root: int | None = None,
    spread: float = 1.0,
) -> Layout:
    """Lay a graph out from top to bottom, or from left to right if that is far smaller.

    A root with many children makes a drawing that is wide and flat; turned, it fits a
    window better.

    Args:
        nodes: Concepts and constants.
        edges: Arrows between them; several may join one pair, or a node with itself.
        root: The node to put at the top; None lets the arrows decide.
        spread: How many times farther apart than usual nodes and ranks stand.
    """
    if not nodes:
        return Layout(0.0, 0.0, (), ())
    upward = upward_edges(len(nodes), edges, root)
    down = _place(nodes, edges, upward, "TB", spread)
    if _scale_to_fit(down) >= _READABLE_SCALE:
        return down
    across = _place(nodes, edges, upward, "LR", spread)
    return across if _scale_to_fit(across) > _scale_to_fit(down) else down


def _scale_to_fit(layout: Layout) -> float:
    width, height = _WINDOW
    return min(width / max(1.0, layout.width), height / max(1.0, layout.height))


def _place(
    nodes: Sequence[DrawnNode],
    edges: Sequence[DrawnEdge],
    upward: frozenset[int],
    direction: Direction,
    spread: float,
) -> Layout:
    with GRAPHVIZ_LOCK:
        graph = pygraphviz.AGraph(string=format_dot(nodes, edges, upward, direction, spread))
        graph.layout(prog="dot")
        _, _, width, height = _numbers(graph.graph_attr["bb"])
        placed_nodes = tuple(
            _placed_node(graph, index, node, height) for index, node in enumerate(nodes)
        )
        placed_edges = tuple(
            _placed_edge(graph, index, edge, index in upward, height)
            for index, edge in enumerate(edges)
        )
    return Layout(round(width, 1), round(height, 1), placed_nodes, placed_edges)


def upward_edges(num_nodes: int, edges: Sequence[DrawnEdge], root: int | None) -> frozenset[int]:
    """Find the edges that lead from a node farther from the root to a nearer one.

    They are laid out turned round, so that the root stands at the top as in PENMAN,
    and are drawn with their head at the upper end.
    """
    if root is None:
        return frozenset()
    neighbours: list[list[int]] = [[] for _ in range(num_nodes)]
    for edge in edges:
        neighbours[edge.source].append(edge.target)
        neighbours[edge.target].append(edge.source)
    depths = {root: 0}
    waiting = deque([root])
    while waiting:
        here = waiting.popleft()
        for other in neighbours[here]:
            if other not in depths:
                depths[other] = depths[here] + 1
                waiting.append(other)
    return frozenset(
        index
        for index, edge in enumerate(edges)
        if depths.get(edge.source, 0) > depths.get(edge.target, 0)
    )


def format_dot(
    nodes: Sequence[DrawnNode],
    edges: Sequence[DrawnEdge],
    upward: frozenset[int] = frozenset(),
    direction: Direction = "TB",
    spread: float = 1.0,
) -> str:
    """Write a graph as DOT; nodes are named ``n0``, ``n1``, edges have keys ``e0``, ``e1``.

    Args:
        nodes: Concepts and constants.
        edges: Arrows between them.
        upward: Positions of the edges to be laid out turned round.
        direction: Where edges lead: down, or to the right.
        spread: How many times farther apart than usual nodes and ranks stand.
    """
    limits = _CUT_SHORT if len(edges) - len(nodes) > MANY_RETURNING else ""
    lines = [
        "digraph amr {",
        f"  graph [{limits}rankdir={direction}, nodesep={0.22 * spread:g}, "
        f"ranksep={0.28 * spread:g}, charset=utf8, "
        "pad=0.1];",
        '  node [shape=box, fixedsize=true, label=""];',  # one too wide would be told
        "  edge [fontname=Helvetica, fontsize=12, arrowsize=0.7];",
    ]
    for index, node in enumerate(nodes):
        width, height = node_size(node)
        inches = f"width={width / _POINTS_PER_INCH:.3f}, height={height / _POINTS_PER_INCH:.3f}"
        lines.append(f"  n{index} [{inches}];")
    for index, edge in enumerate(edges):
        is_upward = index in upward
        above, below = (edge.target, edge.source) if is_upward else (edge.source, edge.target)
        turned = ", dir=back" if is_upward else ""
        lines.append(
            f"  n{above} -> n{below} [key=e{index}, label={quote_dot(edge.role)}{turned}];"
        )
    return "\n".join([*lines, "}", ""])


def quote_dot(label: str) -> str:
    r"""Write a label as a DOT string that Graphviz shows as it is.

    Backslashes are doubled, or ``\N`` and its like would be replaced; the quotation
    marks keep ``<...>`` from being read as HTML. Signs without a shape become spaces.
    """
    plain = "".join(character if character.isprintable() else " " for character in label)
    escaped = plain.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def node_size(node: DrawnNode) -> tuple[float, float]:
    """Give width and height of a node's box in points."""
    columns = max(3, num_columns(shorten(node.label, MAX_COLUMNS)))
    height = _CONSTANT_HEIGHT if node.is_constant else _NODE_HEIGHT
    return columns * _COLUMN + _PADDING, height


def box_at(node: DrawnNode, x: float, y: float) -> PlacedNode:
    """Give a node's box with its middle at a point."""
    width, height = node_size(node)
    label = shorten(node.label, MAX_COLUMNS)
    return PlacedNode(round(x, 1), round(y, 1), round(width, 1), height, label)


def _numbers(text: str) -> list[float]:
    return [float(number) for number in text.split(",")]


def _placed_node(
    graph: pygraphviz.AGraph, index: int, node: DrawnNode, height: float
) -> PlacedNode:
    x, y = _numbers(graph.get_node(f"n{index}").attr["pos"])
    return box_at(node, x, height - y)


def _placed_edge(
    graph: pygraphviz.AGraph, index: int, edge: DrawnEdge, is_upward: bool, height: float
) -> PlacedEdge:
    above, below = (edge.target, edge.source) if is_upward else (edge.source, edge.target)
    attributes = graph.get_edge(f"n{above}", f"n{below}", key=f"e{index}").attr
    tip: Point | None = None
    points: list[Point] = []
    for piece in attributes["pos"].replace("\\\n", "").split():
        is_tip = piece[0] in "es"
        x, y = _numbers(piece[2:] if is_tip else piece)
        point = (round(x, 1), round(height - y, 1))
        if is_tip:
            tip = point
        else:
            points.append(point)
    if is_upward:
        points.reverse()
    x, y = _numbers(attributes["lp"])
    end = points[-1]
    return PlacedEdge(
        _spline(points),
        _head(end, tip if tip is not None else end),
        (round(x, 1), round(height - y, 1)),
    )


def _spline(points: list[Point]) -> str:
    start = f"M{points[0][0]:g} {points[0][1]:g}C"
    return start + " ".join(f"{x:g} {y:g}" for x, y in points[1:])


def _head(base: Point, tip: Point) -> tuple[Point, Point, Point]:
    """Give the corners of an arrow head from the end of its line to its tip."""
    dx, dy = (tip[0] - base[0]) * 0.42, (tip[1] - base[1]) * 0.42
    return (
        tip,
        (round(base[0] - dy, 1), round(base[1] + dx, 1)),
        (round(base[0] + dy, 1), round(base[1] - dx, 1)),
    )
