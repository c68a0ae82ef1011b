"""Training walks that need a link: an edge is left out and put back on ``<ROOT>``.

The oracle never needs one, as gold graphs hang together; a parser does, wherever it
passed an edge by. The examples here leave out one edge without which the graph would
fall in two, and join the two pieces at the end by Link and that edge. The step at which
the edge is missing is not trained on: nothing is to be learnt from leaving it out.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from aptcore.errors import GraphError
from aptcore.graph.amr import Sentence
from aptcore.graph.checks import triples
from aptcore.transition.actions import Action, ActionSet, PointerAction
from aptcore.transition.arcs import EdgeAction, LeftArc, RightArc, list_number
from aptcore.transition.building import graph_of
from aptcore.transition.closing import Link
from aptcore.transition.machine import replay
from aptcore.transition.pieces import main_piece, num_pieces, pieces_of
from aptcore.transition.sets import EXACT
from aptcore.transition.state import ItemEdge, ParserState, root_place


@dataclass(frozen=True, slots=True)
class LinkedWalk:
    """A walk with one link.

    Attributes:
        actions: All of them.
        left_out_at: The step at which the edge that was left out would have stood.
    """

    actions: tuple[Action, ...]
    left_out_at: int


def linked_walk(
    sentence: Sentence, actions: Sequence[Action], seed: str, action_set: ActionSet = EXACT
) -> LinkedWalk | None:
    """Leave out one connecting edge of a whole walk, and link it at the end.

    Args:
        sentence: What the walk reads.
        actions: They close on ``<ROOT>`` without a link.
        seed: The same for the same seed.
        action_set: The actions of the walk; Link is one of them.

    Returns:
        A walk to the same graph; None where no edge connects anything.

    Raises:
        GraphError: If the graph is another one.
    """
    state = replay(sentence, actions, action_set)
    edges = connecting_edges(state)
    if not edges:
        return None
    edge = random.Random(seed).choice(edges)
    walk = LinkedWalk(_relinked(state, edge), edge.made_by)
    built = graph_of(replay(sentence, walk.actions, action_set))
    gold = graph_of(state)
    if set(triples(built)) != set(triples(gold)) or built.root != gold.root:
        raise GraphError([f"sentence {sentence.id!r}: linking an edge anew changes the graph"])
    return walk


def connecting_edges(state: ParserState) -> list[ItemEdge]:
    """List the edges, made by an edge action each, without which the graph falls in two.

    Of the members of a list only the last, where the machine numbers lists: those after
    another would be numbered anew without it.
    """
    found = []
    last = {edge.source: edge for edge in state.edges if list_number(edge.role)}
    for place, edge in enumerate(state.edges):
        is_member = state.action_set.numbers_lists and list_number(edge.role)
        if is_member and last[edge.source] is not edge:
            continue
        if isinstance(state.actions[edge.made_by], PointerAction):
            rest = state.edges[:place] + state.edges[place + 1 :]
            if num_pieces(pieces_of(state.roots, rest)) == 2:
                found.append(edge)
    return found


def _relinked(state: ParserState, edge: ItemEdge) -> tuple[Action, ...]:
    """Take an edge out and put it back at the end, from the smaller piece."""
    rest = tuple(other for other in state.edges if other is not edge)
    pieces = pieces_of(state.roots, rest)
    source, target = edge.source[0], edge.target[0]
    is_source_apart = pieces[root_place(state, source)] != main_piece(pieces)
    apart, other = (source, target) if is_source_apart else (target, source)
    moved = [_moved(a, edge.made_by) for a in state.actions[edge.made_by + 1 :]]
    link = Link(_shifted(apart, edge.made_by))
    arc = LeftArc if is_source_apart else RightArc
    made_by = cast(EdgeAction, state.actions[edge.made_by])
    joined = arc(_shifted(other, edge.made_by), made_by.role)
    return (*state.actions[: edge.made_by], *moved[:-1], link, joined, moved[-1])


def _moved(action: Action, left_out_at: int) -> Action:
    if isinstance(action, PointerAction):
        return replace(action, position=_shifted(action.position, left_out_at))
    return action


def _shifted(position: int, left_out_at: int) -> int:
    return position - (position > left_out_at)
