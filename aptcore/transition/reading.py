"""What the decoder reads at each step, as plain numbers; each action says its own.

A :class:`Reading` follows one walk action by action, as a state does, and says what
stands at the newest input position and where the items stand. Action i is read at
input position i + 1.
"""

from __future__ import annotations

from typing import NamedTuple

from aptcore.transition.actions import Action
from aptcore.transition.items import ItemAction
from aptcore.transition.state import ParserState


class Reading(NamedTuple):
    """What the decoder reads at the newest input position, and where the items stand.

    Attributes:
        id: Label id at this position.
        edge_id: Label id of the action read here as a view of an item; -1 elsewhere.
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

    def plain(self, label_id: int) -> Reading:
        """Read a label as it is; the items stand where they stood."""
        return Reading(label_id, -1, self.item_ids, self.positions)

    def with_item(self, label_id: int, here: int) -> Reading:
        """Read a label that makes an item, which the two heads see."""
        item_ids, positions = (*self.item_ids, label_id), (*self.positions, here)
        return Reading(label_id, -1, item_ids, positions, (here,), (here,))

    def with_view(
        self, label_id: int, here: int, place: int, left: tuple[int, ...], right: tuple[int, ...]
    ) -> Reading:
        """Read a label as a new view of an item, which stands here from now on.

        Args:
            label_id: The label.
            here: The newest input position.
            place: Of the item in ``state.roots``.
            left: What the LA head sees beside the item itself.
            right: The same for the RA head.
        """
        positions = (*self.positions[:place], here, *self.positions[place + 1 :])
        seen = (*left, here), (*right, here)
        return Reading(self.item_ids[place], label_id, self.item_ids, positions, *seen)


def read_action(
    reading: Reading, state: ParserState, action: Action, label_id: int, graph_embedding: bool
) -> Reading:
    """Give the reading after an action.

    Args:
        reading: The reading before it.
        state: The state before it.
        action: The action, taken at ``len(state.actions)``.
        label_id: The id of its label.
        graph_embedding: Whether an action may be read as a new view of an item; otherwise
            every label is read as it is.
    """
    if graph_embedding:
        return action.read(reading, state, label_id)
    if isinstance(action, ItemAction):
        return action.read(reading, state, label_id)._replace(left=(), right=())
    return reading.plain(label_id)
