"""Which processes annotate: this one, or several of this machine."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Iterator
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait

import torch

from aptcore.errors import AptamrError, TrainingError
from aptcore.neural.weights import Device
from trainer.annotating.chunks import Annotator, Chunk, Request
from trainer.annotating.outside import load_annotator
from trainer.annotating.parts import Engine, Row
from trainer.runs.processes import when_parent_ends


def in_this_process(annotator: Annotator) -> Engine:
    """Let this process annotate chunk after chunk."""

    def work(rows: Iterable[Row]) -> Iterator[tuple[Row, Chunk]]:
        for row in rows:
            yield row, annotator.annotate(row.lines)

    return work


def in_processes(request: Request, device: Device, num_processes: int) -> Engine:
    """Let several processes annotate, each with its own models and one thread.

    Each has one chunk at a time, so that what is in memory does not grow with the input. They
    end with this process, however it ends.
    """

    def work(rows: Iterable[Row]) -> Iterator[tuple[Row, Chunk]]:
        context, source = get_context("spawn"), iter(rows)
        workers = []
        at_work: dict[Connection, Row] = {}

        def give(end: Connection, row: Row | None) -> None:
            if row is not None:
                at_work[end] = row
                end.send(row.lines)

        try:
            for row in islice(source, num_processes):
                mine, theirs = context.Pipe()
                worker = context.Process(target=_annotate, args=(request, device, theirs))
                worker.start()
                workers.append(worker)
                theirs.close()  # so that its end is heard when the process ends
                give(mine, row)
            while at_work:
                for end in wait(list(at_work)):
                    assert isinstance(end, Connection)
                    chunk = _received(end)
                    done = at_work.pop(end)
                    give(end, next(source, None))
                    yield done, chunk
        finally:
            for worker in workers:
                worker.terminate()
                worker.join()

    return work


def _received(end: Connection) -> Chunk:
    """Take a finished chunk of a process.

    Raises:
        AptamrError: What ended its work.
        TrainingError: It ended without a word.
    """
    try:
        found = end.recv()
    except (EOFError, ConnectionError) as error:
        message = "a process that annotates ended before its work was done"
        raise TrainingError(message) from error
    if isinstance(found, AptamrError):
        raise found
    assert isinstance(found, Chunk)
    return found


def _annotate(request: Request, device: Device, end: Connection) -> None:
    """Annotate chunks in a process of its own, until it is ended."""
    when_parent_ends(lambda: os._exit(1))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C ends the parent, which ends this one
    torch.set_num_threads(1)
    os.environ["TOKENIZERS_PARALLELISM"] = "false"  # no threads of the tokeniser either
    try:
        annotator = load_annotator(request, device)
        while True:
            end.send(annotator.annotate(end.recv()))
    except AptamrError as error:
        end.send(error)
