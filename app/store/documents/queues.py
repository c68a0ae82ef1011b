"""Queues: sentences of some documents under filters, in an order, a page of them at a time.

The database filters, sorts and counts; only what is asked for is read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from app.store.documents.listing import SentenceFilter, conditions, sentence_columns, with_claims
from app.store.records.database import reading
from app.store.records.folding import to_microseconds
from app.store.records.rows import SentenceRow
from app.store.records.tables import scores, sentences

RANDOM = "random"
"""The order at random: each time the same one."""
_LAST = 1e300
"""Stands for a figure that is not there: those sentences come last."""
_PRIME = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Queue:
    """What a queue consists of.

    Attributes:
        documents: By number; they are taken to be listed.
        chosen: Which of their sentences.
        order: The name of the figure by which they come, or ``RANDOM``; empty as in the files.
        is_large_first: Whether the largest figure comes first.
    """

    documents: tuple[int, ...]
    chosen: SentenceFilter = SentenceFilter()
    order: str = ""
    is_large_first: bool = False


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A sentence of a queue with the figure it is sorted by; None where there is none."""

    sentence: SentenceRow
    doubt: float | None


class Queues:
    """The queues of a store.

    Args:
        engine: Of the store.
        clock: Gives the time, UTC: it tells which claims hold.
    """

    def __init__(self, engine: Engine, clock: Callable[[], datetime]) -> None:
        self._engine = engine
        self._clock = clock

    def rows(self, queue: Queue, start: int = 0, limit: int | None = None) -> tuple[QueueRow, ...]:
        """Give rows of a queue in order: at most ``limit`` from place ``start``, from 0."""
        now, figure = self._now(), _figure(queue)
        with reading(self._engine) as connection:
            # Places first, rows then: what is sorted is narrow.
            place = _places(queue, now).offset(start).limit(limit).subquery()
            query = (
                with_claims(sa.select(*sentence_columns(), figure.label("figure")), now)
                .join(place, place.c.id == sentences.c.id)
                .order_by(*_keys(queue))
            )
            found = connection.execute(_with_figures(query, queue)).mappings()
            return tuple(_queue_row(dict(row)) for row in found)

    def ids(
        self,
        queue: Queue,
        *,
        after: int | None = None,
        before: int | None = None,
        limit: int | None = None,
    ) -> tuple[int, ...]:
        """Give the numbers of sentences in order.

        Args:
            queue: Which.
            after: Only those that come after this sentence, which need not be one of them.
            before: Only those that come before this one, the nearest first.
            limit: At most so many.
        """
        with reading(self._engine) as connection:
            query = _places(queue, self._now(), is_reversed=before is not None)
            here = after if before is None else before
            if here is not None:
                keys, at = sa.tuple_(*_keys(queue)), self._at(connection, queue, here)
                query = query.where(keys < at if before is not None else keys > at)
            return tuple(connection.execute(query.limit(limit)).scalars())

    def count(self, queue: Queue) -> int:
        """Count the sentences of a queue."""
        asked = replace(queue, order="")
        places = _places(asked, self._now()).order_by(None).subquery()
        with reading(self._engine) as connection:
            return int(
                connection.execute(sa.select(sa.func.count()).select_from(places)).scalar_one()
            )

    def missing(self, queue: Queue) -> dict[int, int]:
        """Count by document the sentences that lack the figure of the order."""
        query = _with_figures(with_claims(_only(queue), self._now()), queue)
        asked = query.with_only_columns(sentences.c.document, sa.func.count().label("number"))
        asked = asked.where(scores.c.value.is_(None)).group_by(sentences.c.document)
        with reading(self._engine) as connection:
            found = connection.execute(asked).all()
        return {row.document: row.number for row in found}

    def _now(self) -> int:
        return to_microseconds(self._clock())

    def _at(self, connection: Connection, queue: Queue, here: int) -> Any:
        """Give the place of a sentence in the order of a queue."""
        query = _with_figures(sa.select(*_keys(queue)).select_from(sentences), queue)
        found = connection.execute(query.where(sentences.c.id == here)).one()
        return sa.tuple_(*(sa.literal(value) for value in found))


def _queue_row(row: dict[str, Any]) -> QueueRow:
    figure = row.pop("figure")
    return QueueRow(SentenceRow(**row), figure)


def _only(queue: Queue) -> sa.Select[Any]:
    """Ask for the numbers of the sentences of a queue."""
    is_of = sentences.c.document.in_(queue.documents)
    return sa.select(sentences.c.id).where(is_of, *conditions(queue.chosen))


def _places(queue: Queue, now: int, *, is_reversed: bool = False) -> sa.Select[Any]:
    """Ask for the numbers of the sentences of a queue, in order."""
    query = _only(queue)
    if queue.chosen.free_for is not None:
        query = with_claims(query, now)
    keys = _keys(queue)
    return _with_figures(query, queue).order_by(
        *(key.desc() for key in keys) if is_reversed else keys
    )


def _with_figures(query: sa.Select[Any], queue: Queue) -> sa.Select[Any]:
    if queue.order in ("", RANDOM):
        return query
    is_figure = (scores.c.sentence == sentences.c.id) & (scores.c.name == queue.order)
    return query.outerjoin(scores, is_figure)


def _figure(queue: Queue) -> sa.ColumnElement[Any]:
    return sa.null() if queue.order in ("", RANDOM) else scores.c.value


def _keys(queue: Queue) -> tuple[sa.ColumnElement[Any], ...]:
    """Give what a queue is sorted by; the last of it tells all sentences apart."""
    as_filed = (sentences.c.document, sentences.c.number)
    if queue.order == "":
        return as_filed
    if queue.order == RANDOM:
        return (_chance(), sentences.c.id)
    figure = -scores.c.value if queue.is_large_first else scores.c.value
    return (sa.func.coalesce(figure, _LAST), *as_filed)


def _chance() -> sa.ColumnElement[int]:
    """Give a number that looks like chance: a line, squared twice, each modulo a prime."""
    line = (sa.cast(sentences.c.id, sa.BigInteger) * 1_103_515_245 + 12_345) % _PRIME
    square = line * line % _PRIME
    return square * square % _PRIME
