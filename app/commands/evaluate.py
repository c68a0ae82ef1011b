"""``aptamr evaluate``: Smatch of predicted graphs against gold graphs, for one or two systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.commands import console
from app.commands.options import Pairing
from app.commands.pairing import Paired, paired_places, placed
from aptcore.errors import InputError
from aptcore.graph.amr import AmrGraph
from aptcore.graph.corpus import Record, sentence_text
from aptcore.scoring.counts import Counts
from aptcore.scoring.evaluation import Comparison, Report, compare_reports, score_corpus
from aptcore.scoring.normalising import normalised
from aptcore.scoring.pair_scoring import Scorer

NUM_SHOWN = 5
"""Ids that a warning shows."""

NUM_NAMED = 20
"""Unproven pairs that the table names; the JSON names all."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for.

    Attributes:
        gold: The gold graphs: a file, a folder or a pattern.
        predicted: The predictions, likewise.
        second: The same of another system, to be compared with the first.
        scorer: ``exact`` or ``smatch``.
        wiki: Count ``:wiki``.
        fine_grained: Score the parts as well.
        time_limit: Seconds for the proof of one pair.
        jobs: Processes.
        seed: Of the resampling.
        normalise: Score what AMR says in two ways as one.
        pair: Whether predictions belong to gold graphs by ``::id`` or by order; of two
            folders also by file.
    """

    gold: Path
    predicted: Path
    second: Path | None
    scorer: Scorer
    wiki: bool
    fine_grained: bool
    time_limit: float
    jobs: int
    seed: int
    normalise: bool = False
    pair: Pairing = "id"


def run_evaluate(request: Request, as_json: bool) -> int:
    """Score a file of predictions against a file of gold graphs, pair by pair.

    Returns:
        Exit status: 1 if a prediction failed or a gold graph or file cannot be read, else 0.

    Raises:
        InputError: Files are paired by order and hold different numbers of records, or there
            is no gold graph.
    """
    paths = [request.gold, request.predicted] + ([request.second] if request.second else [])
    console.check_stdin(paths)
    opened = [console.open_corpora([path]) for path in paths]
    of_gold, *systems = [
        placed(path, corpora) for path, (corpora, _) in zip(paths, opened, strict=True)
    ]
    gold = tuple(record for records in of_gold.values() for record in records)
    if not any(record.graph for record in gold):
        raise InputError(f"{request.gold}: there is no graph in it to score against")
    pairings = [paired_places(of_gold, records, request.pair) for records in systems]
    wanted = Graphs.of([record.graph for record in gold], request.normalise)
    found = [
        Graphs.of([r.graph if r else None for r in pairing.records], request.normalise)
        for pairing in pairings
    ]
    for path, pairing in zip(paths[1:], pairings, strict=True):
        if len(pairing.records) != len(gold):
            unlike = f"{len(gold)} gold graphs, but {len(pairing.records)} predictions"
            raise InputError(f"{path}: {unlike}, so they make no pairs by order")
        _say_pairing(path, gold, pairing)
    reports = [score_graphs(wanted.graphs, graphs.graphs, request) for graphs in found]
    if len(reports) == 1:
        value, text = reports[0].to_json(), format_report(reports[0])
    else:
        comparison = compare_reports(reports[0], reports[1], seed=request.seed)
        value, text = comparison.to_json(), format_comparison(comparison)
    if request.normalise:
        counts = [graphs.num_changed for graphs in (wanted, *found)]
        text += f"\nnormalised  relations changed: {counts[0]} gold, {counts[1:]} predicted"
        value["normalised"] = {"gold": counts[0], "predicted": counts[1:]}
    text += f"\npaired      by {', '.join(pairing.how for pairing in pairings)}"
    value["paired"] = [pairing.to_json() for pairing in pairings]
    if as_json:
        console.write_json(value)
    else:
        console.write(text)
    is_short = any(num_refused for _, num_refused in opened)
    failed = any(report.failed or report.num_without_gold for report in reports)
    return 1 if is_short or failed else 0


@dataclass(frozen=True, slots=True)
class Graphs:
    """Graphs as they are scored, and how many relations were changed for it."""

    graphs: list[AmrGraph | None]
    num_changed: int

    @classmethod
    def of(cls, graphs: Sequence[AmrGraph | None], normalise: bool) -> Graphs:
        """Take graphs as they are, or in one form."""
        if not normalise:
            return cls(list(graphs), 0)
        changed = [graph and normalised(graph) for graph in graphs]
        return cls([c and c[0] for c in changed], sum(c[1] for c in changed if c))


def _say_pairing(path: Path, gold: Sequence[Record], pairing: Paired) -> None:
    """Warn of records that have no partner, and of pairs of different sentences."""
    if pairing.missing:
        console.say(
            f"warning: {path} lacks {len(pairing.missing)} sentences, which count as failed: "
            + _some(pairing.missing)
        )
    if pairing.extra:
        console.say(
            f"warning: {path} has {len(pairing.extra)} sentences that are not among the gold "
            f"ones, which are not scored: {_some(pairing.extra)}"
        )
    num_unlike = count_unlike(gold, pairing.records)
    if num_unlike:
        console.say(f"warning: {num_unlike} pairs are of different sentences; is the order right?")


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:NUM_SHOWN]) + (" ..." if len(names) > NUM_SHOWN else "")


def score_graphs(
    gold: Sequence[AmrGraph | None], predicted: Sequence[AmrGraph | None], request: Request
) -> Report:
    """Score one system."""
    return score_corpus(
        gold,
        predicted,
        request.scorer,
        request.wiki,
        fine_grained=request.fine_grained,
        time_limit=request.time_limit,
        jobs=request.jobs,
        seed=request.seed,
    )


def count_unlike(gold: Sequence[Record], predicted: Sequence[Record | None]) -> int:
    """Count the pairs whose sentences differ in more than white space."""
    pairs = [
        (sentence_text(g), sentence_text(p)) for g, p in zip(gold, predicted, strict=False) if p
    ]
    return sum(bool(g and p) and "".join(g.split()) != "".join(p.split()) for g, p in pairs)


def format_report(report: Report) -> str:
    """Write the scores as a table."""
    low, high = report.interval
    lines = [
        *format_head(report),
        f"interval   {low:.4f} to {high:.4f} (95 %, resampled sentences)",
        "",
        f"{'':<16}    F1  precision  recall",
        format_row("smatch", report.counts),
        *(format_row(name, part) for name, part in report.parts.items()),
        *format_unproven(report),
    ]
    return "\n".join(lines)


def format_head(report: Report) -> list[str]:
    """Say what was scored and how."""
    wiki = "counted" if report.is_wiki_counted else f"left out ({report.num_wiki_removed})"
    return [
        f"sentences  {len(report.pairs)}, {len(report.failed)} failed"
        + (f", {report.num_without_gold} without gold" if report.num_without_gold else ""),
        f"scorer     {report.scorer}"
        + (f", {len(report.unproven)} pairs unproven" if report.unproven else ""),
        f":wiki      {wiki}",
        "root       counted, as one triple",
    ]


def format_unproven(report: Report) -> list[str]:
    """Name the pairs for which a better mapping may exist; none for a search without bounds."""
    unproven = list(report.unproven_tallies())
    if not unproven or report.scorer != "exact":
        return []
    lines = ["", "not proven within the time limit:"]
    for pair, name, tally in unproven[:NUM_NAMED]:
        title = f"graph {pair.position + 1}" + (f" ({pair.id})" if pair.id else "")
        lines.append(f"{title}, {name}: F1 from {tally.counts.f1:.4f} to {tally.f1_bound:.4f}")
    if len(unproven) > NUM_NAMED:
        lines.append(f"and {len(unproven) - NUM_NAMED} more; --json names all")
    return lines


def format_row(name: str, counts: Counts) -> str:
    """Write one score as a row of the table."""
    return f"{name:<16} {counts.f1:.4f}     {counts.precision:.4f}  {counts.recall:.4f}"


def format_comparison(comparison: Comparison) -> str:
    """Write two systems side by side, and the test of their difference."""
    first, second = comparison.first, comparison.second
    low, high = comparison.interval
    num_better, num_worse, num_equal = comparison.count_outcomes()
    rows = {"smatch": (first.counts, second.counts)}
    rows |= {name: (first.parts[name], second.parts[name]) for name in first.parts}
    lines = [
        *(f"first {line}" for line in format_head(first)[:2]),
        *(f"second {line}" for line in format_head(second)[:2]),
        *format_head(first)[3:],
        "",
        f"{'F1':<16}  first  second  difference",
        *(
            f"{name:<16} {one.f1:.4f}  {two.f1:.4f}     {two.f1 - one.f1:+.4f}"
            for name, (one, two) in rows.items()
        ),
        "",
        f"difference {comparison.difference:+.4f}, 95 % from {low:+.4f} to {high:+.4f}, "
        f"p = {comparison.p_value:.4f}",
        f"           (paired bootstrap over sentences, {comparison.num_samples} samples, "
        f"seed {comparison.seed})",
        f"sentences  second better on {num_better}, worse on {num_worse}, equal on {num_equal}",
        *format_unproven(first),
        *format_unproven(second),
    ]
    return "\n".join(lines)
