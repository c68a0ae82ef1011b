"""A walk of the machine written down as a trace, without what a model thought of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.graph.penman import format_penman
from aptcore.trace.trace import ModelInfo, Step, Trace, TraceItem
from aptcore.transition.actions import Action, ActionSet
from aptcore.transition.building import Repair, item_names, repaired_graph
from aptcore.transition.edge_choices import edge_choices
from aptcore.transition.machine import advance, start
from aptcore.transition.state import ItemKey, ParserState


def step_of(state: ParserState, action: Action) -> Step:
    """Write an action down with the moment before it."""
    choices = edge_choices(state)
    return Step(
        step=len(state.actions),
        cursor=state.cursor,
        span_start=state.span_start,
        action=action,
        legal=tuple(
            row for kind in state.action_set.actions for row in kind.reasons(state, choices)
        ),
    )


def trace_of(
    steps: Iterable[Step],
    end: ParserState,
    model: ModelInfo,
    finished: tuple[AmrGraph, tuple[Repair, ...]],
    names: Mapping[ItemKey, str] | None = None,
) -> Trace:
    """Write a whole walk down.

    Args:
        steps: Its steps.
        end: The closed state.
        model: Who took the actions.
        finished: The repaired graph, and every repair.
        names: What the items are called in the graph; None for their usual names.
    """
    named = item_names(end) if names is None else names
    graph, repairs = finished
    return Trace(
        model=model,
        sentence=end.sentence,
        steps=tuple(steps),
        items=tuple(
            TraceItem(
                item.key,
                named[item.key],
                item.label,
                item.is_constant,
                tuple(range(item.start, item.stop)),
                item.position,
            )
            for item in end.items
        ),
        edges=end.edges,
        root=None if end.root is None else named[end.root, 0],
        is_failed=end.is_failed,
        repairs=repairs,
        penman=format_penman(graph, metadata=False),
    )


def trace_of_walk(
    sentence: Sentence,
    actions: Sequence[Action],
    action_set: ActionSet,
    who: str,
    cut: str,
    names: Mapping[ItemKey, str] | None = None,
) -> Trace:
    """Take given actions and write every moment down; no model takes part.

    Args:
        sentence: What the actions are for.
        actions: All of them, up to the one that closes the walk.
        action_set: What they are of.
        who: Who took them; stands where a trace has its model.
        cut: What the trace does not hold, for people.
        names: What the items are called; one that is missing is named by its position. None
            for their usual names.

    Raises:
        IllegalActionError: If an action is illegal where it is taken.
    """
    *before, end = accumulate(actions, advance, initial=start(sentence, action_set))
    named = None
    if names is not None:
        named = {item.key: names.get(item.key, f"made-up-{item.position}") for item in end.items}
    finished = repaired_graph(end, names=named)
    model = ModelInfo(who, "", "", action_set, "", "")
    trace = trace_of(map(step_of, before, actions), end, model, finished, named)
    return replace(trace, prefix_length=len(actions), cut=cut)
