"""Results to standard output, everything else to standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from aptcore.graph.corpus import Corpus, decode_text, read_corpus

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


def read_text(path: Path) -> str:
    """Read a UTF-8 file, or standard input for ``-``; line ends are kept.

    Bytes that are not UTF-8 become U+FFFD, and the line of the first is told on
    standard error: one bad line must not end a batch.

    Raises:
        OSError: The file cannot be opened.
        FormatError: It is no text at all: a picture, a program, UTF-16.
    """
    is_stdin = str(path) == STDIN
    name = "standard input" if is_stdin else str(path)
    content = sys.stdin.buffer.read() if is_stdin else path.read_bytes()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if b"\0" in content:
            decode_text(content, name)  # refuses it, and says why
        line = content.count(b"\n", 0, error.start) + 1
        say(f"warning: {name}:{line}: not UTF-8 text; the bytes are read as U+FFFD")
        return content.decode("utf-8-sig", errors="replace")


def read_lines(path: Path) -> list[str]:
    """Read lines as :func:`read_text` does; only LF and CR LF end a line, and are left out.

    A line may hold other separators, such as U+2028: they must not move its number.
    """
    lines = read_text(path).split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def open_corpora(paths: Sequence[Path]) -> list[Corpus]:
    """Read AMR files, ``-`` for standard input; every problem is told on standard error.

    Raises:
        OSError: A file cannot be opened.
        FormatError: A file is not text in UTF-8.
    """
    corpora = []
    for path in paths:
        is_stdin = str(path) == STDIN
        name = "standard input" if is_stdin else str(path)
        corpus = read_corpus(name, text=read_text(path) if is_stdin else None)
        for problem in corpus.problems:
            say(f"warning: {problem}")
        corpora.append(corpus)
    return corpora
