"""Decoding step by step with cached keys and values.

One cache holds R rows: a fixed number of beams for each sentence. All rows have
read the same number of steps. A step computes only its own row of everything;
the results equal those of a full pass.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from aptcore.neural.model import (
    AFTER_HEAD,
    CURSOR_HEAD,
    LEFT_ARC_HEAD,
    RIGHT_ARC_HEAD,
    AptModel,
    AttentionMask,
    DecoderInput,
    Encoded,
)

_FIRST_CAPACITY = 64


@dataclass
class StepCache:
    """Keys and values of the steps read so far.

    Attributes:
        encoded: The S sentences.
        beams: Rows for each sentence; R = S * beams.
        past: For each layer, keys and values (R * H, capacity, K).
        length: Steps read.
    """

    encoded: Encoded
    beams: int
    past: list[tuple[Tensor, Tensor]]
    length: int = 0

    @classmethod
    def start(cls, model: AptModel, encoded: Encoded, beams: int) -> StepCache:
        """Make an empty cache."""
        heads = model.config.num_heads
        rows = encoded.token_mask.shape[0] * beams * heads
        shape = (rows, _FIRST_CAPACITY, model.config.width // heads)
        like = encoded.keys[0]
        past = [(like.new_zeros(shape), like.new_zeros(shape)) for _ in encoded.keys]
        return cls(encoded, beams, past)

    def select(self, rows: Tensor, sentences: Tensor | None = None) -> None:
        """Keep the rows ``rows``, (R',) int64, in that order.

        Args:
            rows: R' rows: ``beams`` for each kept sentence.
            sentences: The kept sentences, (S',) int64; None keeps all of them.
        """
        self.past = [(self._picked(k, rows), self._picked(v, rows)) for k, v in self.past]
        if sentences is not None:
            self.encoded = self.encoded.select(sentences)

    def copy_rows(self, origins: Tensor, targets: Tensor) -> None:
        """Overwrite the rows ``targets`` by the rows ``origins``, (n,) int64 each."""
        for pair in self.past:
            for past in pair:
                by_row = self._by_row(past)[:, :, : self.length]
                by_row.index_copy_(0, targets, by_row.index_select(0, origins))

    def _by_row(self, past: Tensor) -> Tensor:
        """(R * H, capacity, K) to (R, H, capacity, K)."""
        heads = self.encoded.keys[0].shape[1]
        return past.view(-1, heads, *past.shape[1:])

    def _picked(self, past: Tensor, rows: Tensor) -> Tensor:
        by_row = self._by_row(past)
        kept = past.new_empty(len(rows), *by_row.shape[1:])
        kept[:, :, : self.length] = by_row[:, :, : self.length].index_select(0, rows)
        return kept.view(-1, *past.shape[1:])

    def make_room(self) -> None:
        """Double the capacity where the next step would not fit."""
        capacity = self.past[0][0].shape[1]
        if self.length < capacity:
            return
        self.past = [(_widened(keys), _widened(values)) for keys, values in self.past]


def _widened(past: Tensor) -> Tensor:
    wider = past.new_zeros(past.shape[0], 2 * past.shape[1], past.shape[2])
    wider[:, : past.shape[1]] = past
    return wider


@dataclass(frozen=True)
class StepInput:
    """What one step reads for R rows; the last column of a DecoderInput.

    Attributes:
        ids: (R,) int64.
        edge_ids: (R,) int64.
        cursor: (R,) int64.
        left_links: Input positions that the LA head sees, for each row.
        right_links: The same for the RA head.
    """

    ids: Tensor
    edge_ids: Tensor
    cursor: Tensor
    left_links: list[tuple[int, ...]]
    right_links: list[tuple[int, ...]]


@torch.inference_mode()
def prefill(
    model: AptModel, encoded: Encoded, inputs: DecoderInput
) -> tuple[StepCache, Tensor, Tensor]:
    """Read a forced prefix in one pass.

    Args:
        model: In evaluation mode.
        encoded: S sentences.
        inputs: S rows of T steps, no padding.

    Returns:
        A cache with one beam that holds the T steps, and the last step's label scores
        (S, V) and pointer log-probabilities (S, T).
    """
    output = model(encoded, inputs)
    cache = StepCache.start(model, encoded, 1)
    steps = inputs.ids.shape[1]
    while cache.past[0][0].shape[1] < steps:
        cache.past = [(_widened(keys), _widened(values)) for keys, values in cache.past]
    for (keys, values), (key, value) in zip(cache.past, output.past, strict=True):
        keys[:, :steps] = key.reshape(-1, *key.shape[2:])
        values[:, :steps] = value.reshape(-1, *value.shape[2:])
    cache.length = steps
    return cache, output.logits[:, -1], output.pointer[:, -1]


@torch.inference_mode()
def step(model: AptModel, cache: StepCache, inputs: StepInput) -> tuple[Tensor, Tensor]:
    """Read one more step.

    Returns:
        Label scores (R, V), no mask applied, and pointer log-probabilities
        (R, length) over the input positions read so far.
    """
    cache.make_room()
    x = model.embed(inputs.ids[:, None], inputs.edge_ids[:, None], cache.length)[:, 0]  # (R, D)
    cache.length += 1
    self_mask = None
    if model.config.graph_embedding:
        self_mask = AttentionMask.of(_self_mask(model, cache, inputs))
    cross_mask = AttentionMask.of(_cross_mask(model, cache, inputs.cursor))
    pointer = None
    for index, layer in enumerate(model.layers):
        crossing = (cache.encoded.keys[index], cache.encoded.values[index])
        x, pointer = layer.step(x, cache.past[index], cache.length, crossing, self_mask, cross_mask)
    assert pointer is not None  # the top layer always has one
    return model.output_table(x), pointer


def _self_mask(model: AptModel, cache: StepCache, inputs: StepInput) -> Tensor:
    """Give what the self-attention heads of the graph layers see, (R * H, 1, length) bool."""
    rows, heads = len(inputs.left_links), model.config.num_heads
    mask = torch.ones(rows, heads, cache.length, dtype=torch.bool)
    mask[:, LEFT_ARC_HEAD] = False
    mask[:, RIGHT_ARC_HEAD] = False
    for head, links in (
        (LEFT_ARC_HEAD, inputs.left_links),
        (RIGHT_ARC_HEAD, inputs.right_links),
    ):
        places = [row for row, positions in enumerate(links) for _ in positions]
        mask[places, head, [position for positions in links for position in positions]] = True
    return mask.view(rows * heads, 1, cache.length).to(inputs.ids.device)


def _cross_mask(model: AptModel, cache: StepCache, cursor: Tensor) -> Tensor:
    """Give what the cross-attention heads see, (S * H, beams, N) bool."""
    token_mask = cache.encoded.token_mask
    sentences, tokens = token_mask.shape
    heads = model.config.num_heads
    mask = token_mask[:, None, None, :].expand(-1, heads, cache.beams, -1)
    if model.config.cursor_masks:
        mask = mask.clone()
        positions = torch.arange(tokens, device=cursor.device)
        places = cursor.view(sentences, cache.beams, 1)
        mask[:, CURSOR_HEAD] = positions == places
        mask[:, AFTER_HEAD] &= positions > places
    return mask.reshape(sentences * heads, cache.beams, tokens)
