"""Keys and values of the steps read so far, for decoding step by step.

A cache holds R walks, any number for each sentence. All have read the same number of
steps. A step computes only its own row of everything; the results equal those of a pass
over the whole walks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from aptcore.neural.model import AptModel, Encoded, KeptHeads, Past, Steps
from aptcore.neural.steps.memory import WordMemory
from aptcore.neural.steps.next_steps import NextSteps
from aptcore.neural.steps.stepper import Stepper

_FIRST_CAPACITY = 64


@dataclass
class StepCache:
    """What a model has read.

    Attributes:
        memory: The S sentences.
        past: Keys and values of the R walks.
    """

    memory: WordMemory
    past: Past

    @classmethod
    def start(cls, encoded: Encoded, stepper: Stepper) -> StepCache:
        """Make an empty cache with one walk for each sentence."""
        sentences, _, _, width = encoded.keys[0].shape
        layers = []
        for parts in stepper.head_parts:
            shapes = [(sentences, len(heads), _FIRST_CAPACITY, width) for heads in parts]
            rooms = [[encoded.keys[0].new_empty(shape) for _ in range(2)] for shape in shapes]
            layers.append([KeptHeads(p, *room) for p, room in zip(parts, rooms, strict=True)])
        return cls(stepper.memory_of(encoded), Past(layers))

    @torch.inference_mode()
    def read(self, model: AptModel, encoded: Encoded, steps: Steps) -> tuple[Tensor, Tensor]:
        """Read the first steps of every walk, equally many.

        Returns:
            Of the last of them label scores (R, V), no mask applied, and pointer
            log-probabilities (R, length) over the input positions read so far.
        """
        last = steps.walks.rows[:, -1]
        self.make_room(*steps.walks.rows.shape)
        output = model(encoded, steps, self.past, last)
        return output.logits[last], output.pointer

    @torch.inference_mode()
    def step(self, stepper: Stepper, steps: NextSteps) -> tuple[Tensor, Tensor]:
        """Read what follows; gives of each step what :meth:`read` gives of the last."""
        self.make_room(steps.num_walks, len(steps.ids) // steps.num_walks)
        return stepper.read(self.memory, self.past, steps)

    @property
    def capacity(self) -> int:
        """Steps that there is room for."""
        return self.past.layers[0][0].keys.shape[2]

    def make_room(self, walks: int, steps: int) -> None:
        """Double the capacity of the first ``walks`` rows, which are all, until the steps fit."""
        length = self.past.length
        while self.capacity < length + steps:
            self._map_past(lambda part: _widened(part[:walks], length))

    def copy_walks(self, moves: Sequence[tuple[int, int]]) -> None:
        """Copy walks to other rows, which may lie past the last one.

        Args:
            moves: Rows from and to; none is both.
        """
        origins, targets = _index(moves, self.past.layers[0][0].keys.device)
        num_rows, length = 1 + max(target for _, target in moves), self.past.length

        def copied(part: Tensor) -> Tensor:
            room = part
            if len(part) < num_rows:
                room = part.new_empty(max(num_rows, 2 * len(part)), *part.shape[1:])
                room[: len(part), :, :length] = part[:, :, :length]
            read = room[:, :, :length]
            read.index_copy_(0, targets, read.index_select(0, origins))
            return room

        self._map_past(copied)

    def move_sentences(self, moves: Sequence[tuple[int, int]], num_kept: int) -> None:
        """Move sentences to the places of others; the first ``num_kept`` stay.

        Args:
            moves: Places from and to; none is both.
            num_kept: How many are left.
        """
        if moves:
            origins, targets = _index(moves, self.memory.keys[0].device)
            self.memory.mapped(lambda t: t.index_copy_(0, targets, t.index_select(0, origins)))
        self.memory = self.memory.mapped(lambda t: t[:num_kept])

    def _map_past(self, change: Callable[[Tensor], Tensor]) -> None:
        self.past.layers = [
            [KeptHeads(heads, change(keys), change(values)) for heads, keys, values in layer]
            for layer in self.past.layers
        ]


def _index(moves: Sequence[tuple[int, int]], device: torch.device) -> tuple[Tensor, Tensor]:
    origins, targets = torch.tensor(moves, device=device).unbind(1)
    return origins, targets


def _widened(past: Tensor, length: int) -> Tensor:
    walks, heads, capacity, width = past.shape
    room = past.new_empty(walks, heads, 2 * capacity, width)
    room[:, :, :length] = past[:, :, :length]
    return room
