"""What the decoder reads at each step, and which items an edge may name.

A :class:`Reading` follows one walk action by action, as a state does, and says what
stands at the newest input position and where the items stand. Action i is read at
input position i + 1.
"""

from __future__ import annotations

from dataclasses import dataclass

from aptcore.actions import ROOT_ROLE, Action, Const, Copy, LeftArc, Pred, RightArc, Subgraph
from aptcore.legality import why_no_edge
from aptcore.state import ParserState
from aptcore.vocab import START, ActionVocabulary


@dataclass(frozen=True, slots=True)
class Reading:
    """What the decoder reads at the newest input position, and where the items stand.

    Attributes:
        id: Label id at this position.
        edge_id: Label id of the edge read here; -1 elsewhere.
        item_id: Label id of the last item.
        positions: The newest input position of each item in ``state.roots``.
        left: Input positions that the LA head sees here; empty outside items and edges.
        right: The same for the RA head.
    """

    id: int
    edge_id: int = -1
    item_id: int = -1
    positions: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    right: tuple[int, ...] = ()


def first_reading(vocabulary: ActionVocabulary) -> Reading:
    """Give the reading of the start symbol."""
    return Reading(vocabulary.ids[START])


def read_action(
    reading: Reading,
    state: ParserState,
    action: Action,
    label_id: int,
    graph_embedding: bool,
) -> Reading:
    """Give the reading after an action.

    Args:
        reading: The reading before it.
        state: The state before it.
        action: The action, taken at ``len(state.actions)``.
        label_id: The id of its label.
        graph_embedding: Whether an edge is read as a new view of the last item.
    """
    here = len(state.actions) + 1
    if isinstance(action, LeftArc | RightArc) and action.role != ROOT_ROLE:
        if not graph_embedding:
            return Reading(label_id, -1, reading.item_id, reading.positions)
        other = reading.positions[root_index(state, action.position)]
        left = (*reading.left[:-1], *((other,) if isinstance(action, LeftArc) else ()), here)
        right = (*reading.right[:-1], *((other,) if isinstance(action, RightArc) else ()), here)
        positions = (*reading.positions[:-1], here)
        return Reading(reading.item_id, label_id, reading.item_id, positions, left, right)
    if isinstance(action, Copy | Pred | Const | Subgraph):
        seen = (here,) if graph_embedding else ()
        return Reading(label_id, -1, label_id, (*reading.positions, here), seen, seen)
    return Reading(label_id, -1, reading.item_id, reading.positions)


def root_index(state: ParserState, position: int) -> int:
    """Give the place in ``state.roots`` of the item made by the action at ``position``."""
    for index in range(len(state.roots) - 1, -1, -1):
        if state.roots[index].position == position:
            return index
    raise ValueError(f"no item was made at {position}")


@dataclass(frozen=True, slots=True)
class EdgeChoices:
    """The items that an edge may name now, by their place in ``state.roots``.

    Attributes:
        left: For LA.
        right: For RA.
        taken: Edges of the last item that exist already: (is LA, role, place).
    """

    left: tuple[int, ...] = ()
    right: tuple[int, ...] = ()
    taken: tuple[tuple[bool, str, int], ...] = ()

    def of(self, is_left: bool, role: str) -> list[int]:
        """Give the places that an edge with this direction and role may name."""
        taken = {place for left, name, place in self.taken if left == is_left and name == role}
        return [place for place in (self.left if is_left else self.right) if place not in taken]


def edge_choices(state: ParserState) -> EdgeChoices:
    """Find which items an edge may name; equals ``why_illegal`` over all positions."""
    if why_no_edge(state) or not state.roots:
        return EdgeChoices()
    last = state.roots[-1]
    others = range(len(state.roots) - (state.action_set != "exact"))
    left: tuple[int, ...] = ()
    right: tuple[int, ...] = ()
    if not last.is_constant:
        left = tuple(
            place
            for place in others
            if not state.roots[place].is_constant
            or state.roots[place].position not in state.parented
        )
    if not (last.is_constant and last.position in state.parented):
        right = tuple(place for place in others if not state.roots[place].is_constant)
    taken = []
    for edge in reversed(state.edges):
        if edge.made_by <= last.position:
            break
        if edge.source == last.key:
            taken.append((True, edge.role, root_index(state, edge.target[0])))
        if edge.target == last.key:
            taken.append((False, edge.role, root_index(state, edge.source[0])))
    return EdgeChoices(left, right, tuple(taken))
