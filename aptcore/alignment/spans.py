"""Find the words that spell out a name, a date, a number or a phrase.

Every function gives half-open ranges of tokens, in the order of the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from aptcore.alignment.context import Context, Span, Word, letters_of
from aptcore.alignment.spelling import match_score
from aptcore.words.dates import date_parts
from aptcore.words.surface import number_value

MAX_NAME = 16
MAX_NUMBER = 24
MAX_DATE = 6
"""Tokens that a name, a number or a date may have."""

_SCALES = frozenset("hundreds thousands millions billions".split())
_GLUE = frozenset({",", "of", "the", ".", "and", "-", "in"})
_SITE = re.compile(r"p?-?([a-z]{1,3})(\d{2,4})[a-z]?")

AMINO_ACIDS = {
    name: (letter, name[:3] if short is None else short)
    for name, letter, short in (
        ("alanine", "a", None),
        ("arginine", "r", None),
        ("asparagine", "n", "asn"),
        ("aspartic acid", "d", None),
        ("cysteine", "c", None),
        ("glutamic acid", "e", "glu"),
        ("glutamine", "q", "gln"),
        ("glycine", "g", None),
        ("histidine", "h", None),
        ("isoleucine", "i", "ile"),
        ("leucine", "l", None),
        ("lysine", "k", None),
        ("methionine", "m", None),
        ("phenylalanine", "f", None),
        ("proline", "p", None),
        ("serine", "s", None),
        ("threonine", "t", None),
        ("tryptophan", "w", "trp"),
        ("tyrosine", "y", None),
        ("valine", "v", None),
    )
}
"""One letter and three for each amino acid, by its name."""


def spelled_spans(parts: Sequence[str], context: Context, max_cut: int = 0) -> list[Span]:
    """Find a name letter by letter; hyphens and blanks do not count.

    Args:
        parts: The words of the name.
        context: The sentence.
        max_cut: If not 0, how many letters of the first word may stand before the name;
            at least one must.
    """
    letters = letters_of("".join(parts)) or "".join(parts).lower()
    spans = []
    for start in range(len(context.words)):
        first = context.letters[start] or context.words[start].token
        cuts = range(1, min(max_cut, len(first) - 3) + 1) if max_cut else (0,)
        ends = (_spelled_end(letters, start, first[cut:], context.letters) for cut in cuts)
        spans += [(start, end) for end in ends if end is not None][:1]
    return spans


def _spelled_end(letters: str, start: int, spelled: str, plain: Sequence[str]) -> int | None:
    if spelled == letters:
        return start + 1
    if not plain[start] or not letters.startswith(spelled):
        return None
    for end in range(start + 1, min(start + MAX_NAME, len(plain))):
        spelled += plain[end]
        if spelled == letters:
            return end + 1
        if not letters.startswith(spelled):
            return None
    return None


def similar_spans(parts: Sequence[str], context: Context) -> list[tuple[Span, float]]:
    """Find words that look like parts of a name, or like its short form ("US", "siRNA").

    Returns:
        Ranges with the share of the name that they cover, from 0 to 1.
    """
    found: list[tuple[Span, float]] = []
    initials = "".join(part[0] for part in parts if part).lower()
    letters = letters_of("".join(parts))
    short_forms = {
        initials[:count] + letters_of("".join(parts[count:])) for count in range(1, len(parts) + 1)
    }
    start = 0
    while start < len(context.words):
        end, total = start, 0.0
        while end < len(context.words):
            best = max((match_score(part, context.words[end]) for part in parts), default=0.0)
            if best < 0.6:
                break
            total, end = total + best, end + 1
        if end > start:
            found.append(((start, end), min(total / len(parts), 1.0)))
        if len(initials) > 1 and context.letters[start] in short_forms:
            found.append(((start, start + 1), 0.9))
        if len(parts) == 1 and 1 < len(letters) <= 6 and _has_initials(letters, start, context):
            found.append(((start, start + len(letters)), 0.9))
        start = max(end, start + 1)
    return found


def _has_initials(letters: str, start: int, context: Context) -> bool:
    words = context.words[start : start + len(letters)]
    return "".join(word.token[0] for word in words) == letters


def number_spans(value: str, context: Context) -> list[Span]:
    """Find the words that name a number: "32,000", "four hundred and six"."""
    spans = []
    for start in range(len(context.words)):
        first = _singular(context.words[start].token)
        if number_value(first) is None and first != "minus":
            continue
        for end in range(min(start + MAX_NUMBER, len(context.words)), start, -1):
            if context.words[end - 1].token in _GLUE:
                continue
            words = (_singular(word.token) for word in context.words[start:end])
            text = " ".join(word for word in words if word != ",")
            if number_value(text) == value:
                spans.append((start, end))
                break
    return spans


def _singular(word: str) -> str:
    """Give "hundred" for "hundreds"."""
    return word[:-1] if word in _SCALES else word


def date_spans(wanted: dict[str, str], context: Context) -> list[Span]:
    """Find the words that name a date with exactly these parts (year, month, day)."""
    size = len(context.words)
    for width in range(1, MAX_DATE + 1):
        spans = []
        for start in range(size - width + 1):
            words = [word.token for word in context.words[start : start + width]]
            if words[0] in _GLUE or words[-1] in _GLUE:
                continue
            if date_parts(" ".join(words)) == wanted:
                spans.append((start, start + width))
        if spans:
            return spans
    return []


def site_spans(number: str, context: Context) -> list[Span]:
    """Find the word of a place in a protein by its number: "T202", "V600E", "Ser102"."""
    sites = (_SITE.fullmatch(word.token) for word in context.words)
    return [(place, place + 1) for place, site in enumerate(sites) if site and site[2] == number]


def amino_acid_spans(name: str, context: Context) -> list[Span]:
    """Find the words of places in a protein where an amino acid stands: "T202" for threonine."""
    codes = AMINO_ACIDS.get(name.lower(), ())
    sites = (_SITE.fullmatch(word.token) for word in context.words)
    return [(place, place + 1) for place, site in enumerate(sites) if site and site[1] in codes]


def phrase_spans(pieces: Sequence[str], context: Context) -> list[Span]:
    """Find the pieces of a concept ("find-out", "grown-up") as words side by side.

    A hyphen between them does not count.
    """
    spans = []
    for start in range(len(context.words)):
        end = start
        for piece in pieces:
            if end > start and end < len(context.words) and context.words[end].token == "-":
                end += 1
            if end >= len(context.words) or not _is_same(piece, context.words[end]):
                break
            end += 1
        else:
            spans.append((start, end))
    return spans


def _is_same(piece: str, word: Word) -> bool:
    return piece in (word.token, word.lemma, word.token.removesuffix("s")) or (
        len(piece) > 3 and match_score(piece, word) >= 0.85
    )


def cover(spans: Iterator[Span], max_gap: int) -> Span | None:
    """Give the range from the first to the last token, if no gap is longer than ``max_gap``."""
    ordered = sorted(spans)
    if not ordered:
        return None
    start, end = ordered[0]
    for next_start, next_end in ordered[1:]:
        if next_start - end > max_gap:
            return None
        end = max(end, next_end)
    return start, end
