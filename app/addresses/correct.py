"""The address of what the Correct page shows: a sentence, who is at work, what comes next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.addresses.queue import ORDERS, Order

MAX_DIGITS = 15
"""Longest number of a sentence that is read."""


@dataclass(frozen=True, slots=True)
class CorrectLink:
    """What an address asks for.

    Attributes:
        sentence: The sentence's number in the store; None stands for the first open one.
        person: Who is at work; empty where it does not say.
        order: In which order the sentences of its document come; by doubt as in the queue,
            at random, or as in the file.
        problem: What of the address could not be followed; empty if all could.
    """

    sentence: int | None = None
    person: str = ""
    order: Order = "file"
    problem: str = ""


def parse_correct_link(parameters: Mapping[str, str]) -> CorrectLink:
    """Read query parameters; what cannot be read is named."""
    text = parameters.get("sentence", "").strip()
    person = " ".join(parameters.get("person", "").split())
    order: Order = next((name for name in ORDERS if name == parameters.get("order")), "file")
    if not text:
        return CorrectLink(None, person, order)
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS):
        problem = f"The address names no sentence: {text[:40]!r}."
        return CorrectLink(None, person, order, problem)
    return CorrectLink(int(text), person, order)


def format_correct_link(link: CorrectLink) -> dict[str, str]:
    """Give the query parameters of a link."""
    parameters = {}
    if link.sentence is not None:
        parameters["sentence"] = str(link.sentence)
    if link.person:
        parameters["person"] = link.person
    if link.order != "file":
        parameters["order"] = link.order
    return parameters
