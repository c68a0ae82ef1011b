"""How well a label and a word match, from their letters alone.

Scores run from 0 (nothing in common) to 1 (the same word).
"""

from __future__ import annotations

from functools import lru_cache

from aptcore.alignment.closed_class import CLOSED_CLASS
from aptcore.alignment.context import Word, concept_base

STRONG = 0.8
"""From here on a match is as good as certain."""

_EMPTY_PIECES = frozenset(
    "be have of at at in on up out off by for to and not with entity quantity rel org".split()
)
_NO_PREFIX = frozenset(
    "about above across again against ago all alone along also among another any apart around "
    "aside away".split()
)
"""Words whose first letter is no prefix, as it is in "asleep" or "alight"."""


NEGATIVE_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "mis")
POSSIBLE_ENDINGS = ("able", "ible", "ably", "ibly")
"""Ends of adjectives and adverbs that hold a ``possible-01``."""

_PREFIXES = (*NEGATIVE_PREFIXES, "re", "over", "co", "anti", "pre", "de", "en", "be", "a")


@lru_cache(maxsize=1 << 17)
def match_score(label: str, word: Word) -> float:
    """Score a concept or constant against a word.

    >>> match_score("say-01", Word("says", "say"))
    1.0
    """
    base = concept_base(label).lower()
    closed = _closed_score(label, base, word)
    if base == "possible" and len(word.token) > 6 and word.token.endswith(POSSIBLE_ENDINGS):
        closed = max(closed, STRONG)
    if not (base[:1].isalpha() and word.token[:1].isalpha()):
        is_same = base in (word.lemma, word.token) and base != "-"
        return 1.0 if is_same else closed
    if base in (word.lemma, word.token):
        return 1.0
    shape = max(_form_score(base, word.lemma), _form_score(base, word.token))
    return max(closed, shape, _piece_score(base, word))


def _closed_score(label: str, base: str, word: Word) -> float:
    """Look a function word up; older graphs write "possible" for "possible-01"."""
    row = CLOSED_CLASS.get(label) or CLOSED_CLASS.get(base + "-01") or {}
    return max(row.get(word.lemma, 0.0), row.get(word.token, 0.0))


def _piece_score(base: str, word: Word) -> float:
    """Score a word that is one piece of a concept: "complex" of "macro-molecular-complex"."""
    pieces = base.split("-")
    if len(pieces) < 2 or len(word.token) < 3 or word.lemma in _EMPTY_PIECES:
        return 0.0
    if word.lemma == pieces[-1] or word.token == pieces[-1]:
        return 0.85
    return 0.65 if word.lemma in pieces or word.token in pieces else 0.0


def _form_score(base: str, form: str) -> float:
    """Score two forms by their common beginning, also behind a prefix ("unhappy")."""
    best = _prefix_score(base, form)
    if form.startswith(_PREFIXES) and form not in _NO_PREFIX:
        for prefix in _PREFIXES:
            if form.startswith(prefix):
                best = max(best, 0.9 * _prefix_score(base, form[len(prefix) :]))
    return best


def _prefix_score(base: str, form: str) -> float:
    if base[:3] != form[:3] or len(base) < 3 or len(form) < 3:
        return 0.0
    if base == form:
        return 0.95
    common = 0
    for left, right in zip(base, form, strict=False):
        if left != right:
            break
        common += 1
    shorter, longer = sorted((len(base), len(form)))
    stem = shorter - 1 if base[-1] in "ey" or form[-1] in "ey" else shorter
    if common >= 3 and common >= stem and common >= 0.4 * longer:
        return 0.55 + 0.35 * common / longer
    if common >= 4 and common >= 0.6 * shorter:
        return 0.3 + 0.5 * common / longer
    return 0.0
