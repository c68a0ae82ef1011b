"""Where the graphs on the Oracle page come from, and what is refused with which words.

A file is opened only inside the configured folder, whatever a form or an address says.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from aptcore.errors import InputError
from aptcore.graph.encoding import decode_text
from aptcore.graph.formats import check_graphs

MAX_FILE_MB = 20
"""Largest file that the page opens, in megabytes; the command line takes any."""

MAX_PASTED = 50_000
"""Longest text that can be pasted, in characters."""

MAX_TOKENS = 400
"""Longest sentence that is shown, in tokens: its replay must fit into a browser."""

MAX_LISTED = 500
"""Most files that are offered by name; any other can be typed."""

_LOOKED_AT = 100_000  # bytes, for the first graph of a file
_GRAPH_START = re.compile(rb"""^[ \t]*\(\s*[^\s()/"]+\s*/|^# ::|^\s*\{.*\(""", re.MULTILINE)
_ENDINGS = (".txt", ".amr", ".penman", ".jsonl")

Kind = Literal["example", "folder", "upload", "paste"]


@dataclass(frozen=True, slots=True)
class Source:
    """A text with graphs, and where it came from.

    Attributes:
        kind: Which way it came.
        name: What it is called on the page; a path inside the folder where it is one.
        text: All of it.
        hash: Sha-256 of name and text, 16 hexadecimal digits.
    """

    kind: Kind
    name: str
    text: str
    hash: str


def source_of(kind: Kind, name: str, text: str) -> Source:
    """Name a text and where it came from."""
    content = f"{name}\n{text}".encode("utf-8", "surrogatepass")
    return Source(kind, name, text, hashlib.sha256(content).hexdigest()[:16])


def list_files(folder: Path) -> tuple[str, ...]:
    """List the graph files below a folder by their paths inside it, in order."""
    found = []
    for path in sorted(_walk(folder)):
        if path.suffix.lower() in _ENDINGS and _is_inside(folder, path) and _may_hold_graphs(path):
            found.append(path.relative_to(folder).as_posix())
        if len(found) == MAX_LISTED:
            break
    return tuple(found)


def _walk(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(place) / name for name in files if not name.startswith("."))


def _is_inside(folder: Path, path: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve())


def _may_hold_graphs(path: Path) -> bool:
    """Tell whether a file that can be opened here has what a graph begins with."""
    try:
        if path.stat().st_size > MAX_FILE_MB * 1_000_000:
            return False
        with path.open("rb") as file:
            return _GRAPH_START.search(file.read(_LOOKED_AT)) is not None
    except OSError:
        return False


def open_path(folder: Path | None, name: str) -> Source:
    """Read a file inside the configured folder.

    Args:
        folder: The folder; None where none is configured.
        name: Path of the file inside it.

    Raises:
        InputError: If the path leaves the folder, names no file, or is too large.
        FormatError: If the file is not text, or holds no graphs.
    """
    if folder is None:
        raise InputError(
            "no folder of corpora is configured: start the pages with APTAMR_DATA=FOLDER, "
            "upload the file, or paste a graph"
        )
    try:
        path = (folder / name).resolve()
        is_file = path.is_file()
    except (OSError, ValueError) as error:  # a zero byte, a name that is too long
        raise InputError(f"{name[:80]!r} is no path of a file") from error
    if not path.is_relative_to(folder.resolve()):
        raise InputError(f"{name!r} leads out of the folder of corpora; choose a file inside it")
    if not is_file:
        raise InputError(f"there is no file {name!r} in the folder of corpora")
    _check_size(name, path.stat().st_size)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{name!r} cannot be opened: {error.strerror}") from error
    shown = path.relative_to(folder.resolve()).as_posix()
    return _source_of_file("folder", shown, content)


def open_upload(name: str, content: bytes) -> Source:
    """Read an uploaded file.

    Raises:
        InputError: If it is too large.
        FormatError: If it is not text.
    """
    _check_size(name, len(content))
    return _source_of_file("upload", name, content)


def _source_of_file(kind: Kind, name: str, content: bytes) -> Source:
    text = decode_text(content, name)
    check_graphs(name, text)
    return source_of(kind, name, text)


def open_pasted(text: str) -> Source:
    """Take what was pasted.

    Raises:
        InputError: If there is nothing, too much, or no bracket in it.
    """
    if not text.strip():
        raise InputError("there is no graph yet: paste one in PENMAN notation, with a # ::snt line")
    if len(text) > MAX_PASTED:
        raise InputError(
            f"the text has {len(text):,} characters; up to {MAX_PASTED:,} can be pasted: "
            "save it as a file and upload it"
        )
    if "(" not in text:
        raise InputError("this is no graph: a graph in PENMAN notation begins with a bracket")
    return source_of("paste", "pasted", text)


def _check_size(name: str, num_bytes: int) -> None:
    if num_bytes > MAX_FILE_MB * 1_000_000:
        raise InputError(
            f"{name!r} has {num_bytes / 1e6:.0f} MB; this page opens up to {MAX_FILE_MB} MB. "
            "Use the command line: aptamr oracle FILE"
        )


def token_problem(num_tokens: int) -> str | None:
    """Say why a sentence is too long for the page; None where it is not."""
    if num_tokens <= MAX_TOKENS:
        return None
    return (
        f"the sentence has {num_tokens} tokens; this page replays up to {MAX_TOKENS}. The corpus "
        "view counts it all the same"
    )
