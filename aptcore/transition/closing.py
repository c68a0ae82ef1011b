"""The actions past the last word: LINK joins what is apart, then the root is marked.

A sound action set marks a root only when everything hangs together; until then LINK
names an item outside the largest piece, and an edge joins it to another one. A model
that may name any item takes the main verb for what is apart: on Bio dev that cost 0.8
points of Smatch, as the root was then sought elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aptcore.transition.actions import Action, PointerAction, no_item_text
from aptcore.transition.arcs import EdgeAction, LeftArc, RightArc
from aptcore.transition.items import ItemAction
from aptcore.transition.pieces import head, main_piece, num_pieces
from aptcore.transition.state import (
    ParserState,
    concept_places,
    open_places,
    root_item_at,
    root_place,
)

if TYPE_CHECKING:
    from aptcore.transition.edge_choices import EdgeChoices
    from aptcore.transition.reading import Reading

ROOT_ROLE = "root"
"""What stands for a role in the text of the step that marks the root."""


@dataclass(frozen=True, slots=True)
class Link(PointerAction):
    """Make the item made at ``position`` the last one again, to join it by an edge."""

    page_name = name = "LINK"
    form = "LINK(position), as in LINK(3)"

    @classmethod
    def why_not_here(cls, state: ParserState) -> str | None:
        """Legal when: on ``<ROOT>``, while the graph is in more than one piece."""
        if not state.is_at_root:
            return "what is still apart is linked after the last token"
        if state.is_linked:
            return "a node was linked just now: join it by an edge first"
        if state.num_concepts == 0:
            return "there is no concept to join anything to"
        if num_pieces(state.pieces) == 1:
            return "everything hangs together: mark the root"
        return None

    def why_not_this(self, state: ParserState) -> str | None:
        """Legal when: it names an item outside the largest piece that can take an edge."""
        item = root_item_at(state, self.position)
        if item is None:
            return no_item_text(state, self.position)
        if item.is_constant and self.position in state.parented:
            return f"the constant {item.label} has its one parent already"
        if state.pieces[root_place(state, self.position)] == main_piece(state.pieces):
            return f"{item.label} is in the largest piece: link a node of a smaller one"
        return None

    @classmethod
    def places(cls, state: ParserState) -> tuple[int, ...]:
        """Give what is outside the largest piece and can take an edge."""
        if cls.why_not_now(state):
            return ()
        main = main_piece(state.pieces)
        return open_places(state, (n for n, piece in enumerate(state.pieces) if piece != main))

    def applied(self, state: ParserState) -> ParserState:
        """Effect: exactly one edge follows, of this item. Graph change: none."""
        actions = (*state.actions, self)
        return state._replace(actions=actions, last_item=self.position, is_linked=True)

    def read(self, reading: Reading, state: ParserState, label_id: int) -> Reading:
        """Read a new view of the item, which sees what its edges join it to."""
        key, here = (self.position, 0), len(state.actions) + 1
        sees = [edge.target for edge in state.edges if edge.source == key and not edge.target[1]]
        seen_by = [edge.source for edge in state.edges if edge.target == key and not edge.source[1]]
        left, right = (
            tuple(sorted({reading.positions[root_place(state, other[0])] for other in ends}))
            for ends in (sees, seen_by)
        )
        return reading.with_view(label_id, here, root_place(state, self.position), left, right)


@dataclass(frozen=True, slots=True)
class Root(PointerAction):
    """Mark the concept made at ``position`` as the root and close; written LA(3, root)."""

    page_name, name = "ROOT", LeftArc.name
    form = LeftArc.form

    @property
    def argument(self) -> str:
        """What stands for a role."""
        return ROOT_ROLE

    @classmethod
    def of(cls, argument: str | None, position: int) -> Root | None:
        """Make it of the label LA(root)."""
        return cls(position) if argument == ROOT_ROLE else None

    @classmethod
    def why_not_here(cls, state: ParserState) -> str | None:
        """Legal when: on ``<ROOT>``; in a sound set, once everything hangs together."""
        if not state.is_at_root:
            return "the root is marked after the last token"
        if state.is_linked:
            return "a node was linked just now: join it by an edge first"
        num = num_pieces(state.pieces)
        return f"the graph is in {num} pieces: join them by LINK and an edge" if num > 1 else None

    def why_not_this(self, state: ParserState) -> str | None:
        """Legal when: a concept was made at ``position``."""
        item = root_item_at(state, self.position)
        if item is None:
            return no_item_text(state, self.position)
        return "a constant cannot be the root" if item.is_constant else None

    @classmethod
    def places(cls, state: ParserState) -> tuple[int, ...]:
        """Give all concepts."""
        if cls.why_not_now(state):
            return ()
        return concept_places(state, range(len(state.roots)))

    def applied(self, state: ParserState) -> ParserState:
        """Effect: the walk closes. Graph change: the root."""
        actions = (*state.actions, self)
        return state._replace(actions=actions, root=self.position, is_closed=True)

    @classmethod
    def reasons(cls, state: ParserState, choices: EdgeChoices) -> Iterable[tuple[str, str | None]]:
        """Say first of all that there is no concept."""
        none = None if state.num_concepts else "there is no concept to mark"
        return [(cls.page_name, none or cls.why_not_now(state))]


def joining_actions(actions: Sequence[Action], concepts: Sequence[int], role: str) -> list[Action]:
    """Give the actions that join on ``<ROOT>`` what a walk has left apart.

    Args:
        actions: The walk so far, without LINK.
        concepts: Positions of the actions that made concepts; the first takes the edges.
        role: The role of each edge.
    """
    first: dict[int, int] = {}
    last = -1
    for position, action in enumerate(actions):
        if isinstance(action, EdgeAction):
            ends = head(first, last), head(first, action.position)
            first[max(ends)] = min(ends)
        elif isinstance(action, ItemAction):
            first[position] = last = position
    added: list[Action] = []
    centre = concepts[0]
    for concept in concepts:
        ends = head(first, centre), head(first, concept)
        if ends[0] == ends[1]:
            continue
        if main_piece(head(first, place) for place in first) == ends[1]:
            added += [Link(centre), LeftArc(concept, role)]
        else:
            added += [Link(concept), RightArc(centre, role)]
        first[max(ends)] = min(ends)
    return added
