"""The model beside the oracle: what it would do at each moment of the oracle's walk.

The model reads the oracle's own actions so far, so that its choices can be compared
step by step; after a different choice it is back on the oracle's walk.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from aptcore.errors import InputError
from aptcore.trace.trace import Step, Trace
from aptcore.transition.actions import format_action


@dataclass(frozen=True, slots=True)
class ModelRow:
    """A step of the oracle beside the model's first choice; probabilities are 0..1.

    Attributes:
        step: Position of the action.
        oracle: The oracle's action.
        probability: The model's probability of it; None if it does not know the label.
        model: The model's first choice there.
        first: Probability of that choice; None if it is not known.
        differs: Whether the two are different.
    """

    step: int
    oracle: str
    probability: float | None
    model: str
    first: float | None
    differs: bool


def scored_trace(oracle: Trace, model: Trace) -> Trace:
    """Put what a model thought at each step into the oracle's trace.

    Args:
        oracle: The oracle's walk; its names of items are kept.
        model: The same walk, forced on a model.

    Raises:
        InputError: If the model took another walk, or read other tokens.
    """
    if oracle.sentence.tokens != model.sentence.tokens:
        raise InputError("the model splits this sentence into other tokens than the oracle")
    if [step.action for step in oracle.steps] != [step.action for step in model.steps]:
        raise InputError("the model was not taken through the oracle's actions")
    cut = f"The actions are the oracle's, the figures the model's: {model.cut}"
    return replace(
        oracle,
        model=model.model,
        steps=model.steps,
        log_prob=model.log_prob,
        named_heads=model.named_heads,
        cut=cut,
    )


def model_rows(trace: Trace) -> tuple[ModelRow, ...]:
    """Compare the model's first choice with the oracle's action, step by step."""
    return tuple(map(_row, trace.steps))


def _row(step: Step) -> ModelRow:
    chosen, own = format_action(step.action), step.probability
    first = next(iter(step.alternatives), None)
    if first is None or (own is not None and own >= first[1]):
        return ModelRow(step.step, chosen, own, chosen, own, False)
    return ModelRow(step.step, chosen, own, format_action(first[0]), first[1], True)


def divergences(trace: Trace) -> tuple[int, ...]:
    """Give the steps at which the model's first choice is another one."""
    return tuple(row.step for row in model_rows(trace) if row.differs)


def describe_divergences(trace: Trace) -> str:
    """Say in plain text at how many steps the model differs."""
    rows = model_rows(trace)
    num = sum(row.differs for row in rows)
    unknown = sum(row.probability is None for row in rows)
    if not num:
        return f"The model's first choice is the oracle's at all {len(rows)} actions."
    text = f"The model's first choice differs at {num} of {len(rows)} actions."
    if unknown:
        text += f" It does not know the label of {unknown}."
    return text
