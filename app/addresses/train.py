"""The address of the Train page: which view, and which runs it shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

View = Literal["runs", "new", "compare"]


@dataclass(frozen=True, slots=True)
class TrainLink:
    """What an address asks for; names are checked where they are looked up.

    Attributes:
        view: Watch a run, launch one, or compare two.
        run: Name of the run that is watched, or the first that is compared.
        other: Name of the second run that is compared.
    """

    view: View = "runs"
    run: str | None = None
    other: str | None = None


def parse_train_link(parameters: Mapping[str, str]) -> TrainLink:
    """Read query parameters; what cannot be read counts as absent."""
    named = parameters.get("view")
    view = next((known for known in get_args(View) if known == named), "runs")
    return TrainLink(view, parameters.get("run") or None, parameters.get("other") or None)


def format_train_link(link: TrainLink) -> dict[str, str]:
    """Write query parameters, without those that say nothing."""
    named = {
        "view": None if link.view == "runs" else link.view,
        "run": link.run,
        "other": link.other if link.view == "compare" else None,
    }
    return {name: value for name, value in named.items() if value}
