"""Where a graph under correction stands: laid out once, then an edit moves only what it must.

Nodes keep their middle for as long as a sentence is open, also over delete and undo; a new
node goes to the nearest free place below a neighbour. Only lines with a new end are drawn anew.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from app.canvas.edges import join, numbered
from app.canvas.layout import (
    MANY_RETURNING,
    DrawnEdge,
    DrawnNode,
    Layout,
    PlacedEdge,
    PlacedNode,
    box_at,
    node_size,
    place,
)
from app.pages.correct.editor.folding import MOST_WHOLE, first_shown, parts_of, shown_after
from aptcore.graph.amr import AmrGraph, Mention
from aptcore.graph.penman import branch_keys, layout_of

_INDENT, _LISTED_ROW, _STEM = 120.0, 44.0, 16.0
_COLUMNS = 10
"""Steps of indentation; deeper rows begin at the left again."""
_GAP = 24.0
_ROW = 66.0
_SEARCHED_ROWS = 12
_SEARCHED_COLUMNS = 14
_MOST_NEW = 0.5
"""Share of new nodes above which a graph is laid out afresh, as after a new text."""

Ends = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Sketch:
    """A drawn graph.

    Attributes:
        parts: Ids of all nodes and constants of the graph.
        names: Ids of those that are shown, in the order of the drawing's nodes.
        ends: Source, role and target of its edges by id, in the order of the drawing's edges.
        layout: Where they stand.
        known: Every node drawn since the graph was last laid out, also those now gone.
        paths: Every edge drawn since then.
    """

    parts: frozenset[str]
    names: tuple[str, ...]
    ends: tuple[Ends, ...]
    layout: Layout
    known: Mapping[str, PlacedNode] = field(default_factory=dict)
    paths: Mapping[Ends, PlacedEdge] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        """Whether nothing of the graph is folded."""
        return len(self.names) == len(self.parts)


def drawn_parts(
    graph: AmrGraph, shown: Collection[str]
) -> tuple[dict[str, DrawnNode], tuple[Ends, ...]]:
    """Give what is drawn of a graph: boxes by id, and arrows; constants have one of each."""
    boxes = {node.id: DrawnNode(node.concept, False) for node in graph.nodes if node.id in shown}
    boxes |= {item.id: DrawnNode(item.value, True) for item in graph.attributes if item.id in shown}
    edges = [edge.triple for edge in graph.edges]
    edges += [(item.source, item.role, item.id) for item in graph.attributes]
    return boxes, tuple(ends for ends in edges if ends[0] in boxes and ends[2] in boxes)


def lay_out(graph: AmrGraph, shown: Collection[str] | None = None) -> Sketch:
    """Lay a graph out afresh.

    Args:
        graph: The graph.
        shown: Ids of what is drawn of it, at least one; None for what a graph opens with.
    """
    boxes, ends = drawn_parts(graph, first_shown(graph) if shown is None else frozenset(shown))
    names = tuple(boxes)
    places = {name: number for number, name in enumerate(names)}
    if len(names) > MOST_WHOLE or len(ends) - len(names) > MANY_RETURNING:
        layout = _listed(graph, boxes, ends)
    else:
        edges = [DrawnEdge(places[source], role, places[target]) for source, role, target in ends]
        layout = place(list(boxes.values()), edges, places.get(graph.root, 0))
    known = dict(zip(names, layout.nodes, strict=True))
    paths = dict(zip(ends, layout.edges, strict=True))
    return Sketch(frozenset(parts_of(graph)), names, ends, layout, known, paths)


def _listed(graph: AmrGraph, boxes: Mapping[str, DrawnNode], ends: tuple[Ends, ...]) -> Layout:
    """List a graph: each part a row, in the order and with the depth in which it is written."""
    written = layout_of(graph)
    rows = [
        (str(key), branch.depth)
        for branch, (key, _) in zip(written, branch_keys(graph, written), strict=True)
        if not isinstance(key, Mention) and str(key) in boxes
    ]
    placed = {
        name: box_at(
            boxes[name],
            depth % _COLUMNS * _INDENT + node_size(boxes[name])[0] / 2,
            (number + 0.5) * _LISTED_ROW,
        )
        for number, (name, depth) in enumerate(rows)
    }
    nodes = tuple(placed[name] for name in boxes)
    places = {name: number for number, name in enumerate(boxes)}
    numbers = numbered([(places[source], places[target]) for source, _, target in ends], {})
    edges = [
        _branch(placed[source], placed[target], number)
        for (source, _, target), number in zip(ends, numbers, strict=True)
    ]
    width = max(node.x + node.width / 2 for node in nodes)
    return Layout(width, len(rows) * _LISTED_ROW, nodes, tuple(edges))


def _branch(source: PlacedNode, target: PlacedNode, number: int) -> PlacedEdge:
    """Lead down from a row and right to one below it; other rows are joined as elsewhere."""
    x, left = source.x - source.width / 2 + _STEM, target.x - target.width / 2
    if number or left < x + _STEM or target.y < source.y:
        return join(source, target, number)
    end = round(left, 1)
    head = ((end, target.y), (end - 8, target.y - 3.4), (end - 8, target.y + 3.4))
    path = f"M{x:g} {source.y + source.height / 2:g}V{target.y:g}H{end:g}"
    return PlacedEdge(path, head, (round((x + left) / 2, 1), target.y - 8))


def grow(before: Sketch, graph: AmrGraph) -> Sketch:
    """Draw an edited graph; what was drawn before stays where it was."""
    shown = shown_after(graph, before.names, before.parts)
    boxes, ends = drawn_parts(graph, shown)
    new = [name for name in boxes if name not in before.known]
    if len(new) > max(3.0, _MOST_NEW * len(boxes)):
        return lay_out(graph, None if before.is_whole else shown)
    known = dict(before.known)
    placed = {
        name: box_at(box, known[name].x, known[name].y)
        for name, box in boxes.items()
        if name in before.known
    }
    while new:
        name = next((name for name in new if _neighbour(name, ends, placed)), new[0])
        new.remove(name)
        placed[name] = _free_place(boxes[name], _neighbour(name, ends, placed), placed)
    known |= placed
    paths = _paths(before, ends, placed)
    nodes = tuple(placed[name] for name in boxes)
    layout = Layout(
        max([before.layout.width, *(node.x + node.width / 2 for node in nodes)]),
        max([before.layout.height, *(node.y + node.height / 2 for node in nodes)]),
        nodes,
        tuple(paths[triple] for triple in ends),
    )
    known_paths = {**before.paths, **paths}
    return Sketch(frozenset(parts_of(graph)), tuple(boxes), ends, layout, known, known_paths)


def _neighbour(
    name: str, ends: tuple[Ends, ...], placed: Mapping[str, PlacedNode]
) -> PlacedNode | None:
    for source, _, target in ends:
        if target == name and source in placed:
            return placed[source]
    for source, _, target in ends:
        if source == name and target in placed:
            return placed[target]
    return None


def _free_place(
    box: DrawnNode, above: PlacedNode | None, placed: Mapping[str, PlacedNode]
) -> PlacedNode:
    """Find the free place nearest to right below a node, never left of the drawing."""
    width, _ = node_size(box)
    x, y = (above.x, above.y) if above is not None else (width / 2, 15.0)
    step = width / 2 + _GAP
    candidates = [
        (abs(column) * step + (row - 1) * _ROW, row, column)
        for row in range(1, _SEARCHED_ROWS)
        for column in range(-_SEARCHED_COLUMNS, _SEARCHED_COLUMNS + 1)
        if x + column * step >= width / 2
    ]
    for _, row, column in sorted(candidates):
        found = box_at(box, x + column * step, y + row * _ROW)
        if not any(_overlap(found, other) for other in placed.values()):
            return found
    lowest = max((node.y for node in placed.values()), default=0.0)
    return box_at(box, max(x, width / 2), lowest + _ROW)


def _overlap(one: PlacedNode, other: PlacedNode) -> bool:
    near_x = abs(one.x - other.x) < (one.width + other.width) / 2 + _GAP / 2
    return near_x and abs(one.y - other.y) < (one.height + other.height) / 2 + _GAP / 2


def _paths(
    before: Sketch, ends: tuple[Ends, ...], placed: Mapping[str, PlacedNode]
) -> dict[Ends, PlacedEdge]:
    """Keep the lines of known edges; a relabelled edge takes over the line of the old one."""
    kept = {triple: before.paths[triple] for triple in ends if triple in before.paths}
    gone = {
        (source, target): path
        for (source, role, target), path in before.paths.items()
        if (source, role, target) not in kept and (source, role, target) in before.ends
    }
    fresh = [triple for triple in ends if triple not in kept]
    for triple in list(fresh):
        path = gone.pop((triple[0], triple[2]), None)
        if path is not None:
            kept[triple] = path
            fresh.remove(triple)
    places = {name: number for number, name in enumerate(placed)}
    drawn: dict[frozenset[int], int] = {}
    for source, _, target in kept:
        pair = frozenset((places[source], places[target]))
        drawn[pair] = drawn.get(pair, 0) + 1
    numbers = numbered([(places[source], places[target]) for source, _, target in fresh], drawn)
    for triple, number in zip(fresh, numbers, strict=True):
        kept[triple] = join(placed[triple[0]], placed[triple[2]], number)
    return kept
