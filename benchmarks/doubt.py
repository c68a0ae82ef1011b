"""Does the queue by doubt hold the errors? ``python -m benchmarks.doubt [FILE ...]``.

Each sentence of a gold file is parsed and its doubt measured (``aptcore.advice.doubt``); the queue
puts the most doubtful first. Printed is, for each measure, what its first quarter holds of
errors for each gold triple (1 - Smatch), against a random quarter, whose expected value is
exactly that of all sentences:

- by sentence: the mean of 1 - Smatch over the sentences of the quarter, over that of all;
- pooled: 1 - Smatch of the quarter taken as one corpus, over that of all as one corpus;
- held: errors that who works off the quarter meets, that is (1 - Smatch) times the gold
  triples, summed over its sentences, over a quarter of the sum over all.

``perfect order`` sorts by 1 - Smatch itself: no measure can do better by sentence.
``disagreement`` needs further models (``--models``), each of which parses by itself.
Files: Bio dev and Little Prince dev below ``APTAMR_DATA`` if none are given. Nothing is
trained or tuned. ``--write FILE`` keeps the ratios by sentence for the Queue page.
"""

from __future__ import annotations

import argparse
import json
import os
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from statistics import fmean

import numpy as np

from aptcore.advice.doubt import (
    MEASURES,
    SMALL_IS_DOUBTFUL,
    Measure,
    disagreement,
    doubt_of_steps,
)
from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.graph.corpus import read_corpus
from aptcore.graph.penman import without_wiki
from aptcore.neural.parser import AptParser
from aptcore.scoring.counts import Counts, sum_counts
from aptcore.scoring.evaluation import score_corpus
from aptcore.words.gold import gold_items
from trainer.config import DataConfig

FILES = {
    "Bio dev": "bio/amr-release-dev-bio.txt",
    "Little Prince dev": "little-prince/v3.0/amr-bank-struct-v3.0-dev.txt",
}
SHARE = 4
"""The queue's first sentences that are looked at: one in four."""

SAMPLES = 1000
PERFECT = "perfect order"


def random_doubt(seed: int, name: str) -> float:
    """Give a number from 0 to 1 that only the seed and the sentence's name decide."""
    digest = sha256(f"{seed} {name}".encode()).digest()
    return random.Random(digest).random()


def most_doubtful(values: Mapping[str, float], measure: Measure) -> tuple[str, ...]:
    """Put names in the order of a queue, the most doubtful first; equal ones by name."""
    sign = 1 if measure in SMALL_IS_DOUBTFUL else -1
    return tuple(sorted(values, key=lambda name: (sign * values[name], name)))


@dataclass(frozen=True)
class Measured:
    """One sentence: its doubt by measure, and its triples against gold."""

    name: str
    doubt: Mapping[Measure, float]
    counts: Counts

    @property
    def error(self) -> float:
        """1 - Smatch of this sentence."""
        return 1.0 - self.counts.f1

    @property
    def num_errors(self) -> float:
        """Its errors per gold triple times its gold triples."""
        return self.error * self.counts.gold


def measure(
    parser: AptParser, others: Sequence[AptParser], items: Sequence[tuple[Sentence, AmrGraph]],
    beam: int,
) -> list[Measured]:  # fmt: skip
    """Parse sentences, measure doubt, score against gold."""
    parsed, doubts = [], []
    for number, (sentence, _) in enumerate(items):
        trace = parser.trace(sentence, beam)
        graph = trace.graph
        doubt = doubt_of_steps(trace.steps)
        doubt["random"] = random_doubt(0, f"{number} {sentence.id}")
        graphs = [graph, *(other.parse([sentence], beam)[0].graph for other in others)]
        if others:
            doubt["disagreement"] = disagreement(graphs)
        parsed.append(graph)
        doubts.append(doubt)
    report = score_corpus([gold for _, gold in items], parsed)
    return [
        Measured(f"{pair.position:05} {pair.id}", doubts[pair.position], pair.counts)
        for pair in report.pairs
    ]


def ratios(found: Sequence[Measured], order: Sequence[str]) -> tuple[float, float, float]:
    """Compare the first quarter of a queue with a random one: by sentence, pooled, held."""
    by_name = {one.name: one for one in found}
    first = [by_name[name] for name in order[: max(1, round(len(found) / SHARE))]]
    by_sentence = fmean(one.error for one in first) / fmean(one.error for one in found)
    pooled = (1 - sum_counts(one.counts for one in first).f1) / (
        1 - sum_counts(one.counts for one in found).f1
    )
    share = len(first) / len(found)
    held = sum(one.num_errors for one in first) / (share * sum(one.num_errors for one in found))
    return by_sentence, pooled, held


def interval(found: Sequence[Measured], measure: Measure) -> tuple[float, float]:
    """Give between which 95 % of the ratios by sentence of resampled sets lie."""
    draw = np.random.default_rng(0)
    values = []
    for _ in range(SAMPLES):
        drawn = draw.integers(0, len(found), len(found))
        sample = [
            Measured(f"{found[at].name} {place:05}", found[at].doubt, found[at].counts)
            for place, at in enumerate(drawn.tolist())
        ]
        order = most_doubtful({one.name: one.doubt[measure] for one in sample}, measure)
        values.append(ratios(sample, order)[0])
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)


def report(name: str, found: Sequence[Measured]) -> dict[str, float]:
    """Print a table of one file; gives the ratio by sentence of each measure."""
    everything = sum_counts(one.counts for one in found)
    print(
        f"{name}: {len(found)} sentences, mean of 1 - Smatch "
        f"{fmean(one.error for one in found):.3f}, pooled {1 - everything.f1:.3f}"
    )
    print(f"  {'measure':26}{'by sentence':>12}   {'95 % interval':14}{'pooled':>8}{'held':>8}")
    kept: dict[str, float] = {}
    for measured in MEASURES:
        if measured not in found[0].doubt:
            continue
        values = {one.name: one.doubt[measured] for one in found}
        by_sentence, pooled, held = ratios(found, most_doubtful(values, measured))
        low, high = interval(found, measured)
        bounds = f"[{low:.2f}, {high:.2f}]"
        print(f"  {measured:26}{by_sentence:12.2f}   {bounds:14}{pooled:8.2f}{held:8.2f}")
        kept[measured] = round(by_sentence, 3)
    best = sorted(found, key=lambda one: -one.error)
    by_sentence, pooled, held = ratios(found, [one.name for one in best])
    print(f"  {PERFECT:26}{by_sentence:12.2f}   {'':14}{pooled:8.2f}{held:8.2f}", flush=True)
    kept[PERFECT] = round(by_sentence, 3)
    return kept


def main() -> None:
    """Measure each file and print a table for each."""
    parser = argparse.ArgumentParser(prog="benchmarks.doubt", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--model", type=Path, help="another model folder than the shipped one")
    parser.add_argument("--models", type=Path, nargs="*", default=[], help="for disagreement")
    parser.add_argument("--beam", type=int, default=5)
    parser.add_argument("--write", type=Path, metavar="FILE", help="keep the ratios as JSON")
    chosen = parser.parse_args()
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    model = AptParser.from_pretrained(chosen.model)
    others = [AptParser.from_pretrained(folder) for folder in chosen.models]
    files = {path.name: path for path in chosen.files} or {
        name: DataConfig().path(path) for name, path in FILES.items()
    }
    kept: dict[str, dict[str, float]] = {}
    print(f"model {model.info.id} {model.info.hash}, beam {chosen.beam}")
    for name, path in files.items():
        items, _ = gold_items(read_corpus(path))
        pairs = [(item.sentence, without_wiki(item.graph)[0]) for item in items]
        for measured, ratio in report(name, measure(model, others, pairs, chosen.beam)).items():
            kept.setdefault(measured, {})[name] = ratio
    if chosen.write is not None:
        values = {"model": model.info.hash, "beam": chosen.beam, "ratios": kept}
        chosen.write.write_text(json.dumps(values, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
