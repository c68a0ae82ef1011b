"""Processor time as tests may use it: compared with other work or sizes, since machines differ."""

from __future__ import annotations

import time
from collections.abc import Callable


def seconds(work: Callable[[], object], runs: int = 3) -> float:
    """Give the processor time of the quickest run: others share the machine."""
    took = []
    for _ in range(runs):
        begun = time.process_time()
        work()
        took.append(time.process_time() - begun)
    return min(took)


def growth(work: Callable[[int], object], small: int, large: int) -> float:
    """Give how many times as long work takes that is larger."""
    return seconds(lambda: work(large)) / seconds(lambda: work(small))
