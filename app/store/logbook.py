"""Lines of the log: written, and found again when a request comes twice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from app.store.folding import to_microseconds
from app.store.operations import Acknowledged, Answer, Operation, Refused, Request, text_of
from app.store.tables import operations, sentences

_SAME = sa.select(operations.c.revision, operations.c.what).where(
    operations.c.sentence == sa.bindparam("of"),
    operations.c.person == sa.bindparam("by"),
    operations.c.request == sa.bindparam("name"),
)
_INSERT = operations.insert()
_UPDATE = sentences.update().where(sentences.c.id == sa.bindparam("of"))


def answer_before(
    connection: Connection, sentence: int, person: str, request: Request
) -> Answer | None:
    """Give the answer to a request that was applied before; None if it was not.

    The same name with another operation is refused: acknowledging it would lose it.
    """
    named = {"of": sentence, "by": person, "name": request.id}
    row = connection.execute(_SAME, named).first()
    if row is None:
        return None
    if text_of(request.what) != row.what:
        return Refused(request.id, f"the name {request.id} belongs to another operation")
    return Acknowledged(request.id, row.revision)


def write_operation(
    connection: Connection, operation: Operation, columns: Mapping[str, Any]
) -> None:
    """Write an operation, and the columns of its sentence that are read off the log."""
    connection.execute(
        _INSERT,
        {
            "sentence": operation.sentence,
            "revision": operation.revision,
            "request": operation.id,
            "person": operation.person,
            "tab": operation.tab,
            "base": operation.base,
            "target": operation.target,
            "at": to_microseconds(operation.at),
            "what": text_of(operation.what),
        },
    )
    connection.execute(_UPDATE, {"of": operation.sentence, **columns})
