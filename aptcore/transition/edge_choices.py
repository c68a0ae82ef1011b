"""Which items an action may name: no model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from aptcore.graph.roles import is_single_role
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
from aptcore.transition.state import Item, ParserState, last_root, repeated_constants, root_place

Taken = tuple[tuple[bool, str], int]
"""An edge that may not be made: whether it is LA and its role; the other item's place."""


class EdgeChoices(NamedTuple):
    """The items that an action may name now, by their place in ``state.roots``.

    Attributes:
        places: By kind of action; kinds that may name none are left out.
        taken: By direction (True is LA) and role the places that are out: an edge of the
            last item that exists already, or one that would repeat a constant.
    """

    places: Mapping[type[PointerAction], tuple[int, ...]] = MappingProxyType({})
    taken: Mapping[tuple[bool, str], frozenset[int]] = MappingProxyType({})

    @property
    def left(self) -> tuple[int, ...]:
        """The items that LA may name."""
        return self.places.get(LeftArc, ())

    @property
    def right(self) -> tuple[int, ...]:
        """The items that RA may name."""
        return self.places.get(RightArc, ())

    def of(self, is_left: bool, role: str) -> list[int]:
        """Give the places that an edge with this direction and role may name."""
        taken = self.taken.get((is_left, role), frozenset())
        return [place for place in (self.left if is_left else self.right) if place not in taken]

    def full(self) -> Iterator[tuple[bool, str]]:
        """Give the directions and roles with which no item is left to be named."""
        for (is_left, role), places in self.taken.items():
            others = self.left if is_left else self.right
            if others and len(places) >= len(others) and places.issuperset(others):
                yield is_left, role


def reachable(choices: EdgeChoices, action: PointerAction) -> Sequence[int]:
    """Give the places of the items that an action with this label may name now."""
    if isinstance(action, EdgeAction):
        return choices.of(isinstance(action, LeftArc), action.role)
    return choices.places.get(type(action), ())


def edge_choices(state: ParserState) -> EdgeChoices:
    """Find which items an action may name; equals ``why_illegal`` over all positions."""
    found = {kind: places for kind in state.action_set.pointers if (places := kind.places(state))}
    choices = EdgeChoices(found)
    if state.is_linked or not (choices.left or choices.right):
        return choices
    last = last_root(state)
    found_taken = list(_repeats(state, last, choices.left))
    if state.edges and state.edges[-1].made_by > last.position:
        found_taken += _edges_here(state, last)
    return EdgeChoices(found, _grouped(found_taken)) if found_taken else choices


def with_distinct_roles(state: ParserState, choices: EdgeChoices) -> EdgeChoices:
    """Rule out second edges with a role that a node has once (see aptcore.graph.roles).

    Also constants under ``:name``, which leads to a node with the words; and after LINK what
    would repeat a constant, which the machine allows there.
    """
    if not choices.left and not choices.right:
        return choices
    item = last_root(state)
    last = item.position
    places = {item.position: place for place, item in enumerate(state.roots)}
    found = [(key, place) for key, taken in choices.taken.items() for place in taken]
    found += _bare_names(state, item, choices)
    if state.is_linked:
        found += _repeats(state, item, choices.left)
    for (source, index), role, _, _ in state.edges:
        if index == 0 and is_single_role(role):
            found.append(((False, role), places[source]))
            if source == last:
                found += [((True, role), place) for place in choices.left]
    return EdgeChoices(choices.places, _grouped(found)) if found else choices


def _bare_names(state: ParserState, last: Item, choices: EdgeChoices) -> Iterator[Taken]:
    roots = state.roots
    if last.is_constant:
        yield from (((False, ":name"), place) for place in choices.right)
    for place in [place for place in choices.left if roots[place].is_constant]:
        yield (True, ":name"), place


def narrowed(choices: EdgeChoices, narrowing: Narrowing | None) -> EdgeChoices:
    """Leave of the items that an edge may name those that a guide allows."""
    if narrowing is None or not (choices.left or choices.right):
        return choices
    first = narrowing.edges_from
    left, right = (tuple(n for n in ends if n >= first) for ends in (choices.left, choices.right))
    found = [(k, p) for k, taken in choices.taken.items() for p in taken]
    found += [(k, p) for k, taken in narrowing.taken.items() for p in taken]
    kept = [(key, place) for key, place in found if place in (left if key[0] else right)]
    places = {**choices.places, LeftArc: left, RightArc: right}
    return EdgeChoices({kind: ends for kind, ends in places.items() if ends}, _grouped(kept))


def _grouped(
    found: Sequence[tuple[tuple[bool, str], int]],
) -> Mapping[tuple[bool, str], frozenset[int]]:
    places: dict[tuple[bool, str], set[int]] = {}
    for key, place in found:
        places.setdefault(key, set()).add(place)
    return {key: frozenset(group) for key, group in places.items()}


def _edges_here(state: ParserState, last: Item) -> Iterator[Taken]:
    """Give the edges that the last item has been given since it was made."""
    for edge in edges_since(state, last):
        roles = (edge.role, LIST_ROLE) if list_number(edge.role) else (edge.role,)
        for role in roles:
            if edge.source == last.key:
                yield (True, role), root_place(state, edge.target[0])
            if edge.target == last.key:
                yield (False, role), root_place(state, edge.source[0])


def _repeats(state: ParserState, last: Item, left: Iterable[int]) -> Iterator[Taken]:
    """Give the edges that would put a constant where one of its value stands already."""
    if not state.action_set.is_sound:
        return
    roots = state.roots
    if last.is_constant:
        for position, role in repeated_constants(state, last):
            yield (False, role), root_place(state, position)
    for place in [place for place in left if roots[place].is_constant]:
        for position, role in repeated_constants(state, roots[place]):
            if position == last.position:
                yield (True, role), place
