"""Widen alignments to the whole of a fixed expression: "called out", "twenty metres".

A node that stands at a word of such an expression stands for all of it, as in the
alignments that people made (LEAMR). Only words that nothing else stands at are added.

Source: Blodgett and Schneider 2021, whose spans are multiword expressions and the
entities of OntoNotes; the lists here are our own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from aptcore.alignment.context import Context, Draft, Span, Word, concept_base
from aptcore.graph.amr import AlignmentSource
from aptcore.words.surface import ORDINAL_WORDS, number_value

_PARTICLES = frozenset({"out", "up", "off"})
"""Adverbs that change what nearly every verb before them means."""

_VERBS: dict[str, frozenset[str]] = {
    "back": frozenset("get give go".split()),
    "down": frozenset("come get go lie put set sit".split()),
    "in": frozenset({"believe"}),
    "into": frozenset({"turn"}),
    "of": frozenset("consist dispose think".split()),
    "on": frozenset("count rely".split()),
    "to": frozenset("amount attend belong refer".split()),
    "upon": frozenset({"call"}),
    "with": frozenset("cope deal".split()),
}
"""Verbs that make up one expression with a particle or preposition."""

_COMPOUNDS = tuple(
    tuple(phrase.split())
    for phrase in (
        "according to",
        "apart from",
        "as if",
        "as long as",
        "as soon as",
        "away from",
        "because of",
        "close to",
        "due to",
        "except for",
        "in front of",
        "in spite of",
        "in the middle of",
        "instead of",
        "less than",
        "more than",
        "next to",
        "on top of",
        "out of",
        "rather than",
        "such as",
        "thanks to",
    )
)
"""Function words that are written as several."""

_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")

_ONE = frozenset("any every no some".split())
_ONE_LABEL = re.compile(r".*(?:one|body)$|person$|-$")
"""Before "one" these make up a pronoun, if it stands for such a label."""

_LINKED = frozenset({("each", "other"), ("how", "many"), ("how", "much")})
"""Words that each stand for something, but make up one expression."""

_TIMES = frozenset("second minute hour day week month year morning afternoon evening night".split())
_OPS = (":op1", ":op2")

_BY_FIRST_WORD: dict[str, list[tuple[str, ...]]] = {}
for _phrase in (*_COMPOUNDS, *sorted(_LINKED)):
    _BY_FIRST_WORD.setdefault(_phrase[0], []).append(_phrase)

_OF = Word("of", "of")
"""Behind "out" it makes up a preposition: "drawings out of my pocket"."""

_FREE_SOURCES: frozenset[AlignmentSource] = frozenset({"rule", "em", "proximity"})


def widen(context: Context, draft: Draft) -> None:
    """Widen what stands at a part of a fixed expression to all its words.

    Args:
        context: Sentence and graph.
        draft: Finished alignments; given ones and a person's stay as they are.
    """
    for span, items in _expressions(context, draft):
        start, end = span
        if all(
            draft.sources[item] in _FREE_SOURCES
            and start <= draft.spans[item][0]
            and draft.spans[item][1] <= end
            for item in items
        ):
            for item in items:
                source = draft.sources[item]
                draft.remove(item)
                draft.put(item, span, source)


def _expressions(context: Context, draft: Draft) -> Iterator[tuple[Span, list[str]]]:
    """Give the words of each expression and the items at some of them, one at a time."""
    for item in context.items:
        if item in context.nodes:
            span = (
                _quantity_span(context, draft, item)
                or _date_span(context, draft, item)
                or _numbers_span(context, draft, item)
                or _particle_span(context, draft, item)
            )
            if span is not None:
                yield span, _owners(draft, span)
    for start, word in enumerate(context.words):
        for phrase in _BY_FIRST_WORD.get(word.token, ()):
            span = (start, min(start + len(phrase), len(context.words)))
            words = tuple(word.token for word in context.words[start : span[1]])
            owners = _owners(draft, span)
            is_one = words == phrase and len({draft.spans[item] for item in owners}) == 1
            if is_one or (owners and words in _LINKED):
                yield span, owners
        span = (start, start + 2)
        if word.token in _ONE and span[1] <= len(context.words):
            owners = _owners(draft, span)
            is_pronoun = context.words[start + 1].token == "one" and all(
                _ONE_LABEL.match(context.labels[item]) or context.labels[item] == word.token
                for item in owners
            )
            if is_pronoun and owners and draft.owners.get(start + 1):
                yield span, owners


def _owners(draft: Draft, span: Span) -> list[str]:
    found = (item for position in range(*span) for item in draft.owners.get(position, ()))
    return list(dict.fromkeys(found))


def _particle_span(context: Context, draft: Draft, item: str) -> Span | None:
    """Find the verb of a frame with the particle or preposition behind it."""
    start, end = draft.spans[item]
    label = context.labels[item]
    if label == concept_base(label) or end - start != 1 or end >= len(context.words):
        return None
    particle = context.words[end].token
    if particle == "out" and context.words[end + 1 : end + 2] == (_OF,):
        return None
    if not all(context.around[item].get(owner) == 1.0 for owner in draft.owners.get(end, ())):
        return None
    verbs = _VERBS.get(particle, frozenset())
    if particle in _PARTICLES or context.words[start].lemma in verbs:
        return start, end + 1
    return None


def _quantity_span(context: Context, draft: Draft, item: str) -> Span | None:
    """Find the number and the unit of a quantity, side by side: "twenty metres", "$ 5"."""
    is_share = context.labels[item] == "percentage-entity"
    if not (is_share or context.labels[item].endswith("-quantity")):
        return None
    units = [item] if is_share else context.targets(item, ":unit")
    for number in context.targets(item, ":value" if is_share else ":quant"):
        first = draft.spans[number]
        if number in context.nodes or not _is_number(context, first):
            continue
        for second in (draft.spans[unit] for unit in units):
            if first[1] == second[0]:
                return first[0], _age_end(context, draft, item, second[1])
            if second[1] == first[0]:
                return second[0], first[1]
    return None


def _age_end(context: Context, draft: Draft, quantity: str, end: int) -> int:
    """Give the end of a quantity with the "old" of an age behind it: "six years old"."""
    ages = (draft.spans[owner] for owner in context.sources(quantity, ":ARG2"))
    is_age = (end, end + 1) in ages and context.words[end].token == "old"
    return end + 1 if is_age else end


def _date_span(context: Context, draft: Draft, item: str) -> Span | None:
    """Find a day or a part of it with the number before it: "one evening", "one day".

    The number is a ``one`` that modifies the day, or stands for nothing.
    """
    if context.labels[item] != "date-entity" and context.labels[item] not in _TIMES:
        return None
    start, end = draft.spans[item]
    number = (start - 1, start)
    owners = draft.owners.get(start - 1, ())
    is_own = all(
        context.labels[owner] == "one" and owner in context.around[item] for owner in owners
    )
    return (start - 1, end) if start and is_own and _is_number(context, number) else None


def _numbers_span(context: Context, draft: Draft, item: str) -> Span | None:
    """Find two numbers with the word between them: "two or three"."""
    if context.labels[item] != "or":
        return None
    start, end = draft.spans[item]
    before, after = ((draft.spans[op] for op in context.targets(item, role)) for role in _OPS)
    for first in before:
        for last in after:
            is_joined = first[1] == start and end == last[0]
            if is_joined and _is_number(context, first) and _is_number(context, last):
                return first[0], last[1]
    return None


def _is_number(context: Context, span: Span) -> bool:
    """Tell whether words are a number, not just "a" or "every", and no ordinal."""
    words = [word.token for word in context.words[span[0] : span[1]]]
    is_ordinal = words[-1] in ORDINAL_WORDS or _ORDINAL.fullmatch(words[-1])
    return number_value(" ".join(words)) is not None and not is_ordinal
