"""Keys and values of the steps read so far, for decoding step by step.

A cache holds R walks, equally many for each sentence. All have read the same number of
steps. A step computes only its own row of everything; the results equal those of a pass
over the whole walks.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from aptcore.neural.model import AptModel, Encoded, Past, Steps

_FIRST_CAPACITY = 64


@dataclass
class StepCache:
    """What a model has read.

    Attributes:
        encoded: The S sentences.
        past: Keys and values of the R walks.
    """

    encoded: Encoded
    past: Past

    @classmethod
    def start(cls, encoded: Encoded) -> StepCache:
        """Make an empty cache with one walk for each sentence."""
        like = encoded.keys[0]
        shape = (like.shape[0] * like.shape[1], _FIRST_CAPACITY, like.shape[3])
        layers = [(like.new_zeros(shape), like.new_zeros(shape)) for _ in encoded.keys]
        return cls(encoded, Past(layers))

    @torch.inference_mode()
    def read(self, model: AptModel, steps: Steps) -> tuple[Tensor, Tensor]:
        """Read equally many more steps of every walk.

        Returns:
            Of the last of them label scores (R, V), no mask applied, and pointer
            log-probabilities (R, length) over the input positions read so far.
        """
        num_steps, last = steps.walks.rows.shape[1], steps.walks.rows[:, -1]
        self.make_room(num_steps)
        output = model(self.encoded, steps, self.past)
        if num_steps == 1:
            return output.logits, output.pointer
        return output.logits[last], output.pointer[last]

    def make_room(self, steps: int) -> None:
        """Double the capacity until that many more steps fit."""
        while self.past.layers[0][0].shape[1] < self.past.length + steps:
            self.past.layers = [(_widened(k), _widened(v)) for k, v in self.past.layers]

    def select(self, rows: Tensor, sentences: Tensor | None = None) -> None:
        """Keep the walks ``rows``, (R',) int64, in that order.

        Args:
            rows: Equally many for each kept sentence.
            sentences: The kept sentences, (S',) int64; None keeps all of them.
        """
        self.past.layers = [
            (self._picked(k, rows), self._picked(v, rows)) for k, v in self.past.layers
        ]
        if sentences is not None:
            self.encoded = self.encoded.select(sentences)

    def copy_rows(self, origins: Tensor, targets: Tensor) -> None:
        """Overwrite the walks ``targets`` by the walks ``origins``, (n,) int64 each."""
        for pair in self.past.layers:
            for past in pair:
                by_row = self._by_row(past)[:, :, : self.past.length]
                by_row.index_copy_(0, targets, by_row.index_select(0, origins))

    def _by_row(self, past: Tensor) -> Tensor:
        """(R * H, capacity, K) to (R, H, capacity, K)."""
        return past.unflatten(0, (-1, self.encoded.keys[0].shape[1]))

    def _picked(self, past: Tensor, rows: Tensor) -> Tensor:
        by_row = self._by_row(past)
        kept = past.new_empty(len(rows), *by_row.shape[1:])
        kept[:, :, : self.past.length] = by_row[:, :, : self.past.length].index_select(0, rows)
        return kept.flatten(0, 1)


def _widened(past: Tensor) -> Tensor:
    return torch.cat([past, torch.zeros_like(past)], 1)
