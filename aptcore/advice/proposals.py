"""Proposals: single changes of a graph that can be taken or left, and nodes that are the same."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from aptcore.editing.applying import apply_edit
from aptcore.editing.edits import Edit
from aptcore.errors import EditError
from aptcore.graph.amr import AmrGraph
from aptcore.graph.checks import rooted_triples
from aptcore.graph.layout import Triple
from aptcore.scoring.mapping import best_match
from aptcore.scoring.triple_graph import TripleGraph, triple_graph

Kind = Literal[
    "add-node",
    "add-edge",
    "add-constant",
    "rename-node",
    "change-edge",
    "change-constant",
    "set-root",
    "delete-edge",
    "delete-constant",
    "delete-node",
]

_KNOWN_WEIGHT = 8
"""Triples that a pair known to be the same counts for; no structure outweighs it."""

_MATCH_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Proposal:
    """One change that can be taken or left.

    Attributes:
        id: Its name, unique among the proposals of one difference.
        kind: What it does.
        edit: The change itself.
        adds: Triples that it adds; constants by their value.
        removes: Triples that it takes away; it never takes away any other.
        probability: How sure the parser is, 0..1; None where no step says so.
        reason: Why, for people.
        needs: Ids of proposals to be taken before this one.
        step: The action of the other graph's walk that makes it; None where it only
            takes away.
    """

    id: str
    kind: Kind
    edit: Edit
    adds: tuple[Triple, ...]
    removes: tuple[Triple, ...]
    probability: float | None = None
    reason: str = ""
    needs: tuple[str, ...] = ()
    step: int | None = None


def all_triples(graph: AmrGraph) -> frozenset[Triple]:
    """Give all triples of a graph as a set, its root's among them."""
    return frozenset(rooted_triples(graph))


def take(graph: AmrGraph, proposal: Proposal, kept: Collection[Triple] = ()) -> AmrGraph:
    """Take a proposal.

    Args:
        graph: The graph as it is now.
        proposal: One made for it, or for it before others were taken.
        kept: Triples that must stay.

    Raises:
        EditError: If the edit no longer fits, or would take away what the proposal does
            not name or what must stay; the graph is then left as it is.
    """
    edited = apply_edit(graph, proposal.edit)
    lost = all_triples(graph) - all_triples(edited)
    also = sorted(lost - set(proposal.removes))
    if also:
        raise EditError(f"this would also take away {' '.join(also[0])}: take others first")
    decided = sorted(lost & set(kept))
    if decided:
        raise EditError(f"this would take away what was decided: {' '.join(decided[0])}")
    return edited


def with_needs(
    graph: AmrGraph, proposals: Sequence[Proposal], kept: Collection[Triple]
) -> tuple[Proposal, ...]:
    """Order the proposals so that all can be taken; drop those that never can."""
    now, waiting, ordered = graph, list(proposals), list[Proposal]()
    is_moving = True
    while waiting and is_moving:
        is_moving = False
        for proposal in list(waiting):
            try:
                now = take(now, proposal, kept)
            except EditError:
                continue
            ordered.append(proposal)
            waiting.remove(proposal)
            is_moving = True
    names = {proposal.id for proposal in ordered}
    return tuple(
        replace(proposal, needs=_needs_of(graph, ordered[:number], proposal, kept))
        for number, proposal in enumerate(ordered)
        if names.issuperset(proposal.needs)
    )


def _needs_of(
    graph: AmrGraph, before: Sequence[Proposal], proposal: Proposal, kept: Collection[Triple]
) -> tuple[str, ...]:
    """Find what must be taken first: nothing, one other proposal, or all before it."""
    for more in ((), *((other.id,) for other in before)):
        names = _closed(before, (*proposal.needs, *more))
        first = [other for other in before if other.id in names]
        if with_all(graph, [*first, proposal], kept) is not None:
            return tuple(sorted(names))
    return tuple(sorted(other.id for other in before))


def _closed(before: Sequence[Proposal], names: Iterable[str]) -> set[str]:
    """Add what the proposals of these names need themselves."""
    found = set(names)
    for proposal in reversed(before):
        if proposal.id in found:
            found.update(proposal.needs)
    return found


def with_all(
    graph: AmrGraph, proposals: Iterable[Proposal], kept: Collection[Triple]
) -> AmrGraph | None:
    """Take proposals in turn; None where one cannot be taken."""
    try:
        for proposal in proposals:
            graph = take(graph, proposal, kept)
    except EditError:
        return None
    return graph


def same_nodes(
    graph: AmrGraph, other: AmrGraph, known: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Find for the nodes of another graph of the same sentence those that they stand for.

    Concepts, constants, edges and the words they are aligned to speak for a pair.

    Args:
        graph: The first graph, with alignments.
        other: The other one, with alignments.
        known: Pairs that are known, from ``other`` to ``graph``.

    Returns:
        Names of ``graph`` by names of ``other``; a pair shares its concept or a word.
    """
    known = known or {}
    pairs = {name: f"known {name}" for name in known.values()}
    one = _with_words(other, {new: pairs[old] for new, old in known.items()})
    match = best_match(one, _with_words(graph, pairs), _MATCH_SECONDS)
    found: dict[str, str] = {}
    taken = set(known.values())
    for node, partner in zip(other.nodes, match.mapping, strict=True):
        if node.id in known:
            found[node.id] = known[node.id]
        elif partner >= 0 and graph.nodes[partner].id not in taken:
            mate = graph.nodes[partner]
            shares_word = set(aligned_tokens(other, node.id)) & set(aligned_tokens(graph, mate.id))
            if shares_word or node.concept == mate.concept:
                found[node.id] = mate.id
    return found


def _with_words(graph: AmrGraph, pairs: Mapping[str, str]) -> TripleGraph:
    whole = triple_graph(graph)
    labels = set(whole.labels)
    for number, node in enumerate(graph.nodes):
        labels |= {(number, ":token", str(token)) for token in aligned_tokens(graph, node.id)}
        if node.id in pairs:
            labels |= {(number, f":known{n}", pairs[node.id]) for n in range(_KNOWN_WEIGHT)}
    return TripleGraph(whole.num_nodes, frozenset(labels), whole.links)


def aligned_tokens(graph: AmrGraph, name: str) -> tuple[int, ...]:
    """Give the words that a node or constant is aligned to."""
    alignment = graph.alignments.get(name)
    return alignment.tokens if alignment else ()
