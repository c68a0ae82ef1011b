"""Walks as training keeps and reads them: small integers, and batches without padding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import torch
from torch import Tensor

from aptcore.masks import Walk
from aptcore.model import PackedBatch, Padding


@dataclass(frozen=True, eq=False)
class PackedWalk:
    """A :class:`aptcore.masks.Walk` of T steps in int32; about 50 bytes a step.

    Attributes:
        ids: (T,) as there, and so the next five.
        edge_ids: (T,).
        cursor: (T,).
        targets: (T,).
        pointers: (T,).
        legal: (T,) numbers of rows of LabelMasks.
        left: (n, 2) step and position of what the LA head sees.
        right: (n, 2) the same for the RA head.
        illegal: (n, 2) step and label that the rows do not rule out.
        replaced: (T,) for a position that reads an item, the later one that reads it anew,
            or T; 0 where no item is read.
    """

    ids: Tensor
    edge_ids: Tensor
    cursor: Tensor
    targets: Tensor
    pointers: Tensor
    legal: Tensor
    left: Tensor
    right: Tensor
    illegal: Tensor
    replaced: Tensor

    def __len__(self) -> int:
        return len(self.ids)


def pack_walk(walk: Walk) -> PackedWalk:
    """Keep of a walk what training reads."""
    return PackedWalk(
        ids=_integers(walk.ids),
        edge_ids=_integers(walk.edge_ids),
        cursor=_integers(walk.cursor),
        targets=_integers(walk.targets),
        pointers=_integers(walk.pointers),
        legal=_integers(walk.legal),
        left=_integers(walk.left).view(-1, 2),
        right=_integers(walk.right).view(-1, 2),
        illegal=_integers(walk.illegal).view(-1, 2),
        replaced=_integers(_replaced(walk.items)),
    )


def _integers(values: Sequence[int] | Sequence[tuple[int, int]]) -> Tensor:
    return torch.tensor(values, dtype=torch.int32)


def _replaced(items: Sequence[tuple[int, ...]]) -> list[int]:
    """Give for each position that reads an item where it is read next, or the number of steps."""
    replaced = [0] * len(items)
    for position in {position for positions in items for position in positions}:
        replaced[position] = len(items)
    for before, after in pairwise(items):
        for old, new in zip(before, after, strict=False):
            if old != new:
                replaced[old] = new
    return replaced


@dataclass(frozen=True)
class Targets:
    """What a packed batch of R steps is to predict.

    Attributes:
        labels: (R,) int64; -1 where the vocabulary lacks the label.
        legal: (R,) int64, numbers of rows of LabelMasks.
        illegal: (n, 2) int64, row and label that those do not rule out.
        pointers: (E,) int64, the position that each pointing step points to.
        items: (E, T) bool, the positions of the items before each pointing step.
    """

    labels: Tensor
    legal: Tensor
    illegal: Tensor
    pointers: Tensor
    items: Tensor

    def to(self, device: torch.device) -> Targets:
        """Move them to a device."""
        return Targets(*(tensor.to(device) for tensor in vars(self).values()))


def pack_batch(
    walks: Sequence[PackedWalk], vectors: Sequence[Tensor], shapes: Sequence[Sequence[int]]
) -> tuple[PackedBatch, Targets]:
    """Put walks and their sentences one after another.

    Args:
        walks: B walks.
        vectors: For each, (words, width) word vectors.
        shapes: For each, the shapes of its words.

    Returns:
        What the model reads, and what it is to predict; on the processor.
    """
    steps = Padding.of(torch.tensor([len(walk) for walk in walks]))
    firsts = steps.rows[:, 0].tolist()
    pointers = torch.cat([walk.pointers for walk in walks]).long()  # (R,)
    pointing_rows = (pointers >= 0).nonzero()[:, 0]  # (E,)
    pointers = pointers[pointing_rows]  # (E,)
    left = _placed([walk.left for walk in walks], firsts)
    right = _placed([walk.right for walk in walks], firsts)
    item_rows, items, links = _links(left, right, steps)
    words = Padding.of(torch.tensor([len(vector) + 1 for vector in vectors]))
    root = vectors[0].new_zeros(1, vectors[0].shape[1])
    is_root = torch.zeros(len(words.places), dtype=torch.bool)
    is_root[words.rows.max(1).values] = True
    batch = PackedBatch(
        word_vectors=torch.cat([part for vector in vectors for part in (vector, root)]),
        shapes=torch.tensor([shape for sentence in shapes for shape in (*sentence, 0)]),
        is_root=is_root,
        words=words,
        ids=torch.cat([walk.ids for walk in walks]).long(),
        edge_ids=torch.cat([walk.edge_ids for walk in walks]).long(),
        cursor=torch.cat([walk.cursor for walk in walks]).long(),
        steps=steps,
        item_rows=item_rows,
        items=items,
        links=links,
        pointing_rows=pointing_rows,
    )
    illegal = _placed([walk.illegal for walk in walks], firsts)
    illegal[:, 1] -= torch.tensor(firsts).repeat_interleave(
        torch.tensor([len(walk.illegal) for walk in walks])
    )
    targets = Targets(
        labels=torch.cat([walk.targets for walk in walks]).long(),
        legal=torch.cat([walk.legal for walk in walks]).long(),
        illegal=illegal,
        pointers=pointers,
        items=_items_before(walks, steps, pointing_rows),
    )
    return batch, targets


def _placed(pairs: Sequence[Tensor], firsts: Sequence[int]) -> Tensor:
    """Move pairs of steps of single walks to rows of the batch, (n, 2) int64."""
    return torch.cat([pair + first for pair, first in zip(pairs, firsts, strict=True)]).long()


def _links(left: Tensor, right: Tensor, steps: Padding) -> tuple[Tensor, Padding, Tensor]:
    """Lay out the rows that the graph heads look from or at; see PackedBatch."""
    is_item = torch.zeros(len(steps.places), dtype=torch.bool)
    for pairs in (left, right):
        is_item[pairs.flatten()] = True
    item_rows = is_item.nonzero()[:, 0]  # (S,)
    counts = torch.bincount(steps.sentences[item_rows], minlength=len(steps.rows))
    items = Padding.of(counts)
    length = items.rows.shape[1]
    place = torch.zeros(len(steps.places), dtype=torch.int64)
    place[item_rows] = items.places
    links = torch.zeros(len(counts), 2, length, length, dtype=torch.bool)
    for head, pairs in enumerate((left, right)):
        looking, seen = place[pairs].unbind(1)
        links[looking // max(1, length), head, looking % max(1, length), seen % max(1, length)] = (
            True
        )
    return item_rows, items, links


def _items_before(walks: Sequence[PackedWalk], steps: Padding, rows: Tensor) -> Tensor:
    """Give the newest positions of all items before some rows, (E, T) bool."""
    replaced = torch.cat([walk.replaced for walk in walks])[steps.rows]  # (B, T)
    replaced = replaced[steps.sentences[rows]]  # (E, T)
    step = steps.steps[rows][:, None]  # (E, 1)
    positions = torch.arange(steps.rows.shape[1])
    return (positions <= step) & (replaced > step)


def to_device(batch: PackedBatch, device: torch.device) -> PackedBatch:
    """Move a batch to a device."""
    return replace(batch, **{name: value.to(device) for name, value in vars(batch).items()})
