"""Launching, queueing, resuming and stopping runs, each in a process of its own.

A launched run is a detached process: it outlives the page, the browser and the server
that launched it. Where another run of the same folder is on, it waits in the queue by
itself, before torch is loaded; the runs are served in the order of their launch.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace
from pathlib import Path

from aptcore.errors import ConfigurationError, InputError, TrainingError
from trainer.config import CONFIGS, DATA_VARIABLE, TrainConfig, load_config
from trainer.files import dev_files_among, files_in, with_files
from trainer.mapping import from_mapping
from trainer.runs.files import locked, read_json, write_json
from trainer.runs.folders import existing_run, folders_of_runs, is_run, run_folder
from trainer.runs.processes import own_process, process_of
from trainer.runs.spawning import start_detached
from trainer.runs.status import (
    ENDED,
    STOP,
    Announcement,
    Beat,
    announce,
    is_stop_asked,
    read_announcement,
    state_of,
    write_announcement,
    write_beat,
)

LAUNCH, LOG, QUEUE_LOCK = "launch.json", "log.txt", ".queue.lock"

WAIT_SECONDS = 0.5
"""Between two looks of a queued run at its turn, in seconds."""

_PATH_SIGNS = ("/", "\\", "..", "~")
"""What makes a setting a path rather than a name."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A run that somebody asks for.

    Attributes:
        name: Of the run: its folder inside the folder of runs, and its model.
        config: Name of a shipped configuration.
        overrides: ``key=value`` settings on top of it.
    """

    name: str
    config: str
    overrides: tuple[str, ...] = ()


def shipped_configs() -> dict[str, Path]:
    """Give the shipped configurations by name."""
    return {path.stem: path for path in sorted(CONFIGS.glob("*.toml"))}


def check_wish(runs: Path, wish: Wish) -> tuple[TrainConfig | None, tuple[str, ...]]:
    """Find all that keeps a run from being launched.

    Returns:
        The configuration as far as it can be understood, None where it cannot, and all
        problems, a sentence each.
    """
    problems = list(_name_problems(runs, wish.name))
    path = shipped_configs().get(wish.config)
    if path is None:
        known = ", ".join(shipped_configs())
        return None, (*problems, f"there is no configuration {wish.config!r}; known: {known}")
    usable = []
    for override in wish.overrides:
        if override.partition("=")[0].strip() == "output":
            problems.append("output is decided by the run's name: leave it out")
        try:
            load_config(path, [override])
            usable.append(override)
        except ConfigurationError as error:
            problems.append(str(error))
    try:
        config = load_config(path, usable)
        problems += [*_path_problems(config, load_config(path)), *_data_problems(config)]
    except ConfigurationError as error:  # the corpora cannot be found, or settings do not fit
        return None, (*problems, str(error))
    output = str(runs / wish.name)  # a bad name is among the problems
    return replace(config, name=wish.name, output=output), tuple(problems)


def _name_problems(runs: Path, name: str) -> list[str]:
    try:
        folder = run_folder(runs, name)
    except InputError as error:
        return [str(error)]
    if not folder.exists():
        return []
    state = state_of(folder) if is_run(folder) else None
    if state is not None and state not in ENDED:
        return [f"a run named {name!r} is on already ({state}); choose another name"]
    holds = f"a run ({state})" if state is not None else "something else"
    return [f"the folder of runs holds {holds} named {name!r} already; choose another name"]


def _data_problems(config: TrainConfig) -> list[str]:
    """Name what is absent of the data, and every file that lies outside its folder."""
    problems = []
    names = config.data.train_names()
    if not names:
        return ["there is nothing to train on: data.train names no file"]
    root = os.environ.get(DATA_VARIABLE, "")
    aligned = list(config.data.alignments_from.values())
    sources: list[str] = []
    for stage in config.stages:
        sources += config.of_stage(stage).annotate.sources
    files = [*names, *config.data.dev, *config.data.silver, *aligned, *sources]
    problems += [
        f"{name[:80]!r} leads out of the folder of corpora ({DATA_VARIABLE})"
        for name in dict.fromkeys(files)
        if _leads_out(config.data.path(name), root)
    ]
    if problems:
        return problems
    try:
        data = with_files(config.data)
        aligned = [file for name in aligned for file in files_in(data, name)]
    except ConfigurationError as error:
        return [str(error)]
    except (OSError, ValueError):  # a name that is no path, which is told below
        data = config.data
    names = data.train_names()
    problems += [
        f"{name!r} is among the dev files: those are never trained on"
        for name in dev_files_among([*names, *data.silver], data)
    ]
    problems += [
        problem
        for name in dict.fromkeys([*names, *data.dev, *data.silver, *aligned, *sources])
        if (problem := _file_problem(data.path(name), name, root)) is not None
    ]
    if not problems and not any(_has_graph(data.path(name)) for name in names):
        problems.append("there is nothing to train on: no file of data.train holds a graph")
    return problems


def _leads_out(path: Path, root: str) -> bool:
    """Tell whether a path, or where a pattern begins, stands outside of the folder."""
    try:
        return not root or not path.resolve().is_relative_to(Path(root).resolve())
    except (OSError, ValueError):  # a zero byte, a name that is too long
        return False


def _file_problem(path: Path, name: str, root: str) -> str | None:
    """Say why a file cannot be read or must not be; None where it can."""
    try:
        if not root or not path.resolve().is_relative_to(Path(root).resolve()):
            return f"{name!r} leads out of the folder of corpora ({DATA_VARIABLE})"
        return None if path.is_file() else f"there is no file {name!r} in the folder of corpora"
    except (OSError, ValueError):  # a zero byte, a name that is too long
        return f"{name[:80]!r} is no path of a file"


def _path_problems(config: TrainConfig, shipped: TrainConfig) -> list[str]:
    """Name the settings that were changed to a path; only corpora may be named by one."""
    problems = []
    before = shipped.to_json()
    for table, values in config.to_json().items():
        for name, value in values.items() if isinstance(values, dict) else ():
            is_path = isinstance(value, str) and any(sign in value for sign in _PATH_SIGNS)
            if is_path and value != before[table][name] and f"{table}.{name}" != "data.root":
                problems.append(
                    f"{table}.{name}={value} is a path: here only names can be given; use the "
                    "command line for it"
                )
    return problems


def _has_graph(path: Path) -> bool:
    """Tell whether a file has a line that begins like a graph."""
    with path.open("rb") as file:
        return any(line.lstrip().startswith(b"(") for line in file)


def launch(runs: Path, wish: Wish) -> Path:
    """Launch a run in a process of its own; it waits where another one is on.

    Returns:
        The folder of the run.

    Raises:
        TrainingError: If something keeps it from being launched; the message names all.
    """
    config, problems = check_wish(runs, wish)
    if config is None or problems:
        raise TrainingError("; ".join(problems))
    folder = run_folder(runs, wish.name)
    try:
        folder.mkdir(parents=True)
    except FileExistsError as error:
        raise TrainingError(f"a run named {wish.name!r} was launched a moment ago") from error
    except OSError as error:
        raise TrainingError(f"cannot make {folder}: {error.strerror}") from error
    write_json(folder / LAUNCH, {"time": time.time(), "config": config.to_json()})
    _start(folder)
    return folder


def resume(runs: Path, name: str) -> None:
    """Go on with a run from its last save, in a process of its own; it may have to wait.

    Raises:
        InputError: If there is no such run.
        TrainingError: If a process works at it, or it is finished.
    """
    folder = existing_run(runs, name)
    with locked(folder / "lock"):
        state = state_of(folder)
        if state == "finished":
            raise TrainingError(f"{name} is finished: there is nothing to resume")
        if state not in ENDED:
            raise TrainingError(f"{name} is on already ({state})")
        (folder / STOP).unlink(missing_ok=True)
        _start(folder)


def ask_stop(runs: Path, name: str) -> None:
    """Ask a run to stop after the step that is under way; its process saves and ends.

    Raises:
        InputError: If there is no such run.
    """
    folder = existing_run(runs, name)
    if state_of(folder) not in ENDED:
        (folder / STOP).touch()


def _start(folder: Path) -> None:
    """Start the process of a run and name it; the queue's lock keeps it from answering first."""
    with locked(folder.parent / QUEUE_LOCK):
        told = Announcement("queued", time.time(), None, time.time_ns())
        process = start_detached("trainer.launched", folder, folder / LOG)
        write_announcement(folder, replace(told, process=process_of(process.pid)))


def wait_for_turn(folder: Path) -> bool:
    """Wait in the queue until this process may train.

    Returns:
        Whether it is its turn; False where a stop was asked for before.
    """
    told = read_announcement(folder)
    ticket = told.ticket if told is not None and told.ticket else time.time_ns()
    ahead = ""
    while True:
        with locked(folder.parent / QUEUE_LOCK):
            if is_stop_asked(folder):
                announce(folder, "stopped", message="stopped while it waited")
                (folder / STOP).unlink(missing_ok=True)
                return False
            now_ahead = _ahead_of(folder, ticket)
            if now_ahead is None:
                announce(folder, "preparing")
                return True
            if now_ahead != ahead:
                ahead = now_ahead
                announce(folder, "queued", ticket=ticket, message=f"waits for {ahead}")
        write_beat(folder, Beat(time.time(), f"waiting for {ahead}"))
        time.sleep(WAIT_SECONDS)


def _ahead_of(folder: Path, ticket: int) -> str | None:
    """Name a run that is on, or was launched before and waits; None where there is none."""
    for other in folders_of_runs(folder.parent):
        told = read_announcement(other)
        if other.name == folder.name or told is None or state_of(other) in ENDED:
            continue
        if told.process is not None and told.process.host != own_process().host:
            continue  # another machine shares the folder: it has a queue of its own
        if told.state != "queued" or (told.ticket, other.name) < (ticket, folder.name):
            return other.name
    return None


def launched_config(folder: Path) -> TrainConfig:
    """Give the configuration that a run was launched or started with.

    Raises:
        ConfigurationError: If there is none that can be read.
    """
    values = read_json(folder / "config.json") or read_json(folder / LAUNCH).get("config")
    if not values:
        raise ConfigurationError(f"{folder} holds no configuration of a run")
    return replace(from_mapping(TrainConfig, values), output=str(folder))
