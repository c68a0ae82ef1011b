"""Weights as models keep them: where, in which precision, not drawn where read from disk.

Linear maps may multiply in bfloat16 while all around them is in float32. Where a processor
multiplies bfloat16 itself (AVX512-BF16, AMX), this takes half the time. A shipped model loses
nothing of its weights, which are stored so; what is rounded is the vectors that go in and
come out. In bytes (int8, dynamic quantisation) it takes a third, and weights are rounded too.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal, get_args

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from aptcore.errors import ConfigurationError, check_choice

Device = Literal["auto", "cpu", "cuda"]
Precision = Literal["float32", "bfloat16", "int8"]
Product = Callable[[Tensor], Tensor]
"""Maps (..., in) to (..., out)."""


def device_of(wanted: Device) -> str:
    """Choose the device: what is wanted, or the CPU where CUDA is absent."""
    check_choice("device", wanted, get_args(Device))
    return "cuda" if wanted != "cpu" and torch.cuda.is_available() else "cpu"


def in_bytes(weight: Tensor, bias: Tensor | None) -> Product:
    """Give a linear map that multiplies in bytes: weights by row, vectors as they come.

    A processor without VNNI adds up in 16 bits, for which vectors must keep to 7.

    Raises:
        ConfigurationError: On another device than the processor.
    """
    if weight.device.type != "cpu":
        raise ConfigurationError("int8 multiplies on the processor alone: take --device cpu")
    is_reduced = not torch.cpu._is_vnni_supported()
    largest = weight.abs().amax(1).clamp(min=1e-12).double()  # (out,)
    zeros = torch.zeros(len(weight), dtype=torch.long)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that another torch may do so by other means
        rounded = torch.quantize_per_channel(weight, largest / 127, zeros, 0, torch.qint8)
    packed = torch.ops.quantized.linear_prepack(rounded, bias)
    return lambda x: torch.ops.quantized.linear_dynamic(x, packed, is_reduced)


def product_of(
    part: Linear,
    rows: slice | Tensor = slice(None),
    columns: slice | Tensor = slice(None),
    has_bias: bool = True,
) -> Product:
    """Give a linear map of (R, in) for few rows, whose time is that of reading the weights.

    Laid out as (in, out) these are read a quarter faster.

    Args:
        part: The map.
        rows: Which of what comes out is wanted.
        columns: What of (R, in) is given.
        has_bias: Whether to add the bias.
    """
    weight = part.weight.detach()[rows][:, columns]
    bias = None if part.bias is None or not has_bias else part.bias.detach()[rows]
    if part.product is not None:
        return part.product if weight.shape == part.weight.shape else in_bytes(weight, bias)
    weight = weight.t().contiguous()

    def product(x: Tensor) -> Tensor:
        own = x if x.dtype == weight.dtype else x.to(weight.dtype)
        found = torch.mm(own, weight) if bias is None else torch.addmm(bias, own, weight)
        return found if found.dtype == x.dtype else found.to(x.dtype)

    return product


class Linear(nn.Linear):
    """A linear map that multiplies in the precision of its weights, or in bytes."""

    product: Product | None = None
    """What maps in place of the weights."""

    def forward(self, x: Tensor) -> Tensor:
        """(..., in) to (..., out), in the precision of ``x``."""
        if self.product is not None:
            return self.product(x)
        if self.weight.dtype != torch.bfloat16:
            return functional.linear(x, self.weight, self.bias)
        return functional.linear(x.to(torch.bfloat16), self.weight, self.bias).to(x.dtype)


def set_precision(module: nn.Module, precision: Precision) -> None:
    """Keep the weights of all our linear maps in a module so, and multiply so."""
    check_choice("precision", precision, get_args(Precision))
    for part in module.modules():
        if isinstance(part, Linear) and precision == "int8":
            part.product = in_bytes(part.weight.detach(), part.bias)
        elif isinstance(part, Linear):
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
