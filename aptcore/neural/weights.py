"""Weights as models keep them: in which precision, and not drawn where they are read from disk.

Linear maps may multiply in bfloat16 while all around them is in float32. Where a processor
multiplies bfloat16 itself (AVX512-BF16, AMX), this takes half the time. A shipped model loses
nothing of its weights, which are stored so; what is rounded is the vectors that go in and
come out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.overrides import TorchFunctionMode

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


@contextmanager
def unfilled() -> Iterator[None]:
    """Make modules without weights: all are to be loaded with ``assign=True``."""
    with torch.device("meta"), _Undrawn():
        yield


class _Undrawn(TorchFunctionMode):
    """Draw nothing: on the device ``meta`` that would import torch's compiler, a second's work."""

    def __torch_function__(
        self,
        func: Any,
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        if func is nn.init.normal_:
            return None
        return func(*args, **(kwargs or {}))
