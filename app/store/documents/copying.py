"""Copies of a document: made for people who annotate blind, removed, brought back.

A removed copy is in no list, no count and no comparison, and nothing can be written on
it. Its rows and its log stay, so that it can be brought back as it was. A document on
which nobody has worked can be put away in the same way.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, RowMapping

from app.store.documents.importing import FRESH, check_document_name, check_name_free
from app.store.documents.listing import document_row, full_rows
from app.store.records.rows import CopyRow
from app.store.records.tables import documents, jobs, sentences
from app.store.records.texts import decoded, graph_of, record_of, terms_of
from aptcore.errors import StoreError


def copy_document(connection: Connection, document: int, name: str, person: str, at: int) -> int:
    """Copy a document as imported; ``at`` in microseconds. Gives the copy's number.

    Raises:
        StoreError: There is no such document, it is itself a copy, or the name is taken.
    """
    check_document_name(name)
    check_name_free(connection, name)
    values = dict(document_row(connection, document))
    if values["copy_of"] is not None:
        raise StoreError(f"{values['name']!r} is itself a copy: copy the document it was made of")
    del values["id"]
    values |= {"name": name, "person": person, "copy_of": document, "at": at}
    query = documents.insert().values(**values).returning(documents.c.id)
    copy = int(connection.execute(query).scalar_one())
    kept = ("number", "name", "text", "line", "before", "raw", "reason")
    rows = [
        {**{column: row[column] for column in kept}, **FRESH}
        | {"document": copy, "apart": row["reason"], "terms": _terms(row)}
        for row in full_rows(connection, document)
    ]
    if rows:
        connection.execute(sentences.insert(), rows)
    return copy


def _terms(row: RowMapping) -> str | None:
    """Give the terms of a sentence's graph as imported."""
    if row["is_edited"]:
        return terms_of(graph_of(record_of(decoded(row["raw"]))))
    found: str | None = row["terms"]
    return found


def copy_name(document: str, person: str) -> str:
    """Name a person's copy of a document."""
    stem, dot, ending = document.rpartition(".")
    return f"{stem}.{person}{dot}{ending}" if stem else f"{document}.{person}"


def copies_of(connection: Connection, document: int) -> tuple[CopyRow, ...]:
    """List the copies of a document with the work on each, the removed ones too."""
    # Every operation gives its sentence one revision more.
    query = (
        sa.select(
            documents.c.id,
            documents.c.name,
            documents.c.person,
            (documents.c.removed != 0).label("is_removed"),
            sa.func.count(sentences.c.id).label("num_sentences"),
            _number(sentences.c.revision > 0).label("num_touched"),
            _number(sentences.c.status.in_(("accepted", "rejected"))).label("num_submitted"),
            sa.func.coalesce(sa.func.sum(sentences.c.revision), 0).label("num_operations"),
        )
        .outerjoin(sentences, sentences.c.document == documents.c.id)
        .where(documents.c.copy_of == document)
        .group_by(documents.c.id)
        .order_by(documents.c.id)
    )
    return tuple(_copy_row(row) for row in connection.execute(query).mappings())


def _number(condition: sa.ColumnElement[bool]) -> sa.ColumnElement[Any]:
    return sa.func.coalesce(sa.func.sum(sa.case((condition, 1), else_=0)), 0)


def _copy_row(row: RowMapping) -> CopyRow:
    values = dict(row)
    return CopyRow(**values | {"name": _plain_name(row), "is_removed": bool(row["is_removed"])})


def _mark(document: int) -> str:
    """Give what a removed copy's name ends in, so that another may have the name."""
    return f" removed {document}"


def _plain_name(row: RowMapping) -> str:
    return str(row["name"]).removesuffix(_mark(row["id"]))


def _locked_copy(connection: Connection, copy: int, *, is_removed: bool) -> RowMapping:
    is_in_place = documents.c.removed != 0 if is_removed else documents.c.removed == 0
    is_it = (documents.c.id == copy) & documents.c.copy_of.is_not(None) & is_in_place
    row = connection.execute(sa.select(documents).where(is_it).with_for_update()).mappings().first()
    if row is None:
        raise StoreError(f"there is no {'removed ' if is_removed else ''}copy {copy} in the store")
    return row


def remove_copy(connection: Connection, copy: int, num_operations: int, at: int) -> None:
    """Put a copy away; ``at`` in microseconds.

    Raises:
        StoreError: There is no such copy, or there is other work on it than
            ``num_operations``, which the person who asks has been told of.
    """
    row = _locked_copy(connection, copy, is_removed=False)
    found = _work_on(connection, copy)
    if found != num_operations:
        raise StoreError(
            f"{row['person']} has worked on {row['name']!r} meanwhile: it holds {found:,} "
            f"operations, not {num_operations:,}"
        )
    _put_away(connection, row, at)


def remove_document(connection: Connection, document: int, at: int) -> None:
    """Put a document away that nobody has worked on; ``at`` in microseconds.

    Raises:
        StoreError: There is no such document, or there is work on it, or a copy of it.
    """
    row = document_row(connection, document)
    found = _work_on(connection, document)
    if found:
        raise StoreError(f"there is work on {row['name']!r}: it holds {found:,} operations")
    if any(not copy.is_removed for copy in copies_of(connection, document)):
        raise StoreError(f"people have copies of {row['name']!r}: remove those first")
    _put_away(connection, row, at)


def _work_on(connection: Connection, document: int) -> int:
    """Count the operations on a document, and keep others off it until the transaction ends."""
    lock = sa.select(sentences.c.revision).where(sentences.c.document == document)
    return sum(connection.execute(lock.with_for_update()).scalars())


def _put_away(connection: Connection, row: RowMapping, at: int) -> None:
    connection.execute(jobs.delete().where(jobs.c.document == row["id"]))
    mark = _mark(row["id"])
    values = {"name": row["name"][: 200 - len(mark)] + mark, "removed": at}
    connection.execute(documents.update().where(documents.c.id == row["id"]), values)


def restore_copy(connection: Connection, copy: int) -> None:
    """Bring a removed copy back as it was.

    Raises:
        StoreError: There is no such removed copy, or its name or its person has another
            copy of the document by now.
    """
    row = _locked_copy(connection, copy, is_removed=True)
    others = copies_of(connection, row["copy_of"])
    if any(other.person == row["person"] and not other.is_removed for other in others):
        raise StoreError(f"{row['person']} has another copy by now: remove that one first")
    name = _plain_name(row)
    check_name_free(connection, name)
    values = {"name": name, "removed": 0}
    connection.execute(documents.update().where(documents.c.id == copy), values)
