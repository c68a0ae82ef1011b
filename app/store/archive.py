"""A document as one file with all that people did: out of a store, and into the same or another.

The file is JSON, one object a line, in ASCII; docs/annotation.md says what each line holds.
The document comes first, then its copies; behind each stand its sentences with their logs.
Every log is folded anew when a file is read, so that nothing is taken that it does not give.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping
from math import isfinite
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from app.store.documents.copying import copies_of, copy_name
from app.store.documents.exporting import ExportOptions
from app.store.documents.importing import FRESH, check_document_name, check_name_free
from app.store.documents.listing import document_row, full_rows, keep_scores, scores_of
from app.store.log.deciding import refusal_of
from app.store.log.history import fold
from app.store.log.operations import Operation, Request, check_name
from app.store.log.provenance import source_from_json
from app.store.people import add_people
from app.store.records.database import reading, writing
from app.store.records.folding import columns_of, from_microseconds, log_of, start_of
from app.store.records.folding import to_microseconds as microseconds
from app.store.records.logbook import write_operations
from app.store.records.rows import ImportReport
from app.store.records.tables import documents, sentences
from app.store.records.texts import decoded, encoded, record_of, shown
from aptcore.errors import EditError, FormatError, StoreError

FORMAT, VERSION = "aptamr document", 1
ENDING = ".aptamr"
MAX_NUMBER, MAX_TIME = 2**31 - 1, 2**52
"""The largest number that every database takes, and the latest time, in microseconds."""
_HEAD = f'{{"format": "{FORMAT}"'
_DOCUMENT = {"name": str, "person": str, "source": dict, "problems": list, "at": int, "tail": str}
_DOCUMENT["sentences"] = int
_SENTENCE = {
    **{"number": int, "name": str, "text": str, "line": int, "before": str, "raw": str},
    **{"reason": str, "carried": str, "scores": dict, "log": list},
}
_OPERATION = {
    **{"id": str, "person": str, "tab": str, "base": int, "target": int | None, "at": int},
    "what": dict,
}


def is_archive(text: str) -> bool:
    """Tell whether a text is such a file, of any version."""
    return text.startswith(_HEAD)


class Archives:
    """Whole documents in and out of a store.

    Args:
        engine: Of the store's database.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def write(self, document: int) -> str:
        """Write a document with its copies, each with its sentences and their logs.

        Raises:
            StoreError: There is no such document, or it is itself a copy.
        """
        return "".join(self.parts(document))

    def parts(self, document: int) -> Generator[str, None, None]:
        """Write a document line by line, as it is at the first; see :meth:`write`."""
        with reading(self._engine) as connection:
            for line in _lines(connection, document):
                yield json.dumps(line) + "\n"

    def read(self, text: str, name: str = "") -> ImportReport:
        """Take in a document with its copies; all of it, or nothing.

        Args:
            text: The file.
            name: What the document is to be called; as in the file where left out.

        Raises:
            FormatError: It is no such file, is of a newer version, or is damaged.
            StoreError: The name of the document or of a copy is taken, or is none.
        """
        with writing(self._engine) as connection:
            return _Reading(connection, name).take(text)

    def left_out(self, document: int, options: ExportOptions) -> tuple[str, ...]:
        """Say in words what an export of graphs leaves out of what people did; () for nothing.

        Raises:
            UnavailableError: The store cannot be read.
        """
        with reading(self._engine) as connection:
            return _left_out(connection, document, options)


def _left_out(connection: Connection, document: int, options: ExportOptions) -> tuple[str, ...]:
    counts = (
        sa.func.sum(sa.case((sentences.c.status != "open", 1), else_=0)),
        sa.func.sum(sentences.c.num_comments),
        sa.func.sum(sa.case((sentences.c.flagged != "", 1), else_=0)),
        sa.func.sum(sa.case((sentences.c.assigned != "", 1), else_=0)),
        sa.func.sum(sentences.c.revision),
    )
    query = sa.select(*counts).where(sentences.c.document == document)
    done, comments, flags, assigned, revisions = connection.execute(query).one()
    copies = sum(not copy.is_removed for copy in copies_of(connection, document))
    is_told = options.format == "jsonl"
    has_names = is_told and options.provenance
    found = [
        (0 if is_told else done, "status"),
        (0 if has_names else comments, "comment"),
        (0 if has_names else flags, "flag"),
        (assigned, "assignment"),
        (copies, "copy"),
        (revisions, "operation in the log"),
    ]
    return tuple(_counted(number, what) for number, what in found if number)


def _counted(number: int, what: str) -> str:
    many = {"status": "statuses", "copy": "copies", "operation in the log": "operations in the log"}
    return f"{number:,} {what if number == 1 else many.get(what, what + 's')}"


def _lines(connection: Connection, document: int) -> Iterator[dict[str, Any]]:
    if document_row(connection, document)["copy_of"] is not None:
        raise StoreError("this is a copy: write the document that it was made of")
    copies = [copy.id for copy in copies_of(connection, document) if not copy.is_removed]
    yield {"format": FORMAT, "version": VERSION, "documents": 1 + len(copies)}
    for number in (document, *copies):
        rows = list(full_rows(connection, number))
        row = document_row(connection, number)
        yield {
            "document": row["name"],
            "person": row["person"],
            "source": json.loads(row["source"]),
            "problems": json.loads(row["problems"]),
            "at": row["at"],
            "tail": decoded(row["tail"]),
            "sentences": len(rows),
        }
        scores = scores_of(connection, number)
        for sentence in rows:
            yield {
                "sentence": sentence["name"],
                **{key: sentence[key] for key in ("number", "text", "line", "reason", "carried")},
                **{key: decoded(sentence[key]) for key in ("before", "raw")},
                "scores": scores.get(sentence["id"], {}),
                "log": [_operation(one) for one in log_of(connection, sentence["id"])],
            }


def _operation(operation: Operation) -> dict[str, Any]:
    return {
        "id": operation.id,
        "person": operation.person,
        "tab": operation.tab,
        "base": operation.base,
        "target": operation.target,
        "at": microseconds(operation.at),
        "what": dict(operation.what),
    }


class _Reading:
    """One file being read, in a transaction that its end writes or a fault takes back."""

    def __init__(self, connection: Connection, name: str) -> None:
        self._connection = connection
        self._name = name
        self._first = self._document = self._number = self._size = self._left = 0
        self._num_sentences = self._num_apart = self._num_graphs = 0
        self._source: dict[str, Any] = {}
        self._people: dict[str, None] = {}

    def take(self, text: str) -> ImportReport:
        if not is_archive(text):
            raise FormatError(f"this is no file of one document: it begins otherwise than {_HEAD}")
        for number, line in enumerate(text.splitlines(), 1):
            try:
                self._take_line(number, json.loads(line))
            except (ValueError, TypeError, LookupError, RecursionError, EditError) as error:
                raise FormatError(f"line {number} of the file is damaged: {error}") from error
        self._end_document()
        if self._left:
            raise FormatError(f"the file is cut off: {self._left} of its documents are missing")
        add_people(self._connection, self._people)
        counts = (self._num_sentences, self._num_graphs, self._num_apart)
        return ImportReport(self._first, self._name, *counts, (), ())

    def _take_line(self, number: int, line: Any) -> None:
        if number == 1:
            if line["version"] != VERSION:
                raise FormatError(f"the file has version {line['version']}; this reads {VERSION}")
            self._left = int(line["documents"])
        elif "document" in line:
            self._take_document(_checked({"name": line.pop("document"), **line}, _DOCUMENT))
        else:
            self._take_sentence(_checked({"name": line.pop("sentence", None), **line}, _SENTENCE))

    def _end_document(self) -> None:
        if self._number != self._size:
            raise FormatError(f"{self._size - self._number} sentences of a document are missing")

    def _take_document(self, values: dict[str, Any]) -> None:
        self._end_document()
        self._left, self._size = self._left - 1, values["sentences"]
        name, person = values["name"], values["person"]
        if not self._first:
            self._name = name = self._name or name
        elif self._name != name and person:
            name = copy_name(self._name, person)
        if person:
            check_name("person", person)
        check_document_name(name)
        check_name_free(self._connection, name)
        self._source = values["source"]
        source_from_json(self._source)
        row = {
            **{"name": name, "person": person, "copy_of": self._first or None, "at": values["at"]},
            "source": json.dumps(values["source"]),
            "problems": json.dumps(values["problems"]),
            "tail": encoded(values["tail"]),
        }
        query = documents.insert().values(**row).returning(documents.c.id)
        self._document, self._number = int(self._connection.execute(query).scalar_one()), 0
        self._first = self._first or self._document
        if person:
            self._people[person] = None

    def _take_sentence(self, values: dict[str, Any]) -> None:
        if not self._document:
            raise ValueError("a sentence stands before its document")
        self._number += 1
        if values["number"] != self._number:
            raise ValueError(f"sentence {self._number} is missing")
        row = {
            **{**FRESH, "document": self._document},
            **{key: values[key] for key in ("number", "line", "carried")},
            **{key: shown(values[key]) for key in ("name", "text", "reason")},
            **{key: encoded(values[key]) for key in ("before", "raw")},
            "apart": "",
        }
        query = sentences.insert().values(**row).returning(sentences.c.id)
        sentence = int(self._connection.execute(query).scalar_one())
        record = record_of(values["raw"])
        log = [_read_operation(sentence, at, one) for at, one in enumerate(values["log"], 1)]
        if len({(operation.person, operation.id) for operation in log}) < len(log):
            raise ValueError("an operation stands twice in the log")
        folded = fold(start_of(record, source_from_json(self._source), values["carried"]), log)
        columns = columns_of(row["reason"], folded)
        if log:
            write_operations(self._connection, log, columns)
        else:
            given = sentences.update().where(sentences.c.id == sentence)
            self._connection.execute(given.values(**columns))
        self._people |= dict.fromkeys(operation.person for operation in log)
        scores = {name[:100]: float(value) for name, value in values["scores"].items()}
        if not all(map(isfinite, scores.values())):
            raise ValueError("a score is no number")
        keep_scores(self._connection, {sentence: scores})
        if self._document == self._first:
            self._num_sentences += 1
            self._num_graphs += record.graph is not None
            self._num_apart += bool(values["reason"])


def _checked(values: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """Check that an object has all of some fields, each of its type."""
    for name, kind in fields.items():
        if name not in values or not isinstance(values[name], kind):
            raise ValueError(f"{name!r} is missing or of another kind")
        most = MAX_TIME if name == "at" else MAX_NUMBER
        if isinstance(values[name], int) and not 0 <= values[name] <= most:
            raise ValueError(f"{name!r} is {values[name]}, out of all bounds")
    return {name: values[name] for name in fields}


def _read_operation(sentence: int, revision: int, line: Any) -> Operation:
    values = _checked(line, _OPERATION)
    request = Request(values["id"], values["base"], values["what"])
    refused = refusal_of(values["person"], values["tab"], request)
    if refused is not None:
        raise ValueError(f"operation {revision}: {refused.reason}")
    return Operation(
        sentence,
        revision,
        request.id,
        values["person"],
        values["tab"],
        request.base,
        request.what,
        values["target"],
        from_microseconds(values["at"]),
    )
