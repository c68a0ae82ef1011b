"""Which items an action may name: no model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from aptcore.transition.actions import PointerAction
from aptcore.transition.arcs import (
    LIST_ROLE,
    EdgeAction,
    LeftArc,
    RightArc,
    edges_since,
    list_number,
)
from aptcore.transition.guide import Narrowing
from aptcore.transition.state import (
    NO_ROLES,
    Item,
    ParserState,
    last_place,
    last_root,
    repeated_constants,
    root_place,
)

Taken = tuple[bool, str, int]
"""An edge that may not be made: whether it is LA, its role, and the other item's place."""

Roles = Sequence[frozenset[str]]
"""By the place of the other item, roles that an edge may not have; empty for none at all."""


class EdgeChoices(NamedTuple):
    """The items that an action may name now, by their place in ``state.roots``.

    Attributes:
        places: By kind of action; kinds that may name none are left out.
        left_taken: What LA may not be: an edge of the last item that exists already, or one
            that would repeat a constant.
        right_taken: The same of RA.
    """

    places: Mapping[type[PointerAction], tuple[int, ...]] = MappingProxyType({})
    left_taken: Roles = ()
    right_taken: Roles = ()

    @property
    def left(self) -> tuple[int, ...]:
        """The items that LA may name."""
        return self.places.get(LeftArc, ())

    @property
    def right(self) -> tuple[int, ...]:
        """The items that RA may name."""
        return self.places.get(RightArc, ())

    def sides(self) -> tuple[tuple[type[EdgeAction], tuple[int, ...], Roles], ...]:
        """Give for LA and for RA what they may name, and what they may not be."""
        places = self.places
        return (
            (LeftArc, places.get(LeftArc, ()), self.left_taken),
            (RightArc, places.get(RightArc, ()), self.right_taken),
        )

    def of(self, is_left: bool, role: str) -> list[int]:
        """Give the places that an edge with this direction and role may name."""
        _, places, taken = self.sides()[0 if is_left else 1]
        return [place for place in places if not (taken and role in taken[place])]

    def full(self) -> Iterator[tuple[bool, str]]:
        """Give the directions and roles with which no item is left to be named."""
        for kind, places, taken in self.sides():
            if places and taken and (roles := taken[places[0]]):
                for place in places:
                    roles = roles & taken[place]
                    if not roles:
                        break
                yield from ((kind is LeftArc, role) for role in roles)


def reachable(choices: EdgeChoices, action: PointerAction) -> Sequence[int]:
    """Give the places of the items that an action with this label may name now."""
    if isinstance(action, EdgeAction):
        return choices.of(isinstance(action, LeftArc), action.role)
    return choices.places.get(type(action), ())


def edge_choices(state: ParserState) -> EdgeChoices:
    """Find which items an action may name; equals ``why_illegal`` over all positions."""
    found = {kind: places for kind in state.action_set.pointers if (places := kind.places(state))}
    choices = EdgeChoices(found)
    if not found or state.is_linked or not (choices.left or choices.right):
        return choices
    taken = list(_repeats(state, choices.left)) if state.constants else []
    last = last_root(state)
    if state.edges and state.edges[-1].made_by > last.position:
        taken += _edges_here(state, last)
    return _without(choices, taken, len(state.roots)) if taken else choices


def with_distinct_roles(state: ParserState, choices: EdgeChoices) -> EdgeChoices:
    """Rule out second edges with a role that a node has once (see aptcore.graph.roles).

    Also constants under ``:name``, which leads to a node with the words; and after LINK what
    would repeat a constant, which the machine allows there.
    """
    if not choices.left and not choices.right:
        return choices
    places, left, right = choices
    own = state.given[last_place(state)]
    if own:
        left = _either(left, [own] * len(state.roots))
    distinct = EdgeChoices(places, left, _either(right, state.given))
    if not state.constants:
        return distinct
    found = list(_bare_names(state, choices))
    if state.is_linked:
        found += _repeats(state, choices.left)
    return _without(distinct, found, len(state.roots)) if found else distinct


def _either(roles: Roles, others: Roles) -> Roles:
    if not roles:
        return others
    return [own | other for own, other in zip(roles, others, strict=True)]


def _without(choices: EdgeChoices, found: Sequence[Taken], num_roots: int) -> EdgeChoices:
    """Rule out edges to some of the ``num_roots`` items."""
    left = list(choices.left_taken) or [NO_ROLES] * num_roots
    right = list(choices.right_taken) or [NO_ROLES] * num_roots
    for is_left, role, place in found:
        side = left if is_left else right
        side[place] = side[place] | {role}
    return EdgeChoices(choices.places, left, right)


def _bare_names(state: ParserState, choices: EdgeChoices) -> Iterator[Taken]:
    if last_place(state) in state.constants:
        yield from ((False, ":name", place) for place in choices.right)
    for place in state.constants:
        if place in choices.left:
            yield True, ":name", place


def narrowed(state: ParserState, choices: EdgeChoices, narrowing: Narrowing) -> EdgeChoices:
    """Leave of the items that an edge may name those that a guide allows."""
    if not (choices.left or choices.right):
        return choices
    first = narrowing.edges_from
    left, right = (tuple(n for n in ends if n >= first) for ends in (choices.left, choices.right))
    places = {**choices.places, LeftArc: left, RightArc: right}
    kept = choices._replace(places={kind: ends for kind, ends in places.items() if ends})
    taken = narrowing.taken.items()
    found = [(is_left, role, place) for (is_left, role), ends in taken for place in ends]
    return _without(kept, found, len(state.roots))


def _edges_here(state: ParserState, last: Item) -> Iterator[Taken]:
    """Give the edges that the last item has been given since it was made."""
    for edge in edges_since(state, last):
        roles = (edge.role, LIST_ROLE) if list_number(edge.role) else (edge.role,)
        for role in roles:
            if edge.source == last.key:
                yield True, role, root_place(state, edge.target[0])
            if edge.target == last.key:
                yield False, role, root_place(state, edge.source[0])


def _repeats(state: ParserState, left: Sequence[int]) -> Iterator[Taken]:
    """Give the edges that would put a constant where one of its value stands already."""
    if not (state.action_set.is_sound and state.constants):
        return
    roots, last = state.roots, last_root(state)
    if last.is_constant:
        for position, role in repeated_constants(state, last):
            yield False, role, root_place(state, position)
    for place in [place for place in left if place in state.constants]:
        for position, role in repeated_constants(state, roots[place]):
            if position == last.position:
                yield True, role, place
