"""Dates and times of day read off words, with the parts that a ``date-entity`` has."""

from __future__ import annotations

import re
from functools import lru_cache

from aptcore.graph.branches import quote
from aptcore.words.surface import number_value, ordinal_figure

DATE_PARTS = ("month", "day", "year", "decade", "time")
"""The parts of a date that are constants, in the order of templates."""

MONTH_NAMES = (
    "January February March April May June July August September October November December"
).split()
_MONTHS = {word.lower(): index + 1 for index, word in enumerate(MONTH_NAMES)}
_MONTHS |= {word[:3]: index for word, index in list(_MONTHS.items())} | {"sept": 9}

_YEAR_FIRST = re.compile(r"(?P<year>\d{4})([-/])(?P<month>\d{1,2})\2(?P<day>\d{1,2})", re.ASCII)
_MONTH_FIRST = re.compile(
    r"(?P<month>\d{1,2})([-/])(?P<day>\d{1,2})\2(?P<year>\d{4}|\d\d)", re.ASCII
)
_DAY_FIRST = re.compile(r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})", re.ASCII)
_DECADE = re.compile(r"(\d{3}0)['\u2019]?s", re.ASCII)
_FIRST_OF_1900 = 69
"""Years of two figures from here on are of the twentieth century, as POSIX reads them."""

_CLOCK = re.compile(
    r"(?:(?P<part>half|a quarter|quarter|\S+?)(?: minutes?)? (?P<way>past|after|to) )?"
    r"(?P<hour>[a-z]+|\d{1,2})(?::(?P<minute>\d\d)(?P<second>:\d\d)?)?"
    r"(?P<oclock> ?o ?['\u2019] ?clock)?"
    r"(?: ?(?P<half>[ap])(?:m|\.m\.?))?"
    r"(?P<phase> in the morning| in the afternoon| in the evening| at night)?",
    re.ASCII,
)
_MINUTES = {"half": 30, "quarter": 15, "a quarter": 15}


@lru_cache(maxsize=4096)
def date_parts(text: str) -> dict[str, str]:
    """Read the parts of a date from its words, each as AMR writes it.

    Of ``12/05/2019`` the month stands first, unless there is no such month.

    Args:
        text: Words with single spaces between them: "9 May 2011", "May 9, 2011",
            "2011-05-09", "May", "1909", "1920s", "6:30 pm".

    Returns:
        Some of ``DATE_PARTS``; empty where the text is no date.
    """
    decade = _DECADE.fullmatch(text)
    if decade:
        return {"decade": decade[1]}
    clock = clock_time(text)
    if clock is not None:
        return {"time": quote(clock)}
    return _in_figures(text.replace(" ", "")) or _in_words(text)


def _in_figures(text: str) -> dict[str, str]:
    for form in (_YEAR_FIRST, _MONTH_FIRST, _DAY_FIRST):
        found = form.fullmatch(text)
        if found:
            year, month, day = found["year"], int(found["month"]), int(found["day"])
            if form is _MONTH_FIRST and month > 12:
                month, day = day, month
            if not (1 <= month <= 12 and 1 <= day <= 31):
                return {}
            if len(year) == 2:
                year = f"{19 if int(year) >= _FIRST_OF_1900 else 20}{year}"
            return {"year": year, "month": str(month), "day": str(day)}
    return {}


def _in_words(text: str) -> dict[str, str]:
    parts: dict[str, str] = {}
    for word in text.lower().split():
        if word in {",", "of", "the", "."}:
            continue
        key, value = _date_part(word.rstrip(".,"))
        if key is None or key in parts:
            return {}
        parts[key] = value
    return parts


def _date_part(word: str) -> tuple[str | None, str]:
    if word in _MONTHS:
        return "month", str(_MONTHS[word])
    ordinal = ordinal_figure(word)
    figure = ordinal or word
    if figure.isdecimal() and figure.isascii():
        if len(figure) == 4 and not ordinal:
            return "year", figure
        if len(figure) <= 2 and 1 <= int(figure) <= 31:
            return "day", str(int(figure))
    return None, ""


@lru_cache(maxsize=8192)
def clock_time(text: str) -> str | None:
    """Read a time of day, in hours of 24 where the words tell which half of the day.

    Args:
        text: Words with single spaces between them.

    Returns:
        Hours and minutes; None where the text is no time of day.

    >>> clock_time("6:30 pm"), clock_time("12 a.m."), clock_time("half past six")
    ('18:30', '0:00', '6:30')
    >>> clock_time("four o'clock in the afternoon"), clock_time("09:15"), clock_time("six")
    ('16:00', '09:15', None)
    """
    found = _CLOCK.fullmatch(text.lower())
    if found is None or not any(
        found[name] for name in ("part", "minute", "oclock", "half", "phase")
    ):
        return None
    hour, minute = _figure(found["hour"]), int(found["minute"] or 0)
    if hour is None or hour > 24 or minute > 59:
        return None
    half = found["half"] or _half_of(found["phase"], hour)
    if found["minute"] and not (half or found["part"]):
        return f"{found['hour']}:{found['minute']}{found['second'] or ''}"
    if found["part"]:
        past = _MINUTES.get(found["part"], _figure(found["part"]))
        if past is None or past > 59 or found["minute"]:
            return None
        hour, minute = divmod(hour * 60 + (past if found["way"] != "to" else -past), 60)
    if half and hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    return f"{hour}:{minute:02}{found['second'] or ''}"


def _figure(word: str) -> int | None:
    value = number_value(word)
    return int(value) if value is not None and value.isdecimal() else None


def _half_of(phase: str | None, hour: int) -> str | None:
    """Tell which half of the day an hour is in: at night it is late from six on."""
    if phase is None:
        return None
    is_late = hour >= 6 if phase.endswith("night") else "morning" not in phase
    return "p" if is_late else "a"
