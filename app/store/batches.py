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


def batches_of(connection: Connection, batch: str | None = None) -> tuple[Batch, ...]:
    """List the bulk edits, the newest first; only the one of a name where that is given."""
    # Operations are written with their keys in order, and no key comes before "batch".
    begin = '{"batch": ' + ("" if batch is None else json.dumps(batch))
    is_meant = operations.c.what.startswith(begin, autoescape=True)
    query = (
        sa.select(operations)
        .join(sentences, sentences.c.id == operations.c.sentence)
        .where(is_listed, is_meant)
        .order_by(operations.c.at, operations.c.sentence)
    )
    edits: dict[str, dict[int, int]] = {}
    first: dict[str, tuple[str, str, datetime]] = {}
    for row in connection.execute(query):
        what = json.loads(row.what)
        if what["do"] == "edit":
            edits.setdefault(what["batch"], {})[row.sentence] = row.revision
            opened = (row.person, what.get("note", ""), from_microseconds(row.at))
            first.setdefault(what["batch"], opened)
    undone = _undone(connection, is_meant)
    batches = []
    for name, (person, note, at) in first.items():
        standing = [one for one in edits[name].items() if one not in undone]
        made = Batch(name, person, note, at, tuple(edits[name]), tuple(s for s, _ in standing))
        batches.append(made)
    return tuple(reversed(batches))


def _undone(connection: Connection, is_meant: sa.ColumnElement[bool]) -> set[tuple[int, int]]:
    """Give sentence and revision of the operations that are taken back now.

    The sentences are asked for by a query: of a large document their numbers are more values
    than a statement takes.
    """
    undone: set[tuple[int, int]] = set()
    asked = operations.alias()
    query = (
        sa.select(asked.c.sentence, asked.c.target, asked.c.what)
        .where(
            asked.c.sentence.in_(sa.select(operations.c.sentence).where(is_meant)),
            asked.c.target.is_not(None),
        )
        .order_by(asked.c.sentence, asked.c.revision)
    )
    for row in connection.execute(query):
        if json.loads(row.what)["do"] == "undo":
            undone.add((row.sentence, row.target))
        else:
            undone.discard((row.sentence, row.target))
    return undone
