"""The loss over padded batches, as it was first written: the slow twin of trainer.learning.loss."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from aptcore.neural.masks import LabelMasks, Walk
from aptcore.neural.model import AptModel
from aptcore.neural.vocabulary import SPECIALS
from tests.aptcore.neural.slow_model import legal_labels, padded, slow_outputs


def slow_losses(
    model: AptModel,
    walks: Sequence[Walk],
    vectors: Sequence[Tensor],
    shapes: Sequence[Sequence[int]],
    masks: LabelMasks,
    *,
    smoothing: float,
    legality: bool,
    legal_pointers: bool,
) -> tuple[Tensor, Tensor]:
    """Sum the action and the pointer cross-entropies of a batch of walks."""
    logits, pointer = slow_outputs(model, walks, vectors, shapes)
    targets = padded([walk.targets for walk in walks], -1)  # (B, T)
    pointers = padded([walk.pointers for walk in walks], -1)  # (B, T)
    if legality:
        legal = legal_labels(walks, masks)  # (B, T, V)
    else:
        legal = torch.ones_like(logits, dtype=torch.bool)
        legal[..., : len(SPECIALS)] = False
    actions = _action_loss(logits, legal, targets, smoothing)
    pointer = _among_items(pointer, walks) if legal_pointers else pointer
    at_target = pointer.gather(2, pointers.clamp(min=0)[..., None])[..., 0]  # (B, T)
    return actions, -at_target[pointers >= 0].sum()


def _action_loss(logits: Tensor, legal: Tensor, targets: Tensor, smoothing: float) -> Tensor:
    is_scored = targets >= 0
    logits, legal, targets = logits[is_scored], legal[is_scored], targets[is_scored]
    masked = logits.masked_fill(~legal, -torch.inf)
    normaliser = masked.logsumexp(-1)  # (steps,)
    target_loss = normaliser - masked.gather(1, targets[:, None])[:, 0]
    mean_legal = logits.masked_fill(~legal, 0.0).sum(-1) / legal.sum(-1)
    spread_loss = normaliser - mean_legal
    return ((1 - smoothing) * target_loss + smoothing * spread_loss).sum()


def _among_items(pointer: Tensor, walks: Sequence[Walk]) -> Tensor:
    mask = torch.zeros_like(pointer, dtype=torch.bool)
    for number, walk in enumerate(walks):
        for step, positions in enumerate(walk.items):
            mask[number, step, list(positions)] = True
    mask |= ~mask.any(-1, keepdim=True)  # a step without items keeps its distribution
    return pointer.masked_fill(~mask, -torch.inf).log_softmax(-1)
