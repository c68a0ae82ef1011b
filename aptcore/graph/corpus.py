"""AMR files: blocks of ``# ::key value`` lines and one graph each.

Files in the wild have a byte order mark, Windows line ends, no blank line between
two graphs or one inside a graph, headings, sentences with no graph yet, and broken
blocks. None of it ends the reading: each problem is listed with its line, and the
text of every block is kept, so that a file saved untouched has the same bytes
(less a byte order mark).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from aptcore.errors import PenmanError
from aptcore.graph.alignment_formats import with_alignments, within_tokens
from aptcore.graph.amr import AmrGraph
from aptcore.graph.blocks import (
    REPEATED_KEYS,
    Line,
    compared,
    find_blocks,
    format_metadata,
    join_isi_tokens,
    lines_with,
    metadata_of,
    metadata_of_line,
    spans_in,
    split_lines,
    token_line,
    token_problems,
    tokens_of,
)
from aptcore.graph.characters import PENN_BRACKETS
from aptcore.graph.checks import triples
from aptcore.graph.encoding import decode_text, undecoded
from aptcore.graph.penman import format_penman, read_penman
from aptcore.saving import save_text


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a file, with its place.

    Attributes:
        path: The file.
        line: Line of the file, from 1.
        id: The ``::id`` of the block, or empty.
        message: What is wrong.
    """

    path: str
    line: int
    id: str
    message: str

    def __str__(self) -> str:
        name = f"{self.id}: " if self.id else ""
        return f"{self.path}:{self.line}: {name}{self.message}"


@dataclass(frozen=True, slots=True)
class Record:
    """One block of a file.

    Attributes:
        id: Value of ``::id``; empty if there is none.
        metadata: Values by key, in the order of the file.
        graph: None where the block has no graph or one that cannot be read.
        raw: The block as it stands in the file, without its last line end.
        line: Line of the file on which the block begins, from 1.
        span: Where ``raw`` stands in the text of the file, characters, half-open.
        problems: What is wrong with the block.
        is_broken: True where there is a graph that cannot be read.
    """

    id: str
    metadata: Mapping[str, str]
    graph: AmrGraph | None
    raw: str
    line: int
    span: tuple[int, int]
    problems: tuple[Problem, ...] = ()
    is_broken: bool = False


@dataclass(frozen=True, slots=True)
class Corpus:
    """An AMR file: its records in order, all problems in order, and its whole text."""

    path: str
    records: tuple[Record, ...]
    problems: tuple[Problem, ...]
    raw: str


def read_corpus(path: str | Path, *, text: str | None = None) -> Corpus:
    """Read an AMR file, or ``text`` as if it stood in that file.

    Raises:
        OSError: The file cannot be opened.
        FormatError: The file is not text in UTF-8 at all (UTF-16, binary).
    """
    name = str(path)
    raw = decode_text(Path(path).read_bytes(), name) if text is None else text
    raw = raw.lstrip("\ufeff")
    lines = split_lines(raw)
    blocks, stray = find_blocks(lines)
    problems = [
        Problem(name, number + 1, "", f"text that belongs to no graph: {lines[number].text[:60]!r}")
        for number in stray
    ]
    records = []
    first_line: dict[str, int] = {}
    for first, last in blocks:
        record = _record(name, raw, lines[first:last], first + 1)
        if record.id and record.id in first_line:
            message = f"::id is used before, on line {first_line[record.id]}"
            problem = Problem(name, record.line, record.id, message)
            record = replace(record, problems=(*record.problems, problem))
        first_line.setdefault(record.id, record.line)
        records.append(record)
        problems += record.problems
    if raw.strip() and not any(record.graph or record.is_broken for record in records):
        problems.append(Problem(name, 1, "", "the file holds text, but no graph"))
    problems.sort(key=lambda problem: problem.line)
    return Corpus(name, tuple(records), tuple(problems), raw)


def _record(path: str, raw: str, lines: list[Line], number: int) -> Record:
    metadata, repeated = metadata_of(line.text for line in lines if line.is_comment)
    identifier = metadata.get("id", "")
    span = (lines[0].start, lines[-1].end)
    block = raw[slice(*span)]
    found = [(number, message) for message in _metadata_problems(metadata, repeated)]
    found += [(number + place, message) for place, message in token_problems(lines, metadata)]
    graph, is_broken = None, False
    try:
        block.encode("utf-8")
        if any(not (line.is_comment or line.is_blank) for line in lines):
            text = "\n".join(line.text for line in lines)
            graph, warned = read_penman(text, path=path, first_line=number)
            graph, unread = with_alignments(graph)
            graph, outside = within_tokens(graph, len(tokens_of(metadata)))
            places = {key: lines_with(key, lines) for key in ("alignments", "node")}
            found += [*warned, *((number + places[key][n], text) for key, n, text in unread)]
            found += [(number + line - 1, message) for line, message in outside]
    except PenmanError as error:
        is_broken = True
        found.insert(0, (error.line or number, error.message))  # the worst first
    except UnicodeEncodeError as error:
        is_broken = True
        before = split_lines(block[: error.start] + ".")
        place, column = number + len(before) - 1, error.start - before[-1].start + 1
        what = undecoded(block) or "half a character stands here"
        found.insert(
            0, (place, f"{what} (character {column} of the line); until then its graph is not read")
        )
    record = Record(identifier, metadata, graph, block, number, span, (), is_broken)
    found += [(number + place, message) for place, message in _lost_alignments(record, lines)]
    problems = tuple(Problem(path, line, identifier, message) for line, message in found)
    return replace(record, problems=problems)


def _metadata_problems(metadata: Mapping[str, str], repeated: Iterable[str]) -> list[str]:
    problems = [f"::{key} given twice; the first is kept" for key in repeated]
    if "snt" in metadata:
        if not metadata["snt"]:
            problems.append("::snt is empty")
    elif "tok" not in metadata and "tokens" not in metadata:
        near = difflib.get_close_matches("snt", metadata, n=1, cutoff=0.7)
        problems.append("no ::snt" + "".join(f" (there is a key {key})" for key in near))
    return problems


def _lost_alignments(record: Record, lines: Sequence[Line]) -> list[tuple[int, str]]:
    """Name what is aligned to tokens alone that the sentence lacks, so to none of ours."""
    places = lines_with("tokens", lines) or lines_with("tok", lines)
    if not places or not record.metadata.get("snt"):
        return []
    if record.graph is None or not record.graph.alignments:
        return []
    lost = [start == end for start, end in white_space_spans(record)]
    if not any(lost):
        return []
    tokens = white_space_tokens(record)
    named = [
        f"{key} at {' '.join(tokens[n] for n in given.tokens)!r}"
        for key, given in record.graph.alignments.items()
        if isinstance(key, str) and all(lost[n : n + 1] == [True] for n in given.tokens)
    ]
    if not named:
        return []
    return [(places[0], f"no word of the sentence is found for {', '.join(named)}")]


def merge_alignments(corpus: Corpus, aligned: Corpus) -> Corpus:
    """Take the alignments and tokens of ``aligned`` over to the same ids of ``corpus``.

    Tokens are those of ``::tokens`` or ``::tok``; a problem says where they are not the
    words of the sentence. A graph that differs in a triple keeps what it has, with a
    problem. Graphs of other ids stay as they are.
    """
    by_id = {record.id: record for record in aligned.records if record.id and record.graph}
    records = []
    problems = list(corpus.problems)
    for record in corpus.records:
        other = by_id.get(record.id)
        if record.graph is None or other is None or other.graph is None:
            records.append(record)
            continue
        if set(triples(record.graph)) != set(triples(other.graph)):
            message = f"the graph differs from that of {aligned.path}:{other.line}; not aligned"
            problem = Problem(corpus.path, record.line, record.id, message)
            problems.append(problem)
            records.append(replace(record, problems=(*record.problems, problem)))
            continue
        graph, noted = record.graph, record.problems
        tokens = tokens_of(other.metadata) or tokens_of(record.metadata)
        if compared(join_isi_tokens(tokens)[0]) != compared(sentence_text(record)):
            place = f"{aligned.path}:{other.line}"
            message = f"the {len(tokens)} tokens of {place} are not the words of the sentence"
            problems.append(Problem(corpus.path, record.line, record.id, message))
            noted = (*noted, problems[-1])
        own = {key: v for key, v in record.metadata.items() if key not in ("tokens", "tok")}
        metadata = {**own, **token_line(tokens)}
        graph = replace(graph, alignments=other.graph.alignments, metadata=metadata)
        records.append(replace(record, graph=graph, metadata=metadata, problems=noted))
    return replace(corpus, records=tuple(records), problems=tuple(problems))


def sentence_text(record: Record) -> str:
    """Give the sentence: ``::snt``, else the tokens with ISI's ``T @-@ cell`` joined."""
    if record.metadata.get("snt"):
        return record.metadata["snt"]
    return join_isi_tokens(_plain_tokens(record))[0]


def _plain_tokens(record: Record) -> list[str]:
    return [PENN_BRACKETS.get(token.upper(), token) for token in white_space_tokens(record)]


def white_space_tokens(record: Record) -> tuple[str, ...]:
    """Give the tokens that alignments count: of ``::tokens``, ``::tok``, else of ``::snt``."""
    return tokens_of(record.metadata)


def white_space_spans(record: Record) -> tuple[tuple[int, int], ...]:
    """Give the place of each white-space token in ``sentence_text``.

    Returns:
        Start and end characters, half-open, one pair for each token; start equals
        end where the token is not in the text.
    """
    tokens = _plain_tokens(record)
    joined, spans = join_isi_tokens(tokens)
    text = sentence_text(record)
    if text == joined:
        return spans
    return tuple(spans_in(text, [joined[start:end] for start, end in spans]))


def format_record(record: Record, graph: AmrGraph) -> str:
    """Write a record with another graph.

    Its comment lines stay as they are, but for keys that the graph's metadata has
    with another value; keys that are new come last. No key is removed.
    """
    changed = {
        key: value for key, value in graph.metadata.items() if record.metadata.get(key) != value
    }
    rewritten = REPEATED_KEYS & changed.keys()  # all their lines stand where the first was
    lines: list[str] = []
    for line in re.split(r"\r\n|\n|\r", record.raw):  # a sentence may hold other separators
        pairs = metadata_of_line(line)
        if any(key in changed or key in rewritten for key, _ in pairs):
            kept = [(k, v) for k, v in pairs if k in changed or k not in rewritten]
            lines += [format_metadata({k: changed.pop(k, v)}) for k, v in kept]
        elif line.lstrip().startswith("#"):
            lines.append(line + "\n")
    has_marks = any(branch.target_mark or branch.role_mark for branch in graph.layout)
    text = format_penman(graph, metadata=False, alignments=has_marks)
    return "".join(lines) + format_metadata(changed) + text


def format_corpus(corpus: Corpus, changed: Mapping[int, AmrGraph] | None = None) -> str:
    """Write a corpus: its own text, with the graphs of some records replaced.

    Args:
        corpus: As read.
        changed: New graph by index of the record.
    """
    pieces = []
    position = 0
    newline = "\r\n" if "\r\n" in corpus.raw else "\n"
    for index in sorted(changed or {}):
        record = corpus.records[index]
        pieces.append(corpus.raw[position : record.span[0]])
        pieces.append(format_record(record, (changed or {})[index]).replace("\n", newline))
        position = record.span[1]
    return "".join(pieces) + corpus.raw[position:]


def save_graphs(path: str | Path, graphs: Iterable[AmrGraph], *, alignments: bool = False) -> None:
    """Save graphs with their metadata, a blank line after each, in one step.

    Raises:
        GraphError: A graph that could not be read back; nothing is written then.
    """
    blocks = [format_penman(graph, alignments=alignments) + "\n\n" for graph in graphs]
    save_text(path, "".join(blocks))
