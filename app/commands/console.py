"""Results to standard output, everything else to standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from glob import glob
from pathlib import Path
from typing import Any

from aptcore.errors import InputError
from aptcore.graph.blocks import split_lines
from aptcore.graph.corpus import Corpus
from aptcore.graph.encoding import decode_text
from aptcore.graph.formats import Named, graphs_of, named_sentences, read_source

STDIN = "-"


def write(text: str) -> None:
    """Write a result and a line end to standard output."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def write_json(value: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> None:
    """Write one JSON object, or a list of them, on one line to standard output."""
    write(json.dumps(value, ensure_ascii=False))


def say(text: str) -> None:
    """Tell the person something on standard error."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def say_device(asked: str, used: str) -> None:
    """Tell which device is in use, and when that is not the one asked for."""
    absent = asked == "cuda" and not used.startswith("cuda")
    say(f"device: {used}" + (" (CUDA was asked for and is absent)" if absent else ""))


def argument_text(argument: str) -> str:
    """Give an argument as text; bytes that are not UTF-8 become U+FFFD."""
    return argument.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def read_content(path: Path) -> tuple[str, bytes]:
    """Read a file, or standard input for ``-``; give what it is called, and its bytes.

    Raises:
        OSError: The file cannot be opened.
    """
    if str(path) == STDIN:
        return "standard input", sys.stdin.buffer.read()
    return str(path), path.read_bytes()


def read_text(path: Path) -> str:
    """Read a UTF-8 file, or standard input for ``-``; line ends are kept.

    Bytes that are not UTF-8 become U+FFFD, and the line of the first is told on
    standard error: one bad line must not end a batch.

    Raises:
        OSError: The file cannot be opened.
        FormatError: It is no text at all: a picture, a program, UTF-16.
    """
    name, content = read_content(path)
    decode_text(content, name)  # refuses what is no text, and says why
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = len(split_lines(content[: error.start].decode("utf-8-sig") + "."))
        say(f"warning: {name}:{line}: not UTF-8 text; the bytes are read as U+FFFD")
        return content.decode("utf-8-sig", errors="replace")


def read_sentences(path: Path) -> list[Named]:
    """Read id and text of each sentence of a file in any format, as :func:`read_text` does.

    Raises:
        OSError: The file cannot be opened.
        FormatError: It is in no format that is known.
    """
    name = "standard input" if str(path) == STDIN else str(path)
    reading = read_source(name, read_text(path))
    _tell(reading.corpus)
    return named_sentences(reading)


def files_of(paths: Sequence[Path]) -> list[Path]:
    """Give the files that paths name: a folder is all below it, a pattern what it fits.

    Hidden files of a folder are passed over; ``-`` and files stay as they are.

    Raises:
        InputError: A folder holds no file, or nothing fits a pattern.
    """
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            below = [file for file in sorted(path.rglob("*")) if file.is_file()]
            named = [file for file in below if file.name[0] != "."]
        elif set("*?[") & set(str(path)) and not path.exists():
            fitting = sorted(map(Path, glob(str(path), recursive=True)))
            named = [file for file in fitting if file.is_file()]
        else:
            named = [path]
        if not named:
            raise InputError(f"{path}: there is no file")
        found += named
    return found


def open_corpora(paths: Sequence[Path]) -> list[Corpus]:
    """Read files of graphs, ``-`` for standard input; problems are told on standard error.

    Raises:
        OSError: A file cannot be opened.
        FormatError: A file holds no graphs, or is in no format that is known.
    """
    corpora = []
    for path in paths:
        name, content = read_content(path)
        corpora.append(graphs_of(name, decode_text(content, name)))
        _tell(corpora[-1])
    return corpora


def _tell(corpus: Corpus) -> None:
    for problem in corpus.problems:
        say(f"warning: {problem}")
