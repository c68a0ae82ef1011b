"""The address of the Queue page: which document, in which order, and what is left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

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
    """

    view: View = "queue"
    document: int | None = None
    order: Order = "margin"
    status: tuple[Status, ...] = ("open",)
    extra: tuple[Extra, ...] = ()
    field: Field = "text"
    wanted: str = ""
    template: str = ""


_FIRST = QueueLink()


def parse_queue_link(parameters: Mapping[str, str]) -> QueueLink:
    """Read query parameters; what cannot be read counts as absent."""
    document = parameters.get("document", "")
    status = parameters.get("status")
    extra = parameters.get("only", "").split(" ")
    return QueueLink(
        view=next((v for v in get_args(View) if v == parameters.get("view")), _FIRST.view),
        document=int(document) if document.isascii() and document.isdigit() else None,
        order=next((o for o in ORDERS if o == parameters.get("order")), _FIRST.order),
        status=_FIRST.status
        if status is None
        else tuple(known for known in STATUSES if known in status.split(" ")),
        extra=tuple(known for known in EXTRAS if known in extra),
        field=next((f for f in FIELDS if f == parameters.get("in")), _FIRST.field),
        wanted=parameters.get("find", ""),
        template=parameters.get("template", ""),
    )


def format_queue_link(link: QueueLink) -> dict[str, str]:
    """Write query parameters, without those that say nothing."""
    named = {
        "view": link.view,
        "document": "" if link.document is None else str(link.document),
        "order": link.order,
        "status": " ".join(link.status) or "all",
        "only": " ".join(link.extra),
        "in": link.field,
        "find": link.wanted,
        "template": link.template,
    }
    first = {
        "view": _FIRST.view,
        "order": _FIRST.order,
        "status": "open",
        "in": _FIRST.field,
    }
    return {k: value for k, value in named.items() if value and value != first.get(k)}
