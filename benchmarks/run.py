"""Measure the shipped model: ``make bench``, or ``python -m benchmarks.run``.

One thread, float32 unless the name ends in another precision, the encoder left aside unless the
name says end-to-end. Each row is the median of several runs in one process, over sentences that
it has not seen before: what is kept about the words of a sentence helps none. ``BENCH_JSON=FILE``
also writes the rows as JSON. A ratio of two rows of one run says more than a row alone:
machines differ. The share of the peak is that of the decoder's matrix products in the fastest
product of two large matrices, measured before the rows.
"""

from __future__ import annotations

import json
import os
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import torch

from aptcore.graph.amr import Sentence
from aptcore.neural.checkpoint import keep_loaded
from aptcore.neural.decoding import Decoder
from aptcore.neural.large_pages import use_large_pages
from aptcore.neural.next_actions import DecodingOptions
from aptcore.neural.parser import AptParser
from aptcore.neural.weights import Device, Precision
from aptcore.words.tokens import tokenize_all
from benchmarks.scoring import scoring_rows

SENTENCES = Path(__file__).with_name("sentences.txt")
BATCH = 64
MANY = 256
RUNS = 5


@dataclass(frozen=True)
class Row:
    """One measured figure; times are medians over ``runs``, in seconds.

    ``peak_share`` is the share of the matrix peak that the greedy walk's own products take of
    the processor's time; 0 where other work is in the row.
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
    peak_share: float = 0.0


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

    def __init__(self, precision: Precision = "float32", device: Device = "cpu") -> None:
        use_large_pages()  # as the commands do
        self.parser = AptParser.from_pretrained(device=device, precision=precision)
        self.texts = (SENTENCES.read_text("utf-8").splitlines() * MANY)[:MANY]
        self.sentences = tokenize_all(self.texts)
        self.twenty = min(self.sentences, key=lambda s: abs(len(s.tokens) - 20))
        self.rows: list[Row] = []
        self.peak = matrix_peak()

    def add(
        self,
        name: str,
        work: Callable[[], int],
        beam: int = 1,
        sentences: int = BATCH,
        runs: int = RUNS,
        threads: int = 1,
        models: int = 0,
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
            peak_share=models * actions * self.products() / cpu / self.peak,
        )
        self.rows.append(row)
        print(
            f"{name:22} beam {beam:2} batch {sentences:3} threads {threads}: "
            f"{row.actions_per_second:8.0f} actions/s {row.sentences_per_second:7.1f} sentences/s "
            f"{1000 * wall / max(1, actions):6.2f} ms an action {wall:7.3f} s a run, "
            f"{cpu:7.3f} CPU s {actions / cpu:8.0f} actions a CPU s {sentences / cpu:6.1f} "
            f"sentences a CPU s" + (f", {row.peak_share:.0%} of the peak" if models else "")
        )

    def products(self) -> float:
        """Count the floating-point operations of the products of one action, greedily.

        What a step looks up is none: queries, keys and values of the lowest layer, and all of
        cross-attention at the cursor.
        """
        model = self.parser.models[0]
        linear = [part for part in model.layers for part in part.modules()]
        weights = [part.weight for part in linear if isinstance(part, torch.nn.Linear)]
        once = sum(layer.cross_key_value.weight.numel() for layer in model.layers)
        looked_up = model.layers[0].qkv.weight.numel()
        if model.config.cursor_masks:
            at_cursor = 2 * model.config.width**2 // model.config.num_heads
            looked_up += at_cursor * len(model.layers)
        numbers = sum(w.numel() for w in weights) + model.output_table.weight.numel()
        return 2.0 * (numbers - once - looked_up)

    def decode(self, num_models: int, beam: int, batch: int = BATCH) -> Callable[[], int]:
        """Give the work of decoding a batch, encoded before, with copies of the model.

        The sentences come as if they had not been seen.
        """
        parser = self.parser
        models = parser.models * num_models
        decoder = Decoder(models, parser.masks, parser.action_set, DecodingOptions(beam=beam))
        longest_first = sorted(self.sentences[:batch], key=lambda s: -len(s.tokens))  # as in parse
        encoded = parser.encode(longest_first) * num_models

        def work() -> int:
            found = decoder.decode([replace(sentence) for sentence in longest_first], encoded)
            return sum(len(hypothesis.state.actions) for hypothesis in found)

        return work

    def latency(self) -> int:
        """Decode one sentence of about 20 tokens alone, its encoding included."""
        (parse,) = self.parser.parse([replace(self.twenty)], beam=1)
        return len(parse.actions)

    def redecode(self, sentence: Sentence) -> Callable[[], int]:
        """Give the work of a forced action in the middle: the rest decoded, with figures."""
        before = self.parser.trace(sentence, 1)
        half = len(before.steps) // 2
        forced = before.steps[half].alternatives[0][0]
        prefix = (*(step.action for step in before.steps[:half]), forced)
        return lambda: len(self.parser.trace(sentence, 1, prefix, before=before).steps)

    def end_to_end(self, num: int = BATCH) -> Callable[[], int]:
        """Give the work of reading, encoding and decoding texts."""
        return lambda: sum(len(one.actions) for one in self.parser.parse(self.texts[:num], beam=1))


def matrix_peak(size: int = 1024, runs: int = 20) -> float:
    """Measure the floating-point operations a CPU second of a product of large matrices."""
    matrix = torch.randn(size, size)
    seconds = []
    for _ in range(runs):
        began = time.process_time()
        torch.mm(matrix, matrix)
        seconds.append(time.process_time() - began)
    return float(2 * size**3 / min(seconds))


def main() -> None:
    """Print the table; write it as JSON where ``BENCH_JSON`` names a file."""
    torch.set_num_threads(1)
    bench = Bench()
    keep_loaded()  # as the commands do
    print(f"matrix peak: {bench.peak / 1e9:.0f} GFLOP a CPU second")
    bench.add("decode-greedy", bench.decode(1, 1), models=1)
    bench.add("decode-beam10", bench.decode(1, 10), 10, runs=3)
    bench.add("decode-ensemble3", bench.decode(3, 1), runs=3, models=3)
    bench.add("decode-greedy-256", bench.decode(1, 1, MANY), sentences=MANY, models=1)
    bench.add("decode-beam10-256", bench.decode(1, 10, MANY), 10, MANY, 3)
    bench.add("decode-ensemble3-256", bench.decode(3, 1, MANY), sentences=MANY, runs=3, models=3)
    bench.add("latency-20", bench.latency, sentences=1)
    bench.add("redecode-20", bench.redecode(bench.twenty), sentences=1)
    bench.add("end-to-end-1", bench.end_to_end(MANY), sentences=MANY)
    has_bfloat16 = torch.cpu._is_avx512_bf16_supported()  # without, a run takes half a minute
    others = [Bench("bfloat16")] * has_bfloat16 + [Bench("int8")]
    for other in others:
        name = other.parser.precision
        other.add(f"decode-greedy-256-{name}", other.decode(1, 1, MANY), sentences=MANY)
        other.add(f"end-to-end-1-{name}", other.end_to_end(MANY), sentences=MANY)
        other.add(f"latency-20-{name}", other.latency, sentences=1)
    torch.set_num_threads(2)
    bench.add("end-to-end-2", bench.end_to_end(), runs=3, threads=2)
    torch.set_num_threads(1)
    rows = [*bench.rows, *(row for other in others for row in other.rows)]
    rows += scoring_rows(bench.parser)
    if target := os.environ.get("BENCH_JSON"):
        Path(target).write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n")


if __name__ == "__main__":
    main()
