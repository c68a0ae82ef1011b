"""The folder of runs, and names inside it: no name leads out of it."""

from __future__ import annotations

import os
import re
from pathlib import Path

from aptcore.errors import InputError

RUNS_VARIABLE = "APTAMR_RUNS"
"""The environment variable that names the folder of runs; ``runs`` without it."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def runs_folder() -> Path:
    """Give the folder of runs of this process."""
    return Path(os.environ.get(RUNS_VARIABLE) or "runs").absolute()


def run_folder(runs: Path, name: str) -> Path:
    """Give the folder of a run, which need not be there.

    Raises:
        InputError: If the name is none, or leads out of the folder of runs.
    """
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{name[:80]!r} is no name for a run: use up to 64 letters, digits, '.', '_' and '-', "
            "the first a letter or digit"
        )
    folder = runs / name
    if not folder.resolve().is_relative_to(runs.resolve()):
        raise InputError(f"{name!r} leads out of the folder of runs")
    return folder


def is_run(folder: Path) -> bool:
    """Tell whether a folder holds a run, however far it came."""
    return any((folder / name).is_file() for name in ("launch.json", "config.json"))


def existing_run(runs: Path, name: str) -> Path:
    """Give the folder of a run that is there.

    Raises:
        InputError: If there is no such run, or the name leads out of the folder of runs.
    """
    folder = run_folder(runs, name)
    if not is_run(folder):
        raise InputError(f"there is no run {name!r} in the folder of runs")
    return folder


def folders_of_runs(runs: Path) -> list[Path]:
    """List the folders of all runs, by name."""
    if not runs.is_dir():
        return []
    return sorted(path for path in runs.iterdir() if _NAME.fullmatch(path.name) and is_run(path))
