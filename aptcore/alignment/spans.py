"""Rules that give several tokens: names, dates, concepts of several words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aptcore.alignment.context import Context, Draft, concept_base
from aptcore.alignment.matching import match_score
from aptcore.surface import date_parts

MAX_SPAN = 12
"""Tokens that a name or date may have."""

_NOT_LETTERS = re.compile(r"[\W_]+")
_OP = re.compile(r":op\d+$")
_DATE_ROLES = (":day", ":month", ":year", ":year2", ":decade", ":century", ":quarter", ":season")
_BETWEEN_DATE_PARTS = frozenset({",", "of", "the", "."})


def align_names(context: Context, draft: Draft) -> None:
    """Align each name, with its parts and its entity, to the words that spell it.

    Two names that are spelled alike take their places in the order of the text.
    """
    for name in context.items:
        if name not in context.nodes or context.labels[name] != "name":
            continue
        parts = [link.other for link in context.links[name] if link.is_out and _OP.match(link.role)]
        given = [draft.spans[part] for part in parts if part in draft.spans]
        if given:
            span: tuple[int, int] | None = given[0]
        else:
            span = find_name([context.labels[part] for part in parts], context, draft)
        if span is None:
            continue
        for item in (name, *parts, *_wiki(context, name)):
            draft.put(item, *span, "rule")


def find_name(parts: list[str], context: Context, draft: Draft) -> tuple[int, int] | None:
    """Find the words that spell a name, letter by letter; hyphens and blanks do not count.

    Args:
        parts: The words of the name.
        context: The sentence.
        draft: Words that other names have are taken last.

    Returns:
        The half-open range of tokens; None if no words spell the name.
    """
    letters = _letters("".join(parts)) or "".join(parts).lower()
    found = list(_spelled(letters, context))
    if not found:
        return None
    return min(found, key=lambda span: (span[0] in draft.owners, span))


def _spelled(letters: str, context: Context) -> Iterator[tuple[int, int]]:
    plain = [_letters(word.token) or word.token for word in context.words]
    bare = [not _letters(word.token) for word in context.words]
    for start in range(len(plain)):
        if bare[start] and plain[start] != letters[: len(plain[start])]:
            continue
        spelled = ""
        for end in range(start, min(start + MAX_SPAN, len(plain))):
            if not bare[end] or end == start:
                spelled += plain[end]
            if spelled == letters and not (bare[end] and end > start):
                yield start, end + 1
                break
            if not letters.startswith(spelled):
                break


def align_dates(context: Context, draft: Draft) -> None:
    """Align the parts of a date and the date itself to the words that name them."""
    for node in context.items:
        if node not in context.nodes or context.labels[node] != "date-entity":
            continue
        parts = [
            (link.role[1:], link.other)
            for link in context.links[node]
            if link.is_out and link.role in _DATE_ROLES and link.other not in context.nodes
        ]
        span = _find_date(parts, context) if parts else None
        if span is None:
            continue
        for _, part in parts:
            draft.put(part, *span, "rule")
        draft.put(node, *span, "rule")


def _find_date(parts: list[tuple[str, str]], context: Context) -> tuple[int, int] | None:
    """Find the shortest words that name exactly these parts, else the first part's word."""
    wanted = {role: context.labels[part] for role, part in parts}
    size = len(context.words)
    for width in range(1, 7):
        for start in range(size - width + 1):
            words = [word.token for word in context.words[start : start + width]]
            if words[0] in _BETWEEN_DATE_PARTS or words[-1] in _BETWEEN_DATE_PARTS:
                continue
            if date_parts(" ".join(words)) == wanted:
                return start, start + width
    return None


def align_phrases(context: Context, draft: Draft) -> None:
    """Align concepts of several words ("find-out-03", "at-all") to words side by side."""
    for item in context.items:
        pieces = concept_base(context.labels[item]).split("-")
        if item in draft.spans or len(pieces) < 2 or not all(pieces):
            continue
        width = len(pieces)
        for start in range(len(context.words) - width + 1):
            words = context.words[start : start + width]
            free = not any(position in draft.owners for position in range(start, start + width))
            if free and all(match_score(p, w) >= 0.95 for p, w in zip(pieces, words, strict=True)):
                draft.put(item, start, start + width, "rule")
                break


def _wiki(context: Context, name: str) -> list[str]:
    return [
        wiki
        for entity in context.sources(name, ":name")
        for wiki in context.targets(entity, ":wiki")
        if wiki not in context.nodes
    ]


def _letters(text: str) -> str:
    return _NOT_LETTERS.sub("", text).lower()
