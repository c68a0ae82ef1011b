"""Which items an edge may name: no model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from aptcore.graph.single_roles import is_single_role
from aptcore.transition.guide import Narrowing
from aptcore.transition.legality import why_no_edge, why_no_link
from aptcore.transition.pieces import main_piece
from aptcore.transition.state import Item, ParserState, last_root, repeated_constants, root_place

Taken = tuple[tuple[bool, str], int]
"""An edge that may not be made: whether it is LA and its role; the other item's place."""


_NOTHING: Mapping[tuple[bool, str], frozenset[int]] = {}


@dataclass(frozen=True, slots=True)
class EdgeChoices:
    """The items that an edge may name now, by their place in ``state.roots``.

    Attributes:
        left: For LA.
        right: For RA.
        taken: By direction (True is LA) and role the places that are out: an edge of the
            last item that exists already, or one that would repeat a constant.
        links: For LINK.
    """

    left: tuple[int, ...] = ()
    right: tuple[int, ...] = ()
    taken: Mapping[tuple[bool, str], frozenset[int]] = field(default_factory=dict)
    links: tuple[int, ...] = ()

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


def edge_choices(state: ParserState) -> EdgeChoices:
    """Find which items an edge or LINK may name; equals ``why_illegal`` over all positions."""
    if state.is_at_root and state.pieces and why_no_link(state) is None:
        main = main_piece(state.pieces)
        apart = (place for place, piece in enumerate(state.pieces) if piece != main)
        return EdgeChoices(links=tuple(_targets(state, apart)))
    if why_no_edge(state) or not state.roots:
        return EdgeChoices()
    last = last_root(state)
    others: Sequence[int] = range(len(state.roots) - (state.action_set != "exact"))
    if state.is_linked:
        own = state.pieces[root_place(state, last.position)]
        others = [place for place, piece in enumerate(state.pieces) if piece != own]
    left: tuple[int, ...] = ()
    right: tuple[int, ...] = ()
    if not last.is_constant:
        left = tuple(_targets(state, others))
    if not (last.is_constant and last.position in state.parented):
        right = tuple(place for place in others if not state.roots[place].is_constant)
    if state.is_linked:
        return EdgeChoices(left, right)
    taken = _grouped((*_edges_here(state, last), *_repeats(state, last, left)))
    return EdgeChoices(left, right, taken)


def with_distinct_roles(state: ParserState, choices: EdgeChoices) -> EdgeChoices:
    """Rule out second edges with a role that a node has once (see aptcore.graph.single_roles).

    After LINK also what would repeat a constant, which the machine allows there.
    """
    if not choices.left and not choices.right:
        return choices
    item = last_root(state)
    last = item.position
    places = {item.position: place for place, item in enumerate(state.roots)}
    found = [(key, place) for key, taken in choices.taken.items() for place in taken]
    if state.is_linked:
        found += _repeats(state, item, choices.left)
    for edge in state.edges:
        if edge.source[1] == 0 and is_single_role(edge.role):
            found.append(((False, edge.role), places[edge.source[0]]))
            if edge.source[0] == last:
                found += [((True, edge.role), place) for place in choices.left]
    return replace(choices, taken=_grouped(found)) if found else choices


def narrowed(choices: EdgeChoices, narrowing: Narrowing | None) -> EdgeChoices:
    """Leave of the items that an edge may name those that a guide allows."""
    if narrowing is None or not (choices.left or choices.right):
        return choices
    left, right = (
        tuple(place for place in places if place >= narrowing.edges_from)
        for places in (choices.left, choices.right)
    )
    found = [(k, p) for k, taken in choices.taken.items() for p in taken]
    found += [(k, p) for k, taken in narrowing.taken.items() for p in taken]
    ends = {True: set(left), False: set(right)}
    kept = [(key, place) for key, place in found if place in ends[key[0]]]
    return EdgeChoices(left, right, _grouped(kept), choices.links)


def _grouped(
    found: Sequence[tuple[tuple[bool, str], int]],
) -> Mapping[tuple[bool, str], frozenset[int]]:
    if not found:
        return _NOTHING
    places: dict[tuple[bool, str], set[int]] = {}
    for key, place in found:
        places.setdefault(key, set()).add(place)
    return {key: frozenset(group) for key, group in places.items()}


def _targets(state: ParserState, places: Iterable[int]) -> Iterator[int]:
    """Keep the items that can take an incoming edge: concepts and constants without one."""
    for place in places:
        item = state.roots[place]
        if not item.is_constant or item.position not in state.parented:
            yield place


def _edges_here(state: ParserState, last: Item) -> Iterator[Taken]:
    """Give the edges that the last item has been given since it was made."""
    for edge in reversed(state.edges):
        if edge.made_by <= last.position:
            return
        if edge.source == last.key:
            yield (True, edge.role), root_place(state, edge.target[0])
        if edge.target == last.key:
            yield (False, edge.role), root_place(state, edge.source[0])


def _repeats(state: ParserState, last: Item, left: Iterable[int]) -> Iterator[Taken]:
    """Give the edges that would put a constant where one of its value stands already."""
    if state.action_set != "exact":
        return
    if last.is_constant:
        for position, role in repeated_constants(state, last):
            yield (False, role), root_place(state, position)
    for place in left:
        if state.roots[place].is_constant:
            for position, role in repeated_constants(state, state.roots[place]):
                if position == last.position:
                    yield (True, role), place
