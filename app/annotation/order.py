"""Correct follows the order and the filters of the queue."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.addresses.queue import Extra, Order
from app.store.documents.listing import SentenceFilter
from app.store.log.operations import Status
from app.store.records.rows import SentenceRow
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


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A sentence of the queue with its doubt; None where that is not worked out yet."""

    sentence: SentenceRow
    doubt: float | None


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


def ordered(
    rows: Sequence[SentenceRow], scores: Mapping[int, Mapping[str, float]], order: Order
) -> tuple[QueueRow, ...]:
    """Put sentences in order, the most doubtful first; those without a value come last.

    Args:
        rows: In the order of the files.
        scores: The figures of each sentence, by name.
        order: By what.
    """
    name = MEASURES.get(order)
    found = [QueueRow(row, scores.get(row.id, {}).get(name) if name else None) for row in rows]
    if order == "random":
        return tuple(sorted(found, key=lambda row: _chance(row.sentence.id)))
    if name is None:
        return tuple(found)
    sign = 1 if name in SMALL_IS_DOUBTFUL else -1
    known = [row for row in found if row.doubt is not None]
    known.sort(key=lambda row: sign * (row.doubt or 0.0))
    return (*known, *(row for row in found if row.doubt is None))


def _chance(sentence: int) -> bytes:
    """Give a key that sorts sentences at random, but each time the same way."""
    return hashlib.sha256(f"queue {sentence}".encode()).digest()
