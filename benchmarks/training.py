"""Measure training: ``python -m benchmarks.training [CONFIG] [--set key=value ...]``.

Seconds an epoch and actions a second of the loop alone, one thread, word vectors cached;
on the processor, or with ``--device`` elsewhere, with ``--set loop.precision=bf16`` in bfloat16;
without CONFIG, the small model on the training part of The Little Prince. Every batch of
an epoch is learnt from several times; a batch counts with its fastest time, so that other
work on the machine adds little. CPU time is given beside the time on the clock. The bytes
of legality masks are given beside those of masks stored dense.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import torch

from aptcore.neural.large_pages import use_large_pages
from trainer.config import load_config
from trainer.examples.batching import batches_of
from trainer.examples.corpora import examples_of_epoch
from trainer.examples.packing import ILLEGAL
from trainer.examples.prepare import Prepared, prepare
from trainer.learning.loop import Run
from trainer.learning.workers import workers_of

GOLD = Path(__file__).resolve().parents[1] / "trainer" / "configs" / "gold.toml"
LITTLE_PRINCE = ('data.train=["little-prince/v3.0/amr-bank-struct-v3.0-training.txt"]',)


def epoch_times(run: Run, tries: int) -> tuple[int, float, float]:
    """Give the actions of an epoch, and its seconds on the clock and of the processor."""
    loop = run.config.loop
    examples = examples_of_epoch(run.prepared.examples, run.config.oracle.link_share, loop.seed)
    batches = batches_of(examples, loop.batch_actions, loop.seed)
    run.model.train()
    walls = [float("inf")] * len(batches)
    cpus = list(walls)
    for _ in range(tries + 1):  # the first warms up: each batch is then counted once more
        for number, batch in enumerate(batches):
            wall, cpu = time.perf_counter(), time.process_time()
            run._step([examples[n] for n in batch], [0.0, 0.0, 0])
            walls[number] = min(walls[number], time.perf_counter() - wall)
            cpus[number] = min(cpus[number], time.process_time() - cpu)
    return sum(len(example.walk) for example in examples), sum(walls), sum(cpus)


def mask_bytes(prepared: Prepared) -> tuple[float, float, float]:
    """Give the bytes an action of legality masks, of dense ones, and of the whole walk."""
    walks = [example.walk for example in prepared.examples]
    actions = sum(len(walk) for walk in walks)
    rows = prepared.masks.table
    exceptions = sum(int((walk.pairs[:, 0] == ILLEGAL).sum()) for walk in walks)
    numbers = sum(walk.steps[0].nbytes for walk in walks)  # one row of numbers names the masks
    kept = numbers + exceptions * 3 * walks[0].pairs.element_size() + rows.nbytes
    whole = sum(walk.steps.nbytes + walk.pairs.nbytes for walk in walks)
    return kept / actions, rows.shape[1] * rows.element_size(), whole / actions


def main() -> None:
    """Prepare, train for a few epochs, print."""
    parser = argparse.ArgumentParser(description="Measure the speed of training.")
    parser.add_argument("config", type=Path, nargs="?", help="TOML file")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--device", default="cpu", choices=("auto", "cpu", "cuda"))
    parser.add_argument("--tries", type=int, default=3, help="times that every batch is learnt")
    parser.add_argument("--masks-only", action="store_true", help="train nothing")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    use_large_pages()
    first = () if arguments.config else LITTLE_PRINCE
    config = load_config(arguments.config or GOLD, (*first, "data.dev=[]", *arguments.set))
    prepared = prepare(config)
    kept, dense, whole = mask_bytes(prepared)
    print(f"masks            {kept:8.2f} bytes an action ({dense} dense; whole walk {whole:.0f})")
    if arguments.masks_only:
        return
    with tempfile.TemporaryDirectory() as folder:
        config = load_config(
            arguments.config or GOLD,
            (*first, "data.dev=[]", *arguments.set, f"output={folder}"),
        )
        run = Run(config, prepared, workers_of(arguments.device, config.loop.precision))
        actions, wall, cpu = epoch_times(run, arguments.tries)
    print(f"actions          {actions:8d} an epoch")
    print(f"epoch            {wall:8.2f} s on the clock, {cpu:.2f} s of the processor")
    print(
        f"actions a second {actions / wall:8.0f} on the clock, {actions / cpu:.0f} of the processor"
    )


if __name__ == "__main__":
    main()
