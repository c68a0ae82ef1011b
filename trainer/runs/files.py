"""Files that one process writes while others read: whole JSON, JSON lines, and locks."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from aptcore.saving import save_text

METRICS = "metrics.jsonl"
"""The metrics of a run, one JSON object a line."""


def write_json(path: Path, value: object) -> None:
    """Write JSON at once: a reader never sees half of it, whoever else writes it now."""
    save_text(path, json.dumps(value, indent=2) + "\n")


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object; an absent or damaged file gives an empty one."""
    try:
        value = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def append_json_line(path: Path, values: Mapping[str, Any]) -> None:
    """Add one line; a line that a kill cut short before it stays a line of its own."""
    line = json.dumps(values).encode() + b"\n"
    with path.open("ab+") as file:
        if file.tell():
            file.seek(-1, os.SEEK_END)
            line = line if file.read(1) == b"\n" else b"\n" + line
        file.write(line)


def read_json_lines(path: Path) -> list[dict[str, Any]]:
    """Read JSON objects, one a line; a line cut short is left out."""
    lines = path.read_bytes().splitlines() if path.is_file() else []
    values = []
    for line in lines:
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            values.append(value)
    return values


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock that processes of this machine share; the system frees it when one dies."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab+") as file:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            if sys.platform == "win32":
                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)
            else:
                fcntl.flock(file, fcntl.LOCK_UN)
