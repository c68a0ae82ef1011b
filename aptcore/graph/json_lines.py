"""JSON Lines with sentences and graphs: our own exports, ``aptamr parse --json``, others.

    {"id": "a.1", "snt": "It rains .", "amr": "(r / rain-01)", "source": "diary"}

becomes the block of an AMR file, with a ``# ::key value`` line for each other value, so
that all that reads graphs reads it:

    # ::id a.1
    # ::snt It rains .
    # ::source diary
    (r / rain-01)

An object is one block, always. A line that is none, or whose graph is not one graph, is a
block without a graph that says why and keeps the line.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from aptcore.errors import PenmanError
from aptcore.graph.alignment_formats import addresses, format_alignments
from aptcore.graph.amr import Alignment, AlignmentKey, AmrGraph, Edge
from aptcore.graph.blocks import format_metadata, metadata_of, split_lines, token_line, tokens_of
from aptcore.graph.corpus import Corpus, Problem, Record, read_corpus
from aptcore.graph.penman import read_penman

SENTENCE_KEYS = ("snt", "sent", "sentence", "text")
GRAPH_KEYS = ("penman", "amr", "graph")
ID_KEYS = ("id", "sent_id", "sid")
OWN_KEYS = frozenset(
    {
        *("number", "status", "status_by", "revision", "edited", "flagged", "flag", "apart"),
        *("raw", "provenance", "comments", "dismissed", "metadata"),
    }
)
"""What ``aptamr project export`` writes beside the block; the store reads it back."""
_READ_BACK = {
    **{"id": str, "text": str, "tokens": list, "penman": str, "alignments": str},
    **{"metadata": dict, "status": str},
}
_WORK = {"status_by": str, "provenance": list, "comments": list, "flag": dict, "dismissed": list}
"""Keys of our exports and their types; those of the work may all be left out."""
_OF_PARSES = frozenset({"actions", "log_prob", "repairs"})


@dataclass(frozen=True, slots=True)
class _Block:
    """A line of the file, as PENMAN, and what could not be put into it."""

    line: int
    text: str
    values: Mapping[str, Any] | None
    problems: tuple[str, ...] = ()


def read_json_lines(name: str, text: str) -> tuple[Corpus, tuple[Mapping[str, Any] | None, ...]]:
    """Read JSON Lines as a corpus: one record for each line that is not blank.

    Returns:
        The corpus, whose lines are those of the file, and the object of each record, None
        where a line is none.
    """
    lines = split_lines(text.lstrip("\ufeff"))
    blocks = [
        _block_of(number, line.text) for number, line in enumerate(lines, 1) if not line.is_blank
    ]
    corpus = read_corpus(name, text="".join(block.text + "\n\n" for block in blocks))
    starts = list(accumulate((block.text.count("\n") + 2 for block in blocks), initial=1))

    def moved(problem: Problem) -> Problem:
        place = bisect_right(starts, problem.line) - 1
        return replace(problem, line=blocks[min(place, len(blocks) - 1)].line)

    records = []
    for record, block in zip(corpus.records, blocks, strict=True):
        own = tuple(Problem(name, block.line, record.id, message) for message in block.problems)
        problems = (*own, *(moved(problem) for problem in record.problems))
        records.append(replace(record, line=block.line, problems=problems))
    of_records = {id(p) for record in corpus.records for p in record.problems}
    stray = [moved(p) for p in corpus.problems if id(p) not in of_records]
    found = [*stray, *(problem for record in records for problem in record.problems)]
    found.sort(key=lambda problem: problem.line)
    values = tuple(block.values for block in blocks)
    return replace(corpus, records=tuple(records), problems=tuple(found)), values


def is_known(values: Mapping[str, Any]) -> bool:
    """Tell whether an object holds a sentence or a graph."""
    return any(key in values for key in (*SENTENCE_KEYS, *GRAPH_KEYS, "tokens"))


def _block_of(number: int, line: str) -> _Block:
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as error:
        return _failed(number, line, None, {}, f"the line is no JSON: {error}")
    if not isinstance(values, dict):
        return _failed(number, line, None, {}, "the line is no JSON object")
    raw = values.get("raw")
    if isinstance(raw, str) and len(raw_records := _records(raw)) == 1:
        return _Block(number, raw_records[0].raw, values)
    metadata, problems = _metadata_of(values)
    if not is_known(values):
        return _failed(number, line, values, metadata, "the object has no sentence and no graph")
    penman = _first(values, GRAPH_KEYS)
    if penman is None or penman == "":
        return _checked(number, line, values, metadata, "", problems)
    if not isinstance(penman, str):
        return _failed(number, line, values, metadata, "the graph is no text in PENMAN notation")
    rows = re.split(r"\r\n|\n|\r", penman)
    inside, _ = metadata_of(row for row in rows if row.lstrip().startswith("#"))
    metadata = {**metadata, **{key: value for key, value in inside.items() if key not in metadata}}
    body = "\n".join(row for row in rows if row.strip() and not row.lstrip().startswith("#"))
    if isinstance(values.get("alignments"), list):
        metadata["alignments"], unread = _alignment_line(body, values["alignments"])
        problems = [*problems, *unread]
    return _checked(number, line, values, metadata, body, problems)


def _records(text: str) -> Sequence[Record]:
    corpus = read_corpus("", text=text)
    inside = sum(len(record.raw) for record in corpus.records)
    return corpus.records if inside == len(text.strip("\r\n")) else ()


def _checked(
    number: int,
    line: str,
    values: Mapping[str, Any],
    metadata: Mapping[str, str],
    body: str,
    problems: Sequence[str],
) -> _Block:
    """Give the block, if it is read as one; a text of several graphs is none."""
    block = (format_metadata(metadata) or "# ::id\n") + body
    if len(_records(block.rstrip("\n"))) != 1:
        return _failed(number, line, values, metadata, "the graph is not one graph")
    return _Block(number, block.rstrip("\n"), values, tuple(problems))


def _failed(
    number: int,
    line: str,
    values: Mapping[str, Any] | None,
    metadata: Mapping[str, str],
    reason: str,
) -> _Block:
    kept = {**metadata, "error": reason, "json": line.strip()}
    return _Block(number, format_metadata(kept).rstrip("\n"), values, (reason,))


def _first_key(values: Mapping[str, Any], keys: Sequence[str]) -> str:
    return next((key for key in keys if values.get(key) is not None), "")


def _first(values: Mapping[str, Any], keys: Sequence[str]) -> Any:
    return values.get(_first_key(values, keys))


def _metadata_of(values: Mapping[str, Any]) -> tuple[dict[str, str], list[str]]:
    """Give the ``# ::key value`` lines of an object, and what cannot be one."""
    own = values.get("metadata")
    problems = _export_problems(values)
    if isinstance(own, dict) and "penman" in values:  # an export of the store: all is there
        metadata = {str(key): str(value) for key, value in own.items()}
        line = values.get("alignments")
        if isinstance(line, str) and line and "alignments" not in metadata:
            metadata["alignments"] = line
        return metadata, problems
    metadata = {}
    identifier, sentence = _first(values, ID_KEYS), _first(values, SENTENCE_KEYS)
    if identifier is not None:
        metadata["id"] = str(identifier)
    if sentence is not None:
        if isinstance(sentence, str):
            metadata["snt"] = sentence
        else:
            problems.append(f"the sentence is no text: {str(sentence)[:60]}")
    tokens = values.get("tokens")
    if isinstance(tokens, list) and all(isinstance(token, str) for token in tokens):
        metadata |= token_line(tokens)
    elif tokens is not None and not problems:
        problems.append(f"the tokens are no list of texts: {str(tokens)[:60]}")
    read = [_first_key(values, keys) for keys in (ID_KEYS, SENTENCE_KEYS, GRAPH_KEYS)]
    named = {*read, *_OF_PARSES, *OWN_KEYS, "tokens"}
    for key, value in values.items():
        if key in named or value is None or (key == "alignments" and isinstance(value, list)):
            continue
        if re.fullmatch(r"[^\s:]+", key):
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            metadata.setdefault(key, text)
        else:
            problems.append(f"the key {key[:60]!r} cannot be kept: it is no single word")
    return metadata, problems


def _export_problems(values: Mapping[str, Any]) -> list[str]:
    """Say what an export of ours lacks, or has of another type; the store checks the work."""
    if len(OWN_KEYS & values.keys()) < 3:
        return []
    wanted = _READ_BACK | (_WORK if _WORK.keys() & values.keys() else {})
    problems = [f"the export has no {key}" for key in wanted if key not in values]
    problems += [
        f"{key} is of another type: {str(values[key])[:60]}"
        for key, kind in _READ_BACK.items()
        if key in values and not isinstance(values[key], kind)
    ]
    own = values.get("metadata")
    if problems or not isinstance(own, dict):
        return problems
    said = {str(key): str(value) for key, value in own.items()}
    told = {"text": said.get("snt", ""), "tokens": list(tokens_of(said))}
    return [
        f"{key} is not what metadata says, which counts: {str(values[key])[:60]}"
        for key, counts in told.items()
        if counts and values[key] != counts
    ]


def _alignment_line(body: str, listed: Sequence[Any]) -> tuple[str, list[str]]:
    """Write the alignments that ``aptamr parse --json`` lists as ISI's line, and what is none."""
    try:
        graph, _ = read_penman(body)
    except PenmanError:
        return "", []
    known = {key for item in addresses(graph).values() for key in (item.key, item.role)}
    alignments: dict[AlignmentKey, Alignment] = {}
    unread = []
    for item in listed:
        tokens = item.get("tokens") if isinstance(item, dict) else None
        is_list = isinstance(tokens, list) and all(type(t) is int and t >= 0 for t in tokens)
        key = _key_of(graph, item) if is_list else None
        if not tokens or key is None or key not in known:
            unread.append(f"the alignment is of nothing in the graph: {str(item)[:60]}")
        else:
            alignments[key] = Alignment(tuple(sorted(tokens)), "given")
    return format_alignments(replace(graph, alignments=alignments)), unread


def _key_of(graph: AmrGraph, item: Mapping[str, Any]) -> AlignmentKey | None:
    triple = item.get("triple")
    if "node" in item:
        return str(item["node"])
    if not isinstance(triple, list) or len(triple) != 3:
        return None
    triple = [str(part) for part in triple]
    constants = {tuple(a.triple): a.id for a in graph.attributes}
    return constants.get(tuple(triple)) or Edge(*triple)
