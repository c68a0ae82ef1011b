r"""A parser that is a command of its own: sentences in by lines, graphs out by blocks.

The protocol: the command reads UTF-8 lines on standard input, a sentence each. For every line
it writes one graph in PENMAN notation to standard output, with ``# ::key value`` lines before
it if it likes, then one blank line, and flushes. The next line comes once the block is there.
An answer that is only a blank line, or has no graph that can be read, is a failure of that
sentence; ``# ::error REASON`` in it says why. Text outside a block (a greeting, a log) is
passed over. What goes to standard error is the person's to see.

    while line := sys.stdin.readline():
        print(f"# ::snt {line.strip()}\n{parse(line)}\n", flush=True)
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import threading
import time
from contextlib import suppress
from queue import Empty, Queue

from aptcore.errors import ConfigurationError, InputError
from aptcore.graph.blocks import format_metadata, metadata_of_line
from aptcore.graph.corpus import Record, read_corpus

DEFAULT_TIMEOUT = 120.0
"""What one answer may take, the loading of a model included, in seconds."""

TRIES = 3
"""A command that has never answered is given up after so many sentences."""

_SETTLE_SECONDS = 0.002
"""For a second blank line behind a block, which some programs write."""
_SECOND_LOOK_SECONDS = 0.2
"""After an answer that is only a blank line: whether the block comes after all."""

MAX_ANSWER = 10_000_000
"""Bytes of an answer; a command that writes on and on is ended."""
_MAX_WAITING = 64
"""Pieces of output that wait to be read, of 64 KiB at most each."""
_LEAVING_SECONDS = 1.0
"""For a process that has closed its output to end by itself."""
_TOO_MUCH = f"the parser wrote more than {MAX_ANSWER:,} bytes; it is started again"


class CommandParser:
    """A command that parses; it is started with the first sentence, and again when it is lost.

    One caller at a time.

    Args:
        command: The program with its arguments, quoted as for a shell; no shell reads it.
        timeout: Seconds for one answer.

    Raises:
        ConfigurationError: It names no program that is there.
    """

    def __init__(self, command: str, timeout: float = DEFAULT_TIMEOUT) -> None:
        try:
            self._words = shlex.split(command, posix=os.name == "posix")
        except ValueError as error:
            raise ConfigurationError(f"the parser {command!r} cannot be read: {error}") from error
        if not self._words:
            raise ConfigurationError("the parser is empty: name a program with its arguments")
        if shutil.which(self._words[0]) is None:
            raise ConfigurationError(
                f"the parser {command!r}: no program {self._words[0]} is found"
            )
        self.command = command
        self._timeout = timeout
        self._process: subprocess.Popen[bytes] | None = None
        self._pieces: Queue[bytes] = Queue(_MAX_WAITING)
        self._has_answered = False
        self._num_lost = 0
        self._earlier = ""

    @property
    def name(self) -> str:
        """What the program is called, without its folder and arguments."""
        return os.path.basename(self._words[0])

    def block(self, name: str, sentence: str) -> str:
        """Let the command parse a sentence; give the block of an AMR file, with a blank line.

        Args:
            name: Becomes its ``::id``.
            sentence: The text; line ends in it count as spaces.

        Raises:
            InputError: There is no graph: the answer holds none, the command ended or hangs.
            ConfigurationError: The command cannot be started, or has never answered.
        """
        text = " ".join(sentence.split())
        if not text:
            raise InputError("there are no words in it")
        record, earlier = answer_record(self.ask(text)), self._earlier
        self._earlier = text
        if record.metadata.get("snt") == earlier != text:
            self.close()
            raise InputError(f"the parser answered for the sentence before: {earlier[:60]}")
        rows = record.raw.splitlines()
        kept = [
            row for row in rows if not {"id", "snt"} & {key for key, _ in metadata_of_line(row)}
        ]
        head = {"id": name, "silver": self.command, "snt": " ".join(sentence.splitlines())}
        return format_metadata(head) + "\n".join(kept) + "\n\n"

    def ask(self, text: str) -> str:
        """Send one line and give the answer as it came.

        Raises:
            InputError: The command ended or hangs; the next sentence starts it again.
            ConfigurationError: It cannot be started, or has never answered.
        """
        try:
            answer = self._asked(text)
        except InputError as error:
            self.close()
            self._num_lost += 1
            if not self._has_answered and self._num_lost >= TRIES:
                message = f"the parser {self.command!r} answered none of {TRIES} sentences: {error}"
                raise ConfigurationError(message) from error
            raise
        self._has_answered = True
        return answer

    def _asked(self, text: str) -> str:
        for _ in range(2):
            process = self._running()
            self._drain(_SETTLE_SECONDS)
            try:
                assert process.stdin is not None
                process.stdin.write(text.encode("utf-8", "replace") + b"\n")
                process.stdin.flush()
                return self._answer(time.monotonic() + self._timeout)
            except OSError:  # it ended after its last answer: this sentence is not to blame
                told = _how_it_ended(process)
                self.close()
        raise InputError(told)

    def _answer(self, deadline: float) -> str:
        """Read lines until a blank one ends a block."""
        waiting, lines, num_bytes = b"", list[str](), 0
        while True:
            row, end, rest = waiting.partition(b"\n")
            if not end:
                piece = self._piece(deadline)
                num_bytes += len(piece)
                if num_bytes > MAX_ANSWER:
                    raise InputError(_TOO_MUCH)
                waiting += piece
                continue
            waiting, line = rest, row.decode("utf-8", "replace").rstrip("\r")
            if line.strip():
                lines.append(line)
                continue
            if any(map(_is_of_block, lines)):
                if any(map(_is_of_block, waiting.decode("utf-8", "replace").splitlines())):
                    self.close()
                    raise InputError("the parser wrote more than one block for the sentence")
                return "\n".join(lines)
            if not lines and not waiting.strip():
                try:
                    waiting = self._pieces.get(timeout=_SECOND_LOOK_SECONDS)
                except Empty:
                    return ""
                if not waiting:
                    self._pieces.put(b"")  # the end, for who looks next
            lines = []

    def _piece(self, deadline: float) -> bytes:
        """Wait for more output.

        Raises:
            InputError: None came in time, or the command ended.
        """
        try:
            piece = self._pieces.get(timeout=max(0.0, deadline - time.monotonic()))
        except Empty:
            raise InputError(
                f"the parser gave no answer within {self._timeout:g} s; it is started again "
                "(it must flush after every block)"
            ) from None
        if not piece:
            assert self._process is not None
            raise InputError(_how_it_ended(self._process))
        return piece

    def _drain(self, seconds: float) -> None:
        """Pass over what was written since the last answer.

        Raises:
            InputError: It does not end.
        """
        num_bytes = 0
        try:
            while piece := self._pieces.get(timeout=seconds):
                num_bytes += len(piece)
                if num_bytes > MAX_ANSWER:
                    raise InputError(_TOO_MUCH)
        except Empty:
            return
        self._pieces.put(b"")

    def _running(self) -> subprocess.Popen[bytes]:
        """Give the process, started if it is not running.

        Raises:
            ConfigurationError: It cannot be started.
        """
        if self._process is not None and self._process.poll() is None:
            return self._process
        self.close()
        try:
            self._process = subprocess.Popen(
                self._words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=os.name == "posix",  # its children are ended with it
            )
        except OSError as error:
            message = f"the parser {self.command!r} cannot be started: {error.strerror or error}"
            raise ConfigurationError(message) from error
        self._pieces = Queue(_MAX_WAITING)
        arguments = (self._process, self._pieces)
        threading.Thread(target=_read, args=arguments, name="parser-output", daemon=True).start()
        return self._process

    def close(self) -> None:
        """End the command, however it is."""
        process, self._process = self._process, None
        if process is None:
            return
        if os.name == "posix":
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.wait()
        with suppress(Empty):  # so that the thread that reads comes to its end
            while True:
                self._pieces.get_nowait()
        assert process.stdin is not None
        with suppress(OSError):
            process.stdin.close()


def _how_it_ended(process: subprocess.Popen[bytes]) -> str:
    """Say how a process ended that reads or writes no more."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(_LEAVING_SECONDS)
    process.kill()
    return f"the parser ended with status {process.wait()}; it is started again"


def _is_of_block(line: str) -> bool:
    """Tell whether a line is of a block, and no greeting or log."""
    return line.lstrip().startswith(("#", "("))


def _read(process: subprocess.Popen[bytes], pieces: Queue[bytes]) -> None:
    """Hand on what a process writes, piece by piece; an empty piece is its end."""
    assert process.stdout is not None
    with process.stdout as output:
        while piece := os.read(output.fileno(), 2**16):
            pieces.put(piece)
    pieces.put(b"")


def answer_record(answer: str) -> Record:
    """Read the answer for a sentence.

    Raises:
        InputError: It is not exactly one graph, or says why there is none.
    """
    records = read_corpus("the answer", text=answer).records
    said = next((record.metadata["error"] for record in records if "error" in record.metadata), "")
    if said:
        raise InputError(said)
    if len(records) != 1:
        found = f"holds {len(records)} graphs" if records else "holds no graph"
        raise InputError(f"the answer of the parser {found}")
    if records[0].graph is None:
        problem = next((problem.message for problem in records[0].problems), "there is none")
        raise InputError(f"the graph of the parser cannot be read: {problem}")
    return records[0]
