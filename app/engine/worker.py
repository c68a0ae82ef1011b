"""The parser behind the pages: loaded in the background, one sentence at a time.

One worker thread owns the model, so nobody waits for its import before seeing a page
and no two sentences meet inside it; requests queue and each is served in turn. The
thread never calls Streamlit: pages look at a job's state when they are drawn.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Literal, TypeVar

from aptcore.errors import AptamrError, ConfigurationError
from aptcore.trace.trace import ModelInfo, Trace, TracingParser
from aptcore.transition.actions import Action
from aptcore.transition.sets import parse_action

DEFAULT_BEAM = 10
"""Beam width of the command line, in hypotheses; the page parses alike."""

MAX_REMEMBERED = 64
"""Parses kept for the next one who asks for the same, in sentences."""

HEAD_START_SECONDS = 0.5
"""What the first page has before the import of torch competes with it for the interpreter."""

_DEVICES: dict[str, Literal["auto", "cpu", "cuda"]] = {"auto": "auto", "cpu": "cpu", "cuda": "cuda"}
_Request = tuple[str, int, tuple[str, ...]]
Result = TypeVar("Result")
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A finished parse; ``seconds`` is its own time, without loading and waiting."""

    trace: Trace
    seconds: float


@dataclass(frozen=True, slots=True)
class Status:
    """How far the model is.

    Attributes:
        kind: Where it stands.
        text: What went wrong, where it failed.
        model: Which model is loaded, where it is ready.
    """

    kind: Literal["idle", "loading", "ready", "failed"]
    text: str = ""
    model: ModelInfo | None = None


class Engine:
    """A parser, loaded once and used by one caller at a time.

    Args:
        load: Makes the parser; called in the worker thread, again only if it failed.
    """

    def __init__(self, load: Callable[[], TracingParser]) -> None:
        self._load = load
        self._lock = threading.Lock()
        self._work: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._loading: Future[TracingParser] | None = None
        self._jobs: OrderedDict[_Request, Future[Parsed]] = OrderedDict()
        self._serving = threading.Lock()
        self._progress: tuple[_Request, int, int] | None = None
        self._is_open = False

    def _serve(self) -> None:
        with self._serving:  # a worker that was told to leave does first what it was given
            while (work := self._work.get()) is not _leave:
                work()

    def _put(self, work: Callable[[], Result]) -> Future[Result]:
        if not self._is_open:
            self._is_open = True
            # A daemon, so that the server can be stopped in the middle of a parse.
            threading.Thread(target=self._serve, name="aptamr-parser", daemon=True).start()
        promise: Future[Result] = Future()
        self._work.put(partial(_keep_promise, promise, work))
        return promise

    def close(self) -> None:
        """End the worker once it has done what waits, so that the model can be forgotten.

        Who still holds the engine and asks again is served by a new worker.
        """
        with self._lock:
            if self._is_open:
                self._is_open = False
                self._work.put(_leave)

    def start(self) -> None:
        """Begin loading the model; later calls do nothing, even where loading failed."""
        with self._lock:
            if self._loading is None:
                self._start()

    def _start(self) -> Future[TracingParser]:
        """Begin loading, again if it failed: for who asks for a parse, not for a look."""
        if self._loading is None or has_failed(self._loading):
            self._loading = self._put(self._load)
        return self._loading

    @property
    def status(self) -> Status:
        """How far the model is now."""
        loading = self._loading
        if loading is None:
            return Status("idle")
        if not loading.done():
            return Status("loading")
        error = loading.exception()
        if error is not None:
            return Status("failed", error_text(error))
        return Status("ready", model=loading.result().info)

    def progress_of(self, job: Future[Parsed]) -> tuple[int, int] | None:
        """Tell how many tokens of a parse are done, and of how many; None where it waits."""
        now = self._progress
        if now is None:
            return None
        request, done, size = now
        return (done, size) if self._jobs.get(request) is job else None

    def _parse(self, loading: Future[TracingParser], request: _Request) -> Parsed:
        text, beam, prefix = request
        parser = loading.result()
        started = time.perf_counter()
        forced = [parse_action(action) for action in prefix]

        def tell(done: int, size: int) -> None:
            self._progress = request, done, size

        before = self._nearest(text, forced)
        try:
            trace = parser.trace(text, beam=beam, prefix=forced, progress=tell, before=before)
        finally:
            self._progress = None
        return Parsed(trace, time.perf_counter() - started)

    def _nearest(self, text: str, forced: Sequence[Action]) -> Trace | None:
        """Find the parse of a sentence that goes along with forced actions for longest."""
        if not forced:
            return None
        with self._lock:
            jobs = [job for (own, *_), job in self._jobs.items() if own == text and job.done()]
        traces = [job.result().trace for job in jobs if not has_failed(job)]
        return max(traces, key=lambda trace: trace.num_shared(forced), default=None)

    def has_parsed(self, text: str, beam: int) -> bool:
        """Tell whether a parse is there before it is asked for."""
        with self._lock:
            known = self._jobs.get((text, beam, ()))
            return known is not None and known.done() and not has_failed(known)

    def submit(self, text: str, beam: int, prefix: tuple[str, ...] = ()) -> Future[Parsed]:
        """Ask for a parse; the model is loaded first if need be.

        The same request gives the same job, unless it failed before.

        Args:
            text: The sentence.
            beam: Beam width, in hypotheses.
            prefix: Texts of the first actions; the rest is decoded under them. What is no
                action or illegal there is the job's error.
        """
        request = (text, beam, prefix)
        with self._lock:
            known = self._jobs.get(request)
            if known is not None and not has_failed(known):
                self._jobs.move_to_end(request)
                return known
            job = self._put(partial(self._parse, self._start(), request))
            self._jobs[request] = job
            while len(self._jobs) > MAX_REMEMBERED:
                self._jobs.popitem(last=False)
            return job

    def ask(self, work: Callable[[TracingParser], Result]) -> Future[Result]:
        """Ask for other work with the parser; the model is loaded first if need be."""
        with self._lock:
            return self._put(partial(_with_parser, self._start(), work))


def _with_parser(loading: Future[TracingParser], work: Callable[[TracingParser], Result]) -> Result:
    return work(loading.result())


def _leave() -> None:
    """Stand in the queue for the end of the work."""


def has_failed(job: Future[Any]) -> bool:
    """Tell whether a job ended in an error."""
    return job.done() and job.exception() is not None


def _keep_promise(promise: Future[Result], work: Callable[[], Result]) -> None:
    """Do a piece of work; whatever it raises goes to who waits, and the worker lives on."""
    try:
        promise.set_result(work())
    except BaseException as error:
        promise.set_exception(error)


def load_parser() -> TracingParser:
    """Load the model that ``aptamr app`` was started with, or else the shipped one.

    The environment names it: APTAMR_MODEL (a folder) and APTAMR_DEVICE.

    Raises:
        CheckpointError: If there is no such model, or it is damaged.
        ConfigurationError: If the device has another name than auto, cpu or cuda.
    """
    return load_model(os.environ.get("APTAMR_MODEL"))


def load_model(folder: Path | str | None) -> TracingParser:
    """Load a model folder, or the shipped one, on the device that APTAMR_DEVICE names.

    Raises:
        CheckpointError: If there is no such model, or it is damaged.
        ConfigurationError: If the device has another name than auto, cpu or cuda.
    """
    wanted = os.environ.get("APTAMR_DEVICE", "auto")
    device = _DEVICES.get(wanted)
    if device is None:
        raise ConfigurationError(f"APTAMR_DEVICE is {wanted!r}: use {', '.join(_DEVICES)}")
    time.sleep(HEAD_START_SECONDS)
    import torch

    from aptcore.neural.checkpoint import keep_loaded  # here, because it loads torch
    from aptcore.neural.parser import AptParser

    # Several threads meet after every small step; beside other work each meeting waits for a
    # turn of the processor, and a parse of ten words took 20 s instead of 0.3 s.
    torch.set_num_threads(1)
    parser = AptParser.from_pretrained(folder, device=device)
    parser.trace("It rains.", beam=1)  # loads the tokeniser, which would hold up the first parse
    keep_loaded()  # Streamlit collects garbage after every run of a page: 0.2 s with all of torch
    return parser


def error_text(error: BaseException) -> str:
    """Say what went wrong: our own errors by their message, others as a fault of ours."""
    if isinstance(error, AptamrError):
        return str(error)
    _LOG.error("a background job failed", exc_info=error)
    return (
        f"This is a fault of the program ({type(error).__name__}: {error}); its log says more. "
        "Other sentences are parsed as before."
    )
