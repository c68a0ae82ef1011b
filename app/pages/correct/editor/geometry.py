"""What lies on what in a drawing: boxes of nodes, lines of edges, and the roles on them.

Boxes are rows of left, top, right, bottom; segments are rows of the ends of a straight piece,
x and y of each. All units are points of the drawing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from app.canvas.layout import PlacedNode, Point
from app.kit.text import num_columns

Array = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

NO_ROWS: Array = np.zeros((0, 4))
_PIECE = 6.0
"""About how long the straight pieces are of which a curve is made."""
_PATH = re.compile(r"([MLQCVH])([^MLQCVH]*)")
_NUMBER = re.compile(r"-?[\d.]+(?:e-?\d+)?")
_NARROW, _WIDE, _WIDEST = (
    frozenset("il-:ftrjI"),
    frozenset("bdghnpqu"),
    frozenset("mwMWAGOQDRNHUCK"),
)
_ROLE_HEIGHT = 13.0


@lru_cache(4096)
def role_size(role: str) -> tuple[float, float]:
    """Give width and height of a role as Arial writes it at 12 px, bold as what is chosen."""
    width = 1.0
    for sign in role:
        if sign in _NARROW:
            width += 4.7
        elif sign in _WIDEST:
            width += 10.7 if sign in "mMW" else 9.4
        else:
            width += 7.4 if sign in _WIDE or sign.isdigit() or sign.islower() else 8.7
    wide = num_columns(role) - len(role)  # signs that take two columns
    return width + max(0, wide) * 4.0, _ROLE_HEIGHT


def box_around(node: PlacedNode, gap: float = 0.0) -> tuple[float, float, float, float]:
    """Give the box of a node, with some room around it."""
    across, down = node.width / 2 + gap, node.height / 2 + gap
    return node.x - across, node.y - down, node.x + across, node.y + down


def boxes_around(nodes: Iterable[PlacedNode], gap: float = 0.0) -> Array:
    """Give the boxes of nodes: (nodes, 4)."""
    return rows([box_around(node, gap) for node in nodes])


def role_box(role: str, middle: Point) -> tuple[float, float, float, float]:
    """Give the box of a role that is written around a point."""
    width, height = role_size(role)
    x, y = middle
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def rows(boxes: Sequence[Sequence[float]]) -> Array:
    """Give boxes or segments as one array: (boxes, 4), also where there are none."""
    return np.array(boxes, dtype=np.float64).reshape(-1, 4)


def widened(boxes: Array, gap: float) -> Array:
    """Give boxes with some room around each; less of each where it is negative."""
    found: Array = boxes + np.array((-gap, -gap, gap, gap))
    return found


def overlaps(one: Array, other: Array) -> Bools:
    """Tell which boxes of two lists share room: (ones, others)."""
    a, b = one[:, None, :], other[None, :, :]
    found = np.ones((len(one), len(other)), dtype=np.bool_)
    for low, high in (
        (a[..., 0], b[..., 2]),
        (b[..., 0], a[..., 2]),
        (a[..., 1], b[..., 3]),
        (b[..., 1], a[..., 3]),
    ):
        np.logical_and(found, low < high, out=found)
    return found


def any_along(mask: Bools, axis: int) -> Bools:
    """Tell where a mask holds anywhere along an axis."""
    return np.asarray(mask.any(axis=axis))


def crosses(segments: Array, boxes: Array) -> Bools:
    """Tell which segments run through which boxes: (segments, boxes).

    Those that are near a box are cut by the two pairs of lines that bound it, one pair after
    the other (Liang and Barsky 1984).
    """
    ends = segments[:, :2], segments[:, 2:]
    around = np.concatenate([np.minimum(*ends), np.maximum(*ends)], axis=1)
    found = overlaps(widened(around, 1e-6), boxes)
    at, of = np.nonzero(found)
    near, box = segments[at], boxes[of]
    enters: Array = np.zeros(len(at))
    leaves: Array = np.ones(len(at))
    for axis in (0, 1):
        way = near[:, axis + 2] - near[:, axis]
        way = np.where(np.abs(way) < 1e-9, 1e-9, way)
        first, second = (box[:, side] - near[:, axis] for side in (axis, axis + 2))
        enters = np.maximum(enters, np.minimum(first / way, second / way))
        leaves = np.minimum(leaves, np.maximum(first / way, second / way))
    found[at, of] = enters < leaves
    return found


@lru_cache(8192)
def segments_of(path: str) -> Array:
    """Give the straight pieces of an SVG path: (pieces, 4). They are not to be changed."""
    points: list[Array] = []
    for letter, text in _PATH.findall(path):
        numbers = [float(number) for number in _NUMBER.findall(text)]
        if letter == "V":
            numbers = [points[-1][-1][0], numbers[0]]
        elif letter == "H":
            numbers = [numbers[0], points[-1][-1][1]]
        given = np.array(numbers).reshape(-1, 2)
        step = {"Q": 2, "C": 3}.get(letter, 1)
        for start in range(0, len(given), step):
            last = [points[-1][-1:]] if points else []
            points.append(_curve(np.concatenate([*last, given[start : start + step]])))
    drawn = np.concatenate(points)
    return np.concatenate([drawn[:-1], drawn[1:]], axis=1)


def _curve(control: Array) -> Array:
    """Give points of a Bezier curve by its control points, without the first: (points, 2)."""
    if len(control) <= 2:
        return control[-1:]
    pieces = min(60, max(2, int(np.abs(np.diff(control, axis=0)).sum() / _PIECE)))
    parts = np.linspace(0, 1, pieces + 1)[1:, None]
    level = [np.broadcast_to(point, (pieces, 2)) for point in control]
    while len(level) > 1:  # De Casteljau
        level = [a + (b - a) * parts for a, b in zip(level, level[1:], strict=False)]
    return level[0]


def points_along(segments: Array, shares: Array) -> Array:
    """Give the points at some shares of the length of a line: (shares, 2)."""
    lengths = np.hypot(segments[:, 2] - segments[:, 0], segments[:, 3] - segments[:, 1])
    ends = np.concatenate([[0.0], np.cumsum(lengths)])
    wanted = shares * ends[-1]
    x = np.interp(wanted, ends, np.concatenate([segments[:1, 0], segments[:, 2]]))
    y = np.interp(wanted, ends, np.concatenate([segments[:1, 1], segments[:, 3]]))
    return np.stack([x, y], axis=1)


def length_of(segments: Array) -> float:
    """Give the length of a line."""
    return float(np.hypot(segments[:, 2] - segments[:, 0], segments[:, 3] - segments[:, 1]).sum())
