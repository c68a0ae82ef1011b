"""The example traces that come with the program."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from aptcore.errors import FormatError
from aptcore.trace.format import decode_trace
from aptcore.trace.trace import Trace


@dataclass(frozen=True, slots=True)
class StoredTraces:
    """The traces of a folder; ``problems`` names every file that is none, and why."""

    traces: tuple[Trace, ...]
    problems: tuple[str, ...]


def load_traces(folder: Path) -> StoredTraces:
    """Read all traces of a folder, in order of file name; a bad file hides no other."""
    traces: list[Trace] = []
    problems: list[str] = []
    for path in sorted(folder.glob("*.json")):
        try:
            traces.append(load_trace(path))
        except FormatError as error:
            problems.append(str(error))
    return StoredTraces(tuple(traces), tuple(problems))


def load_trace(path: Path) -> Trace:
    """Read one trace.

    Raises:
        FormatError: With the path, if the file is no trace.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise FormatError(f"the file is not JSON: {error}", path=str(path)) from error
    if not isinstance(document, dict):
        raise FormatError("the file holds no trace object", path=str(path))
    return decode_trace(document, path=str(path))
