"""Where a graph under correction stands: laid out once, then an edit moves only what it must.

Nodes keep their middle for as long as a sentence is open, also over delete and undo; a new
node goes to the nearest place where it and its edges lie on nothing. Only lines with a new end
are drawn anew, and those that would lie on something; where that leads nowhere, the graph is
laid out afresh. A list of parts is no drawing of that kind: what is new there stands where no
box is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np

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
from app.pages.correct.editor.geometry import (
    box_around,
    boxes_around,
    overlaps,
    segments_of,
)
from app.pages.correct.editor.placing import neighbours, put_node
from app.pages.correct.editor.routing import MOST_CLEARED, Ends, Scene
from aptcore.graph.amr import AmrGraph, Mention
from aptcore.graph.penman import branch_keys, layout_of

_INDENT, _LISTED_ROW, _STEM = 120.0, 44.0, 16.0
_COLUMNS = 10
"""Steps of indentation; deeper rows begin at the left again."""
_GAP = 24.0
_ROW = 66.0
_SEARCHED_ROWS = 12
_SEARCHED_COLUMNS = 14
_CLOSER = 3.0
"""Points between two boxes below which a node that is called otherwise has to move."""
_SPREADS = (1.0, 1.4, 2.0, 3.0, 4.5)
"""How far apart a graph is laid out, until nothing lies on anything."""
_MOST_NEW = 0.5
"""Share of new nodes above which a graph is laid out afresh, as after a new text."""


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

    @property
    def is_crowded(self) -> bool:
        """Whether it is drawn and has more parts than those among which nothing crosses."""
        return len(self.names) > MOST_CLEARED and not _is_list(self.names, self.ends)


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
    if _is_list(boxes, ends):
        layout = _listed(graph, boxes, ends)
    else:
        layout = _drawn(boxes, ends, graph.root)
    known = dict(zip(names, layout.nodes, strict=True))
    paths = dict(zip(ends, layout.edges, strict=True))
    return Sketch(frozenset(parts_of(graph)), names, ends, layout, known, paths)


def _is_list(boxes: Collection[str], ends: Collection[Ends]) -> bool:
    return len(boxes) > MOST_WHOLE or len(ends) - len(boxes) > MANY_RETURNING


def _drawn(boxes: Mapping[str, DrawnNode], ends: tuple[Ends, ...], root: str) -> Layout:
    """Lay a graph out so that nothing lies on anything, as far apart as that takes."""
    places = {name: number for number, name in enumerate(boxes)}
    edges = [DrawnEdge(places[source], role, places[target]) for source, role, target in ends]
    for spread in _SPREADS:
        layout = place(list(boxes.values()), edges, places.get(root, 0), spread)
        placed = dict(zip(boxes, layout.nodes, strict=True))
        scene = Scene(placed, dict(zip(ends, layout.edges, strict=True)))
        if scene.settle():
            break
    return _layout_of(scene, ends, layout)


def _layout_of(scene: Scene, ends: tuple[Ends, ...], before: Layout) -> Layout:
    """Give the drawing of a scene, at least as large as one before."""
    lines = tuple(scene.lines[triple] for triple in ends)
    drawn = [boxes_around(scene.boxes.values())]
    drawn += [segments_of(line.path) for line in lines]
    drawn.append(scene.roles())
    right, bottom = np.concatenate(drawn)[:, 2:].max(axis=0)
    return Layout(
        max(before.width, round(float(right), 1)),
        max(before.height, round(float(bottom), 1)),
        tuple(scene.boxes.values()),
        lines,
    )


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


def grow(before: Sketch, graph: AmrGraph, shown: Collection[str] | None = None) -> Sketch:
    """Draw an edited graph, or another part of it; what was drawn before stays where it was.

    Args:
        before: What was drawn.
        graph: As it is now.
        shown: Ids of what is drawn of it; None for what was, and what is new.
    """
    if shown is None:
        shown = shown_after(graph, before.names, before.parts)
    boxes, ends = drawn_parts(graph, shown)
    new = [name for name in boxes if name not in before.known]
    if len(new) > max(3.0, _MOST_NEW * len(boxes)):
        return lay_out(graph, None if before.is_whole else shown)
    is_list = _is_list(boxes, ends)
    scene = _list_grown(before, boxes, ends) if is_list else _scene_grown(before, boxes, ends)
    if scene is None:
        return lay_out(graph, shown)
    scene.boxes = {name: scene.boxes[name] for name in boxes}
    layout = _layout_of(scene, ends, before.layout)
    known, paths = {**before.known, **scene.boxes}, {**before.paths, **scene.lines}
    return Sketch(frozenset(parts_of(graph)), tuple(boxes), ends, layout, known, paths)


def _scene_grown(
    before: Sketch, boxes: Mapping[str, DrawnNode], ends: tuple[Ends, ...]
) -> Scene | None:
    """Draw a graph on what was drawn before; None where something then lies on something."""
    scene, moved = Scene({}), []
    drawn = set(before.names)
    # What is drawn already keeps its place before what comes back.
    for name in sorted(boxes, key=lambda name: name not in drawn):
        known = before.known.get(name)
        box = known and box_at(boxes[name], known.x, known.y)
        is_same = box == known and name in drawn
        if box is None or (not is_same and _is_taken(scene, box, before, boxes)):
            moved.append(name)
        else:
            scene.boxes[name] = box
    for triple, line in _kept_lines(before, ends).items():
        if triple[0] in scene.boxes and triple[2] in scene.boxes:
            scene.lines[triple] = line
    scene.lines = {
        triple: line for triple, line in scene.lines.items() if _meets(line, triple, scene.boxes)
    }
    while moved:
        name = next((name for name in moved if neighbours(name, ends, scene)), moved[0])
        moved.remove(name)
        put_node(scene, name, boxes[name], before.known.get(name), ends)
    pairs = [(triple[0], triple[2]) for triple in ends]
    for number, triple in enumerate(ends):
        if triple not in scene.lines:
            scene.draw(triple, pairs[:number].count(pairs[number]))
    return scene if scene.settle() else None


def _is_taken(
    scene: Scene, box: PlacedNode, before: Sketch, boxes: Mapping[str, DrawnNode]
) -> bool:
    """Tell whether a box would stand on another one that stays."""
    others = dict(scene.boxes)
    for name in before.names:
        if name in boxes and name not in others and before.known[name].shown == boxes[name].label:
            others[name] = before.known[name]
    mine = boxes_around([box], _CLOSER)
    near = [one for one in others.values() if (one.x, one.y) != (box.x, box.y)]
    return bool(near) and bool(overlaps(mine, boxes_around(near)).any())


def _kept_lines(before: Sketch, ends: tuple[Ends, ...]) -> dict[Ends, PlacedEdge]:
    """Keep the lines of known edges; a relabelled edge takes over the line of the old one."""
    kept = {triple: before.paths[triple] for triple in ends if triple in before.paths}
    gone = {
        (source, target): before.paths[source, role, target]
        for source, role, target in before.ends
        if (source, role, target) not in kept
    }
    for triple in ends:
        if triple not in kept and (triple[0], triple[2]) in gone:
            kept[triple] = gone.pop((triple[0], triple[2]))
    return kept


def _meets(line: PlacedEdge, ends: Ends, boxes: Mapping[str, PlacedNode]) -> bool:
    """Tell whether a line still leads from the border of one box to that of the other."""
    start = segments_of(line.path)[0, :2]
    found = []
    for (x, y), name in ((start, ends[0]), (line.head[0], ends[2])):
        left, top, right, bottom = box_around(boxes[name])
        inner = min(x - left, right - x, y - top, bottom - y)
        found.append(abs(inner) < 3.0)
    return all(found)


def _list_grown(before: Sketch, boxes: Mapping[str, DrawnNode], ends: tuple[Ends, ...]) -> Scene:
    """Draw a list again: what is new stands near its neighbour where no box is."""
    placed = {
        name: box_at(box, before.known[name].x, before.known[name].y)
        for name, box in boxes.items()
        if name in before.known
    }
    scene = Scene(placed, _kept_lines(before, ends))
    new = [name for name in boxes if name not in placed]
    while new:
        name = next((name for name in new if neighbours(name, ends, scene)), new[0])
        new.remove(name)
        near = neighbours(name, ends, scene)
        placed[name] = _free_place(boxes[name], near[0] if near else None, placed)
    places = {name: number for number, name in enumerate(placed)}
    drawn: dict[frozenset[int], int] = {}
    for source, _, target in scene.lines:
        pair = frozenset((places[source], places[target]))
        drawn[pair] = drawn.get(pair, 0) + 1
    fresh = [triple for triple in ends if triple not in scene.lines]
    numbers = numbered([(places[source], places[target]) for source, _, target in fresh], drawn)
    for triple, number in zip(fresh, numbers, strict=True):
        scene.lines[triple] = join(placed[triple[0]], placed[triple[2]], number)
    return scene


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
    others = boxes_around(placed.values(), _GAP / 2)
    for _, row, column in sorted(candidates):
        found = box_at(box, x + column * step, y + row * _ROW)
        if not overlaps(boxes_around([found]), others).any():
            return found
    lowest = max((node.y for node in placed.values()), default=0.0)
    return box_at(box, max(x, width / 2), lowest + _ROW)
