"""The address of the Train page: which view, and which runs it shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from app.addresses.codec import NAME, choice, parameter

View = Literal["runs", "new", "compare"]


@dataclass(frozen=True, slots=True)
class TrainLink:
    """What an address asks for; names are checked where they are looked up.

    Attributes:
        view: Watch a run, launch one, or compare two.
        run: Name of the run that is watched, or the first that is compared.
        other: Name of the second run that is compared.
    """

    view: View = parameter("runs", choice(get_args(View)))
    run: str | None = parameter(None, NAME)
    other: str | None = parameter(None, NAME)
