"""Charts of runs as Vega-Lite specifications; their lines differ in dashes, not only colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trainer.runs.watching import Metrics

MAX_POINTS = 400
"""Most points of one line; more could not be told apart."""

HEIGHT, LEGEND, LEGEND_ROW = 200, 60, 22
"""Heights of a chart, of the space around its legend and of a row of it, in pixels."""

Rows = list[dict[str, Any]]


def step_rows(runs: Mapping[str, Metrics], measure: str) -> Rows:
    """Give the points of a measure of training steps.

    Args:
        runs: Metrics by the name of the run.
        measure: ``loss``, ``learning_rate`` or ``actions_per_second``.
    """
    rows = []
    for name, metrics in runs.items():
        for row in thinned(metrics.steps):
            values = {
                "loss": row.loss,
                "learning_rate": row.learning_rate,
                "actions_per_second": row.actions_per_second,
            }
            rows.append({"line": name, "x": row.step, "y": values[measure]})
    return rows


def dev_rows(runs: Mapping[str, Metrics]) -> Rows:
    """Give the Smatch points after epochs, a line for each run and dev set."""
    rows = []
    for name, metrics in runs.items():
        for row in thinned(metrics.dev):
            for dev, score in row.scores.items():
                line = short_dev(dev) if len(runs) == 1 else f"{name}: {short_dev(dev)}"
                rows.append({"line": line, "x": row.epoch, "y": 100 * score})
    return rows


def thinned(rows: Sequence[Any]) -> Sequence[Any]:
    """Leave out points evenly where there are too many; the last one stays."""
    every = -(-len(rows) // MAX_POINTS) if rows else 1
    return rows[::-every][::-1] if every > 1 else rows


def short_dev(name: str) -> str:
    """Name a dev file shortly: its folder and file without the ending."""
    parts = name.split("/")
    stem = parts[-1].rpartition(".")[0] or parts[-1]
    return f"{parts[0]}/{stem}" if len(parts) > 1 else stem


def line_chart(
    x_title: str, y_title: str, num_lines: int, *, has_legend: bool, has_points: bool
) -> dict[str, Any]:
    """Give the specification of a line chart over rows of ``line``, ``x`` and ``y``.

    Args:
        x_title: What the lower axis counts.
        y_title: What is measured; the page writes it above the chart.
        num_lines: How many lines there are.
        has_legend: Whether the lines are named below the chart.
        has_points: Whether each point is marked.
    """
    x = {"field": "x", "type": "quantitative", "title": x_title, "axis": {"tickMinStep": 1}}
    y = {"field": "y", "type": "quantitative", "title": None, "scale": {"zero": False}}
    encoding: dict[str, Any] = {
        "x": x,
        "y": y,
        "tooltip": [
            {"field": "line", "type": "nominal", "title": "line"},
            {"field": "x", "type": "quantitative", "title": x_title},
            {"field": "y", "type": "quantitative", "title": y_title, "format": ".4~g"},
        ],
    }
    if has_legend:
        # At the top and in rows: below the axis it takes the height of the curves.
        legend = {
            "orient": "top",
            "title": None,
            "direction": "horizontal",
            "columns": 2,
            "labelLimit": 240,
            "symbolType": "stroke",
            "symbolSize": 400,
        }
        encoding["strokeDash"] = {"field": "line", "type": "nominal", "legend": legend}
        encoding["color"] = {"field": "line", "type": "nominal", "legend": legend}
    return {
        "mark": {"type": "line", "point": has_points},
        "encoding": encoding,
        "height": HEIGHT + (LEGEND + LEGEND_ROW * (-(-num_lines // 2)) if has_legend else 0),
    }
