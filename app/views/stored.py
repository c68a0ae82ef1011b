"""The example traces that come with the program."""

from __future__ import annotations

import json
from pathlib import Path

from app.views.trace import Trace, decode_trace
from aptcore.errors import FormatError


def load_traces(folder: Path) -> tuple[Trace, ...]:
    """Read all traces of a folder, in order of file name.

    Raises:
        FormatError: With the path, if a file is no trace.
    """
    return tuple(load_trace(path) for path in sorted(folder.glob("*.json")))


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
