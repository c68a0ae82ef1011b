"""``aptamr merge``: the sentence graphs of a document as one graph, and back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from app.commands import console
from app.commands.parse import open_output
from aptcore.editing.documents import EMPTY, MENTIONS, merge_document
from aptcore.editing.splitting import split_document
from aptcore.errors import AptamrError, GraphError
from aptcore.graph.amr import AmrGraph, Node
from aptcore.graph.corpus import Corpus, Record
from aptcore.graph.formats import short_names
from aptcore.graph.penman import format_penman

_NUMBERED = re.compile(r"(.+)\.\d+")


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for.

    Attributes:
        files: Of graphs.
        output: The AMR file to write.
        by: What a document is: sentences whose ids differ in the number behind the last full
            stop, or a file.
        undo: Part merged graphs into their sentences.
    """

    files: tuple[Path, ...]
    output: Path
    by: Literal["id", "file"] = "id"
    undo: bool = False


@dataclass(slots=True)
class Counts:
    """What was done; ``joined`` nodes became others."""

    documents: int = 0
    sentences: int = 0
    joined: int = 0
    failed: int = 0


def run_merge(request: Request, as_json: bool) -> int:
    """Merge the graphs of documents, or part them again.

    Returns:
        Exit status: 1 where a sentence has no graph, a document could not be merged, or a file
        could not be read, else 0.
    """
    corpora, num_refused = console.open_corpora(list(request.files))
    counts, blocks = Counts(), list[str]()
    for name, records in documents_of(corpora, "file" if request.undo else request.by).items():
        blocks += (parted if request.undo else merged)(name, records, counts)
    with open_output(request.output) as output:
        output.writelines(block + "\n\n" for block in blocks)
    result: dict[str, Any] = {
        "documents": counts.documents,
        "sentences": counts.sentences,
        "joined": counts.joined,
        "failed": counts.failed,
    }
    if as_json and str(request.output) != console.STDIN:
        console.write_json(result)
    else:
        console.say(", ".join(f"{name}: {value}" for name, value in result.items()))
    return 1 if counts.failed or num_refused else 0


def documents_of(corpora: Sequence[Corpus], by: str) -> dict[str, list[Record]]:
    """Give the records of each document by its name, in order.

    A file some of whose sentences have no id with a number is one document.
    """
    names = short_names([Path(corpus.path) for corpus in corpora])
    found: dict[str, list[Record]] = {}
    for corpus, name in zip(corpora, names, strict=True):
        ids = [_NUMBERED.fullmatch(record.id) for record in corpus.records]
        for record, match in zip(corpus.records, ids, strict=True):
            document = match[1] if match and all(ids) and by == "id" else Path(name).stem
            found.setdefault(document, []).append(record)
    return found


def merged(name: str, records: Sequence[Record], counts: Counts) -> list[str]:
    """Make the block of a document; what is wrong with it is told."""
    graphs = [record.graph or without_graph(record) for record in records]
    for number, (record, graph) in enumerate(zip(records, graphs, strict=True), 1):
        if [node.concept for node in graph.nodes] == [EMPTY]:
            console.say(f"warning: {record.id or f'{name}, sentence {number}'} has no graph")
            counts.failed += 1

    def made() -> Iterable[str]:
        whole, problems = merge_document(name, graphs)
        for problem in problems:
            console.say(f"warning: {name}: {problem}")
        yield format_penman(whole)
        counts.documents += 1
        counts.sentences += len(graphs)
        counts.joined += len(whole.metadata.get(MENTIONS, "").split())

    return _tried(name, made, counts)


def parted(name: str, records: Sequence[Record], counts: Counts) -> list[str]:
    """Make the blocks of the sentences of merged documents."""
    blocks: list[str] = []
    for record in records:

        def made(record: Record = record) -> Iterable[str]:
            for graph in split_document(record.graph or without_graph(record)):
                yield format_penman(graph, alignments="alignments" not in graph.metadata)
                counts.sentences += 1
            counts.documents += 1

        blocks += _tried(record.id or name, made, counts)
    return blocks


def without_graph(record: Record) -> AmrGraph:
    """Give what stands in the place of a graph that is not there."""
    reason = record.problems[0].message if record.is_broken else "there is no graph"
    metadata = {**record.metadata, "error": record.metadata.get("error", reason)}
    return replace(AmrGraph((Node("a", EMPTY),), (), (), "a"), metadata=metadata)


def _tried(name: str, made: Callable[[], Iterable[str]], counts: Counts) -> list[str]:
    """Make blocks; an error is told, and ends nothing else."""
    try:
        return list(made())
    except AptamrError as error:
        what = "; ".join(error.problems) if isinstance(error, GraphError) else str(error)
        console.say(f"error: {name}: {what}")
        counts.failed += 1
        return []
