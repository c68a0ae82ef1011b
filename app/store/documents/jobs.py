"""Work on whole documents, kept until it is done: text to be parsed, doubt to work out.

What a person gave stands here before a page says that it was taken, and each parsed
sentence as soon as there is one: a server that starts again goes on where the last one
ended. A worker takes a job for a time and renews that while it works. When it dies the
time runs out and another one, of this server or of any other on the store, may take it.
The document comes into the store and its job goes in one transaction, and only by who
holds the job then: nothing comes in twice. Bulk work (``app.store.bulk``) stands in the same
tables.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine, RowMapping

from app.store.documents.importing import (
    add_document,
    check_document_name,
    check_name_free,
    name_problem,
    parts_of,
)
from app.store.documents.job_rows import (
    PARSING,
    Kind,
    StoredJob,
    end_job,
    hold,
    insert_job,
    insert_lines,
    job_of,
    locked_row,
    outcomes_of,
    own_row,
    rows_of,
)
from app.store.documents.listing import keep_scores
from app.store.records.database import reading, writing
from app.store.records.folding import to_microseconds
from app.store.records.rows import ImportReport
from app.store.records.tables import documents, job_lines, jobs, sentences
from app.store.records.texts import decoded, encoded, shown
from aptcore.errors import StoreError


@dataclass(frozen=True, slots=True)
class ParsedLine:
    """A sentence of raw text that has its block.

    Attributes:
        place: Its line of the text, from 1, or which sentence of that: "3", "3.1".
        block: Of an AMR file.
        doubt: How unsure the model was, by measure.
        reason: Why it was not parsed; empty where it was.
    """

    place: str
    block: str
    doubt: Mapping[str, float]
    reason: str = ""


class Jobs:
    """The jobs of a store.

    Args:
        engine: Of its database.
        clock: Gives the time, UTC.
    """

    def __init__(self, engine: Engine, clock: Callable[[], datetime]) -> None:
        self._engine = engine
        self._clock = clock

    def add_parse(self, name: str, lines: Sequence[tuple[str, str]]) -> StoredJob:
        """Keep raw text to be parsed; it is on disk when this returns.

        Args:
            name: Of the document that it becomes.
            lines: Each sentence with its place: its line of the text, from 1, or which
                sentence of that line it is: "3", "3.1".

        Raises:
            StoreError: The name is taken, or is none.
            FormatError: The text cannot be kept.
        """
        check_document_name(name)
        with writing(self._engine) as connection:
            check_name_free(connection, name)
            made = StoredJob(uuid.uuid4().hex, "parse", name, None, len(lines), 0, ())
            insert_job(connection, made, self._clock())
            insert_lines(connection, made.id, lines)
        return made

    def add_doubt(self, name: str, document: int) -> StoredJob:
        """Ask for the doubt of a document; asked for again it is the same job.

        Raises:
            StoreError: There is no such document.
        """
        with writing(self._engine) as connection:
            known = rows_of(connection, jobs.c.document == document)
            if known:
                return job_of(connection, known[0])
            if not connection.execute(
                sa.select(documents.c.id).where(documents.c.id == document)
            ).first():
                raise StoreError(f"there is no document {document} in the store")
            made = StoredJob(uuid.uuid4().hex, "doubt", name, document, 0, 0, ())
            insert_job(connection, made, self._clock())
            return made

    def all(self) -> tuple[StoredJob, ...]:
        """List the jobs that are not done, in the order in which they were asked for."""
        with reading(self._engine) as connection:
            return tuple(job_of(connection, row) for row in rows_of(connection))

    def ended(self) -> tuple[StoredJob, ...]:
        """List the jobs that have ended of late, with what became of them, the last one last."""
        with reading(self._engine) as connection:
            rows = outcomes_of(connection, self._clock())
            return tuple(job_of(connection, row) for row in rows)

    def take(
        self, worker: str, passed_over: Collection[str] = (), kinds: Collection[Kind] = PARSING
    ) -> StoredJob | None:
        """Take the oldest job of some kinds that nobody is at.

        Args:
            worker: Who takes it; from now on they must renew it.
            passed_over: Jobs that are not wanted now.
            kinds: Those that are wanted.

        Returns:
            The job; None where all are taken or done.
        """
        now = self._clock()
        is_free = (
            (jobs.c.until < to_microseconds(now))
            & jobs.c.id.not_in(list(passed_over))
            & jobs.c.kind.in_(kinds)
        )
        with reading(self._engine) as connection:  # most looks find nothing, and lock nothing
            if not rows_of(connection, is_free):
                return None
        with writing(self._engine) as connection:
            found = rows_of(connection, is_free, lock=True)
            if not found:
                return None
            hold(connection, found[0]["id"], worker, now)
            return job_of(connection, found[0])

    def renew(self, job: str, worker: str, size: int, done: int) -> bool:
        """Hold a job longer, and note how far it is.

        Returns:
            Whether it is still the worker's: someone may have stopped it, or taken it.
        """
        with writing(self._engine) as connection:
            if own_row(connection, job, worker) is None:
                return False
            hold(connection, job, worker, self._clock())
            values = {"size": size, "done": done}
            connection.execute(jobs.update().where(jobs.c.id == job), values)
            return True

    def release(self, job: str, worker: str) -> None:
        """Give a job back undone; others may take it at once."""
        with writing(self._engine) as connection:
            own = (jobs.c.id == job) & (jobs.c.worker == worker)
            connection.execute(jobs.update().where(own), {"worker": "", "until": 0})

    def waiting(self, job: str) -> tuple[tuple[str, str], ...]:
        """Give the sentences that are still to be parsed, each with its place."""
        query = (
            sa.select(job_lines.c.place, job_lines.c.text)
            .where(job_lines.c.job == job, job_lines.c.block.is_(None))
            .order_by(job_lines.c.line)
        )
        with reading(self._engine) as connection:
            return tuple((row.place, decoded(row.text)) for row in connection.execute(query))

    def save(self, job: str, worker: str, parsed: ParsedLine) -> bool:
        """Keep the block of a sentence, and hold the job longer.

        Returns:
            Whether the job is still the worker's; if not, nothing was kept.
        """
        values = {
            "block": encoded(parsed.block),
            "doubt": json.dumps(dict(parsed.doubt)),
            "reason": shown(parsed.reason),
        }
        is_it = (job_lines.c.job == job) & (job_lines.c.place == parsed.place)
        with writing(self._engine) as connection:
            row = own_row(connection, job, worker)
            if row is None:
                return False
            connection.execute(job_lines.update().where(is_it), values)
            connection.execute(jobs.update().where(jobs.c.id == job), {"done": row["done"] + 1})
            hold(connection, job, worker, self._clock())
            return True

    def finish(self, job: str, worker: str) -> ImportReport | None:
        """Make the document of a job whose sentences all have their block.

        Returns:
            What became of it, under another name where someone has taken the name since;
            None where the job is no longer the worker's: nothing was imported then.

        Raises:
            StoreError: A sentence has no block yet.
        """
        lines = self._parsed_lines(job)
        parts = parts_of("parsed", "".join(decoded(row["block"]) for row in lines))
        with writing(self._engine) as connection:
            row = own_row(connection, job, worker)
            if row is None:
                return None
            done, now = job_of(connection, row), self._clock()
            connection.execute(jobs.update().where(jobs.c.id == job).values(name=job))  # it is free
            name = _free_name(connection, done.name)
            report = add_document(connection, name, parts, None, to_microseconds(now))
            end_job(connection, replace(done, name=report.name, done=done.size), now)
            _keep_doubts(connection, report.document, [json.loads(row["doubt"]) for row in lines])
            return report

    def _parsed_lines(self, job: str) -> Sequence[RowMapping]:
        query = sa.select(job_lines).where(job_lines.c.job == job).order_by(job_lines.c.line)
        with reading(self._engine) as connection:
            lines = connection.execute(query).mappings().all()
        waiting = [row["place"] for row in lines if row["block"] is None]
        if waiting:
            raise StoreError(f"line {waiting[0]} is not parsed yet")
        return lines

    def end(
        self, job: str, error: str = "", failed: Sequence[tuple[str, str]] = ()
    ) -> StoredJob | None:
        """End a job and forget what was still to be done: done, or no longer wanted.

        Args:
            job: Its name.
            error: Why it ends early; empty where it does not.
            failed: What its lines do not say of sentences that were not done.

        Returns:
            How far it had come; None where it had ended already.
        """
        with writing(self._engine) as connection:
            row = locked_row(connection, job)
            if row is None:
                return None
            left = job_of(connection, row)
            left = replace(left, error=error, failed=(*left.failed, *failed))
            end_job(connection, left, self._clock())
            return left


def _free_name(connection: Connection, name: str) -> str:
    """Give a name that nothing has: this one, or with a number behind it."""
    found, number = name, 1
    while name_problem(connection, found) is not None:
        number += 1
        found = f"{name[:190]} {number}"
    return found


def _keep_doubts(
    connection: Connection, document: int, doubts: Sequence[Mapping[str, float]]
) -> None:
    """Keep the doubt of each sentence of a document, in order."""
    query = (
        sa.select(sentences.c.id)
        .where(sentences.c.document == document)
        .order_by(sentences.c.number)
    )
    keep_scores(connection, dict(zip(connection.execute(query).scalars(), doubts, strict=True)))
