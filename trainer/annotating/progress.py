"""How far a stream of lines is, how fast it goes, and how long it will still take."""

from __future__ import annotations

import time
from collections.abc import Callable

SECONDS = 5.0
"""Between two lines of progress."""


class Progress:
    """Tells, now and then, how much of the input is done.

    How many lines there are is only known at the end: until then it is estimated from the
    share of the input that has been read.
    """

    def __init__(
        self, say: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._say, self._clock = say, clock
        self._started = self._told = clock()
        self._num_read = self._num_done = 0
        self._share = 0.0
        self.num_skipped = 0

    def read(self, num_lines: int, share: float) -> None:
        """Note that lines were read, and the share of the input that has been read by now."""
        self._num_read += num_lines
        self._share = share

    def skip(self, num_lines: int) -> None:
        """Note lines that were done before."""
        self.num_skipped += num_lines

    def add(self, num_lines: int) -> None:
        """Note lines that are done now."""
        if self.num_skipped and not self._num_done:
            self._say(f"going on after {self.num_skipped:,} sentences that were done before")
        self._num_done += num_lines
        now = self._clock()
        if now - self._told >= SECONDS:
            self._told = now
            self._say(self.text)

    def end(self) -> None:
        """Tell the last line."""
        self._say(f"{self.num_skipped + self._num_done:,} sentences, {self.rate:.1f} a second")

    @property
    def rate(self) -> float:
        """Give the speed of this run, in lines a second."""
        seconds = self._clock() - self._started
        return self._num_done / seconds if seconds > 0 else 0.0

    @property
    def text(self) -> str:
        """Say how far it is: ``1,280 sentences, 25 %, 31.5 a second, 2 min left``."""
        done, rate = self.num_skipped + self._num_done, self.rate
        told = f"{done:,} sentences"
        if not (self._share and self._num_read and rate):
            return told
        size = max(done, self._num_read / self._share)
        return f"{told}, {done / size:.0%}, {rate:.1f} a second, {span((size - done) / rate)} left"


def span(seconds: float) -> str:
    """Write a length of time as a person says it.

    >>> span(42), span(150), span(4000), span(200000)
    ('42 s', '3 min', '1 h 7 min', '2 d 7 h')
    """
    minutes, hours = round(seconds / 60), round(seconds / 3600)
    if seconds < 60:
        return f"{seconds:.0f} s"
    if minutes < 60:
        return f"{minutes} min"
    if hours < 48:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{hours // 24} d {hours % 24} h"
