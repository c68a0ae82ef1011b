"""Correct follows the order and the filters of the queue."""

from __future__ import annotations

from collections.abc import Sequence

from app.addresses.queue import Extra, Order
from app.store.documents.listing import SentenceFilter
from app.store.documents.queues import RANDOM, Queue
from app.store.log.operations import Status
from aptcore.advice.doubt import SMALL_IS_DOUBTFUL, Measure

MEASURES: dict[Order, Measure] = {
    "margin": "narrow margin",
    "lowest": "lowest probability",
    "entropy": "mean entropy",
    "surprise": "mean surprise",
    "disagreement": "disagreement",
}
"""The name under which the store keeps each measure of doubt."""


EXTRA_NAMES: dict[Extra, str] = {
    "flagged": "flagged",
    "apart": "with a problem",
    "edited": "changed",
    "mine": "assigned to me",
    "nobody": "assigned to nobody",
}
"""What each filter is called."""


def filter_of(status: Sequence[Status], extra: Sequence[Extra], person: str) -> SentenceFilter:
    """Give the filter that an address asks the store for; no status stands for all."""
    assigned = "" if "nobody" in extra else None
    return SentenceFilter(
        status=tuple(status) or None,
        flagged="flagged" in extra,
        apart="apart" in extra,
        edited="edited" in extra,
        assigned=person if "mine" in extra else assigned,
    )


def queue_of(documents: Sequence[int], chosen: SentenceFilter, order: Order) -> Queue:
    """Give a queue, the most doubtful first; sentences without a value come last."""
    measure = MEASURES.get(order)
    if measure is None:
        return Queue(tuple(documents), chosen, RANDOM if order == "random" else "")
    return Queue(tuple(documents), chosen, measure, measure not in SMALL_IS_DOUBTFUL)
