"""The address of the Queue page: which document, in which order, and what is left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from app.addresses.codec import LINE, TEXT, choice, choices, integer, parameter
from app.store.log.operations import Status

Field = Literal["text", "concept", "role", "pattern"]


FIELDS: tuple[Field, ...] = get_args(Field)

View = Literal["queue", "search", "import", "progress"]
Order = Literal["margin", "lowest", "entropy", "surprise", "disagreement", "random", "file"]
Extra = Literal["flagged", "apart", "edited", "mine", "nobody"]
STATUSES: tuple[Status, ...] = get_args(Status)
EXTRAS: tuple[Extra, ...] = get_args(Extra)
ORDERS: tuple[Order, ...] = get_args(Order)


@dataclass(frozen=True, slots=True)
class QueueLink:
    """What an address asks for.

    Attributes:
        view: Which part of the page.
        document: Number of a document; None for all.
        order: By which measure of doubt, at random, or as in the file.
        status: Sentences of these only; empty for all.
        extra: Sentences to which all of these apply.
        field: Where the search looks.
        wanted: What it looks for; empty for nothing.
        template: What a rewrite puts in the place of a pattern.
        person: Who is at work; empty where it does not say.
    """

    view: View = parameter("queue", choice(get_args(View)))
    document: int | None = parameter(None, integer())
    order: Order = parameter("margin", choice(ORDERS))
    status: tuple[Status, ...] = parameter(("open",), choices(STATUSES, none="all"))
    extra: tuple[Extra, ...] = parameter((), choices(EXTRAS), key="only")
    field: Field = parameter("text", choice(FIELDS), key="in")
    wanted: str = parameter("", TEXT, key="find")
    template: str = parameter("", TEXT)
    person: str = parameter("", LINE)
