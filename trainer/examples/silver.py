"""Silver: sentences that a parser annotated, trained on beside the gold ones.

Labels, alignment and copy tables come from the gold sentences alone, so that a model
trained with silver can join the ensemble that made it; ``data.silver_labels`` lets silver
teach them too, for graphs that other parsers made. A silver graph keeps the parser's own
alignments, if it has any: they are the words at which it made each item.

Source: Zhou and others 2021, section 5.2: 70,000 silver sentences "for training
regularly", together with the gold ones. Training the last epochs on gold alone is ours.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from aptcore.errors import TrainingError, reason
from aptcore.graph.corpus import read_corpus, sentence_text
from aptcore.graph.formats import read_graphs
from aptcore.scoring.evaluation import is_failed
from aptcore.words.gold import GoldItem, gold_items
from trainer.config import GRAMMAR, DataConfig, TrainConfig
from trainer.examples.batching import batches_of
from trainer.examples.corpora import Example, SilverItem, Skipped
from trainer.grammar.sentences import corpus_text


def read_silver(
    config: TrainConfig,
    gold: Sequence[GoldItem],
    skipped: list[Skipped],
    report: Callable[[str], None],
) -> list[SilverItem]:
    """Read the silver files, and make the sentences of the grammar.

    Args:
        config: Names the files.
        gold: The gold sentences; a silver sentence of the same words is left out but in a file
            of ``data.beside_gold``. So is everywhere one of a dev file, a second one of the
            same words, and one whose parse failed.
        skipped: Sentences that cannot be used are added.
        report: Is told what each file gives.

    Raises:
        TrainingError: If a file cannot be read.
    """
    if not config.data.silver and not config.data.grammar:
        return []
    of_gold, seen = {_words(item.sentence.text) for item in gold}, _dev_words(config.data)
    silver: list[SilverItem] = []
    corpora = [(name, _read(config.data, name, skipped)) for name in config.data.silver]
    if config.data.grammar:
        taught = read_corpus(GRAMMAR, text=corpus_text(config.data.grammar))
        corpora.append((GRAMMAR, gold_items(taught)[0]))
    for name, found in corpora:
        num_before = len(silver)
        left_out = set() if name in config.data.beside_gold else of_gold
        for item in found:
            words = _words(item.sentence.text)
            if words not in seen and words not in left_out and not is_failed(item.graph):
                seen.add(words)
                silver.append(SilverItem(item.sentence, item.graph, name))
        report(f"{name}: {len(silver) - num_before} silver graphs of {len(found)}")
    return silver


def silver_of_epoch(
    silver: Sequence[Example], data: DataConfig, epoch: int, seed: int
) -> list[Example]:
    """Draw the silver sentences of an epoch; the same for the same seed.

    Args:
        silver: All of them.
        data: The shares, and the epochs that train on silver.
        epoch: From 0.
        seed: Of this epoch.
    """
    if data.silver_epochs and epoch >= data.silver_epochs:
        return []
    draw = random.Random(f"silver {seed}")
    drawn = []
    for source in dict.fromkeys(example.source for example in silver):
        of_file = [example for example in silver if example.source == source]
        drawn += draw.sample(of_file, round(data.share_of(source) * len(of_file)))
    return drawn


def count_steps(config: TrainConfig, gold: Sequence[Example], silver: Sequence[Example]) -> int:
    """Count the steps of all epochs; a few more or less where the order makes other batches."""
    loop, data = config.loop, config.data
    num_with = min(data.silver_epochs or loop.epochs, loop.epochs) if silver else 0
    drawn = [*gold, *silver_of_epoch(silver, data, 0, 0)]
    num_steps = (loop.epochs - num_with) * len(batches_of(gold, loop.batch_actions, 0))
    if num_with:
        num_steps += num_with * len(batches_of(drawn, loop.batch_actions, 0))
    return num_steps


def _read(data: DataConfig, name: str, skipped: list[Skipped]) -> tuple[GoldItem, ...]:
    try:
        items, problems = gold_items(read_graphs(data.path(name)))
    except OSError as error:
        raise TrainingError(f"cannot read {data.path(name)}: {reason(error)}") from error
    skipped += [Skipped(name, problem.id, problem.message) for problem in problems]
    return items


def _dev_words(data: DataConfig) -> set[str]:
    """Give the words of the dev sentences."""
    try:
        corpora = [read_graphs(data.path(name)) for name in data.dev]
    except OSError as error:
        raise TrainingError(f"cannot read a dev file: {reason(error)}") from error
    return {_words(sentence_text(record)) for corpus in corpora for record in corpus.records}


def _words(text: str) -> str:
    """Give a sentence as it is compared: without spaces and capitals."""
    return "".join(text.split()).casefold()
