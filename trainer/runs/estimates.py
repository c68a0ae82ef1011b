"""How long a run will take and how much memory, estimated from a few dry batches.

The measuring loads torch and works for some seconds, so it is a process of its own
(``trainer.dry_run``); here it is asked for and its outcome read.
"""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

from trainer.config import TrainConfig
from trainer.runs.files import locked, read_json, write_json
from trainer.runs.folders import folders_of_runs
from trainer.runs.processes import process_of
from trainer.runs.spawning import start_detached
from trainer.runs.status import ENDED, Announcement, read_announcement, state_of, write_announcement

FOLDER, REQUEST, OUTCOME, LOG = ".estimates", "launch.json", "estimate.json", "log.txt"

FRESH_SECONDS = 3600.0
"""A measure older than this is taken anew when it is asked for, in seconds."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run will need, reckoned from a sample: estimates, not promises.

    Attributes:
        sentences: In the training files.
        sampled: Sentences that were prepared to measure.
        batches: Dry batches that were timed.
        actions_per_second: Of training, in these batches.
        prepare_seconds: Until the first step, with nothing in the cache.
        epoch_seconds: Of training, for one epoch.
        score_seconds: For one round of dev scores.
        total_seconds: For all of it.
        parameters: Weights of the model, with the labels of all files guessed.
        memory_bytes: Most memory of the process.
        disk_bytes: Of the run's folder.
        beside: Whether another run was on while this was measured: it then looks slower.
    """

    sentences: int
    sampled: int
    batches: int
    actions_per_second: float
    prepare_seconds: float
    epoch_seconds: float
    score_seconds: float
    total_seconds: float
    parameters: int
    memory_bytes: int
    disk_bytes: int
    beside: bool


@dataclass(frozen=True, slots=True)
class EstimateState:
    """How far an estimate is.

    Attributes:
        state: Where it stands.
        estimate: The figures; None unless it is ready.
        message: Why it failed.
    """

    state: Literal["absent", "measuring", "ready", "failed"]
    estimate: Estimate | None = None
    message: str = ""


def estimate_folder(runs: Path, config: TrainConfig) -> Path:
    """Give the folder of a configuration's estimate, whatever the run is called."""
    nameless = replace(config, name="", output="")
    content = json.dumps(nameless.to_json(), sort_keys=True).encode()
    return runs / FOLDER / hashlib.sha256(content).hexdigest()[:16]


def start_estimate(runs: Path, config: TrainConfig) -> None:
    """Begin to measure, in a process of its own, unless a fresh measure is there or coming."""
    folder = estimate_folder(runs, config)
    now, told = read_estimate(runs, config), read_announcement(folder)
    is_fresh = told is not None and time.time() - told.time < FRESH_SECONDS
    if now.state == "measuring" or (now.estimate and is_fresh and not now.estimate.beside):
        return
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / "lock"):
        write_json(folder / REQUEST, {"time": time.time(), "config": config.to_json()})
        process = start_detached("trainer.dry_run", folder, folder / LOG)
        told = Announcement("running", time.time(), process_of(process.pid))
        write_announcement(folder, told)


def read_estimate(runs: Path, config: TrainConfig) -> EstimateState:
    """Tell how far the estimate for a configuration is."""
    folder = estimate_folder(runs, config)
    told = read_announcement(folder)
    if told is None:
        return EstimateState("absent")
    state = state_of(folder)
    if state not in ENDED:
        return EstimateState("measuring")
    values = read_json(folder / OUTCOME)
    if state == "finished" and values:
        return EstimateState("ready", Estimate(**values))
    reason = told.message or "its process is gone without a word"
    return EstimateState("failed", None, reason)


def save_estimate(folder: Path, estimate: Estimate) -> None:
    """Write the outcome of a measurement."""
    write_json(folder / OUTCOME, asdict(estimate))


def is_run_on(runs: Path) -> bool:
    """Tell whether a run of the folder is at work now."""
    return any(state_of(run) not in (*ENDED, "queued") for run in folders_of_runs(runs))
