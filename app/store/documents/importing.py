"""A file becomes a document: every byte of it is kept, every block is a sentence."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from app.store.log.carried import carried_of
from app.store.log.deciding import errors_of
from app.store.log.history import Folded
from app.store.log.provenance import Source, source_to_json
from app.store.records.folding import columns_of, from_microseconds, start_of
from app.store.records.rows import ImportReport
from app.store.records.tables import documents, jobs, sentences
from app.store.records.texts import encoded, graph_of, shown, terms_of
from aptcore.errors import StoreError
from aptcore.graph.corpus import Corpus, Problem, Record, read_corpus, sentence_text
from aptcore.graph.formats import format_of, read_source

BYTE_ORDER_MARK = "\ufeff"
MAX_DOCUMENT_NAME = 200


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a file: what stands before it, and why it is kept apart, if it is."""

    record: Record
    before: str
    faults: tuple[Problem, ...]
    told: Mapping[str, Any] | None = None
    """The object of our own export, where the block stood in one."""

    @property
    def reason(self) -> str:
        """Say where and why it is kept apart; empty if it is not."""
        return "; ".join(f"line {fault.line}: {fault.message}" for fault in self.faults)


def check_document_name(name: str) -> None:
    """Check that a name is a plain file name, since documents are exported into folders.

    Raises:
        StoreError: It is empty, too long, or could lead out of a folder.
    """
    is_plain = name.isprintable() and not set(name) & set('/\\:*?"<>|')
    if not is_plain or name.strip(" .") != name.lstrip(" ").rstrip(" .") or not name.strip(" ."):
        raise StoreError(f"{name[:60]!r} is no plain file name")
    if len(name) > MAX_DOCUMENT_NAME:
        raise StoreError(f"the name of a document has at most {MAX_DOCUMENT_NAME} characters")


def name_problem(connection: Connection, name: str) -> str | None:
    """Say who has a name: a document, or one that is being parsed; None if it is free."""
    if connection.execute(sa.select(documents.c.id).where(documents.c.name == name)).first():
        return f"there is a document {name!r} already"
    if connection.execute(sa.select(jobs.c.id).where(jobs.c.name == name)).first():
        return f"a document {name!r} is being parsed already"
    return None


def check_name_free(connection: Connection, name: str) -> None:
    """Check that no document has a name, and none that is being parsed will have it.

    Raises:
        StoreError: One has.
    """
    problem = name_problem(connection, name)
    if problem is not None:
        raise StoreError(f"{problem}: give another name")


@dataclass(frozen=True, slots=True)
class Parts:
    """A file cut up: put together again, all ``before`` and ``raw`` and the tail are its text.

    Attributes:
        blocks: In order.
        tail: What follows the last one.
        stray: The problems that are no block's own.
    """

    blocks: tuple[Block, ...]
    tail: str
    stray: tuple[Problem, ...]


def parts_of(name: str, text: str) -> Parts:
    """Cut a file into its blocks.

    Raises:
        StoreError: The name is no plain file name.
        FormatError: The text cannot be kept.
    """
    check_document_name(name)
    encoded(text)
    has_object = re.search(r"(?:^|[\r\n])[\ufeff \t]*\{", text) is not None
    is_json = has_object and format_of(name, text) == "json-lines"
    reading = read_source(name, text) if is_json else None
    corpus = reading.corpus if reading is not None else read_corpus(name, text=text)
    told = reading.objects if reading is not None else (None,) * len(corpus.records)
    mark = "" if is_json else text[: len(text) - len(text.lstrip(BYTE_ORDER_MARK))]
    blocks: list[Block] = []
    position = 0
    for record, values in zip(corpus.records, told, strict=True):
        before = ("" if blocks else mark) + corpus.raw[position : record.span[0]]
        blocks.append(Block(record, before, faults_of(name, record), values))
        position = record.span[1]
    tail = corpus.raw[position:] if blocks else mark + corpus.raw
    return Parts(tuple(blocks), tail, _stray(corpus))


def _stray(corpus: Corpus) -> tuple[Problem, ...]:
    own = [problem for record in corpus.records for problem in record.problems]
    return tuple(problem for problem in corpus.problems if problem not in own)


def faults_of(name: str, record: Record) -> tuple[Problem, ...]:
    """Say why a block is kept apart: each place and what is wrong; empty if it is not."""
    if record.is_broken and "error" not in record.metadata:
        return record.problems
    if "error" in record.metadata:
        messages: tuple[str, ...] = (f"not parsed: {record.metadata['error']}",)
    else:
        messages = () if record.graph is None else errors_of(record.graph)
    return tuple(Problem(name, record.line, record.id, message) for message in messages)


def add_document(
    connection: Connection, name: str, parts: Parts, source: Source | None, at: int
) -> ImportReport:
    """Write a document and its sentences.

    Args:
        connection: In a transaction that writes.
        name: A plain file name.
        parts: The whole file, cut up.
        source: Where the graphs come from; None for "as given in the file".
        at: Microseconds since 1970.

    Raises:
        StoreError: The name is taken.
    """
    check_name_free(connection, name)
    blocks = parts.blocks
    document = insert_document(connection, name, source or Source("given", name), at, parts)
    rows = [_row(document, number, block) for number, block in enumerate(blocks, 1)]
    origin = source or Source("given", name)
    pairs = [(row, block) for row, block in zip(rows, blocks, strict=True) if block.told]
    lost = [problem for row, block in pairs for problem in _carry(row, name, block, origin, at)]
    if rows:
        connection.execute(sentences.insert(), rows)
    apart = [fault for block in blocks for fault in block.faults]
    other = [p for block in blocks if not block.record.is_broken for p in block.record.problems]
    problems = sorted([*parts.stray, *other, *lost], key=lambda problem: problem.line)
    num_graphs = sum(block.record.graph is not None for block in blocks)
    num_apart = sum(bool(block.faults) for block in blocks)
    return ImportReport(
        document, name, len(rows), num_graphs, num_apart, tuple(apart), tuple(problems)
    )


def insert_document(
    connection: Connection,
    name: str,
    source: Source,
    at: int,
    parts: Parts,
) -> int:
    """Write the row of a document that is nobody's copy; gives its number."""
    values = {
        "name": name,
        "source": json.dumps(source_to_json(source)),
        "person": "",
        "copy_of": None,
        "at": at,
        "problems": json.dumps([[problem.line, problem.message] for problem in parts.stray]),
        "tail": encoded(parts.tail),
    }
    query = documents.insert().values(**values).returning(documents.c.id)
    return int(connection.execute(query).scalar_one())


FRESH: dict[str, Any] = {
    "revision": 0,
    "status": "open",
    "status_by": "",
    "flagged": "",
    "assigned": "",
    "num_comments": 0,
    "is_edited": False,
    "last_person": "",
    "last_at": 0,
}
"""The columns of a sentence that nobody has touched, but for ``apart`` and ``terms``."""


def _carry(row: dict[str, Any], name: str, block: Block, source: Source, at: int) -> list[Problem]:
    """Put into a row what had been made of a sentence before; give what cannot be kept."""
    kept, lost = carried_of(block.told or {}, from_microseconds(at).isoformat())
    if block.faults and kept.get("status") == "accepted":
        del kept["status"], kept["status_by"]
        lost = (*lost, "a graph that is kept apart cannot be accepted; it is open")
    if kept:
        row["carried"] = json.dumps(kept, ensure_ascii=True)
        folded = Folded(start_of(block.record, source, row["carried"]))
        row |= columns_of(row["reason"], folded)
    return [Problem(name, block.record.line, block.record.id, message) for message in lost]


def _row(document: int, number: int, block: Block) -> dict[str, Any]:
    record = replace(block.record, graph=None)
    return {
        "document": document,
        "number": number,
        "name": shown(record.id),
        "text": shown(sentence_text(record)),
        "line": record.line,
        "before": encoded(block.before),
        "raw": encoded(record.raw),
        "reason": shown(block.reason),
        "carried": "",
        "apart": shown(block.reason),
        "terms": terms_of(graph_of(block.record)),
        **FRESH,
    }
