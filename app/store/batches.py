"""Bulk edits found again in the log: which there are, whose, and what of them counts."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from app.store.records.folding import from_microseconds
from app.store.records.tables import is_listed, operations, sentences


@dataclass(frozen=True, slots=True)
class Batch:
    """One edit of many sentences.

    Attributes:
        id: Its name in the log.
        person: Who asked for it.
        note: What it was, in words.
        at: When its first operation was written, UTC.
        sentences: The sentences that it changed.
        standing: Those in which it has not been taken back.
    """

    id: str
    person: str
    note: str
    at: datetime
    sentences: tuple[int, ...]
    standing: tuple[int, ...]


def batches_of(connection: Connection) -> tuple[Batch, ...]:
    """List all bulk edits, the newest first."""
    # Operations are written with their keys in order, and no key comes before "batch".
    query = (
        sa.select(operations)
        .join(sentences, sentences.c.id == operations.c.sentence)
        .where(is_listed, operations.c.what.startswith('{"batch": ', autoescape=True))
        .order_by(operations.c.at, operations.c.sentence)
    )
    edits: dict[tuple[str, int], int] = {}
    first: dict[str, tuple[str, str, datetime]] = {}
    for row in connection.execute(query):
        what = json.loads(row.what)
        if what["do"] == "edit":
            edits[what["batch"], row.sentence] = row.revision
            opened = (row.person, what.get("note", ""), from_microseconds(row.at))
            first.setdefault(what["batch"], opened)
    undone = _undone(connection, {sentence for _, sentence in edits})
    batches = []
    for batch, (person, note, at) in first.items():
        own = {sentence: revision for (name, sentence), revision in edits.items() if name == batch}
        standing = [s for s, revision in own.items() if (s, revision) not in undone]
        batches.append(Batch(batch, person, note, at, tuple(own), tuple(standing)))
    return tuple(reversed(batches))


def _undone(connection: Connection, sentences: set[int]) -> set[tuple[int, int]]:
    """Give sentence and revision of the operations that are taken back now."""
    undone: set[tuple[int, int]] = set()
    query = (
        sa.select(operations.c.sentence, operations.c.target, operations.c.what)
        .where(operations.c.sentence.in_(sentences), operations.c.target.is_not(None))
        .order_by(operations.c.sentence, operations.c.revision)
    )
    for row in connection.execute(query):
        if json.loads(row.what)["do"] == "undo":
            undone.add((row.sentence, row.target))
        else:
            undone.discard((row.sentence, row.target))
    return undone
