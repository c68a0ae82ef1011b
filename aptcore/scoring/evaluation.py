"""How well predicted graphs agree with gold graphs: Smatch and its parts.

One triple for each concept, edge and constant, and one for the root with a fixed
value. Repeated triples count once. Values are compared whole, without quotation
marks and letter case; roles as penman's AMR model reads them, so ``:mod`` and
``:domain-of`` differ. ``:wiki`` is left out on both sides unless asked for.
Counts are summed over all pairs before precision and recall are taken.

Source: Cai and Knight 2013; the parts are those of Damonte and others 2017
(``aptcore.scoring.fine_grained``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from aptcore.errors import InputError
from aptcore.graph.amr import AmrGraph
from aptcore.scoring.bootstrap import interval, p_value, resampled_f1
from aptcore.scoring.counts import Counts, Tally, sum_counts
from aptcore.scoring.fine_grained import PARTS
from aptcore.scoring.mapping import TIME_LIMIT
from aptcore.scoring.pair_scoring import PairScore, Scorer, ScoringOptions, score_pairs

INTERVAL_SAMPLES = 1_000
COMPARISON_SAMPLES = 10_000


@dataclass(frozen=True, slots=True)
class Report:
    """Scores of a list of predictions.

    Attributes:
        scorer: ``exact`` or ``smatch``.
        pairs: One for each gold graph, in order; places without one are left out.
        num_without_gold: Places that hold no gold graph; they are not scored.
        counts: Sums over all pairs.
        interval: F1 between which 95 % of resampled test sets lie.
        is_wiki_counted: Whether ``:wiki`` was scored.
        num_wiki_removed: ``:wiki`` left out on both sides together.
        parts: Sums of the fine-grained parts, where they were asked for.
    """

    scorer: Scorer
    pairs: tuple[PairScore, ...]
    num_without_gold: int
    counts: Counts
    interval: tuple[float, float]
    is_wiki_counted: bool
    num_wiki_removed: int
    parts: Mapping[str, Counts] = field(default_factory=dict)

    @property
    def failed(self) -> tuple[int, ...]:
        """Give the places, from 0, of the failed predictions."""
        return tuple(pair.position for pair in self.pairs if pair.is_failed)

    @property
    def unproven(self) -> tuple[int, ...]:
        """Give the places, from 0, where a better mapping may exist."""
        return tuple(pair.position for pair in self.pairs if not pair.tally.is_proven)

    def unproven_tallies(self) -> Iterator[tuple[PairScore, str, Tally]]:
        """Name each pair and score, ``smatch`` or a part, whose mapping may not be the best."""
        for pair in self.pairs:
            for name, tally in {"smatch": pair.tally, **pair.parts}.items():
                if not tally.is_proven:
                    yield pair, name, tally

    def to_json(self) -> dict[str, object]:
        """Give the report as ``aptamr evaluate --json`` prints it; scores are fractions."""
        return {
            "sentences": len(self.pairs),
            "failed": len(self.failed),
            "without_gold": self.num_without_gold,
            "smatch": self.counts.to_json(),
            "scorer": self.scorer,
            "unproven": len(self.unproven),
            "unproven_pairs": [
                {
                    "position": pair.position,
                    "id": pair.id,
                    "score": name,
                    "f1": tally.counts.f1,
                    "f1_bound": tally.f1_bound,
                }
                for pair, name, tally in self.unproven_tallies()
            ],
            "interval": list(self.interval),
            "root_counted": True,
            "wiki": self.is_wiki_counted,
            "wiki_removed": self.num_wiki_removed,
            **{name: counts.to_json() for name, counts in self.parts.items()},
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems on the same gold graphs.

    Attributes:
        first: Report of the first system.
        second: Report of the second.
        interval: Between which 95 % of resampled differences lie.
        p_value: How often chance alone would give so large a difference, either way.
        num_samples: Resampled test sets.
        seed: Of the resampling.
    """

    first: Report
    second: Report
    interval: tuple[float, float]
    p_value: float
    num_samples: int
    seed: int

    @property
    def difference(self) -> float:
        """Give F1 of the second system less that of the first."""
        return self.second.counts.f1 - self.first.counts.f1

    def count_outcomes(self) -> tuple[int, int, int]:
        """Count the sentences on which the second is better, worse and equal, by F1."""
        both = zip(self.first.pairs, self.second.pairs, strict=True)
        gains = [two.counts.f1 - one.counts.f1 for one, two in both]
        num_better, num_worse = sum(g > 0 for g in gains), sum(g < 0 for g in gains)
        return num_better, num_worse, len(gains) - num_better - num_worse

    def to_json(self) -> dict[str, object]:
        """Give the comparison as ``aptamr evaluate --json`` prints it."""
        num_better, num_worse, num_equal = self.count_outcomes()
        return {
            "sentences": len(self.first.pairs),
            "systems": [self.first.to_json(), self.second.to_json()],
            "difference": self.difference,
            "interval": list(self.interval),
            "p_value": self.p_value,
            "better": num_better,
            "worse": num_worse,
            "equal": num_equal,
            "test": "paired bootstrap",
            "samples": self.num_samples,
            "seed": self.seed,
        }


def score_corpus(
    gold: Sequence[AmrGraph | None],
    predicted: Sequence[AmrGraph | None],
    scorer: Scorer = "exact",
    wiki: bool = False,
    *,
    fine_grained: bool = False,
    time_limit: float = TIME_LIMIT,
    jobs: int = 1,
    seed: int = 0,
) -> Report:
    """Score predictions against gold graphs, pair by pair in order.

    Args:
        gold: None where a sentence has no gold graph; such a pair is not scored.
        predicted: None, or ``(a / amr-empty)`` with ``# ::error``, where the
            prediction failed; it counts as nothing found.
        scorer: ``exact`` finds the best mapping; ``smatch`` searches as smatch 1.0.4.
        wiki: Count ``:wiki`` triples as well.
        fine_grained: Also score the parts of ``aptcore.scoring.fine_grained``.
        time_limit: Seconds of processor time for one mapping, with ``exact``; a pair
            that needs more is not proven and is named in the report.
        jobs: Processes. More than one are started anew, so a script must call this
            under ``if __name__ == "__main__"``.
        seed: Of the resampling for the interval.

    Raises:
        InputError: The lists differ in length.
        ConfigurationError: The scorer has no such name, or a number is out of range.
    """
    if len(gold) != len(predicted):
        raise InputError(f"{len(gold)} gold graphs, but {len(predicted)} predictions")
    options = ScoringOptions(scorer, wiki, fine_grained, time_limit)
    tasks = [
        (position, wanted, None if is_failed(found) else found)
        for position, (wanted, found) in enumerate(zip(gold, predicted, strict=True))
        if wanted is not None
    ]
    pairs = score_pairs(tasks, options, jobs)
    counts = [pair.counts for pair in pairs]
    names = PARTS if fine_grained else ()
    return Report(
        scorer=scorer,
        pairs=tuple(pairs),
        num_without_gold=len(gold) - len(pairs),
        counts=sum_counts(counts),
        interval=interval(resampled_f1(counts, INTERVAL_SAMPLES, seed)),
        is_wiki_counted=wiki,
        num_wiki_removed=sum(pair.num_wiki_removed for pair in pairs),
        parts={name: sum_counts(pair.parts[name].counts for pair in pairs) for name in names},
    )


def compare_reports(first: Report, second: Report, *, seed: int = 0) -> Comparison:
    """Test whether two systems differ, by a paired bootstrap over sentences.

    Args:
        first: Of one system.
        second: Of another, on the same gold graphs and with the same options.
        seed: Of the resampling.

    Raises:
        InputError: The reports are not of the same gold graphs, or were scored differently.
    """
    one, two = (
        (
            report.scorer,
            report.is_wiki_counted,
            [(pair.position, pair.counts.gold) for pair in report.pairs],
        )
        for report in (first, second)
    )
    if one != two:
        raise InputError("the two reports are not of the same gold graphs, scored the same way")
    samples = [
        resampled_f1([pair.counts for pair in report.pairs], COMPARISON_SAMPLES, seed)
        for report in (first, second)
    ]
    differences = samples[1] - samples[0]  # (samples,)
    return Comparison(
        first,
        second,
        interval(differences),
        p_value(differences, second.counts.f1 - first.counts.f1),
        COMPARISON_SAMPLES,
        seed,
    )


def is_failed(graph: AmrGraph | None) -> bool:
    """Tell whether a prediction failed: none, or a placeholder with ``# ::error``."""
    if graph is None:
        return True
    concepts = [node.concept for node in graph.nodes]
    return "error" in graph.metadata and concepts == ["amr-empty"]
