"""The loss: cross-entropies of actions and of pointers, divided by the number of actions.

Source: Zhou and others 2021, section 4, with label smoothing over legal labels only. A
step whose label the vocabulary lacks gives no action loss, so an unseen label never
makes the loss infinite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from aptcore.masks import LabelMasks, Walk, decoder_input, legal_labels, padded
from aptcore.model import AptModel, Encoded
from aptcore.vocab import SPECIALS


@dataclass(frozen=True)
class Loss:
    """The loss of a batch.

    Attributes:
        total: Scalar: (actions + pointers) / number of actions.
        actions: Sum of the action cross-entropies, in nats.
        pointers: Sum of the pointer cross-entropies, in nats.
        num_actions: Actions in the batch.
    """

    total: Tensor
    actions: Tensor
    pointers: Tensor
    num_actions: int


def batch_loss(
    model: AptModel,
    encoded: Encoded,
    walks: Sequence[Walk],
    masks: LabelMasks,
    *,
    smoothing: float,
    legality: bool,
    legal_pointers: bool,
) -> Loss:
    """Compute the loss of a batch of walks (teacher forcing).

    Args:
        model: In training mode for dropout.
        encoded: The sentences of the walks.
        walks: B walks of T or fewer steps.
        masks: The rows that the walks' ``legal`` numbers name.
        smoothing: Mass of the target that is spread over the legal labels.
        legality: Mask illegal labels; otherwise only the special symbols.
        legal_pointers: Mask the pointer to items, and renormalise it.
    """
    device = model.device
    output = model(encoded, decoder_input(walks, device))
    targets = padded([walk.targets for walk in walks], -1).to(device)  # (B, T)
    pointers = padded([walk.pointers for walk in walks], -1).to(device)  # (B, T)
    if legality:
        legal = legal_labels(walks, masks).to(device)  # (B, T, V)
    else:
        legal = torch.ones_like(output.logits, dtype=torch.bool)
        legal[..., : len(SPECIALS)] = False
    actions = _action_loss(output.logits, legal, targets, smoothing)
    pointer = output.pointer
    if legal_pointers:
        pointer = _among_items(pointer, walks)
    is_edge = pointers >= 0
    at_target = pointer.gather(2, pointers.clamp(min=0)[..., None])[..., 0]  # (B, T)
    pointer_loss = -at_target[is_edge].sum()
    num_actions = sum(len(walk) for walk in walks)
    return Loss((actions + pointer_loss) / num_actions, actions, pointer_loss, num_actions)


def _action_loss(logits: Tensor, legal: Tensor, targets: Tensor, smoothing: float) -> Tensor:
    """Sum the smoothed cross-entropies of the steps that have a target."""
    is_scored = targets >= 0
    logits, legal, targets = logits[is_scored], legal[is_scored], targets[is_scored]
    masked = logits.masked_fill(~legal, -torch.inf)
    normaliser = masked.logsumexp(-1)  # (steps,)
    target_loss = normaliser - masked.gather(1, targets[:, None])[:, 0]
    mean_legal = logits.masked_fill(~legal, 0.0).sum(-1) / legal.sum(-1)
    spread_loss = normaliser - mean_legal
    return ((1 - smoothing) * target_loss + smoothing * spread_loss).sum()


def _among_items(pointer: Tensor, walks: Sequence[Walk]) -> Tensor:
    """Renormalise the pointer over the items of each step; (B, T, T) log-probabilities."""
    mask = torch.zeros_like(pointer, dtype=torch.bool)
    for number, walk in enumerate(walks):
        for step, positions in enumerate(walk.items):
            mask[number, step, list(positions)] = True
    mask |= ~mask.any(-1, keepdim=True)  # a step without items keeps its distribution
    return pointer.masked_fill(~mask, -torch.inf).log_softmax(-1)
