"""What the decoder reads at each step, and which items an edge may name.

A :class:`Reading` follows one walk action by action, as a state does, and says what
stands at the newest input position and where the items stand. Action i is read at
input position i + 1.
"""

from __future__ import annotations

from dataclasses import dataclass

from aptcore.neural.vocabulary import START, ActionVocabulary
from aptcore.transition.actions import (
    ROOT_ROLE,
    Action,
    Const,
    Copy,
    LeftArc,
    Link,
    Pred,
    RightArc,
    Subgraph,
)
from aptcore.transition.state import ParserState, root_place


@dataclass(frozen=True, slots=True)
class Reading:
    """What the decoder reads at the newest input position, and where the items stand.

    Attributes:
        id: Label id at this position.
        edge_id: Label id of the edge or LINK read here; -1 elsewhere.
        item_ids: Label id of each item in ``state.roots``.
        positions: The newest input position of each of them.
        left: Input positions that the LA head sees here; empty outside items and edges.
        right: The same for the RA head.
    """

    id: int
    edge_id: int = -1
    item_ids: tuple[int, ...] = ()
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
        graph_embedding: Whether an edge is read as a new view of the last item, and LINK
            as one of the item that it names.
    """
    here = len(state.actions) + 1
    if isinstance(action, Copy | Pred | Const | Subgraph):
        seen = (here,) if graph_embedding else ()
        item_ids, positions = (*reading.item_ids, label_id), (*reading.positions, here)
        return Reading(label_id, -1, item_ids, positions, seen, seen)
    if not graph_embedding or not isinstance(action, LeftArc | RightArc | Link):
        return Reading(label_id, -1, reading.item_ids, reading.positions)
    if isinstance(action, Link):
        left, right = _neighbours(reading, state, action.position)
        place = root_place(state, action.position)
    elif action.role != ROOT_ROLE:
        other = reading.positions[root_place(state, action.position)]
        left = (*reading.left[:-1], other) if isinstance(action, LeftArc) else reading.left[:-1]
        right = (*reading.right[:-1], other) if isinstance(action, RightArc) else reading.right[:-1]
        place = len(state.roots) - 1
        if state.is_linked:
            place = root_place(state, state.last_item)
    else:
        return Reading(label_id, -1, reading.item_ids, reading.positions)
    positions = (*reading.positions[:place], here, *reading.positions[place + 1 :])
    item_id = reading.item_ids[place]
    return Reading(item_id, label_id, reading.item_ids, positions, (*left, here), (*right, here))


def _neighbours(
    reading: Reading, state: ParserState, position: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Give the newest positions of what a linked item points to, and of what points to it."""
    key = (position, 0)
    outgoing = [edge.target for edge in state.edges if edge.source == key and edge.target[1] == 0]
    incoming = [edge.source for edge in state.edges if edge.target == key and edge.source[1] == 0]
    left, right = (
        tuple(sorted({reading.positions[root_place(state, other[0])] for other in ends}))
        for ends in (outgoing, incoming)
    )
    return left, right
