"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def save_text(path: str | Path, text: str) -> None:
    """Write a file as UTF-8 in one step, line ends as given.

    Side effects: a new file beside ``path`` is written, flushed to disk and renamed;
    after a crash either the old or the new file is there, whole. A link is followed.
    Bytes that were not UTF-8 on reading (surrogate escapes) are written back.
    """
    target = Path(path).resolve()
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        with temporary.open("xb") as file:
            file.write(text.encode("utf-8", errors="surrogateescape"))
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            temporary.chmod(target.stat().st_mode)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    if os.name == "posix":  # elsewhere a folder cannot be opened; the rename is still whole
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
