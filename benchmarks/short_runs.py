"""Short training runs for the paper's tables, and scores that are measured once.

A run that is there is used again and one that was cut short goes on; a score is kept
beside the runs under the hashes of the models and of the file, so that a table whose
runs are there is printed at once.
"""

from __future__ import annotations

import hashlib
import json
import os
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.commands.annotate import Place, run_annotate
from aptcore.errors import ConfigurationError, TrainingError
from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.graph.corpus import read_corpus, sentence_text
from aptcore.graph.wiki import linker_of, with_wiki
from aptcore.neural.checkpoint import file_hash, shipped_model
from aptcore.neural.next_actions import DecodingOptions
from aptcore.neural.parser import AptParser
from aptcore.scoring.evaluation import score_corpus
from aptcore.words.gold import gold_items
from trainer.annotating.chunks import Request
from trainer.config import DataConfig, TrainConfig, load_config
from trainer.learning.checkpoint import load_run_config
from trainer.learning.loop import train

CONFIG = Path(__file__).resolve().parents[1] / "trainer" / "configs" / "gold.toml"
TRAIN = "little-prince/v3.0/amr-bank-struct-v3.0-training.txt"
DEV = "little-prince/v3.0/amr-bank-struct-v3.0-dev.txt"
BIO_DEV = "bio/amr-release-dev-bio.txt"
SILVER_TEXTS = "silver-sick/sick.silver.txt"


@dataclass(frozen=True)
class Settings:
    """How short runs are trained.

    Attributes:
        runs: Folder of the runs and of the scores.
        epochs: Passes over the training graphs.
        seeds: A model is trained for each.
        train: The training file, below APTAMR_DATA.
        cache: Folder of the word vectors.
        dev_sentences: At most so many dev sentences are measured.
        silver_sentences: So many are annotated for training on gold and silver.
        only_finished: Train nothing; tell the scores of the runs that are finished.
    """

    runs: Path
    epochs: int
    seeds: tuple[int, ...]
    train: str
    cache: Path
    dev_sentences: int
    silver_sentences: int
    only_finished: bool = False

    @property
    def sizes(self) -> str:
        """Say what was trained, for the reader of a table."""
        return (
            f"Small models (3+3 layers), trained on `{self.train}` alone for {self.epochs} "
            f"epochs, seeds {', '.join(map(str, self.seeds))}; Smatch (exact, `:wiki` left out) "
            f"on `{DEV}`, the first {self.dev_sentences} sentences at most."
        )


def data_path(name: str) -> Path:
    """Give the path of a corpus below APTAMR_DATA.

    Raises:
        ConfigurationError: If the variable is not set.
    """
    return DataConfig().path(name)


def trained(settings: Settings, name: str, seed: int, overrides: Sequence[str] = ()) -> Path:
    """Train a short run, or take the one that is there.

    Args:
        settings: How long, on what.
        name: Of the configuration; the run's folder is ``name-seed``.
        seed: Of weights, order and dropout.
        overrides: ``key=value`` settings that differ from the shipped configuration.

    Returns:
        The folder of the run.

    Raises:
        ConfigurationError: The folder holds a run with other settings.
        TrainingError: The run was stopped.
    """
    folder = settings.runs / f"{name}-{seed}"
    config = load_config(
        CONFIG,
        [
            f"loop.epochs={settings.epochs}",
            f"loop.seed={seed}",
            # Measured once, as the average: the greedy score in scores.json.
            f"loop.dev_every={settings.epochs + 1}",
            "loop.average=3",
            "loop.batch_actions=350",
            "loop.warmup_steps=100",
            "loop.threads=1",
            *overrides,
        ],
    )
    data = replace(
        config.data,
        train=(settings.train,),
        dev=(DEV,),
        cache=str(settings.cache),
        dev_sentences=settings.dev_sentences,
    )
    config = replace(config, name=folder.name, output=str(folder), data=data)
    is_there = (folder / "config.json").is_file()
    if is_there:
        check_same(load_run_config(folder), config)
    if not (folder / "scores.json").is_file():
        train(config, resume=is_there)
    if not (folder / "scores.json").is_file():
        raise TrainingError(f"{folder} was stopped: the same command goes on with it")
    return folder


def check_same(found: TrainConfig, wanted: TrainConfig) -> None:
    """Refuse a run with other settings; where it lies and its cache do not count.

    Raises:
        ConfigurationError: Naming what differs.
    """
    data = replace(found.data, cache=wanted.data.cache, root=wanted.data.root)
    found = replace(found, data=data, output=wanted.output)
    if found == wanted:
        return
    pairs = zip(vars(found).items(), vars(wanted).values(), strict=True)
    differing = [f"{name} is {one}, not {two}" for (name, one), two in pairs if one != two]
    raise ConfigurationError(
        f"{wanted.output} holds a run with other settings ({'; '.join(differing)}): name another "
        "folder with --runs"
    )


def annotated(settings: Settings, name: str, models: Sequence[Path]) -> Path:
    """Annotate sentences of other texts with an ensemble, greedily, or take what is there.

    Graphs that needed a repair or a LINK are left out. The sentences are the first of
    SILVER_TEXTS; the graphs of that file are not read.

    Returns:
        The silver file.
    """
    output = settings.runs / f"{name}.txt"
    if output.is_file():
        return output
    records = read_corpus(data_path(SILVER_TEXTS)).records[: settings.silver_sentences]
    raw = settings.runs / f"{name}.raw.txt"
    raw.write_text("".join(f"{sentence_text(record)}\n" for record in records), "utf-8")
    run_annotate(
        Place(str(raw), str(output)), Request(tuple(models), beam=1), "auto", as_json=False
    )
    return output


def greedy_scores(settings: Settings, name: str, overrides: Sequence[str] = ()) -> list[float]:
    """Train for every seed; gives the greedy dev scores, 0..1, in the order of the seeds."""
    seeds = settings.seeds
    if settings.only_finished:
        runs = settings.runs
        seeds = tuple(seed for seed in seeds if (runs / f"{name}-{seed}" / "scores.json").is_file())
    folders = [trained(settings, name, seed, overrides) for seed in seeds]
    found = [json.loads((folder / "scores.json").read_text("utf-8")) for folder in folders]
    return [float(scores["greedy"][DEV]) for scores in found]


def best_and_mean(scores: Sequence[float]) -> str:
    """Write scores as the paper does: best / mean ± population deviation, in per cent.

    One score has neither mean nor deviation; without any there is nothing to tell yet.
    """
    if len(scores) < 2:
        return f"{percent(scores[0])} (one seed)" if scores else "not run yet"
    mean, spread = statistics.mean(scores), statistics.pstdev(scores)
    return f"{percent(max(scores))} / {percent(mean)} ± {percent(spread)}"


def percent(value: float) -> str:
    """Write a fraction as the paper writes scores."""
    return f"{100 * value:.1f}"


def dev_items(name: str, limit: int | None = None) -> list[tuple[Sentence, AmrGraph]]:
    """Read a dev set, ``:wiki`` included."""
    found, _ = gold_items(read_corpus(data_path(name)))
    return [(item.sentence, item.graph) for item in found][:limit]


def dev_report(
    settings: Settings,
    models: Sequence[Path],
    name: str,
    beam: int,
    parts: bool = False,
) -> dict[str, Any]:
    """Parse a dev set and score it exactly, or take the report that is there.

    Args:
        settings: Where reports are kept.
        models: Model folders, more than one for an ensemble; none for the shipped model.
        name: The dev file.
        beam: Beam width.
        parts: Score the parts as well.

    Returns:
        What ``aptamr evaluate --json`` gives, and ``repaired``: the number of graphs that
        needed a repair. ``:wiki`` is restored and counts in ``wikification`` alone.
    """
    folders = list(models) or [shipped_model()]
    hashes = [file_hash(folder / "model.safetensors") for folder in folders]
    asked = [*hashes, file_hash(data_path(name)), beam, settings.dev_sentences, parts]
    key = hashlib.sha256(" ".join(map(str, asked)).encode()).hexdigest()[:16]
    kept = settings.runs / "reports" / f"{key}.json"
    if kept.is_file():
        report: dict[str, Any] = json.loads(kept.read_text("utf-8"))
        return report
    items = dev_items(name, settings.dev_sentences)
    parser = AptParser.from_pretrained(folders)
    options = DecodingOptions(beam=beam)
    parses = parser.parse([sentence.text for sentence, _ in items], options=options)
    linker = linker_of(folders)
    graphs = [with_wiki(parse.graph, linker) for parse in parses]
    report = score_corpus([gold for _, gold in items], graphs, fine_grained=parts).to_json()
    report |= {"file": name, "beam": beam, "models": hashes, "model": parser.info.id}
    report["repaired"] = sum(bool(parse.repairs) for parse in parses)
    kept.parent.mkdir(parents=True, exist_ok=True)
    part = kept.with_suffix(".new")
    part.write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    os.replace(part, kept)
    return report
