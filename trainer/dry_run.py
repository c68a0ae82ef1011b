"""``python -m trainer.dry_run FOLDER``: time a few batches over a sample of the corpora.

Nothing is kept of the model. A sample spread evenly over the training files is prepared
as a run would prepare it, then batches of the configured size are learnt from; what the
whole run takes is reckoned from that.
"""

from __future__ import annotations

import shutil
import sys
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

import torch

from aptcore.errors import TrainingError, reason
from aptcore.graph.encoding import decode_text
from aptcore.neural.decoding import Decoder
from aptcore.neural.next_actions import DecodingOptions
from aptcore.neural.parser import encode_batch
from aptcore.oracle.oracle import variant_of
from trainer.config import TrainConfig
from trainer.examples.batching import batches_of
from trainer.examples.corpora import vectors_of
from trainer.examples.prepare import Prepared, ignore, prepare
from trainer.files import with_files
from trainer.learning.loop import Run
from trainer.runs.estimates import Estimate, is_run_on, save_estimate
from trainer.runs.heartbeat import describe_error
from trainer.runs.launching import launched_config
from trainer.runs.status import announce

WARM_SHARE = 4
"""One in so many sentences is prepared before the clock starts: what every preparation
loads once is then not timed."""

MIN_SAMPLE, MAX_SAMPLE = 64, 320
"""Sentences in the sample; more are taken for larger batches."""

USUAL_ACTIONS = 30
"""Actions of a sentence, guessed before any is known."""

MAX_BATCHES = 8
"""Batches that are timed, after one that is not."""

DEV_SAMPLE = 24
"""Dev sentences that are decoded."""

BYTES_PER_ACTION, BYTES_PER_GRAPH = 250, 20_000
"""What a sentence holds in memory beside its word vectors: per action of its walk, and for
tokens, graph and alignment. Measured on the free corpora; the growth of the process over a
sample is no measure, as what is loaded once hides it."""

SAVED_WEIGHTS = 8.5
"""Times the weights are in the folder of a run, beside the epochs: two saves with the two
moments of Adam each, the last and the best model, and the finished one in two bytes."""


@dataclass(frozen=True, slots=True)
class Timing:
    """What the dry batches measured.

    Attributes:
        prepare_seconds: For one sentence.
        actions: Per sentence, on average.
        actions_per_second: Of training.
        score_seconds: For one dev sentence; 0 without dev sets.
        batches: Timed.
        example_bytes: Kept in memory for one sentence.
        parameters: Weights of the model.
    """

    prepare_seconds: float
    actions: float
    actions_per_second: float
    score_seconds: float
    batches: int
    example_bytes: float
    parameters: int


def blocks_of(path: Path) -> list[str]:
    """Cut a corpus into the blocks that hold a graph.

    Raises:
        TrainingError: If the file cannot be read.
    """
    try:
        text = decode_text(path.read_bytes(), str(path))
    except OSError as error:
        raise TrainingError(f"cannot read {path}: {reason(error, is_named=True)}") from error
    blocks = "\n".join(line.rstrip() for line in text.splitlines()).split("\n\n")
    return [block for block in blocks if any(line[:1] == "(" for line in block.splitlines())]


def spread(blocks: Sequence[str], size: int) -> list[str]:
    """Take so many blocks evenly from all."""
    if len(blocks) <= size:
        return list(blocks)
    return [blocks[place * len(blocks) // size] for place in range(size)]


def sampled(config: TrainConfig, folder: Path, train: list[str], dev: list[str]) -> TrainConfig:
    """Write a sample as corpora, and give the configuration that a dry run has over them."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "run").mkdir(parents=True)  # a loss that is not finite is noted there
    names = {"train": train, "dev": dev}
    for name, blocks in names.items():
        (folder / name).write_text("\n\n".join(blocks) + "\n", "utf-8", "surrogateescape")
    data = replace(
        config.data,
        train=(str(folder / "train"),),
        dev=(str(folder / "dev"),) if dev else (),
        alignments_from={},
        without=(),
        silver=(),
        silver_shares={},
        beside_gold=(),
        silver_labels=0,
        grammar=0,
        recombined=0,
        cache=str(folder / "cache"),
    )
    # Every label of the sample stays, as most labels of the whole corpora would.
    oracle = replace(config.oracle, min_label_count=1)
    return replace(config, output=str(folder / "run"), data=data, oracle=oracle)


def measure(config: TrainConfig, folder: Path, train: list[str], dev: list[str]) -> Timing:
    """Prepare a sample and time a few batches over it."""
    prepare(sampled(config, folder, train[::WARM_SHARE], dev[:1]))
    small = sampled(config, folder, train, dev)
    began = time.perf_counter()
    prepared = prepare(small)
    prepare_seconds = (time.perf_counter() - began) / (len(train) + len(dev))
    actions = fmean(len(example.walk) for example in prepared.examples)
    kept = [e.vectors.nbytes for e in prepared.examples if e.vectors is not None]
    vector_bytes = fmean(kept) if kept else 0.0
    run = Run(small, prepared)
    actions_per_second, batches = time_batches(run)
    return Timing(
        prepare_seconds,
        actions,
        actions_per_second,
        time_decoding(run, prepared) if dev else 0.0,
        batches,
        vector_bytes + BYTES_PER_ACTION * actions + BYTES_PER_GRAPH,
        run.learner.num_weights,
    )


def time_batches(run: Run) -> tuple[float, int]:
    """Learn from a few batches; gives actions a second, and the number of batches timed."""
    examples = run.prepared.examples
    batches = batches_of(examples, run.config.loop.batch_actions, 0)
    run.learner.train()
    run._step([examples[n] for n in batches[0]], [0.0, 0.0, 0])  # warms caches and threads
    timed = batches[1 : 1 + MAX_BATCHES] or batches[:1]
    sums, began = [0.0, 0.0, 0], time.perf_counter()
    for batch in timed:
        run._step([examples[n] for n in batch], sums)
    return sums[2] / (time.perf_counter() - began), len(timed)


def time_decoding(run: Run, prepared: Prepared) -> float:
    """Decode the dev sample greedily; gives seconds for one sentence.

    An untrained model does not know when to go on, so its walks are cut to about the
    length that a trained one gives them.
    """
    options = DecodingOptions(beam=1, actions_per_token=2, actions_extra=4)
    action_set = variant_of(run.config.oracle.variant).action_set
    decoder = Decoder([run.model], prepared.masks, action_set, options)
    examples = [example for dev in prepared.dev for example in dev.examples]
    run.learner.eval()
    began = time.perf_counter()
    with torch.inference_mode():
        vectors = vectors_of(examples, prepared.encoder)
        encoded = encode_batch([run.model], vectors, [e.sentence.tokens for e in examples])
    decoder.decode([example.sentence for example in examples], encoded)
    return (time.perf_counter() - began) / len(examples)


def memory(field: str) -> int:
    """Give a figure of this process's memory in bytes; 0 where the system does not tell."""
    path = Path("/proc/self/status")
    lines = path.read_text().splitlines() if path.is_file() else []
    values = [line.split()[1] for line in lines if line.startswith(f"{field}:")]
    return int(values[0]) * 1024 if values else 0


def estimate(config: TrainConfig, folder: Path) -> Estimate:
    """Measure a sample, and reckon what the whole run will need.

    Raises:
        TrainingError: If there is nothing to train on.
    """
    runs = folder.parents[1]
    beside = is_run_on(runs)
    if config.loop.threads:
        torch.set_num_threads(config.loop.threads)
    config = replace(config, data=with_files(config.data, ignore))
    names = [*config.data.train_names(), *config.data.silver]
    blocks = [block for name in names for block in blocks_of(config.data.path(name))]
    limit = config.data.dev_sentences
    dev = [blocks_of(config.data.path(name))[:limit] for name in config.data.dev]
    if not blocks:
        raise TrainingError("there is nothing to train on: no file of data.train holds a graph")
    wanted = MAX_BATCHES * config.loop.batch_actions // USUAL_ACTIONS
    train = spread(blocks, min(MAX_SAMPLE, max(MIN_SAMPLE, wanted)))
    scored = [block for file in dev for block in file]
    timing = measure(config, folder / "sample", train, spread(scored, DEV_SAMPLE))
    shutil.rmtree(folder / "sample", ignore_errors=True)
    num_sentences = len(blocks) + config.data.grammar + config.data.recombined
    return reckon(config, timing, num_sentences, len(train), len(scored), beside)


def reckon(
    config: TrainConfig, timing: Timing, sentences: int, sample: int, scored: int, beside: bool
) -> Estimate:
    """Reckon what a whole run needs.

    Args:
        config: Of the run.
        timing: What the dry batches measured.
        sentences: In the training files.
        sample: How many of them were prepared.
        scored: Dev sentences of one round of scores.
        beside: Whether another run was on meanwhile.
    """
    loop = config.loop
    epoch = sentences * timing.actions / timing.actions_per_second
    score = scored * timing.score_seconds
    ready = (sentences + scored) * timing.prepare_seconds
    rounds = loop.epochs // loop.dev_every + 1  # the averaged model is scored as well
    saved = SAVED_WEIGHTS + max(loop.average, loop.average_among)
    return Estimate(
        sentences=sentences,
        sampled=sample,
        batches=timing.batches,
        actions_per_second=timing.actions_per_second,
        prepare_seconds=ready,
        epoch_seconds=epoch,
        score_seconds=score,
        total_seconds=ready + loop.epochs * epoch + rounds * score,
        parameters=timing.parameters,
        memory_bytes=memory("VmHWM") + int((sentences - sample) * timing.example_bytes),
        disk_bytes=int(4 * timing.parameters * saved),
        beside=beside,
    )


def main() -> int:
    """Measure for the request in a folder; gives the exit status."""
    folder = Path(sys.argv[1])
    try:
        save_estimate(folder, estimate(launched_config(folder), folder))
    except Exception as error:
        announce(folder, "failed", message=describe_error(error))
        traceback.print_exc()
        return 2
    announce(folder, "finished")
    return 0


if __name__ == "__main__":
    sys.exit(main())
