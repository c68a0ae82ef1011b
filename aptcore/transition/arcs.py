"""The actions that make an edge: LA and RA."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, ClassVar, Self

from aptcore.graph.branches import is_token
from aptcore.graph.layout import invert_role, is_role_inverted
from aptcore.graph.roles import is_single_role
from aptcore.transition.actions import PointerAction, no_item_text
from aptcore.transition.pieces import joined
from aptcore.transition.state import (
    Item,
    ItemEdge,
    ParserState,
    concept_places,
    last_place,
    last_root,
    open_places,
    repeated_constants,
    root_item_at,
    root_place,
)

if TYPE_CHECKING:
    from aptcore.transition.edge_choices import EdgeChoices
    from aptcore.transition.reading import Reading


LIST_ROLE = ":op*"
"""The role of a list's member, as an action names it: the machine gives it its number."""

_NUMBERED = re.compile(r":op([1-9][0-9]*)")


def list_number(role: str) -> int | None:
    """Give the number of a list's role: 2 for ``:op2``; None for another role."""
    numbered = _NUMBERED.fullmatch(role)
    return int(numbered[1]) if numbered else None


@dataclass(frozen=True, slots=True)
class EdgeAction(PointerAction):
    """An edge between the last item and the one made at ``position``.

    With the role ``:op*`` it makes the next free one of ``:op1``, ``:op2`` and so on.
    """

    is_left: ClassVar[bool]
    """Whether it leads away from the last item."""
    nothing_to_name: ClassVar[str]
    role: str

    @property
    def argument(self) -> str:
        """Its role."""
        return self.role

    @classmethod
    def of(cls, argument: str | None, position: int) -> EdgeAction | None:
        """Make it of a role, which starts with a colon."""
        return cls(position, argument) if argument and argument.startswith(":") else None

    def pointing_at(self, position: int) -> Self:
        """Give the same edge with another end."""
        return type(self)(position, self.role)

    @classmethod
    def why_not_here(cls, state: ParserState) -> str | None:
        """Legal when: directly after an item, an edge or a LINK at this cursor."""
        if state.is_linked:
            return None
        if state.is_at_root:
            return "only the root can be marked here"
        if state.num_items_here == 0:
            return "an edge starts or ends at a node made at this token, and there is none"
        return None

    def why_not_this(self, state: ParserState) -> str | None:
        """Legal when: both ends can have the edge, and it is not there already."""
        other = root_item_at(state, self.position)
        if other is None:
            return no_item_text(state, self.position)
        last = last_root(state)
        if state.is_linked and root_place(state, other.position) not in others(state):
            return f"{last.label} and {other.label} hang together: join two pieces after LINK"
        if other.position == last.position and not state.action_set.has_loops:
            return f"an edge from a node to itself is not in {state.action_set.title}"
        if self.role == LIST_ROLE and not state.action_set.numbers_lists:
            return f"{LIST_ROLE} is not in {state.action_set.title}"
        if self.role != LIST_ROLE and not is_token(self.role, "role"):
            return f"“{self.role}” cannot be written as a role"
        source, target = (last, other) if self.is_left else (other, last)
        if source.is_constant:
            return f"the constant {source.label} cannot have an outgoing edge"
        if target.is_constant:
            return self._why_no_constant(state, source, target)
        if is_role_inverted(self.role):
            turned = RightArc if self.is_left else LeftArc
            return f"{self.role} is turned round: take {turned.name} with {invert_role(self.role)}"
        return self._why_again(state, source, target)

    def _why_no_constant(self, state: ParserState, source: Item, target: Item) -> str | None:
        if target.position in state.parented:
            return f"the constant {target.label} has its one parent already"
        repeated = (source.position, self.role) in repeated_constants(state, target)
        if repeated and not state.is_linked:
            return f"the constant {target.label} stands at {source.label} {self.role} already"
        return self._why_again(state, source, target)

    def _why_again(self, state: ParserState, source: Item, target: Item) -> str | None:
        for edge in edges_since(state, last_root(state)):
            is_same = self.role in (edge.role, LIST_ROLE if list_number(edge.role) else "")
            if is_same and (edge.source, edge.target) == (source.key, target.key):
                return f"the edge {source.label} {edge.role} {target.label} exists already"
        return None

    def made_role(self, state: ParserState) -> str:
        """Give the role of the edge that it makes."""
        if self.role != LIST_ROLE:
            return self.role
        source = (state.last_item if self.is_left else self.position, 0)
        taken = {edge.role for edge in state.edges if edge.source == source}
        return next(role for n in count(1) if (role := f":op{n}") not in taken)

    def applied(self, state: ParserState) -> ParserState:
        """Effect: two pieces are one. Graph change: the edge."""
        last, other = (state.last_item, 0), (self.position, 0)
        source, target = (last, other) if self.is_left else (other, last)
        edge = ItemEdge(source, self.made_role(state), target, len(state.actions))
        ends = last_place(state), root_place(state, self.position)
        start, end = ends if self.is_left else ends[::-1]
        parented, given, pieces = state.parented, state.given, state.pieces
        if end in state.constants:
            parented = parented | {target[0]}
        if is_single_role(edge.role):
            given = (*given[:start], given[start] | {edge.role}, *given[start + 1 :])
        if pieces:
            pieces = joined(pieces, start, end)
        return state._replace(
            actions=(*state.actions, self),
            edges=(*state.edges, edge),
            parented=parented,
            given=given,
            pieces=pieces,
            is_linked=False,
        )

    def read(self, reading: Reading, state: ParserState, label_id: int) -> Reading:
        """Read a new view of the last item, which sees the other end too."""
        other = reading.positions[root_place(state, self.position)]
        left, right = reading.left[:-1], reading.right[:-1]
        ends = ((*left, other), right) if self.is_left else (left, (*right, other))
        return reading.with_view(label_id, len(state.actions) + 1, last_place(state), *ends)

    @classmethod
    def offer(cls, state: ParserState, choices: EdgeChoices) -> Hashable:
        """Give 0 where there is nothing to name, 1 where there is, 2 if lists are numbered too."""
        return (cls in choices.places) * (1 + state.action_set.numbers_lists)

    def is_in(self, offer: Hashable) -> bool:
        """Take ``:op*`` only where lists are numbered."""
        return offer == 2 or (offer == 1 and self.role != LIST_ROLE)

    @classmethod
    def reasons(cls, state: ParserState, choices: EdgeChoices) -> Iterable[tuple[str, str | None]]:
        """Say also where there is no other end."""
        none = None if cls in choices.places else cls.nothing_to_name
        return [(cls.page_name, cls.why_not_now(state) or none)]


@dataclass(frozen=True, slots=True)
class LeftArc(EdgeAction):
    """Make an edge from the last item to the item made at ``position``."""

    page_name = name = "LA"
    form = "LA(position, role), as in LA(3, :ARG0); a role starts with a colon"
    is_left = True
    nothing_to_name = "the last node can point to no other node"

    @classmethod
    def places(cls, state: ParserState) -> tuple[int, ...]:
        """Give all that an edge may end at, unless the last item is a constant."""
        if cls.why_not_now(state) or last_place(state) in state.constants:
            return ()
        return open_places(state, others(state))


@dataclass(frozen=True, slots=True)
class RightArc(EdgeAction):
    """Make an edge from the item made at ``position`` to the last item."""

    page_name = name = "RA"
    form = "RA(position, role), as in RA(3, :ARG0); a role starts with a colon"
    is_left = False
    nothing_to_name = "no other node can point to the last one"

    @classmethod
    def places(cls, state: ParserState) -> tuple[int, ...]:
        """Give all concepts, unless the last item is a constant with its one parent."""
        if cls.why_not_now(state) or not open_places(state, [last_place(state)]):
            return ()
        return concept_places(state, others(state))


def others(state: ParserState) -> Sequence[int]:
    """Give the items that an edge may join to the last one, by their place."""
    if not state.is_linked:
        return range(len(state.roots) - (not state.action_set.has_loops))
    own = state.pieces[last_place(state)]
    return [place for place, piece in enumerate(state.pieces) if piece != own]


def edges_since(state: ParserState, item: Item) -> Iterator[ItemEdge]:
    """Give the edges made after an item, newest first."""
    for edge in reversed(state.edges):
        if edge.made_by <= item.position:
            return
        yield edge
