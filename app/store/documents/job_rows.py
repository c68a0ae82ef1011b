"""The rows of the tables of jobs: what a job is, who has it for how long, what became of it."""

from __future__ import annotations

import json
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
KEPT_OUTCOMES, KEPT_TIME = 20, timedelta(days=3)
"""How many jobs that have ended are kept, and for how long, to be told of."""
Kind = Literal["parse", "doubt", "rewrite", "undo", "assign"]
PARSING: tuple[Kind, ...] = ("parse", "doubt")
BULK: tuple[Kind, ...] = ("rewrite", "undo", "assign")


@dataclass(frozen=True, slots=True)
class StoredJob:
    """A job.

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
        is_over: Whether it has ended.
        error: Why it ended early; empty where it did not.
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
    is_over: bool = False
    error: str = ""


def insert_job(connection: Connection, job: StoredJob, at: datetime, tab: str = "") -> None:
    """Write the row of a job that nobody is at yet."""
    values = asdict(job) | {"tab": tab, "at": to_microseconds(at), "worker": "", "until": 0}
    for told in ("failed", "is_over", "error"):  # by its lines, and once it has ended
        del values[told]
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
    """Read jobs that go on, in the order in which they were asked for; the first to lock it."""
    query = sa.select(jobs).where(jobs.c.ended == 0, *conditions).order_by(jobs.c.at, jobs.c.id)
    if lock:
        query = query.limit(1).with_for_update(skip_locked=True)
    return connection.execute(query).mappings().all()


def job_of(connection: Connection, row: RowMapping) -> StoredJob:
    """Give a job of a row of ``jobs``."""
    kept = {
        name: row[name]
        for name in ("id", "kind", "name", "document", "size", "done", "person", "note")
    }
    if row["ended"]:
        outcome = json.loads(row["outcome"])
        failed = tuple((name, reason) for name, reason in outcome.pop("failed"))
        return StoredJob(**kept | outcome, failed=failed, is_over=True)
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
    return StoredJob(**kept, failed=failed)


def locked_row(connection: Connection, job: str) -> RowMapping | None:
    """Read the row of a job once no worker is writing; None where the job has ended."""
    query = sa.select(jobs).where(jobs.c.id == job, jobs.c.ended == 0).with_for_update()
    return connection.execute(query).mappings().first()


def outcomes_of(connection: Connection, now: datetime) -> Sequence[RowMapping]:
    """Read the jobs that have ended of late, the last one last."""
    is_kept = jobs.c.ended > to_microseconds(now - KEPT_TIME)
    query = sa.select(jobs).where(is_kept).order_by(jobs.c.ended, jobs.c.id)
    return connection.execute(query).mappings().all()


def end_job(connection: Connection, job: StoredJob, now: datetime) -> None:
    """Keep what became of a job whose row is locked; its lines go, and the oldest outcomes."""
    outcome = {"name": job.name, "failed": job.failed, "error": job.error}
    values = {
        **{"name": job.id, "document": None, "size": job.size, "done": job.done},
        **{"worker": "", "until": 0},
        **{"ended": to_microseconds(now), "outcome": json.dumps(outcome)},
    }
    connection.execute(job_lines.delete().where(job_lines.c.job == job.id))
    connection.execute(jobs.update().where(jobs.c.id == job.id).values(**values))
    kept = {row["id"] for row in outcomes_of(connection, now)[-KEPT_OUTCOMES:]}
    gone = (jobs.c.ended != 0) & jobs.c.id.not_in(kept)
    connection.execute(jobs.delete().where(gone))


def delete_job(connection: Connection, job: str) -> None:
    """Drop a job whose row is locked, with its lines: nobody is to be told of it."""
    connection.execute(job_lines.delete().where(job_lines.c.job == job))
    connection.execute(jobs.delete().where(jobs.c.id == job))
