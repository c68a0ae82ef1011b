"""Widen alignments to the whole of a fixed expression: "called out", "twenty metres".

A node that stands at a word of such an expression stands for all of it, as in the
alignments that people made (LEAMR). Only words that nothing else stands at are added.

Source: Blodgett and Schneider 2021, whose spans are multiword expressions and the
entities of OntoNotes; the lists here are our own.
"""

from __future__ import annotations

from collections.abc import Iterator

from aptcore.alignment.context import Context, Draft, Span, concept_base
from aptcore.amr import AlignmentSource
from aptcore.surface import number_value

_PARTICLES = frozenset({"out", "up", "off"})
"""Adverbs that change what nearly every verb before them means."""

_PREPOSITIONS = {
    "to": frozenset("belong refer attend amount".split()),
    "of": frozenset("think consist dispose".split()),
    "with": frozenset("deal cope".split()),
    "in": frozenset("believe".split()),
    "on": frozenset("count rely".split()),
    "into": frozenset("turn".split()),
    "upon": frozenset("call".split()),
}
"""Verbs that always have the same preposition where they mean what their frame says."""

_COMPOUNDS = tuple(
    tuple(phrase.split())
    for phrase in (
        "because of",
        "instead of",
        "out of",
        "in front of",
        "in spite of",
        "as if",
        "as long as",
        "as soon as",
        "more than",
        "less than",
        "rather than",
        "such as",
        "no one",
        "any one",
        "some one",
        "every one",
    )
)
"""Function words that are written as several."""

_FREE_SOURCES: frozenset[AlignmentSource] = frozenset({"rule", "em", "proximity"})


def widen(context: Context, draft: Draft) -> None:
    """Widen what stands at a part of a fixed expression to all its words.

    Args:
        context: Sentence and graph.
        draft: Finished alignments; given ones and a person's stay as they are.
    """
    for span, items in _expressions(context, draft):
        if all(draft.sources[item] in _FREE_SOURCES for item in items):
            for item in items:
                source = draft.sources[item]
                draft.remove(item)
                draft.put(item, span, source)


def _expressions(context: Context, draft: Draft) -> Iterator[tuple[Span, list[str]]]:
    """Give the words of each expression and the items at some of them, one at a time."""
    for item in context.items:
        if item in context.nodes:
            span = _quantity_span(context, draft, item) or _particle_span(context, draft, item)
            if span is not None:
                yield span, _owners(draft, span)
    for phrase in _COMPOUNDS:
        for start in range(len(context.words) - len(phrase) + 1):
            words = context.words[start : start + len(phrase)]
            if tuple(word.token for word in words) != phrase:
                continue
            span = (start, start + len(phrase))
            owners = _owners(draft, span)
            if owners and len({draft.spans[item] for item in owners}) == 1:
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
    if draft.owners.get(end):
        return None
    particle = context.words[end].token
    verbs = _PREPOSITIONS.get(particle, frozenset())
    if particle in _PARTICLES or context.words[start].lemma in verbs:
        return start, end + 1
    return None


def _quantity_span(context: Context, draft: Draft, item: str) -> Span | None:
    """Find the number and the unit of a quantity, side by side: "twenty metres"."""
    if not context.labels[item].endswith("-quantity"):
        return None
    units = [draft.spans[unit] for unit in context.targets(item, ":unit")]
    numbers = [
        draft.spans[number]
        for number in context.targets(item, ":quant")
        if number not in context.nodes and number_value(context.labels[number])
    ]
    for number in numbers:
        for unit in units:
            if number[1] == unit[0]:
                return number[0], unit[1]
    return None
