"""Counts of triples and the scores they give."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Counts:
    """Triples that matched, that were predicted and that are gold."""

    matched: int = 0
    predicted: int = 0
    gold: int = 0

    @property
    def precision(self) -> float:
        """Give the share of predicted triples that match; 1 where there are none at all."""
        return _share(self.matched, self.predicted, self.gold)

    @property
    def recall(self) -> float:
        """Give the share of gold triples that match; 1 where there are none at all."""
        return _share(self.matched, self.gold, self.predicted)

    @property
    def f1(self) -> float:
        """Give the harmonic mean of precision and recall."""
        return _share(2 * self.matched, self.predicted + self.gold, 0)

    def to_json(self) -> dict[str, float]:
        """Give precision, recall and f1 as fractions."""
        return {"precision": self.precision, "recall": self.recall, "f1": self.f1}


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts of one pair.

    Attributes:
        counts: Under the mapping found.
        bound: Triples that the best mapping could match at most.
    """

    counts: Counts
    bound: int

    @property
    def is_proven(self) -> bool:
        """Tell whether no other mapping can match more."""
        return self.bound == self.counts.matched

    @property
    def f1_bound(self) -> float:
        """Give the F1 that the best mapping could reach at most."""
        return Counts(self.bound, self.counts.predicted, self.counts.gold).f1


def sum_counts(all_counts: Iterable[Counts]) -> Counts:
    """Add counts up."""
    matched = predicted = gold = 0
    for counts in all_counts:
        matched += counts.matched
        predicted += counts.predicted
        gold += counts.gold
    return Counts(matched, predicted, gold)


def _share(part: int, whole: int, other: int) -> float:
    if whole:
        return part / whole
    return 0.0 if other else 1.0
