"""What a typed line, or words that are marked, put into a graph.

A line is a role and what hangs by it: ``:ARG1 boy``, ``:quant 5``, ``:ARG1 "New York"``,
``:ARG1 city "New York"``, ``:name New York``, ``:time 12 July 2024``, ``:cost $5``. Names,
dates, times of day, amounts and shares become the structure that AMR writes for them, by the
rules that the aligner and COPY read words with.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from unicodedata import normalize

from aptcore.editing.applying import fresh_attribute, fresh_variable
from aptcore.editing.edits import AddAttribute, AddEdge, AddNode, Edit, Several
from aptcore.errors import EditError
from aptcore.graph.amr import AmrGraph
from aptcore.graph.branches import quote
from aptcore.graph.roles import MODES
from aptcore.graph.validation import is_constant_text
from aptcore.words.dates import DATE_PARTS, clock_time, date_parts
from aptcore.words.lemmas import UNITS
from aptcore.words.surface import ORDINAL_WORDS, number_value, ordinal_figure
from aptcore.words.written_values import written_value

AGE, DATE, NAME, ORD, TIME = ":age", ":date", ":name", ":ord", ":time"
AGED = "age-01"
"""What "six years old" says where it does not hang as the age."""
WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
DAY_PERIODS = frozenset("morning noon afternoon evening night".split())
WHICH = frozenset("next last this every".split())
"""Words before a day or a stretch of time that say which is meant."""
NEAR_DAYS = {
    "last": "yesterday",
    "this": "today",
    "yesterday": "yesterday",
    "tomorrow": "tomorrow",
}
"""Words before a time of day, and the day that is meant: "last night", "this morning"."""
TONIGHT = "tonight"
"""One word for a time of day and the day."""
FEW = frozenset("few several many".split())
"""Words that stand for a number before a unit."""
QUANTITIES = {
    "temporal-quantity": "second minute hour day week month year decade century",
    "distance-quantity": "millimeter centimeter meter kilometer inch foot yard mile",
    "mass-quantity": "milligram gram kilogram ton",
    "volume-quantity": "milliliter liter",
    "monetary-quantity": "dollar euro pound yen rupee cent",
}
_QUANTITY_OF = {unit: kind for kind, units in QUANTITIES.items() for unit in units.split()}
_SPANS = frozenset(QUANTITIES["temporal-quantity"].split()) | {"weekend"}
_UNIT_FORMS = {"feet": "foot", "inches": "inch", "centuries": "century", "tonne": "ton"}
WITHIN_DATES = frozenset((":weekday", ":dayperiod"))
"""Roles by which the words of a day hang as they stand."""
USUAL_TYPE = "thing"
"""What a name is of that says no more."""

_ENTITY = re.compile(r'(?:(?P<type>[^\s"]+) )?(?P<name>"[^"]*")')
_ADDRESSES = {
    "url-entity": re.compile(r"(?:https?://|www\.)\S+", re.I),
    "email-address-entity": re.compile(r"[^\s@\"]+@[^\s@\"]+\.[^\s@\"]+"),
}
_AGED = re.compile(r"(\S+(?: ?- ?\S+)? ?- ?(?:day|week|month|year)) ?- ?olds?", re.I)
_STRINGS = re.compile(r":(?:op\d+|wiki|value|li|time|example)")
"""Roles of which a single quoted word is a constant, as it stands."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A concept or constant with what hangs on it.

    Attributes:
        label: As graphs write it.
        is_constant: Whether it is a constant.
        branches: Role and tree of each branch.
    """

    label: str
    is_constant: bool = False
    branches: tuple[tuple[str, Tree], ...] = ()


def split_line(line: str) -> tuple[str, str]:
    """Split a line into its role, empty where none is typed, and the rest.

    >>> split_line(':ARG1 "New York"'), split_line("boy"), split_line(":time")
    ((':ARG1', '"New York"'), ('', 'boy'), (':time', ''))
    """
    text = " ".join(line.split())
    role, _, rest = text.partition(" ")
    role = plain_role(role)
    return (role, rest) if role.startswith(":") else ("", text)


def plain_role(text: str) -> str:
    """Give a typed role in plain signs: Chinese and Japanese keyboards have wide ones too.

    >>> plain_role("\uff1atime")
    ':time'
    """
    return normalize("NFKC", text)


def read_line(role: str, text: str) -> tuple[str, Tree]:
    """Read what hangs by a role.

    Returns:
        The role as graphs write it, and the tree.

    Raises:
        EditError: A date is asked for and the text is none.
    """
    text = " ".join(text.split())
    if role == DATE:
        date = dated(text)
        if date is None:
            raise EditError(f"{text!r} is no date; write it like 12 July 2024 or 2024-07-12")
        return TIME, date
    if role == NAME and not is_number(text):
        return role, name_tree(text)
    value = None if role in WITHIN_DATES else built(text)
    if value is not None and value.label == AGED and role == AGE:
        ((_, value),) = value.branches
    if value is None and role == TIME and (text[:1].isupper() or len(text) > 3):
        value = dated(text)  # May, 2019, the 1990s
    is_meant = is_constant_of(role, text) and value is None  # 7:30 is no number
    if is_meant and (" " not in text or _STRINGS.fullmatch(role)):
        return role, Tree(text, True)
    entity = _ENTITY.fullmatch(text)
    if entity and (entity["type"] or not _STRINGS.fullmatch(role)):
        return role, Tree(entity["type"] or USUAL_TYPE, False, ((NAME, name_tree(entity["name"])),))
    place = ordinal(text) if role == ORD else None
    if place is not None:
        value = Tree("ordinal-entity", False, ((":value", Tree(place, True)),))
    return role, value or Tree(as_concept(text))


def built(text: str) -> Tree | None:
    """Read a date of several parts, a time of day, an amount or a share; None for any other.

    >>> built("$5").branches[0][1].label, built("12 July").label, built("boy") is None
    ('5', 'date-entity', True)
    >>> built("three hours").label, built("next week").label, built("two days ago").label
    ('temporal-quantity', 'week', 'before')
    >>> built("six years old").label, built("six-year-old").label, built("tonight").label
    ('age-01', 'temporal-quantity', 'date-entity')
    """
    for concept, form in _ADDRESSES.items():
        if form.fullmatch(text):
            return Tree(concept, False, ((":value", Tree(quote(text), True)),))
    value = written_value(text)
    if value is None:
        date = dated(text)
        is_plain = date is not None and len(date.branches) == 1  # May and Sunday may be names
        is_meant = not is_plain or clock_time(text) or (_day_of(text)[0] and text[:1].isupper())
        return date if date is not None and is_meant else _measured(text)
    parts = ((role, Tree(part, is_constant_text(part))) for role, part in value.parts)
    return Tree(value.concept, False, tuple(parts))


def is_age(text: str) -> bool:
    """Tell whether words joined by hyphens say how old something is.

    >>> is_age("six-year-old"), is_age("old")
    (True, False)
    """
    return _AGED.fullmatch(text) is not None and built(text) is not None


def dated(text: str) -> Tree | None:
    """Read a date, also one of a month, a year or a day of the week alone.

    >>> [role for role, _ in dated("Monday morning, 12 July").branches]
    [':weekday', ':dayperiod', ':month', ':day']
    """
    day, rest = _day_of(text)
    parts = date_parts(rest)
    found = tuple((f":{key}", Tree(parts[key], True)) for key in DATE_PARTS if key in parts)
    is_date = found if rest else day
    return Tree("date-entity", False, (*day, *found)) if is_date else None


def _day_of(text: str) -> tuple[tuple[tuple[str, Tree], ...], str]:
    """Take the day of the week, which one, and the time of that day, from the head of a text."""
    words = text.replace(",", " ").split()
    if text.lower() == TONIGHT:
        words = ["this", "night"]
    if len(words) == 2 and words[0].lower() in NEAR_DAYS and words[1].lower() in DAY_PERIODS:
        near = NEAR_DAYS[words[0].lower()]
        return ((":dayperiod", Tree(words[1].lower())), (":mod", Tree(near))), ""
    which = [(":mod", Tree(word.lower())) for word in words[:1] if word.lower() in WHICH]
    words = words[len(which) :]
    if not words or words[0].lower() not in WEEKDAYS:
        return (), text
    day = ((":weekday", Tree(words[0].lower())),)
    if len(words) > 1 and words[1].lower() in DAY_PERIODS:
        return (*day, (":dayperiod", Tree(words[1].lower())), *which), " ".join(words[2:])
    return (*day, *which), " ".join(words[1:])


def _measured(text: str) -> Tree | None:
    """Read a number with a unit, how long ago that is, how old, or which week or year."""
    aged = _AGED.fullmatch(text)
    *before, last = (aged[1].replace("-", " ") if aged else text).lower().split() or ("",)
    if last in ("ago", "old") and before:
        span = _measured(" ".join(before))
        if span is None or span.label != "temporal-quantity":
            return None
        if last == "old":
            return Tree(AGED, False, ((":ARG2", span),))
        return Tree("before", False, ((":op1", Tree("now")), (":quant", span)))
    unit = _unit_of(last)
    if len(before) == 1 and before[0] in WHICH and last in _SPANS:
        return Tree(last, False, ((":mod", Tree(before[0])),))
    number = _number_of(" ".join(before))
    if number is not None and unit in ("%", "percent"):
        return Tree("percentage-entity", False, ((":value", number),))
    if number is None or unit not in _QUANTITY_OF:
        return None
    return Tree(_QUANTITY_OF[unit], False, ((":quant", number), (":unit", Tree(unit))))


def _number_of(text: str) -> Tree | None:
    """Read what counts a unit: a number, an article, a half, or one of few words."""
    few = text.removeprefix("a ")
    if few in FEW:
        return Tree(few)
    whole, half, _ = text.partition(" and a half")
    if half or text in ("half a", "half an"):
        before = number_value(whole) if half else "0"
        return Tree(f"{before}.5", True) if before is not None and before.isdecimal() else None
    number = "1" if text in ("a", "an") else number_value(text) if text else None
    return None if number is None else Tree(number, True)


def _unit_of(word: str) -> str:
    """Give the unit that a word names, as AMR writes it: one thing, and spelt as in America."""
    single = _UNIT_FORMS.get(word, word.removesuffix("s"))
    single = UNITS.get(word, UNITS.get(single, single))
    return f"{single[:-2]}er" if single.endswith(("metre", "litre")) else single


def name_tree(text: str) -> Tree:
    """Give the name that a text says, quotation marks or not: one string for each word.

    The concept alone is one that says nothing yet.

    >>> len(name_tree("New York").branches), name_tree("name").branches
    (2, ())
    """
    if text == "name":
        return Tree(text)
    words = text.removeprefix('"').removesuffix('"').replace('"', "").split()
    ops = ((f":op{number}", Tree(quote(word), True)) for number, word in enumerate(words, 1))
    return Tree("name", False, tuple(ops))


def named(concept: str, words: str) -> str:
    """Write a named thing as a line has it: ``city "New York"``."""
    return f"{concept} {quote(words)}"


def ordinal(text: str) -> str | None:
    """Give the digits of an ordinal, in figures or not; None for any other word.

    >>> ordinal("third"), ordinal("12th"), ordinal("three")
    ('3', '12', None)
    """
    value = ORDINAL_WORDS.get(text.lower())
    return ordinal_figure(text) if value is None else str(value)


def is_number(text: str) -> bool:
    """Tell whether a text is a number in figures."""
    return is_constant_text(text) and number_value(text) is not None


def is_constant_of(role: str, text: str) -> bool:
    """Tell whether a typed value is a constant: quoted, a number, a sign or a mode."""
    return is_constant_text(text) or (role == ":mode" and text in MODES)


def as_concept(text: str) -> str:
    """Join the words of a typed concept: AMR writes ``search-engine``."""
    return "-".join(text.split())


def hang(graph: AmrGraph, parent: str, role: str, tree: Tree, tokens: Collection[int] = ()) -> Edit:
    """Hang a tree on a node; its root stands for the tokens, and so does all in it.

    Returns:
        The edit; what is new has names that are free in this graph.
    """
    taken: list[str] = []
    edits = tuple(_hung(graph, parent, role, tree, tuple(tokens), taken))
    return edits[0] if len(edits) == 1 else Several(edits)


def _hung(
    graph: AmrGraph, parent: str, role: str, tree: Tree, tokens: tuple[int, ...], taken: list[str]
) -> Iterable[Edit]:
    if tree.is_constant:
        name = fresh_attribute(graph, parent, role, tuple(taken))
        taken.append(name)
        yield AddAttribute(name, parent, role, tree.label, tokens)
        return
    name = fresh_variable(graph, tree.label, tuple(taken))
    taken.append(name)
    yield AddNode(name, tree.label, tokens)
    yield AddEdge(parent, role, name)
    for below, branch in tree.branches:
        yield from _hung(graph, name, below, branch, tokens, taken)
