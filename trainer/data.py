"""From corpora to training examples: tokens, alignments, actions, masks, word vectors.

Every sequence of oracle actions is replayed before it is trained on; a graph whose
replay loses a piece that the oracle does not list stops the training.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from torch import Tensor

from aptcore.actions import Action, format_label
from aptcore.alignment import Tables, align, learn_tables
from aptcore.amr import AmrGraph, Sentence, without_wiki
from aptcore.checkpoint import file_hash
from aptcore.corpus import merge_alignments, read_corpus
from aptcore.encoder import WordEncoder, cached_vectors
from aptcore.errors import AptamrError, TrainingError
from aptcore.gold import GoldItem, gold_items
from aptcore.masks import LabelMasks, Walk, walk_of
from aptcore.oracle import oracle, variant_of
from aptcore.oracle_report import checked_replay
from aptcore.vocab import ActionVocabulary
from trainer.config import TrainConfig

Report = Callable[[str], None]


@dataclass(frozen=True)
class OracleItem:
    """A sentence with the actions that build its gold graph."""

    sentence: Sentence
    graph: AmrGraph
    actions: tuple[Action, ...]


@dataclass(frozen=True)
class Example:
    """A sentence as the training loop reads it.

    Attributes:
        sentence: Its tokens.
        walk: What the decoder reads and predicts.
        vectors: (tokens, width) float16 word vectors.
    """

    sentence: Sentence
    walk: Walk
    vectors: Tensor


@dataclass(frozen=True)
class Skipped:
    """A record that is not trained on, with the reason."""

    path: str
    id: str
    reason: str


def read_gold(
    config: TrainConfig, names: Sequence[str], report: Report
) -> tuple[list[GoldItem], list[Skipped]]:
    """Read corpora; a sentence id seen in an earlier file is not taken again.

    Raises:
        TrainingError: If a file cannot be read.
    """
    items: list[GoldItem] = []
    skipped: list[Skipped] = []
    seen: set[str] = set()
    for name in names:
        path = config.data.path(name)
        try:
            corpus = read_corpus(path)
            if name in config.data.alignments_from:
                aligned = read_corpus(config.data.path(config.data.alignments_from[name]))
                corpus = merge_alignments(corpus, aligned)
        except OSError as error:
            raise TrainingError(f"cannot read {path}: {error}") from error
        found, problems = gold_items(corpus)
        skipped += [Skipped(name, problem.id, problem.message) for problem in problems]
        ids = {record.id for record in corpus.records if record.id}
        fresh = [item for item in found if corpus.records[item.index].id not in seen]
        seen |= ids
        items += fresh
        report(f"{name}: {len(fresh)} graphs of {len(corpus.records)}")
    return items, skipped


def oracle_items(
    config: TrainConfig, gold: Sequence[GoldItem], skipped: list[Skipped]
) -> tuple[list[OracleItem], Tables]:
    """Learn alignment tables, align, run the oracle and replay.

    Returns:
        The sentences with their actions, and the tables.

    Raises:
        GraphError: If a replay silently loses a piece.
    """
    pairs = [(item.sentence, _bare(config, item.graph)) for item in gold]
    tables = learn_tables(pairs)
    items = []
    for sentence, bare in pairs:
        try:
            graph = align(sentence, bare, tables)
            result = oracle(sentence, graph, config.oracle.variant)
        except AptamrError as error:
            skipped.append(Skipped("", sentence.id, str(error)))
            continue
        checked_replay(sentence, graph, result, config.oracle.variant)
        items.append(OracleItem(sentence, graph, result.actions))
    return items, tables


def _bare(config: TrainConfig, graph: AmrGraph) -> AmrGraph:
    """Remove what is not trained on: ``:wiki`` and, if asked for, given alignments."""
    graph = without_wiki(graph)[0]
    return graph if config.data.given_alignments else replace(graph, alignments={})


def vocabulary_of(items: Sequence[OracleItem], min_count: int) -> ActionVocabulary:
    """Collect the labels seen at least ``min_count`` times, the most frequent first."""
    counts = Counter(format_label(action) for item in items for action in item.actions)
    kept = [label for label, count in counts.items() if count >= min_count]
    return ActionVocabulary.from_labels(sorted(kept, key=lambda label: (-counts[label], label)))


def examples_of(
    config: TrainConfig, items: Sequence[OracleItem], masks: LabelMasks, encoder: WordEncoder
) -> list[Example]:
    """Make training examples, with word vectors from the cache on disk."""
    action_set = variant_of(config.oracle.variant).action_set
    vectors = cached_vectors(
        encoder, [item.sentence.tokens for item in items], Path(config.data.cache)
    )
    graph_embedding = config.model.graph_embedding
    return [
        Example(
            item.sentence,
            walk_of(item.sentence, item.actions, masks, action_set, graph_embedding)[0],
            vector,
        )
        for item, vector in zip(items, vectors, strict=True)
    ]


def data_hashes(config: TrainConfig) -> dict[str, str]:
    """Give the sha256 of every training and dev file."""
    names = [*config.data.train_names(), *config.data.dev]
    return {name: file_hash(config.data.path(name)) for name in names}
