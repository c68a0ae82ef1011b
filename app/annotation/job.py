"""A job as pages see it: how far it is, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.store.documents.job_rows import BULK, Kind, StoredJob

STOPPED = "stopped before its end"


@dataclass(slots=True)
class Job:
    """Work that was asked for; a worker changes it while it works.

    Attributes:
        id: Its name in the store.
        name: Of the document; of bulk work as the store names it.
        kind: Sentences to parse, doubt to work out, or bulk work.
        person: Who asked for bulk work.
        note: What that is, in words.
        size: How many sentences.
        done: How many are ready, failed ones too.
        failed: Sentences that could not be parsed or were refused, with the reason.
        error: Why the work ended early, or cannot go on for now; empty where it does.
        is_over: Whether it ended.
    """

    id: str
    name: str
    kind: Kind
    person: str = ""
    note: str = ""
    size: int = 0
    done: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)
    error: str = ""
    is_over: bool = False

    @property
    def is_bulk(self) -> bool:
        """Tell whether it is one act on many sentences."""
        return self.kind in BULK

    def take_figures(self, stored: StoredJob) -> None:
        """Take over how far the job is in the store, and what became of it."""
        self.size, self.done, self.failed = stored.size, stored.done, list(stored.failed)
        if stored.is_over:
            self.name, self.error, self.is_over = stored.name, stored.error, True


def job_of(stored: StoredJob) -> Job:
    """Give a job of the store."""
    job = Job(stored.id, stored.name, stored.kind, stored.person, stored.note)
    job.take_figures(stored)
    return job
