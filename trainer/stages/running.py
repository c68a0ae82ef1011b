"""A run of several stages, each a process at a folder of its own inside the run's.

config.json   the configuration with its stages
NAME/         a stage: a run like any other, or silver.amr with what was annotated
stages.json   seconds that each stage took so far
model/        the model of the last stage, ready to parse; scores.json its scores

A stage begins once those before it have begun, those that it uses are finished and the
cores that it takes are free. What is finished is on disk, so a run that was stopped or
killed goes on where it was.
"""

from __future__ import annotations

import shutil
import signal
import time
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from pathlib import Path

from aptcore.errors import ConfigurationError, TrainingError
from aptcore.neural.weights import Device
from trainer.config import TrainConfig
from trainer.examples.prepare import ignore, report
from trainer.files import with_files
from trainer.learning.checkpoint import replaced_folder
from trainer.learning.workers import num_processes
from trainer.runs.files import read_json, write_json
from trainer.runs.heartbeat import STOPPED_STATUS, Progress, beating, stopping_at_signals
from trainer.runs.launching import LOG
from trainer.runs.watching import log_tail
from trainer.stage import MODEL, SILVER_FILE, Stage
from trainer.stages.working import work_at

SCORES, TIMES = "scores.json", "stages.json"

LOOK_SECONDS = 0.5
"""Between two looks for a stop, in seconds."""


@dataclass(frozen=True)
class Working:
    """A stage under way: its process, and when it began by the monotonic clock."""

    stage: Stage
    process: SpawnProcess
    began: float


class StagedRun:
    """The stages of a run, and which of them are under way."""

    def __init__(self, config: TrainConfig, device: Device) -> None:
        self.config = config
        self.device = device
        self.folder = Path(config.output)
        self.waiting = [stage for stage in config.stages if not self.is_finished(stage.name)]
        self.working: list[Working] = []
        self.stop_asked = False

    def is_finished(self, name: str) -> bool:
        """Tell whether a stage of this name left what it was to leave."""
        folder = self.config.folder_of(name)
        return (folder / SCORES).is_file() or (folder / SILVER_FILE).is_file()

    def cores_of(self, stage: Stage) -> int:
        """Tell how many cores a stage takes; more than there are is all of them."""
        config = self.config.of_stage(stage)
        wanted = config.loop.threads if stage.kind == "train" else config.annotate.processes
        return min(max(1, wanted), self.config.cores)

    def progress(self) -> Progress:
        """Tell what the run is at, in stages; asked from another thread."""
        doing = ", ".join(each.stage.name for each in self.working)
        num_stages = len(self.config.stages)
        num_done = num_stages - len(self.waiting) - len(self.working)
        return (f"stages: {doing}", num_done, num_stages, 0)

    def run(self) -> None:
        """Do all stages that are not finished, until a stop is asked for.

        Raises:
            TrainingError: If a stage failed; those beside it are stopped, saved.
        """
        for stage in self.config.stages:
            if stage not in self.waiting:
                report(f"stage {stage.name} is finished")
        try:
            while (self.waiting or self.working) and not self.stop_asked:
                self._begin()
                wait([each.process.sentinel for each in self.working], LOOK_SECONDS)
                for ended in [each for each in self.working if not each.process.is_alive()]:
                    self._end(ended)
        finally:
            self._stop()
        if self.stop_asked:
            report("stopped; resume with --resume")
        else:
            self._hand_over()

    def _begin(self) -> None:
        """Begin the stages whose turn it is, in their order."""
        while self.waiting:
            stage = self.waiting[0]
            taken = sum(self.cores_of(each.stage) for each in self.working)
            is_ready = all(self.is_finished(used) for used in stage.uses)
            if not is_ready or taken + self.cores_of(stage) > self.config.cores:
                return
            folder = self.config.folder_of(stage.name)
            folder.mkdir(parents=True, exist_ok=True)
            models = tuple(self.config.folder_of(used) / MODEL for used in stage.uses)
            process = get_context("spawn").Process(
                target=work_at,
                args=(stage, self.config.of_stage(stage), models, self.device),
                name=stage.name,
            )
            process.start()
            self.working.append(Working(stage, process, time.monotonic()))
            self.waiting.pop(0)
            report(f"stage {stage.name} begins; it writes {folder / LOG}")

    def _end(self, ended: Working) -> None:
        """Take note of a stage whose process is gone."""
        name, status = ended.stage.name, ended.process.exitcode
        self.working.remove(ended)
        times = read_json(self.folder / TIMES)
        times[name] = round(times.get(name, 0.0) + time.monotonic() - ended.began, 1)
        write_json(self.folder / TIMES, times)
        if self.is_finished(name):
            report(f"stage {name} is finished after {duration(times[name])}")
            return
        self.waiting.insert(0, ended.stage)
        if status not in (0, STOPPED_STATUS, -signal.SIGTERM):
            log = self.config.folder_of(name)
            raise TrainingError(f"stage {name} failed: {log_tail(log, 1)} (see {log / LOG})")
        report(f"stage {name} was stopped after {duration(times[name])}")
        self.stop_asked = True

    def _stop(self) -> None:
        """Ask what is under way to save and end, and wait for it."""
        self.stop_asked |= bool(self.working)
        for each in self.working:
            each.process.terminate()
        for each in list(self.working):
            each.process.join()
            self._end(each)

    def _hand_over(self) -> None:
        """Give the run the model and the scores of its last stage."""
        last = self.config.folder_of(self.config.stages[-1].name)
        with replaced_folder(self.folder / MODEL) as fresh:
            shutil.copytree(last / MODEL, fresh)
        write_json(self.folder / SCORES, read_json(last / SCORES))


def run_stages(config: TrainConfig, resume: bool = False, device: Device = "auto") -> Path:
    """Do the stages of a run, from where it is.

    Args:
        config: With stages.
        resume: Go on with the run in ``config.output``.
        device: Where to train and parse; the processor where CUDA is absent.

    Returns:
        The folder of the run; ``model/`` in it is ready to parse once all stages ended.

    Raises:
        TrainingError: If the folder holds a run already and ``resume`` is off, if another
            process works at it, if a file of any stage is absent, or a stage failed.
        ConfigurationError: If several processes were launched for it, or the folder of the
            corpora is not known.
    """
    folder = Path(config.output)
    if num_processes() > 1:
        raise ConfigurationError(
            "stages run in processes of their own: begin them with one, and give a single stage "
            "several by --resume"
        )
    if not resume and (folder / "config.json").exists():
        raise TrainingError(f"{folder} holds a run already: resume it, or choose another output")
    if missing := missing_files(config):
        raise TrainingError(f"there is no file {', '.join(missing)}")
    with beating(folder) as heart:
        write_json(folder / "config.json", config.to_json())
        run = StagedRun(config, device)
        heart.watch(run.progress)
        with stopping_at_signals(run):
            run.run()
    return folder


def missing_files(config: TrainConfig) -> list[str]:
    """Name the files of all stages that are not there, so that none fails for that hours later."""
    missing = []
    for one in map(config.of_stage, config.stages):
        data = with_files(one.data, ignore)
        names = [*data.train_names(), *data.dev, *data.silver, *one.annotate.sources]
        paths = [data.path(name) for name in names if name not in data.beside_gold]
        missing += [str(path) for path in paths if not path.is_file()]
    return list(dict.fromkeys(missing))


def duration(seconds: float) -> str:
    """Write a time.

    >>> duration(59.6), duration(7543)
    ('1 min', '2 h 6 min')
    """
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
