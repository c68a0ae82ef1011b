"""The address of what the Correct page shows: a sentence of the store, and who is at work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

MAX_DIGITS = 15
"""Longest number of a sentence that is read."""


@dataclass(frozen=True, slots=True)
class CorrectLink:
    """What an address asks for.

    Attributes:
        sentence: The sentence's number in the store; None stands for the first open one.
        person: Who is at work; empty where it does not say.
        problem: What of the address could not be followed; empty if all could.
    """

    sentence: int | None = None
    person: str = ""
    problem: str = ""


def parse_correct_link(parameters: Mapping[str, str]) -> CorrectLink:
    """Read query parameters; what cannot be read is named."""
    text = parameters.get("sentence", "").strip()
    person = " ".join(parameters.get("person", "").split())
    if not text:
        return CorrectLink(None, person)
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS):
        return CorrectLink(None, person, f"The address names no sentence: {text[:40]!r}.")
    return CorrectLink(int(text), person)


def format_correct_link(link: CorrectLink) -> dict[str, str]:
    """Give the query parameters of a link."""
    parameters = {}
    if link.sentence is not None:
        parameters["sentence"] = str(link.sentence)
    if link.person:
        parameters["person"] = link.person
    return parameters
