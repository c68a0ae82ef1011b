"""Logs read from the database and folded, with the last folds kept in memory.

A fold in memory only saves time: before it is used its last operation is compared with
the log's, and what the log has beyond it is folded on. It is dropped where they differ.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, RowMapping

from app.store.log.carried import with_carried
from app.store.log.deciding import errors_of, is_placeholder
from app.store.log.history import Folded, extended, fold
from app.store.log.operations import Operation
from app.store.log.provenance import Source, source_from_json, source_of_metadata
from app.store.log.state import SentenceState, imported_state
from app.store.records.tables import documents, is_listed, operations, sentences
from app.store.records.texts import decoded, graph_of, record_of, shown, terms_of
from aptcore.errors import EditError, StoreError
from aptcore.graph.amr import AmrGraph
from aptcore.graph.corpus import Record

KEPT_PARTS = 100_000
"""Nodes and edges in the folds that are kept in memory, of all states of a log: some 50 MB."""
_BLOCK_PARTS = 40
"""What a fold takes beside its graphs: its block, its text, its log."""


def from_microseconds(value: int) -> datetime:
    """Give a time of the database as UTC."""
    return datetime.fromtimestamp(value / 1_000_000, UTC)


def to_microseconds(at: datetime) -> int:
    """Give a time as the database keeps it."""
    return round(at.timestamp() * 1_000_000)


@dataclass(frozen=True, slots=True)
class Held:
    """A sentence in memory: its block as imported, and its log folded."""

    record: Record
    folded: Folded


def num_parts(held: Held) -> int:
    """Count the nodes and edges of all states of a sentence; a state shares the graph before it."""
    states = (held.folded.start, *(entry.state for entry in held.folded.entries))
    graphs = {id(state.graph): state.graph for state in states}
    return _BLOCK_PARTS + sum(len(one.nodes) + len(one.edges) for one in graphs.values())


class FoldCache:
    """The last folds by sentence, as many as there is room for; safe to use from threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: OrderedDict[int, tuple[Held, int]] = OrderedDict()
        self._num_parts = 0

    def get(self, sentence: int) -> Held | None:
        """Give what is held of a sentence."""
        with self._lock:
            if sentence not in self._held:
                return None
            self._held.move_to_end(sentence)
            return self._held[sentence][0]

    def put(self, sentence: int, held: Held) -> None:
        """Hold a sentence; those not used for longest go where there is no room for all."""
        size = num_parts(held)
        with self._lock:
            self._num_parts += size - self._held.pop(sentence, (held, 0))[1]
            self._held[sentence] = (held, size)
            while self._num_parts > KEPT_PARTS and len(self._held) > 1:
                self._num_parts -= self._held.popitem(last=False)[1][1]


def operation_of(row: RowMapping) -> Operation:
    """Read a row of the log."""
    return Operation(
        row["sentence"],
        row["revision"],
        row["request"],
        row["person"],
        row["tab"],
        row["base"],
        json.loads(row["what"]),
        row["target"],
        from_microseconds(row["at"]),
    )


# Statements that run at every operation are put together once.
_LOG = (
    sa.select(operations)
    .where(
        operations.c.sentence == sa.bindparam("of"),
        operations.c.revision > sa.bindparam("after"),
    )
    .order_by(operations.c.revision)
)
_ROW = sa.select(sentences).where(sentences.c.id == sa.bindparam("of"), is_listed)
_LOCKED_ROW = _ROW.with_for_update()


def log_of(connection: Connection, sentence: int, after: int = 0) -> list[Operation]:
    """Read the log of a sentence after a revision."""
    rows = connection.execute(_LOG, {"of": sentence, "after": after})
    return [operation_of(row) for row in rows.mappings()]


def start_of(record: Record, source: Source, carried: str = "") -> SentenceState:
    """Give the state of a sentence as it was imported.

    Args:
        record: Its block.
        source: Of the document.
        carried: JSON of what ``carried_of`` kept; empty for nothing.
    """
    named = source_of_metadata(record.metadata)
    state = imported_state(graph_of(record), named or source)
    return with_carried(state, json.loads(carried)) if carried else state


def held_of(
    connection: Connection, cache: FoldCache, row: RowMapping, source: Source | None = None
) -> Held:
    """Give a sentence folded up to the revision of its row.

    Args:
        connection: In the transaction in which the row was read.
        cache: Where to look first; it is not changed.
        row: Of ``sentences``.
        source: Of the document, where it is known; else it is looked up.

    Raises:
        StoreError: The log does not replay.
    """
    sentence, revision = row["id"], row["revision"]
    held = cache.get(sentence)
    if held is not None and held.folded.revision <= revision:
        known = held.folded
        log = log_of(connection, sentence, max(0, known.revision - 1))
        if known.last is None or (log and log[0] == known.last):
            newer = [op for op in log if known.revision < op.revision <= revision]
            try:
                for operation in newer:
                    known = extended(known, operation)
            except EditError as error:
                raise damaged(sentence, error) from error
            return Held(held.record, known)
    return fresh_of(connection, row, source)


def graph_at(connection: Connection, cache: FoldCache, row: RowMapping) -> AmrGraph:
    """Give the graph of a sentence at the revision of its row.

    Raises:
        StoreError: The log does not replay.
    """
    if row["is_edited"]:
        return held_of(connection, cache, row).folded.state.graph
    return graph_of(record_of(decoded(row["raw"])))


def fresh_of(connection: Connection, row: RowMapping, source: Source | None = None) -> Held:
    """Read and fold a sentence from the database alone; see :func:`held_of`.

    Raises:
        StoreError: The log does not replay.
    """
    sentence = row["id"]
    if source is None:
        query = sa.select(documents.c.source).where(documents.c.id == row["document"])
        source = source_from_json(json.loads(connection.execute(query).scalar_one()))
    record = record_of(decoded(row["raw"]))
    written = log_of(connection, sentence) if row["revision"] else []
    log = [op for op in written if op.revision <= row["revision"]]
    try:
        return Held(record, fold(start_of(record, source, row["carried"]), log))
    except EditError as error:
        raise damaged(sentence, error) from error


def damaged(sentence: int, error: Exception) -> StoreError:
    """Say that a log does not replay."""
    return StoreError(f"the log of sentence {sentence} does not replay: {error}")


def columns_of(reason: str, folded: Folded) -> dict[str, Any]:
    """Give the columns of ``sentences`` that are read off the log.

    Args:
        reason: Why the sentence was kept apart on import; empty where it was not.
        folded: The log, folded.
    """
    state, last = folded.state, folded.last
    return {
        "revision": folded.revision,
        "status": state.status,
        "status_by": state.status_by,
        "apart": apart_of(reason, folded),
        "flagged": shown(state.flagged),
        "assigned": state.assigned,
        "num_comments": len(state.comments),
        "is_edited": is_edited(folded),
        "last_person": last.person if last else "",
        "last_at": to_microseconds(last.at) if last else 0,
        "terms": terms_of(state.graph),
    }


def apart_of(reason: str, folded: Folded) -> str:
    """Say why a sentence is kept apart now; empty once its graph is mended."""
    graph = folded.state.graph
    if not reason or graph is folded.start.graph or is_placeholder(graph):
        return reason
    return shown("; ".join(errors_of(graph)))


def is_edited(folded: Folded) -> bool:
    """Tell whether the graph, or how it is written, is other than as imported."""
    graph, start = folded.state.graph, folded.start.graph
    return graph is not start and (graph != start or graph.layout != start.layout)


def row_of(connection: Connection, sentence: int, *, lock: bool = False) -> RowMapping:
    """Read a row of ``sentences``.

    Args:
        connection: In a transaction.
        sentence: Its number.
        lock: Keep other writers off it until the transaction ends.

    Raises:
        StoreError: There is none, or the document that holds it was removed.
    """
    query = _LOCKED_ROW if lock else _ROW
    row = connection.execute(query, {"of": sentence}).mappings().first()
    if row is None:
        if connection.execute(sa.select(sentences.c.id).where(sentences.c.id == sentence)).first():
            place = f"sentence {sentence} is in a document or copy that was removed"
            raise StoreError(f"{place}; the Queue page can bring back a copy with work on it")
        raise StoreError(f"there is no sentence {sentence} in the store")
    return row
