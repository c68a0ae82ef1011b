"""The order of batches and the learning rate: functions of the seed and the step alone."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from trainer.config import TrainConfig
from trainer.examples.corpora import Example


def batches_of(examples: Sequence[Example], batch_actions: int, seed: int) -> list[list[int]]:
    """Group examples of like length and shuffle the groups; the same for the same seed.

    Args:
        examples: All examples.
        batch_actions: Longest walk times number of walks in a batch, at most.
        seed: Of this epoch.
    """
    draw = random.Random(seed)
    order = list(range(len(examples)))
    draw.shuffle(order)
    order.sort(key=lambda n: len(examples[n].walk) * (1 + 0.1 * draw.random()))
    batches: list[list[int]] = [[]]
    longest = 0
    for number in order:
        longest = max(longest, len(examples[number].walk))
        if batches[-1] and (len(batches[-1]) + 1) * longest > batch_actions:
            batches.append([])
            longest = len(examples[number].walk)
        batches[-1].append(number)
    draw.shuffle(batches)
    return batches


def rate_at(config: TrainConfig, step: int, num_steps: int) -> float:
    """Give the learning rate of a step, counted from 1."""
    loop = config.loop
    if loop.schedule == "inverse-sqrt":
        warm = min(1.0, step / loop.warmup_steps)
        return loop.learning_rate * min(warm, math.sqrt(loop.warmup_steps / step))
    return loop.learning_rate * _linear(loop.warmup_steps, step, num_steps)


def encoder_rate_at(config: TrainConfig, step: int, num_steps: int) -> float:
    """Give the learning rate of the encoder's layers at a step, counted from 1."""
    return config.encoder.learning_rate * _linear(config.loop.warmup_steps, step, num_steps)


def _linear(warmup_steps: int, step: int, num_steps: int) -> float:
    """Rise to 1 until the end of the warm-up, fall to 0 until the end."""
    left = max(0.0, (num_steps - step) / max(1, num_steps - warmup_steps))
    return min(1.0, step / warmup_steps, left)
