"""The graph as a list of triples, each with the step that made it."""

from __future__ import annotations

from dataclasses import dataclass

from aptcore.trace.trace import Trace, TraceItem


@dataclass(frozen=True, slots=True)
class Triple:
    """A line of the text list that stands beside the drawing.

    Attributes:
        step: The action that made it; repairs stand at the last one.
        source: Variable on the left.
        role: ``:instance``, ``root`` or the role of an edge.
        target: Concept, constant or variable on the right.
        is_repair: Whether it was added after decoding.
    """

    step: int
    source: str
    role: str
    target: str
    is_repair: bool = False


def triples_of(trace: Trace) -> tuple[Triple, ...]:
    """List all triples in the order of their making, repairs last.

    A constant appears as the target of its edge, not as a line of its own.
    """
    items = {item.key: item for item in trace.items}
    made = [
        Triple(item.step, item.name, ":instance", item.label)
        for item in trace.items
        if not item.is_constant
    ]
    made += [
        Triple(edge.made_by, items[edge.source].name, edge.role, _shown(items[edge.target]))
        for edge in trace.edges
    ]
    last = len(trace.steps) - 1
    if trace.root is not None:
        made.append(Triple(last, trace.root, "root", ""))
    made.sort(key=lambda triple: triple.step)
    made += [
        Triple(last, repair.edge.source, repair.edge.role, repair.edge.target, is_repair=True)
        for repair in trace.repairs
        if repair.edge is not None
    ]
    return tuple(made)


def triples_at(trace: Trace, step: int) -> tuple[Triple, ...]:
    """Keep the triples that exist after an action."""
    return tuple(triple for triple in triples_of(trace) if triple.step <= step)


def _shown(item: TraceItem) -> str:
    return item.label if item.is_constant else item.name
