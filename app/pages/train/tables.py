"""The tables of the Train page: all runs, and two of them side by side."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import pandas as pd

from app.pages.train.charts import short_dev
from app.pages.train.watch import NO_FIGURE, NO_SCORE, short_state
from trainer.runs.watching import DevRow, Difference, Metrics, RunInfo

Measured = tuple[RunInfo, Metrics]


def run_frame(found: Sequence[Measured]) -> pd.DataFrame:
    """Give runs as a table; a score that is not there yet is missing, and times are local."""
    runs = [run for run, _ in found]
    best = [100 * metrics.best.mean if metrics.best else None for _, metrics in found]
    return pd.DataFrame(
        {
            "run": [run.name for run in runs],
            "state": [short_state(run) for run in runs],
            "step": [run.beat.step for run in runs],
            "best dev Smatch": pd.array(best, dtype="Float64"),
            "launched": [datetime.fromtimestamp(run.began) for run in runs],
        }
    )


def difference_frame(differing: Sequence[Difference], first: str, second: str) -> pd.DataFrame:
    """Give the settings in which two runs differ, a row for each."""
    values = [(one.first, one.second) for one in differing]
    settings = pd.Index([one.setting for one in differing], name="setting")
    return pd.DataFrame(values, index=settings, columns=[first, second])


def outcome_frame(first: Measured, second: Measured) -> pd.DataFrame:
    """Give what two runs measured, a row for each figure."""
    figures = {run.name: figures_of(run, metrics) for run, metrics in (first, second)}
    return pd.DataFrame(figures).fillna(NO_SCORE).rename_axis("figure")


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
