"""The files of a run: epoch weights, the state to resume from, metrics, averages.

config.json            the configuration
facts.json             hashes of the data, versions, counts
alignment.json         tables of the aligner learnt from the training graphs
metrics.jsonl          one JSON object a line
last/                  weights, optimiser and position of the last save
epochs/NNN.safetensors weights after an epoch
tensorboard/           the metrics as curves
model/                 the averaged model, ready to parse
latest/, best/         the last save and the best epoch by dev Smatch, ready to parse
status.json, ...       which process works at the run; see trainer.runs.status
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from aptcore.errors import TrainingError
from aptcore.saving import saving
from trainer.config import LoopConfig, TrainConfig
from trainer.learning.adam import Adam
from trainer.learning.loss import Learner
from trainer.mapping import from_mapping
from trainer.runs.files import METRICS, append_json_line, read_json, read_json_lines, write_json

FACTS = "facts.json"
"""Hashes of the data, versions, counts."""


@dataclass(frozen=True)
class Position:
    """Where a run stands.

    Attributes:
        epoch: Epochs finished.
        batch: Batches done of the next epoch.
        step: Steps done in all.
        bad_steps: Steps so far whose loss was not finite.
    """

    epoch: int = 0
    batch: int = 0
    step: int = 0
    bad_steps: int = 0


def append_metrics(folder: Path, values: Mapping[str, Any]) -> None:
    """Add one line to the metrics of a run."""
    append_json_line(folder / METRICS, values)


def read_metrics(folder: Path) -> list[dict[str, Any]]:
    """Read the metrics of a run; a last line cut short is left out."""
    return read_json_lines(folder / METRICS)


def save_weights(path: Path, learner: Learner) -> None:
    """Write the weights at once: the model's, and those of the encoder's layers that learn."""
    path.parent.mkdir(parents=True, exist_ok=True)
    weights = {name: value.contiguous() for name, value in learner.state_dict().items()}
    with saving(path) as fresh:
        save_file(weights, fresh)


def save_position(folder: Path, learner: Learner, optimizer: Adam, position: Position) -> None:
    """Save all that a resumed run needs.

    Two slots are written in turn and ``position.json`` names the whole one, so that a
    kill in the middle leaves the older save intact.
    """
    slot = folder / "last" / ("a" if position.step % 2 else "b")
    if _slot_in_use(folder) == slot.name:
        slot = slot.with_name("b" if slot.name == "a" else "a")
    slot.mkdir(parents=True, exist_ok=True)
    save_weights(slot / "weights.safetensors", learner)
    with saving(slot / "optimizer.safetensors") as fresh:
        save_file(optimizer.state(), fresh)
    write_json(folder / "last" / "position.json", {"slot": slot.name, **asdict(position)})


def _slot_in_use(folder: Path) -> str:
    path = folder / "last" / "position.json"
    return str(json.loads(path.read_text("utf-8"))["slot"]) if path.is_file() else ""


def has_position(folder: Path) -> bool:
    """Tell whether a run saved anything to resume from."""
    return (folder / "last" / "position.json").is_file()


def load_position(folder: Path, learner: Learner, optimizer: Adam) -> Position:
    """Load what :func:`save_position` saved; gives where the run stands.

    Raises:
        TrainingError: If there is nothing to resume from.
    """
    path = folder / "last" / "position.json"
    if not path.is_file():
        raise TrainingError(f"{folder} holds no saved position to resume from")
    values = json.loads(path.read_text("utf-8"))
    slot = folder / "last" / values.pop("slot")
    learner.load_state_dict(load_file(slot / "weights.safetensors"))
    optimizer.load(load_file(slot / "optimizer.safetensors"))
    return Position(**values)


def average_weights(paths: Sequence[Path]) -> dict[str, Tensor]:
    """Average the weights of several files; see :func:`mean_weights`."""
    return mean_weights([load_file(path) for path in paths])


def mean_weights(weights: Sequence[Mapping[str, Tensor]]) -> dict[str, Tensor]:
    """Average weights that have the same names, in float64."""
    total: dict[str, Tensor] = {}
    for one in weights:
        for name, value in one.items():
            total[name] = total.get(name, torch.zeros((), dtype=torch.float64)) + value.double()
    return {name: (value / len(weights)).float() for name, value in total.items()}


def mean_of(scores: Mapping[str, float]) -> float:
    """Give the mean score over the dev sets, 0..1; 0 without any."""
    return sum(scores.values()) / max(1, len(scores))


def dev_scores(folder: Path) -> dict[int, float]:
    """Give the mean dev score of every epoch that was scored."""
    return {
        line["epoch"]: mean_of(line["dev"])
        for line in read_metrics(folder)
        if "dev" in line and "epoch" in line
    }


def epochs_to_average(folder: Path, loop: LoopConfig) -> list[Path]:
    """Give the epoch weights to average: the last ones, or the best of the last ones.

    Of equal scores, and where none was taken, the later epoch counts as better.
    """
    paths = sorted((folder / "epochs").glob("*.safetensors"))
    if not loop.average_among:
        return paths[-loop.average :]
    scores = dev_scores(folder)
    last = paths[-loop.average_among :]
    last.sort(key=lambda path: (scores.get(int(path.stem), -1.0), path.stem))
    return sorted(last[-loop.average :])


def drop_old_epochs(folder: Path, loop: LoopConfig) -> None:
    """Remove the epoch weights that no average will need."""
    paths = sorted((folder / "epochs").glob("*.safetensors"))
    for path in paths[: -max(loop.average, loop.average_among)]:
        path.unlink()


def check_data(folder: Path, facts: Mapping[str, Any]) -> None:
    """Refuse to go on with a run whose data are not what they were.

    Raises:
        TrainingError: If a file changed or the labels did.
    """
    before = read_json(folder / FACTS)
    hashes: Mapping[str, str] = facts["data"]
    changed = [name for name, value in before.get("data", {}).items() if hashes.get(name) != value]
    if changed:
        raise TrainingError(
            f"cannot go on with {folder}: {', '.join(changed)} changed since it began"
        )
    if before.get("labels", facts["labels"]) != facts["labels"]:
        raise TrainingError(
            f"cannot go on with {folder}: the graphs now give {facts['labels']} labels, not "
            f"{before['labels']}; another version of the program began it"
        )


def load_run_config(folder: Path) -> TrainConfig:
    """Read the configuration that a run was started with.

    Raises:
        TrainingError: If the folder holds no run.
    """
    path = folder / "config.json"
    if not path.is_file():
        raise TrainingError(f"{folder} holds no run: there is no config.json")
    return from_mapping(TrainConfig, json.loads(path.read_text("utf-8")))


@contextmanager
def replaced_folder(folder: Path) -> Iterator[Path]:
    """Give a place for a new folder, which then takes the place of ``folder``."""
    fresh, old = folder.with_name(f"{folder.name}.new"), folder.with_name(f"{folder.name}.old")
    if old.exists() and not folder.exists():
        old.rename(folder)  # killed between the two renames below
    for leftover in (fresh, old):
        shutil.rmtree(leftover, ignore_errors=True)
    yield fresh
    if folder.exists():
        folder.rename(old)
    fresh.rename(folder)
    shutil.rmtree(old, ignore_errors=True)
