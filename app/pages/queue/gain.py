"""How much an order by doubt was worth where gold is known: a measured figure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from aptcore.assets import asset_path

FILE = "doubt.json"
"""Written by ``python -m benchmarks.doubt``; an asset of the program."""


@dataclass(frozen=True, slots=True)
class Gain:
    """What the benchmark measured.

    Attributes:
        ratios: By measure and set of sentences: errors per gold triple in the most doubtful
            quarter, against a random quarter.
    """

    ratios: Mapping[str, Mapping[str, float]]


@lru_cache(maxsize=1)
def read_gain() -> Gain | None:
    """Read the figures that come with the program; None where there are none."""
    path = asset_path(FILE)
    if not path.is_file():
        return None
    values = json.loads(path.read_text(encoding="utf-8"))
    return Gain(values["ratios"])


def describe_gain(gain: Gain, measure: str) -> str:
    """Say in one line what an order by a measure is worth; empty where it was not measured."""
    ratios = gain.ratios.get(measure, {})
    if not ratios:
        return ""
    shown = ", ".join(f"{ratio:.1f} times on {name}" for name, ratio in ratios.items())
    return (
        f"Measured where gold is known: the first quarter by {measure} holds more errors per "
        f"triple than a random quarter, {shown}."
    )
