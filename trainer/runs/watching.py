"""Runs as a person watches them: which there are, where each stands, what it measured.

Everything is read from the folder of runs, so a page can be closed, reloaded or served by
another process. No torch is loaded here. Launching stands in ``trainer.runs.launching``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aptcore.errors import InputError
from trainer.runs.files import METRICS, read_json, read_json_lines
from trainer.runs.folders import existing_run, folders_of_runs
from trainer.runs.launching import LAUNCH, LOG
from trainer.runs.status import Beat, State, read_announcement, read_beat, state_of

MAX_LOG_BYTES = 200_000
"""How much of a log's end is read, in bytes."""

CHECKPOINTS = {
    "model": "the finished model",
    "best": "the best epoch by dev Smatch",
    "latest": "the last save",
}
"""Folders of a run that the parser can open, the best first, and what they hold."""


@dataclass(frozen=True, slots=True)
class RunInfo:
    """Where a run stands now.

    Attributes:
        name: Of the run.
        folder: Where it lies.
        state: What is concluded from its files.
        message: Why it failed, or what it waits for.
        began: When it was launched, in seconds since 1970; 0 where that is not known.
        changed: When its process last announced a state, likewise.
        beat: Its last heartbeat.
        checkpoints: Names of the folders in it that the parser can open.
    """

    name: str
    folder: Path
    state: State
    message: str
    began: float
    changed: float
    beat: Beat
    checkpoints: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StepRow:
    """The mean over the last steps of training, as the loop wrote it.

    Attributes:
        step: The last of these steps, from 1.
        epoch: Under way then, from 1.
        loss: Per action, in nats.
        learning_rate: Of that step.
        actions_per_second: Actions learnt from, per second.
    """

    step: int
    epoch: int
    loss: float
    learning_rate: float
    actions_per_second: float


@dataclass(frozen=True, slots=True)
class DevRow:
    """Greedy Smatch F1 of the dev sets after an epoch, 0..1 by name of the set.

    Attributes:
        epoch: Finished epochs; 0 for the averaged model.
        scores: By dev file.
    """

    epoch: int
    scores: Mapping[str, float]

    @property
    def mean(self) -> float:
        """The mean over the dev sets."""
        return sum(self.scores.values()) / len(self.scores)


@dataclass(frozen=True, slots=True)
class Metrics:
    """What a run measured so far, in order.

    Attributes:
        steps: Of training; where a resumed run repeats steps, the later measure.
        dev: After epochs, without the averaged model.
        averaged: Of the averaged model; None before the end.
        bad_steps: Steps whose loss was not finite, with the sentences of their batch.
    """

    steps: tuple[StepRow, ...] = ()
    dev: tuple[DevRow, ...] = ()
    averaged: DevRow | None = None
    bad_steps: tuple[tuple[int, str], ...] = ()

    @property
    def best(self) -> DevRow | None:
        """The epoch with the highest mean over the dev sets; None without a score."""
        return max(self.dev, key=lambda row: row.mean, default=None)


@dataclass(frozen=True, slots=True)
class Size:
    """How much a run is to do.

    Attributes:
        actions: In one epoch; 0 while that is not known.
        epochs: In all.
        dev: The dev sets that are scored.
    """

    actions: int
    epochs: int
    dev: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """A setting in which two runs differ, as text; ``absent`` where one lacks it."""

    setting: str
    first: str
    second: str


def list_runs(runs: Path) -> tuple[RunInfo, ...]:
    """List all runs of a folder, the last launched first."""
    found = [_info_of(folder) for folder in folders_of_runs(runs)]
    return tuple(sorted(found, key=lambda run: (-run.began, run.name)))


def read_run(runs: Path, name: str) -> RunInfo:
    """Tell where a run stands.

    Raises:
        InputError: If there is no such run, or the name leads out of the folder.
    """
    return _info_of(existing_run(runs, name))


def _info_of(folder: Path) -> RunInfo:
    told = read_announcement(folder)
    began = read_json(folder / LAUNCH).get("time")
    if not isinstance(began, int | float):
        config = folder / "config.json"
        began = config.stat().st_mtime if config.is_file() else 0.0
    return RunInfo(
        folder.name,
        folder,
        state_of(folder),
        told.message if told else "",
        float(began),
        told.time if told else 0.0,
        read_beat(folder),
        tuple(name for name in CHECKPOINTS if (folder / name / "parser.json").is_file()),
    )


def checkpoint_folder(runs: Path, name: str, checkpoint: str = "") -> Path:
    """Give the model folder of a run.

    Args:
        runs: The folder of runs.
        name: Of the run.
        checkpoint: One of ``CHECKPOINTS``; empty for the first that there is.

    Raises:
        InputError: If there is no such run or checkpoint.
    """
    run = read_run(runs, name)
    if not run.checkpoints:
        raise InputError(f"the run {name!r} holds no checkpoint yet")
    wanted = checkpoint or run.checkpoints[0]
    if wanted not in run.checkpoints:
        known = ", ".join(run.checkpoints)
        raise InputError(f"the run {name!r} holds no checkpoint {wanted[:40]!r}; it has: {known}")
    return run.folder / wanted


def read_run_metrics(folder: Path) -> Metrics:
    """Read what a run measured; lines cut short or of another kind are left out."""
    steps: dict[int, StepRow] = {}
    dev: dict[int, DevRow] = {}
    averaged, bad = None, []
    for line in read_json_lines(folder / METRICS):
        try:
            row = _row_of(line)
        except (AttributeError, KeyError, TypeError, ValueError):
            continue
        match row:
            case StepRow():
                steps[row.step] = row
            case DevRow() if "averaged" in line:
                averaged = row
            case DevRow():
                dev[row.epoch] = row
            case (_, _):
                bad.append(row)
    return Metrics(
        tuple(steps[step] for step in sorted(steps)),
        tuple(dev[epoch] for epoch in sorted(dev)),
        averaged,
        tuple(bad),
    )


def _row_of(line: Mapping[str, Any]) -> StepRow | DevRow | tuple[int, str] | None:
    """Read one line of the metrics; None for what is no measure, such as an empty score."""
    if "loss" in line:
        return StepRow(
            int(line["step"]),
            int(line["epoch"]),
            float(line["loss"]),
            float(line["learning_rate"]),
            float(line["actions_per_second"]),
        )
    if line.get("dev"):
        scores = {str(name): float(score) for name, score in line["dev"].items()}
        return DevRow(int(line.get("epoch", 0)), scores)
    return (int(line["step"]), str(line["bad"])) if "bad" in line else None


def log_tail(folder: Path, num_lines: int) -> str:
    """Give the last lines of a run's log; empty where it has none."""
    path = folder / LOG
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - MAX_LOG_BYTES))
        lines = file.read().decode("utf-8", "replace").splitlines()
    # A progress bar rewrites its line with carriage returns: its last state is what counts.
    return "\n".join(line.rpartition("\r")[2] for line in lines[-num_lines:])


def size_of(folder: Path) -> Size:
    """Tell how much a run is to do, as far as its files say."""
    config = _config_values(folder)
    actions = read_json(folder / "facts.json").get("actions", 0)
    dev = config.get("data", {}).get("dev", ())
    return Size(int(actions), int(config.get("loop", {}).get("epochs", 0)), tuple(map(str, dev)))


def unseen_of(folder: Path) -> dict[str, Any]:
    """Give what dev graphs of a run need and its training has not; empty for older runs."""
    unseen = read_json(folder / "facts.json").get("unseen", {})
    return unseen if isinstance(unseen, dict) else {}


def _config_values(folder: Path) -> dict[str, Any]:
    values = read_json(folder / "config.json") or read_json(folder / LAUNCH).get("config") or {}
    return values if isinstance(values, dict) else {}


def settings_of(folder: Path) -> dict[str, str]:
    """Give every setting of a run as text, by its dotted name, without its own place."""
    flat = dict(_flattened(_config_values(folder), ""))
    return {name: value for name, value in flat.items() if name not in ("name", "output")}


def _flattened(values: Mapping[str, Any], place: str) -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        if isinstance(value, Mapping) and name != "alignments_from":
            yield from _flattened(value, f"{place}{name}.")
        else:
            yield f"{place}{name}", value if isinstance(value, str) else json.dumps(value)


def differences(first: Path, second: Path) -> tuple[Difference, ...]:
    """Give the settings in which two runs differ, in the order of the configuration."""
    one, two = settings_of(first), settings_of(second)
    return tuple(
        Difference(name, one.get(name, "absent"), two.get(name, "absent"))
        for name in dict.fromkeys([*one, *two])
        if one.get(name) != two.get(name)
    )
