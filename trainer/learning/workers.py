"""Where training runs: the device, the precision, and the other processes of the run.

``accelerate launch -m trainer CONFIG`` starts several processes. Each takes its share of the
sentences of every batch; sums of gradients and losses go around once a step, so that the
step is the one that a single process would take with the whole batch. Only the first
process writes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

import torch
from torch import Tensor

from aptcore.errors import ConfigurationError
from aptcore.neural.weights import Device, device_of

if TYPE_CHECKING:
    from accelerate import Accelerator

Item = TypeVar("Item")

LONGEST_WAIT = timedelta(hours=12)
"""How long a process waits for the others: while the first prepares or decodes dev sets."""


@dataclass(frozen=True)
class Workers:
    """The processes of a run, seen from one of them.

    Attributes:
        device: Where the model of this process stands.
        is_bf16: Whether the parts that can do so compute in bfloat16.
        rank: Number of this process; the first, 0, writes.
        count: Processes in all.
        accelerator: What they speak through; None where there is one.
    """

    device: torch.device
    is_bf16: bool = False
    rank: int = 0
    count: int = 1
    accelerator: Accelerator | None = None

    @property
    def is_first(self) -> bool:
        """Whether this process writes."""
        return self.rank == 0

    def share(self, items: Sequence[Item]) -> list[Item]:
        """Give what this process does of a batch; nothing where the batch is too small."""
        return list(items[self.rank :: self.count])

    def wait(self) -> None:
        """Wait until all processes are here."""
        if self.accelerator is not None:
            self.accelerator.wait_for_everyone()

    def leave(self) -> None:
        """Part from the other processes once all are done."""
        if self.accelerator is not None:
            self.wait()
            self.accelerator.end_training()

    @contextmanager
    def first_before_others(self) -> Iterator[None]:
        """Let the first process do something before the others do it."""
        if not self.is_first:
            self.wait()
        yield
        if self.is_first:
            self.wait()

    def add_up(self, tensors: Sequence[Tensor]) -> None:
        """Replace float tensors by their sums over all processes, in one exchange."""
        if self.accelerator is None:
            return
        joined = torch.cat([tensor.flatten() for tensor in tensors])
        summed = self.accelerator.reduce(joined, "sum")
        for tensor, part in zip(tensors, summed.split([t.numel() for t in tensors]), strict=True):
            tensor.copy_(part.view_as(tensor))

    def precisely(self) -> torch.autocast:
        """Compute in the precision that was chosen."""
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.is_bf16)


def num_processes() -> int:
    """Tell how many processes the run was launched with."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def workers_of(device: Device, precision: str) -> Workers:
    """Join the other processes of a run, if there are any, and choose the device.

    Args:
        device: What was asked for; the processor where CUDA is absent.
        precision: ``fp32`` or ``bf16``.

    Raises:
        ConfigurationError: If the launcher chose another device than was asked for.
    """
    is_bf16 = precision == "bf16"
    if num_processes() == 1:
        return Workers(torch.device(device_of(device)), is_bf16)
    from accelerate import Accelerator, InitProcessGroupKwargs  # one process does without

    is_on_cpu = device_of(device) == "cpu"
    patience = InitProcessGroupKwargs(timeout=LONGEST_WAIT)
    accelerator = Accelerator(cpu=is_on_cpu, kwargs_handlers=[patience])
    if device == "cuda" and accelerator.device.type == "cpu" and torch.cuda.is_available():
        raise ConfigurationError(
            "--device cuda was asked for, but the processes were launched for the processor: "
            "leave --cpu out of accelerate launch"
        )
    return Workers(
        accelerator.device,
        is_bf16,
        accelerator.process_index,
        accelerator.num_processes,
        accelerator,
    )


def describe(workers: Workers, asked: Device) -> str:
    """Say which device is in use, and when that is not the one asked for."""
    line = f"device: {workers.device.type}"
    if asked == "cuda" and workers.device.type != "cuda":
        line += " (CUDA was asked for and is absent)"
    if workers.count > 1:
        line += f", {workers.count} processes"
    return line + (", bfloat16" if workers.is_bf16 else "")
