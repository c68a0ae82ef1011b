"""Where a new node goes: to the nearest place at which it and its edges lie on nothing."""

from __future__ import annotations

from app.canvas.layout import DrawnNode, PlacedNode, box_at, node_size
from app.pages.correct.editor.geometry import boxes_around
from app.pages.correct.editor.routing import Ends, Scene

_ROW = 66.0
_DOWN = (84.0, 66.0, 100.0, 120.0, 150.0, 0.0, 190.0, 240.0, -84.0, 300.0, -120.0, 380.0, 480.0)
"""How far below its neighbour a new node may stand; the first is the distance of two ranks."""
_ACROSS = 18.0
_BESIDE = 90.0
"""Points that it counts as to stand beside a neighbour or above it, and not below."""
_TRIED = 40
"""Free places at which the lines of a new node are tried."""


def neighbours(name: str, ends: tuple[Ends, ...], scene: Scene) -> list[PlacedNode]:
    """Give the placed boxes at the other ends of the edges of a node, those above first."""
    above = [scene.boxes[one] for one, _, other in ends if other == name and one in scene.boxes]
    return above + [
        scene.boxes[other] for one, _, other in ends if one == name and other in scene.boxes
    ]


def put_node(
    scene: Scene, name: str, box: DrawnNode, known: PlacedNode | None, ends: tuple[Ends, ...]
) -> None:
    """Put a node where it and its edges lie on nothing, near where it was or its neighbours."""
    placed = [box_at(box, x, y) for x, y in _candidates(scene, name, box, known, ends)]
    boxes = boxes_around(placed)
    for tried, number in enumerate(scene.free_places(boxes)):
        scene.boxes[name] = placed[number]
        own = [triple for triple in ends if name in (triple[0], triple[2])]
        own = [triple for triple in own if triple[0] in scene.boxes and triple[2] in scene.boxes]
        if tried >= _TRIED or _draw_all(scene, own):
            return
        del scene.boxes[name]
    lowest = max((one.y for one in scene.boxes.values()), default=0.0)
    x = known.x if known is not None else placed[0].x
    scene.boxes[name] = box_at(box, x, lowest + _ROW)


def _draw_all(scene: Scene, own: list[Ends]) -> bool:
    """Draw some edges by simple lines; draw none and tell so where one of them has none."""
    drawn: list[Ends] = []
    for triple in own:
        line = scene.line_for(triple)
        if line is None:
            for other in drawn:
                del scene.lines[other]
            return False
        scene.lines[triple] = line
        drawn.append(triple)
    return True


def _candidates(
    scene: Scene, name: str, box: DrawnNode, known: PlacedNode | None, ends: tuple[Ends, ...]
) -> list[tuple[float, float]]:
    """Give middles at which a node may stand, the best first, none left of the drawing."""
    width, height = node_size(box)
    near = neighbours(name, ends, scene)
    downs: tuple[float, ...] = _DOWN
    if known is not None:
        x, y, downs = known.x, known.y, (0.0, 20.0, -20.0, 42.0, -42.0, *_DOWN)
    elif len(near) > 1:
        x = sum(one.x for one in near) / len(near)
        y = sum(one.y for one in near) / len(near)
        downs = (0.0, 20.0, -20.0, 42.0, -42.0, *_DOWN)
    elif near:
        x, y = near[0].x, near[0].y
    else:
        x, y, downs = width / 2, 15.0, (0.0, *_DOWN)
    found = []
    for rank, down in enumerate(downs):
        for step in range(-30, 31):
            middle = x + step * _ACROSS, y + down
            if middle[0] >= width / 2 and middle[1] >= height / 2:
                far = abs(down) / 2 + (_BESIDE if down <= 0 and downs is _DOWN else 0.0)
                found.append((abs(step) * _ACROSS + far + 12.0 * rank, middle))
    found.sort(key=lambda pair: pair[0])
    return [middle for _, middle in found] or [(x, y)]
