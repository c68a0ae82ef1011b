"""How far the work is, and who did what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from app.store.records.folding import from_microseconds
from app.store.records.tables import is_listed, operations, sentences

PAUSE_SECONDS = 300
"""A longer gap between two operations of a person is a pause and no work."""


@dataclass(frozen=True, slots=True)
class PersonProgress:
    """What one person did.

    Attributes:
        person: Their name.
        operations: All, undo and redo too.
        sentences: Sentences that they touched.
        accepted: Sentences whose status they gave last, by status.
        rejected: The same.
        skipped: The same.
        hours: Time at work, pauses of more than five minutes left out.
        first: Their first operation, UTC.
        last: Their last operation, UTC.
    """

    person: str
    operations: int
    sentences: int
    accepted: int
    rejected: int
    skipped: int
    hours: float
    first: datetime
    last: datetime

    @property
    def sentences_per_hour(self) -> float:
        """Give accepted, rejected and skipped sentences an hour; 0 for no time at all."""
        done = self.accepted + self.rejected + self.skipped
        return done / self.hours if self.hours else 0.0


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one or several documents, or a whole store, are.

    Attributes:
        sentences: All.
        open: Not yet accepted, rejected or skipped.
        accepted: By status.
        rejected: By status.
        skipped: By status.
        edited: With a graph other than imported.
        flagged: With a flag.
        apart: Kept apart on import and not mended.
        operations: On all of them.
        people: By name.
    """

    sentences: int
    open: int
    accepted: int
    rejected: int
    skipped: int
    edited: int
    flagged: int
    apart: int
    operations: int
    people: tuple[PersonProgress, ...]


def progress_of(connection: Connection, documents: Sequence[int]) -> Progress:
    """Count the sentences and operations of some documents together; of all if none is named."""
    chosen = [sentences.c.document.in_(documents)] if documents else [is_listed]
    query = sa.select(
        sentences.c.status,
        sentences.c.status_by,
        sentences.c.is_edited,
        (sentences.c.flagged != "").label("flagged"),
        (sentences.c.apart != "").label("apart"),
    ).where(*chosen)
    rows = connection.execute(query).all()
    done = Counter((row.status_by, row.status) for row in rows)
    counts = Counter(row.status for row in rows)
    people = _people(connection, chosen, done)
    return Progress(
        sentences=len(rows),
        open=counts["open"],
        accepted=counts["accepted"],
        rejected=counts["rejected"],
        skipped=counts["skipped"],
        edited=sum(bool(row.is_edited) for row in rows),
        flagged=sum(bool(row.flagged) for row in rows),
        apart=sum(bool(row.apart) for row in rows),
        operations=sum(person.operations for person in people),
        people=people,
    )


def _people(
    connection: Connection,
    chosen: Sequence[sa.ColumnElement[bool]],
    done: Counter[tuple[str, str]],
) -> tuple[PersonProgress, ...]:
    query = (
        sa.select(operations.c.person, operations.c.sentence, operations.c.at)
        .join(sentences, sentences.c.id == operations.c.sentence)
        .where(*chosen)
        .order_by(operations.c.person, operations.c.at)
    )
    times: dict[str, list[int]] = {}
    touched: dict[str, set[int]] = {}
    for row in connection.execute(query):
        times.setdefault(row.person, []).append(row.at)
        touched.setdefault(row.person, set()).add(row.sentence)
    return tuple(
        PersonProgress(
            person,
            len(at),
            len(touched[person]),
            done[person, "accepted"],
            done[person, "rejected"],
            done[person, "skipped"],
            _hours(at),
            from_microseconds(at[0]),
            from_microseconds(at[-1]),
        )
        for person, at in times.items()
    )


def _hours(times: Sequence[int]) -> float:
    """Add up the gaps (microseconds) between operations that are no pauses."""
    gaps = [(after - before) / 1e6 for before, after in zip(times, times[1:], strict=False)]
    return sum(gap for gap in gaps if gap <= PAUSE_SECONDS) / 3600
