"""Which actions are right: those after which a gold graph can still be reached.

A walk that is on the way (see aptcore.oracle.goal) can always be finished, so an action is
right exactly if it is legal and the state after it is on the way. Orders of nodes and
edges, COPY or PRED, a template or its pieces: whatever ends in the same graph, with
every node made at its own words, counts alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from aptcore.errors import GraphError
from aptcore.graph.amr import AmrGraph, Edge, Sentence
from aptcore.graph.layout import role_order
from aptcore.graph.penman import item_order
from aptcore.oracle.chunks import (
    Chunk,
    GraphIndex,
    name_forms_of,
    paper_chunks,
    whole_chunks,
    write_chunk,
)
from aptcore.oracle.goal import Goal, could_be, is_on_way, site_at
from aptcore.oracle.lists import in_order
from aptcore.oracle.sites import Site, sites_of
from aptcore.transition.actions import Action, ActionSet
from aptcore.transition.arcs import LIST_ROLE, EdgeAction, LeftArc, RightArc
from aptcore.transition.closing import Root
from aptcore.transition.items import Const, Copy, Pred, Subgraph
from aptcore.transition.machine import is_legal, start
from aptcore.transition.moves import Merge, Reduce, Shift
from aptcore.transition.sets import EXACT
from aptcore.transition.state import ParserState
from aptcore.transition.templates import Piece, surface

MAX_BRANCHES = 4
"""Branches of a template of which every choice is listed; of more only all together."""


def goal_of(sentence: Sentence, graph: AmrGraph, action_set: ActionSet = EXACT) -> Goal:
    """Prepare a gold graph, and make sure that some walk reaches it.

    Args:
        sentence: Its tokens and lemmas.
        graph: The gold graph with alignments, ``:wiki`` removed. What has none is made
            beside a neighbour, as the oracle does.
        action_set: The actions that may be taken.

    Raises:
        GraphError: If the actions cannot make this graph.
        AlignmentError: If an alignment names a token that does not exist.
    """
    if not sentence.tokens:
        raise GraphError(["the sentence has no words"])
    names = [node.id for node in graph.nodes] + [item.id for item in graph.attributes]
    sites, _ = sites_of(sentence, graph, list(dict.fromkeys((*item_order(graph), *names))))
    triples = [(edge.source, edge.role, edge.target) for edge in dict.fromkeys(graph.edges)]
    triples += [(item.source, item.role, item.id) for item in graph.attributes]
    links: dict[tuple[str, str], frozenset[str]] = {}
    links_of: dict[str, list[tuple[str, str, str]]] = {name: [] for name in names}
    for source, role, target in triples:
        links[source, target] = links.get((source, target), frozenset()) | {role}
        for name in {source, target}:
            links_of[name].append((source, role, target))
    goal = Goal(
        sentence,
        graph,
        action_set,
        {node.id: (False, node.concept) for node in graph.nodes}
        | {item.id: (True, item.value) for item in graph.attributes},
        links,
        {name: tuple(found) for name, found in links_of.items()},
        sites,
        {name: site for site in sites for name in site.items},
        GraphIndex(graph, name_forms_of(action_set)),
    )
    right_walk(goal, start(sentence, action_set))
    return goal


def right_walk(goal: Goal, state: ParserState) -> ParserState:
    """Take first right actions until the walk is closed.

    Raises:
        GraphError: If no action leads on.
    """
    while not state.is_closed:
        action = next_right(goal, state)
        if action is None:
            words = " ".join(goal.sentence.tokens[state.span_start : state.cursor + 1])
            raise GraphError(
                [
                    f"no action of the set {goal.action_set.name!r} leads to the graph at "
                    f"{words or '<ROOT>'!r}, after {len(state.actions)} actions: "
                    "correct what is aligned there"
                ]
            )
        state = action.applied(state)
    return state


def is_right(goal: Goal, state: ParserState, action: Action) -> bool:
    """Tell whether an action is legal and the gold graph can be reached after it."""
    return is_legal(state, action) and is_on_way(goal, action.applied(state))


def right_actions(goal: Goal, state: ParserState) -> tuple[Action, ...]:
    """Give every right action, the oracle's first.

    A template can be written in many ways (a constant spelled out instead of a slot,
    branches in another order); listed is only the oracle's way of each. To judge any
    other, ask :func:`is_right`.

    Returns:
        Empty where the walk is closed or no longer on the way.
    """
    return tuple(action for action in _candidates(goal, state) if is_right(goal, state, action))


def next_right(goal: Goal, state: ParserState) -> Action | None:
    """Give the first right action; None where there is none.

    It is the oracle's, except where two items of one run share their label.
    """
    return next((a for a in _candidates(goal, state) if is_right(goal, state, a)), None)


def _candidates(goal: Goal, state: ParserState) -> Iterator[Action]:
    """Give all actions that could be right here, in the oracle's order."""
    if state.is_closed:
        return
    if state.is_at_root:
        for item in state.roots:
            yield Root(item.position)
        return
    yield from (Reduce(), Merge())
    if state.num_items_here:
        yield from _edge_candidates(goal, state)
    site = site_at(goal, state.cursor)
    if site is not None and site.stop == state.cursor + 1:
        yield from _item_candidates(goal, state, site)
    yield Shift()


def _edge_candidates(goal: Goal, state: ParserState) -> list[EdgeAction]:
    """Give the edges of the last item as the oracle sorts them."""
    last = state.roots[-1]
    like_last = {name for name in goal.labels if could_be(goal, last, name)}
    found: dict[EdgeAction, tuple[int, tuple[str, int], bool]] = {}
    for name in like_last:
        for source, role, target in goal.links_of[name]:
            for is_left in (False, True):
                if name != (source if is_left else target):
                    continue
                other = target if is_left else source
                for item in state.roots:
                    if could_be(goal, item, other):
                        make = LeftArc if is_left else RightArc
                        is_second = is_left != (source == target)  # a loop is LA first
                        rank = (-item.position, role_order(role), is_second)
                        found[make(item.position, role)] = rank
    ordered = in_order([(rank, edge) for edge, rank in found.items()], goal.action_set)
    return [way for edge in ordered for way in _ways(goal, state, edge)]


def _ways(goal: Goal, state: ParserState, edge: EdgeAction) -> list[EdgeAction]:
    """Give the ways to make an edge: a list's next member may be numbered by the machine."""
    by_machine = replace(edge, role=LIST_ROLE)
    if goal.action_set.numbers_lists and by_machine.made_role(state) == edge.role:
        return [by_machine, edge]
    return [edge]


def _item_candidates(goal: Goal, state: ParserState, site: Site) -> list[Action]:
    """Give the items of a run of tokens as the oracle makes them, then in all other ways."""
    chunks = [] if len(site.items) == 1 else paper_chunks(goal.sentence, goal.index, site)
    by_root = {chunk.items[0]: chunk for chunk in chunks}
    inside = {name for chunk in chunks for name in chunk.items[1:]}
    made = Copy.pieces(state)
    found: list[Action] = []
    later: list[Action] = []
    for name in site.items:
        is_constant, label = goal.labels[name]
        if name in by_root:
            found.append(Subgraph(by_root[name].label))
        piece = Piece(is_constant, label)
        singles: list[Action] = [Copy(kind) for kind in made if made[kind] == piece]
        singles.append(Const(label) if is_constant else Pred(label))
        (later if name in inside or name in by_root else found).extend(singles)
    others = [Subgraph(chunk.label) for chunk in _other_chunks(goal, site)]
    return list(dict.fromkeys((*found, *later, *others)))


def _other_chunks(goal: Goal, site: Site) -> Iterator[Chunk]:
    """Write a template for every choice of branches under every concept of a run."""
    if len(site.items) == 1:
        return
    words = " ".join(surface(goal.sentence, site.start, site.stop).split())
    yield from (c for c in whole_chunks(goal.sentence, goal.index, site) if len(c.items) > 1)
    for root in site.items:
        if goal.labels[root][0]:
            continue
        branches = _branches(goal, root, frozenset(site.items))
        sizes = range(1, len(branches) + 1) if len(branches) <= MAX_BRANCHES else [len(branches)]
        for size in sizes:
            for chosen in combinations(branches, size):
                tree = [edge for branch in chosen for edge in branch]
                chunk = write_chunk(goal.index, root, tree, words)
                if chunk is not None:
                    yield chunk


def _branches(goal: Goal, root: str, here: frozenset[str]) -> list[list[Edge]]:
    """Give the trees that hang on a node within a run and on nothing else."""
    found = []
    for link in goal.links_of[root]:
        tree = _tree_below(goal, root, link, here)
        if tree is not None:
            found.append(tree)
    return found


def _tree_below(
    goal: Goal, root: str, link: tuple[str, str, str], here: frozenset[str]
) -> list[Edge] | None:
    """Follow a link away from a root; None where what hangs there is no closed tree."""
    tree = [Edge(*link)]
    seen = {root}
    waiting = [(link[2] if link[0] == root else link[0], link)]
    while waiting:
        name, came_by = waiting.pop(0)
        if name in seen or name not in here or name == goal.graph.root:
            return None
        seen.add(name)
        for other in goal.links_of[name]:
            if other != came_by:
                tree.append(Edge(*other))
                waiting.append((other[2] if other[0] == name else other[0], other))
    return tree
