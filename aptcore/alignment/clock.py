"""Find the words that name a time of day: "four o'clock in the afternoon", "half past six"."""

from __future__ import annotations

import re

from aptcore.alignment.context import Context, Span
from aptcore.words.dates import clock_time

_CLOCK = re.compile(r"(\d{1,2}):(\d{2})")
_MAX_WORDS = 9
"""As many as "twenty - five minutes past six in the afternoon" has."""


def clock_spans(value: str, context: Context) -> list[Span]:
    """Find the words for a time of day that a constant writes as hours and minutes.

    Args:
        value: Such as "16:00"; other values have no words.
        context: The sentence.

    Returns:
        The words that name just this time; where there are none, those that may stand for
        it in either half of the day.
    """
    if not _CLOCK.fullmatch(value):
        return []
    words = [word.token for word in context.words]
    exact, likely = [], []
    for start in range(len(words)):
        readings = {
            end: clock_time(" ".join(words[start:end]))
            for end in range(min(start + _MAX_WORDS, len(words)), start, -1)
        }
        exact += [(start, end) for end, time in readings.items() if time == value][:1]
        likely += [
            (start, end)
            for end, time in readings.items()
            if time is not None and _on_dial(time) == _on_dial(value)
        ][:1]
    return exact or likely


def _on_dial(time: str) -> tuple[int, str]:
    hour, minute = time.split(":", 1)
    return int(hour) % 12, minute
