"""``aptamr evaluate``: Smatch of predicted graphs against gold graphs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.commands import console
from aptcore.corpus import Record, sentence_text
from aptcore.evaluation import Counts, Report, Scorer, score_corpus


def run_evaluate(
    gold_file: Path,
    predicted_file: Path,
    fine_grained: bool,
    scorer: Scorer,
    wiki: bool,
    as_json: bool,
) -> int:
    """Score a file of predictions against a file of gold graphs, pair by pair in order.

    Returns:
        Exit status: 1 if a prediction failed or a gold graph cannot be read, else 0.

    Raises:
        InputError: The files hold different numbers of records.
    """
    gold, predicted = console.open_corpora([gold_file, predicted_file])
    num_unlike = count_unlike(gold.records, predicted.records)
    if num_unlike:
        console.say(f"warning: {num_unlike} pairs are of different sentences; is the order right?")
    report = score_corpus(
        [record.graph for record in gold.records],
        [record.graph for record in predicted.records],
        scorer,
        wiki,
        fine_grained=fine_grained,
    )
    if as_json:
        console.write_json(report.to_json())
    else:
        console.write(format_report(report))
    return 1 if report.failed or report.num_without_gold else 0


def count_unlike(gold: Sequence[Record], predicted: Sequence[Record]) -> int:
    """Count the pairs whose sentences differ in more than white space."""
    pairs = [(sentence_text(g), sentence_text(p)) for g, p in zip(gold, predicted, strict=False)]
    return sum(bool(g and p) and "".join(g.split()) != "".join(p.split()) for g, p in pairs)


def format_report(report: Report) -> str:
    """Write the scores as a table."""
    low, high = report.interval
    wiki = "counted" if report.is_wiki_counted else f"left out ({report.num_wiki_removed})"
    lines = [
        f"sentences  {len(report.pairs)}, {len(report.failed)} failed"
        + (f", {report.num_without_gold} without gold" if report.num_without_gold else ""),
        f"scorer     {report.scorer}"
        + (f", {len(report.unproven)} pairs unproven" if report.unproven else ""),
        f":wiki      {wiki}",
        f"interval   {low:.4f} to {high:.4f} (95 %, resampled sentences)",
        "",
        f"{'':<16}    F1  precision  recall",
        format_row("smatch", report.counts),
    ]
    return "\n".join([*lines, *(format_row(name, part) for name, part in report.parts.items())])


def format_row(name: str, counts: Counts) -> str:
    """Write one score as a row of the table."""
    return f"{name:<16} {counts.f1:.4f}     {counts.precision:.4f}  {counts.recall:.4f}"
