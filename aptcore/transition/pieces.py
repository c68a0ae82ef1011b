"""Which items of a parser state hang together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

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
        ends = [head(first, places[key[0]]) for key in (edge.source, edge.target)]
        first[max(ends)] = min(ends)
    return tuple(head(first, place) for place in first)


def head(first: Mapping[int, int] | Sequence[int], place: int) -> int:
    """Follow the first items of pieces to that of the piece of an item."""
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
