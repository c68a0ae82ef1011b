"""Traces: everything that a walk and the model did at each step, ready for a page.

The figures come from one teacher-forced pass over the whole walk, which equals what
the cached steps gave while decoding.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from aptcore.graph.amr import Sentence
from aptcore.neural.decoding import Decoder
from aptcore.neural.masks import Walk, add_step, first_reading, steps_of
from aptcore.neural.model import (
    AFTER_HEAD,
    CURSOR_HEAD,
    LEFT_ARC_HEAD,
    POINTER_HEAD,
    RIGHT_ARC_HEAD,
    AptConfig,
    Encoded,
)
from aptcore.neural.next_actions import Hypothesis, NextActions
from aptcore.neural.padding import moved
from aptcore.trace.making import step_of
from aptcore.trace.trace import BeamEntry, NamedHead, Step, Trace, Weights
from aptcore.transition.actions import Action, PointerAction, format_label
from aptcore.transition.edge_choices import reachable
from aptcore.transition.machine import advance, is_legal, start
from aptcore.transition.reading import Reading, read_action
from aptcore.transition.state import ParserState, root_place

NUM_ALTERNATIVES = 5
NUM_WEIGHTS = 8
NUM_HEAD_WEIGHTS = 3
NUM_BEAMS = 20
NUM_PRUNED = 4
_CUT = (
    f"each step lists its {NUM_ALTERNATIVES} most probable other actions and the "
    f"{NUM_WEIGHTS} largest weights of each attention ({NUM_HEAD_WEIGHTS} of each single "
    "head), to 3 decimals; the rest is summed up as hidden. The beam lists at most "
    f"{NUM_BEAMS} hypotheses that went on and {NUM_PRUNED} that were pruned."
)


def finished_trace(trace: Trace, beams: Iterable[Sequence[BeamEntry]], config: AptConfig) -> Trace:
    """Round a trace's figures, add them up, and put in what the search saw.

    Args:
        trace: With figures of full precision.
        beams: What came up at each step of the search, the best first.
        config: Of the model, or of the first of several.
    """
    known = [step.log_prob for step in trace.steps if step.log_prob is not None]
    return replace(
        trace,
        steps=tuple(map(_rounded, trace.steps)),
        log_prob=round(sum(known), 4),
        beams=tuple(map(_shown, beams)),
        named_heads=_named_heads(config),
        cut=_CUT,
    )


def _rounded(step: Step) -> Step:
    return replace(
        step,
        log_prob=None if step.log_prob is None else round(step.log_prob, 4),
        entropy=None if step.entropy is None else round(step.entropy, 4),
        alternatives=tuple((action, round(share, 3)) for action, share in step.alternatives),
    )


def _shown(entries: Sequence[BeamEntry]) -> tuple[BeamEntry, ...]:
    """Keep the hypotheses that went on, and the best of those that did not."""
    went_on = [entry for entry in entries if entry.status != "pruned"][:NUM_BEAMS]
    pruned = [entry for entry in entries if entry.status == "pruned"][:NUM_PRUNED]
    return tuple(replace(entry, score=round(entry.score, 3)) for entry in went_on + pruned)


def _largest(weights: Iterable[tuple[int, float]]) -> tuple[Weights, float]:
    """Keep the largest weights; gives them by position, and the mass that is hidden."""
    kept = sorted(weights, key=lambda pair: -pair[1])[:NUM_WEIGHTS]
    shown = sorted((position, round(weight, 3)) for position, weight in kept if weight >= 5e-4)
    return tuple(shown), round(max(0.0, 1.0 - sum(weight for _, weight in shown)), 3)


@torch.inference_mode()
def trace_steps(
    decoder: Decoder,
    sentence: Sentence,
    actions: Sequence[Action],
    encoded: Sequence[Encoded],
    num_forced: int,
) -> tuple[tuple[Step, ...], ParserState]:
    """Read a whole walk in one pass: every step with its figures, and the closed state.

    Probabilities have full precision; attention is cut to the largest weights.

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
    read = moved(steps_of([walk]), decoder.device)
    backs: list[list[Tensor]] = [[] for _ in decoder.models]
    models = zip(decoder.models, encoded, backs, strict=True)
    outputs = [model(each, read, looked_back=back) for model, each, back in models]
    scores = [(output.logits, output.pointer) for output in outputs]
    options = NextActions(decoder.setting, rows, scores)
    attention = _mean([output.token_attention for output in outputs])  # (layers, H, T, N)
    heads, self_heads = _heads(attention, 0), _heads(_mean(backs), -1)
    means = attention.mean((0, 1)).tolist()  # (T, N)
    steps = tuple(
        replace(
            _step(options, number, action, means[number]),
            is_forced=number < num_forced,
            heads=heads[number],
            self_heads=self_heads[number],
        )
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


def _mean(weights: Sequence[Sequence[Tensor]]) -> Tensor:
    """Average over models, each with (1, H, T, N) for each layer; gives (layers, H, T, N)."""
    return torch.stack([torch.stack(list(layers))[:, 0] for layers in weights]).mean(0)


def _heads(weights: Tensor, first: int) -> list[tuple[tuple[Weights, ...], ...]]:
    """Give for each step the largest weights of each layer and head.

    Args:
        weights: (layers, H, T, N).
        first: What the first of the N is called.
    """
    values, places = weights.topk(min(NUM_HEAD_WEIGHTS, weights.shape[-1]))  # (layers, H, T, few)
    pairs = torch.stack((places + first, values.double()), -1).movedim(2, 0)  # (T, layers, H, ...)
    return [
        tuple(
            tuple(
                tuple(sorted((int(at), round(weight, 3)) for at, weight in head if weight >= 5e-4))
                for head in layer
            )
            for layer in step
        )
        for step in pairs.tolist()
    ]


def _named_heads(config: AptConfig) -> tuple[NamedHead, ...]:
    """Name the heads of a model whose task is fixed."""
    layers = range(config.num_decoder_layers)
    graph = range(config.num_graph_layers if config.graph_embedding else 0)
    found = [NamedHead("tokens", n, CURSOR_HEAD, "cursor") for n in layers]
    found += [NamedHead("tokens", n, AFTER_HEAD, "after cursor") for n in layers]
    found = found if config.cursor_masks else []
    found += [NamedHead("actions", n, LEFT_ARC_HEAD, "graph, LA") for n in graph]
    found += [NamedHead("actions", n, RIGHT_ARC_HEAD, "graph, RA") for n in graph]
    return (*found, NamedHead("actions", layers[-1], POINTER_HEAD, "pointer"))


def _step(options: NextActions, number: int, action: Action, attention: Sequence[float]) -> Step:
    row = options.rows[number]
    others = _likeliest(options, number, NUM_ALTERNATIVES + 1)
    alternatives = tuple(pair for pair in others if pair[0] != action)[:NUM_ALTERNATIVES]
    places = zip(row.state.roots, row.reading.positions, strict=True)
    weights = options.pointer[number]
    pointer, pointer_hidden = _largest(
        (item.position, math.exp(weights[place])) for item, place in places
    )
    mean, mean_hidden = _largest(enumerate(attention))
    return replace(
        step_of(row.state, action),
        log_prob=_log_prob(options, number, action),
        entropy=_entropy(options, number),
        alternatives=alternatives,
        pointer=pointer,
        pointer_hidden=pointer_hidden,
        attention=mean,
        attention_hidden=mean_hidden,
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


def _likeliest(options: NextActions, number: int, count: int) -> list[tuple[Action, float]]:
    """Give the most probable legal actions; an edge to another item is another action."""
    values, labels = options.scores[number].topk(min(count, options.scores.shape[1]))
    found = [
        (action, math.exp(log))
        for value, label in zip(values.tolist(), labels.tolist(), strict=True)
        if value > -torch.inf
        for action, log in _pointed(options, number, label)
    ]
    found.sort(key=lambda pair: -pair[1])
    state = options.rows[number].state
    return [pair for pair in found if is_legal(state, pair[0])][:count]


def _pointed(options: NextActions, number: int, label: int) -> list[tuple[Action, float]]:
    """Give the action of a label at every item that it may name, with log-probabilities."""
    action = options.action(number, label)
    if not isinstance(action, PointerAction):
        return [(action, float(options.scores[number, label]))]
    row = options.rows[number]
    places = reachable(options.choices[number], action)
    chosen, pointer = float(options.label_scores[number, label]), options.pointer[number]
    return [
        (
            action.pointing_at(row.state.roots[place].position),
            chosen + pointer[row.reading.positions[place]],
        )
        for place in places
    ]


def _entropy(options: NextActions, number: int) -> float:
    """Give the entropy over actions, in nats: that of labels, and of where they point."""
    logs = options.label_scores[number]
    total, masks = _entropy_of(logs), options.setting.masks
    positions = options.rows[number].reading.positions
    for kind, places in options.choices[number].places.items():
        ids = masks.ids_of[kind]
        weights = torch.tensor([options.pointer[number][positions[place]] for place in places])
        total += float(logs[ids].exp().sum()) * _entropy_of(weights.log_softmax(0))
    return total


def _entropy_of(logs: Tensor) -> float:
    return float(-(logs.exp() * logs.masked_fill(logs == -torch.inf, 0.0)).sum())
