"""Processes that score: none outlives what started it, and one that is lost is told."""

from __future__ import annotations

import multiprocessing
import random
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.process import BaseProcess
from typing import Any

import pytest

from aptcore.errors import AptamrError
from aptcore.graph.amr import AmrGraph
from aptcore.graph.penman import parse_penman
from aptcore.scoring import pair_scoring
from aptcore.scoring.evaluation import score_corpus

PROOF_SECONDS = 5.0
"""For one pair: long enough that no chunk is scored before something happens."""


def alike(seed: int) -> AmrGraph:
    """Make a graph of 120 nodes with six concepts, whose best mapping takes long to prove."""
    drawn = random.Random(seed)
    parts = [f":ARG{drawn.randint(0, 4)} (x{n} / c{drawn.randint(0, 5)})" for n in range(1, 120)]
    return parse_penman(f"(x0 / c {' '.join(parts)})")


def score_until(
    act: Callable[[Sequence[BaseProcess]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Score in two processes and do something to them once both are there."""

    class Watched(ProcessPoolExecutor):
        def map(self, *given: Any, **named: Any) -> Iterator[Any]:
            found = super().map(*given, **named)
            act(multiprocessing.active_children())
            return found

    monkeypatch.setattr(pair_scoring, "ProcessPoolExecutor", Watched)
    score_corpus([alike(1)] * 8, [alike(2)] * 8, jobs=2, time_limit=PROOF_SECONDS)


def test_ctrl_c_ends_the_processes_without_waiting_for_their_pairs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[BaseProcess] = []

    def interrupt(processes: Sequence[BaseProcess]) -> None:
        seen.extend(processes)
        signal.raise_signal(signal.SIGINT)

    kept = signal.signal(signal.SIGINT, signal.default_int_handler)  # also behind a shell's &
    try:
        with pytest.raises(KeyboardInterrupt):
            score_until(interrupt, monkeypatch)
    finally:
        signal.signal(signal.SIGINT, kept)
    assert len(seen) == 2
    assert all(process.exitcode for process in seen)  # ended, and not by having done their work


def test_a_process_that_is_killed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AptamrError, match="a process that scores ended before its work was done"):
        score_until(lambda processes: processes[0].kill(), monkeypatch)
