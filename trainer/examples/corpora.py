"""From corpora to training examples: tokens, alignments, actions, masks, word vectors.

Every sequence of oracle actions is replayed before it is trained on; a graph whose
replay loses a piece that the oracle does not list stops the training.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from torch import Tensor

from aptcore.alignment.aligner import align
from aptcore.alignment.learning import learn_tables
from aptcore.alignment.tables import Tables
from aptcore.errors import AptamrError, TrainingError, reason
from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.graph.corpus import Corpus, merge_alignments
from aptcore.graph.formats import read_graphs
from aptcore.graph.penman import without_wiki
from aptcore.neural.checkpoint import file_hash
from aptcore.neural.encoders.word_encoder import WordEncoder, cached_vectors
from aptcore.neural.masks import LabelMasks, Walk, walk_of
from aptcore.neural.vocabulary import ActionVocabulary
from aptcore.oracle.copy_learning import learn_copies
from aptcore.oracle.oracle import oracle_actions, variant_of
from aptcore.oracle.report import checked_replay
from aptcore.transition.actions import Action, ActionSet, format_label
from aptcore.transition.closing import Link
from aptcore.transition.sets import EXACT
from aptcore.words.copies import with_derived
from aptcore.words.copy_tables import NO_COPIES, CopyTables, shipped_copies
from aptcore.words.gold import GoldItem, gold_items
from trainer.config import RECOMBINED, TrainConfig
from trainer.examples.linking import linked_walk
from trainer.examples.packing import PackedWalk, pack_walk
from trainer.examples.recombining import recombined
from trainer.files import files_in

Report = Callable[[str], None]

MAX_TOLD = 20
"""Problems of a file that are told one by one."""


@dataclass(frozen=True)
class OracleItem:
    """A sentence with the actions that build its graph.

    Attributes:
        sentence: Its tokens, and what COPY makes of them.
        graph: Aligned.
        actions: Of the oracle.
        source: The silver file that it stands in; empty for gold.
    """

    sentence: Sentence
    graph: AmrGraph
    actions: tuple[Action, ...]
    source: str = ""


@dataclass(frozen=True)
class Example:
    """A sentence as the training loop reads it.

    Attributes:
        sentence: Its tokens.
        walk: What the decoder reads and predicts.
        vectors: (tokens, width) float16 word vectors of a frozen encoder; None where the
            encoder learns and reads the words anew at each step.
        linked: Another walk to the same graph, with a link (see trainer.examples.linking).
        source: The silver file that it stands in; empty for gold.
    """

    sentence: Sentence
    walk: PackedWalk
    vectors: Tensor | None
    linked: PackedWalk | None = None
    source: str = ""


@dataclass(frozen=True)
class SilverItem:
    """A sentence with the graph that a parser made, and the file in which they stand."""

    sentence: Sentence
    graph: AmrGraph
    source: str


@dataclass(frozen=True)
class Walked:
    """What the oracle made of gold and silver graphs.

    Attributes:
        gold: Gold sentences with their actions.
        silver: Silver sentences with theirs.
        tables: Of the aligner.
        copies: Of COPY.
        skipped: What cannot be walked.
    """

    gold: list[OracleItem]
    silver: list[OracleItem]
    tables: Tables
    copies: CopyTables
    skipped: list[Skipped]


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
    aligned: dict[str, list[Corpus]] = {}
    for name in names:
        path = config.data.path(name)
        try:
            corpus = read_graphs(path)
            source = config.data.alignments_from.get(name)
            if source and source not in aligned:
                files = map(config.data.path, files_in(config.data, source))
                aligned[source] = [read_graphs(file) for file in files]
            for other in aligned[source] if source else ():
                corpus = merge_alignments(corpus, other)
        except OSError as error:
            raise TrainingError(f"cannot read {path}: {reason(error, is_named=True)}") from error
        tell_problems(corpus, report)
        found, problems = gold_items(corpus)
        skipped += [Skipped(name, problem.id, problem.message) for problem in problems]
        ids = {record.id for record in corpus.records if record.id}
        fresh = [item for item in found if corpus.records[item.index].id not in seen]
        seen |= ids
        items += fresh
        report(f"{name}: {len(fresh)} graphs of {len(corpus.records)}")
    return items, skipped


def tell_problems(corpus: Corpus, report: Report) -> None:
    """Tell what is wrong in a file that is read all the same, with its lines."""
    for problem in corpus.problems[:MAX_TOLD]:
        report(f"warning: {problem}")
    if (more := len(corpus.problems) - MAX_TOLD) > 0:
        report(f"warning: {corpus.path}: {more} more; aptamr oracle names them all")


def oracle_items(
    config: TrainConfig, gold: Sequence[GoldItem], silver: Sequence[SilverItem]
) -> Walked:
    """Learn alignment and copy tables, align, run the oracle and replay.

    Returns:
        The sentences with their actions, and the two kinds of tables.

    Raises:
        GraphError: If a replay silently loses a piece.
    """
    pairs = [(item.sentence, _bare(config, item.graph), "") for item in gold]
    pairs += [(item.sentence, without_wiki(item.graph)[0], item.source) for item in silver]
    teaching = [not source or config.data.silver_labels > 0 for _, _, source in pairs]
    tables = learn_tables(
        pair[:2] for pair, teaches in zip(pairs, teaching, strict=True) if teaches
    )
    aligned, skipped = [], []
    for sentence, bare, source in pairs:
        try:
            aligned.append((sentence, align(sentence, bare, tables), source))
        except AptamrError as error:
            skipped.append(Skipped(source, sentence.id, str(error)))
    taught = [(s, g) for s, g, source in aligned if not source or config.data.silver_labels]
    copies = copies_for(config, taught)
    own = [(s, g) for s, g, source in aligned if not source]
    aligned += [(s, g, RECOMBINED) for s, g in recombined(own, config.data.recombined)]
    items = walked_items(config, aligned, copies, skipped)
    return Walked(
        [item for item in items if not item.source],
        [item for item in items if item.source],
        tables,
        copies,
        skipped,
    )


def walked_items(
    config: TrainConfig,
    aligned: Sequence[tuple[Sentence, AmrGraph, str]],
    copies: CopyTables,
    skipped: list[Skipped],
) -> list[OracleItem]:
    """Run the oracle over aligned graphs and replay its actions.

    Raises:
        GraphError: If a replay silently loses a piece.
    """
    items = []
    for sentence, graph, source in aligned:
        copying = with_copies(config, sentence, copies)
        try:
            result = oracle_actions(copying, graph, config.oracle.variant)
        except AptamrError as error:
            skipped.append(Skipped(source, sentence.id, str(error)))
            continue
        checked_replay(copying, graph, result, config.oracle.variant)
        items.append(OracleItem(copying, graph, result.actions, source))
    return items


def copies_for(config: TrainConfig, aligned: Sequence[tuple[Sentence, AmrGraph]]) -> CopyTables:
    """Learn or load the tables of COPY; the paper's set has none."""
    if not action_set_of(config).has_wide_copies:
        return NO_COPIES
    if config.oracle.copies == "learn":
        return learn_copies(aligned)
    if config.oracle.copies == "shipped":
        return shipped_copies()
    return CopyTables.load(Path(config.oracle.copies))


def with_copies(config: TrainConfig, sentence: Sentence, copies: CopyTables) -> Sentence:
    """Give a sentence with what COPY makes of its words in the action set trained on."""
    return with_derived(sentence, copies) if action_set_of(config).has_wide_copies else sentence


def action_set_of(config: TrainConfig) -> ActionSet:
    """Give the action set that is trained on."""
    return variant_of(config.oracle.variant).action_set


def _bare(config: TrainConfig, graph: AmrGraph) -> AmrGraph:
    """Remove what is not trained on: ``:wiki`` and, if asked for, given alignments."""
    graph = without_wiki(graph)[0]
    return graph if config.data.given_alignments else replace(graph, alignments={})


def vocabulary_of(
    items: Sequence[OracleItem],
    min_count: int,
    action_set: ActionSet = EXACT,
    silver: Sequence[OracleItem] = (),
    silver_count: int = 0,
) -> ActionVocabulary:
    """Collect the labels, the most frequent first.

    Args:
        items: Gold sentences; a label seen ``min_count`` times in them is kept.
        min_count: See there.
        action_set: Whose labels they are.
        silver: Silver sentences.
        silver_count: A label that both kinds show so often is kept as well; 0: none is.
    """
    counts = _label_counts(items)
    kept = {label for label, count in counts.items() if count >= min_count}
    if silver_count:
        counts += _label_counts(silver)
        kept |= {label for label, count in counts.items() if count >= silver_count}
    ordered = sorted(kept, key=lambda label: (-counts[label], label))
    return ActionVocabulary.from_labels(ordered, action_set)


def _label_counts(items: Sequence[OracleItem]) -> Counter[str]:
    return Counter(format_label(action) for item in items for action in item.actions)


def examples_of(
    config: TrainConfig, items: Sequence[OracleItem], masks: LabelMasks, encoder: WordEncoder
) -> list[Example]:
    """Make training examples, with word vectors of a frozen encoder from the cache on disk."""
    action_set = action_set_of(config)
    vectors: Sequence[Tensor | None] = [None] * len(items)
    if not encoder.is_trained:
        tokens = [item.sentence.tokens for item in items]
        vectors = cached_vectors(encoder, tokens, Path(config.data.cache))
    graph_embedding = config.model.graph_embedding
    return [
        Example(
            item.sentence,
            pack_walk(walk_of(item.sentence, item.actions, masks, action_set, graph_embedding)[0]),
            vector,
            pack_walk(linked) if (linked := linked_of(config, item, masks)) else None,
            item.source,
        )
        for item, vector in zip(items, vectors, strict=True)
    ]


def vectors_of(examples: Sequence[Example], encoder: WordEncoder) -> list[Tensor]:
    """Give the word vectors kept with examples; those of an encoder that learns, read anew."""
    kept = [example.vectors for example in examples if example.vectors is not None]
    if len(kept) == len(examples):
        return kept
    return encoder.read([example.sentence.tokens for example in examples])


def linked_of(config: TrainConfig, item: OracleItem, masks: LabelMasks) -> Walk | None:
    """Give the walk with a link; the step at which an edge is missing has no target."""
    action_set, sentence = action_set_of(config), item.sentence
    if not item.actions or not config.oracle.link_share or Link not in action_set.actions:
        return None
    found = linked_walk(sentence, item.actions, f"{config.loop.seed} {sentence.id}", action_set)
    if found is None:
        return None
    embedding = config.model.graph_embedding
    walk, _, _ = walk_of(sentence, found.actions, masks, action_set, embedding)
    walk.targets[found.left_out_at] = walk.pointers[found.left_out_at] = -1
    return walk


def examples_of_epoch(examples: Sequence[Example], share: float, seed: int) -> list[Example]:
    """Take for a share of the examples the walk with a link; the same for the same seed."""
    draw = random.Random(seed)
    drawn = [draw.random() < share for _ in examples]
    return [
        replace(example, walk=example.linked) if wanted and example.linked else example
        for example, wanted in zip(examples, drawn, strict=True)
    ]


def data_hashes(config: TrainConfig) -> dict[str, str]:
    """Give the sha256 of every training, silver and dev file."""
    names = [*config.data.train_names(), *config.data.silver, *config.data.dev]
    return {name: file_hash(config.data.path(name)) for name in names}
