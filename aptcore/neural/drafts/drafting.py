"""Greedy decoding of one sentence: several actions in one pass, where drafts guess them right.

What may come next is guessed without the model: under a correction by the walk before it, which
mostly goes on as it did, else by habits. The guessed actions are read in one pass, and kept up
to the first that the model would not take; its own is taken there. So each action is the one
that greedy decoding step by step takes (Decoder), known sooner: with one walk a pass over a
few steps takes little longer than over one, as the weights are read once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import torch
from torch import Tensor

from aptcore.graph.amr import Sentence
from aptcore.neural.decoding import Decoder
from aptcore.neural.drafts.earlier import EarlierWalk
from aptcore.neural.drafts.habits import shipped_habits
from aptcore.neural.model import Encoded
from aptcore.neural.next_actions import Hypothesis, NextActions
from aptcore.neural.steps.cache import StepCache
from aptcore.neural.steps.next_steps import NextSteps
from aptcore.neural.walks import WalkRead, moment_after, moments_of, read_walk
from aptcore.trace.trace import BeamEntry, Progress
from aptcore.transition.actions import Action
from aptcore.transition.machine import is_legal

_WORTH = 4
"""Actions that a pass along an earlier walk must bring; else habits guess better."""

_LEAST_SHARE, _MOST_GUESSES = 0.3, 4
"""How likely a row of guesses must be as a whole, and how long it is."""


@torch.inference_mode()
def decode_along(
    decoder: Decoder,
    sentence: Sentence,
    encoded: Sequence[Encoded],
    prefix: Sequence[Action] = (),
    earlier: EarlierWalk | None = None,
    watched: list[list[BeamEntry]] | None = None,
    progress: Progress | None = None,
) -> tuple[Hypothesis, WalkRead | None]:
    """Find the greedy walk of a sentence, as ``Decoder.decode`` does.

    Args:
        decoder: Its beam is 1.
        sentence: One sentence.
        encoded: For each model, the sentence encoded (S = 1).
        prefix: Actions forced at the start.
        earlier: Another walk over the sentence; it is used up.
        watched: Where given, each step appends what came up.
        progress: Told after each pass what lies behind.

    Returns:
        The walk; and what was read of it, where one pass read it all.

    Raises:
        IllegalActionError: If the prefix is illegal, with its step.
    """
    done = moments_of(decoder, sentence, prefix)
    _follow(earlier, done[1:])
    if done[-1].state.is_closed:
        return done[-1], None
    caches = [StepCache.start(e, s) for e, s in zip(encoded, decoder.steppers, strict=True)]
    read, num_poor = None, 0
    while not done[-1].state.is_closed:
        ahead = _proposed(decoder, done[-1], earlier)
        rows, first = [done[-1], *ahead], len(done) - 1
        if read is None:
            read = read_walk(decoder, encoded, [*done, *ahead], caches)
            scores = [(output.logits[first:], output.pointer[first:]) for output in read.outputs]
        else:
            stands = [(row.reading, row.state.cursor) for row in rows]
            size = len(sentence.tokens) + 1
            steps = NextSteps.of_walk(stands, first, size, decoder.config, decoder.device)
            pairs = zip(caches, decoder.steppers, strict=True)
            scores = [cache.step(stepper, steps) for cache, stepper in pairs]
        accepted = _accepted(decoder, rows, scores, watched)
        done += accepted
        for cache in caches:
            cache.past.length = len(done) - 1  # what was read of other actions is written over
        _follow(earlier, accepted)
        if earlier is not None:
            num_poor = num_poor + 1 if len(accepted) < min(_WORTH, len(ahead)) else 0
            earlier = None if num_poor == 2 else earlier
        if progress is not None and not done[-1].state.is_closed:
            progress(done[-1].state.cursor, len(sentence.tokens))
    return done[-1], read if read and len(read.moments) + 1 == len(done) else None


def _follow(earlier: EarlierWalk | None, moments: Sequence[Hypothesis]) -> None:
    if earlier is not None:
        for moment in moments:
            earlier.follow(moment.state.actions[-1], moment.state)


def _proposed(
    decoder: Decoder, moment: Hypothesis, earlier: EarlierWalk | None
) -> list[Hypothesis]:
    """Give the moments after the actions that are proposed next, as far as they are legal."""
    habits = shipped_habits(decoder.action_set)
    ahead = replace(earlier, at=dict(earlier.at)) if earlier else None
    moments: list[Hypothesis] = []
    likely, num_guesses = 1.0, 0
    while likely >= _LEAST_SHARE and num_guesses < _MOST_GUESSES:
        action = ahead.proposed() if ahead else None
        if action is None or not is_legal(moment.state, action):
            guess, ahead = habits.guess(moment.state), None
            if guess is None or not is_legal(moment.state, guess[0]):
                break
            action, likely, num_guesses = guess[0], likely * guess[1], num_guesses + 1
        moment = moment_after(decoder, moment, action, action.applied(moment.state))
        if moment.state.is_closed:
            break  # what closes a walk is not read
        moments.append(moment)
        if ahead is not None:
            ahead.follow(action, moment.state)
    return moments


def _accepted(
    decoder: Decoder,
    rows: list[Hypothesis],
    scores: list[tuple[Tensor, Tensor]],
    watched: list[list[BeamEntry]] | None,
) -> list[Hypothesis]:
    """Give those of the proposed moments that the models come to, and the first other one after.

    Args:
        decoder: Its options say what may come.
        rows: The moment that was reached, and the proposed ones after it.
        scores: What each model says at each of them.
        watched: Where given, each step appends what came up.
    """
    options = NextActions(decoder.setting, rows, scores)
    values, labels = (part.tolist() for part in options.scores.max(1))
    accepted = rows[:1]
    for number, label in enumerate(labels):
        before = accepted[-1]
        grown = options.take(number, label, before.score + values[number])
        accepted.append(grown._replace(hit_caps=before.hit_caps or grown.hit_caps))
        action, is_closed = grown.state.actions[-1], grown.state.is_closed
        if watched is not None:
            status: Literal["closed", "kept"] = "closed" if is_closed else "kept"
            place = None if is_closed else 0
            watched.append([BeamEntry(action, grown.score, 0, place, status)])
        if is_closed or number + 1 == len(rows) or action != rows[number + 1].state.actions[-1]:
            break
    return accepted[1:]
