"""How unsure the parser is of a sentence, and of each piece of its graph.

A queue puts first what is likely to be wrong. Each measure looks at the steps of a walk,
at the parses of several models, or at nothing (``random``). Of a piece of a graph the
doubt is the probability of the action that makes it, when the walk of that very graph is
read by the parser, with the actions that the parser would rather have taken there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal, get_args

from aptcore.advice.person_guide import Plan, plan_of
from aptcore.alignment.aligner import align
from aptcore.alignment.tables import shipped_tables
from aptcore.editing.edits import ChangeEdge, Edit, RenameNode
from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.graph.layout import INSTANCE, TOP, Triple
from aptcore.graph.penman import without_wiki
from aptcore.scoring.evaluation import score_corpus
from aptcore.trace.trace import Step, Trace, TracingParser
from aptcore.transition.actions import Action, PointerAction, format_action
from aptcore.transition.arcs import EdgeAction
from aptcore.transition.closing import Root
from aptcore.transition.items import ItemAction
from aptcore.transition.machine import advance, is_legal
from aptcore.transition.state import ParserState

Measure = Literal[
    "lowest probability",
    "mean entropy",
    "mean doubt",
    "narrow margin",
    "mean surprise",
    "total surprise",
    "share of doubtful steps",
    "disagreement",
    "random",
]
MEASURES: tuple[Measure, ...] = get_args(Measure)

SMALL_IS_DOUBTFUL: frozenset[Measure] = frozenset({"lowest probability"})
"""Measures of which a small value means much doubt; of all others a large one."""

DOUBTFUL_STEP = 0.5
"""Probability below which a step counts as doubtful."""

UNKNOWN = 1e-6
"""What an action that the model does not know is taken to have for a probability."""

MAX_OPTIONS = 3


def doubt_of_steps(steps: Iterable[Step]) -> dict[Measure, float]:
    """Give what the steps of a parse say about it.

    Returns:
        ``lowest probability`` of an action; ``mean entropy`` (nats); ``mean doubt``, one
        less the probability, and ``narrow margin``, one less the lead over the next best
        action, both over all actions; ``mean surprise`` and ``total surprise``, negative
        log-probability (nats); the ``share of doubtful steps``, 0..1. Nothing where no
        model decided.
    """
    known = [step for step in steps if step.entropy is not None]
    if not known:
        return {}
    logs = [math.log(UNKNOWN) if step.log_prob is None else step.log_prob for step in known]
    chances = [math.exp(log) for log in logs]
    seconds = [max((p for _, p in step.alternatives), default=0.0) for step in known]
    return {
        "lowest probability": min(chances),
        "mean entropy": fmean(step.entropy or 0.0 for step in known),
        "mean doubt": fmean(1 - chance for chance in chances),
        "narrow margin": fmean(1 - one + two for one, two in zip(chances, seconds, strict=True)),
        "mean surprise": fmean(-log for log in logs),
        "total surprise": -math.fsum(logs),
        "share of doubtful steps": fmean(chance < DOUBTFUL_STEP for chance in chances),
    }


def disagreement(graphs: Sequence[AmrGraph]) -> float:
    """Give one less the mean Smatch of every two parses of one sentence, 0..1.

    Args:
        graphs: The parses of two models or more.
    """
    pairs = [(one, two) for n, one in enumerate(graphs) for two in graphs[n + 1 :]]
    if not pairs:
        return 0.0
    report = score_corpus([one for one, _ in pairs], [two for _, two in pairs], time_limit=0.2)
    return 1.0 - fmean(pair.counts.f1 for pair in report.pairs)


@dataclass(frozen=True, slots=True)
class Option:
    """What the parser would rather have, or also.

    Attributes:
        text: In a few words: a concept, a role, or an action.
        probability: 0..1.
        edit: What puts it in the place of the doubted piece; None where no single edit does.
    """

    text: str
    probability: float
    edit: Edit | None


@dataclass(frozen=True, slots=True)
class PieceDoubt:
    """How sure the parser is of a piece of a graph.

    Attributes:
        triple: The piece: (node, ":instance", concept), an edge, a constant by its value,
            or (node, ":top", "") for the root.
        probability: Of the action that makes it, 0..1; 0 where the parser does not know it.
        options: Others, the likeliest first.
        step: The action, in the walk of the graph.
    """

    triple: Triple
    probability: float
    options: tuple[Option, ...]
    step: int


def doubt_of_pieces(
    parser: TracingParser, sentence: str | Sentence, graph: AmrGraph
) -> tuple[PieceDoubt, ...]:
    """Read the walk of a graph, and say how likely the parser finds each piece.

    It works for any graph of the sentence: a parse, an edited one, another parser's. What
    no action makes is left out.

    Args:
        parser: The parser.
        sentence: Its tokens are those that the graph is aligned to.
        graph: The graph; what is not aligned is aligned by rules.

    Raises:
        AlignmentError: If an alignment names a token that does not exist.
    """
    read = parser.read(sentence)
    aligned = align(read, without_wiki(graph)[0], shipped_tables())
    plan = plan_of(read, aligned, parser.info.action_set)
    trace = parser.trace(read, 1, plan.actions)
    found = [
        _piece(plan, trace, triple, step)
        for triple, step in sorted(plan.steps.items(), key=lambda pair: pair[1])
    ]
    if isinstance(plan.actions[-1], Root):
        found.append(_piece(plan, trace, (graph.root, TOP, ""), len(trace.steps) - 1))
    return tuple(found)


def _piece(plan: Plan, trace: Trace, triple: Triple, place: int) -> PieceDoubt:
    step, state = trace.steps[place], trace.states[place]
    options: list[Option] = []
    for action, probability in step.alternatives:
        option = _option(plan, state, step.action, triple, action, probability)
        if option is not None and option.text not in [other.text for other in options]:
            options.append(option)
    return PieceDoubt(triple, step.probability or 0.0, tuple(options[:MAX_OPTIONS]), place)


def _option(
    plan: Plan,
    state: ParserState,
    taken: Action,
    triple: Triple,
    action: Action,
    probability: float,
) -> Option | None:
    """Turn another action into an edit of the piece, if one edit says it."""
    source, role, _ = triple
    if role == INSTANCE and isinstance(action, ItemAction) and is_legal(state, action):
        made = advance(state, action).roots[-1]
        own = next(item for item in plan.items if source in item.ids)
        is_one = len(own.ids) == 1 and not made.is_constant
        edit = RenameNode(source, made.label) if is_one else None
        text = made.label if is_one else format_action(action)
        return Option(text, probability, edit)
    if isinstance(action, EdgeAction) and isinstance(taken, EdgeAction) and role != TOP:
        return _edge_option(plan, state, triple, action, probability)
    if isinstance(action, PointerAction | ItemAction):
        return None
    return Option(format_action(action), probability, None)


def _edge_option(
    plan: Plan, state: ParserState, triple: Triple, action: EdgeAction, probability: float
) -> Option | None:
    names = {item.position: item.ids[0] for item in plan.items}
    last, other = names.get(state.last_item, ""), names.get(action.position, "")
    nodes = {node.id for node in plan.graph.nodes}
    if not {last, other} <= nodes or triple in plan.targets:
        return Option(format_action(action), probability, None)
    ends = (last, other) if action.is_left else (other, last)
    role = action.made_role(state)
    text = f"{ends[0]} {role} {ends[1]}"
    return Option(text, probability, ChangeEdge(*triple, ends[0], role, ends[1]))
