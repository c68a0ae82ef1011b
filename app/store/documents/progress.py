"""How far the work is, and who did what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
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
        first: Their first operation, UTC; None while there is none.
        last: Their last operation, UTC; None while there is none.
        assigned: Sentences that are assigned to them.
        assigned_done: Those of them that are accepted, rejected or skipped, by anyone.
    """

    person: str
    operations: int
    sentences: int
    accepted: int
    rejected: int
    skipped: int
    hours: float
    first: datetime | None
    last: datetime | None
    assigned: int = 0
    assigned_done: int = 0

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
    has_flag, is_apart = sentences.c.flagged != "", sentences.c.apart != ""
    groups = (sentences.c.status, sentences.c.status_by, sentences.c.is_edited, has_flag, is_apart)
    query = sa.select(*groups, sa.func.count()).where(*chosen).group_by(*groups)
    done, counts = Counter[tuple[str, str]](), Counter[str]()
    for status, by, edited, flagged, apart, number in connection.execute(query):
        done[by, status] += number
        counts[status] += number
        counts["sentences"] += number
        for name, holds in (("edited", edited), ("flagged", flagged), ("apart", apart)):
            counts[name] += number if holds else 0
    people = _people(connection, chosen, done, _assigned(connection, chosen))
    return Progress(
        sentences=counts["sentences"],
        open=counts["open"],
        accepted=counts["accepted"],
        rejected=counts["rejected"],
        skipped=counts["skipped"],
        edited=counts["edited"],
        flagged=counts["flagged"],
        apart=counts["apart"],
        operations=sum(person.operations for person in people),
        people=people,
    )


def _assigned(
    connection: Connection, chosen: Sequence[sa.ColumnElement[bool]]
) -> dict[str, tuple[int, int]]:
    """Count what is assigned to each person, and how much of it is done."""
    is_done = sentences.c.status != "open"
    query = (
        sa.select(sentences.c.assigned, sa.func.count(), sa.func.count().filter(is_done))
        .where(*chosen, sentences.c.assigned != "")
        .group_by(sentences.c.assigned)
    )
    return {person: (num, num_done) for person, num, num_done in connection.execute(query)}


def _people(
    connection: Connection,
    chosen: Sequence[sa.ColumnElement[bool]],
    done: Counter[tuple[str, str]],
    assigned: Mapping[str, tuple[int, int]],
) -> tuple[PersonProgress, ...]:
    """Count the work of all who did some, and of those who were given some and begin yet."""
    at = operations.c.at
    gap = at - sa.func.lag(at).over(partition_by=operations.c.person, order_by=at)
    log = (
        sa.select(operations.c.person, operations.c.sentence, at, gap.label("gap"))
        .join(sentences, sentences.c.id == operations.c.sentence)
        .where(*chosen)
        .subquery()
    )
    is_work = log.c.gap <= PAUSE_SECONDS * 1_000_000
    query = (
        sa.select(
            log.c.person,
            sa.func.count().label("operations"),
            sa.func.count(log.c.sentence.distinct()).label("sentences"),
            sa.func.coalesce(sa.func.sum(log.c.gap).filter(is_work), 0).label("work"),
            sa.func.min(log.c.at).label("first"),
            sa.func.max(log.c.at).label("last"),
        )
        .group_by(log.c.person)
        .order_by(log.c.person)
    )
    found = {
        row.person: PersonProgress(
            row.person,
            row.operations,
            row.sentences,
            done[row.person, "accepted"],
            done[row.person, "rejected"],
            done[row.person, "skipped"],
            int(row.work) / 3_600_000_000,
            from_microseconds(row.first),
            from_microseconds(row.last),
            *assigned.get(row.person, (0, 0)),
        )
        for row in connection.execute(query)
    }
    for person, counts in assigned.items():
        beginner = PersonProgress(person, 0, 0, 0, 0, 0, 0.0, None, None, *counts)
        found.setdefault(person, beginner)
    return tuple(found[person] for person in sorted(found))
