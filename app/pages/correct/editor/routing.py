"""Lines that lie on nothing: each edge goes round other boxes and roles, its role stands free.

A straight line is tried first, then bent ones, then a way around what is between. A role
stands on its line, or beside it where the line is crossed there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from app.canvas.edges import along, bend_of, bent, join, looped
from app.canvas.layout import PlacedEdge, PlacedNode, Point
from app.pages.correct.editor.detours import way_around
from app.pages.correct.editor.geometry import (
    NO_ROWS,
    Array,
    any_along,
    boxes_around,
    crosses,
    length_of,
    overlaps,
    points_along,
    role_box,
    role_size,
    rows,
    segments_of,
    widened,
)

Ends = tuple[str, str, str]

MOST_CLEARED = 160
"""Boxes up to which lines are led around others and graphs laid out farther apart, until nothing
lies on anything: 100 take 0.3 s to be opened, and 300 took 20 s. In larger drawings lines are
bent and roles moved, and what then lies on something stays.
"""
_MOST_MENDED = 60
"""Edges that are mended at once in a larger drawing."""
_BENDS = (
    0.0,
    10.0,
    -10.0,
    20.0,
    -20.0,
    34.0,
    -34.0,
    52.0,
    -52.0,
    75.0,
    -75.0,
    110.0,
    -110.0,
    150.0,
    -150.0,
)
_ROOMS, _RADII = (5.0, 16.0, 30.0), (14.0, 6.0, 0.0)
"""Points beside a line that goes around something, the more the likelier its role has a place;
and points before a corner at which it leaves for the next one."""
_LOOPS = 8
_SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))
_BESIDE_NODE, _BESIDE_ROLE, _BESIDE_LINE = 4.0, 3.0, 2.0
_ROLE_STEP = 7.0
_EDGE_OF_DRAWING = -24.0
"""The drawing has a margin: what is left of this, or above it, would be cut off."""


@dataclass(slots=True)
class Scene:
    """A drawing in the making.

    Attributes:
        boxes: Nodes and constants by id.
        lines: Edges by their ends.
    """

    boxes: dict[str, PlacedNode]
    lines: dict[Ends, PlacedEdge] = field(default_factory=dict)

    @property
    def is_small(self) -> bool:
        """Whether no effort is spared that nothing lies on anything."""
        return len(self.boxes) <= MOST_CLEARED

    # --- what there is ----------------------------------------------------------------------

    def roles(self, but: Ends | None = None) -> Array:
        """Give the boxes of all roles but one: (roles, 4)."""
        return rows([role_box(e[1], line.label) for e, line in self.lines.items() if e != but])

    def pieces(self, but: Ends | None = None) -> Array:
        """Give the segments of all lines but one: (segments, 4)."""
        found = [segments_of(line.path) for ends, line in self.lines.items() if ends != but]
        return np.concatenate(found) if found else NO_ROWS

    def others(self, ends: Ends) -> Array:
        """Give the boxes of all nodes that an edge does not join: (nodes, 4)."""
        apart = (box for name, box in self.boxes.items() if name not in (ends[0], ends[2]))
        return boxes_around(apart)

    def own(self, ends: Ends) -> Array:
        """Give the boxes of the two that an edge joins: (2, 4)."""
        return boxes_around([self.boxes[ends[0]], self.boxes[ends[2]]])

    # --- what lies on something ----------------------------------------------------------------

    def faults(self) -> list[Ends]:
        """Give the edges whose line or role lies on something, or has a line on its role."""
        if not self.lines:
            return []
        names = list(self.lines)
        own = [segments_of(self.lines[ends].path) for ends in names]
        owner = np.repeat(np.arange(len(names)), [len(one) for one in own])
        boxes, roles = boxes_around(self.boxes.values()), self.roles()
        places = {name: place for place, name in enumerate(self.boxes)}
        starts = np.array([places[ends[0]] for ends in names])[owner]
        stops = np.array([places[ends[2]] for ends in names])[owner]
        at = np.arange(len(owner))
        pieces = np.concatenate(own)
        behind = crosses(pieces, widened(boxes, 1.0))
        behind[at, starts] = behind[at, stops] = False
        inside = crosses(pieces, widened(boxes, -2.5))
        through = crosses(pieces, roles)
        through[at, owner] = False
        bad = any_along(overlaps(roles, widened(boxes, 1.0)), 1)
        on_roles = overlaps(roles, roles)
        np.fill_diagonal(on_roles, False)
        bad |= any_along(on_roles, 1) | any_along(through, 0)
        for mask in (behind, inside, through):
            bad[owner[any_along(mask, 1)]] = True
        return [ends for ends, is_bad in zip(names, bad.tolist(), strict=True) if is_bad]

    def is_faulty(self, ends: Ends) -> bool:
        """Tell whether one edge is among the faults."""
        line = self.lines[ends]
        pieces = segments_of(line.path)
        if self._is_blocked(ends, pieces, 1.0, 0.0):
            return True
        role = rows([role_box(ends[1], line.label)])
        nodes = boxes_around(self.boxes.values(), 1.0)
        return bool(
            overlaps(role, np.concatenate([nodes, self.roles(ends)])).any()
            or crosses(self.pieces(ends), role).any()
        )

    def _is_blocked(self, ends: Ends, pieces: Array, node_gap: float, role_gap: float) -> bool:
        """Tell whether a line would run behind a node or through a role."""
        nodes, roles = widened(self.others(ends), node_gap), widened(self.roles(ends), role_gap)
        blocks = np.concatenate([nodes, roles, widened(self.own(ends), -2.5)])
        return bool(crosses(pieces, blocks).any())

    # --- what is free ----------------------------------------------------------------------

    def free_places(self, boxes: Array) -> Iterator[int]:
        """Give which of some boxes would lie on nothing, in their order."""
        nodes, roles = boxes_around(self.boxes.values(), 12.0), widened(self.roles(), 6.0)
        is_free = ~any_along(overlaps(boxes, np.concatenate([nodes, roles])), 1)
        pieces = self.pieces()
        for place in np.flatnonzero(is_free).tolist():
            if not crosses(pieces, widened(boxes[place : place + 1], 5.0)).any():
                yield place

    def role_place(self, ends: Ends, path: str) -> Point | None:
        """Find where the role of an edge can stand along a line: nearest to its middle."""
        pieces = segments_of(path)
        width, height = role_size(ends[1])
        steps = min(80, max(3, int(length_of(pieces) / _ROLE_STEP)))
        shares = np.arange(1, steps) / steps
        shares = shares[np.argsort(np.abs(shares - 0.5), kind="stable")]
        on = points_along(pieces, shares)
        beside = [
            (width / 2 + 4, 0),
            (-width / 2 - 4, 0),
            (0, height / 2 + 3),
            (0, -height / 2 - 3),
        ]
        middles = np.concatenate([on, *(on + np.array(shift) for shift in beside)])
        halves = np.array((width / 2, height / 2))
        boxes = np.concatenate([middles - halves, middles + halves], axis=1)
        nodes = boxes_around(self.boxes.values(), _BESIDE_NODE)
        others = np.concatenate([nodes, widened(self.roles(ends), 2.0)])
        taken = any_along(overlaps(boxes, others), 1)
        taken |= any_along(crosses(self.pieces(ends), widened(boxes, _BESIDE_LINE)), 0)
        taken |= any_along(boxes[:, :2] < _EDGE_OF_DRAWING, 1)
        for off in range(len(on), len(boxes), len(on)):  # beside its line, and not on it
            mask = any_along(crosses(pieces, boxes[off : off + len(on)]), 0)
            taken[off : off + len(on)] |= mask
        tip = pieces[-1:, 2:]
        on_tip = (np.abs(middles - tip) < halves + 7.0).all(axis=1)
        free = np.flatnonzero(~(taken | on_tip))
        if not len(free):
            return None
        x, y = middles[free[0]]
        return round(float(x), 1), round(float(y), 1)

    # --- what is drawn ----------------------------------------------------------------------

    def line_for(self, ends: Ends, *, far: bool = False) -> PlacedEdge | None:
        """Find a line for an edge that lies on nothing; None where there is none.

        Args:
            ends: The edge.
            far: Whether to look for a way around what is between, where no bent line is free.
        """
        source, target = self.boxes[ends[0]], self.boxes[ends[2]]
        for line in _simple_lines(source, target):
            pieces = segments_of(line.path)
            if (pieces < _EDGE_OF_DRAWING).any():
                continue
            if self._is_blocked(ends, pieces, _BESIDE_NODE, _BESIDE_ROLE):
                continue
            middle = self.role_place(ends, line.path)
            if middle is not None:
                return PlacedEdge(line.path, line.head, middle)
        if not far or source == target or not self.is_small:
            return None
        for room in _ROOMS:
            found = self._line_around(ends, room)
            if found is not None:
                return found
        return None

    def _line_around(self, ends: Ends, room: float) -> PlacedEdge | None:
        source, target = self.boxes[ends[0]], self.boxes[ends[2]]
        blocks = np.concatenate([self.others(ends), self.roles(ends)])
        points = way_around(source, target, blocks, self.pieces(ends), room)
        if points is None:
            return None
        for radius in _RADII:
            line = along(points, radius)
            if self._is_blocked(ends, segments_of(line.path), 1.5, 1.0):
                continue
            middle = self.role_place(ends, line.path)
            if middle is not None:
                return PlacedEdge(line.path, line.head, middle)
        return None

    def mend(self, ends: Ends) -> None:
        """Give an edge another place for its role, or else another line, if there is one."""
        line = self.lines[ends]
        if not self._is_blocked(ends, segments_of(line.path), 1.0, 1.0):
            middle = self.role_place(ends, line.path)
            if middle is not None:
                self.lines[ends] = PlacedEdge(line.path, line.head, middle)
                return
        found = self.line_for(ends, far=True)
        if found is not None:
            self.lines[ends] = found

    def settle(self) -> bool:
        """Mend what lies on something; tell whether nothing does any more, or no more is tried."""
        if self._mend_all() or not self.is_small:
            return True
        faults = self.faults()
        nodes = {name for ends in faults for name in (ends[0], ends[2])}
        near = [ends for ends in self.lines if ends[0] in nodes or ends[2] in nodes]
        return self._redraw(near, faults) or self._redraw(list(self.lines), self.faults())

    def _mend_all(self) -> bool:
        faults = self.faults()
        while faults and (self.is_small or len(faults) <= _MOST_MENDED):
            for ends in faults:
                if self.is_faulty(ends):
                    self.mend(ends)
            before, faults = len(faults), self.faults()
            if len(faults) >= before:
                break
        return not faults

    def _redraw(self, lines: list[Ends], faults: list[Ends]) -> bool:
        """Draw some edges anew, first those for which there was no room."""
        for ends in lines:
            del self.lines[ends]
        for ends in sorted(lines, key=lambda ends: ends not in faults):
            self.draw(ends, 0)
        return self._mend_all()

    def draw(self, ends: Ends, number: int) -> None:
        """Draw an edge; one for which no line is free lies on something.

        Args:
            ends: The edge.
            number: How many edges join the two already.
        """
        found = self.line_for(ends, far=True)
        self.lines[ends] = found or join(self.boxes[ends[0]], self.boxes[ends[2]], number)


def _simple_lines(source: PlacedNode, target: PlacedNode) -> Iterator[PlacedEdge]:
    """Give lines between two nodes, the straightest first, or loops at one."""
    if source == target:
        for number in range(_LOOPS):
            yield from (looped(source, number, side) for side in _SIDES)
        return
    boxes = boxes_around((source, target))
    for bend in _BENDS:
        x, y = bend_of(source, target, bend)
        point = rows([(x, y, x, y)])
        is_out = ((point[:, :2] < boxes[:, :2]) | (point[:, 2:] > boxes[:, 2:])).any(axis=1)
        if is_out.all():
            yield bent(source, target, bend)
