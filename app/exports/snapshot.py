"""The graph as it stands after one action, or finished: what every graph export writes.

A snapshot keeps the parts that come later as well, marked as not shown: a drawing
reserves their room, so that the drawings of two steps of one trace lie one over the
other. Repairs belong to the finished graph alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.canvas.trace.drawing import ends_of
from aptcore.trace.trace import Trace, clamp_step
from aptcore.transition.actions import format_action


@dataclass(frozen=True, slots=True)
class SnapshotNode:
    """A concept or constant.

    Attributes:
        name: Its variable; constants have one too, which PENMAN does not show.
        label: Concept, or constant as written.
        is_constant: Whether it is a constant.
        is_shown: Whether it exists by now.
        is_root: Whether it is the marked root.
        is_dropped: Whether a repair dropped it: a constant that got no parent.
    """

    name: str
    label: str
    is_constant: bool
    is_shown: bool
    is_root: bool
    is_dropped: bool


@dataclass(frozen=True, slots=True)
class SnapshotEdge:
    """An edge between two nodes, which are given by their place in the snapshot."""

    source: int
    role: str
    target: int
    is_shown: bool
    is_repair: bool


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A graph at a moment.

    Attributes:
        trace: What it was taken from.
        step: Position of the last action that is in it.
        is_finished: Whether it is the finished graph, repairs included.
        nodes: All nodes of the trace, in order.
        edges: All edges of the trace in order, repairs last.
    """

    trace: Trace
    step: int
    is_finished: bool
    nodes: tuple[SnapshotNode, ...]
    edges: tuple[SnapshotEdge, ...]


def snapshot_of(trace: Trace, step: int | None = None) -> Snapshot:
    """Take the graph after an action.

    Args:
        trace: Where from.
        step: Position of the action; None or the last one gives the finished graph.
    """
    last = clamp_step(None, len(trace.steps))
    here = clamp_step(step, len(trace.steps))
    is_finished = here == last
    parents = {edge.target for edge in trace.edges}
    nodes = tuple(
        SnapshotNode(
            name=item.name,
            label=item.label,
            is_constant=item.is_constant,
            is_shown=item.step <= here,
            is_root=is_finished and item.name == trace.root,
            is_dropped=is_finished and item.is_constant and item.key not in parents,
        )
        for item in trace.items
    )
    steps = [edge.made_by for edge in trace.edges]
    edges = tuple(
        SnapshotEdge(
            source=source,
            role=role,
            target=target,
            is_shown=steps[place] <= here if place < len(steps) else is_finished,
            is_repair=place >= len(steps),
        )
        for place, (source, role, target) in enumerate(ends_of(trace))
    )
    return Snapshot(trace, here, is_finished, nodes, edges)


def describe_snapshot(snapshot: Snapshot) -> tuple[str, ...]:
    """Say what a file holds, one line each: sentence, moment, model, repairs.

    No line holds a line break or an invisible sign, so each can stand in a comment.
    """
    trace = snapshot.trace
    model = trace.model
    lines = [
        f"sentence: {trace.sentence.text}",
        describe_moment(snapshot),
        f"model: {model.id}, hash {model.hash}, on {model.device}, {model.precision}, "
        f"beam {trace.beam}",
    ]
    if snapshot.is_finished:
        lines += [f"repair ({repair.kind}): {repair.text}" for repair in trace.repairs]
    return tuple(one_line(line) for line in lines)


def describe_moment(snapshot: Snapshot) -> str:
    """Say which graph it is: the finished one, or that after an action."""
    if snapshot.is_finished:
        return "finished graph, repairs included"
    steps = snapshot.trace.steps
    action = format_action(steps[snapshot.step].action)
    return f"graph after action {snapshot.step} of {len(steps) - 1}: {action}"


def one_line(text: str) -> str:
    """Put a text on one line: line breaks and signs without a shape become spaces."""
    return "".join(sign if sign.isprintable() else " " for sign in text)
