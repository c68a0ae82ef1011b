"""The address of what the Correct page shows: a sentence, who is at work, what comes next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from app.addresses.codec import LINE, TEXT, choice, choices, integer, numbers, parameter
from app.addresses.queue import EXTRAS, FIELDS, ORDERS, STATUSES, Extra, Field, Order
from app.store.log.operations import Status

Span = Literal["document", "all"]
MAX_CHOSEN = 4_000
"""Characters in which an address says which sentences were chosen."""


@dataclass(frozen=True, slots=True)
class CorrectLink:
    """What an address asks for.

    Attributes:
        sentence: The sentence's number in the store; None stands for the first open one.
        person: Who is at work; empty where it does not say.
        order: In which order the sentences of its document come; by doubt as in the queue,
            at random, or as in the file.
        extra: What the next sentence has to be, as in the queue; empty for any.
        status: Of which status the next one has to be; empty for any.
        span: Whether the next one may be in any document, or in this one only.
        field: Where a search looks that the next one has to be a hit of.
        wanted: What it looks for; empty for nothing.
        chosen: The sentences that are gone through, by number; empty for all.
    """

    sentence: int | None = parameter(
        None, integer(most=10**15 - 1), damage="The address names no sentence: {!r}."
    )
    person: str = parameter("", LINE)
    order: Order = parameter("file", choice(ORDERS))
    extra: tuple[Extra, ...] = parameter((), choices(EXTRAS), key="only")
    status: tuple[Status, ...] = parameter((), choices(STATUSES))
    span: Span = parameter("document", choice(get_args(Span)), key="of")
    field: Field = parameter("text", choice(FIELDS), key="in")
    wanted: str = parameter("", TEXT, key="find")
    chosen: tuple[int, ...] = parameter((), numbers(MAX_CHOSEN), key="rows")
