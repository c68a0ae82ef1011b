"""Work on whole documents behind the pages: raw text is parsed, doubt is worked out.

What is to be done stands in the store (``app.store.documents.jobs``), so that a server that dies
loses none of it. One worker thread takes a job after the other, those that a dead server
left behind too, and asks the shared engine for one sentence at a time: a person who
parses meanwhile waits for one sentence at most. It never calls Streamlit: pages look at a
job when they are drawn.
"""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import wait
from dataclasses import dataclass, field
from typing import Literal

from app.annotation.incoming import RawText, doubt_of, failed_block, parsed_block
from app.engine.worker import Engine, error_text
from app.kit.limits import sentence_problem
from app.store.documents.jobs import LEASE, ParsedLine, StoredJob, sentence_name
from app.store.store import Store
from aptcore.advice.doubt import disagreement
from aptcore.errors import AptamrError, StoreError
from aptcore.graph.encoding import undecoded
from aptcore.trace.trace import Trace

MAX_REMEMBERED = 20
"""Jobs that are still told of when they are done."""
BEAM = 1
SAVED_TOGETHER = 8
"""Sentences whose doubt is written at once."""
STOPPED = "stopped before its end"
RENEW_SECONDS = LEASE.total_seconds() / 4
"""How often a job is renewed while a sentence takes long."""
LOOK_SECONDS = 5.0
"""How often the store is asked for jobs that another server left behind."""
RETRY_SECONDS = 30.0
"""How long a job that cannot go on waits for the next try."""
_LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class Job:
    """Work that was asked for; the worker changes it while it works.

    Attributes:
        id: Its name in the store.
        name: Of the document.
        kind: Sentences to parse, or doubt to work out.
        size: How many sentences.
        done: How many are ready, failed ones too.
        failed: Sentences that could not be parsed, with the reason.
        error: Why the work ended early, or cannot go on for now; empty where it does.
        is_over: Whether it ended.
    """

    id: str
    name: str
    kind: Literal["parse", "doubt"]
    size: int = 0
    done: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)
    error: str = ""
    is_over: bool = False


class StoppedError(AptamrError):
    """A person ended a job, or another server has it now."""


class ModelError(AptamrError):
    """There is no model to parse with."""


class Scribe:
    """Does the jobs of a store one after the other.

    Args:
        store: Where the documents and the jobs are.
        engine: What parses.
    """

    def __init__(self, store: Store, engine: Engine) -> None:
        self._store = store
        self._engine = engine
        self._name = uuid.uuid4().hex
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._current = ""  # the job at which the worker is
        self._paused: dict[str, float] = {}  # until when, on the monotonic clock
        self._renewed = 0.0
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._is_closed = False
        # A daemon, so that the server can be stopped in the middle of a document.
        threading.Thread(target=self._serve, name="aptamr-scribe", daemon=True).start()

    def close(self) -> None:
        """End the worker; its job waits in the store for another one."""
        self._is_closed = True
        self._wake.set()

    @property
    def jobs(self) -> tuple[Job, ...]:
        """Give the newest jobs of the store, those of other servers too, in order.

        Raises:
            StoreError: The store cannot be read.
        """
        with self._lock:  # also around the look: a job that comes meanwhile is not over
            stored = self._store.jobs.all()
            for one in stored:
                self._note(one)
            waiting = {one.id for one in stored}
            gone = [job for job in self._jobs.values() if job.id not in waiting]
            self._end([job for job in gone if not job.is_over])
            for job in gone[: max(0, len(self._jobs) - MAX_REMEMBERED)]:
                del self._jobs[job.id]
            return tuple(self._jobs.values())

    def _note(self, stored: StoredJob) -> Job:
        """Give the job of this process for one of the store, with its newest figures."""
        job = self._jobs.setdefault(stored.id, Job(stored.id, stored.name, stored.kind))
        if job.id != self._current:
            job.size, job.done, job.failed = stored.size, stored.done, list(stored.failed)
        return job

    def _end(self, gone: Sequence[Job]) -> None:
        """Note what became of jobs that have left the store."""
        names = {document.name for document in self._store.documents()} if gone else set()
        for job in gone:
            if job.name in names:
                job.done = job.size
            else:
                job.error = STOPPED
            job.is_over = True

    def parse(self, name: str, text: RawText) -> Job:
        """Parse sentences and import them as a document; they are on disk when this returns.

        Raises:
            StoreError: The name is taken, or is none: told now, not when all is parsed.
            FormatError: The text cannot be kept.
        """
        return self._begun(self._store.jobs.add_parse(name, text.lines))

    def doubt(self, name: str, document: int) -> Job:
        """Work out the doubt of the sentences of a document that have none yet.

        Raises:
            StoreError: There is no such document.
        """
        return self._begun(self._store.jobs.add_doubt(name, document))

    def _begun(self, stored: StoredJob) -> Job:
        with self._lock:
            job = self._note(stored)
        self._wake.set()
        return job

    def stop(self, job: Job) -> None:
        """End a job after the sentence at hand, wherever it is done, and forget its text.

        Raises:
            StoreError: The store cannot write.
        """
        self._store.jobs.remove(job.id)
        job.error = STOPPED
        job.is_over = True

    # --- the worker ------------------------------------------------------------------

    def _serve(self) -> None:
        while not self._is_closed:
            self._wake.clear()
            if not self._has_worked():
                self._wake.wait(LOOK_SECONDS)

    def _has_worked(self) -> bool:
        """Take a job and do it; tell whether there was one."""
        now = time.monotonic()
        self._paused = {name: until for name, until in self._paused.items() if until > now}
        try:
            stored = self._store.jobs.take(self._name, self._paused)
        except StoreError as error:
            _LOG.warning("the store cannot be asked for jobs: %s", error)
            return False
        if stored is None:
            return False
        with self._lock:
            job = self._note(stored)
            self._current = job.id
        self._do(job, stored)
        self._current = ""
        return True

    def _do(self, job: Job, stored: StoredJob) -> None:
        """Do a job; what goes wrong is told on the page, and the worker lives on."""
        job.error = ""
        try:
            if stored.document is None:
                self._parse(job)
            else:
                self._doubt(job, stored.document)
            job.error, job.is_over = "", True
        except StoppedError:
            pass  # the store says what became of it
        except Exception as error:
            self._put_off(job, error_text(error))

    def _put_off(self, job: Job, reason: str) -> None:
        """Let a job wait in the store for another try."""
        job.error = reason
        self._paused[job.id] = time.monotonic() + RETRY_SECONDS
        try:
            self._store.jobs.release(job.id, self._name)
        except StoreError as error:
            _LOG.warning("the job of %s waits until its time is over: %s", job.name, error)

    def _parse(self, job: Job) -> None:
        for place, sentence in self._store.jobs.waiting(job.id):
            name = sentence_name(job.name, place)
            damage, trace = undecoded(sentence), None
            reason = f"line {place}: {damage}"
            if damage is None:
                trace, reason = self._traced(job, sentence)
            if trace is None:
                parsed = ParsedLine(place, failed_block(name, sentence, reason), {}, reason)
            else:
                parsed = ParsedLine(place, parsed_block(name, trace), doubt_of(trace))
            if not self._store.jobs.save(job.id, self._name, parsed):
                raise StoppedError
            if reason:
                job.failed.append((name, reason))
            job.done += 1
        report = self._store.jobs.finish(job.id, self._name)
        if report is None:
            raise StoppedError
        job.name = report.name

    def _doubt(self, job: Job, document: int) -> None:
        rows = self._store.sentences(document)
        known = self._store.scores(document)
        missing = [row for row in rows if row.id not in known]
        graphs = dict(self._store.graphs(document)) if missing else {}
        job.size, job.done, job.failed, waiting = len(missing), 0, [], {}
        for row in missing:
            trace, reason = self._traced(job, row.text)
            if trace is None:
                job.failed.append((row.name or str(row.number), reason))
            else:
                # Of a graph that came with the file: how far the model's own parse is from it.
                apart = disagreement([trace.graph, graphs[row.id]])
                waiting[row.id] = {**doubt_of(trace), "disagreement": apart}
            job.done += 1
            if len(waiting) == SAVED_TOGETHER:
                self._store.set_scores(waiting)
                waiting = {}
        self._store.set_scores(waiting)
        self._store.jobs.remove(job.id)

    def _traced(self, job: Job, sentence: str) -> tuple[Trace | None, str]:
        """Parse one sentence; give the trace, or why there is none.

        Raises:
            StoppedError: The job is no longer this worker's.
            ModelError: There is no model.
        """
        problem = sentence_problem(sentence)
        if problem is not None:
            return None, problem
        promise = self._engine.submit(sentence, BEAM)
        self._renew(job)
        while not wait([promise], RENEW_SECONDS).done:
            self._renew(job)
        error = promise.exception()
        if error is None:
            return promise.result().trace, ""
        if self._engine.status.kind == "failed":
            raise ModelError(f"the model cannot be loaded: {error_text(error)}") from error
        return None, error_text(error)

    def _renew(self, job: Job) -> None:
        """Hold a job longer, if it is time to.

        Raises:
            StoppedError: It is no longer this worker's, or the worker was closed.
        """
        if self._is_closed:
            self._store.jobs.release(job.id, self._name)
        if self._is_closed or job.is_over:
            raise StoppedError
        if time.monotonic() - self._renewed < RENEW_SECONDS:
            return
        if not self._store.jobs.renew(job.id, self._name, job.size, job.done):
            raise StoppedError
        self._renewed = time.monotonic()
