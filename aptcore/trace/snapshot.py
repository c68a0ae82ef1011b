"""The graph of a trace as it stands at a moment, or finished: what is drawn and written.

A snapshot keeps the parts that come later as well, marked as not shown: a drawing
reserves their room, so that the drawings of two steps of one trace lie one over the
other. Repairs belong to the finished graph alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from aptcore.trace.trace import Trace, clamp_step


@dataclass(frozen=True, slots=True)
class SnapshotNode:
    """A concept or constant.

    Attributes:
        step: The action that makes it.
        name: Its variable; constants have one too, which PENMAN does not show.
        label: Concept, or constant as written.
        is_constant: Whether it is a constant.
        is_inside: Whether it stands inside a template, below its root.
        is_shown: Whether it exists by now.
        is_root: Whether it is the marked root.
        is_dropped: Whether a repair dropped it: a constant that got no parent.
    """

    step: int
    name: str
    label: str
    is_constant: bool
    is_inside: bool
    is_shown: bool
    is_root: bool
    is_dropped: bool


@dataclass(frozen=True, slots=True)
class SnapshotEdge:
    """An edge between two nodes, which are given by their place in the snapshot.

    ``step`` is the action that makes it; repairs stand at the last one.
    """

    step: int
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
        step: How many actions were taken by then.
        is_finished: Whether it is the finished graph, repairs included.
        root: Place of the root of the finished graph; None where none was marked.
        nodes: All nodes of the trace, in order.
        edges: All edges of the trace in order, repairs last.
    """

    trace: Trace
    step: int
    is_finished: bool
    root: int | None
    nodes: tuple[SnapshotNode, ...]
    edges: tuple[SnapshotEdge, ...]


def snapshot_of(trace: Trace, step: int | None = None) -> Snapshot:
    """Take the graph at a moment.

    Args:
        trace: Where from.
        step: How many actions were taken; None or all of them gives the finished graph.
    """
    last = max(0, len(trace.steps) - 1)
    here = clamp_step(step, len(trace.steps))
    is_finished = here == len(trace.steps)
    names = {item.name: place for place, item in enumerate(trace.items)}
    root = None if trace.root is None else names.get(trace.root)
    parented = {edge.target for edge in trace.edges}
    nodes = tuple(
        SnapshotNode(
            step=item.step,
            name=item.name,
            label=item.label,
            is_constant=item.is_constant,
            is_inside=item.key[1] > 0,
            is_shown=item.step < here,
            is_root=is_finished and place == root,
            is_dropped=is_finished and item.is_constant and item.key not in parented,
        )
        for place, item in enumerate(trace.items)
    )
    keys = {item.key: place for place, item in enumerate(trace.items)}
    made = [
        SnapshotEdge(
            edge.made_by,
            keys[edge.source],
            edge.role,
            keys[edge.target],
            is_shown=edge.made_by < here,
            is_repair=False,
        )
        for edge in trace.edges
    ]
    added = [repair.edge for repair in trace.repairs if repair.edge is not None]
    joined = [
        SnapshotEdge(last, names[edge.source], edge.role, names[edge.target], is_finished, True)
        for edge in added
    ]
    return Snapshot(trace, here, is_finished, root, nodes, (*made, *joined))


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


def triples_of(snapshot: Snapshot) -> tuple[Triple, ...]:
    """List the triples that exist, in the order of their making, repairs last.

    A constant appears as the target of its edge, not as a line of its own.
    """
    nodes = snapshot.nodes
    found = [
        Triple(node.step, node.name, ":instance", node.label)
        for node in nodes
        if node.is_shown and not node.is_constant
    ]
    for edge in snapshot.edges:
        if edge.is_shown:
            target = nodes[edge.target]
            shown = target.label if target.is_constant else target.name
            name = nodes[edge.source].name
            found.append(Triple(edge.step, name, edge.role, shown, edge.is_repair))
    if snapshot.is_finished and snapshot.trace.root is not None:
        found.append(Triple(snapshot.step - 1, snapshot.trace.root, "root", ""))
    return tuple(sorted(found, key=lambda triple: (triple.is_repair, triple.step)))
