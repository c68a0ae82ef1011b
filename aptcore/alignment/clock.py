"""Find the words that name a time of day: "four o'clock in the afternoon", "half past six"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from aptcore.alignment.context import Context, Span
from aptcore.words.surface import number_value

_CLOCK = re.compile(r"(\d{1,2}):(\d{2})")
_FIGURES = re.compile(r"(\d{1,2})(?::(\d{2}))?(am|pm|a\.m\.|p\.m\.)?")
_HALVES = frozenset("am pm a.m. p.m. a.m p.m o'clock".split())
_PARTS = {"half": 30, "quarter": 15}
_DAY_PARTS = frozenset("morning afternoon evening".split())


def clock_spans(value: str, context: Context) -> list[Span]:
    """Find the words for a time of day that a constant writes as hours and minutes.

    Args:
        value: Such as "16:00"; other values have no words.
        context: The sentence.
    """
    clock = _CLOCK.fullmatch(value)
    if clock is None:
        return []
    wanted = (int(clock[1]) % 12, int(clock[2]))
    words = [word.token for word in context.words]
    spans = []
    for start in range(len(words)):
        length, found = _read(words[start : start + 5])
        if found == wanted:
            spans.append((start, start + length + _day_part(words[start + length :])))
    return spans


def _read(words: Sequence[str]) -> tuple[int, tuple[int, int] | None]:
    """Read a time at the beginning of words: how many they are, and hour (of 12) and minute."""
    figures = _FIGURES.fullmatch(words[0])
    follows = len(words) > 1 and words[1] in _HALVES
    if figures and (figures[2] or figures[3]):
        return 1 + follows, (int(figures[1]) % 12, int(figures[2] or 0))
    hour = _number(words[0])
    if hour is not None and follows:
        return 2, (hour % 12, 0)
    minute = _PARTS.get(words[0], hour)
    rest = [word for word in words[1:] if word not in ("minutes", "minute", "a")]
    if minute is None or len(rest) < 2 or rest[0] not in ("past", "to"):
        return 1, None
    hour = _number(rest[1])
    if hour is None:
        return 1, None
    length = words.index(rest[1], 1) + 1
    length += len(words) > length and words[length] in _HALVES
    return length, (hour % 12, minute) if rest[0] == "past" else ((hour - 1) % 12, 60 - minute)


def _number(word: str) -> int | None:
    value = number_value(word)
    return int(value) if value is not None and value.isdecimal() else None


def _day_part(words: Sequence[str]) -> int:
    """Count the words of "in the afternoon" or "at night" at the beginning of words."""
    if list(words[:2]) == ["in", "the"] and len(words) > 2 and words[2] in _DAY_PARTS:
        return 3
    return 2 if list(words[:2]) == ["at", "night"] else 0
