"""Two runs side by side: what they were told, and what came of it."""

from __future__ import annotations

from app.pages.train.charts import short_dev
from app.pages.train.watch import NO_FIGURE, NO_SCORE, short_state
from trainer.runs.watching import DevRow, Metrics, RunInfo

Columns = dict[str, list[str]]


def outcome_columns(pairs: tuple[tuple[RunInfo, Metrics], tuple[RunInfo, Metrics]]) -> Columns:
    """Give the table of what two runs measured, a row for each figure."""
    first, second = (figures_of(run, metrics) for run, metrics in pairs)
    names = list(dict.fromkeys([*first, *second]))
    return {
        "figure": names,
        pairs[0][0].name: [first.get(name, NO_SCORE) for name in names],
        pairs[1][0].name: [second.get(name, NO_SCORE) for name in names],
    }


def figures_of(run: RunInfo, metrics: Metrics) -> dict[str, str]:
    """Give the figures of a run as text."""
    last = metrics.steps[-1] if metrics.steps else None
    figures = {
        "state": short_state(run),
        "step": f"{run.beat.step:,}",
        "last loss per action": f"{last.loss:.4f}" if last else NO_FIGURE,
        "last actions/s": f"{last.actions_per_second:,.0f}" if last else NO_FIGURE,
        "best epoch": str(metrics.best.epoch) if metrics.best else NO_SCORE,
    }
    figures |= _scores("best epoch", metrics.best)
    return figures | _scores("averaged", metrics.averaged)


def _scores(of: str, row: DevRow | None) -> dict[str, str]:
    if row is None:
        return {}
    return {f"{of}: Smatch {short_dev(n)}": f"{100 * score:.1f}" for n, score in row.scores.items()}
