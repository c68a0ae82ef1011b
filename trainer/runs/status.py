"""What a run says about itself on disk, and what a reader concludes from it.

status.json      the state that the run's process last announced, and which process it is
heartbeat.json   renewed every two seconds while the process lives: time, step, what it does
stop             there once a stop was asked for
lock             held for the moment in which a process takes the run

The process announces; readers never believe a state whose process is gone.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from trainer.runs.files import read_json, write_json
from trainer.runs.processes import Process, is_alive, own_process, process_from

STATUS, HEARTBEAT, STOP, LOCK = "status.json", "heartbeat.json", "stop", "lock"

SILENT_SECONDS = 30.0
"""A heartbeat older than this is too old, in seconds; it is renewed every two."""

START_SECONDS = 60.0
"""How long a launched process may take to announce itself, in seconds."""

Announced = Literal["queued", "preparing", "running", "stopped", "finished", "failed"]
State = Literal[
    "queued", "preparing", "running", "stopping", "stopped", "finished", "failed", "dead"
]

ENDED: tuple[State, ...] = ("stopped", "finished", "failed", "dead")
"""States in which no process works at the run."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """What status.json holds.

    Attributes:
        state: Where the run's process says that it stands.
        time: When it said so, in seconds since 1970.
        process: Which process; None while a launched one has not announced itself.
        ticket: Place in the queue: nanoseconds since 1970 of the launch; 0 for runs that
            never queue.
        message: Why the run failed, or what it waits for.
    """

    state: Announced
    time: float
    process: Process | None = None
    ticket: int = 0
    message: str = ""


@dataclass(frozen=True, slots=True)
class Beat:
    """What heartbeat.json holds.

    Attributes:
        time: Of the last beat, in seconds since 1970; 0 where there was none.
        doing: What the process is at, in words.
        step: Steps done.
        num_steps: Steps in all; 0 while that is not known.
        epoch: Epochs finished.
    """

    time: float = 0.0
    doing: str = ""
    step: int = 0
    num_steps: int = 0
    epoch: int = 0


def announce(folder: Path, state: Announced, *, ticket: int = 0, message: str = "") -> None:
    """Write the state of the run at which this process works."""
    write_announcement(folder, Announcement(state, time.time(), own_process(), ticket, message))


def write_announcement(folder: Path, told: Announcement) -> None:
    """Write status.json."""
    write_json(folder / STATUS, asdict(told))


def read_announcement(folder: Path) -> Announcement | None:
    """Read status.json; None where there is none that can be read."""
    values = read_json(folder / STATUS)
    if values.get("state") not in get_args(Announced):
        return None
    process = values.get("process")
    return Announcement(
        values["state"],
        _number(values, "time"),
        process_from(process) if isinstance(process, dict) else None,
        int(_number(values, "ticket")),
        str(values.get("message", "")),
    )


def _number(values: Mapping[str, Any], name: str) -> float:
    value = values.get(name)
    return value if isinstance(value, int | float) else 0


def read_beat(folder: Path) -> Beat:
    """Read heartbeat.json; without one, a beat at the time 0."""
    values = read_json(folder / HEARTBEAT)
    return Beat(
        _number(values, "time"),
        str(values.get("doing", "")),
        int(_number(values, "step")),
        int(_number(values, "num_steps")),
        int(_number(values, "epoch")),
    )


def write_beat(folder: Path, beat: Beat) -> None:
    """Write heartbeat.json."""
    write_json(folder / HEARTBEAT, asdict(beat))


def is_stop_asked(folder: Path) -> bool:
    """Tell whether somebody asked the run to stop."""
    return (folder / STOP).exists()


def works_at(folder: Path) -> Process | None:
    """Give the process that works or waits at a run now; None where there is none."""
    told = read_announcement(folder)
    if told is None or state_of(folder) in ENDED:
        return None
    return told.process


def state_of(folder: Path) -> State:
    """Conclude where a run stands.

    A process that is gone is dead at once; where this machine cannot look (another host,
    another system), it is dead once its heartbeat is too old. A process that lives is never
    dead, however long it is silent: it may be held up, and it still owns the folder.
    """
    told = read_announcement(folder)
    if told is None:
        return "finished" if (folder / "scores.json").is_file() else "stopped"
    if told.state in ENDED:
        return told.state
    if not _is_working(folder, told):
        return "dead"
    return "stopping" if is_stop_asked(folder) else told.state


def _is_working(folder: Path, told: Announcement) -> bool:
    if told.process is None:
        return time.time() - told.time < START_SECONDS
    alive = is_alive(told.process)
    if alive is not None:
        return alive
    last = max(told.time, read_beat(folder).time)
    return time.time() - last < SILENT_SECONDS
