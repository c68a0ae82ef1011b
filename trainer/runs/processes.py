"""Which process works at a run, told apart from a later one that got the same number."""

from __future__ import annotations

import multiprocessing
import os
import socket
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

_PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Process:
    """A process of one machine.

    Attributes:
        pid: Its number; the system gives it to others later.
        began: When it began, in the system's own words; empty where that is not told.
        host: The machine's name.
    """

    pid: int
    began: str
    host: str


def process_from(values: Mapping[str, Any]) -> Process | None:
    """Read a process from JSON values; None where they name none."""
    pid, began, host = (values.get(name) for name in ("pid", "began", "host"))
    if not isinstance(pid, int) or not isinstance(began, str) or not isinstance(host, str):
        return None
    return Process(pid, began, host)


def process_of(pid: int) -> Process:
    """Name a process of this machine."""
    return Process(pid, _began(pid) or "", socket.gethostname())


def is_alive(process: Process) -> bool | None:
    """Tell whether a process still runs; None where this machine cannot tell.

    A process that ended and was not yet collected by its parent counts as gone.
    """
    if process.host != socket.gethostname() or not process.began:
        return None
    return _began(process.pid) == process.began


def _began(pid: int) -> str | None:
    """Give when a process began (boot and clock ticks); None if it is gone or not told."""
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text().strip()
        # The name of the program stands in brackets and may hold spaces and brackets.
        fields = (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    state, ticks = fields[0], fields[19]
    return None if state in ("Z", "X") else f"{boot[:8]}-{ticks}"


def own_process() -> Process:
    """Name the process that asks."""
    return process_of(os.getpid())


def when_parent_ends(act: Callable[[], None]) -> None:
    """Do something, in a thread, once the process that started this one is gone.

    Only for processes that ``multiprocessing`` started; it is heard even of a kill.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    sentinel = parent.sentinel

    def watch() -> None:
        wait([sentinel])
        act()

    threading.Thread(target=watch, name="parent-watch", daemon=True).start()
