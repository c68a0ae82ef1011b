"""Where lessons lie: those that come with the program, and a folder of one's own."""

from __future__ import annotations

import os
from pathlib import Path

from aptcore.assets import asset_path

VARIABLE = "APTAMR_LESSONS"
"""Names a folder of lessons of one's own, shown after those that come with the program."""


def lesson_files() -> tuple[Path, ...]:
    """Give the files of all lessons: those that ship, then those of the folder of one's own."""
    folders = [asset_path("lessons")]
    if os.environ.get(VARIABLE):
        folders.append(Path(os.environ[VARIABLE]))
    return tuple(path for folder in folders for path in files_in(folder))


def files_in(folder: Path) -> list[Path]:
    """Give the files of a folder that may be lessons, in the order of their names."""
    return sorted(folder.glob("*.json"))
