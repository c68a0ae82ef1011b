"""Results to standard output, everything else to standard error."""

from __future__ import annotations

import errno
import io
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import typer

from aptcore.errors import FormatError, InputError, reason
from aptcore.graph.blocks import split_lines
from aptcore.graph.corpus import Corpus
from aptcore.graph.encoding import decode_text
from aptcore.graph.formats import (
    Named,
    Place,
    files_of,
    graphs_of,
    named_sentences,
    read_source,
    short_names,
)

STDIN = "-"
ENDING = (signal.SIGTERM, *([signal.SIGHUP] if os.name == "posix" else []))
"""Signals that ask a process to end, beside that of Ctrl+C."""


def open_streams() -> None:
    """Read and write UTF-8, whatever the machine's own encoding is.

    In the place of a stream that was closed (``>&-``, some schedulers) stands one that loses
    messages and refuses results, so that no file that is opened later takes its number.
    """
    if sys.stdin is None:
        sys.stdin = _stand_in(os.O_WRONLY, "r")
    if sys.stdout is None:
        sys.stdout = _stand_in(os.O_RDONLY, "w")
    if sys.stderr is None:
        sys.stderr = _stand_in(os.O_WRONLY, "w")
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")


def _stand_in(access: int, mode: str) -> io.TextIOWrapper:
    """Open what is always empty; without a buffer, which would fail a second time at the end."""
    raw = io.FileIO(os.open(os.devnull, access), mode)
    return io.TextIOWrapper(raw, encoding="utf-8", write_through=True)


@contextmanager
def ending_at_signals() -> Iterator[None]:
    """Let SIGTERM, and a terminal that is closed, end what is under way as an error does.

    No half file and no process stays behind. A signal that comes again ends it at once; one
    that is ignored (``nohup``) stays so. Python hands signals to its main thread alone.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def leave(number: int, frame: FrameType | None) -> None:
        del frame
        signal.signal(number, signal.SIG_DFL)
        sys.exit(128 + number)

    kept = {kind: signal.getsignal(kind) for kind in ENDING}
    for kind, handler in kept.items():
        if handler is not signal.SIG_IGN:
            signal.signal(kind, leave)
    try:
        yield
    finally:
        restore_signals(kept)


def restore_signals(kept: Mapping[signal.Signals, Any] | None = None) -> None:
    """Let signals do what they did, or end the process at once: a server has its own way to end."""
    for kind in ENDING:
        if signal.getsignal(kind) is not signal.SIG_IGN:
            signal.signal(kind, (kept or {}).get(kind, signal.SIG_DFL))


def failure(error: Exception) -> str:
    """Say what ended a command; see :func:`open_streams` for streams that are closed."""
    if isinstance(error, OSError) and error.errno == errno.EBADF and error.filename is None:
        return "standard input or output is closed"
    return reason(error)


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


def check_stdin(paths: Iterable[Path | str | None]) -> None:
    """Refuse to read standard input twice: the second time nothing would be there.

    Raises:
        typer.BadParameter: More than one of the paths is ``-``.
    """
    if [str(path) for path in paths].count(STDIN) > 1:
        raise typer.BadParameter("standard input (-) can be read only once")


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


def read_sentences(paths: Sequence[Path]) -> tuple[list[Named], int]:
    """Read id and text of each sentence of files in any format, as :func:`read_text` does.

    Lines of plain text are named by their number, with the file's name where there are
    several files, and with its folders where those have one name.

    Returns:
        The sentences, and how many files could not be read.

    Raises:
        OSError: The only file cannot be opened.
        FormatError: It is in no format that is known.
        InputError: A folder is empty, nothing fits a pattern, or no file can be read.
    """
    places = files_of(paths)
    names = dict(zip(places, short_names([place.path for place in places]), strict=True))
    found: list[Named] = []

    def read(place: Place) -> bool:
        name = "standard input" if str(place.path) == STDIN else str(place.path)
        text = read_text(place.path)
        if place.leaves_out(text):
            return False
        reading = read_source(name, text)
        _tell(reading.corpus)
        named = named_sentences(reading)
        stem = Path(names[place]).stem
        is_alone = len(places) == 1 or reading.format != "text"
        found.extend(named if is_alone else [(f"{stem}.{n}", t) for n, t in named])
        return True

    return found, _each(places, read)


def open_corpora(paths: Sequence[Path]) -> tuple[list[Corpus], int]:
    """Read files of graphs, ``-`` for standard input; problems are told on standard error.

    Plain text that stands in a folder is left out, and told.

    Returns:
        One corpus for each file that was read, and how many could not be read.

    Raises:
        OSError: The only file cannot be opened.
        FormatError: It holds no graphs, or is in no format that is known.
        InputError: A folder is empty, nothing fits a pattern, or no file can be read.
        typer.BadParameter: Standard input is named twice.
    """
    check_stdin(paths)
    corpora: list[Corpus] = []

    def read(place: Place) -> bool:
        name, content = read_content(place.path)
        text = decode_text(content, name)
        if place.leaves_out(text):
            return False
        corpora.append(graphs_of(name, text))
        _tell(corpora[-1])
        return True

    return corpora, _each(files_of(paths), read)


def _each(places: Sequence[Place], read: Callable[[Place], bool]) -> int:
    """Read files one after the other; what keeps one from being read is told.

    Args:
        places: The files.
        read: Reads one, and tells whether it was not left out.

    Returns:
        How many files could not be read; one that was left out is none of them.
    """
    num_read = num_refused = 0
    for place in places:
        try:
            if read(place):
                num_read += 1
            else:
                say_left_out(place)
        except (FormatError, OSError) as error:
            if len(places) == 1 and place.folder is None:
                raise
            say(f"error: {reason(error)}")
            num_refused += 1
    if not num_read:
        raise InputError(f"none of {len(places)} files could be read")
    return num_refused


def say_left_out(place: Place) -> None:
    """Tell that a file of a folder is plain text and not read."""
    say(f"left out: {place.path} is plain text; to read it, name the file itself")


def _tell(corpus: Corpus) -> None:
    for problem in corpus.problems:
        say(f"warning: {problem}")
