"""Measure the exact scorer on real parses: gold graphs of ``APTAMR_DATA`` against the model's.

The parses are greedy and made here, outside the measured time. What is measured is the
search for the best mapping and its proof, one core, graphs already read. Where
``APTAMR_DATA`` is not set, the rows are left out and a line says so.
"""

from __future__ import annotations

import os
import statistics
import time
from dataclasses import dataclass
from pathlib import Path

from aptcore.graph.amr import AmrGraph
from aptcore.graph.corpus import read_corpus, sentence_text
from aptcore.graph.penman import without_wiki
from aptcore.neural.parser import AptParser
from aptcore.scoring.counts import Counts, sum_counts
from aptcore.scoring.mapping import best_match
from aptcore.scoring.triple_graph import TripleGraph, triple_graph

CORPORA = {
    "score-little-prince": "little-prince/v3.0/amr-bank-struct-v3.0-dev.txt",
    "score-bio": "bio/amr-release-dev-bio.txt",
}
RUNS = 5


@dataclass(frozen=True)
class ScoringRow:
    """One measured figure: the fields of the other rows, then those of scoring alone.

    Attributes:
        sentences: Pairs of a parse and a gold graph.
        actions: 0, for nothing is decoded; so is ``actions_per_second``.
        sentences_per_second: By the clock on the wall.
        cpu_seconds: Of a run; the median, as all times.
        pairs_per_second: By CPU time.
        proven: Share of pairs whose mapping is proven to be the best.
        unproven: Ids of the other pairs.
        f1: Smatch of the parses, 0..1.
    """

    name: str
    model: str
    precision: str
    threads: int
    batch: int
    beam: int
    sentences: int
    actions: int
    actions_per_second: float
    sentences_per_second: float
    cpu_seconds: float
    runs: int
    pairs_per_second: float
    proven: float
    unproven: tuple[str, ...]
    f1: float


def scoring_rows(parser: AptParser) -> list[ScoringRow]:
    """Measure and print one row for each corpus; none without the corpora."""
    folder = os.environ.get("APTAMR_DATA")
    if not folder:
        print(f"{', '.join(CORPORA)}: left out; set APTAMR_DATA to the folder of the corpora")
        return []
    return [measure(name, Path(folder) / path, parser) for name, path in CORPORA.items()]


def measure(name: str, path: Path, parser: AptParser) -> ScoringRow:
    """Parse a corpus greedily, then measure how fast the parses are scored."""
    records = [record for record in read_corpus(path).records if record.graph is not None]
    parses = parser.parse([sentence_text(record) for record in records], beam=1)
    ids, pairs = [], []
    for record, parse in zip(records, parses, strict=True):
        if record.graph is not None and parse.error is None:
            ids.append(record.id)
            pairs.append((triples_of(parse.graph), triples_of(record.graph)))
    walls, cpus = [], []
    for _ in range(RUNS):
        wall, cpu = time.perf_counter(), time.process_time()
        matches = [best_match(own, gold) for own, gold in pairs]
        cpus.append(time.process_time() - cpu)
        walls.append(time.perf_counter() - wall)
    wall, cpu = statistics.median(walls), statistics.median(cpus)
    counts = sum_counts(
        Counts(match.matched, own.num_triples, gold.num_triples)
        for match, (own, gold) in zip(matches, pairs, strict=True)
    )
    unproven = tuple(name for name, match in zip(ids, matches, strict=True) if not match.is_proven)
    row = ScoringRow(
        name=name,
        model=f"{parser.info.id} {parser.info.hash}",
        precision=parser.info.precision,
        threads=1,
        batch=1,
        beam=1,
        sentences=len(pairs),
        actions=0,
        actions_per_second=0.0,
        sentences_per_second=len(pairs) / wall,
        cpu_seconds=cpu,
        runs=RUNS,
        pairs_per_second=len(pairs) / cpu,
        proven=1 - len(unproven) / len(pairs),
        unproven=unproven,
        f1=counts.f1,
    )
    print(
        f"{name:20} {row.pairs_per_second:7.1f} pairs per CPU second, {len(pairs)} pairs, "
        f"{100 * row.proven:.1f} % proven, F1 {row.f1:.4f}, {cpu:.3f} CPU s a run"
        + (f"; unproven: {', '.join(unproven)}" if unproven else "")
    )
    return row


def triples_of(graph: AmrGraph) -> TripleGraph:
    """Give a graph as it is scored, without ``:wiki``."""
    return triple_graph(without_wiki(graph)[0])
