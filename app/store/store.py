"""The store: documents, their sentences, and the log of what people did to them.

    store = open_store("work.db")                       # or postgresql://...
    report = store.import_text("one.amr", text)
    (row, *_) = store.sentences(report.document)
    request = Request("a1", row.revision, {"do": "accept"})
    answer = store.apply(row.id, "Ada", "tab 1", request)

``Acknowledged`` means that the operation is on disk. Threads may share a ``Store``, and
processes may open the same one.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path

from sqlalchemy.engine import Engine

from app.store import claiming
from app.store.applying import CLAIM_TIME, Writer
from app.store.archive import Archives
from app.store.batches import Batch, batches_of
from app.store.bulk import Bulk
from app.store.documents import copying, exporting, importing, listing
from app.store.documents.exporting import ExportOptions
from app.store.documents.jobs import Jobs
from app.store.documents.listing import SentenceFilter
from app.store.documents.progress import Progress, progress_of
from app.store.documents.queues import Queues
from app.store.log.history import newest_change
from app.store.log.operations import Answer, Operation, Request
from app.store.log.provenance import Source
from app.store.people import People
from app.store.records.database import BUSY_SECONDS, open_engine, reading, writing
from app.store.records.folding import (
    FoldCache,
    columns_of,
    damaged,
    fresh_of,
    graph_at,
    held_of,
    log_of,
    row_of,
    to_microseconds,
)
from app.store.records.logbook import applied_before
from app.store.records.rows import (
    Claim,
    CopyRow,
    Document,
    ImportReport,
    ReadRow,
    SentenceRow,
    StoredSentence,
)
from aptcore.errors import EditError
from aptcore.graph.amr import AmrGraph
from aptcore.graph.layout import Triple

_now = partial(datetime.now, UTC)


def open_store(
    url: str,
    *,
    must_exist: bool = False,
    patience: float = BUSY_SECONDS,
    clock: Callable[[], datetime] = _now,
) -> Store:
    """Open a store, make it where there is none, and bring its tables up to date.

    Args:
        url: ``sqlite:///file.db``, ``postgresql://...``, or the path of a SQLite file.
        must_exist: Make no new file.
        patience: Seconds for which a writer of a file waits for another one.
        clock: Gives the time, UTC.

    Raises:
        StoreError: It cannot be opened, or was made by a newer version.
    """
    return Store(open_engine(url, must_exist=must_exist, patience=patience), clock)


class Store:
    """An open store; see the module for how it is used."""

    def __init__(self, engine: Engine, clock: Callable[[], datetime]) -> None:
        self._engine = engine
        self._clock = clock
        self._cache = FoldCache()
        self._writer = Writer(engine, self._cache, clock)
        self.jobs = Jobs(engine, clock)
        self.bulk = Bulk(engine, self._writer, clock)
        self.people = People(engine)
        self.queues = Queues(engine, clock)
        self.archives = Archives(engine)

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    @cached_property
    def identity(self) -> str:
        """Give the name that the store got when it was made; no other store has it."""
        with reading(self._engine) as connection:
            return listing.identity_of(connection)

    @property
    def file(self) -> Path | None:
        """Give the file of a store on SQLite; None for one on a server."""
        is_file = self._engine.url.get_backend_name() == "sqlite"
        return Path(self._engine.url.database or "") if is_file else None

    def _at(self) -> int:
        return to_microseconds(self._clock())

    def import_text(self, name: str, text: str, source: Source | None = None) -> ImportReport:
        """Keep an AMR file as a document: every byte, every block a sentence.

        Args:
            name: A plain file name.
            text: The file, as ``encoding.decode_text`` gives it; a byte order mark is kept.
            source: Who made the graphs; a block's own ``::silver`` line counts more.

        Raises:
            StoreError: The name is taken, or is none.
            FormatError: The text cannot be kept.
        """
        parts = importing.parts_of(name, text)
        with writing(self._engine) as connection:
            return importing.add_document(connection, name, parts, source, self._at())

    def copy_document(self, document: int, name: str, person: str) -> int:
        """Make a copy as imported for one person, to annotate without seeing the others.

        Returns:
            The copy's number; its ``copy_of`` names the document, and its sentences have
            the same numbers within it.

        Raises:
            StoreError: There is no such document, it is itself a copy, or the name is taken
                or is none.
        """
        with writing(self._engine) as connection:
            return copying.copy_document(connection, document, name, person, self._at())

    def copies(self, document: int) -> tuple[CopyRow, ...]:
        """List the copies of a document with the work on each, the removed ones too."""
        with reading(self._engine) as connection:
            return copying.copies_of(connection, document)

    def remove_copy(self, copy: int, num_operations: int) -> None:
        """Put a copy away, out of all lists and counts; :meth:`restore_copy` brings it back.

        Args:
            copy: Its number.
            num_operations: The work on it that the person who asks has been told of.

        Raises:
            StoreError: There is no such copy, or there is other work on it by now.
        """
        with writing(self._engine) as connection:
            copying.remove_copy(connection, copy, num_operations, self._at())

    def remove_document(self, document: int) -> None:
        """Put away a document that nobody has worked on, such as one imported by mistake.

        Raises:
            StoreError: There is no such document, or there is work on it, or a copy of it.
        """
        with writing(self._engine) as connection:
            copying.remove_document(connection, document, self._at())

    def restore_copy(self, copy: int) -> None:
        """Bring a removed copy back as it was.

        Raises:
            StoreError: It is not there, or its person has another copy by now.
        """
        with writing(self._engine) as connection:
            copying.restore_copy(connection, copy)

    def documents(self) -> tuple[Document, ...]:
        """List all documents that are not removed."""
        with reading(self._engine) as connection:
            return listing.documents_of(connection)

    def sentences(
        self, document: int | None = None, chosen: SentenceFilter | None = None
    ) -> tuple[SentenceRow, ...]:
        """List the sentences of a document, or of all, in order and without graphs."""
        with reading(self._engine) as connection:
            chosen = chosen or SentenceFilter()
            return listing.sentence_rows(connection, document, chosen, self._at())

    def graphs(
        self, document: int, chosen: SentenceFilter | None = None
    ) -> Generator[tuple[ReadRow, Callable[[], AmrGraph]], None, None]:
        """Go through sentences of a document in order, each with what reads its graph.

        The graph is read before the next sentence is asked for, or not at all.

        Args:
            document: Its number.
            chosen: Which of its sentences; nothing is asked of claims.
        """
        with (
            reading(self._engine) as connection,
            closing(listing.full_rows(connection, document, chosen)) as rows,
        ):
            for row in rows:
                found = ReadRow(row["id"], row["revision"], row["status"], row["text"])
                yield found, partial(graph_at, connection, self._cache, row)

    def progress(self, *documents: int) -> Progress:
        """Count what is done and by whom, in some documents together or in all."""
        with reading(self._engine) as connection:
            return progress_of(connection, documents)

    def export(self, document: int, options: ExportOptions | None = None) -> str:
        """Write a document; what nobody touched keeps its bytes.

        Raises:
            StoreError: There is no such document, or a log does not replay.
        """
        return "".join(self.export_parts(document, options or ExportOptions()))

    def export_parts(self, document: int, options: ExportOptions) -> Generator[str, None, None]:
        """Write a document part by part, as it is at the first; see :meth:`export`."""
        with reading(self._engine) as connection:
            yield from exporting.export_parts(connection, self._cache, document, options)

    def batches(self) -> tuple[Batch, ...]:
        """List the edits of many sentences at once, the newest first; see ``app.store.bulk``."""
        with reading(self._engine) as connection:
            return batches_of(connection)

    def set_scores(self, values: Mapping[int, Mapping[str, float]]) -> None:
        """Keep figures of sentences, such as how doubtful they are, by sentence and name."""
        with writing(self._engine) as connection:
            listing.keep_scores(connection, values)

    def scores(self, document: int) -> dict[int, dict[str, float]]:
        """Give the figures of a document's sentences, by sentence and name."""
        with reading(self._engine) as connection:
            return listing.scores_of(connection, document)

    def sentence(self, sentence_id: int, person: str = "") -> StoredSentence:
        """Give a sentence as it is now.

        Args:
            sentence_id: Its number in the store.
            person: Whose undo and redo are asked for.

        Raises:
            StoreError: There is none, or its log does not replay.
        """
        with reading(self._engine) as connection:
            row = row_of(connection, sentence_id)
            held = held_of(connection, self._cache, row)
            claim = claiming.claim_of(connection, sentence_id, self._at())
        self._cache.put(sentence_id, held)
        return listing.stored_sentence(row, held, person, claim)

    def newest_change(self, sentence_id: int, person: str) -> frozenset[Triple]:
        """Give the triples that a person's newest edit added or took away; none without one.

        Raises:
            StoreError: There is no such sentence, or its log does not replay.
        """
        with reading(self._engine) as connection:
            row = row_of(connection, sentence_id)
            return newest_change(held_of(connection, self._cache, row).folded, person)

    def log(self, sentence_id: int) -> tuple[Operation, ...]:
        """Give all operations on a sentence, in order.

        Raises:
            StoreError: There is no such sentence.
        """
        with reading(self._engine) as connection:
            row_of(connection, sentence_id)
            return tuple(log_of(connection, sentence_id))

    def applied(self, sentence_id: int, person: str, name: str) -> Operation | None:
        """Find the operation that a person's request of this name became; None if none did."""
        with reading(self._engine) as connection:
            return applied_before(connection, sentence_id, person, name)

    def apply(self, sentence_id: int, person: str, tab: str, request: Request) -> Answer:
        """Do what a request asks for.

        Returns:
            ``Acknowledged`` once it is on disk; ``Refused`` or ``Conflict`` when nothing
            has changed.

        Raises:
            StoreError: There is no such sentence, or its log does not replay.
            UnavailableError: The database cannot write; nothing was applied, ask again.
        """
        (answer,) = self.apply_all(person, tab, [(sentence_id, request)])
        return answer

    def apply_all(
        self, person: str, tab: str, requests: Sequence[tuple[int, Request]]
    ) -> tuple[Answer, ...]:
        """Do what requests ask for, each of a sentence, with one commit; see ``apply``."""
        return self._writer.apply_all(person, tab, requests)

    def check(self, sentence_id: int) -> None:
        """Fold a log anew and compare all that was derived from it before.

        Raises:
            StoreError: The log does not replay, or memory or the lists say otherwise.
        """
        with reading(self._engine) as connection:
            row = row_of(connection, sentence_id)
            fresh = fresh_of(connection, row)
            held = held_of(connection, self._cache, row)
        columns = columns_of(row["reason"], fresh.folded)
        if row["terms"] is None:
            del columns["terms"]  # an older version edited it and kept none
        if wrong := [name for name, value in columns.items() if row[name] != value]:
            raise damaged(sentence_id, EditError(f"the lists differ in {', '.join(wrong)}"))
        if fresh.folded != held.folded:
            raise damaged(sentence_id, EditError("it folds to another state than before"))

    def claim(self, sentence_id: int, person: str) -> Claim:
        """Claim a sentence for ten minutes; work on it renews the claim.

        Returns:
            The claim that holds now: another person's, if theirs has not expired.

        Raises:
            StoreError: There is no such sentence.
        """
        with writing(self._engine) as connection:
            row_of(connection, sentence_id, lock=True)
            now = self._clock()
            until = to_microseconds(now + CLAIM_TIME)
            return claiming.claim(connection, sentence_id, person, to_microseconds(now), until)

    def release(self, sentence_id: int, person: str) -> None:
        """Give up a claim, if it is this person's."""
        with writing(self._engine) as connection:
            claiming.release(connection, sentence_id, person)
