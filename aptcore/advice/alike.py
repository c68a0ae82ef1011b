"""Which concepts are used alike, and which are spelt alike: what one may be mistaken for.

Two concepts are used alike where they hang on others, and have others below them, by the same
roles in the training graphs: ``monetary-quantity`` and ``temporal-quantity``, ``boy`` and
``person``, but not ``boy`` and ``contrast-01``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice, takewhile

import numpy as np
import numpy.typing as npt

from aptcore.words.frames import is_frame, lemma_of, shipped_counts
from aptcore.words.rolesets import rolesets_from

Shares = npt.NDArray[np.float32]

OF_ITS_KIND = 5.0
"""Times that a concept is taken to have had the roles of its kind, a frame or not, beside its own:
one that graphs have seldom or never is judged by these.
"""
BEGINNING, LONGEST_ENDING = 4, 4
"""Letters that words spelt alike have in common at least, and by which they may differ."""
SCANNED = 60
"""Words with one beginning that are looked at."""


@lru_cache(maxsize=1)
def _uses() -> tuple[Mapping[str, int], Shares, Mapping[bool, Shares]]:
    """Give the place of each concept, and square roots of its and its kind's shares of roles."""
    counts = shipped_counts()
    names = {name: place for place, name in enumerate(counts.concepts)}
    both = counts.roles, counts.above
    columns: dict[tuple[int, str], int] = {}
    for side, of_all in enumerate(both):
        for roles in of_all.values():
            for role in roles:
                columns.setdefault((side, role), len(columns))
    table = np.zeros((len(names), len(columns)), np.float32)  # (concepts, roles below and above)
    for side, of_all in enumerate(both):
        for name, roles in of_all.items():
            for role, times in roles.items():
                table[names[name], columns[side, role]] = times
    is_of_kind = np.array([is_frame(name) for name in names])  # (concepts,)
    shares = table / np.maximum(table.sum(axis=1, keepdims=True), 1)
    kinds: dict[bool, Shares] = {}
    for kind in (False, True):
        mean = shares[is_of_kind == kind].mean(axis=0)  # (roles,)
        table[is_of_kind == kind] += OF_ITS_KIND * mean / mean.sum()
        kinds[kind] = np.sqrt(mean / mean.sum())
    return names, np.sqrt(table / table.sum(axis=1, keepdims=True)), kinds


@lru_cache(maxsize=4096)
def likeness(concept: str, other: str) -> float:
    """Tell how alike two concepts are used, from 0 to 1 (Bhattacharyya's coefficient of roles).

    >>> likeness("boy", "person") > 2 * likeness("boy", "contrast-01")
    True
    """
    names, table, kinds = _uses()
    one, two = (
        kinds[is_frame(name)] if name not in names else table[names[name]]
        for name in (concept, other)
    )
    return float(one @ two)


@lru_cache(maxsize=4096)
def spelt_alike(concept: str) -> tuple[str, ...]:
    """Give concepts and rolesets of words that one word begins with, or that begin with it.

    >>> spelt_alike("teacher"), spelt_alike("engine")
    (('teach-01',), ('engineer-01',))
    """
    word = lemma_of(concept)
    beginning = word[:BEGINNING]
    if len(beginning) < BEGINNING or not beginning.isalpha():
        return ()
    names = _names()
    place = bisect_left(names, beginning)
    there = takewhile(lambda name: name.startswith(beginning), islice(names, place, None))
    found = dict.fromkeys((*islice(there, SCANNED), *rolesets_from(beginning, SCANNED)))
    return tuple(name for name in found if _is_of_family(word, lemma_of(name)))


def _is_of_family(word: str, other: str) -> bool:
    """Tell whether one of two words is the other with an ending; ``give-up`` is another verb."""
    short, long = sorted((word, other), key=len)
    stem = short.rstrip("ey")
    is_ending = len(long) - len(short) <= LONGEST_ENDING and long.isalpha()
    return word != other and len(stem) >= BEGINNING and is_ending and long.startswith(stem)


@lru_cache(maxsize=1)
def _names() -> tuple[str, ...]:
    return tuple(sorted(shipped_counts().concepts))
