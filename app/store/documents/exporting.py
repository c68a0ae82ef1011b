"""A document becomes a file again; what nobody touched keeps its bytes."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, Literal

from sqlalchemy.engine import Connection, RowMapping

from app.store.documents.listing import document_row, full_rows, stored_sentence
from app.store.log.history import Folded
from app.store.log.operations import Status
from app.store.log.provenance import source_from_json
from app.store.log.state import SentenceState
from app.store.records.folding import FoldCache, Held, held_of, is_edited
from app.store.records.texts import decoded, shown
from aptcore.graph.alignment_formats import format_alignments
from aptcore.graph.amr import AmrGraph
from aptcore.graph.corpus import format_record
from aptcore.graph.penman import format_penman

Format = Literal["penman", "jsonl"]


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """How to write a document.

    Attributes:
        format: ``penman``, or ``jsonl``: one JSON object a line.
        provenance: Say where triples come from, and who did what; without it no name of
            a person is written that was not in the file.
        status: Only sentences of these; None for the whole file.
        apart: None for all; True for only those kept apart and not mended; False for
            all others.
    """

    format: Format = "penman"
    provenance: bool = True
    status: tuple[Status, ...] | None = None
    apart: bool | None = None


def export_parts(
    connection: Connection, cache: FoldCache, document: int, options: ExportOptions
) -> Generator[str, None, None]:
    """Write a document, one sentence after the other.

    Yields:
        The text of a file, at least one part for each sentence that is written; bytes that were
        not UTF-8 stand in it as surrogate escapes.

    Raises:
        StoreError: There is no such document, or a log does not replay.
    """
    found = document_row(connection, document)
    tail, source = decoded(found["tail"]), source_from_json(json.loads(found["source"]))
    is_whole = options.status is None and options.apart is None
    newline = "\n" if options.format == "jsonl" else _newline(connection, document, tail)
    for row in full_rows(connection, document):
        if not _is_chosen(row, options):
            continue
        if options.format == "jsonl":
            item = _json(row, held_of(connection, cache, row, source), options)
            yield json.dumps(item, ensure_ascii=False) + newline
            continue
        block = decoded(row["raw"])
        if row["revision"]:
            block = _block(row, held_of(connection, cache, row, source), options, newline)
        yield decoded(row["before"]) + block if is_whole else block + newline * 2
    if is_whole and options.format == "penman":
        yield tail


def _is_chosen(row: RowMapping, options: ExportOptions) -> bool:
    has_status = options.status is None or row["status"] in options.status
    return has_status and (options.apart is None or bool(row["apart"]) == options.apart)


def _newline(connection: Connection, document: int, tail: str) -> str:
    """Give the line end of a file: the first that there is in it."""
    with closing(full_rows(connection, document)) as rows:
        for text in (part for row in rows for part in (row["before"], row["raw"])):
            found = re.search(rb"\r\n|\n|\r", text)
            if found:
                return str(found.group().decode())
    found_at_end = re.search(r"\r\n|\n|\r", tail)
    return found_at_end.group() if found_at_end else "\n"


def _block(row: RowMapping, held: Held, options: ExportOptions, newline: str) -> str:
    """Write a block: as imported while its graph is as imported."""
    if not is_edited(held.folded):
        return decoded(row["raw"])
    state = held.folded.state
    graph = exported_graph(held.folded)
    if options.provenance:
        metadata = {**graph.metadata, "provenance": provenance_line(state)}
        graph = replace(graph, metadata=metadata)
    return format_record(held.record, graph).replace("\n", newline)


def exported_graph(folded: Folded) -> AmrGraph:
    """Give the graph to write; its ``::alignments`` are brought up to date if they changed."""
    graph = folded.state.graph
    if graph is folded.start.graph:
        return graph
    is_same = format_alignments(graph) == format_alignments(folded.start.graph)
    if is_same and "node" not in graph.metadata:  # whose lines know nodes by their concepts
        return graph
    has_marks = any(branch.target_mark or branch.role_mark for branch in graph.layout)
    line = format_alignments(graph)
    if "alignments" in graph.metadata or (line and not has_marks):
        return replace(graph, metadata={**graph.metadata, "alignments": line})
    return graph


def provenance_line(state: SentenceState) -> str:
    """Count the triples of a graph by where they come from."""
    counts = Counter(str(source) for source in state.provenance.values())
    return "; ".join(f"{number} {source}" for source, number in counts.items())


def _json(row: RowMapping, held: Held, options: ExportOptions) -> dict[str, Any]:
    sentence = stored_sentence(row, held, "", None)
    graph = exported_graph(held.folded)
    values: dict[str, Any] = {
        "number": sentence.number,
        "id": sentence.name,
        "text": sentence.text,
        "tokens": [shown(token) for token in sentence.tokens],
        "penman": shown(format_penman(graph, metadata=False)),
        "alignments": format_alignments(graph),
        "metadata": {shown(key): shown(value) for key, value in graph.metadata.items()},
        "status": sentence.state.status,
        "revision": sentence.revision,
        "edited": is_edited(held.folded),
        "flagged": bool(sentence.state.flagged),
        "apart": sentence.apart,
    }
    if sentence.apart:
        values["raw"] = shown(sentence.raw)
    if not options.provenance:
        values["metadata"].pop("provenance", None)
        return values
    values["status_by"] = sentence.state.status_by
    values["provenance"] = [
        [*(shown(part) for part in triple), str(source)]
        for triple, source in sentence.state.provenance.items()
    ]
    values["comments"] = [
        {"person": comment.person, "text": comment.text, "at": comment.at.isoformat()}
        for comment in sentence.state.comments
    ]
    values["flag"] = {"person": sentence.state.flagged_by, "reason": sentence.state.flagged}
    values["dismissed"] = [
        {"problem": problem, "person": item.person, "note": item.note}
        for problem, item in sentence.state.dismissed.items()
    ]
    return values
