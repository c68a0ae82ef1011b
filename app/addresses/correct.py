"""The address of what the Correct page shows: a sentence, who is at work, what comes next."""

from __future__ import annotations

from dataclasses import dataclass

from app.addresses.codec import LINE, choice, choices, integer, parameter
from app.addresses.queue import EXTRAS, ORDERS, Extra, Order


@dataclass(frozen=True, slots=True)
class CorrectLink:
    """What an address asks for.

    Attributes:
        sentence: The sentence's number in the store; None stands for the first open one.
        person: Who is at work; empty where it does not say.
        order: In which order the sentences of its document come; by doubt as in the queue,
            at random, or as in the file.
        extra: What the next sentence has to be, as in the queue; empty for any.
    """

    sentence: int | None = parameter(
        None, integer(most=10**15 - 1), damage="The address names no sentence: {!r}."
    )
    person: str = parameter("", LINE)
    order: Order = parameter("file", choice(ORDERS))
    extra: tuple[Extra, ...] = parameter((), choices(EXTRAS), key="only")
