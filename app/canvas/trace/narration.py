"""One plain sentence for each step: what is read aloud, and what stands under the action."""

from __future__ import annotations

from aptcore.trace.trace import Step, Trace, TraceItem
from aptcore.transition.actions import Merge, Shift


def narrate(trace: Trace) -> tuple[str, ...]:
    """Tell what every step does, in one short sentence."""
    made: dict[int, list[TraceItem]] = {}
    for item in trace.items:
        made.setdefault(item.step, []).append(item)
    edges = {
        edge.made_by: f"{_label_of(trace, edge.source)} {edge.role} {_label_of(trace, edge.target)}"
        for edge in trace.edges
        if edge.made_by not in made
    }
    last = len(trace.steps) - 1
    return tuple(
        _effect(trace, step, made.get(step.step, []), edges.get(step.step), last)
        for step in trace.steps
    )


def words_at(trace: Trace, step: Step) -> str:
    """Give the words under the cursor before a step; ``<ROOT>`` after the last."""
    if step.cursor >= len(trace.sentence.tokens):
        return "<ROOT>"
    return " ".join(trace.sentence.tokens[step.span_start : step.cursor + 1])


def _label_of(trace: Trace, key: tuple[int, int]) -> str:
    return next(item.label for item in trace.items if item.key == key)


def _effect(trace: Trace, step: Step, made: list[TraceItem], edge: str | None, last: int) -> str:
    words = words_at(trace, step)
    if made:
        kind = "constant" if made[0].is_constant else "concept"
        rest = f" with {len(made) - 1} more inside it" if len(made) > 1 else ""
        return f"Makes the {kind} {made[0].label}{rest} at “{words}”."
    if edge is not None:
        return f"Adds the edge {edge}."
    if isinstance(step.action, Merge):
        following = trace.sentence.tokens[step.cursor + 1]
        return f"Joins “{words}” with “{following}”."
    if isinstance(step.action, Shift):
        return f"Moves on from “{words}”."
    if step.step == last:
        return _closing(trace)
    return f"Passes over “{words}”: nothing was made here."


def _closing(trace: Trace) -> str:
    if trace.root is None or trace.is_failed:
        return "Closes without a concept: there was nothing to make a graph of."
    root = next(item.label for item in trace.items if item.name == trace.root)
    return f"Marks {root} as the root; the graph is finished."
