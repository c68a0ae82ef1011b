"""``aptamr oracle``: gold graphs as actions, what they reach and what they do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.commands import console
from aptcore.alignment import align, shipped_tables
from aptcore.amr import AmrGraph, Sentence, without_wiki
from aptcore.corpus import white_space_tokens
from aptcore.gold import gold_items
from aptcore.oracle_report import OracleReport, oracle_report


@dataclass(frozen=True, slots=True)
class GoldCorpus:
    """Gold graphs of several files, ready for the oracle.

    Attributes:
        pairs: Sentences with aligned graphs, ``:wiki`` removed.
        num_tokens: White-space tokens of the files, of the pairs only.
        num_wiki: How many ``:wiki`` were removed.
        num_unusable: Records without a graph or sentence that can be used.
    """

    pairs: tuple[tuple[Sentence, AmrGraph], ...]
    num_tokens: int
    num_wiki: int
    num_unusable: int


def run_oracle(
    files: Sequence[Path],
    variant: str,
    vocabulary_from: Sequence[Path],
    show_unreachable: bool,
    as_json: bool,
) -> int:
    """Run the oracle over files as one corpus and report the figures.

    Returns:
        Exit status: 1 if a record had to be left out, else 0.
    """
    gold = read_gold(files)
    vocabulary = read_gold(vocabulary_from).pairs if vocabulary_from else None
    console.say(f"{gold.num_wiki} :wiki left aside")
    report = oracle_report(
        gold.pairs,
        variant,
        num_tokens=gold.num_tokens,
        vocabulary_pairs=vocabulary,
    )
    if as_json:
        console.write_json(report.to_json())
    else:
        console.write(format_report(report, variant, show_unreachable))
    if gold.num_unusable:
        console.say(f"{gold.num_unusable} records could not be used")
    return 1 if gold.num_unusable else 0


def read_gold(files: Sequence[Path]) -> GoldCorpus:
    """Read AMR files and align their graphs; what cannot be used is told and counted."""
    pairs: list[tuple[Sentence, AmrGraph]] = []
    num_tokens = num_wiki = num_unusable = 0
    tables = shipped_tables()
    for corpus in console.open_corpora(files):
        items, problems = gold_items(corpus)
        for problem in problems:
            console.say(f"error: {problem}")
        num_unusable += len(problems)
        for item in items:
            graph, removed = without_wiki(item.graph)
            pairs.append((item.sentence, align(item.sentence, graph, tables)))
            num_tokens += len(white_space_tokens(corpus.records[item.index]))
            num_wiki += removed
    return GoldCorpus(tuple(pairs), num_tokens, num_wiki, num_unusable)


def format_report(report: OracleReport, variant: str, show_unreachable: bool) -> str:
    """Write the figures as a table; on demand followed by every piece not reached."""
    figures = report.to_json()
    smatch = figures["smatch"]
    rows = {
        "variant": variant,
        "sentences": report.sentences,
        "tokens": f"{report.tokens} (white space)",
        "actions": f"{report.actions} (root step counted)",
        "actions a sentence": f"{figures['actions_per_sentence']:.2f}",
        "actions a token": f"{figures['actions_per_token']:.3f}",
        "Smatch": "{f1:.4f} (precision {precision:.4f}, recall {recall:.4f})".format(**smatch),
        "exact graphs": f"{figures['exact']:.4f}",
        "made by COPY": f"{figures['copy_share']:.4f} of the items",
        "labels": f"{figures['labels']}, {figures['labels_once']} seen once",
    }
    if report.unseen is not None:
        rows["labels unseen"] = report.unseen
    rows |= {"not reached": len(report.unreachable), "seconds": f"{report.seconds:.1f}"}
    lines = [f"{name:<20} {value}" for name, value in rows.items()]
    if show_unreachable:
        lines += [f"{name}: {piece}: {reason}" for name, piece, reason in report.unreachable]
    elif report.unreachable:
        lines.append("--show-unreachable lists what is not reached")
    return "\n".join(lines)
