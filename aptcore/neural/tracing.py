"""Traces: everything that a walk and the model did at each step, ready for a page.

The figures come from one teacher-forced pass over the whole walk, which equals what
the cached steps gave while decoding.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor

from aptcore.graph.amr import Sentence
from aptcore.neural.decoding import BeamEntry, Decoder
from aptcore.neural.input_reading import Reading, first_reading, read_action
from aptcore.neural.masks import Walk, add_step, decoder_input
from aptcore.neural.model import Encoded
from aptcore.neural.next_actions import Hypothesis, NextActions, legal_alternatives
from aptcore.trace.moment import graph_json, kind_reasons, repair_json, sentence_json
from aptcore.transition.actions import Action, PointerAction, format_action, format_label
from aptcore.transition.building import Repair
from aptcore.transition.machine import advance
from aptcore.transition.state import ParserState, root_place, start

SCHEMA = 1
NUM_ALTERNATIVES = 5
NUM_WEIGHTS = 8
NUM_HEAD_WEIGHTS = 3
NUM_BEAMS = 8
NUM_PRUNED = 4
_CUT = (
    f"each step lists its {NUM_ALTERNATIVES} most probable other actions and the "
    f"{NUM_WEIGHTS} largest weights of each attention ({NUM_HEAD_WEIGHTS} of each single "
    "head), to 3 decimals; the rest is summed up as hidden. The beam lists at most "
    f"{NUM_BEAMS} hypotheses that went on and {NUM_PRUNED} that were pruned."
)


@dataclass(frozen=True, slots=True)
class Step:
    """One action, and what the model thought before it.

    Attributes:
        state: The state before the action.
        action: The action taken.
        log_prob: Natural logarithm of its probability, the pointer's included; None for
            a forced action whose label the model does not know.
        entropy: Of the distribution over labels, in nats.
        alternatives: The most probable other legal actions with their probabilities.
        pointer_attention: (action position of an item, weight) for every earlier item.
        token_attention: (tokens + 1,) mean over layers and heads; last is ``<ROOT>``.
        head_attention: The same for each layer and head.
        forced: Whether a prefix forced it.
    """

    state: ParserState
    action: Action
    log_prob: float | None
    entropy: float
    alternatives: tuple[tuple[Action, float], ...]
    pointer_attention: tuple[tuple[int, float], ...]
    token_attention: tuple[float, ...]
    head_attention: tuple[tuple[tuple[float, ...], ...], ...]
    forced: bool


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """Which model made a trace, and where it ran."""

    id: str
    hash: str
    encoder: str
    action_set: str
    device: str
    precision: str


@dataclass(frozen=True)
class Trace:
    """A whole walk with its figures.

    Attributes:
        steps: All steps.
        state: The closed state.
        penman: The finished graph as text, repairs included.
        repairs: What made it sound.
        model: Which model.
        beam: Width of the search.
        prefix_length: How many actions were forced.
        beams: What came up at each step of the search from ``prefix_length`` on.
    """

    steps: tuple[Step, ...]
    state: ParserState
    penman: str
    repairs: tuple[Repair, ...]
    model: ModelInfo
    beam: int
    prefix_length: int
    beams: tuple[tuple[BeamEntry, ...], ...] = ()

    @property
    def log_prob(self) -> float:
        """Sum over the steps that the model could score."""
        return sum(step.log_prob for step in self.steps if step.log_prob is not None)

    def to_json(self) -> dict[str, Any]:
        """Give the trace as JSON values; see docs/trace-format.md."""
        return {
            "schema": SCHEMA,
            "model": asdict(self.model),
            "sentence": sentence_json(self.state.sentence),
            "beam": self.beam,
            "prefix_length": self.prefix_length,
            "steps": [_step_json(number, step) for number, step in enumerate(self.steps)],
            **graph_json(self.state),
            "failed": self.state.is_failed,
            "repairs": [repair_json(repair) for repair in self.repairs],
            "penman": self.penman,
            "log_prob": round(self.log_prob, 4),
            "beams": [[_entry_json(entry) for entry in _shown(step)] for step in self.beams],
            "cut": _CUT,
        }


def _shown(entries: tuple[BeamEntry, ...]) -> list[BeamEntry]:
    """Keep the hypotheses that went on, and the best of those that did not."""
    went_on = [entry for entry in entries if entry.status != "pruned"][:NUM_BEAMS]
    pruned = [entry for entry in entries if entry.status == "pruned"][:NUM_PRUNED]
    return went_on + pruned


def _entry_json(entry: BeamEntry) -> dict[str, Any]:
    return {
        "action": format_action(entry.action),
        "score": round(entry.score, 3),
        "parent": entry.parent,
        "place": entry.place,
        "status": entry.status,
    }


def _step_json(number: int, step: Step) -> dict[str, Any]:
    pointer, pointer_hidden = _largest(list(step.pointer_attention))
    attention, attention_hidden = _largest(list(enumerate(step.token_attention)))
    return {
        "step": number,
        "cursor": step.state.cursor,
        "span_start": step.state.span_start,
        "action": format_action(step.action),
        "log_prob": None if step.log_prob is None else round(step.log_prob, 4),
        "entropy": round(step.entropy, 4),
        "forced": step.forced,
        "alternatives": [
            {"action": format_action(action), "probability": round(probability, 3)}
            for action, probability in step.alternatives
        ],
        "legal": [{"kind": kind, "reason": reason} for kind, reason in kind_reasons(step.state)],
        "pointer": pointer,
        "pointer_hidden": pointer_hidden,
        "attention": attention,
        "attention_hidden": attention_hidden,
        "heads": [
            [_largest(list(enumerate(head)), NUM_HEAD_WEIGHTS)[0] for head in layer]
            for layer in step.head_attention
        ],
    }


def _largest(
    weights: list[tuple[int, float]], count: int = NUM_WEIGHTS
) -> tuple[list[list[float]], float]:
    """Keep the largest weights; gives them by position, and the mass that is hidden."""
    kept = sorted(weights, key=lambda pair: -pair[1])[:count]
    shown = sorted([position, round(weight, 3)] for position, weight in kept if weight >= 5e-4)
    return shown, round(max(0.0, 1.0 - sum(weight for _, weight in shown)), 3)


@torch.inference_mode()
def trace_steps(
    decoder: Decoder,
    sentence: Sentence,
    actions: Sequence[Action],
    encoded: Sequence[Encoded],
    num_forced: int,
) -> tuple[tuple[Step, ...], ParserState]:
    """Read a whole walk in one pass and collect the figures of every step.

    Args:
        decoder: Its models read the walk.
        sentence: One sentence.
        actions: All actions, legal in turn.
        encoded: For each model, the sentence encoded (B = 1).
        num_forced: How many first actions a prefix forced.

    Raises:
        IllegalActionError: At the first illegal action.
    """
    rows, walk, state = _rows(decoder, sentence, actions)
    inputs = decoder_input([walk], decoder.device)
    outputs = [m(e, inputs, True) for m, e in zip(decoder.models, encoded, strict=True)]
    scores = [(output.logits[0], output.pointer[0]) for output in outputs]
    options = NextActions(decoder.setting, rows, scores)
    attention = torch.stack([torch.stack(output.token_attention)[:, 0] for output in outputs]).mean(
        0
    )  # (layers, H, T, N)
    steps = tuple(
        _step(options, number, action, attention[:, :, number], number < num_forced)
        for number, action in enumerate(actions)
    )
    return steps, state


def _rows(
    decoder: Decoder, sentence: Sentence, actions: Sequence[Action]
) -> tuple[list[Hypothesis], Walk, ParserState]:
    """Follow the actions; gives a row for the moment before each of them."""
    vocabulary = decoder.masks.vocabulary
    reading: Reading = first_reading(vocabulary)
    state, walk, rows = start(sentence, decoder.action_set), Walk(), []
    for action in actions:
        rows.append(Hypothesis(state, reading))
        add_step(walk, reading, state)
        after = advance(state, action)
        label = vocabulary.encode(format_label(action))
        reading = read_action(reading, state, action, label, decoder.graph_embedding)
        state = after
    return rows, walk, state


def _step(
    options: NextActions, number: int, action: Action, attention: Tensor, forced: bool
) -> Step:
    row = options.rows[number]
    others = legal_alternatives(options, number, NUM_ALTERNATIVES + 1)
    alternatives = tuple(pair for pair in others if pair[0] != action)[:NUM_ALTERNATIVES]
    pointer = options.pointer[number]
    items = zip(row.state.roots, row.reading.positions, strict=True)
    weights = tuple((item.position, math.exp(pointer[place])) for item, place in items)
    return Step(
        state=row.state,
        action=action,
        log_prob=_log_prob(options, number, action),
        entropy=options.entropy(number),
        alternatives=alternatives,
        pointer_attention=weights,
        token_attention=tuple(attention.mean((0, 1)).tolist()),
        head_attention=tuple(tuple(tuple(head) for head in layer) for layer in attention.tolist()),
        forced=forced,
    )


def _log_prob(options: NextActions, number: int, action: Action) -> float | None:
    label = options.setting.masks.vocabulary.ids.get(format_label(action))
    if label is None:
        return None
    value = float(options.label_scores[number, label])
    if isinstance(action, PointerAction):
        row = options.rows[number]
        place = root_place(row.state, action.position)
        value += options.pointer[number][row.reading.positions[place]]
    return None if value == -torch.inf else value
