"""Traces: everything that a walk and the model did at each step, ready for a page.

The figures come from one teacher-forced pass over the whole walk, which equals what
the cached steps gave while decoding.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import torch
from torch import Tensor

from aptcore.graph.amr import Sentence
from aptcore.neural.decoding import Decoder
from aptcore.neural.drafts.drafting import decode_along
from aptcore.neural.drafts.earlier import EarlierWalk
from aptcore.neural.model import (
    AFTER_HEAD,
    CURSOR_HEAD,
    LEFT_ARC_HEAD,
    POINTER_HEAD,
    RIGHT_ARC_HEAD,
    AptConfig,
    Encoded,
)
from aptcore.neural.next_actions import NextActions
from aptcore.neural.parses import finished
from aptcore.neural.walks import WalkRead, moments_of, read_walk
from aptcore.trace.making import step_of, trace_of
from aptcore.trace.trace import (
    BeamEntry,
    ModelInfo,
    NamedHead,
    Progress,
    Step,
    Trace,
    Weights,
)
from aptcore.transition.actions import Action, PointerAction, format_label
from aptcore.transition.edge_choices import reachable
from aptcore.transition.guide import Guide
from aptcore.transition.machine import is_legal
from aptcore.transition.state import root_place

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


def _finished_trace(trace: Trace, beams: Iterable[Sequence[BeamEntry]], config: AptConfig) -> Trace:
    """Round a trace's figures, add them up, and put in what the search saw.

    Args:
        trace: With figures of full precision.
        beams: What came up at each step of the search, the best first.
        config: Of the model, or of the first of several.
    """
    steps = tuple(map(_rounded, trace.steps))
    known = [step.log_prob for step in steps if step.log_prob is not None]
    return replace(
        trace,
        steps=steps,
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


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a trace.

    Attributes:
        prefix: Actions forced at the start.
        guide: Who narrows the choice at each step after them.
        progress: Told after each step what lies behind.
        before: A trace that may be like it: of the same sentence, by the same model.
    """

    prefix: tuple[Action, ...] = ()
    guide: Guide | None = None
    progress: Progress | None = None
    before: Trace | None = None


def traced(
    decoder: Decoder, sentence: Sentence, encoded: Sequence[Encoded], info: ModelInfo, asked: Asked
) -> Trace:
    """Decode a sentence, and give every step with its figures.

    Args:
        decoder: How to search.
        sentence: One sentence.
        encoded: For each model, the sentence encoded (S = 1).
        info: Which models these are.
        asked: What is asked.

    Raises:
        IllegalActionError: If the prefix is illegal, with its step.
    """
    prefix, guide, before = asked.prefix, asked.guide, asked.before
    if before and (before.sentence, before.model, before.cut) != (sentence, info, _CUT):
        before = None
    watched: list[list[BeamEntry]] = []
    if decoder.beam == 1 and guide is None:
        earlier = EarlierWalk.of(before) if before else None
        best, read = decode_along(
            decoder, sentence, encoded, prefix, earlier, watched, asked.progress
        )
    else:
        guides = None if guide is None else [guide]
        (best,) = decoder.decode([sentence], encoded, [prefix], watched, guides, asked.progress)
        read = None
    actions = best.state.actions
    known = before.steps[: before.num_shared(actions)] if before else ()
    steps = tuple(replace(step, is_forced=n < len(prefix)) for n, step in enumerate(known))
    if len(steps) < len(actions):
        if read is None:
            *moments, _ = moments_of(decoder, sentence, actions)
            read = read_walk(decoder, encoded, moments)
        steps += steps_read(decoder, read, actions, len(prefix), len(steps))
    trace = trace_of(steps, best.state, info, finished(best, True))
    trace = replace(trace, beam=decoder.beam, prefix_length=len(prefix))
    return _finished_trace(trace, watched, decoder.config)


@torch.inference_mode()
def steps_read(
    decoder: Decoder,
    read: WalkRead,
    actions: Sequence[Action],
    num_forced: int,
    first: int = 0,
) -> tuple[Step, ...]:
    """Give the steps of a whole walk with their figures.

    Probabilities have full precision; attention is cut to the largest weights.

    Args:
        decoder: Its models read the walk.
        read: What they said.
        actions: All actions.
        num_forced: How many first actions a prefix forced.
        first: The first step that is wanted.
    """
    scores = [(output.logits[first:], output.pointer[first:]) for output in read.outputs]
    options = NextActions(decoder.setting, list(read.moments[first:]), scores)
    attention = _mean([output.token_attention for output in read.outputs])[:, :, first:]
    heads, self_heads = _heads(attention, 0), _heads(_mean(read.backs)[:, :, first:], -1)
    means = attention.mean((0, 1)).tolist()  # of (layers, H, T, N): (T, N)
    likeliest, entropies = _likeliest(options, NUM_ALTERNATIVES + 1), _entropies(options)
    return tuple(
        replace(
            _step(options, number, action, likeliest[number], means[number]),
            entropy=entropies[number],
            is_forced=first + number < num_forced,
            heads=heads[number],
            self_heads=self_heads[number],
        )
        for number, action in enumerate(actions[first:])
    )


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


def _step(
    options: NextActions,
    number: int,
    action: Action,
    others: Sequence[tuple[Action, float]],
    attention: Sequence[float],
) -> Step:
    row = options.rows[number]
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


def _likeliest(options: NextActions, count: int) -> list[list[tuple[Action, float]]]:
    """Give each row's most probable legal actions; an edge to another item is another action."""
    values, labels = options.scores.topk(min(count, options.scores.shape[1]))  # (R, count)
    pairs = zip(values.tolist(), labels.tolist(), strict=True)
    return [
        _legal_ones(options, number, list(zip(*own, strict=True)), count)
        for number, own in enumerate(pairs)
    ]


def _legal_ones(
    options: NextActions, number: int, labels: Iterable[tuple[float, int]], count: int
) -> list[tuple[Action, float]]:
    """Give what labels, each behind its log-probability, stand for, most probable first."""
    state = options.rows[number].state
    found = [
        one
        for value, label in labels
        if value > -torch.inf
        for one in _pointed(options, number, label, value)
    ]
    found.sort(key=lambda one: -one[0])
    actions = (
        (action.pointing_at(at) if isinstance(action, PointerAction) else action, math.exp(log))
        for log, action, at in found
    )
    return list(islice((pair for pair in actions if is_legal(state, pair[0])), count))


def _pointed(
    options: NextActions, number: int, label: int, value: float
) -> list[tuple[float, Action, int]]:
    """Give log-probabilities of the action of a label, for every item that it may name."""
    action = options.action(number, label)
    if not isinstance(action, PointerAction):
        return [(value, action, -1)]
    row = options.rows[number]
    places = reachable(options.choices[number], action)
    chosen, pointer = float(options.label_scores[number, label]), options.pointer[number]
    roots, positions = row.state.roots, row.reading.positions
    return [(chosen + pointer[positions[place]], action, roots[place].position) for place in places]


def _entropies(options: NextActions) -> list[float]:
    """Give each row's entropy over actions, in nats: that of labels, and of where they point."""
    logs = options.label_scores  # (R, V)
    shares = logs.exp()
    totals: list[float] = (-(shares * logs.clamp(min=torch.finfo(logs.dtype).min)).sum(1)).tolist()
    ids_of = options.setting.masks.ids_of
    kinds = {kind for choices in options.choices for kind in choices.places}
    masses = {kind: shares[:, ids_of[kind]].sum(1).tolist() for kind in kinds}
    for number, (row, choices) in enumerate(zip(options.rows, options.choices, strict=True)):
        for kind, places in choices.places.items():
            weights = [options.pointer[number][row.reading.positions[place]] for place in places]
            totals[number] += masses[kind][number] * _entropy_of(weights)
    return totals


def _entropy_of(weights: Sequence[float]) -> float:
    """Give the entropy of a choice by logarithms that need not add up to one."""
    largest = max(weights)
    if largest == -math.inf:
        return 0.0
    shares = [math.exp(weight - largest) for weight in weights]
    total = sum(shares)
    return (
        math.log(total)
        - sum(
            share * (weight - largest)
            for share, weight in zip(shares, weights, strict=True)
            if share
        )
        / total
    )
