"""How well a label and a word match, from their letters alone.

Scores run from 0 (nothing in common) to 1 (the same word).
"""

from __future__ import annotations

from functools import lru_cache

from aptcore.alignment.closed_class import CLOSED_CLASS
from aptcore.alignment.context import Word, concept_base
from aptcore.surface import number_value

STRONG = 0.8
"""From here on a match is as good as certain."""

NEGATIVE_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "mis")
_PREFIXES = (*NEGATIVE_PREFIXES, "re", "over", "co", "anti", "pre", "de", "en", "be")


@lru_cache(maxsize=1 << 17)
def match_score(label: str, word: Word) -> float:
    """Score a concept or constant against a word.

    >>> match_score("say-01", Word("says", "say"))
    1.0
    """
    base = concept_base(label).lower()
    if base in (word.lemma, word.token):
        return 1.0
    closed = CLOSED_CLASS.get(label, {}).get(word.lemma, 0.0)
    if base[:1].isdigit():
        return max(closed, 1.0 if number_value(word.token) == base else 0.0)
    if not (base[:1].isalpha() and word.token[:1].isalpha()):
        return closed
    shape = max(_form_score(base, word.lemma), _form_score(base, word.token))
    return max(closed, shape)


def _form_score(base: str, form: str) -> float:
    """Score two forms by their common beginning, also behind a prefix ("unhappy")."""
    best = _prefix_score(base, form)
    for prefix in _PREFIXES:
        if form.startswith(prefix) and len(form) >= len(prefix) + 3:
            best = max(best, 0.9 * _prefix_score(base, form[len(prefix) :]))
    return best


def _prefix_score(base: str, form: str) -> float:
    if base == form:
        return 0.95
    common = 0
    for left, right in zip(base, form, strict=False):
        if left != right:
            break
        common += 1
    shorter, longer = sorted((len(base), len(form)))
    if common >= 3 and common >= shorter - 1 and common >= 0.4 * longer:
        return 0.55 + 0.35 * common / longer
    if common >= 4 and common >= 0.6 * shorter:
        return 0.3 + 0.5 * common / longer
    return 0.0
