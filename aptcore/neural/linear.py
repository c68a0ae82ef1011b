"""Linear maps that may multiply in bfloat16 while all around them is in float32.

Where a processor multiplies bfloat16 itself (AVX512-BF16, AMX), this takes half the time. A
shipped model loses nothing of its weights, which are stored so; what is rounded is the vectors
that go in and come out.
"""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

Precision = Literal["float32", "bfloat16"]


def linear(x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """Map (..., in) to (..., out) in the precision of the weights; gives that of ``x``."""
    if weight.dtype != torch.bfloat16:
        return functional.linear(x, weight, bias)
    return functional.linear(x.to(torch.bfloat16), weight, bias).to(x.dtype)


class Linear(nn.Linear):
    """A linear map that multiplies in the precision of its weights."""

    def forward(self, x: Tensor) -> Tensor:
        """(..., in) to (..., out)."""
        return linear(x, self.weight, self.bias)


def set_precision(module: nn.Module, precision: Precision) -> None:
    """Keep the weights of all our linear maps in a module so, and multiply so."""
    for part in module.modules():
        if isinstance(part, Linear):
            part.to(getattr(torch, precision))
