"""Where rows stand that have no padding: all sequences of a batch one after another.

What works row by row takes them as they are. Attention needs them by place: each sequence
as long as the longest, each head by itself. So one pass of the model serves training and
decoding. Laid out by torch's own indexing, whose way back adds up what it takes, training
took a third longer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar, cast

import torch
from torch import Tensor

Part = TypeVar("Part")


@dataclass(frozen=True, eq=False)
class Padding:
    """Where R rows stand among B sequences of L places each.

    Attributes:
        rows: (B, L) int64, the row at each place; any row at a place that holds none.
        places: (R,) int64, the place of each row among the B * L; ascending where in order.
        sentences: (R,) int64, the sequence of each row.
        empty: (P,) int64, the places that hold no row.
        is_in_order: Whether the rows stand in their order.
    """

    rows: Tensor
    places: Tensor
    sentences: Tensor
    empty: Tensor
    is_in_order: bool = True
    _by_heads: dict[tuple[int, int], HeadPlaces] = field(
        default_factory=dict, init=False, repr=False
    )

    @classmethod
    def of(cls, lengths: Tensor) -> Padding:
        """Lay out B sequences of ``lengths`` rows, (B,) int64."""
        length = int(lengths.max())
        is_row = torch.arange(length, device=lengths.device) < lengths[:, None]  # (B, L)
        firsts = lengths.cumsum(0) - lengths  # (B,)
        sentences, steps = is_row.nonzero().unbind(1)  # (R,) each
        rows = torch.zeros_like(is_row, dtype=torch.int64)  # (B, L)
        places = sentences * length + steps
        rows.view(-1)[places] = firsts[sentences] + steps
        return cls(rows, places, sentences, (~is_row).flatten().nonzero()[:, 0])

    @classmethod
    def among(cls, rows: Sequence[Sequence[int]], device: torch.device) -> Padding:
        """Lay out B sequences of the given rows, each of which is in one of them."""
        length = max(map(len, rows))
        known = [(row, n, place) for n, own in enumerate(rows) for place, row in enumerate(own)]
        row, sentence, place = torch.tensor(sorted(known), device=device).unbind(1)  # (R,) each
        places = sentence * length + place
        at = torch.full((len(rows) * length,), -1, device=device).index_copy_(0, places, row)
        empty = (at < 0).nonzero()[:, 0]
        return cls(at.clamp_(min=0).view(-1, length), places, sentence, empty, False)

    @property
    def steps(self) -> Tensor:
        """The step of each row inside its sequence, (R,) int64."""
        return self.places - self.sentences * self.rows.shape[1]

    def by_place(self, rows: Tensor) -> Tensor:
        """Lay out rows by place, (R, D) to (B, L, D)."""
        taken: Tensor = _Taken.apply(rows, self.rows.flatten(), self.places, self.empty[:0])
        return taken.view(*self.rows.shape, -1)

    def at_rows(self, vectors: Tensor) -> Tensor:
        """Give what stands at the rows, (B, L, D) to (R, D)."""
        flat = vectors.reshape(self.rows.numel(), -1)
        taken: Tensor = _Taken.apply(flat, self.places, self.rows.flatten(), self.empty)
        return taken

    def spread(self, rows: Tensor, parts: int, num_heads: int) -> Tensor:
        """Lay out head vectors by place, (R, parts * H * K) to (parts, B * H, L, K)."""
        batch, length = self.rows.shape
        if self.is_in_order and not len(self.empty):
            by_head = rows.view(batch, length, parts, num_heads, -1).permute(2, 0, 3, 1, 4)
            return by_head.reshape(parts, batch * num_heads, length, -1)
        at = self.heads(parts, num_heads)
        vectors = rows.reshape(len(rows) * parts * num_heads, -1)
        taken: Tensor = _Taken.apply(vectors, at.rows, at.places, at.empty[:0])
        return taken.view(parts, batch * num_heads, length, -1)

    def joined(self, vectors: Tensor, num_heads: int) -> Tensor:
        """Give what stands at the rows, (B * H, L, K) to (R, H * K)."""
        batch, length = self.rows.shape
        if self.is_in_order and not len(self.empty):
            by_place = vectors.view(batch, num_heads, length, -1).transpose(1, 2)
            return by_place.reshape(batch * length, -1)
        at = self.heads(1, num_heads)
        taken: Tensor = _Taken.apply(vectors.flatten(0, 1), at.places, at.rows, at.empty)
        return taken.view(len(self.places), -1)

    def heads(self, parts: int, num_heads: int) -> HeadPlaces:
        """Give the places of (R, parts, H) head vectors among (parts, B, H, L)."""
        key = (parts, num_heads)
        if key not in self._by_heads:
            (batch, length), device = self.rows.shape, self.rows.device
            rows = torch.arange(len(self.places) * parts * num_heads, device=device)
            rows = rows.view(-1, parts, num_heads)[self.rows]  # (B, L, parts, H)
            places = torch.arange(self.rows.numel() * parts * num_heads, device=device)
            places = places.view(parts, batch, num_heads, length).permute(1, 3, 0, 2).flatten(0, 1)
            self._by_heads[key] = HeadPlaces(
                rows.permute(2, 0, 3, 1).flatten(),
                places[self.places].flatten(),
                places[self.empty].flatten(),
            )
        return self._by_heads[key]


class HeadPlaces(NamedTuple):
    """A :class:`Padding` for head vectors of width K.

    Attributes:
        rows: (parts * B * H * L,) int64.
        places: (R * parts * H,) int64.
        empty: (P * parts * H,) int64.
    """

    rows: Tensor
    places: Tensor
    empty: Tensor


class _Taken(torch.autograd.Function):
    """Vectors taken by index, where the way back is known as an index too."""

    @staticmethod
    def forward(ctx: Any, vectors: Tensor, index: Tensor, back: Tensor, unused: Tensor) -> Tensor:
        """(n, K) to (len(index), K); ``unused`` are not in ``index``, all others once."""
        ctx.back, ctx.unused = back, unused
        return vectors.index_select(0, index)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        """Take the gradients back, where torch would add them up one by one."""
        gradient = gradients[0].index_select(0, ctx.back)
        return gradient.index_fill_(0, ctx.unused, 0.0), None, None, None


def moved(value: Part, device: torch.device) -> Part:
    """Move a tensor, or all tensors of a dataclass, to a device; all else stays."""
    if isinstance(value, Tensor):
        return cast(Part, value.to(device))
    if not is_dataclass(value) or isinstance(value, type):
        return value
    own = {part.name for part in fields(value) if part.init}
    return replace(
        value, **{name: moved(v, device) for name, v in vars(value).items() if name in own}
    )


@lru_cache(maxsize=8)
def sinusoidal_positions(length: int, width: int) -> Tensor:
    """Give sinusoidal position vectors, (length, width) float32.

    Source: Vaswani and others 2017, section 3.5, sines and cosines in two halves.
    """
    half = width // 2
    rates = torch.exp(torch.arange(half, dtype=torch.float32) * -(math.log(10000) / (half - 1)))
    angles = torch.arange(length, dtype=torch.float32)[:, None] * rates[None, :]  # (length, half)
    return torch.cat([angles.sin(), angles.cos()], dim=1)  # (length, width)


@lru_cache(maxsize=8)
def _positions_on(length: int, width: int, device: torch.device, dtype: torch.dtype) -> Tensor:
    return sinusoidal_positions(length, width).to(device=device, dtype=dtype)


def positions_until(stop: int, like: Tensor) -> Tensor:
    """Give at least the first ``stop`` position vectors, (positions, D), of the kind of (R, D)."""
    length = max(512, 1 << (stop - 1).bit_length())
    return _positions_on(length, like.shape[-1], like.device, like.dtype)


def with_positions(x: Tensor, padding: Padding) -> Tensor:
    """Add position vectors to (R, D); every sequence begins at position 0."""
    return x + positions_until(padding.rows.shape[1], x).index_select(0, padding.steps)
