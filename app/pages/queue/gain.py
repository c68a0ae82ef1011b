"""How much an order by doubt was worth where gold is known: a measured figure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache

from aptcore.assets import asset_path

FILE = "doubt.json"
"""Written by ``python -m benchmarks.doubt``; an asset of the program."""


@lru_cache(maxsize=1)
def _ratios() -> Mapping[str, Mapping[str, float]]:
    """Read the errors per gold triple in the most doubtful quarter, against a random quarter.

    Returns:
        Ratios by measure and set of sentences; none where the program comes without the file.
    """
    path = asset_path(FILE)
    return json.loads(path.read_text(encoding="utf-8"))["ratios"] if path.is_file() else {}


def describe_gain(measure: str) -> str:
    """Say in one line what an order by a measure is worth; empty where it was not measured."""
    ratios = _ratios().get(measure, {})
    if not ratios:
        return ""
    shown = ", ".join(f"{ratio:.1f} times on {name}" for name, ratio in ratios.items())
    return (
        f"Measured where gold is known: the first quarter by {measure} holds more errors per "
        f"triple than a random quarter, {shown}."
    )
