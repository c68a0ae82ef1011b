"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_OF_THE_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What a write says that names no file: the disk is full, or broken."""


def save_text(path: str | Path, text: str) -> None:
    """Write a file as UTF-8 in one step, line ends as given; see :func:`saving`.

    Bytes that were not UTF-8 on reading (surrogate escapes) are written back.
    """
    with saving(path) as fresh:
        fresh.write_bytes(text.encode("utf-8", errors="surrogateescape"))


@contextmanager
def saving(path: str | Path) -> Iterator[Path]:
    """Give the path of a new file to write, which stands at ``path`` once the block is done.

    After an error or a crash either the old or the new file is there, whole. A link is
    followed, and a device or pipe written through. What the disk refuses names ``path``.
    """
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        yield target
        return
    fresh = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        yield fresh
        put_in_place(fresh, target)
    except OSError as error:
        if error.filename == str(fresh) or (error.errno in _OF_THE_DISK and not error.filename):
            error.filename = str(path)
        raise
    finally:
        fresh.unlink(missing_ok=True)


def put_in_place(fresh: Path, target: Path) -> None:
    """Rename a finished file beside its target, flushed to disk; the target's mode stays."""
    with fresh.open("r+b") as file:
        os.fsync(file.fileno())
    if target.exists():
        fresh.chmod(target.stat().st_mode)
    fresh.replace(target)
    if os.name == "posix":  # elsewhere a folder cannot be opened; the rename is still whole
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
