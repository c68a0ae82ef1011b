"""Documents and sentences as they are listed and shown."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.engine import Connection, RowMapping

from app.store.log.history import next_redo, next_undo
from app.store.log.operations import Status
from app.store.log.provenance import source_from_json
from app.store.records.folding import Held, apart_of, from_microseconds
from app.store.records.rows import Claim, Document, SentenceRow, StoredSentence
from app.store.records.tables import claims, documents, identity, is_listed, scores, sentences
from aptcore.errors import StoreError
from aptcore.graph.corpus import white_space_tokens

READ_AT_ONCE = 500
"""Whole rows that are held at once."""


@dataclass(frozen=True, slots=True)
class SentenceFilter:
    """Which sentences to list; what is None or false is not asked for.

    Attributes:
        status: One of these.
        flagged: With a flag.
        apart: Kept apart.
        edited: With a graph other than imported.
        assigned: To this person; "" is nobody.
    """

    status: tuple[Status, ...] | None = None
    flagged: bool = False
    apart: bool = False
    edited: bool = False
    assigned: str | None = None


def identity_of(connection: Connection) -> str:
    """Give the name that a store got when it was made."""
    return str(connection.execute(sa.select(identity.c.id)).scalar_one())


def documents_of(connection: Connection) -> tuple[Document, ...]:
    """List all documents that are not removed, in order of import."""
    counts = (
        sa.select(sentences.c.document, sa.func.count().label("number"))
        .group_by(sentences.c.document)
        .subquery()
    )
    query = (
        sa.select(documents, sa.func.coalesce(counts.c.number, 0).label("num_sentences"))
        .outerjoin(counts, counts.c.document == documents.c.id)
        .where(documents.c.removed == 0)
        .order_by(documents.c.id)
    )
    return tuple(
        Document(
            row.id,
            row.name,
            source_from_json(json.loads(row.source)),
            row.person,
            row.copy_of,
            from_microseconds(row.at),
            row.num_sentences,
        )
        for row in connection.execute(query)
    )


def document_row(connection: Connection, document: int) -> RowMapping:
    """Read a row of ``documents``.

    Raises:
        StoreError: There is none, or it is removed.
    """
    query = sa.select(documents).where(documents.c.id == document, documents.c.removed == 0)
    row = connection.execute(query).mappings().first()
    if row is None:
        raise StoreError(f"there is no document {document} in the store")
    return row


_HIDDEN = ("before", "raw", "reason", "carried", "last_at")
_SHOWN = [column for column in sentences.c if column.name not in _HIDDEN]


def sentence_rows(
    connection: Connection, document: int | None, chosen: SentenceFilter, now: int
) -> tuple[SentenceRow, ...]:
    """List sentences; ``now`` in microseconds tells which claims hold."""
    holds = (claims.c.sentence == sentences.c.id) & (claims.c.until > now)
    query = (
        sa.select(*_SHOWN, sa.func.coalesce(claims.c.person, "").label("claimed_by"))
        .outerjoin(claims, holds)
        .where(*_conditions(document, chosen))
        .order_by(sentences.c.document, sentences.c.number)
    )
    return tuple(SentenceRow(**row) for row in connection.execute(query).mappings())


def _conditions(document: int | None, chosen: SentenceFilter) -> list[sa.ColumnElement[bool]]:
    conditions: list[sa.ColumnElement[bool]] = [is_listed]
    if document is not None:
        conditions.append(sentences.c.document == document)
    if chosen.status is not None:
        conditions.append(sentences.c.status.in_(chosen.status))
    if chosen.flagged:
        conditions.append(sentences.c.flagged != "")
    if chosen.apart:
        conditions.append(sentences.c.apart != "")
    if chosen.edited:
        conditions.append(sentences.c.is_edited.is_(True))
    if chosen.assigned is not None:
        conditions.append(sentences.c.assigned == chosen.assigned)
    return conditions


def full_rows(connection: Connection, document: int) -> Generator[RowMapping, None, None]:
    """Read the whole rows of a document's sentences, in order.

    Raises:
        StoreError: There is no such document.
    """
    document_row(connection, document)
    query = (
        sa.select(sentences).where(sentences.c.document == document).order_by(sentences.c.number)
    )
    few = {"yield_per": READ_AT_ONCE}
    with connection.execute(query, execution_options=few) as result:  # closed where one stops early
        yield from result.mappings()


def stored_sentence(
    row: RowMapping, held: Held, person: str, claim: Claim | None
) -> StoredSentence:
    """Put a sentence together from its row and its folded log."""
    folded = held.folded
    return StoredSentence(
        id=row["id"],
        document=row["document"],
        number=row["number"],
        name=row["name"],
        text=row["text"],
        tokens=white_space_tokens(held.record),
        raw=held.record.raw,
        silver=folded.start.graph,
        state=folded.state,
        revision=folded.revision,
        apart=apart_of(row["reason"], folded),
        can_undo=next_undo(folded, person) is not None,
        can_redo=next_redo(folded, person) is not None,
        claim=claim,
    )


_FORGET = scores.delete().where(
    scores.c.sentence == sa.bindparam("of"), scores.c.name == sa.bindparam("named")
)


def keep_scores(connection: Connection, values: Mapping[int, Mapping[str, float]]) -> None:
    """Keep figures by sentence and name; those of the same name are replaced."""
    rows = [
        {"sentence": sentence, "name": name, "value": value}
        for sentence, named in values.items()
        for name, value in named.items()
    ]
    if rows:
        gone = [{"of": row["sentence"], "named": row["name"]} for row in rows]
        connection.execute(_FORGET, gone)
        connection.execute(scores.insert(), rows)


def scores_of(connection: Connection, document: int) -> dict[int, dict[str, float]]:
    """Give the figures of a document's sentences, by sentence and name."""
    query = (
        sa.select(scores)
        .join(sentences, sentences.c.id == scores.c.sentence)
        .where(sentences.c.document == document)
        .order_by(scores.c.sentence, scores.c.name)
    )
    found: dict[int, dict[str, float]] = {}
    for row in connection.execute(query):
        found.setdefault(row.sentence, {})[row.name] = row.value
    return found
