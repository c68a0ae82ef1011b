"""The address of a moment: sentence and step in the query parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.views.limits import MAX_BEAM


@dataclass(frozen=True, slots=True)
class Link:
    """What an address asks for.

    Attributes:
        sentence: The sentence; None where the address names none.
        step: Position of the action to show; None stands for the last.
        beam: Beam width, in hypotheses; None stands for the default.
    """

    sentence: str | None = None
    step: int | None = None
    beam: int | None = None


def parse_link(parameters: Mapping[str, str]) -> Link:
    """Read query parameters; a number that cannot be read counts as absent."""
    beam = _number(parameters.get("beam"))
    return Link(
        sentence=parameters.get("sentence"),
        step=_number(parameters.get("step")),
        beam=beam if beam is not None and 1 <= beam <= MAX_BEAM else None,
    )


def format_link(link: Link) -> dict[str, str]:
    """Write query parameters, without those that say nothing."""
    named = {"sentence": link.sentence, "step": link.step, "beam": link.beam}
    return {name: str(value) for name, value in named.items() if value is not None}


def clamp_step(step: int | None, num_steps: int) -> int:
    """Bring a step into a trace: None and anything past the end give the last one."""
    last = max(0, num_steps - 1)
    return last if step is None else min(max(0, step), last)


def _number(text: str | None) -> int | None:
    if text is None or not text.isascii() or not text.isdigit() or len(text) > 9:
        return None
    return int(text)
