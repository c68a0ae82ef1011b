"""Curves for TensorBoard, where it is installed (``pip install 'aptamr[tensorboard]'``)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trainer.examples.prepare import report

if TYPE_CHECKING:
    from torch.utils.tensorboard import SummaryWriter

FOLDER = "tensorboard"
"""Of the event files, in the folder of a run."""

_SPECIAL = ("step", "epoch", "dev")


class Curves:
    """The event file of one process; metrics.jsonl stays the truth."""

    def __init__(self, run_folder: Path) -> None:
        self.folder = run_folder / FOLDER
        self.is_off = False
        self._writer: SummaryWriter | None = None

    def add(self, values: Mapping[str, Any], step: int) -> None:
        """Add the numbers of a line of metrics.

        Args:
            values: As in metrics.jsonl; scores of dev sets become ``dev/NAME``.
            step: Steps done; points of earlier sessions from the first one on are void.
        """
        numbers = {
            f"train/{name}": float(value)
            for name, value in values.items()
            if name not in _SPECIAL and type(value) in (int, float)
        }
        numbers |= {f"dev/{name}": score for name, score in values.get("dev", {}).items()}
        if numbers and self._writer is None and not self.is_off:
            self._open(step)
        if numbers and self._writer is not None:
            for name, number in numbers.items():
                self._writer.add_scalar(name, number, step)
            self._writer.flush()

    def _open(self, step: int) -> None:
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:
            self.is_off = True
            report("TensorBoard is not installed: no curves are written")
        else:
            self._writer = SummaryWriter(str(self.folder), purge_step=step)
