"""Charts of what runs measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pandas as pd

from trainer.runs.watching import Metrics

if TYPE_CHECKING:
    import altair as alt

MAX_POINTS = 400
"""Most points of one line; more could not be told apart."""
MAX_MARKED = 60
"""Fewer points of a chart than this are marked."""

HEIGHT, LEGEND, LEGEND_ROW = 200, 60, 22
"""Heights of a chart, of the space around its legend and of a row of it, in pixels."""


def step_frame(runs: Mapping[str, Metrics]) -> pd.DataFrame:
    """Give what runs measured at training steps; ``line`` is the name of the run."""
    return pd.DataFrame(
        [
            {"line": name, **asdict(row)}
            for name, metrics in runs.items()
            for row in thinned(metrics.steps)
        ],
        columns=["line", "step", "loss", "learning_rate", "actions_per_second"],
    )


def dev_frame(runs: Mapping[str, Metrics]) -> pd.DataFrame:
    """Give the Smatch after epochs, of 100; ``line`` names a run and a dev set."""
    return pd.DataFrame(
        [
            (short_dev(dev) if len(runs) == 1 else f"{name}: {short_dev(dev)}", row.epoch, 100 * f1)
            for name, metrics in runs.items()
            for row in thinned(metrics.dev)
            for dev, f1 in row.scores.items()
        ],
        columns=["line", "epoch", "smatch"],
    )


def thinned(rows: Sequence[Any]) -> Sequence[Any]:
    """Leave out points evenly where there are too many; the last one stays."""
    every = -(-len(rows) // MAX_POINTS) if rows else 1
    return rows[::-every][::-1] if every > 1 else rows


def short_dev(name: str) -> str:
    """Name a dev file shortly: its folder and file without the ending."""
    parts = name.split("/")
    stem = parts[-1].rpartition(".")[0] or parts[-1]
    return f"{parts[0]}/{stem}" if len(parts) > 1 else stem


def line_chart(frame: pd.DataFrame, x: str, y: str, title: str, *, has_legend: bool) -> alt.Chart:
    """Give a line chart; the lines differ in dashes, not only in colour.

    Args:
        frame: The points; ``line`` names the line of each.
        x: The column that the lower axis counts.
        y: The column that is measured.
        title: What that is; the page writes it above the chart.
        has_legend: Whether the lines are named above them.
    """
    import altair as alt  # here: it takes as long as pandas, and only charts need it

    rows = -(-frame["line"].nunique() // 2) if has_legend else 0
    height = HEIGHT + (LEGEND + LEGEND_ROW * rows if has_legend else 0)
    base = alt.Chart(frame[["line", x, y]], height=height)
    chart: alt.Chart = base.mark_line(point=len(frame) < MAX_MARKED).encode(
        alt.X(x, type="quantitative").axis(tickMinStep=1),
        alt.Y(y, type="quantitative").title(None).scale(zero=False),
        tooltip=["line", x, alt.Tooltip(y, title=title, format=".4~g")],
    )
    if has_legend:
        # At the top and in rows: below the axis it takes the height of the curves.
        legend = alt.Legend(
            orient="top",
            title=None,
            direction="horizontal",
            columns=2,
            labelLimit=240,
            symbolType="stroke",
            symbolSize=400,
        )
        chart = chart.encode(
            alt.StrokeDash("line", legend=legend), alt.Color("line", legend=legend)
        )
    return chart
