"""Which items of a parser state hang together.

The own action set marks a root only when everything does; until then LINK names an item
outside the largest piece, and an edge joins it to another one (see aptcore.transition.legality). A
model that may name any item takes the main verb for what is apart: on Bio dev that cost
0.8 points of Smatch, as the root was then sought elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from aptcore.transition.actions import Action, EdgeAction, ItemAction, LeftArc, Link, RightArc
from aptcore.transition.state import Item, ItemEdge


def pieces_of(roots: Sequence[Item], edges: Sequence[ItemEdge]) -> tuple[int, ...]:
    """Give the piece of every item that can take edges.

    Args:
        roots: The items, by position; what is inside a template hangs on its root.
        edges: All edges between them.

    Returns:
        For each item the place of the first item of its piece.
    """
    places = {item.position: place for place, item in enumerate(roots)}
    first = list(range(len(roots)))
    for edge in edges:
        ends = [_head(first, places[key[0]]) for key in (edge.source, edge.target)]
        first[max(ends)] = min(ends)
    return tuple(_head(first, place) for place in first)


def _head(first: Mapping[int, int] | Sequence[int], place: int) -> int:
    while first[place] != place:
        place = first[place]
    return place


def joined(pieces: tuple[int, ...], one: int, other: int) -> tuple[int, ...]:
    """Give the pieces after an edge between the items at two places."""
    ends = pieces[one], pieces[other]
    return tuple(min(ends) if piece == max(ends) else piece for piece in pieces)


def main_piece(pieces: Iterable[int]) -> int:
    """Give the largest piece, the first of several."""
    sizes = Counter(pieces)
    return max(sizes, key=lambda piece: (sizes[piece], -piece))


def num_pieces(pieces: tuple[int, ...]) -> int:
    """Count the pieces."""
    return len(set(pieces))


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
            ends = _head(first, last), _head(first, action.position)
            first[max(ends)] = min(ends)
        elif isinstance(action, ItemAction):
            first[position] = last = position
    added: list[Action] = []
    centre = concepts[0]
    for concept in concepts:
        ends = _head(first, centre), _head(first, concept)
        if ends[0] == ends[1]:
            continue
        if main_piece(_head(first, place) for place in first) == ends[1]:
            added += [Link(centre), LeftArc(concept, role)]
        else:
            added += [Link(concept), RightArc(centre, role)]
        first[max(ends)] = min(ends)
    return added
