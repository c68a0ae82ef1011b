"""The sentences of files in any format, one after the other: memory does not grow with them.

Plain text, JSON Lines and Parquet are streamed. The blocks of an AMR file, whose ends only the
whole file tells, are read at once. A line that cannot be read is one like any other, with what
is wrong: whoever takes it tells.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple

from aptcore.errors import FormatError, InputError, reason
from aptcore.graph.corpus import Record, read_corpus, sentence_text
from aptcore.graph.encoding import decode_text, undecoded
from aptcore.graph.formats import Format, format_of, short_names
from aptcore.graph.json_lines import ID_KEYS, SENTENCE_KEYS, read_json_lines
from trainer.annotating.storage import Found, find_files, reading, size_of

HEAD_BYTES = 2**20
"""What of a file tells its format."""

BATCH = 1024
"""Rows of a Parquet file that are read at once."""

_PARQUET = b"PAR1"


class Line(NamedTuple):
    """A sentence of the input, or what stands in the place of one.

    Attributes:
        id: Its name: ``::id``, else the number of its line.
        text: The sentence; of a line that cannot be read the line itself.
        place: File and line.
        problem: Why it cannot be read; empty where it can.
    """

    id: str
    text: str
    place: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """A file of sentences.

    Attributes:
        address: Where it is.
        format: What it is.
        size: Of the file, in bytes.
        name: What its places are called by in messages.
        prefix: Stands before numbers that are ids, where there are several files.
    """

    address: str
    format: Format | Literal["parquet"]
    size: int
    name: str
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class Sources:
    """Files of sentences, read one after the other; ``num_refused`` could not be opened."""

    files: tuple[Source, ...]
    num_refused: int = 0

    def lines(self, say: Callable[[str], None]) -> Iterator[tuple[Line, float]]:
        """Give each line, and how much of all files has been read by then, as a share."""
        size, before = max(1, sum(file.size for file in self.files)), 0
        for file in self.files:
            for line, num_bytes in lines_of(file, say):
                yield line, min(1.0, (before + num_bytes) / size)
            before += file.size


def open_sources(
    address: str,
    say: Callable[[str], None],
    *,
    name: str = "",
    without: Callable[[str], bool] = lambda _: False,
) -> Sources:
    """Find files of sentences and tell their formats, before any of them is read.

    Args:
        address: A file, a folder or a pattern, here or in object storage.
        say: Is told what is left out or refused; plain text that only its folder names is left
            out.
        name: What a single file is called in messages; its address where left out.
        without: Which of the files are passed over, by their addresses.

    Raises:
        OSError: The only file cannot be opened.
        FormatError: It is in no format that is known.
        InputError: A folder is empty, nothing fits, no file can be read, or storage refuses.
    """
    every = find_files(address)
    found = [file for file in every if not without(file.address)]
    if not found:
        raise InputError(f"{every[0].address} is the output, and cannot be the input as well")
    names = short_names([Path(file.address.replace("://", "/")) for file in found])
    is_alone = len(found) == 1
    sources, num_refused = [], 0
    for file, short in zip(found, names, strict=True):
        try:
            source = _source(file, name or file.address, "" if is_alone else f"{Path(short).stem}.")
        except (FormatError, InputError, OSError) as error:
            if is_alone and not file.is_in_folder:
                raise
            say(f"error: {reason(error)}")
            num_refused += 1
            continue
        if file.is_in_folder and source.format == "text":
            say(f"left out: {file.address} is plain text; to read it, name the file itself")
        else:
            sources.append(source)
    if not sources:
        raise InputError(f"none of {len(found)} files could be read")
    return Sources(tuple(sources), num_refused)


def _source(file: Found, name: str, prefix: str) -> Source:
    with reading(file.address) as content:
        head = content.read(HEAD_BYTES)
    size = size_of(file.address)
    if head.startswith(_PARQUET):
        _sentence_column(file.address, name)
        return Source(file.address, "parquet", size, name, prefix)
    if file.address.endswith(".parquet"):
        raise FormatError("the file is named as Parquet, and is none", path=name)
    if len(head) < size:  # a line that is cut would be none
        head = head[: max(head.rfind(b"\n"), head.rfind(b"\r")) + 1] or head
    return Source(file.address, format_of(name, decode_text(head, name)), size, name, prefix)


def lines_of(source: Source, say: Callable[[str], None]) -> Iterator[tuple[Line, int]]:
    """Give each line of a file, and how many bytes of it have been read by then."""
    if source.format == "parquet":
        yield from _parquet_lines(source)
    elif source.format == "penman":
        yield from _blocks(source, say)
    else:
        of_line = _object_line if source.format == "json-lines" else _text_line
        is_told = False
        with reading(source.address) as content:
            text = io.TextIOWrapper(
                io.BufferedReader(_Bytes(content)), "utf-8-sig", "surrogateescape", newline=None
            )
            for number, raw in enumerate(text, 1):
                line = (raw.lstrip("\ufeff") if number == 1 else raw).removesuffix("\n")
                if undecoded(line) is not None:
                    line = line.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
                    if not is_told:
                        place = f"{source.name}:{number}"
                        say(f"warning: {place}: not UTF-8 text; the bytes are read as U+FFFD")
                    is_told = True
                found = of_line(source, number, line)
                if found is not None:
                    yield found, content.tell()


class _Bytes(io.RawIOBase):
    """A file of any system as Python's reader of text wants it."""

    def __init__(self, content: IO[bytes]) -> None:
        self._content = content

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read as much as fits."""
        piece = self._content.read(len(buffer))
        buffer[: len(piece)] = piece
        return len(piece)


def _text_line(source: Source, number: int, text: str) -> Line:
    problem = "the line holds a zero byte" if "\0" in text else ""
    return Line(f"{source.prefix}{number}", text, f"{source.name}:{number}", problem)


def _object_line(source: Source, number: int, text: str) -> Line | None:
    """Read a line of JSON Lines; None for a blank one."""
    if not text.strip():
        return None
    corpus, _ = read_json_lines(source.name, text)
    return _record_line(source, corpus.records[0], number, text)


def _record_line(source: Source, record: Record, number: int, raw: str) -> Line:
    name = record.id or f"{source.prefix}{number}"
    place = f"{source.name}:{number}"
    text = sentence_text(record)
    if text.strip():
        return Line(name, text, place)
    problem = record.metadata.get("error") or "there is no sentence"
    return Line(name, raw, place, problem)


def _blocks(source: Source, say: Callable[[str], None]) -> Iterator[tuple[Line, int]]:
    with reading(source.address) as content:
        corpus = read_corpus(source.name, text=decode_text(content.read(), source.name))
    for problem in corpus.problems:
        say(f"warning: {problem}")
    for number, record in enumerate(corpus.records, 1):
        name = record.id or f"{source.prefix}{number}"
        line = _record_line(source, record, record.line, record.raw)
        yield line._replace(id=name), source.size * number // len(corpus.records)


# --- Parquet ------------------------------------------------------------------------------


def _open_table(content: IO[bytes], name: str) -> Any:
    """Open a Parquet file.

    Raises:
        FormatError: It cannot be read.
    """
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    try:
        return ParquetFile(content)
    except (ArrowException, OSError) as error:
        raise FormatError(f"the Parquet file cannot be read: {error}", path=name) from error


def _sentence_column(address: str, name: str) -> tuple[str, str | None]:
    """Find the columns of sentence and id of a Parquet file.

    Raises:
        FormatError: There is none of sentences, or it holds no text.
    """
    with reading(address) as content:
        schema = _open_table(content, name).schema_arrow
    columns: Sequence[str] = schema.names
    text = next((key for key in SENTENCE_KEYS if key in columns), None)
    if text is None:
        shown = ", ".join(columns[:8]) or "none"
        raise FormatError(
            f"Parquet without a column of sentences ({', '.join(SENTENCE_KEYS)}): "
            f"its columns are {shown}",
            path=name,
        )
    kind = str(schema.field(text).type)
    if not kind.removeprefix("dictionary<values=").startswith(("string", "large_string")):
        raise FormatError(f"the column {text} holds no text but {kind}", path=name)
    return text, next((key for key in ID_KEYS if key in columns), None)


def _parquet_lines(source: Source) -> Iterator[tuple[Line, int]]:
    text, name = _sentence_column(source.address, source.name)
    with reading(source.address) as content:
        table = _open_table(content, source.name)
        size, number = table.metadata.num_rows, 0
        columns = [text, name] if name else [text]
        for batch in table.iter_batches(batch_size=BATCH, columns=columns):
            names = batch.column(name).to_pylist() if name else [None] * batch.num_rows
            for given, sentence in zip(names, batch.column(text).to_pylist(), strict=True):
                number += 1
                called = str(given) if given not in (None, "") else f"{source.prefix}{number}"
                problem = "there is no sentence" if sentence is None else ""
                one_line = " ".join((sentence or "").splitlines())
                place = f"{source.name}:{number}"
                yield Line(called, one_line, place, problem), source.size * number // size
