"""What people asked for and the store has not taken yet, kept in files beside the store.

A reload of the page or a restart of the server forgets none of it. Each file names the store
and the person: what belongs elsewhere is never done here. A file is written before its act is
tried and goes once that is done or refused.
"""

from __future__ import annotations

import json
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from app.annotation.session import default_store, shared_store
from aptcore.errors import StoreError
from aptcore.saving import save_text

ENDING = ".json"
_BUSY: set[Path] = set()
_LOCK = threading.Lock()


@dataclass(frozen=True, slots=True)
class Kept:
    """An act in its file: what it is in words, and the act as ``acts.encode_act`` writes it."""

    path: Path
    what: str
    act: str


def keep(person: str, what: str, act: str) -> Path | None:
    """Keep an act; it is on disk when this returns.

    Returns:
        Its file; None where it cannot be kept: the disk is full, or may not be written.
    """
    try:
        store = shared_store().identity
        folder = _folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = folder / f"{time.time_ns():020}-{uuid.uuid4().hex}{ENDING}"
        values = {"store": store, "person": person, "what": what, "act": act}
        save_text(path, json.dumps(values))
    except (StoreError, OSError):
        return None
    return path


def kept_for(person: str) -> tuple[Kept, ...]:
    """Give what is kept for a person of the store in use, in the order in which it was asked.

    Raises:
        UnavailableError: The store cannot say which one it is.
    """
    store = shared_store().identity
    found = []
    for path in sorted(_folder().glob(f"*{ENDING}")):
        try:
            values = json.loads(path.read_text(encoding="ascii"))
            if (values["store"], values["person"]) == (store, person):
                found.append(Kept(path, str(values["what"]), str(values["act"])))
        except (OSError, ValueError, TypeError, LookupError):
            continue  # another page has done it meanwhile, or it is no file of ours
    return tuple(found)


def forget(path: Path) -> None:
    """Keep an act no longer."""
    path.unlink(missing_ok=True)


@contextmanager
def at_work(path: Path) -> Iterator[bool]:
    """Have an act for oneself; gives whether no other page of this server is at it."""
    with _LOCK:
        is_free = path not in _BUSY
        _BUSY.add(path)
    try:
        yield is_free
    finally:
        if is_free:
            with _LOCK:
                _BUSY.discard(path)


def _folder() -> Path:
    file = shared_store().file
    if file is None:
        return default_store().parent / "waiting"
    return file.with_name(f"{file.name}-waiting")
