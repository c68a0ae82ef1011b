"""Which processes annotate: this one, or several of this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import wait
from pathlib import Path

import torch

from aptcore.errors import TrainingError
from aptcore.neural.parser import Device
from trainer.annotating.chunks import Annotator, Request
from trainer.annotating.parts import Engine, Row, part_path, save_part
from trainer.runs.processes import when_parent_ends

POLL_SECONDS = 1.0
"""Between two looks at what other processes finished, in seconds."""


def in_this_process(annotator: Annotator) -> Engine:
    """Let this process annotate chunk after chunk."""

    def work(parts: Path, rows: Sequence[Row]) -> Iterator[int]:
        for row in rows:
            save_part(parts, row.number, annotator.annotate(row.ids, row.texts))
            yield len(row.texts)

    return work


def in_processes(request: Request, device: Device, num_processes: int) -> Engine:
    """Let several processes annotate, each with its own models and one thread.

    They end with this process, however it ends.
    """

    def work(parts: Path, rows: Sequence[Row]) -> Iterator[int]:
        context = get_context("spawn")
        workers = [
            context.Process(target=_annotate, args=(request, device, parts, rows[n::num_processes]))
            for n in range(min(num_processes, len(rows)))
        ]
        waiting = list(rows)
        try:
            for worker in workers:
                worker.start()
            while waiting:
                alive = [worker.sentinel for worker in workers if worker.is_alive()]
                done = [row for row in waiting if part_path(parts, row.number).is_file()]
                if done:
                    waiting = [row for row in waiting if row not in done]
                    yield sum(len(row.texts) for row in done)
                elif len(alive) < len(workers) and any(worker.exitcode for worker in workers):
                    raise TrainingError("a process that annotates ended before its work was done")
                else:
                    wait(alive, POLL_SECONDS)
        finally:
            for worker in workers:
                if worker.pid is not None:
                    worker.terminate()
                    worker.join()

    return work


def _annotate(request: Request, device: Device, parts: Path, rows: Sequence[Row]) -> None:
    """Annotate rows in a process of its own."""
    when_parent_ends(lambda: os._exit(1))
    torch.set_num_threads(1)
    annotator = Annotator.load(request, device)
    for row in rows:
        save_part(parts, row.number, annotator.annotate(row.ids, row.texts))
