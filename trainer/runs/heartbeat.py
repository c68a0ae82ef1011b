"""The heartbeat of a run: its process says every two seconds that it lives, and hears a stop."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Protocol

from aptcore.errors import AptamrError, TrainingError
from trainer.runs.files import locked
from trainer.runs.processes import own_process
from trainer.runs.status import (
    LOCK,
    STOP,
    Announced,
    Beat,
    announce,
    is_stop_asked,
    works_at,
    write_beat,
)

BEAT_SECONDS = 2.0
"""Between two heartbeats, in seconds."""

LISTEN_SECONDS = 0.25
"""Between two looks for a stop, in seconds."""

STOPPED_STATUS = 143
"""Exit status of a process that was stopped before it had anything to save."""


Progress = tuple[str, int, int, int]
"""What the process is at, steps done, steps in all (0: not known yet), epochs finished."""


class Heart:
    """What the beating thread reads; the run replaces it as it goes on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.progress: Callable[[], Progress] = lambda: ("preparing", 0, 0, 0)
        self._ended = threading.Event()

    def watch(self, progress: Callable[[], Progress]) -> None:
        """Announce that training runs, and tell its progress with every beat from now on."""
        self.progress = progress
        if is_first_process():
            announce(self.folder, "running")
            self.beat()

    def beat(self) -> None:
        """Renew the heartbeat once."""
        doing, step, num_steps, epoch = self.progress()
        write_beat(self.folder, Beat(time.time(), doing, step, num_steps, epoch))

    def keep_beating(self) -> None:
        """Beat until the end; a stop that was asked for becomes a signal to this process."""
        last, is_heard = 0.0, False
        while not self._ended.wait(LISTEN_SECONDS):
            if time.monotonic() - last >= BEAT_SECONDS:
                self.beat()
                last = time.monotonic()
            if not is_heard and is_stop_asked(self.folder):
                is_heard = True
                signal_main_thread()

    def end(self) -> None:
        """Let the thread end."""
        self._ended.set()


def signal_main_thread() -> None:
    """Send SIGTERM to the thread that trains, so that it even wakes from a system call."""
    main = threading.main_thread().ident
    if sys.platform == "win32" or main is None:
        signal.raise_signal(signal.SIGTERM)
    else:
        signal.pthread_kill(main, signal.SIGTERM)


def is_first_process() -> bool:
    """Tell whether this is the only or the first of the processes of one run."""
    return os.environ.get("RANK", "0") == "0"


@contextmanager
def beating(folder: Path) -> Iterator[Heart]:
    """Announce a run while it is prepared and trained, whatever ends it.

    SIGTERM during the preparation ends the process with nothing lost; the loop itself
    answers it with a save. Only the first of several processes of one run announces.

    Raises:
        TrainingError: If another process works at the run.
    """
    heart = Heart(folder)
    if not is_first_process():
        yield heart
        return
    _take(folder)
    heart.beat()
    thread = threading.Thread(target=heart.keep_beating, name="heartbeat", daemon=True)
    kept = signal.signal(signal.SIGTERM, leave)
    thread.start()
    try:
        yield heart
    except (KeyboardInterrupt, SystemExit):
        _conclude(heart, "stopped")
        raise
    except BaseException as error:
        _conclude(heart, "failed", describe_error(error))
        raise
    else:
        _conclude(heart, "finished" if (folder / "scores.json").is_file() else "stopped")
    finally:
        heart.end()
        thread.join()
        signal.signal(signal.SIGTERM, kept)


def _take(folder: Path) -> None:
    """Make this process the one that works at a run."""
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / LOCK):
        owner = works_at(folder)
        if owner is not None and owner != own_process():
            raise TrainingError(
                f"process {owner.pid} on {owner.host} works at {folder}; stop it first"
            )
        if owner is None:  # a stop that nobody heard was meant for an earlier process
            (folder / STOP).unlink(missing_ok=True)
        announce(folder, "preparing")


class Stoppable(Protocol):
    """What a signal asks to stop."""

    stop_asked: bool


@contextmanager
def stopping_at_signals(run: Stoppable) -> Iterator[None]:
    """Let SIGINT and SIGTERM end a run at the next moment that suits it."""

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        run.stop_asked = True

    kept = {kind: signal.signal(kind, stop) for kind in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for kind, handler in kept.items():
            signal.signal(kind, handler)


def leave(number: int, frame: FrameType | None) -> None:
    """Answer SIGTERM where there is nothing to save: end the process."""
    del number, frame
    raise SystemExit(STOPPED_STATUS)


def _conclude(heart: Heart, state: Announced, message: str = "") -> None:
    """Write the last beat and the last state; the stop that was asked for is answered."""
    heart.end()
    heart.beat()
    announce(heart.folder, state, message=message)
    (heart.folder / STOP).unlink(missing_ok=True)


def describe_error(error: BaseException) -> str:
    """Say what ended a run: the message, with the kind where it is no error of ours."""
    return str(error) if isinstance(error, AptamrError) else f"{type(error).__name__}: {error}"
