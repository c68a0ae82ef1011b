"""The oracle's walk as a trace that the canvas steps through, without any probabilities."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate

from aptcore.graph.amr import Sentence
from aptcore.oracle.oracle import OracleResult, variant_of
from aptcore.trace.making import step_of, trace_of
from aptcore.trace.trace import ModelInfo, Trace
from aptcore.transition.building import repaired_graph
from aptcore.transition.machine import advance, start

_CUT = "The oracle takes these actions for the gold graph; no model took part, so there are no "
_CUT += "probabilities."


def trace_of_oracle(sentence: Sentence, result: OracleResult, variant: str) -> Trace:
    """Replay the oracle's actions and write every moment down.

    Items are called by their gold ids, so that the drawing and the gold graph agree; what
    the oracle made up gets a name of its own.

    Args:
        sentence: What the actions are for.
        result: What the oracle gave.
        variant: The variant of the oracle that gave it.

    Raises:
        IllegalActionError: If an action is illegal where it is taken.
    """
    action_set = variant_of(variant).action_set
    *before, end = accumulate(result.actions, advance, initial=start(sentence, action_set))
    names = {item.key: result.items.get(item.key, f"made-up-{item.position}") for item in end.items}
    finished = repaired_graph(end, names=names)
    model = ModelInfo(f"oracle {variant}", "", "", action_set, "", "")
    trace = trace_of(map(step_of, before, result.actions), end, model, finished, names)
    return replace(trace, prefix_length=len(result.actions), cut=_CUT)
