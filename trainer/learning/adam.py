"""Adam with decoupled weight decay and clipping: every weight is read and written once a step.

torch's own optimiser walks over its parameter groups at every step, and clipping writes all
gradients back before; together that took twice as long. The sums are those of its function.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor
from torch.optim.adamw import adamw

BETA1 = 0.9
"""Decay of the first moment."""

EPSILON = 1e-8
"""Added to the root of the second moment."""


class Adam:
    """Adam over all parameters that have a gradient, in groups with a rate each.

    Source: Loshchilov and Hutter 2019, algorithm 2 (AdamW); without decay, Kingma and Ba 2015.
    """

    def __init__(
        self, groups: Sequence[Sequence[Tensor]], beta2: float, weight_decay: float
    ) -> None:
        self.parameters = [parameter for group in groups for parameter in group]
        self.groups = [group for group, found in enumerate(groups) for _ in found]
        self.beta2 = beta2
        self.weight_decay = weight_decay
        self.means = [torch.zeros_like(parameter) for parameter in self.parameters]
        self.squares = [torch.zeros_like(parameter) for parameter in self.parameters]
        self.num_steps = torch.zeros((), device=self.parameters[0].device)

    def forget_gradients(self) -> None:
        """Drop all gradients."""
        for parameter in self.parameters:
            parameter.grad = None

    def gradients(self) -> list[Tensor]:
        """Give the gradients that there are."""
        return [p.grad for p in self.parameters if p.grad is not None]

    def step(self, rates: Sequence[float], clip_norm: float) -> bool:
        """Change the weights.

        Args:
            rates: The learning rate of each group.
            clip_norm: Longer gradients, of all groups together, are cut to this norm; 0 cuts
                none.

        Returns:
            Whether the gradient is finite; if not, nothing is changed.
        """
        norm = torch.nn.utils.get_total_norm(self.gradients())
        if not torch.isfinite(norm):
            return False
        divisor = ((norm + 1e-6) / clip_norm).clamp(min=1.0) if clip_norm else None
        for group, rate in enumerate(rates):
            self._change(group, rate, divisor)
        self.num_steps += 1
        return True

    def _change(self, group: int, rate: float, divisor: Tensor | None) -> None:
        """Change the weights of a group, whose gradients are divided before."""
        gradients = {
            n: parameter.grad
            for n, parameter in enumerate(self.parameters)
            if self.groups[n] == group and parameter.grad is not None
        }
        used = list(gradients)
        if not used:
            return
        with torch.no_grad():
            adamw(
                [self.parameters[n] for n in used],
                list(gradients.values()),
                [self.means[n] for n in used],
                [self.squares[n] for n in used],
                [],
                list(self.num_steps.repeat(len(used)).unbind()),  # each is counted on
                fused=True,
                grad_scale=divisor,
                lr=rate,
                beta1=BETA1,
                beta2=self.beta2,
                weight_decay=self.weight_decay,
                eps=EPSILON,
                amsgrad=False,
                maximize=False,
            )

    def state(self) -> dict[str, Tensor]:
        """Give all that a resumed run needs."""
        state = {"num_steps": self.num_steps}
        for number, (mean, square) in enumerate(zip(self.means, self.squares, strict=True)):
            state |= {f"{number}.exp_avg": mean, f"{number}.exp_avg_sq": square}
        return state

    def load(self, state: Mapping[str, Tensor]) -> None:
        """Take over what :meth:`state` gave.

        A save of torch's optimiser is read as well: it counts the steps of each parameter.
        """
        self.num_steps.copy_(state["num_steps"] if "num_steps" in state else state["0.step"])
        for number, (mean, square) in enumerate(zip(self.means, self.squares, strict=True)):
            mean.copy_(state[f"{number}.exp_avg"])
            square.copy_(state[f"{number}.exp_avg_sq"])
