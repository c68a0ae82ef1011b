"""The oracle over whole corpora, behind the pages: one corpus at a time, in the background.

The worker never calls Streamlit: pages look at a job's progress when they are drawn.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import SimpleQueue

from app.pages.oracle.corpus import AlignedCorpus, CorpusFigures, align_corpus, figures_of
from aptcore.graph.corpus import Corpus

MAX_REMEMBERED = 12
"""Results kept for the next one who asks for the same."""

MAX_ALIGNED = 3
"""Aligned corpora kept for another variant of the oracle."""


@dataclass(slots=True)
class Job:
    """Figures that were asked for; the worker changes the progress while it works.

    Attributes:
        result: The figures, once they are there.
        doing: What is being done.
        done: How many sentences are ready.
        size: Of how many; 0 before it began.
    """

    result: Future[CorpusFigures] = field(default_factory=Future)
    doing: str = "Waiting"
    done: int = 0
    size: int = 0

    def tell(self, doing: str, done: int, size: int) -> None:
        """Note how far the work is."""
        self.doing, self.done, self.size = doing, done, size


class Analyst:
    """Works out the figures of corpora, one after the other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._work: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._jobs: OrderedDict[tuple[str, str], Job] = OrderedDict()
        self._aligned: OrderedDict[str, AlignedCorpus] = OrderedDict()
        # A daemon, so that the server can be stopped in the middle of a corpus.
        threading.Thread(target=self._serve, name="aptamr-analyst", daemon=True).start()

    def _serve(self) -> None:
        while True:
            self._work.get()()

    def submit(self, key: str, corpus: Corpus, variant: str) -> Job:
        """Ask for the figures of a corpus; the same question gives the same job.

        Args:
            key: Names the content of the corpus.
            corpus: As read.
            variant: Which oracle.
        """
        with self._lock:
            known = self._jobs.get((key, variant))
            if known is not None:
                self._jobs.move_to_end((key, variant))
                return known
            job = Job()
            self._jobs[key, variant] = job
            while len(self._jobs) > MAX_REMEMBERED:
                self._jobs.popitem(last=False)
        self._work.put(lambda: self._do(job, key, corpus, variant))
        return job

    def _do(self, job: Job, key: str, corpus: Corpus, variant: str) -> None:
        try:
            aligned = self._aligned.get(key)
            if aligned is None:
                aligned = self._aligned[key] = align_corpus(corpus, job.tell)
                while len(self._aligned) > MAX_ALIGNED:
                    self._aligned.popitem(last=False)
            job.result.set_result(figures_of(corpus, aligned, variant, job.tell))
        except BaseException as error:  # who waits is told, and the worker lives on
            job.result.set_exception(error)
