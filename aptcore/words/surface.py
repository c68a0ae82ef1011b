"""Values read off the surface of words: numbers, ordinals and the forms of names.

The templates of SUBGRAPH are filled from these, and the lemmas are normalised
by them. Everything here is a pure function of text.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from unicodedata import numeric

from aptcore.words.nations import place_of

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
).split()
_SCALES = {
    "hundred": 100,
    "thousand": 1000,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
}
_SHORT_SCALES = {"k": "thousand", "m": "million", "mn": "million", "bn": "billion"}

NUMBER_WORDS = {word: value for value, word in enumerate(_UNITS)}
NUMBER_WORDS |= {word: 20 + 10 * index for index, word in enumerate(_TENS)}
ORDINAL_WORDS = {word: value for value, word in enumerate(_ORDINALS)}
ORDINAL_WORDS |= {word[:-1] + "ieth": value for word, value in NUMBER_WORDS.items() if value >= 20}

NAME_FORMS = ("words", "bare", "place", "singular", "lower", "capital", "joined", "hyphened")
"""How the words of a name may be spelled in a graph; the first is as they stand."""

_SIGNS = "-/+?.,:;!'\" "
"""What stands beside a name in a token and is not part of it: "Ras-" of "Ras-mediated"."""

_MARK_UP = re.compile(r"</?[A-Za-z]+>")

_FIGURE = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?|\.\d+", re.ASCII)
_FRACTION = re.compile("([0-9]{0,9})([\u00bc-\u00be\u2150-\u215e])")
_ORDINAL_FIGURE = re.compile(r"(\d+)(?:st|nd|rd|th)", re.ASCII)
_NEGATIVE = re.compile(r"(?:[-\u2212\u2013]|minus )(?=[\w.])")
_SHORT = re.compile(r"([\d,.]+) ?(k|m|mn|bn)", re.ASCII)


def number_value(text: str) -> str | None:
    """Read a cardinal or ordinal number, as an AMR constant writes it.

    Args:
        text: Words with single spaces between them: "32,000", "five", "fifth",
            "twenty - one", "1.5 million", "3.5bn", "-5".

    Returns:
        Digits such as "32000", "5", "1.5" or "-5"; None where the text is no number.
    """
    text = text.lower()
    sign = _NEGATIVE.match(text)
    value = _unsigned(text[sign.end() :] if sign else text)
    return f"-{value}" if sign and value not in (None, "0") else value


def _unsigned(text: str) -> str | None:
    short = _SHORT.fullmatch(text)
    if short:
        text = f"{short[1]} {_SHORT_SCALES[short[2]]}"
    words = [word for word in re.split(r"[\s-]+", text) if word and word != "and"]
    if not words:
        return None
    total: Decimal | None = None
    current: Decimal | None = None
    for word in words:
        value = _single_number(word)
        if word not in _SCALES:
            if value is None or not _continues(current, value):
                return None
            current = _plus(current, value)
        elif current is None and total is not None:
            return None
        else:
            current = (Decimal(1) if current is None else current) * _SCALES[word]
            if _SCALES[word] >= 1000:
                total, current = _plus(total, current), None
    return _written(_plus(total, current))


def _plus(one: Decimal | None, other: Decimal | None) -> Decimal | None:
    """Add; a single value keeps all its digits."""
    if one is None or other is None:
        return other if one is None else one
    return one + other


def _single_number(word: str) -> Decimal | None:
    """Give the value of one word; None where it is no number."""
    if word in NUMBER_WORDS:
        return Decimal(NUMBER_WORDS[word])
    if word in ORDINAL_WORDS:
        return Decimal(ORDINAL_WORDS[word])
    ordinal = ordinal_figure(word)
    if ordinal is not None:
        return Decimal(ordinal)
    if _FIGURE.fullmatch(word):
        return Decimal(word.replace(",", ""))
    part = _FRACTION.fullmatch(word)
    if part and len(value := str(numeric(part[2]))) <= 6:  # a third has no end
        return Decimal(part[1] or 0) + Decimal(value)
    return None


def ordinal_figure(word: str) -> str | None:
    """Give the digits of an ordinal in figures: ``21`` of "21st"."""
    found = _ORDINAL_FIGURE.fullmatch(word)
    return found[1] if found else None


def _continues(current: Decimal | None, value: Decimal) -> bool:
    """Tell whether ``value`` can follow ``current`` within one number ("twenty one")."""
    if current is None:
        return True
    if current == 0 or value == 0:
        return False
    if current % 100 == 0:
        return value < 100
    return 20 <= current % 100 < 100 and current % 10 == 0 and value < 10


def _written(value: Decimal | None) -> str | None:
    """Write without an exponent and without zeros behind the point."""
    if value is None:
        return None
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text


@lru_cache(maxsize=8192)
def name_forms(text: str) -> dict[str, str]:
    """Spell the words of a name in each way of ``NAME_FORMS`` that changes something.

    Args:
        text: Words with single spaces between them.

    Returns:
        At least "words", the text itself; no spelling twice.

    >>> name_forms("Stem cells")
    {'words': 'Stem cells', 'singular': 'Stem cell', 'lower': 'stem cells', \
'capital': 'Stem Cells', 'joined': 'Stemcells', 'hyphened': 'Stem-cells'}
    """
    words = text.split()
    spelled = {
        "words": text,
        "bare": " ".join(_MARK_UP.sub("", text).split()).strip(_SIGNS),
        "place": place_of(text) or "",
        "singular": _singular(text),
        "lower": text if text[1:2].isupper() else text[:1].lower() + text[1:],
        "capital": " ".join(word[:1].upper() + word[1:] for word in words),
        "joined": "".join(words),
        "hyphened": "-".join(words),
    }
    forms: dict[str, str] = {}
    for form in NAME_FORMS:
        if spelled[form] and spelled[form] not in forms.values():
            forms[form] = spelled[form]
    return forms


def _singular(text: str) -> str:
    if text.endswith("ies") and len(text) > 4:
        return f"{text[:-3]}y"
    is_plural = text.endswith("s") and not text.endswith("ss") and len(text) > 2
    return text[:-1] if is_plural else text
