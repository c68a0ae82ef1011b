"""The rows of the tables of jobs: what a job is, and who has it for how long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Literal

import sqlalchemy as sa
from sqlalchemy.engine import Connection, RowMapping

from app.store.records.folding import to_microseconds
from app.store.records.tables import job_lines, jobs
from app.store.records.texts import encoded

LEASE = timedelta(seconds=20)
"""How long a worker holds a job that it does not renew."""
Kind = Literal["parse", "doubt", "rewrite", "undo", "assign"]
PARSING: tuple[Kind, ...] = ("parse", "doubt")
BULK: tuple[Kind, ...] = ("rewrite", "undo", "assign")


@dataclass(frozen=True, slots=True)
class StoredJob:
    """A job that is not done.

    Attributes:
        id: Its name in the store.
        kind: Sentences to parse, doubt to work out, or bulk work.
        name: Of the document; of bulk work its id.
        document: Its number; None where the job makes it.
        size: How many sentences.
        done: How many are ready, failed ones too.
        failed: Sentences that could not be parsed or were refused: their name and the reason.
        person: Who asked for bulk work.
        note: What that is, in words.
    """

    id: str
    kind: Kind
    name: str
    document: int | None
    size: int
    done: int
    failed: tuple[tuple[str, str], ...]
    person: str = ""
    note: str = ""


def insert_job(connection: Connection, job: StoredJob, at: datetime, tab: str = "") -> None:
    """Write the row of a job that nobody is at yet."""
    values = asdict(job) | {"tab": tab, "at": to_microseconds(at), "worker": "", "until": 0}
    del values["failed"]  # their lines say so
    connection.execute(jobs.insert().values(**values))


def insert_lines(connection: Connection, job: str, lines: Sequence[tuple[str, str]]) -> None:
    """Write the lines of a job, none of them done: of each its place and its text."""
    first = {"job": job, "block": None, "doubt": "{}", "reason": ""}
    rows = [
        {**first, "line": number, "place": place, "text": encoded(text)}
        for number, (place, text) in enumerate(lines, 1)
    ]
    if rows:
        connection.execute(job_lines.insert(), rows)


def hold(connection: Connection, job: str, worker: str, now: datetime) -> None:
    """Let a worker have a job for a time, from now on."""
    values = {"worker": worker, "until": to_microseconds(now + LEASE)}
    connection.execute(jobs.update().where(jobs.c.id == job), values)


def sentence_name(document: str, place: str) -> str:
    """Name a sentence by its place in the raw text."""
    return f"{document}.{place}"


def own_row(connection: Connection, job: str, worker: str) -> RowMapping | None:
    """Read the row of a job and lock it; None where the job is not the worker's."""
    own = (jobs.c.id == job) & (jobs.c.worker == worker)
    query = sa.select(jobs).where(own).with_for_update()
    return connection.execute(query).mappings().first()


def rows_of(
    connection: Connection, *conditions: sa.ColumnElement[bool], lock: bool = False
) -> Sequence[RowMapping]:
    """Read rows in the order in which jobs were asked for; the first free one to lock it."""
    query = sa.select(jobs).where(*conditions).order_by(jobs.c.at, jobs.c.id)
    if lock:
        query = query.limit(1).with_for_update(skip_locked=True)
    return connection.execute(query).mappings().all()


def job_of(connection: Connection, row: RowMapping) -> StoredJob:
    """Give a job of a row of ``jobs``."""
    query = (
        sa.select(job_lines.c.place, job_lines.c.reason)
        .where(job_lines.c.job == row["id"], job_lines.c.reason != "")
        .order_by(job_lines.c.line)
    )
    failed = tuple(
        (
            f"sentence {line.place}"
            if row["kind"] in BULK
            else sentence_name(row["name"], line.place),
            line.reason,
        )
        for line in connection.execute(query)
    )
    kept = ("id", "kind", "name", "document", "size", "done", "person", "note")
    return StoredJob(**{name: row[name] for name in kept}, failed=failed)


def locked_row(connection: Connection, job: str) -> RowMapping | None:
    """Read the row of a job once no worker is writing; None where the job has ended."""
    query = sa.select(jobs).where(jobs.c.id == job).with_for_update()
    return connection.execute(query).mappings().first()


def delete_job(connection: Connection, job: str) -> None:
    """Drop a job whose row is locked, with its lines."""
    connection.execute(job_lines.delete().where(job_lines.c.job == job))
    connection.execute(jobs.delete().where(jobs.c.id == job))
