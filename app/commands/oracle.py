"""``aptamr oracle``: gold graphs as actions, what they reach and what they do not.

One variant is reported in full, ``all`` of them side by side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.commands import console
from aptcore.alignment.aligner import align
from aptcore.alignment.tables import shipped_tables
from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.graph.corpus import white_space_tokens
from aptcore.graph.penman import without_wiki
from aptcore.oracle.oracle import VARIANTS
from aptcore.oracle.report import OracleReport, oracle_report
from aptcore.words.copies import with_derived
from aptcore.words.copy_lists import with_lists
from aptcore.words.copy_tables import CopyTables, shipped_copies
from aptcore.words.gold import gold_items

ALL_VARIANTS = "all"
"""The name that stands for every variant, side by side."""


@dataclass(frozen=True, slots=True)
class GoldCorpus:
    """Gold graphs of several files, ready for the oracle.

    Attributes:
        pairs: Sentences with aligned graphs, ``:wiki`` removed.
        num_tokens: White-space tokens of the files, of the pairs only.
        num_wiki: How many ``:wiki`` were removed.
        num_unusable: Records without a graph or sentence that can be used.
        num_refused: Files that could not be read.
    """

    pairs: tuple[tuple[Sentence, AmrGraph], ...]
    num_tokens: int
    num_wiki: int
    num_unusable: int
    num_refused: int


def run_oracle(
    files: Sequence[Path],
    variant: str,
    vocabulary_from: Sequence[Path],
    lists: Sequence[Path],
    show_unreachable: bool,
    as_json: bool,
) -> int:
    """Run the oracle over files as one corpus and report the figures.

    Args:
        files: AMR files, folders and patterns.
        variant: A name of the oracle's variants, or ``all``.
        vocabulary_from: Files whose labels count as seen; may be empty.
        lists: Folders of word lists that add to the shipped tables; may be empty.
        show_unreachable: List every piece that is not reached.
        as_json: Give JSON: one object, or for all variants a list.

    Returns:
        Exit status: 1 if a record or file had to be left out or there is no graph, else 0.
    """
    console.check_stdin([*files, *vocabulary_from])
    copies = with_lists(shipped_copies(), lists) if lists else shipped_copies()
    gold = read_gold(files, copies)
    vocabulary = read_gold(vocabulary_from, copies).pairs if vocabulary_from else None
    console.say(f"{gold.num_wiki} :wiki left aside")
    names = tuple(VARIANTS) if variant == ALL_VARIANTS else (variant,)
    reports = {
        name: oracle_report(
            gold.pairs, name, num_tokens=gold.num_tokens, vocabulary_pairs=vocabulary
        )
        for name in names
    }
    if as_json:
        rows = [{"variant": name, **report.to_json()} for name, report in reports.items()]
        console.write_json(rows if variant == ALL_VARIANTS else reports[variant].to_json())
    elif variant == ALL_VARIANTS:
        console.write(format_comparison(reports, show_unreachable))
    else:
        console.write(format_report(reports[variant], variant, show_unreachable))
    if gold.num_unusable:
        console.say(f"{gold.num_unusable} records could not be used")
    if not gold.pairs:
        console.say(f"error: no graph in {', '.join(map(str, files))}: nothing was measured")
    return 1 if gold.num_unusable or gold.num_refused or not gold.pairs else 0


def read_gold(files: Sequence[Path], copies: CopyTables | None = None) -> GoldCorpus:
    """Read AMR files and align their graphs; what cannot be used is told and counted.

    Args:
        files: AMR files.
        copies: What COPY makes beyond lemmas; nothing if left out.
    """
    pairs: list[tuple[Sentence, AmrGraph]] = []
    num_tokens = num_wiki = num_unusable = 0
    tables = shipped_tables()
    corpora, num_refused = console.open_corpora(files)
    for corpus in corpora:
        items, problems = gold_items(corpus)
        for problem in problems:
            console.say(f"error: {problem}")
        num_unusable += len(problems)
        for item in items:
            graph, removed = without_wiki(item.graph)
            sentence = item.sentence if copies is None else with_derived(item.sentence, copies)
            pairs.append((sentence, align(item.sentence, graph, tables)))
            num_tokens += len(white_space_tokens(corpus.records[item.index]))
            num_wiki += removed
    return GoldCorpus(tuple(pairs), num_tokens, num_wiki, num_unusable, num_refused)


def format_comparison(reports: Mapping[str, OracleReport], show_unreachable: bool) -> str:
    """Write one line for each variant; on demand followed by every piece not reached."""
    has_unseen = any(report.unseen is not None for report in reports.values())
    lines = [
        f"{'variant':<14}{'actions/token':>14}{'exact':>9}{'Smatch':>9}{'labels':>8}{'once':>7}"
        + (f"{'unseen':>8}" if has_unseen else "")
        + f"{'not reached':>13}{'seconds':>9}"
    ]
    for name, report in reports.items():
        figures = report.to_json()
        lines.append(
            f"{name:<14}{figures['actions_per_token']:>14.3f}{figures['exact']:>9.4f}"
            f"{figures['smatch']['f1']:>9.4f}{figures['labels']:>8}{figures['labels_once']:>7}"
            + (f"{report.unseen:>8}" if has_unseen else "")
            + f"{len(report.unreachable):>13}{report.seconds:>9.1f}"
        )
    if show_unreachable:
        for name, report in reports.items():
            lines += [f"{name}: {lost}" for lost in _unreachable_lines(report)]
    return "\n".join(lines)


def _unreachable_lines(report: OracleReport) -> list[str]:
    return [f"{name}: {piece}: {reason}" for name, piece, reason in report.unreachable]


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
        lines += _unreachable_lines(report)
    elif report.unreachable:
        lines.append("--show-unreachable lists what is not reached")
    return "\n".join(lines)
