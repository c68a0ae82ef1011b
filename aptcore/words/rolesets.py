"""Which rolesets there are: the names of PropBank's and AMR's frames, without their texts."""

from __future__ import annotations

from bisect import bisect_left
from functools import cache, lru_cache
from itertools import takewhile

from aptcore.assets import asset_path
from aptcore.words.frames import is_frame, lemma_of

ROLESETS_FILE = "rolesets.txt"


@cache
def rolesets() -> frozenset[str]:
    """Give the names of all rolesets."""
    return frozenset(asset_path(ROLESETS_FILE).read_text("utf-8").split())


@cache
def _in_order() -> tuple[str, ...]:
    return tuple(sorted(rolesets()))


def rolesets_from(beginning: str, limit: int) -> tuple[str, ...]:
    """Give the rolesets that begin with a text, in order, so many at most.

    >>> rolesets_from("abi", 3)
    ('abide-01',)
    """
    names = _in_order()
    place = bisect_left(names, beginning)
    return tuple(takewhile(lambda name: name.startswith(beginning), names[place : place + limit]))


@cache
def _by_lemma() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for name in _in_order():
        found.setdefault(lemma_of(name), []).append(name)
    return {lemma: tuple(names) for lemma, names in found.items()}


def senses_of(lemma: str) -> tuple[str, ...]:
    """Give the rolesets of a lemma, in order.

    >>> senses_of("abide")
    ('abide-01',)
    """
    return _by_lemma().get(lemma, ())


@lru_cache(maxsize=8192)
def is_no_roleset(concept: str) -> bool:
    """Tell whether a concept is written like a frame and no list has it.

    >>> is_no_roleset("want-01"), is_no_roleset("ambit-01"), is_no_roleset("boy")
    (False, True, False)
    """
    return is_frame(concept) and concept not in rolesets()
