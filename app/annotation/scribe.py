"""Work on whole documents behind the pages: text is parsed, doubt worked out, much rewritten.

What is to be done stands in the store (``app.store.documents.jobs``, ``app.store.bulk``), so
that a server that dies loses none of it. Two threads take a job after the other, those that a
dead server left behind too: one parses, and asks the shared engine for one sentence at a time,
so that a person who parses meanwhile waits for one sentence at most; the other one does bulk
work, lot by lot. They never call Streamlit: pages look at a job when they are drawn.
"""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections import OrderedDict
from concurrent.futures import wait
from dataclasses import dataclass, field

from app.annotation.incoming import RawText, doubt_of, parsed_block
from app.annotation.job import STOPPED, Job, job_of
from app.annotation.outside import failed_line, parsed_outside
from app.engine.worker import Engine, error_text
from app.kit.limits import sentence_problem
from app.store.documents.job_rows import BULK, LEASE, PARSING, Kind, StoredJob, sentence_name
from app.store.documents.jobs import ParsedLine
from app.store.store import Store
from aptcore.advice.doubt import disagreement
from aptcore.errors import AptamrError, ConfigurationError, StoreError, UnavailableError
from aptcore.graph.encoding import undecoded
from aptcore.outside.command import CommandParser
from aptcore.trace.trace import Trace

BEAM = 1
SAVED_TOGETHER = 8
"""Sentences whose doubt is written at once."""
RENEW_SECONDS = LEASE.total_seconds() / 4
"""How often a job is renewed while a sentence takes long."""
LOOK_SECONDS = 5.0
"""How often the store is asked for jobs that another server left behind."""
RETRY_SECONDS = 30.0
"""How long a job that cannot go on waits for the next try."""
BULK_RETRY_SECONDS = 5.0
"""The same for bulk work, which needs nothing but the store."""
IMMEDIATE = 200
"""Sentences that are written while the person waits: about a second's work."""
GAP_SECONDS = 0.11
"""Between two lots: SQLite lets others who wait look again every 0.1 s, so that they get in."""
_LOG = logging.getLogger(__name__)


class StoppedError(AptamrError):
    """A person ended a job, or another server has it now."""


class ModelError(AptamrError):
    """There is no model to parse with."""


@dataclass(slots=True)
class _Hand:
    """A thread of the scribe: which jobs it takes, at which it is, which wait for a later try."""

    kinds: tuple[Kind, ...]
    retry_seconds: float
    current: str = ""
    paused: dict[str, float] = field(default_factory=dict)  # until when, monotonic clock
    wake: threading.Event = field(default_factory=threading.Event)


class Scribe:
    """Does the jobs of a store, parsing and bulk work side by side.

    Args:
        store: Where the documents and the jobs are.
        engine: What parses.
        outside: Another parser, which parses in its place; doubt stays the engine's.
    """

    def __init__(self, store: Store, engine: Engine, outside: CommandParser | None = None) -> None:
        self._store = store
        self._engine = engine
        self._outside = outside
        self._name = uuid.uuid4().hex
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._hands = (_Hand(PARSING, RETRY_SECONDS), _Hand(BULK, BULK_RETRY_SECONDS))
        self._renewed = 0.0
        self._lock = threading.Lock()
        self._is_closed = False
        for hand in self._hands:
            # A daemon, so that the server can be stopped in the middle of a document.
            name = f"aptamr-scribe-{hand.kinds[0]}"
            threading.Thread(target=self._serve, args=(hand,), name=name, daemon=True).start()

    def close(self) -> None:
        """End the threads; their jobs wait in the store for others."""
        self._is_closed = True
        self._wake_all()
        if self._outside is not None:
            self._outside.close()

    def _wake_all(self) -> None:
        for hand in self._hands:
            hand.wake.set()

    @property
    def jobs(self) -> tuple[Job, ...]:
        """Give the jobs of the store, also other servers', and those that have ended of late.

        Raises:
            StoreError: The store cannot be read.
        """
        with self._lock:  # also around the look: a job that comes meanwhile is not over
            # In this order: one that ends in between is in both.
            stored = (*self._store.jobs.all(), *self._store.jobs.ended())
            known = {one.id: self._note(one) for one in stored}
            self._jobs = OrderedDict((id, job) for id, job in self._jobs.items() if id in known)
            return tuple(self._jobs.values())

    def _note(self, stored: StoredJob) -> Job:
        """Give the job of this process for one of the store, with its newest figures."""
        job = self._jobs.setdefault(stored.id, job_of(stored))
        # What was read may be older than what a thread has done since.
        is_older = any(job.id == hand.current for hand in self._hands) and not stored.is_over
        if not is_older and not job.is_over:
            job.take_figures(stored)
        return job

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

    def do_all(self, stored: StoredJob) -> Job:
        """Do bulk work that is kept in the store; a little at once, much behind the pages.

        Returns:
            The job; it is over where it was done at once. Where the store fails meanwhile, what
            is left is done behind the pages.
        """
        if stored.size > IMMEDIATE:
            return self._begun(stored)
        try:
            job = job_of(self._store.bulk.finish(stored))
        except UnavailableError as error:
            job = self._begun(stored)
            job.error = str(error)
            return job
        job.is_over |= job.done >= job.size
        return job

    def _begun(self, stored: StoredJob) -> Job:
        with self._lock:
            job = self._note(stored)
        self._wake_all()
        return job

    def stop(self, job: Job) -> None:
        """End a job after the sentence or the lot at hand, and forget what was to be done.

        Raises:
            StoreError: The store cannot write.
        """
        left = self._store.jobs.end(job.id, STOPPED)
        if left is None:
            return  # it came to its end before
        job.take_figures(left)
        job.error = STOPPED
        job.is_over = True

    # --- the worker ------------------------------------------------------------------

    def _serve(self, hand: _Hand) -> None:
        while not self._is_closed:
            hand.wake.clear()
            if not self._has_worked(hand):
                hand.wake.wait(LOOK_SECONDS)

    def _has_worked(self, hand: _Hand) -> bool:
        """Take a job and do it; tell whether there was one."""
        now = time.monotonic()
        hand.paused = {name: until for name, until in hand.paused.items() if until > now}
        try:
            stored = self._store.jobs.take(self._name, hand.paused, hand.kinds)
        except StoreError as error:
            _LOG.warning("the store cannot be asked for jobs: %s", error)
            return False
        if stored is None:
            return False
        with self._lock:
            job = self._note(stored)
            hand.current = job.id
        self._do(hand, job, stored)
        hand.current = ""
        return True

    def _do(self, hand: _Hand, job: Job, stored: StoredJob) -> None:
        """Do a job; what goes wrong is told on the page, and the thread lives on."""
        job.error = ""
        try:
            if job.is_bulk:
                self._do_lots(job)
            elif stored.document is None:
                self._parse(job)
            else:
                self._doubt(job, stored.document)
            job.error, job.is_over = "", True
        except StoppedError:
            pass  # the store says what became of it
        except Exception as error:
            self._put_off(hand, job, error_text(error))

    def _put_off(self, hand: _Hand, job: Job, reason: str) -> None:
        """Let a job wait in the store for another try."""
        job.error = reason
        hand.paused[job.id] = time.monotonic() + hand.retry_seconds
        try:
            self._store.jobs.release(job.id, self._name)
        except StoreError as error:
            _LOG.warning("the job %s waits until its time is over: %s", job.name, error)

    def _do_lots(self, job: Job) -> None:
        while not job.is_over:
            if self._is_closed:
                self._store.jobs.release(job.id, self._name)
                raise StoppedError
            found = self._store.bulk.go_on(job.id, self._name)
            if found is None:
                raise StoppedError
            job.take_figures(found)
            if found.done >= found.size:
                return
            time.sleep(GAP_SECONDS)
        raise StoppedError

    def _parse(self, job: Job) -> None:
        for place, sentence in self._store.jobs.waiting(job.id):
            name = sentence_name(job.name, place)
            damage = undecoded(sentence)
            if damage is not None:
                parsed = failed_line(place, name, sentence, f"line {place}: {damage}")
            else:
                parsed = self._parsed(job, place, name, sentence)
            if not self._store.jobs.save(job.id, self._name, parsed):
                raise StoppedError
            if parsed.reason:
                job.failed.append((name, parsed.reason))
            job.done += 1
        report = self._store.jobs.finish(job.id, self._name)
        if report is None:
            raise StoppedError
        job.name = report.name

    def _parsed(self, job: Job, place: str, name: str, sentence: str) -> ParsedLine:
        """Parse one sentence by the model, or by the parser in its place.

        Raises:
            StoppedError: The job is no longer this worker's.
            ModelError: There is no model, or the other parser never answered.
        """
        line = place, name, sentence
        if self._outside is None:
            trace, reason = self._traced(job, sentence)
            if trace is None:
                return failed_line(*line, reason)
            return ParsedLine(place, parsed_block(name, trace), doubt_of(trace))
        problem = sentence_problem(sentence)
        if problem is not None:
            return failed_line(*line, problem)
        try:
            return parsed_outside(self._outside, line, lambda: self._renew(job), RENEW_SECONDS)
        except ConfigurationError as error:
            raise ModelError(str(error)) from error

    def _doubt(self, job: Job, document: int) -> None:
        rows = self._store.sentences(document)
        known = self._store.scores(document)
        missing = [row for row in rows if row.id not in known]
        job.size, job.done, job.failed, waiting = len(missing), 0, [], {}
        for row in missing:
            trace, reason = self._traced(job, row.text)
            if trace is None:
                job.failed.append((row.name or str(row.number), reason))
            else:
                # Of a graph that came with the file: how far the model's own parse is from it.
                graph = self._store.sentence(row.id).state.graph
                apart = disagreement([trace.graph, graph])
                waiting[row.id] = {**doubt_of(trace), "disagreement": apart}
            job.done += 1
            if len(waiting) == SAVED_TOGETHER:
                self._store.set_scores(waiting)
                waiting = {}
        self._store.set_scores(waiting)
        self._store.jobs.renew(job.id, self._name, job.size, job.done)
        self._store.jobs.end(job.id, failed=job.failed)

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
