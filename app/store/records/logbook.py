"""Lines of the log: written, and found again when a request comes twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from app.store.log.operations import Acknowledged, Answer, Operation, Refused, Request, text_of
from app.store.records.folding import operation_of, to_microseconds
from app.store.records.tables import operations, sentences

_SAME = sa.select(operations).where(
    operations.c.sentence == sa.bindparam("of"),
    operations.c.person == sa.bindparam("by"),
    operations.c.request == sa.bindparam("name"),
)
_INSERT = operations.insert()
_UPDATE = sentences.update().where(sentences.c.id == sa.bindparam("of"))


def applied_before(
    connection: Connection, sentence: int, person: str, name: str
) -> Operation | None:
    """Find the operation that a person's request of this name became; None if there is none."""
    named = {"of": sentence, "by": person, "name": name}
    row = connection.execute(_SAME, named).mappings().first()
    return None if row is None else operation_of(row)


def answer_before(
    connection: Connection, sentence: int, person: str, request: Request
) -> Answer | None:
    """Give the answer to a request that was applied before; None if it was not.

    The same name with another operation is refused: acknowledging it would lose it.
    """
    applied = applied_before(connection, sentence, person, request.id)
    if applied is None:
        return None
    if text_of(request.what) != text_of(applied.what):
        return Refused(request.id, f"the name {request.id} belongs to another operation")
    return Acknowledged(request.id, applied.revision)


def write_operations(
    connection: Connection, written: Sequence[Operation], columns: Mapping[str, Any]
) -> None:
    """Write operations on one sentence, at least one, and its columns that the log gives."""
    connection.execute(_INSERT, [_row_of(operation) for operation in written])
    connection.execute(_UPDATE, {"of": written[0].sentence, **columns})


def _row_of(operation: Operation) -> dict[str, Any]:
    return {
        "sentence": operation.sentence,
        "revision": operation.revision,
        "request": operation.id,
        "person": operation.person,
        "tab": operation.tab,
        "base": operation.base,
        "target": operation.target,
        "at": to_microseconds(operation.at),
        "what": text_of(operation.what),
    }
