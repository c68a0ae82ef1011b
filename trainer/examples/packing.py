"""Walks as training keeps and reads them: small integers, and batches without padding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor

from aptcore.neural.masks import Walk
from aptcore.neural.model import Steps, Words
from aptcore.neural.padding import Padding

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


@dataclass(frozen=True)
class Batch:
    """Walks and their sentences, without padding.

    Attributes:
        words: The sentences.
        steps: The walks.
        pointing_rows: (E,) int64, rows of the steps that point.
        targets: What the steps are to predict.
    """

    words: Words
    steps: Steps
    pointing_rows: Tensor
    targets: Targets


def pack_batch(
    walks: Sequence[PackedWalk], vectors: Sequence[Tensor], shapes: Sequence[Sequence[int]]
) -> Batch:
    """Put walks and their sentences one after another, on the processor.

    Args:
        walks: B walks.
        vectors: For each, (words, width) word vectors.
        shapes: For each, the shapes of its words.
    """
    padding = Padding.of(torch.tensor([len(walk) for walk in walks]))
    ids, edge_ids, cursor, labels, pointers, legal, replaced = torch.cat(
        [walk.steps for walk in walks], 1
    ).long()  # (R,) each
    counts = torch.tensor([len(each.pairs) for each in walks])
    walk = torch.arange(len(walks)).repeat_interleave(counts)  # (n,)
    kind, step, other = torch.cat([each.pairs for each in walks]).long().unbind(1)  # (n,) each
    is_link, length = kind != ILLEGAL, padding.rows.shape[1]
    links = torch.zeros(len(walks), 2, length, length, dtype=torch.bool)
    links[walk[is_link], kind[is_link], step[is_link], other[is_link]] = True
    illegal = torch.stack([padding.rows[walk, step], other], 1)[~is_link]
    pointing_rows = (pointers >= 0).nonzero()[:, 0]  # (E,)
    items = _items_before(replaced, padding, pointing_rows)
    return Batch(
        Words.of(vectors, shapes),
        Steps(ids, edge_ids, cursor, padding, links),
        pointing_rows,
        Targets(labels, legal, illegal, pointers[pointing_rows], items),
    )


def _items_before(replaced: Tensor, steps: Padding, rows: Tensor) -> Tensor:
    """Give the newest positions of all items before some rows, (E, T) bool."""
    later = replaced[steps.rows][steps.sentences[rows]]  # (E, T)
    step = steps.steps[rows][:, None]  # (E, 1)
    positions = torch.arange(steps.rows.shape[1])
    return (positions <= step) & (later > step)
