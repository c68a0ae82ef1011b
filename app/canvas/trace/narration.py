"""What happens in a trace, for people: one plain sentence for each step."""

from __future__ import annotations

from aptcore.errors import AptamrError
from aptcore.trace.snapshot import Snapshot, SnapshotNode, snapshot_of
from aptcore.trace.trace import Step, Trace
from aptcore.transition.closing import Link
from aptcore.transition.moves import Merge, Shift
from aptcore.transition.state import ParserState


def states_of(trace: Trace) -> tuple[ParserState | None, ...]:
    """Give the state before each action; none where a file's tokens do not fit its text."""
    try:
        return trace.states[:-1]
    except AptamrError:
        return (None,) * len(trace.steps)


def narrate(trace: Trace) -> tuple[str, ...]:
    """Tell what every step does, in one short sentence."""
    graph = snapshot_of(trace)
    made: dict[int, list[SnapshotNode]] = {}
    for node in graph.nodes:
        made.setdefault(node.step, []).append(node)
    edges = {
        edge.step: f"{graph.nodes[edge.source].label} {edge.role} {graph.nodes[edge.target].label}"
        for edge in graph.edges
        if not edge.is_repair
    }
    return tuple(
        _effect(graph, step, made.get(step.step, []), edges.get(step.step)) for step in trace.steps
    )


def _effect(graph: Snapshot, step: Step, made: list[SnapshotNode], edge: str | None) -> str:
    words = graph.trace.words_at(step)
    if made:
        kind = "constant" if made[0].is_constant else "concept"
        rest = f" with {len(made) - 1} more inside it" if len(made) > 1 else ""
        return f"Makes the {kind} {made[0].label}{rest} at “{words}”."
    if edge is not None:
        return f"Adds the edge {edge}."
    if isinstance(step.action, Merge):
        following = graph.trace.sentence.tokens[step.cursor + 1]
        return f"Joins “{words}” with “{following}”."
    if isinstance(step.action, Link):
        (taken,) = (node for node in graph.nodes if _is_root_of(node, step.action.position))
        return f"Takes up {taken.label} again, to join what is apart."
    if isinstance(step.action, Shift):
        return f"Moves on from “{words}”."
    if step.step == graph.step - 1:
        return _closing(graph)
    return f"Passes over “{words}”: nothing was made here."


def _is_root_of(node: SnapshotNode, step: int) -> bool:
    return node.step == step and not node.is_inside


def _closing(graph: Snapshot) -> str:
    if graph.root is None:
        return "Closes without a concept: there was nothing to make a graph of."
    return f"Marks {graph.nodes[graph.root].label} as the root; the graph is finished."
