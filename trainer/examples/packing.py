"""Walks as training keeps and reads them: small integers, and batches without padding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import torch
from torch import Tensor

from aptcore.neural.masks import Walk
from aptcore.neural.model import PackedBatch, Padding

LEFT, RIGHT, ILLEGAL = 0, 1, 2
"""Kinds of the pairs of a packed walk."""


@dataclass(frozen=True, eq=False)
class PackedWalk:
    """A :class:`aptcore.neural.masks.Walk` of T steps in int32; about 60 bytes a step.

    Attributes:
        steps: (7, T): ids, edge ids, cursor, targets, pointers and numbers of legal rows as
            there; last, for a position that reads an item, the later one that reads it
            anew, or T, and 0 for the other positions.
        pairs: (n, 3): LEFT or RIGHT, a step and a position that its LA or RA head sees; or
            ILLEGAL, a step and a label that its legal row does not rule out.
    """

    steps: Tensor
    pairs: Tensor

    def __len__(self) -> int:
        return self.steps.shape[1]

    @property
    def targets(self) -> Tensor:
        """The label ids to predict, (T,); -1 where the vocabulary lacks the label."""
        return self.steps[3]


def pack_walk(walk: Walk) -> PackedWalk:
    """Keep of a walk what training reads."""
    replaced = _replaced(walk.items)
    steps = [walk.ids, walk.edge_ids, walk.cursor, walk.targets, walk.pointers, walk.legal]
    pairs = [
        (kind, step, other)
        for kind, found in ((LEFT, walk.left), (RIGHT, walk.right), (ILLEGAL, walk.illegal))
        for step, other in found
    ]
    return PackedWalk(
        torch.tensor([*steps, replaced], dtype=torch.int32),
        torch.tensor(pairs, dtype=torch.int32).view(-1, 3),
    )


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
        items: (E, T) bool, the newest positions of the items before each pointing step.
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
    ids, edge_ids, cursor, labels, pointers, legal, replaced = torch.cat(
        [walk.steps for walk in walks], 1
    ).long()  # (R,) each
    pointing_rows = (pointers >= 0).nonzero()[:, 0]  # (E,)
    kind, row, other = _rows_of_pairs(walks, steps)
    illegal = torch.stack([row, other], 1)[kind == ILLEGAL]
    item_rows, items, links = _links(kind, row, other, steps)
    words = Padding.of(torch.tensor([len(vector) + 1 for vector in vectors]))
    root = vectors[0].new_zeros(1, vectors[0].shape[1])
    is_root = torch.zeros(len(words.places), dtype=torch.bool)
    is_root[words.rows.max(1).values] = True
    batch = PackedBatch(
        word_vectors=torch.cat([part for vector in vectors for part in (vector, root)]),
        shapes=torch.tensor([shape for sentence in shapes for shape in (*sentence, 0)]),
        is_root=is_root,
        words=words,
        ids=ids,
        edge_ids=edge_ids,
        cursor=cursor,
        steps=steps,
        item_rows=item_rows,
        items=items,
        links=links,
        pointing_rows=pointing_rows,
    )
    before = _items_before(replaced, steps, pointing_rows)
    return batch, Targets(labels, legal, illegal, pointers[pointing_rows], before)


def _rows_of_pairs(walks: Sequence[PackedWalk], steps: Padding) -> tuple[Tensor, Tensor, Tensor]:
    """Give kind, row of the batch and other number of all pairs, (n,) int64 each."""
    counts = torch.tensor([len(walk.pairs) for walk in walks])
    kind, step, other = torch.cat([walk.pairs for walk in walks]).long().unbind(1)
    return kind, step + steps.rows[:, 0].repeat_interleave(counts), other


def _links(
    kind: Tensor, row: Tensor, position: Tensor, steps: Padding
) -> tuple[Tensor, Padding, Tensor]:
    """Lay out the steps that the graph heads look from; see PackedBatch.

    Every position that is seen is among them, as each sees itself.
    """
    is_link = kind != ILLEGAL
    kind, row, position = kind[is_link], row[is_link], position[is_link]
    is_item = torch.zeros(len(steps.places), dtype=torch.bool)
    is_item[row] = True
    item_rows = is_item.nonzero()[:, 0]  # (S,)
    items = Padding.of(torch.bincount(steps.sentences[item_rows], minlength=len(steps.rows)))
    place = torch.zeros(len(steps.places), dtype=torch.int64)
    place[item_rows] = items.places
    num_walks, length = items.rows.shape
    links = torch.zeros(num_walks, 2, length, length, dtype=torch.bool)
    if length:
        seen = steps.rows[steps.sentences[row], position]  # the row of a step
        links[place[row] // length, kind, place[row] % length, place[seen] % length] = True
    return item_rows, items, links


def _items_before(replaced: Tensor, steps: Padding, rows: Tensor) -> Tensor:
    """Give the newest positions of all items before some rows, (E, T) bool."""
    later = replaced[steps.rows][steps.sentences[rows]]  # (E, T)
    step = steps.steps[rows][:, None]  # (E, 1)
    positions = torch.arange(steps.rows.shape[1])
    return (positions <= step) & (later > step)


def to_device(batch: PackedBatch, device: torch.device) -> PackedBatch:
    """Move a batch to a device."""
    return replace(batch, **{name: value.to(device) for name, value in vars(batch).items()})
