"""Suggest the rest: decode a sentence again around what a person has decided.

The oracle's walk for the person's graph is followed up to the last step that the newest
edit decides; the parser decodes from there. Where the order does not allow more (what
was decided before stands further right), the decision is a constraint: the search must
make it when it comes there, and must not make again what was taken away. What the new
parse has otherwise than the person's graph becomes proposals, to be taken or left one by
one; a triple that the person confirmed or changed is in none of them.

    suggestion = suggest(parser, sentence, graph, kept={("w", ":ARG0", "b")}, before=silver)
    graph = take(graph, suggestion.proposals[0], suggestion.kept)

Those that are near the edit and sure stand in ``close``; who asks for more gets all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from aptcore.advice.closeness import close_proposals, sound_proposals
from aptcore.advice.leftovers import Wanted, difference
from aptcore.advice.person_guide import (
    PersonGuide,
    Plan,
    Removed,
    plan_of,
    removed_since,
)
from aptcore.advice.proposals import Proposal, aligned_tokens, all_triples, same_nodes
from aptcore.alignment.aligner import align
from aptcore.alignment.tables import shipped_tables
from aptcore.errors import InputError
from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.graph.layout import INSTANCE, TOP, Triple
from aptcore.graph.penman import without_wiki
from aptcore.trace.trace import Step, Trace, TracingParser
from aptcore.transition.actions import format_action
from aptcore.transition.arcs import EdgeAction
from aptcore.transition.building import Repair, item_names, repaired_graph
from aptcore.transition.moves import Merge, Reduce, Shift
from aptcore.transition.state import words_at_cursor

SUGGESTION_BEAM = 4
"""Hypotheses kept: wider ones cost the time of a second sentence."""


@dataclass(frozen=True)
class Suggestion:
    """What the parser would change now.

    Attributes:
        graph: The person's graph that it was made for.
        proposals: In an order in which all can be taken.
        close: Ids of those that stay close to the edit (``aptcore.advice.closeness``).
        kept: What none of them touches.
        num_forced: Actions forced at the start.
        num_actions: Actions of the whole walk.
    """

    graph: AmrGraph
    proposals: tuple[Proposal, ...]
    close: frozenset[str]
    kept: frozenset[Triple]
    num_forced: int
    num_actions: int


def suggest(
    parser: TracingParser,
    sentence: str | Sentence,
    graph: AmrGraph,
    kept: Collection[Triple] = (),
    before: AmrGraph | None = None,
    newest: Collection[Triple] | None = None,
    beam: int = SUGGESTION_BEAM,
) -> Suggestion:
    """Decode a sentence again around what a person decided; give the difference.

    Args:
        parser: The parser.
        sentence: Its tokens are those that the graph is aligned to.
        graph: The person's graph. What is not aligned is aligned by rules here.
        kept: Triples that the person confirmed or changed, constants by their value;
            (node, ":instance", concept) for a concept, (node, ":top", "") for the root.
            What the graph does not hold is ignored.
        before: The graph as it was first (silver); what it holds and ``graph`` does not
            was taken away and never comes back, what ``graph`` holds and it does not
            counts as changed.
        newest: Triples that the newest edit added or took away: the walk is forced up to
            the last step that they decide. None takes all changes.
        beam: Width of the search.

    Returns:
        Proposals; none where the parser agrees, or can do nothing with this sentence.

    Raises:
        InputError: If the parser cannot read the sentence.
        AlignmentError: If an alignment names a token that does not exist.
    """
    read = parser.read(sentence)
    if not read.tokens:
        raise InputError("the sentence has no words")
    plain = align(read, without_wiki(graph)[0], shipped_tables())
    earlier = without_wiki(before)[0] if before is not None else plain
    changed = all_triples(plain) - all_triples(earlier)
    decided = frozenset((set(kept) | changed) & all_triples(graph))
    removed = removed_since(earlier, plain)
    plan = plan_of(read, _uncrossed(plain, changed), parser.info.action_set)
    touched = changed | (all_triples(earlier) - all_triples(plain)) if newest is None else newest
    prefix = plan.actions[: _num_forced(plan, touched, earlier)]
    guide = PersonGuide(plan, decided, removed, beside=changed)
    trace = parser.trace(read, beam, prefix, guide)
    reserved = frozenset(node.id for node in earlier.nodes)
    found = _proposals(graph, plan, guide, trace, decided, removed, reserved)
    found = sound_proposals(graph, found, decided)
    close = close_proposals(parser, read, graph, found, touched, decided, earlier)
    ids = frozenset(proposal.id for proposal in close)
    return Suggestion(graph, found, ids, decided, len(prefix), len(trace.steps))


def _uncrossed(graph: AmrGraph, changed: Collection[Triple]) -> AmrGraph:
    """Take the words of what a person changed away from what only crosses them.

    A name that was read from three words must not draw what a person put on one of them
    to its own last word.
    """
    names = {source for source, role, _ in changed if role == INSTANCE}
    own = {token for name in names for token in aligned_tokens(graph, name)}
    alignments = dict(graph.alignments)
    for key, found in graph.alignments.items():
        left = tuple(token for token in found.tokens if token not in own)
        if key not in names and left:
            alignments[key] = replace(found, tokens=left)
    return replace(graph, alignments=alignments)


def _num_forced(plan: Plan, touched: Iterable[Triple], before: AmrGraph) -> int:
    """Count the steps up to the last one that some triples decide.

    A triple that is there is decided by the step that makes it; an edge that was taken
    away by the end of what the later of its nodes is given; a node by coming to the words
    it stood at. The root is marked at the very end and decides nothing before.
    """
    starts = _starts(plan)
    heads = {name: item.position + 1 for item in plan.items for name in item.ids}
    ends = {name: _end_of(plan, place - 1) for name, place in heads.items()}
    last = 0
    for source, role, target in touched:
        if (source, role, target) in plan.steps:
            last = max(last, plan.steps[source, role, target] + 1)
        elif role == TOP:
            continue
        elif source in heads and target in heads:
            last = max(last, ends[source], ends[target])
        elif source in heads and role == INSTANCE:
            last = max(last, heads[source])
        elif source not in heads:
            alignment = before.alignments.get(source)
            if alignment and alignment.tokens:
                last = max(last, starts.get(alignment.tokens[0], 0))
    return min(last, len(plan.actions) - 1)


def _end_of(plan: Plan, position: int) -> int:
    """Count the steps up to the last edge of an item, and the SHIFT that follows it."""
    end = position + 1
    while isinstance(plan.actions[end], EdgeAction) and end < len(plan.actions) - 1:
        end += 1
    return end + isinstance(plan.actions[end], Shift)


def _starts(plan: Plan) -> dict[int, int]:
    """Give for each token the number of actions before the cursor comes to it."""
    starts, cursor = {0: 0}, 0
    for number, action in enumerate(plan.actions):
        if isinstance(action, Shift | Reduce):
            cursor += 1
            starts[cursor] = number + 1
        elif isinstance(action, Merge):
            cursor += 1
            starts[cursor] = starts[cursor - 1]
    return starts


def _proposals(
    graph: AmrGraph,
    plan: Plan,
    guide: PersonGuide,
    trace: Trace,
    kept: frozenset[Triple],
    removed: Removed,
    reserved: frozenset[str],
) -> tuple[Proposal, ...]:
    end = trace.states[-1]
    other, repairs = repaired_graph(end)
    other = _without_repair_edges(other, repairs)
    names = item_names(end)
    concepts = {node.id for node in other.nodes}
    by_position: dict[int, list[str]] = {}
    for item in end.items:
        by_position.setdefault(item.position, []).append(names[item.key])
    ids = {item.ids[0]: item.ids for item in plan.items}
    known = {
        new: old
        for head, position in guide.made(end).items()
        if not guide.has_double(head)
        for new, old in zip(by_position[position], ids[head], strict=True)
        if new in concepts
    }
    steps = {name: position for position, made in by_position.items() for name in made}
    edge_steps = {(names[e.source], e.role, names[e.target]): e.made_by for e in end.edges}
    movable = frozenset(name for item in plan.items for name in item.ids)
    matched = same_nodes(plan.graph, other, known)
    found = difference(
        Wanted(graph, other, matched, kept, removed, reserved, movable, steps, edge_steps)
    )
    places = {old: steps[new] for new, old in matched.items() if new in steps}
    return tuple(_explained(proposal, plan.graph, trace, places) for proposal in found)


def _without_repair_edges(graph: AmrGraph, repairs: Iterable[Repair]) -> AmrGraph:
    """Leave out the edges that no action made."""
    joined = {repair.edge for repair in repairs if repair.edge is not None}
    return replace(graph, edges=tuple(edge for edge in graph.edges if edge not in joined))


def _explained(
    proposal: Proposal, graph: AmrGraph, trace: Trace, places: Mapping[str, int]
) -> Proposal:
    """Say how sure the parser is, and at which word and step."""
    steps, step = trace.steps, proposal.step
    if proposal.kind == "set-root":
        step = len(steps) - 1
    is_taking_away = step is None
    if step is None:
        step = _step_without(proposal, graph, steps, places)
    if step is None:
        return proposal
    state, action = trace.states[step], format_action(steps[step].action)
    words = words_at_cursor(state) if not state.is_at_root else "the end"
    verb = "goes on with" if is_taking_away else "takes"
    reason = f"at {words!r} the parser now {verb} {action}"
    return replace(proposal, probability=steps[step].probability, reason=reason, step=step)


def _step_without(
    proposal: Proposal, graph: AmrGraph, steps: Sequence[Step], places: Mapping[str, int]
) -> int | None:
    """Find the step at which the walk goes on without what a proposal takes away."""
    source, _, target = proposal.removes[0]
    ends = [places[name] for name in (source, target) if name in places]
    if proposal.kind in ("delete-edge", "delete-constant") and ends:
        after = range(max(ends) + 1, len(steps))
        return next((n for n in after if not isinstance(steps[n].action, EdgeAction)), None)
    name = proposal.id.removeprefix("delete ")
    alignment = graph.alignments.get(name)
    if alignment is None or not alignment.tokens:
        return None
    last = alignment.tokens[-1]
    moves = (
        number
        for number, step in enumerate(steps)
        if step.cursor == last and isinstance(step.action, Shift | Reduce | Merge)
    )
    return next(moves, None)
