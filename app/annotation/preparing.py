"""Files that take long to write, made behind the pages: exports, and what a search finds.

A file stands in the system's folder for what is temporary while this process lives: what a
killed server leaves undone is asked for again, since nothing of anybody's work is in it alone.
Each preparer writes one file at a time. The threads never call Streamlit: pages look when they
are drawn.
"""

from __future__ import annotations

import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable, Generator, Hashable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from app.annotation.job import STOPPED
from aptcore.errors import AptamrError, reason

PartsOf = Callable[[], Generator[str, None, None]]
"""Gives a file part by part."""


@dataclass(slots=True)
class Prepared:
    """A file that was asked for; its thread changes it.

    Attributes:
        name: Of the file.
        size: About how many parts it has.
        done: How many are written.
        at: When its first part was read, UTC; None before.
        path: Where it stands, once it is whole.
        error: Why it never will be; empty where that is not so.
    """

    name: str
    size: int
    done: int = 0
    at: datetime | None = None
    path: Path | None = None
    error: str = ""

    @property
    def is_over(self) -> bool:
        """Tell whether it is whole, or never will be."""
        return self.path is not None or bool(self.error)


class Preparer:
    """Writes files, one after the other.

    Args:
        max_kept: Files that are kept; the oldest goes first.
    """

    def __init__(self, max_kept: int) -> None:
        self._max_kept = max_kept
        self._folder = tempfile.TemporaryDirectory(prefix="aptamr-", ignore_cleanup_errors=True)
        self._files: OrderedDict[Hashable, Prepared] = OrderedDict()
        self._lock = threading.Lock()
        self._turn = threading.Lock()
        self._number = 0

    def close(self) -> None:
        """Stop what is written, and remove all files."""
        with self._lock:
            for file in self._files.values():
                file.error = STOPPED
        self._folder.cleanup()

    @property
    def is_at_work(self) -> bool:
        """Tell whether a file that was asked for is not over."""
        with self._lock:
            return not all(file.is_over for file in self._files.values())

    def find(self, key: Hashable) -> Prepared | None:
        """Give what was asked for last under a key."""
        with self._lock:
            return self._files.get(key)

    def begin(
        self,
        key: Hashable,
        name: str,
        size: int,
        parts_of: PartsOf,
    ) -> Prepared:
        """Begin to write a file; one that is being written under the key already is that one.

        Args:
            key: What it is asked for by.
            name: Of the file.
            size: About how many parts it has.
            parts_of: Gives them, in the thread that writes.
        """
        with self._lock:
            known = self._files.get(key)
            if known is not None and not known.is_over:
                return known
            file = Prepared(name, size)
            self._put(key, file)
            self._number += 1
            path = Path(self._folder.name) / str(self._number)
        # A daemon, so that the server can be stopped in the middle of a file.
        arguments = (file, path, parts_of)
        threading.Thread(target=self._write, args=arguments, name="preparer", daemon=True).start()
        return file

    def _put(self, key: Hashable, file: Prepared) -> None:
        self._drop([key] if key in self._files else [])
        self._drop(list(self._files)[: max(0, len(self._files) - self._max_kept + 1)])
        self._files[key] = file

    def _drop(self, keys: Sequence[Hashable]) -> None:
        for key in keys:
            old = self._files.pop(key)
            self.stop(old)
            if old.path is not None:
                old.path.unlink(missing_ok=True)

    def forget(self) -> None:
        """Drop all files that are whole, or never will be: what they tell is no longer so."""
        with self._lock:
            self._drop([key for key, file in self._files.items() if file.is_over])

    def stop(self, file: Prepared) -> None:
        """Write no more of a file that is not whole yet."""
        file.error = file.error or STOPPED

    def _write(self, file: Prepared, path: Path, parts_of: PartsOf) -> None:
        try:
            with self._turn:
                self._write_parts(file, path, parts_of)
        except (AptamrError, OSError) as error:
            file.error = file.error or reason(error)
        if file.error:
            path.unlink(missing_ok=True)
        else:
            file.path = path

    def _write_parts(self, file: Prepared, path: Path, parts_of: PartsOf) -> None:
        if file.error:
            return
        file.at = datetime.now(UTC)
        with (
            closing(parts_of()) as parts,
            path.open("w", encoding="utf-8", errors="surrogateescape", newline="") as output,
        ):
            for part in parts:
                if file.error:
                    return
                output.write(part)
                file.done += 1
