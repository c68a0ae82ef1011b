"""One walk as models read it: moment by moment, in one pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from aptcore.graph.amr import Sentence
from aptcore.neural.decoding import Decoder
from aptcore.neural.masks import Walk, add_step, first_reading, steps_of
from aptcore.neural.model import DecoderOutput, Encoded
from aptcore.neural.next_actions import Hypothesis
from aptcore.neural.padding import moved
from aptcore.neural.steps.cache import StepCache
from aptcore.transition.actions import Action, format_label
from aptcore.transition.machine import advance, start
from aptcore.transition.reading import read_action
from aptcore.transition.state import ParserState


def moments_of(decoder: Decoder, sentence: Sentence, actions: Sequence[Action]) -> list[Hypothesis]:
    """Follow actions; gives the moment before each of them and the one after all.

    Raises:
        IllegalActionError: At the first illegal action.
    """
    reading, state = first_reading(decoder.masks.vocabulary), start(sentence, decoder.action_set)
    moments = [Hypothesis(state, reading)]
    for action in actions:
        moments.append(moment_after(decoder, moments[-1], action, advance(state, action)))
        state = moments[-1].state
    return moments


def moment_after(
    decoder: Decoder, moment: Hypothesis, action: Action, state: ParserState
) -> Hypothesis:
    """Give the moment after an action, from that before and the state after it."""
    label = decoder.masks.vocabulary.encode(format_label(action))
    has_views = decoder.config.graph_embedding
    reading = read_action(moment.reading, moment.state, action, label, has_views)
    return Hypothesis(state, reading)


class WalkRead(NamedTuple):
    """What models say at T moments of one walk.

    Attributes:
        moments: The moments.
        outputs: Of each model.
        backs: Of each model, for each layer the weights of self-attention, (1, H, T, T).
    """

    moments: Sequence[Hypothesis]
    outputs: list[DecoderOutput]
    backs: list[list[Tensor]]


@torch.inference_mode()
def read_walk(
    decoder: Decoder,
    encoded: Sequence[Encoded],
    moments: Sequence[Hypothesis],
    caches: Sequence[StepCache] | None = None,
) -> WalkRead:
    """Read a walk, from its first moment on, in one pass of each model.

    Args:
        decoder: Its models read.
        encoded: For each of them, the sentence encoded (S = 1).
        moments: The moments.
        caches: For each model, where to keep what it has read, to go on from there.
    """
    walk = Walk()
    for moment in moments:
        add_step(walk, moment.reading, moment.state)
    steps = moved(steps_of([walk]), decoder.device)
    backs: list[list[Tensor]] = [[] for _ in decoder.models]
    for cache in caches or ():
        cache.make_room(1, len(moments))
    pasts = [cache.past for cache in caches] if caches else [None] * len(backs)
    models = zip(decoder.models, encoded, pasts, backs, strict=True)
    outputs = [model(each, steps, past, None, back) for model, each, past, back in models]
    return WalkRead(moments, outputs, backs)
