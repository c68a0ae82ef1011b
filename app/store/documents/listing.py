"""Documents and sentences as they are listed and shown."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, RowMapping

from app.store.log.history import next_redo, next_undo
from app.store.log.operations import Status
from app.store.log.provenance import source_from_json
from app.store.records.folding import Held, apart_of, from_microseconds
from app.store.records.rows import Claim, Document, SentenceRow, StoredSentence
from app.store.records.tables import claims, documents, identity, is_listed, scores, sentences
from app.store.records.texts import term_pattern
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
        free_for: Neither assigned to anyone but this person, nor at work by anyone else.
        number: The one at this place of its document, from 1.
        among: One of these, by number in the store.
        text: With this text in the sentence, its name, or what else is listed of it.
        terms: Whose graph may hold all of these concepts, roles and constants, with stars;
            some may not, so that the graphs are to be asked.
    """

    status: tuple[Status, ...] | None = None
    flagged: bool = False
    apart: bool = False
    edited: bool = False
    assigned: str | None = None
    free_for: str | None = None
    number: int | None = None
    among: tuple[int, ...] | None = None
    text: str = ""
    terms: tuple[str, ...] = ()


def identity_of(connection: Connection) -> str:
    """Give the name that a store got when it was made."""
    return str(connection.execute(sa.select(identity.c.id)).scalar_one())


def documents_of(connection: Connection) -> tuple[Document, ...]:
    """List all documents that are not removed, in order of import."""
    # Sentences are numbered from 1 without a gap: the index knows the last one.
    last = (
        sa.select(sa.func.coalesce(sa.func.max(sentences.c.number), 0))
        .where(sentences.c.document == documents.c.id)
        .scalar_subquery()
    )
    query = (
        sa.select(documents, last.label("num_sentences"))
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


_HIDDEN = ("before", "raw", "reason", "carried", "last_at", "terms")
_SHOWN = [column for column in sentences.c if column.name not in _HIDDEN]
_READ = ("text", "name", "status", "flagged", "apart", "assigned", "last_person")
"""Where the text of a filter is looked for."""


def sentence_columns() -> list[sa.ColumnElement[Any]]:
    """Give what a row of a list is read from; to be joined :func:`with_claims`."""
    return [*_SHOWN, sa.func.coalesce(claims.c.person, "").label("claimed_by")]


def with_claims(query: sa.Select[Any], now: int) -> sa.Select[Any]:
    """Join the claims that hold at a time, in microseconds."""
    holds = (claims.c.sentence == sentences.c.id) & (claims.c.until > now)
    return query.outerjoin(claims, holds)


def sentence_rows(
    connection: Connection, document: int | None, chosen: SentenceFilter, now: int
) -> tuple[SentenceRow, ...]:
    """List sentences; ``now`` in microseconds tells which claims hold."""
    query = (
        with_claims(sa.select(*sentence_columns()), now)
        .where(is_listed, *conditions(chosen))
        .order_by(sentences.c.document, sentences.c.number)
    )
    if document is not None:
        query = query.where(sentences.c.document == document)
    return tuple(SentenceRow(**row) for row in connection.execute(query).mappings())


def conditions(chosen: SentenceFilter) -> list[sa.ColumnElement[bool]]:
    """Give what a filter asks of ``sentences``, and for ``free_for`` of the claims joined."""
    wanted: list[sa.ColumnElement[bool]] = []
    if chosen.status is not None:
        wanted.append(sentences.c.status.in_(chosen.status))
    if chosen.flagged:
        wanted.append(sentences.c.flagged != "")
    if chosen.apart:
        wanted.append(sentences.c.apart != "")
    if chosen.edited:
        wanted.append(sentences.c.is_edited.is_(True))
    if chosen.assigned is not None:
        wanted.append(sentences.c.assigned == chosen.assigned)
    if chosen.free_for is not None:
        mine = ("", chosen.free_for)
        wanted.append(sentences.c.assigned.in_(mine))
        wanted.append(sa.func.coalesce(claims.c.person, "").in_(mine))
    if chosen.number is not None:
        wanted.append(sentences.c.number == chosen.number)
    if chosen.among is not None:
        wanted.append(sentences.c.id.in_(chosen.among))
    if chosen.text:
        literal = re.sub("([%_/])", r"/\1", chosen.text)
        text = sa.func.lower(f"%{literal}%")
        columns = [sa.func.lower(sentences.c[name]) for name in _READ]
        wanted.append(sa.or_(*(column.like(text, escape="/") for column in columns)))
    for pattern in filter(None, map(term_pattern, chosen.terms)):
        known = sentences.c.terms
        wanted.append(known.is_(None) | known.like(pattern, escape="/"))
    return wanted


def full_rows(
    connection: Connection, document: int, chosen: SentenceFilter | None = None
) -> Generator[RowMapping, None, None]:
    """Read the whole rows of a document's sentences, or of some, in order.

    Raises:
        StoreError: There is no such document.
    """
    document_row(connection, document)
    query = (
        sa.select(sentences)
        .where(sentences.c.document == document, *conditions(chosen or SentenceFilter()))
        .order_by(sentences.c.number)
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
