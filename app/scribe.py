"""Work on whole documents behind the pages: raw text is parsed, doubt is worked out.

One worker thread asks the shared engine for one sentence at a time, so that a person who
parses meanwhile waits for one sentence at most. It never calls Streamlit: pages look at a
job when they are drawn.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Literal

from app.engine import Engine, error_text
from app.store.importing import check_document_name
from app.store.rows import ImportReport
from app.store.store import Store
from app.views.limits import sentence_problem
from app.views.queue_import import doubt_of, failed_block, parsed_block
from app.views.trace import Trace
from aptcore.amr import parse_penman
from aptcore.doubt import disagreement
from aptcore.errors import AptamrError, StoreError

MAX_REMEMBERED = 20
"""Jobs that are still told of when they are done."""
BEAM = 1
SAVED_TOGETHER = 8
"""Sentences whose doubt is written at once."""
_LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class Job:
    """Work that was asked for; the worker changes it while it works.

    Attributes:
        name: Of the document.
        kind: Sentences to parse, or doubt to work out.
        size: How many sentences.
        done: How many are ready, failed ones too.
        failed: Sentences that could not be parsed, with the reason.
        report: What became of the parsed document.
        error: Why the work ended early; empty where it did not.
        is_over: Whether it ended.
        stops: Set to end it after the sentence at hand.
    """

    name: str
    kind: Literal["parse", "doubt"]
    size: int = 0
    done: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)
    report: ImportReport | None = None
    error: str = ""
    is_over: bool = False
    stops: bool = False


class StoppedError(AptamrError):
    """A person ended a job."""


class Scribe:
    """Does jobs one after the other.

    Args:
        store: Where the documents are.
        engine: What parses.
    """

    def __init__(self, store: Store, engine: Engine) -> None:
        self._store = store
        self._engine = engine
        self._work: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._jobs: OrderedDict[int, Job] = OrderedDict()
        self._lock = threading.Lock()
        # A daemon, so that the server can be stopped in the middle of a document.
        threading.Thread(target=self._serve, name="aptamr-scribe", daemon=True).start()

    def _serve(self) -> None:
        while True:
            self._work.get()()

    @property
    def jobs(self) -> tuple[Job, ...]:
        """Give the newest jobs, in the order in which they were asked for."""
        with self._lock:
            return tuple(self._jobs.values())

    def parse(self, name: str, sentences: tuple[str, ...]) -> Job:
        """Parse sentences and import them as a document.

        Raises:
            StoreError: The name is taken, or is none: told now, not when all is parsed.
        """
        check_document_name(name)
        if any(document.name == name for document in self._store.documents()):
            raise StoreError(f"there is a document {name!r} already: give another name")
        job = Job(name, "parse", len(sentences))
        return self._put(job, lambda: self._parse(job, sentences))

    def doubt(self, name: str, document: int) -> Job:
        """Work out the doubt of the sentences of a document that have none yet."""
        with self._lock:
            for known in self._jobs.values():
                if (known.name, known.kind, known.is_over) == (name, "doubt", False):
                    return known
        job = Job(name, "doubt")
        return self._put(job, lambda: self._doubt(job, document))

    def _put(self, job: Job, work: Callable[[], None]) -> Job:
        with self._lock:
            self._jobs[id(job)] = job
            while len(self._jobs) > MAX_REMEMBERED:
                self._jobs.popitem(last=False)
        self._work.put(lambda: _done_or_told(job, work))
        return job

    def _parse(self, job: Job, sentences: tuple[str, ...]) -> None:
        blocks, doubts = [], []
        for number, sentence in enumerate(sentences, 1):
            if job.stops:
                raise StoppedError
            name = f"{job.name}.{number}"
            trace, reason = self._traced(sentence)
            if trace is None:
                job.failed.append((name, reason))
                blocks.append(failed_block(name, sentence, reason))
            else:
                blocks.append(parsed_block(name, trace))
            doubts.append(doubt_of(trace) if trace else {})
            job.done = number
        job.report = self._store.import_text(job.name, "".join(blocks))
        rows = self._store.sentences(job.report.document)
        pairs = zip(rows, doubts, strict=True)
        self._store.set_scores({row.id: doubt for row, doubt in pairs if doubt})

    def _doubt(self, job: Job, document: int) -> None:
        rows = self._store.sentences(document)
        known = self._store.scores(document)
        missing = [row for row in rows if row.id not in known]
        graphs = dict(self._store.graphs(document)) if missing else {}
        job.size, waiting = len(missing), {}
        for row in missing:
            if job.stops:
                break
            trace, reason = self._traced(row.text)
            if trace is None:
                job.failed.append((row.name or str(row.number), reason))
            else:
                # Of a graph that came with the file: how far the model's own parse is from it.
                apart = disagreement([parse_penman(trace.penman), graphs[row.id]])
                waiting[row.id] = {**doubt_of(trace), "disagreement": apart}
            job.done += 1
            if len(waiting) == SAVED_TOGETHER:
                self._store.set_scores(waiting)
                waiting = {}
        self._store.set_scores(waiting)

    def _traced(self, sentence: str) -> tuple[Trace | None, str]:
        """Parse one sentence; give the trace, or why there is none."""
        problem = sentence_problem(sentence)
        if problem is not None:
            return None, problem
        try:
            return self._engine.submit(sentence, BEAM).result().trace, ""
        except AptamrError as error:
            return None, str(error)


def _done_or_told(job: Job, work: Callable[[], None]) -> None:
    """Do a job; what goes wrong is told on the page, and the worker lives on."""
    try:
        work()
    except StoppedError:
        job.error = "stopped before its end"
    except BaseException as error:
        job.error = error_text(error)
    finally:
        job.is_over = True
