"""A site written into a folder, where nothing else is touched.

A list of what was written stands in the folder itself. When the site is written again, files
of the list that are no longer part of it go; a file that is not in the list is never
overwritten or removed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path, PurePosixPath

import app
from app.site.pages import ICON, format_index, format_sheet
from app.site.sheets import Sheet, files_of_sheet
from aptcore.errors import FormatError, InputError
from aptcore.saving import save_text, saving

LISTED = "aptamr-site.json"
"""The file that lists what was written."""

SECONDS = 5.0
"""Between two lines of progress."""


def write_site(
    folder: Path, title: str, sheets: Sequence[Sheet], say: Callable[[str], None]
) -> int:
    """Write a site.

    Args:
        folder: Where to; made where it is not there.
        title: Of the start page.
        sheets: What it shows.
        say: Is told, now and then, how far it is.

    Returns:
        How many files it has.

    Raises:
        InputError: If there is nothing to show, or a file that is no part of an earlier site
            stands where one is to be written; nothing is written then.
        FormatError: If the list of an earlier site cannot be read.
        OSError: If the folder cannot be written.
    """
    if not sheets:
        raise InputError("there is no trace and no lesson to show")
    files = dict(_files(title, sheets))
    old = _listed(folder)
    in_the_way = [name for name in files if name not in old and (folder / name).exists()]
    if in_the_way:
        raise InputError(
            f"{folder / in_the_way[0]} is there already and no part of an earlier site; "
            "name a new folder, or move the file away"
        )
    # First the list of both, so that a site cut short in the middle is still known as one.
    folder.mkdir(parents=True, exist_ok=True)
    _list(folder, sorted({*old, *files}))
    told = time.monotonic()
    for number, (name, make) in enumerate(files.items(), 1):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        with saving(path) as fresh:
            fresh.write_bytes(make())
        if time.monotonic() - told >= SECONDS:
            told = time.monotonic()
            say(f"{number} of {len(files)} files")
    for name in old - files.keys():
        (folder / name).unlink(missing_ok=True)
    _list(folder, sorted(files))
    return len(files)


def _files(title: str, sheets: Sequence[Sheet]) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Give every file by its address from the start page, with what writes it."""
    yield "index.html", lambda: _encoded(format_index(title, sheets))
    yield ICON, (Path(app.__file__).resolve().parent / ICON).read_bytes
    for place, sheet in enumerate(sheets):
        yield sheet.page, partial(_page, sheets, place)
        for name, export in files_of_sheet(sheet).items():
            yield f"{sheet.folder}/{name}", export.make


def _page(sheets: Sequence[Sheet], place: int) -> bytes:
    return _encoded(format_sheet(sheets, place))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


def _list(folder: Path, names: Sequence[str]) -> None:
    save_text(folder / LISTED, json.dumps({"schema": 1, "files": names}, indent=1) + "\n")


def _listed(folder: Path) -> set[str]:
    """Read which files an earlier site has; none where there is none."""
    path = folder / LISTED
    if not path.exists():
        return set()
    try:
        names = json.loads(path.read_text("utf-8"))["files"]
        found = {name for name in names if _is_inside(name)}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise FormatError(f"{path} lists no site: {error}") from error
    if len(found) != len(names):
        raise FormatError(f"{path} lists files that no site has")
    return found


def _is_inside(name: str) -> bool:
    """Tell whether a site may have a file of this address."""
    parts = PurePosixPath(name).parts
    return parts in (("index.html",), (ICON,)) or (
        len(parts) == 2 and parts[0] in ("traces", "lessons") and parts[1] != ".."
    )
