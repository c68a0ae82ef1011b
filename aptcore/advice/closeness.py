"""Which proposals stay close to what a person changed, and which contradict a graph.

An edit makes doubtful what stands around it. A proposal further off, or one of which the
parser is not sure, is mostly wrong (``docs/advice.md`` has the figures); it is given to
who asks for more. The parser is sure where it finds the walk of the graph likelier with the
proposal than without it, and each part that the proposal adds likely by itself. One that
would build a date, a name or a role as AMR never does is given to nobody.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

from aptcore.advice.doubt import UNKNOWN
from aptcore.advice.person_guide import plan_of
from aptcore.advice.problems.frames import doubled_relations, repeated_arguments
from aptcore.advice.problems.values import value_problems
from aptcore.advice.proposals import Proposal, all_triples, with_all
from aptcore.alignment.aligner import align
from aptcore.alignment.tables import shipped_tables
from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.graph.layout import TOP, Triple
from aptcore.graph.penman import without_wiki
from aptcore.graph.validation import problems_of
from aptcore.trace.trace import Trace, TracingParser

NEAR = 2
"""Edges between what was changed and what a proposal touches, at most."""

SURE = 0.8
"""Probability of every action that makes a part of a close proposal, at least: as the
sentence is decoded again, and when the walk of the graph with the proposal is read.
"""


def sound_proposals(
    graph: AmrGraph, proposals: Sequence[Proposal], kept: Collection[Triple]
) -> tuple[Proposal, ...]:
    """Leave out proposals that would build a date, a name or a role as no AMR has it.

    Args:
        graph: The graph that they were made for; what is odd in it already counts for none.
        proposals: In an order in which all can be taken.
        kept: Triples that must stay.
    """
    found: list[Proposal] = []
    for proposal in proposals:
        around = with_all(graph, needed_by(proposal, found), kept)
        after = around and with_all(around, [proposal], kept)
        if around and after and not _oddities(after) - _oddities(around):
            found.append(proposal)
    return tuple(found)


def needed_by(proposal: Proposal, proposals: Iterable[Proposal]) -> list[Proposal]:
    """Give the proposals that one stands on, in their order."""
    return [other for other in proposals if other.id in proposal.needs]


def _oddities(graph: AmrGraph) -> set[str]:
    """Name what is odd about values, relations and roles of a graph."""
    found = [*value_problems(graph), *repeated_arguments(graph), *doubled_relations(graph)]
    return {each.key for each in found} | {each.message for each in problems_of(graph)}


def close_proposals(
    parser: TracingParser,
    sentence: Sentence,
    graph: AmrGraph,
    proposals: Sequence[Proposal],
    touched: Collection[Triple],
    kept: Collection[Triple],
    before: AmrGraph | None = None,
) -> tuple[Proposal, ...]:
    """Give the proposals near an edit of which the parser is sure.

    Args:
        parser: The parser.
        sentence: As it reads it.
        graph: The graph that they were made for.
        proposals: In an order in which all can be taken.
        touched: Triples that the edit added or took away; without any no part of the graph is
            far off.
        kept: Triples that must stay.
        before: The graph as it was before the edit.

    Returns:
        Some of them in their order; what one stands on is among them.
    """
    steps = _distances((graph, before or graph), touched)
    read = _Reader(parser, sentence, kept)
    found: dict[str, Proposal] = {}
    for proposal in proposals:
        needed = needed_by(proposal, found.values())
        if len(needed) == len(proposal.needs) and _is_near(proposal, needed, steps):
            around = with_all(graph, needed, kept)
            if around is not None and read.is_surerwith_all(around, proposal):
                found[proposal.id] = proposal
    return tuple(found.values())


def _is_near(proposal: Proposal, needed: Iterable[Proposal], steps: Mapping[str, int]) -> bool:
    new = {source for other in needed for source, _, _ in other.adds}
    ends = {end for triple in (*proposal.adds, *proposal.removes) for end in triple[::2]}
    far = min((steps[end] for end in ends if end in steps), default=NEAR + 1)
    return not steps or far <= NEAR or bool(ends & new)


def _distances(graphs: Iterable[AmrGraph], touched: Collection[Triple]) -> Mapping[str, int]:
    """Count the edges from each node to the nearest end of what was touched."""
    beside: dict[str, set[str]] = {}
    for graph in graphs:
        for node in graph.nodes:
            beside.setdefault(node.id, set())
        for edge in graph.edges:
            beside.setdefault(edge.source, set()).add(edge.target)
            beside.setdefault(edge.target, set()).add(edge.source)
    layer = {end for triple in touched for end in triple[::2]} & beside.keys()
    found: dict[str, int] = {}
    while layer:
        far = max(found.values(), default=-1) + 1
        found |= dict.fromkeys(layer, far)
        layer = {other for name in layer for other in beside[name]} - found.keys()
    return found


class _Reader:
    """Reads the walks of graphs, each once."""

    def __init__(self, parser: TracingParser, sentence: Sentence, kept: Collection[Triple]) -> None:
        self.parser, self.sentence, self.kept = parser, sentence, kept
        self.walks: dict[frozenset[Triple], tuple[float, Mapping[Triple, float]]] = {}
        self.last: Trace | None = None

    def is_surerwith_all(self, graph: AmrGraph, proposal: Proposal) -> bool:
        """Tell whether a graph is likelier with a proposal, and its parts are likely."""
        if proposal.adds and (proposal.probability or 0.0) < SURE:
            return False
        after = with_all(graph, [proposal], self.kept)
        if after is None:
            return False
        total, chances = self.walk(after)
        is_likely = all(chances.get(triple, 1.0) >= SURE for triple in proposal.adds)
        return is_likely and total >= self.walk(graph)[0]

    def walk(self, graph: AmrGraph) -> tuple[float, Mapping[Triple, float]]:
        """Give the log-probability of a graph's walk, and the probability of each triple."""
        key = all_triples(graph)
        if key not in self.walks:
            plain = align(self.sentence, without_wiki(graph)[0], shipped_tables())
            plan = plan_of(self.sentence, plain, self.parser.info.action_set)
            self.last = self.parser.trace(self.sentence, 1, plan.actions, before=self.last)
            steps = self.last.steps
            chances = [step.probability or UNKNOWN for step in steps]
            made = {triple: chances[place] for triple, place in plan.steps.items()}
            made[graph.root, TOP, ""] = chances[-1]
            self.walks[key] = math.fsum(map(math.log, chances)), made
        return self.walks[key]
