"""Everything that the loop reads, made ready once: examples, dev sets, labels, facts."""

from __future__ import annotations

import platform
import sys
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any

import aptcore
from aptcore.alignment.tables import Tables
from aptcore.errors import TrainingError
from aptcore.graph.amr import AmrGraph
from aptcore.neural.encoders.word_encoder import EncoderConfig, WordEncoder
from aptcore.neural.masks import LabelMasks
from aptcore.words.copy_tables import CopyTables
from trainer.config import TrainConfig
from trainer.examples.corpora import (
    Example,
    OracleItem,
    Report,
    action_set_of,
    data_hashes,
    examples_of,
    oracle_items,
    read_gold,
    vocabulary_of,
    with_copies,
)
from trainer.examples.silver import read_silver
from trainer.examples.unseen import unseen_in_training, unseen_lines
from trainer.files import dev_files_among


@dataclass(frozen=True)
class DevSet:
    """A dev file, ready to be decoded."""

    name: str
    examples: list[Example]
    gold: list[AmrGraph]


@dataclass(frozen=True)
class Prepared:
    """All that the loop reads.

    Attributes:
        examples: Gold sentences.
        silver: Sentences that a parser annotated.
        dev: Sets to be measured on.
        masks: Of the labels.
        encoder: Gives the word vectors; its trained layers change as the run learns.
        tables: Of the aligner.
        copies: Of COPY.
        facts: Counts, hashes and versions.
    """

    examples: list[Example]
    silver: list[Example]
    dev: list[DevSet]
    masks: LabelMasks
    encoder: WordEncoder
    tables: Tables
    copies: CopyTables
    facts: dict[str, Any]


def report(line: str) -> None:
    """Write a line of progress to standard error."""
    print(line, file=sys.stderr, flush=True)


def ignore(line: str) -> None:
    """Leave a line of progress to the first process of a run."""
    del line


def prepare(config: TrainConfig, tell: Report = report, device: str = "cpu") -> Prepared:
    """Read the corpora and make examples; about a minute for the shipped configuration.

    Args:
        config: Of the run.
        tell: Where lines of progress go.
        device: Where words are encoded whose vectors are not in the cache.

    Raises:
        TrainingError: If there is nothing to train on, or a file cannot be read.
    """
    for name in dev_files_among(config.data.train_names(), config.data):
        tell(f"warning: {name} is trained on: its scores as a dev file say nothing of other text")
    gold, skipped = read_gold(config, config.data.train_names(), tell)
    walked = oracle_items(config, gold, read_silver(config, gold, skipped, tell))
    items, copies = walked.gold, walked.copies
    if not items:
        raise TrainingError("there is nothing to train on: data.train gives no usable graph")
    skipped += walked.skipped
    for skip in skipped:
        tell(f"skipped {skip.path} {skip.id}: {skip.reason}")
    settings = config.encoder
    encoder = WordEncoder.load(
        EncoderConfig(settings.name, settings.layers, trained_layers=settings.train_layers), device
    )
    encoder.drop(settings.dropout)
    labels = vocabulary_of(
        items,
        config.oracle.min_label_count,
        action_set_of(config),
        walked.silver,
        config.data.silver_labels,
    )
    masks = LabelMasks(labels)
    dev = [_dev_set(config, name, masks, encoder, copies, tell) for name in config.data.dev]
    unseen = unseen_in_training(
        (item.graph for item in (*items, *walked.silver)),
        masks.vocabulary,
        [(x.sentence, g) for one in dev for x, g in zip(one.examples, one.gold, strict=True)],
        walked.tables,
        config.oracle.variant,
    )
    if dev:
        for line in unseen_lines(unseen):
            tell(line)
    examples = examples_of(config, items, masks, encoder)
    silver = examples_of(config, walked.silver, masks, encoder)
    facts = {
        "sentences": len(items),
        "skipped": [asdict(skip) for skip in skipped],
        "silver": len(silver),
        "actions": sum(len(item.actions) for item in items),
        "labels": len(masks.vocabulary),
        "unseen": unseen,
        "data": data_hashes(config),
        "encoder": encoder.config.to_json(),
        "seed": config.loop.seed,
        "versions": {
            "aptamr": aptcore.__version__,
            "python": platform.python_version(),
            **{name: version(name) for name in ("torch", "transformers", "spacy", "penman")},
        },
    }
    return Prepared(examples, silver, dev, masks, encoder, walked.tables, copies, facts)


def _dev_set(
    config: TrainConfig,
    name: str,
    masks: LabelMasks,
    encoder: WordEncoder,
    copies: CopyTables,
    tell: Report,
) -> DevSet:
    gold, _ = read_gold(config, [name], tell)
    gold = gold[: config.data.dev_sentences]
    bare = [OracleItem(with_copies(config, item.sentence, copies), item.graph, ()) for item in gold]
    return DevSet(name, examples_of(config, bare, masks, encoder), [item.graph for item in gold])
