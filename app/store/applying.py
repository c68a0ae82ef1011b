"""Requests answered inside a transaction; ``Store.apply`` and bulk work both come here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy.engine import Connection, Engine, RowMapping

from app.store import claiming
from app.store.log.deciding import decide, difference, refusal_of
from app.store.log.operations import Acknowledged, Answer, Conflict, Refused, Request
from app.store.records.database import writing
from app.store.records.folding import (
    FoldCache,
    Held,
    columns_of,
    held_of,
    log_of,
    row_of,
    to_microseconds,
)
from app.store.records.logbook import answer_before, write_operations

CLAIM_TIME = timedelta(minutes=10)
"""How long a claim holds; work on the sentence renews it."""


class Writer:
    """Answers requests, and writes what it acknowledges.

    Args:
        engine: Of the store's database.
        cache: The last folds; what was written is put there once it is committed.
        clock: Gives the time, UTC.
    """

    def __init__(self, engine: Engine, cache: FoldCache, clock: Callable[[], datetime]) -> None:
        self._engine = engine
        self._cache = cache
        self._clock = clock

    def apply_all(
        self, person: str, tab: str, requests: Sequence[tuple[int, Request]]
    ) -> tuple[Answer, ...]:
        """Do what requests ask for, each of a sentence, with one commit."""
        after, answers = dict[int, Held](), list[Answer]()
        with writing(self._engine) as connection:
            for number, request in requests:
                answer, held = self.answer(connection, number, person, tab, request)
                answers.append(answer)
                after |= held
        self.committed(after)
        return tuple(answers)

    def committed(self, after: Mapping[int, Held]) -> None:
        """Keep in memory what is on disk now, by sentence."""
        for number, held in after.items():
            self._cache.put(number, held)

    def answer(
        self,
        connection: Connection,
        sentence: int,
        person: str,
        tab: str,
        request: Request,
        *,
        at_newest: bool = False,
    ) -> tuple[Answer, dict[int, Held]]:
        """Do what a request asks for, in a transaction that writes.

        Args:
            connection: In the transaction.
            sentence: Its number.
            person: Who asks.
            tab: From where.
            request: What for.
            at_newest: Whether it is meant of whatever stands there, not of its own revision.

        Returns:
            The answer, and what :meth:`committed` is to be told once it is on disk.

        Raises:
            StoreError: There is no such sentence, or its log does not replay.
        """
        refused = refusal_of(person, tab, request)
        if refused is not None:
            return refused, {}
        row = row_of(connection, sentence, lock=True)
        if at_newest:
            request = replace(request, base=row["revision"])
        answer, held = self._answered(connection, row, person, tab, request)
        return answer, {sentence: held}

    def _answered(
        self, connection: Connection, row: RowMapping, person: str, tab: str, request: Request
    ) -> tuple[Answer, Held]:
        held = held_of(connection, self._cache, row)
        repeated = answer_before(connection, row["id"], person, request)
        if repeated is not None:
            return repeated, held
        log = log_of(connection, row["id"], min(max(request.base, 0), held.folded.revision))
        now = self._clock()
        decided = decide(held.folded, log, row["id"], person, tab, request, now)
        if isinstance(decided, Refused):
            return decided, held
        if isinstance(decided, Conflict):
            found = difference(held.folded.start, log_of(connection, row["id"]), request.base)
            return replace(decided, difference=found), held
        operation, folded = decided
        write_operations(connection, [operation], columns_of(row["reason"], folded))
        claiming.renew(connection, row["id"], person, to_microseconds(now + CLAIM_TIME))
        return Acknowledged(request.id, operation.revision), replace(held, folded=folded)
