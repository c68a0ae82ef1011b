"""How well predicted graphs agree with gold graphs: Smatch and its parts.

One triple for each concept, edge and constant, and one for the root with a fixed
value. Repeated triples count once. Values are compared whole, without quotation
marks and letter case; roles as penman's AMR model reads them, so ``:mod`` and
``:domain-of`` differ. ``:wiki`` is left out on both sides unless asked for.
Counts are summed over all pairs before precision and recall are taken.

Source: Cai and Knight 2013; the parts are those of Damonte and others 2017
(``aptcore.fine_grained``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from aptcore.amr import AmrGraph, without_wiki
from aptcore.errors import ConfigurationError, InputError
from aptcore.fine_grained import PARTS, part_counts
from aptcore.matching import Match, best_match
from aptcore.smatch_search import search_match
from aptcore.triple_graph import TripleGraph, triple_graph

Scorer = Literal["exact", "smatch"]
SCORERS: tuple[Scorer, ...] = ("exact", "smatch")
BOOTSTRAP_SAMPLES = 1000
INTERVAL_LEVEL = 0.95


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


def _share(part: int, whole: int, other: int) -> float:
    if whole:
        return part / whole
    return 0.0 if other else 1.0


@dataclass(frozen=True, slots=True)
class PairScore:
    """The score of one pair.

    Attributes:
        position: Place in the lists, from 0.
        counts: Its triples.
        bound: Triples that the best mapping could match at most.
        is_failed: True where the prediction failed.
    """

    position: int
    counts: Counts
    bound: int
    is_failed: bool


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
        return tuple(pair.position for pair in self.pairs if pair.bound > pair.counts.matched)

    def to_json(self) -> dict[str, object]:
        """Give the report as ``aptamr evaluate --json`` prints it; scores are fractions."""
        return {
            "sentences": len(self.pairs),
            "failed": len(self.failed),
            "without_gold": self.num_without_gold,
            "smatch": self.counts.to_json(),
            "scorer": self.scorer,
            "unproven": len(self.unproven),
            "interval": list(self.interval),
            "root_counted": True,
            "wiki": self.is_wiki_counted,
            "wiki_removed": self.num_wiki_removed,
            **{name: counts.to_json() for name, counts in self.parts.items()},
        }


def score_corpus(
    gold: Sequence[AmrGraph | None],
    predicted: Sequence[AmrGraph | None],
    scorer: Scorer = "exact",
    wiki: bool = False,
    *,
    fine_grained: bool = False,
    time_limit: float = 10.0,
    seed: int = 0,
) -> Report:
    """Score predictions against gold graphs, pair by pair in order.

    Args:
        gold: None where a sentence has no gold graph; such a pair is not scored.
        predicted: None, or ``(a / amr-empty)`` with ``# ::error``, where the
            prediction failed; it counts as nothing found.
        scorer: ``exact`` finds the best mapping; ``smatch`` searches as smatch 1.0.4.
        wiki: Count ``:wiki`` triples as well.
        fine_grained: Also score the parts of ``aptcore.fine_grained``.
        time_limit: Seconds for the proof of one pair, with ``exact``.
        seed: Of the resampling for the interval.

    Raises:
        InputError: The lists differ in length.
        ConfigurationError: The scorer has no such name.
    """
    if len(gold) != len(predicted):
        raise InputError(f"{len(gold)} gold graphs, but {len(predicted)} predictions")
    if scorer not in SCORERS:
        raise ConfigurationError(f"no scorer {scorer!r}; choose one of {', '.join(SCORERS)}")

    def match(first: TripleGraph, second: TripleGraph) -> Match:
        if scorer == "smatch":
            return search_match(first, second)
        return best_match(first, second, time_limit)

    pairs: list[PairScore] = []
    parts: dict[str, Counts] = dict.fromkeys(PARTS, Counts()) if fine_grained else {}
    num_wiki_removed = 0
    for position, (wanted, found) in enumerate(zip(gold, predicted, strict=True)):
        if wanted is None:
            continue
        own = None if is_failed(found) else found
        for name, counts in (part_counts(wanted, own, match, wiki) if parts else {}).items():
            parts[name] = _sum((parts[name], Counts(*counts)))
        if not wiki:
            num_wiki_removed += sum(without_wiki(g)[1] for g in (wanted, own) if g is not None)
        pairs.append(_score_pair(position, wanted, own, match, wiki))
    return Report(
        scorer=scorer,
        pairs=tuple(pairs),
        num_without_gold=len(gold) - len(pairs),
        counts=_sum([pair.counts for pair in pairs]),
        interval=_interval(pairs, seed),
        is_wiki_counted=wiki,
        num_wiki_removed=num_wiki_removed,
        parts=parts,
    )


def is_failed(graph: AmrGraph | None) -> bool:
    """Tell whether a prediction failed: none, or a placeholder with ``# ::error``."""
    if graph is None:
        return True
    concepts = [node.concept for node in graph.nodes]
    return "error" in graph.metadata and concepts == ["amr-empty"]


def _score_pair(
    position: int,
    gold: AmrGraph,
    predicted: AmrGraph | None,
    match: Callable[[TripleGraph, TripleGraph], Match],
    wiki: bool,
) -> PairScore:
    wanted = triple_graph(gold if wiki else without_wiki(gold)[0])
    if predicted is None:
        return PairScore(position, Counts(0, 0, wanted.num_triples), 0, True)
    found = triple_graph(predicted if wiki else without_wiki(predicted)[0])
    result = match(found, wanted)
    counts = Counts(result.matched, found.num_triples, wanted.num_triples)
    return PairScore(position, counts, result.bound, False)


def _sum(all_counts: Sequence[Counts]) -> Counts:
    return Counts(
        sum(counts.matched for counts in all_counts),
        sum(counts.predicted for counts in all_counts),
        sum(counts.gold for counts in all_counts),
    )


def _interval(pairs: Sequence[PairScore], seed: int) -> tuple[float, float]:
    """Give the F1 of resampled test sets at both ends of the interval.

    Source: Efron and Tibshirani 1993, percentile bootstrap over sentences.
    """
    if not pairs:
        return (1.0, 1.0)
    matched = np.array([pair.counts.matched for pair in pairs])
    both = np.array([pair.counts.predicted + pair.counts.gold for pair in pairs])
    chosen = np.random.default_rng(seed).integers(
        len(pairs), size=(BOOTSTRAP_SAMPLES, len(pairs))
    )  # (samples, pairs)
    scores = 2 * matched[chosen].sum(axis=1) / both[chosen].sum(axis=1)  # (samples,)
    tail = (1 - INTERVAL_LEVEL) / 2
    low, high = np.quantile(scores, [tail, 1 - tail])
    return float(low), float(high)
