"""The loss: cross-entropies of actions and of pointers, summed over a packed batch.

Source: Zhou and others 2021, section 4, with label smoothing over legal labels only. A
step whose label the vocabulary lacks gives no action loss, so an unseen label never
makes the loss infinite.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from aptcore.neural.masks import LabelMasks
from aptcore.neural.model import AptModel
from aptcore.neural.vocabulary import SPECIALS
from trainer.examples.packing import Batch


@dataclass(frozen=True)
class LossSettings:
    """How the loss is made.

    Attributes:
        smoothing: Mass of the target that is spread over the legal labels.
        legality: Mask illegal labels; otherwise only the special symbols.
        legal_pointers: Mask the pointer to items, and renormalise it.
    """

    smoothing: float
    legality: bool
    legal_pointers: bool


class Learner(nn.Module):
    """A model with its loss: what is trained, and what several processes share.

    Its weights are those of the model and of the encoder's layers that learn.
    """

    def __init__(
        self,
        model: AptModel,
        masks: LabelMasks,
        settings: LossSettings,
        encoder: nn.ModuleList | None = None,
    ) -> None:
        super().__init__()
        self.model = model
        self.encoder = encoder or nn.ModuleList()
        self.settings = settings
        rows = masks.table
        if not settings.legality:
            rows = torch.ones(1, len(masks.vocabulary), dtype=torch.bool)
            rows[:, : len(SPECIALS)] = False
        self.legal_rows: Tensor
        self.register_buffer("legal_rows", rows, persistent=False)

    @property
    def num_weights(self) -> int:
        """How many numbers are learnt."""
        return sum(weight.numel() for weight in self.parameters())

    def forward(self, batch: Batch) -> Tensor:
        """Give the sums of the action and of the pointer cross-entropies, (2,) in nats."""
        encoded, targets = self.model.encode(batch.words), batch.targets
        output = self.model(encoded, batch.steps, pointing=batch.pointing_rows)
        if self.settings.legality:
            rows, illegal = targets.legal, targets.illegal
        else:
            rows, illegal = torch.zeros_like(targets.legal), targets.illegal[:0]
        actions = _ActionLoss.apply(
            output.logits.to(output.pointer.dtype),
            targets.labels,
            self.legal_rows,
            rows,
            illegal,
            self.settings.smoothing,
        )
        pointer = output.pointer
        if self.settings.legal_pointers:
            pointer = _among_items(pointer, targets.items)
        pointers = -pointer.gather(1, targets.pointers[:, None]).sum()
        return torch.stack([actions, pointers])


class _ActionLoss(torch.autograd.Function):
    """Summed cross-entropy with smoothing over legal labels; the gradient is written down.

    With s the smoothing and n the number of legal labels: loss = lse - (1 - s) logit of the
    target - s / n times the sum of the legal logits, where lse runs over legal labels.
    """

    @staticmethod
    def forward(
        ctx: Any,
        logits: Tensor,
        labels: Tensor,
        legal_rows: Tensor,
        rows: Tensor,
        illegal: Tensor,
        smoothing: float,
    ) -> Tensor:
        """(R, V) logits and (R,) labels, -1 for none, to a scalar."""
        legal = legal_rows.index_select(0, rows)  # (R, V)
        legal[illegal[:, 0], illegal[:, 1]] = False
        shares = legal.to(logits.dtype)
        shares /= shares.sum(1, keepdim=True)
        log_probs = logits.masked_fill(~legal, -torch.inf).log_softmax(1)
        at = labels.clamp(min=0)[:, None]  # (R, 1)
        target = log_probs.gather(1, at)[:, 0]
        normaliser = logits.gather(1, at)[:, 0] - target
        spread = normaliser - (logits * shares).sum(1)
        is_scored = labels >= 0
        losses = torch.where(is_scored, smoothing * spread - (1 - smoothing) * target, 0.0)
        ctx.save_for_backward(log_probs, shares, at, is_scored)
        ctx.smoothing = smoothing
        return losses.sum()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        """Softmax over the legal labels, less the smoothed target."""
        log_probs, shares, at, is_scored = ctx.saved_tensors
        gradient = log_probs.exp().sub_(shares, alpha=ctx.smoothing)
        gradient.scatter_add_(1, at, gradient.new_full(at.shape, ctx.smoothing - 1))
        gradient *= torch.where(is_scored, gradients[0], 0.0)[:, None]
        return gradient, None, None, None, None, None


def _among_items(pointer: Tensor, items: Tensor) -> Tensor:
    """Renormalise the pointer over the items, (E, T) log-probabilities."""
    return pointer.masked_fill(~items, -torch.inf).log_softmax(-1)
