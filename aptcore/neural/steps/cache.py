"""Keys and values of the steps read so far, for decoding step by step.

A cache holds R walks, any number for each sentence. All have read the same number of
steps. A step computes only its own row of everything; the results equal those of a pass
over the whole walks.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    _owns_encoded: bool = False

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

    def copy_walks(self, moves: Sequence[tuple[int, int]]) -> None:
        """Copy walks to other rows, which may lie past the last one.

        Args:
            moves: Rows from and to; none is both.
        """
        origins, targets = _index(moves, self.past.layers[0][0].device)
        num_rows = 1 + max(target for _, target in moves)
        for layer, pair in enumerate(self.past.layers):
            keys, values = (self._with_rows(part, num_rows) for part in pair)
            self.past.layers[layer] = keys, values
            for part in (keys, values):
                by_row = self._by_row(part)[:, :, : self.past.length]
                by_row.index_copy_(0, targets, by_row.index_select(0, origins))

    def move_sentences(self, moves: Sequence[tuple[int, int]], num_kept: int) -> None:
        """Move sentences to the places of others; the first ``num_kept`` stay.

        Args:
            moves: Places from and to; none is both.
            num_kept: How many are left.
        """
        if moves and not self._owns_encoded:  # others may hold what was given
            self.encoded, self._owns_encoded = self.encoded.mapped(torch.clone), True
        if moves:
            origins, targets = _index(moves, self.encoded.token_mask.device)
            self.encoded.mapped(lambda t: t.index_copy_(0, targets, t.index_select(0, origins)))
        self.encoded = self.encoded.mapped(lambda t: t[:num_kept])

    def _by_row(self, past: Tensor) -> Tensor:
        """(R * H, capacity, K) to (R, H, capacity, K)."""
        return past.unflatten(0, (-1, self.encoded.keys[0].shape[1]))

    def _with_rows(self, past: Tensor, num_rows: int) -> Tensor:
        """Give (R * H, capacity, K) room for as many walks at least."""
        by_row = self._by_row(past)
        if len(by_row) >= num_rows:
            return past
        room = past.new_empty(max(num_rows, 2 * len(by_row)), *by_row.shape[1:])
        room[: len(by_row), :, : self.past.length] = by_row[:, :, : self.past.length]
        return room.flatten(0, 1)


def _index(moves: Sequence[tuple[int, int]], device: torch.device) -> tuple[Tensor, Tensor]:
    origins, targets = torch.tensor(moves, device=device).unbind(1)
    return origins, targets


def _widened(past: Tensor) -> Tensor:
    return torch.cat([past, torch.zeros_like(past)], 1)
