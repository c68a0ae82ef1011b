"""Whether drawings under correction can be read: ``python -m benchmarks.drawings``.

Graphs of our own are edited at random, as the Correct page applies gestures, and each drawing
is looked at by its geometry alone, from the paths and places that the browser gets: no box
lies on another box, on a role or on the line of an edge that it does not end, no role lies on
another role, and no line runs through the role of another edge. Roles are as wide as Arial,
bold, at 12 px writes them: the page makes the signs of a wider font smaller.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from app.pages.correct.editor.gestures import edit_of
from app.pages.correct.editor.layout import Sketch, grow, lay_out
from aptcore.editing.applying import apply_edit
from aptcore.errors import AptamrError
from aptcore.graph.amr import AmrGraph
from aptcore.graph.penman import parse_penman

Array = npt.NDArray[np.float64]

ARIAL_BOLD = (
    dict.fromkeys("il-:", 0.33)
    | dict.fromkeys("ftrj", 0.39)
    | dict.fromkeys("acekosvxyz0123456789", 0.556)
    | dict.fromkeys("bdghnpqu", 0.611)
    | dict.fromkeys("wmMWAGOQDRNHUCK", 0.778)
    | {"m": 0.889, "I": 0.278}
)
"""Widths of signs, in parts of the size; those that are not listed are 0.72 wide."""
SIZE, HEIGHT = 12.0, 11.0
"""Of a role, in points: its font, and what is written between the tops and tails of signs."""
SLACK = 1.0
"""Points that boxes may share."""

CONCEPTS = (
    "boy go-02 want-01 person city possible-01 and thing international recommend-01 tall "
    "have-org-role-91 government-organization temporal-quantity name date-entity say-01 I"
).split()
ROLES = ":ARG0 :ARG1 :ARG2 :mod :time :location :manner :ARG1-of :op1 :purpose :quant".split()
LINES = (":mod tall", "boy", ":quant 5", ":polarity -", ":name New York City", ":date 12 July 2024")


# --- graphs and edits ---------------------------------------------------------------------


def random_graph(chance: Random, num_nodes: int) -> AmrGraph:
    """Make a graph: a tree in which some nodes are named twice, or have a constant."""
    below: list[list[int]] = [[] for _ in range(num_nodes)]
    for node in range(1, num_nodes):
        below[chance.randrange(max(0, node - 6), node)].append(node)

    def written(node: int) -> str:
        parts = [f"(x{node} / {chance.choice(CONCEPTS)}"]
        parts += [f"{chance.choice(ROLES)} {written(other)}" for other in below[node]]
        if chance.random() < 0.15:
            parts.append(f"{chance.choice(ROLES)} x{chance.randrange(num_nodes)}")
        if chance.random() < 0.15:
            parts.append(chance.choice((":polarity -", ":quant 12", ':wiki "New_York_City"')))
        return " ".join(parts) + ")"

    return parse_penman(written(0))


def random_gesture(chance: Random, graph: AmrGraph) -> dict[str, Any]:
    """Choose what a person might do to a graph."""
    node, other = chance.choice(graph.nodes).id, chance.choice(graph.nodes).id
    edges = [list(edge.triple) for edge in graph.edges]
    edges += [[item.source, item.role, item.id] for item in graph.attributes]
    edge = chance.choice(edges) if edges else [node, ":mod", node]
    return chance.choice(
        [
            {"kind": "rename", "id": node, "text": chance.choice(CONCEPTS)},
            {"kind": "rename", "id": edge[2], "text": chance.choice((*CONCEPTS, "-", "12"))},
            {"kind": "add", "parent": node, "line": chance.choice(LINES)},
            {"kind": "add", "parent": node, "line": chance.choice(CONCEPTS)},
            {"kind": "delete", "id": edge[2]},
            {"kind": "delete", "id": chance.choice((node, edge[2]))},
            {"kind": "delete", "edge": edge},
            {"kind": "link", "source": node, "role": chance.choice(ROLES), "target": other},
            {"kind": "move", "edge": edge, "end": chance.choice(("source", "target")), "to": other},
            {"kind": "relabel", "edge": edge, "role": chance.choice(ROLES)},
            {"kind": "reverse", "edge": edge},
            {"kind": "root", "id": node},
            {"kind": "reify", "edge": edge},
        ]
    )


def random_edits(chance: Random, graph: AmrGraph, number: int) -> Iterator[AmrGraph]:
    """Edit a graph at random; some edits are undone, and it keeps about its size."""
    size, before = len(graph.nodes), [graph]
    done = 0
    while done < number:
        gesture = random_gesture(chance, graph)
        try:
            edited = apply_edit(graph, edit_of(graph, gesture))
        except AptamrError:
            continue
        if chance.random() < 0.15 and len(before) > 1:
            edited = before.pop()
        elif not 0.7 * size <= len(edited.nodes) <= 1.4 * size + 4:
            continue
        else:
            before.append(graph)
        graph = edited
        done += 1
        yield graph


# --- geometry -----------------------------------------------------------------------------


def role_width(role: str) -> float:
    """Give the width of a role in points."""
    return SIZE * sum(ARIAL_BOLD.get(sign, 0.72) for sign in role)


def points_on(path: str) -> Array:
    """Give points of an SVG path, at most 3 points apart: (points, 2)."""
    found: list[tuple[float, float]] = []
    for letter, rest in re.findall(r"([MCQLVH])([^MCQLVH]*)", path):
        numbers = [float(one) for one in re.findall(r"-?[\d.]+(?:e-?\d+)?", rest)]
        if letter == "V":
            numbers = [found[-1][0], numbers[0]]
        elif letter == "H":
            numbers = [numbers[0], found[-1][1]]
        pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
        step = {"C": 3, "Q": 2}.get(letter, 1)
        for start in range(0, len(pairs), step):
            found += [pairs[0]] if not found else _curve([found[-1], *pairs[start : start + step]])
    return np.array(found)


def _curve(control: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Give points of a Bezier curve, without the first."""
    points = np.array(control)
    length = np.abs(np.diff(points, axis=0)).sum()
    parts = np.linspace(0, 1, max(2, int(length / 2)) + 1)[1:, None]
    points = points[:, None, :] + 0 * parts  # (controls, points, 2)
    while len(points) > 1:  # De Casteljau
        points = points[:-1] * (1 - parts) + points[1:] * parts
    return [(float(x), float(y)) for x, y in points[0]]


def clashes(sketch: Sketch) -> list[str]:
    """Say what lies on what in a drawing."""
    names, edges, lines = sketch.names, sketch.ends, sketch.layout.edges
    boxes = _boxes([((node.x, node.y), node.width, node.height) for node in sketch.layout.nodes])
    roles = _boxes(
        [
            (line.label, role_width(role), HEIGHT)
            for (_, role, _), line in zip(edges, lines, strict=True)
        ]
    )
    drawn = [points_on(line.path) for line in lines]
    owner = np.repeat(np.arange(len(drawn)), [len(points) for points in drawn])  # (points,)
    points = np.concatenate([np.zeros((0, 2)), *drawn])  # (points, 2)
    found = [f"{names[a]} on {names[b]}" for a, b in _shared(boxes, boxes) if a < b]
    found += [f"{names[a]} on the role of {edges[b]}" for a, b in _shared(boxes, roles)]
    found += [f"roles of {edges[a]} and {edges[b]}" for a, b in _shared(roles, roles) if a < b]
    for place, name in enumerate(names):
        for edge in set(owner[_inside(points, boxes[place], SLACK)].tolist()):
            is_own = name in (edges[edge][0], edges[edge][2])
            if not is_own or _inside(drawn[edge], boxes[place], 3 * SLACK).any():
                found.append(f"{edges[edge]} behind {name}")
    for place, role in enumerate(roles):
        through = set(owner[_inside(points, role, SLACK)].tolist()) - {place}
        found += [f"{edges[edge]} through the role of {edges[place]}" for edge in through]
    return found


def _boxes(sized: Sequence[tuple[tuple[float, float], float, float]]) -> Array:
    """Give left, top, right and bottom of boxes by middle, width and height: (boxes, 4)."""
    given = np.array([(*middle, width / 2, height / 2) for middle, width, height in sized])
    x, y, across, down = given.reshape(-1, 4).T
    return np.stack([x - across, y - down, x + across, y + down], axis=1)


def _shared(one: Array, other: Array) -> Iterator[tuple[int, int]]:
    """Give the places of the boxes of two lists that lie on one another."""
    a, b = one[:, None], other[None]
    across = np.minimum(a[..., 2], b[..., 2]) - np.maximum(a[..., 0], b[..., 0])
    down = np.minimum(a[..., 3], b[..., 3]) - np.maximum(a[..., 1], b[..., 1])
    yield from np.argwhere((across > SLACK) & (down > SLACK)).tolist()


def _inside(points: Array, box: Array, slack: float) -> npt.NDArray[np.bool_]:
    """Tell which points lie deeper in a box than some points: (points,)."""
    left, top, right, bottom = box + np.array((slack, slack, -slack, -slack))
    x, y = points[:, 0], points[:, 1]
    found: npt.NDArray[np.bool_] = (x > left) & (x < right) & (y > top) & (y < bottom)
    return found


# --- what is counted ----------------------------------------------------------------------


@dataclass(slots=True)
class Count:
    """Drawings after an edit, those with a clash; nodes that stayed or not; processor seconds."""

    drawings: int = 0
    faulty: int = 0
    kept: int = 0
    moved: int = 0
    slowest: float = 0.0
    seconds: float = 0.0


def count_clashes(seed: int, num_nodes: int, num_edits: int) -> tuple[Count, list[str]]:
    """Edit a random graph, and look at each drawing.

    Returns:
        What was counted, and every clash in words.
    """
    chance = Random(seed)
    graph = random_graph(chance, num_nodes)
    sketch, count = lay_out(graph), Count()
    told = [f"seed {seed} at first: {clash}" for clash in clashes(sketch)]
    for number, edited in enumerate(random_edits(chance, graph, num_edits), 1):
        before, begun = sketch, time.process_time()
        sketch = grow(before, edited)
        taken = time.process_time() - begun
        found = clashes(sketch)
        told += [f"seed {seed} edit {number}: {clash}" for clash in found]
        stood = dict(zip(before.names, before.layout.nodes, strict=True))
        for name, box in zip(sketch.names, sketch.layout.nodes, strict=True):
            if name in stood and stood[name].shown == box.shown:
                is_moved = (stood[name].x, stood[name].y) != (box.x, box.y)
                count.kept, count.moved = count.kept + (not is_moved), count.moved + is_moved
        count.drawings, count.faulty = count.drawings + 1, count.faulty + bool(found)
        count.slowest, count.seconds = max(count.slowest, taken), count.seconds + taken
    return count, told


def main() -> None:
    """Print a row for each size of graphs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="5,10,15,20,30,40,60,80,100")
    parser.add_argument("--graphs", type=int, default=3, help="of each size")
    parser.add_argument("--edits", type=int, default=50, help="of each graph")
    parser.add_argument("--all", action="store_true", help="name every clash")
    options = parser.parse_args()
    print(" nodes  drawings  faulty  clashes  nodes moved  ms an edit  slowest")
    for size in (int(text) for text in options.sizes.split(",")):
        total, told = Count(), []
        for seed in range(options.graphs):
            count, clashing = count_clashes(seed, size, options.edits)
            told += clashing
            total.drawings += count.drawings
            total.faulty += count.faulty
            total.kept += count.kept
            total.moved += count.moved
            total.seconds += count.seconds
            total.slowest = max(total.slowest, count.slowest)
        moved = total.moved / max(1, total.kept + total.moved)
        print(
            f"{size:6}  {total.drawings:8}  {total.faulty:6}  {len(told):7}  {moved:11.2%}  "
            f"{1000 * total.seconds / max(1, total.drawings):10.1f}  {1000 * total.slowest:7.1f}",
            flush=True,
        )
        if options.all:
            print("\n".join(told))


if __name__ == "__main__":
    main()
