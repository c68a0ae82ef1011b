"""One act on many sentences: a rewrite, its undo, an assignment.

Each sentence gets an operation of its own; those of a rewrite have the same ``batch``, so that
what was written can be found and taken back together. What is asked for is kept as a job
before any of it is written, and is done in lots: the operations of a lot, and how far the job
is, come to the disk with one commit. A server that dies in the midst leaves a job that says
how far it came, whoever takes it goes on there, and one that is stopped has done exactly what
it says.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine, RowMapping

from app.store.applying import Writer
from app.store.batches import batches_of
from app.store.documents.job_rows import (
    StoredJob,
    delete_job,
    end_job,
    hold,
    insert_job,
    insert_lines,
    job_of,
    locked_row,
    own_row,
    rows_of,
)
from app.store.log.operations import Acknowledged, Answer, Conflict, Refused, Request
from app.store.records.database import writing
from app.store.records.folding import Held
from app.store.records.tables import job_lines, jobs
from app.store.records.texts import decoded, shown
from aptcore.editing.edits import Several, edit_to_json
from aptcore.errors import StoreError

TOGETHER = 50
"""Sentences that are written with one commit: others who write wait that long."""


_NOTE = (
    job_lines.update()
    .where(job_lines.c.job == sa.bindparam("of"), job_lines.c.line == sa.bindparam("at"))
    .values(block=b"", reason=sa.bindparam("told"))
)


@dataclass(frozen=True, slots=True)
class Planned:
    """What is to be done to one sentence; ``base`` is the revision that was previewed."""

    sentence: int
    base: int
    edit: Several


@dataclass(frozen=True, slots=True)
class Asked:
    """One line of a job: an operation on a sentence; without a base on what stands there."""

    sentence: int
    base: int | None
    what: Mapping[str, Any]

    @property
    def place_and_text(self) -> tuple[str, str]:
        """Give it as a line of a job is kept."""
        return str(self.sentence), json.dumps({"base": self.base, "what": self.what})


class Bulk:
    """The bulk work of a store.

    Args:
        engine: Of its database.
        writer: Answers the requests.
        clock: Gives the time, UTC.
    """

    def __init__(self, engine: Engine, writer: Writer, clock: Callable[[], datetime]) -> None:
        self._engine = engine
        self._writer = writer
        self._clock = clock

    def rewrite(
        self, person: str, tab: str, planned: Iterable[Planned], note: str, batch: str
    ) -> StoredJob:
        """Keep an edit of many sentences, to be done; it is on disk when this returns.

        Args:
            person: Who asks.
            tab: From where.
            planned: One edit for each sentence.
            note: What it is, in words; it stands in the log.
            batch: Its name in the log and that of the job, new for each edit.

        Raises:
            UnavailableError: The store cannot write.
        """
        lines = [
            Asked(
                plan.sentence,
                plan.base,
                {"do": "edit", "edit": edit_to_json(plan.edit), "batch": batch, "note": note},
            )
            for plan in planned
        ]
        made = StoredJob(batch, "rewrite", batch, None, len(lines), 0, (), person, note)
        return self._keep(made, tab, lambda _: lines)

    def undo(self, person: str, tab: str, batch: str, note: str, name: str) -> StoredJob:
        """Keep the undo of a rewrite in every sentence in which it stands, to be done.

        Args:
            person: Who asks.
            tab: From where.
            batch: The rewrite.
            note: What that was, in words.
            name: Of this undo and of its job, new for each.

        Raises:
            StoreError: There is no such rewrite, or it is still at work.
            UnavailableError: The store cannot write.
        """

        def lines_of(connection: Connection) -> list[Asked]:
            if locked_row(connection, batch) is not None:
                raise StoreError("the rewrite is still at work: stop it first")
            found = batches_of(connection, batch)
            if not found:
                raise StoreError("there is no such rewrite in the store")
            if rows_of(connection, jobs.c.name == undo_name(batch)):
                raise StoreError("it is being taken back already")
            what = {"do": "undo", "batch": batch}
            return [Asked(sentence, None, what) for sentence in found[0].standing]

        made = StoredJob(name, "undo", undo_name(batch), None, 0, 0, (), person, note)
        return self._keep(made, tab, lines_of)

    def assign(
        self, person: str, tab: str, people: Mapping[int, str], note: str, name: str
    ) -> StoredJob:
        """Keep who is to have which sentence, to be done.

        Args:
            person: Who asks.
            tab: From where.
            people: By sentence; "" for nobody.
            note: To whom, in words.
            name: Of this act and of its job, new for each.

        Raises:
            UnavailableError: The store cannot write.
        """
        lines = [
            Asked(sentence, None, {"do": "assign", "person": one})
            for sentence, one in people.items()
        ]
        made = StoredJob(name, "assign", name, None, len(lines), 0, (), person, note)
        return self._keep(made, tab, lambda _: lines)

    def _keep(
        self, made: StoredJob, tab: str, lines_of: Callable[[Connection], Sequence[Asked]]
    ) -> StoredJob:
        """Keep a job; asked for again under its name it is the same."""
        with writing(self._engine) as connection:
            for known in connection.execute(sa.select(jobs).where(jobs.c.id == made.id)).mappings():
                return job_of(connection, known)
            lines = lines_of(connection)
            made = replace(made, size=len(lines), note=shown(made.note))
            insert_job(connection, made, self._clock(), tab)
            insert_lines(connection, made.id, [line.place_and_text for line in lines])
        return made

    def hold(self, job: str, worker: str) -> bool:
        """Take a job that nobody is at; gives whether the worker has it."""
        with writing(self._engine) as connection:
            row = locked_row(connection, job)
            if row is None or row["worker"] not in ("", worker):
                return False
            hold(connection, job, worker, self._clock())
            return True

    def go_on(self, job: str, worker: str, *, is_told: bool = False) -> StoredJob | None:
        """Do the next lot of a job with one commit; with the last one the job has ended.

        A sentence that cannot be done is noted with its reason, and the others go on.

        Args:
            job: Its name.
            worker: Who has it.
            is_told: Whether its person waits for the outcome, which is not kept then.

        Returns:
            How far it is; None where the job is not the worker's: nothing was done then.

        Raises:
            UnavailableError: The store cannot write; what was written before stands.
        """
        after: dict[int, Held] = {}
        with writing(self._engine) as connection:
            row = own_row(connection, job, worker)
            if row is None:
                return None
            outcomes = []
            for line in _waiting(connection, job):
                answer, held = self._answer(connection, row, line)
                after |= held
                outcomes.append({"at": line["line"], "told": shown(_reason(answer))})
            if outcomes:
                connection.execute(_NOTE, [{"of": job, **outcome} for outcome in outcomes])
            done = row["done"] + len(outcomes)
            connection.execute(jobs.update().where(jobs.c.id == job), {"done": done})
            hold(connection, job, worker, self._clock())
            found = replace(job_of(connection, row), done=done)
            if done >= found.size or not outcomes:
                if is_told:
                    delete_job(connection, job)
                else:
                    end_job(connection, found, self._clock())
        self._writer.committed(after)
        return found

    def _answer(
        self, connection: Connection, job: RowMapping, line: RowMapping
    ) -> tuple[Answer, dict[int, Held]]:
        asked = json.loads(decoded(line["text"]))
        base = asked["base"]
        request = Request(f"{job['kind']} {job['id']}", base or 0, asked["what"])
        person, tab = job["person"], job["tab"]
        try:
            return self._writer.answer(
                connection, int(line["place"]), person, tab, request, at_newest=base is None
            )
        except StoreError as error:
            return Refused(request.id, str(error)), {}

    def finish(self, job: StoredJob) -> StoredJob:
        """Do a job to its end, here and now; one that another worker has is left to it.

        Returns:
            How far it is.

        Raises:
            UnavailableError: The store cannot write; the job waits for whoever takes it.
        """
        worker, found = uuid.uuid4().hex, job
        if self.hold(job.id, worker):
            while (step := self.go_on(job.id, worker, is_told=True)) is not None:
                found = step
        return found


def undo_name(batch: str) -> str:
    """Name the job that takes a rewrite back: there is one at a time."""
    return f"undo {batch}"


def _waiting(connection: Connection, job: str) -> Sequence[RowMapping]:
    query = (
        sa.select(job_lines.c.line, job_lines.c.place, job_lines.c.text)
        .where(job_lines.c.job == job, job_lines.c.block.is_(None))
        .order_by(job_lines.c.line)
        .limit(TOGETHER)
    )
    return connection.execute(query).mappings().all()


def _reason(answer: Answer) -> str:
    if isinstance(answer, Acknowledged):
        return ""
    if isinstance(answer, Conflict):
        return f"{answer.by} changed the sentence since the preview"
    return answer.reason
