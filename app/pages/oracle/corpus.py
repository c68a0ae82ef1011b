"""A whole corpus on the Oracle page: coverage, distributions, labels, what is not reached.

Every figure is a sum over the sentences, so that each can be followed to its sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from app.kit.text import shorten
from app.pages.oracle.sentence import Gold, gold_of
from aptcore.errors import AptamrError
from aptcore.graph.corpus import Corpus, Problem, white_space_tokens
from aptcore.oracle.report import OracleReport, oracle_report
from aptcore.transition.actions import format_label
from aptcore.transition.closing import Root
from aptcore.words.gold import gold_items

MAX_BIN_COUNT = 16
"""Most bars that a distribution of lengths is drawn with."""

BATCH = 64
"""Records that are read and aligned between two reports of progress."""

Progress = Callable[[str, int, int], None]
"""Told what is being done, how many sentences are ready, and of how many."""


@dataclass(frozen=True, slots=True)
class GoldRecord:
    """A record of a corpus that the oracle can use.

    Attributes:
        index: Its place in the corpus, from 0.
        gold: Sentence and aligned graph.
        num_tokens: White-space tokens of the file.
    """

    index: int
    gold: Gold
    num_tokens: int


@dataclass(frozen=True, slots=True)
class AlignedCorpus:
    """All records that the oracle can use, and what is wrong with the others."""

    records: tuple[GoldRecord, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class SentenceFigures:
    """What the oracle does with one record.

    Attributes:
        index: Place of the record in the corpus, from 0.
        id: What its sentence is called.
        text: The sentence.
        num_tokens: Its tokens, of which the oracle takes one at a time; those of the report
            are white-space tokens.
        report: The figures of this sentence alone.
    """

    index: int
    id: str
    text: str
    num_tokens: int
    report: OracleReport

    @property
    def is_exact(self) -> bool:
        """Whether the replay equals the gold graph."""
        return self.report.exact == 1


@dataclass(frozen=True, slots=True)
class CorpusFigures:
    """What the oracle does with a corpus.

    Attributes:
        variant: Which oracle.
        sentences: One entry for each record that could be used.
        total: The sum of their figures.
        problems: Everything that is wrong with the file, in order of lines.
        num_wiki: How many ``:wiki`` were left aside.
    """

    variant: str
    sentences: tuple[SentenceFigures, ...]
    total: OracleReport
    problems: tuple[Problem, ...]
    num_wiki: int


def align_corpus(corpus: Corpus, progress: Progress) -> AlignedCorpus:
    """Tokenise and align all records; one that cannot be used is named, the rest goes on."""
    records: list[GoldRecord] = []
    problems: list[Problem] = []
    size = len(corpus.records)
    for first in range(0, size, BATCH):
        progress("Aligning", first, size)
        part = Corpus(corpus.path, corpus.records[first : first + BATCH], (), "")
        items, unusable = gold_items(part)
        broken = {record.line for record in part.records if record.is_broken}  # said on reading
        problems += [problem for problem in unusable if problem.line not in broken]
        for item in items:
            record = part.records[item.index]
            try:
                gold = gold_of(item, name_of(corpus, first + item.index))
            except AptamrError as error:
                problems.append(Problem(corpus.path, record.line, record.id, str(error)))
                continue
            records.append(GoldRecord(first + item.index, gold, len(white_space_tokens(record))))
    return AlignedCorpus(tuple(records), tuple(problems))


def name_of(corpus: Corpus, index: int) -> str:
    """Name a record: by ``::id``, else by its number from 1."""
    return corpus.records[index].id or str(index + 1)


def figures_of(
    corpus: Corpus, aligned: AlignedCorpus, variant: str, progress: Progress
) -> CorpusFigures:
    """Run the oracle over a corpus, sentence by sentence.

    Raises:
        ConfigurationError: If there is no such variant.
    """
    sentences: list[SentenceFigures] = []
    problems = [*corpus.problems, *aligned.problems]
    size = len(aligned.records)
    for place, record in enumerate(aligned.records):
        if place % BATCH == 0:
            progress("Running the oracle", place, size)
        sentence, graph = record.gold.sentence, record.gold.graph
        try:
            report = oracle_report([(sentence, graph)], variant, num_tokens=record.num_tokens)
        except AptamrError as error:
            line = corpus.records[record.index].line
            problems.append(Problem(corpus.path, line, sentence.id, str(error)))
            continue
        size_of_one = len(sentence.tokens)
        sentences.append(
            SentenceFigures(record.index, sentence.id, sentence.text, size_of_one, report)
        )
    problems.sort(key=lambda problem: problem.line)
    return CorpusFigures(
        variant,
        tuple(sentences),
        total_of([one.report for one in sentences]),
        tuple(dict.fromkeys(problems)),
        sum(record.gold.num_wiki for record in aligned.records),
    )


def total_of(reports: Sequence[OracleReport]) -> OracleReport:
    """Add the figures of reports up; ``unseen`` is left out."""

    def summed(count: Callable[[OracleReport], int]) -> int:
        return sum(map(count, reports))

    labels: Counter[str] = Counter()
    for report in reports:
        labels.update(report.labels)
    return OracleReport(
        sentences=summed(lambda report: report.sentences),
        tokens=summed(lambda report: report.tokens),
        actions=summed(lambda report: report.actions),
        matched=summed(lambda report: report.matched),
        built=summed(lambda report: report.built),
        gold=summed(lambda report: report.gold),
        exact=summed(lambda report: report.exact),
        copies=summed(lambda report: report.copies),
        items=summed(lambda report: report.items),
        labels=labels,
        unseen=None,
        unreachable=tuple(lost for report in reports for lost in report.unreachable),
        seconds=sum(report.seconds for report in reports),
    )


def sentence_frame(figures: CorpusFigures) -> pd.DataFrame:
    """Give all sentences with their figures, by the place of the record in the corpus."""
    sentences = figures.sentences
    return pd.DataFrame(
        {
            "sentence": [one.id for one in sentences],
            "text": [shorten(one.text, 160) for one in sentences],
            "tokens": [one.num_tokens for one in sentences],
            "actions": [one.report.actions for one in sentences],
            "exact": [one.is_exact for one in sentences],
            "not reached": [len(one.report.unreachable) for one in sentences],
        },
        index=[one.index for one in sentences],
    )


def lost_frame(figures: CorpusFigures) -> pd.DataFrame:
    """Give everything that is not built, sentence by sentence, by the place of the record."""
    lost = [(one.index, *piece) for one in figures.sentences for piece in one.report.unreachable]
    columns = ["record", "sentence", "piece", "reason"]
    return pd.DataFrame(lost, columns=columns).set_index("record")


def label_frame(figures: CorpusFigures) -> pd.DataFrame:
    """Give all labels with the first sentence that has each, by the place of its record.

    The most frequent come first, equals in alphabetical order.
    """
    found = pd.DataFrame(
        [
            (one.index, label, count, one.id)
            for one in figures.sentences
            for label, count in one.report.labels.items()
        ],
        columns=["record", "label", "count", "first sentence"],
    )
    first = {"record": "first", "count": "sum", "first sentence": "first"}
    labels = found.groupby("label", as_index=False).agg(first)
    labels.insert(2, "kind", labels["label"].map(kind_of))
    return labels.sort_values("count", ascending=False, kind="stable").set_index("record")


def kind_of(label: str) -> str:
    """Give the kind of a label: ``PRED``, ``LA``, ``ROOT``; each kind of COPY is its own."""
    if label == format_label(Root(-1)):
        return "ROOT"
    return label if label.startswith("COPY(") else label.partition("(")[0]


def kind_frame(labels: pd.DataFrame) -> pd.DataFrame:
    """Count the actions by kind, the most frequent first."""
    counts = labels.groupby("kind")["count"].sum().sort_values(ascending=False, kind="stable")
    return counts.rename("actions").reset_index()


def length_frame(lengths: Iterable[int]) -> pd.DataFrame:
    """Count sentences by length, in ranges of one width: 1, 2, 5, 10, 20, 50 ... wide.

    Args:
        lengths: At least one.

    Returns:
        A row for each range from ``low`` to ``high``, both included; ``length`` names it.
    """
    found = pd.Series(list(lengths))
    low, high = found.min(), found.max()
    width = next(w for w in _widths() if high // w - low // w < MAX_BIN_COUNT)
    starts = pd.RangeIndex(low // width * width, high + 1, width)
    counts = (found // width * width).value_counts().reindex(starts, fill_value=0)
    bins = pd.DataFrame({"low": starts, "high": starts + width - 1, "sentences": counts.to_numpy()})
    names = [str(a) if a == b else f"{a}–{b}" for a, b in zip(bins.low, bins.high, strict=True)]
    return bins.assign(length=names)


def _widths() -> Iterator[int]:
    scale = 1
    while True:
        yield from (scale, 2 * scale, 5 * scale)
        scale *= 10
