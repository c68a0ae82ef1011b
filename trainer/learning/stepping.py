"""One step of training: the loss of a batch, its gradient over all processes, new weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import torch
from torch import Tensor

from aptcore.neural.encoders.word_encoder import WordEncoder, sentence_shapes
from aptcore.neural.padding import moved
from trainer.config import LoopConfig
from trainer.examples.corpora import Example, vectors_of
from trainer.examples.packing import pack_batch
from trainer.learning.adam import Adam
from trainer.learning.loss import Learner
from trainer.learning.workers import Workers

_shapes_of = lru_cache(maxsize=1 << 16)(sentence_shapes)

_SEEDS = 1_000_003
"""More steps than a run has: the seeds of two runs or processes do not meet."""


@dataclass(frozen=True)
class Stepped:
    """What a step did.

    Attributes:
        action_loss: Sum over the batch, in nats.
        pointer_loss: Likewise.
        actions: In the batch.
        bad: Sentences whose loss or gradient was not finite; then no weight changed.
        is_stop_asked: Whether any process was asked to stop.
    """

    action_loss: float
    pointer_loss: float
    actions: int
    bad: tuple[str, ...]
    is_stop_asked: bool


class Stepper:
    """Takes steps; all processes of a run take them together."""

    def __init__(
        self,
        learner: Learner,
        encoder: WordEncoder,
        optimizer: Adam,
        loop: LoopConfig,
        workers: Workers,
    ) -> None:
        self.learner = learner
        self.encoder = encoder
        self.optimizer = optimizer
        self.loop = loop
        self.workers = workers

    def step(
        self, examples: Sequence[Example], number: int, rates: Sequence[float], is_stop_asked: bool
    ) -> Stepped:
        """Do one step.

        Args:
            examples: The whole batch; this process does its share of it.
            number: Of the step in the run; dropout depends on it.
            rates: The learning rates, of the model and of the encoder.
            is_stop_asked: Whether this process was asked to stop.
        """
        workers = self.workers
        torch.manual_seed((self.loop.seed + (workers.rank << 32)) * _SEEDS + number)
        actions = sum(len(example.walk) for example in examples)
        losses, is_bad = self._learn(workers.share(examples), actions)
        told = torch.zeros(3 + workers.count, device=workers.device)
        told[:2] = losses
        told[2] = is_stop_asked
        told[3 + workers.rank] = is_bad
        if workers.count > 1:
            workers.add_up([*self._all_gradients(is_bad), told])
        action_loss, pointer_loss, stop, *bad = told.tolist()
        names: tuple[str, ...] = ()
        if any(bad):
            rank = next(place for place, value in enumerate(bad) if value)
            names = tuple(e.sentence.id for e in examples[rank :: workers.count])
        elif not self.optimizer.step(rates, self.loop.clip_norm):
            names = tuple(e.sentence.id for e in examples)
        return Stepped(action_loss, pointer_loss, actions, names, bool(stop))

    def _learn(self, examples: Sequence[Example], actions: int) -> tuple[Tensor, bool]:
        """Leave the gradient of a share of a batch; gives its losses, and whether they are bad."""
        self.optimizer.forget_gradients()
        if not examples:
            return torch.zeros(2), False
        with self.workers.precisely():
            vectors = vectors_of(examples, self.encoder)
        batch = pack_batch(
            [example.walk for example in examples],
            vectors,
            [_shapes_of(example.sentence.tokens) for example in examples],
        )
        if self.workers.device.type != "cpu":
            batch = moved(batch, self.workers.device)
        with self.workers.precisely():
            losses = self.learner(batch)  # (2,) actions, pointers
        total = losses.sum() / actions
        if not torch.isfinite(total):
            return torch.zeros(2), True
        total.backward()
        return losses.detach(), False

    def _all_gradients(self, is_bad: bool) -> list[Tensor]:
        """Give a gradient for every parameter, as all processes must; zeros where there is none."""
        for parameter in self.optimizer.parameters:
            if parameter.grad is None or is_bad:
                parameter.grad = torch.zeros_like(parameter)
        return self.optimizer.gradients()
