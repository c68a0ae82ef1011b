"""What walks read next, as tensors: labels, the items that graph heads see, the words.

Shapes: rows R, each a step; sentences S; steps of a sentence T at most; length L of a walk with
what is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from aptcore.neural.model import AFTER_HEAD, AptConfig, AttentionMask
from aptcore.neural.padding import Padding
from aptcore.transition.reading import Reading

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]

_MOST_BLOCKS, _LEAST_SENTENCES = 4, 16
"""Sentences are looked at in so many blocks, each as wide as its longest, of so many at least."""


class Links(NamedTuple):
    """What the graph heads see: few positions, and none but at items and edges.

    Attributes:
        rows: The n rows that see anything, (n,) int64.
        owners: For each of them its LA head and its RA head, by walk and head of the two,
            (2n, 1) int64.
        places: The input positions that each of those sees, (2n, M) int64, filled up with 0.
        mask: Which of them count, (2n, 1, M).
    """

    rows: Tensor
    owners: Tensor
    places: Tensor
    mask: AttentionMask


class WordBlock(NamedTuple):
    """Sentences ``first`` to ``stop``, looked at together.

    ``mask`` is what the heads see but that at the cursor, G of them: ((stop - first) * G, T, N),
    as many words as the longest of the block has.
    """

    first: int
    stop: int
    mask: AttentionMask


@dataclass(frozen=True)
class NextSteps:
    """What R walks read next, all at the same input position, or one walk at R positions.

    Attributes:
        ids: (R,) int64, as in :class:`aptcore.neural.model.Steps`.
        edges: Rows that read an edge as well, and its label, (n,) int64 each; None for no such.
        links: What graph heads see; None where that is nothing.
        cursors: The token at the cursor of each row, (R,) int64.
        owners: The sentence of each row, (R,) int64.
        words: What cross-attention sees, block by block.
        sentences: The rows among the sentences; None where each has one, in order, and for
            one walk.
        causal: What other heads of self-attention see, (1, R, L); None where that is all.
        num_walks: R, or 1.
    """

    ids: Tensor
    edges: tuple[Tensor, Tensor] | None
    links: Links | None
    cursors: Tensor
    owners: Tensor
    words: Sequence[WordBlock]
    sentences: Padding | None = None
    causal: AttentionMask | None = None
    num_walks: int = 1

    @classmethod
    def of(
        cls,
        read: Sequence[tuple[Reading, int]],
        sizes: Sequence[int],
        config: AptConfig,
        device: torch.device,
        sentences: Padding | None = None,
    ) -> NextSteps:
        """Say what R walks read next.

        Args:
            read: Of each walk what stands at its newest position, and the token at the cursor.
            sizes: Words of each of the S sentences, ``<ROOT>`` included.
            config: Of the models.
            device: Where they are.
            sentences: The walks among the sentences; None where each has one, in order.
        """
        readings, cursors = [reading for reading, _ in read], np.array([at for _, at in read])
        if sentences is None:
            owners, by_sentence = torch.arange(len(read), device=device), cursors[:, None]
        else:
            owners = sentences.sentences
            by_sentence = cursors[sentences.rows.numpy(force=True)]  # (S, T)
        links = _links_of(readings, range(len(read)), device) if config.graph_embedding else None
        words = list(_blocks(by_sentence, np.array(sizes), config, device))
        at = torch.from_numpy(cursors).to(device)
        read_there = _labels(readings, device)
        return cls(*read_there, links, at, owners, words, sentences, num_walks=len(read))

    @classmethod
    def of_walk(
        cls,
        read: Sequence[tuple[Reading, int]],
        position: int,
        size: int,
        config: AptConfig,
        device: torch.device,
    ) -> NextSteps:
        """Say what one walk reads next, from an input position on; arguments as of :meth:`of`."""
        readings, cursors = [reading for reading, _ in read], np.array([at for _, at in read])
        links = _links_of(readings, [0] * len(read), device) if config.graph_embedding else None
        is_seen = np.arange(position + len(read)) <= np.arange(len(read))[:, None] + position
        causal = AttentionMask.seeing(torch.from_numpy(is_seen)[None].to(device))  # (1, R, L)
        words = list(_blocks(cursors[None], np.array([size]), config, device))
        at = torch.from_numpy(cursors).to(device)
        owners = torch.zeros_like(at)
        return cls(*_labels(readings, device), links, at, owners, words, None, causal)


def _labels(
    read: Sequence[Reading], device: torch.device
) -> tuple[Tensor, tuple[Tensor, Tensor] | None]:
    ids = torch.tensor([reading.id for reading in read], device=device)
    edges = [(row, reading.edge_id) for row, reading in enumerate(read) if reading.edge_id >= 0]
    if not edges:
        return ids, None
    rows, labels = torch.tensor(edges, device=device).unbind(1)
    return ids, (rows, labels)


def _links_of(read: Sequence[Reading], walks: Sequence[int], device: torch.device) -> Links | None:
    rows = [row for row, reading in enumerate(read) if reading.left]
    if not rows:
        return None
    seen = [places for row in rows for places in (read[row].left, read[row].right)]
    counts = np.array([len(places) for places in seen])
    most = int(counts.max())
    places = np.array([places + (0,) * (most - len(places)) for places in seen])  # (2n, M)
    owners = np.array([2 * walks[row] + head for row in rows for head in (0, 1)])
    is_seen = np.arange(most) < counts[:, None]
    return Links(
        torch.tensor(rows, device=device),
        torch.from_numpy(owners[:, None]).to(device),
        torch.from_numpy(places).to(device),
        AttentionMask.seeing(torch.from_numpy(is_seen[:, None]).to(device)),
    )


def _blocks(
    cursors: Integers, sizes: Integers, config: AptConfig, device: torch.device
) -> Iterator[WordBlock]:
    """Say what is seen of S sentences, from their cursors, (S, T), and their sizes, (S,)."""
    num = max(1, min(_MOST_BLOCKS, len(sizes) // _LEAST_SENTENCES))
    size = -(-len(sizes) // num)
    for first in range(0, len(sizes), size):
        own = slice(first, first + size)
        added, *kept = (
            torch.from_numpy(part.reshape(-1, *part.shape[2:])).to(device)
            for part in _words_seen(cursors[own], sizes[own], config)
            if part is not None
        )
        yield WordBlock(first, min(first + size, len(sizes)), AttentionMask(added, *kept))


def _words_seen(
    cursors: Integers, sizes: Integers, config: AptConfig
) -> tuple[Floats, Floats | None]:
    """Say what the heads of cross-attention see at one step, but that at the cursor.

    Returns:
        The two parts of an :class:`AttentionMask`, (S, G, T, N) and, where some head sees
        nothing, (S, G, T, 1).
    """
    num, has_cursor, at = sizes.max(), int(config.cursor_masks), cursors[:, :, None]
    positions, after = np.arange(num), AFTER_HEAD - 1
    added = np.zeros((len(sizes), config.num_heads - has_cursor, cursors.shape[1], num), np.float32)
    if sizes.min() < num:
        beyond = (positions >= sizes[:, None])[:, None, None]  # (S, 1, 1, N)
        np.copyto(added, -np.inf, where=beyond)
    if not has_cursor:
        return added, None
    np.copyto(added[:, after], -np.inf, where=positions <= at)
    is_at_root = cursors == sizes[:, None] - 1  # (S, T)
    if not is_at_root.any():
        return added, None
    kept = np.ones((*added.shape[:3], 1), np.float32)
    added[:, after][is_at_root] = 0.0
    kept[:, after][is_at_root] = 0.0
    return added, kept
