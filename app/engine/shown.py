"""What is on the Parse & step page, and what it is waiting for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from app.addresses.parse import MODEL_DIGITS, Link
from app.kit.text import escape_markdown, shorten
from aptcore.trace.trace import ModelInfo, Trace, clamp_step

SHOWN_HASH = 12
"""Digits of a model's hash that are shown."""

Origin = Literal["stored", "parsed", "remembered"]


@dataclass(frozen=True, slots=True)
class Shown:
    """The trace on the page.

    Attributes:
        trace: What is stepped through.
        origin: Whether it came with the program, was parsed by the loaded model for this
            request, or was parsed before for the same one.
        start: How many actions are taken where it opens.
        seconds: How long parsing took; 0 for a stored trace.
    """

    trace: Trace
    origin: Origin
    start: int
    seconds: float = 0.0


def shown_at(trace: Trace, origin: Origin, step: int | None = None, seconds: float = 0.0) -> Shown:
    """Show a trace, at its end unless told otherwise."""
    return Shown(trace, origin, clamp_step(step, len(trace.steps)), seconds)


def find_stored(traces: Sequence[Trace], link: Link) -> Trace | None:
    """Give the stored trace that a link names, if there is one and its model made it."""
    for trace in traces:
        is_model = link.model in (None, trace.model.hash[:MODEL_DIGITS])
        if trace.sentence.text == link.sentence and link.beam in (None, trace.beam) and is_model:
            return trace
    return None


def describe_origin(shown: Shown, *, is_stale: bool = False, is_filler: bool = False) -> str:
    """Say in Markdown where the trace comes from, which model made it and on what.

    Args:
        shown: The trace on the page.
        is_stale: Whether another sentence was asked for and is not there.
        is_filler: Whether nobody asked for this one: it fills the page meanwhile.
    """
    made_by = f"{describe_model(shown.trace.model)}, beam {shown.trace.beam}"
    named = f"“{escape_markdown(shorten(shown.trace.sentence.text, 80))}” "
    still = f"{'Meanwhile' if is_filler else 'Still shown'}: {named}" if is_stale else ""
    if shown.origin == "stored":
        return f"{still}**Stored trace**, made earlier by {made_by}."
    is_earlier = is_stale or shown.origin == "remembered"
    when = "Parsed earlier" if is_earlier else "Parsed just now"
    return f"{still}**{when}** in {shown.seconds:.2f} s by {made_by}."


def describe_model(model: ModelInfo) -> str:
    """Name a model in Markdown: id, hash, device and precision of its numbers."""
    parts = (model.id, model.hash[:SHOWN_HASH], model.device, model.precision)
    name, hash_, device, precision = (escape_markdown(part) for part in parts)
    return f"model **{name}** (hash {hash_}) on {device}, {precision}"


def describe_difference(trace: Trace, loaded: ModelInfo) -> str | None:
    """Say that a trace was made by another model than the loaded one; None if by this."""
    if trace.model.hash == loaded.hash:
        return None
    return f"The loaded model is another one: {describe_model(loaded)}."


def describe_other_model(named: str | None, trace: Trace) -> str | None:
    """Say that an address was made with another model than the trace; None if with this.

    Args:
        named: Start of the hash in the address; None where it names none.
        trace: What is shown for it.
    """
    if named is None or named == trace.model.hash[:MODEL_DIGITS]:
        return None
    return (
        f"This link was made with another model (hash {escape_markdown(named)}). What follows "
        f"is by {describe_model(trace.model)}: its steps may differ."
    )


def describe_failure(trace: Trace) -> str | None:
    """Say that a sentence gave no graph; None where it gave one."""
    if not trace.is_failed:
        return None
    return "No concept could be made of this sentence, so there is no graph to draw."
