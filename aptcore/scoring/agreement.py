"""How well two versions of the same sentences agree, with an interval.

Agreement is exact Smatch F1: it is the same whichever of the two stands first. Counts
are summed over the sentences; the interval comes from sentences drawn again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aptcore.graph.amr import AmrGraph
from aptcore.scoring.evaluation import score_corpus

PAIR_SECONDS = 2.0
"""Seconds of processor time for the mapping of one sentence."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two versions of some sentences.

    Attributes:
        first: Who or what made the first version.
        second: And the second.
        f1: Exact Smatch F1 over all sentences, 0..1.
        interval: Between which 95 % of resampled F1 lie.
        sentence_f1: Of each sentence, in order.
        num_unproven: Sentences whose best mapping is not proven; their F1 may be higher.
    """

    first: str
    second: str
    f1: float
    interval: tuple[float, float]
    sentence_f1: tuple[float, ...]
    num_unproven: int

    @property
    def num_sentences(self) -> int:
        """Count the sentences."""
        return len(self.sentence_f1)

    @property
    def num_equal(self) -> int:
        """Count the sentences on which both are the same."""
        return sum(f1 == 1 for f1 in self.sentence_f1)


def agreement(
    first: str, second: str, pairs: Sequence[tuple[AmrGraph, AmrGraph]], *, seed: int = 0
) -> Agreement:
    """Measure how well two versions agree; ``:wiki`` is left out.

    Args:
        first: Name of the first version.
        second: Name of the second.
        pairs: The two graphs of each sentence.
        seed: Of the resampling.
    """
    report = score_corpus(
        [other for _, other in pairs], [own for own, _ in pairs], time_limit=PAIR_SECONDS, seed=seed
    )
    return Agreement(
        first,
        second,
        report.counts.f1,
        report.interval,
        tuple(pair.counts.f1 for pair in report.pairs),
        len(report.unproven),
    )
