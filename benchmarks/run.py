"""Measure the shipped model: ``make bench``, or ``python -m benchmarks.run``.

One thread, float32, the encoder left aside unless the name says end-to-end. Each row
is the median of several runs in one process. ``BENCH_JSON=FILE`` also writes the rows
as JSON. A ratio of two rows of one run says more than a row alone: machines differ.
"""

from __future__ import annotations

import json
import os
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

from aptcore.graph.amr import Sentence
from aptcore.neural.decoding import Decoder
from aptcore.neural.next_actions import DecodingOptions
from aptcore.neural.parser import AptParser
from aptcore.words.tokens import tokenize_all
from benchmarks.scoring import scoring_rows

SENTENCES = Path(__file__).with_name("sentences.txt")
BATCH = 64
RUNS = 5


@dataclass(frozen=True)
class Row:
    """One measured figure; times are medians over ``runs``, in seconds."""

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


def measured(work: Callable[[], int], runs: int) -> tuple[int, float, float]:
    """Run after one warm-up; gives actions of a run, median wall and CPU seconds."""
    actions = work()
    walls, cpus = [], []
    for _ in range(runs):
        wall, cpu = time.perf_counter(), time.process_time()
        actions = work()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    return actions, statistics.median(walls), statistics.median(cpus)


class Bench:
    """The rows of one run of the benchmark."""

    def __init__(self) -> None:
        self.parser = AptParser.from_pretrained()
        texts = SENTENCES.read_text("utf-8").splitlines()
        self.sentences = tokenize_all((texts * BATCH)[:BATCH])
        self.twenty = min(self.sentences, key=lambda s: abs(len(s.tokens) - 20))
        self.rows: list[Row] = []

    def add(
        self, name: str, work: Callable[[], int], beam: int, sentences: int, runs: int, threads: int
    ) -> None:
        """Measure one row and print it."""
        actions, wall, cpu = measured(work, runs)
        info = self.parser.info
        row = Row(
            name=name,
            model=f"{info.id} {info.hash}",
            precision=info.precision,
            threads=threads,
            batch=sentences,
            beam=beam,
            sentences=sentences,
            actions=actions,
            actions_per_second=actions / wall,
            sentences_per_second=sentences / wall,
            cpu_seconds=cpu,
            runs=runs,
        )
        self.rows.append(row)
        print(
            f"{name:16} beam {beam:2} batch {sentences:2} threads {threads}: "
            f"{row.actions_per_second:8.0f} actions/s {row.sentences_per_second:7.1f} sentences/s "
            f"{1000 * wall / max(1, actions):6.2f} ms an action {wall:7.3f} s a run, "
            f"{cpu:7.3f} CPU s"
        )

    def decode(self, num_models: int, beam: int) -> Callable[[], int]:
        """Give the work of decoding the batch, encoded before, with copies of the model."""
        parser = self.parser
        models = parser.models * num_models
        decoder = Decoder(models, parser.masks, parser.action_set, DecodingOptions(beam=beam))
        encoded = parser.encode(self.sentences) * num_models

        def work() -> int:
            found = decoder.decode(self.sentences, encoded)
            return sum(len(hypothesis.state.actions) for hypothesis in found)

        return work

    def latency(self) -> int:
        """Decode one sentence of about 20 tokens alone, its encoding included."""
        (parse,) = self.parser.parse([self.twenty], beam=1)
        return len(parse.actions)

    def redecode(self, sentence: Sentence) -> Callable[[], int]:
        """Give the work of a forced action in the middle: the rest decoded, with figures."""
        actions = [step.action for step in self.parser.trace(sentence, 1).steps]
        half = len(actions) // 2
        forced = self.parser.trace(sentence, 1).steps[half].alternatives[0][0]
        prefix = (*actions[:half], forced)
        return lambda: len(self.parser.trace(sentence, 1, prefix).steps)

    def end_to_end(self) -> int:
        """Tokenise, encode and decode the batch's texts."""
        parses = self.parser.parse([sentence.text for sentence in self.sentences], beam=1)
        return sum(len(parse.actions) for parse in parses)


def main() -> None:
    """Print the table; write it as JSON where ``BENCH_JSON`` names a file."""
    torch.set_num_threads(1)
    bench = Bench()
    bench.add("decode-greedy", bench.decode(1, 1), 1, BATCH, RUNS, 1)
    bench.add("decode-beam10", bench.decode(1, 10), 10, BATCH, 3, 1)
    bench.add("decode-ensemble3", bench.decode(3, 1), 1, BATCH, 3, 1)
    bench.add("latency-20", bench.latency, 1, 1, RUNS, 1)
    bench.add("redecode-20", bench.redecode(bench.twenty), 1, 1, RUNS, 1)
    torch.set_num_threads(2)
    bench.add("end-to-end-2", bench.end_to_end, 1, BATCH, 3, 2)
    torch.set_num_threads(1)
    rows = [*bench.rows, *scoring_rows(bench.parser)]
    if target := os.environ.get("BENCH_JSON"):
        Path(target).write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n")


if __name__ == "__main__":
    main()
