"""What a text says that a graph holds as structure: dates, times, money, shares, scores."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from aptcore.words.dates import DATE_PARTS, date_parts
from aptcore.words.lemmas import UNITS
from aptcore.words.surface import number_value

_FIGURE = r"[-\u2212\u2013]?[\d,.]*\d(?: ?(?:million|billion|trillion|k|m|mn|bn))?"
_MONEY = re.compile(rf"(?P<before>(?:us)?[$€£¥₹]) ?(?P<number>{_FIGURE})", re.I | re.ASCII)
_MONEY_BEHIND = re.compile(
    rf"(?P<number>{_FIGURE}) ?(?P<behind>[$€£¥₹¢]|dollar|euro|yen|rupee|cent)s?", re.I | re.ASCII
)
_SHARE = re.compile(rf"(?P<number>{_FIGURE}) ?(?:%|percent|per cent)", re.I | re.ASCII)
_HEAT = re.compile(rf"(?P<number>{_FIGURE}) ?(?:[°º˚] ?(?P<scale>[CF])?|(?P<sign>[℃℉]))", re.ASCII)
_SCORE = re.compile(r"(\d{1,3}) ?[-\u2010-\u2013] ?(\d{1,3})", re.ASCII)
_SCALES = {"C": "celsius", "F": "fahrenheit", "℃": "celsius", "℉": "fahrenheit"}


@dataclass(frozen=True, slots=True)
class WrittenValue:
    """A concept with its parts, in their order: roles with a constant or a concept."""

    concept: str
    parts: tuple[tuple[str, str], ...]


@lru_cache(maxsize=8192)
def written_value(text: str) -> WrittenValue | None:
    """Read a text that no graph writes as a string.

    A part of a date alone, "May" or "1999", and a number are none: each may be a name.

    Args:
        text: Words with single spaces between them.

    >>> written_value("2002-12-31").parts
    ((':month', '12'), (':day', '31'), (':year', '2002'))
    >>> written_value("$42,000").parts, written_value("50%").concept
    (((':quant', '42000'), (':unit', 'dollar')), 'percentage-entity')
    """
    if not any(character.isdigit() for character in text):
        return None
    parts = date_parts(text)
    if len(parts) > 1 or "time" in parts:
        return WrittenValue(
            "date-entity", tuple((f":{key}", parts[key]) for key in DATE_PARTS if key in parts)
        )
    score = _SCORE.fullmatch(text)
    if score:
        return WrittenValue("score-entity", ((":op1", score[1]), (":op2", score[2])))
    return _amount(text)


def _amount(text: str) -> WrittenValue | None:
    for form in (_MONEY, _MONEY_BEHIND, _SHARE, _HEAT):
        found = form.fullmatch(text)
        number = number_value(found["number"]) if found else None
        if found is None or number is None:
            continue
        if form is _SHARE:
            return WrittenValue("percentage-entity", ((":value", number),))
        if form is _HEAT:
            scale = _SCALES.get(found["scale"] or found["sign"] or "")
            named = ((":scale", scale),) if scale else ()
            return WrittenValue(
                "temperature-quantity", ((":quant", number), (":unit", "degree"), *named)
            )
        unit = found["before" if form is _MONEY else "behind"].lower()
        return WrittenValue(
            "monetary-quantity", ((":quant", number), (":unit", UNITS.get(unit, unit)))
        )
    return None
