"""What comes into a queue: AMR files, and raw text with the graphs that a model gave it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from aptcore.advice.doubt import doubt_of_steps
from aptcore.errors import InputError
from aptcore.graph.alignment_formats import format_alignments
from aptcore.graph.amr import AmrGraph, Node
from aptcore.graph.formats import text_lines
from aptcore.graph.penman import format_penman
from aptcore.trace.trace import Trace
from aptcore.words.sentences import remarks_on, with_split

MAX_FILE_MB = 20
"""Largest file that the page takes, in megabytes; ``aptamr project import`` takes any."""
MAX_SENTENCES = 2_000
"""Most sentences of raw text that are parsed in one go."""


def check_size(name: str, num_bytes: int) -> None:
    """Refuse a file that is too large for a page.

    Raises:
        InputError: It is.
    """
    if num_bytes > MAX_FILE_MB * 1_000_000:
        raise InputError(
            f"{name!r} has {num_bytes / 1e6:.0f} MB; this page takes up to {MAX_FILE_MB} MB. "
            "Use the command line: aptamr project import"
        )


@dataclass(frozen=True, slots=True)
class RawText:
    """The sentences of a raw text.

    Attributes:
        lines: Each sentence with its place: its line, from 1, or which sentence of that
            line it is: "3", "3.1", "3.2".
        num_empty: Lines without a sentence; they are passed over.
    """

    lines: tuple[tuple[str, str], ...]
    num_empty: int

    @property
    def remarks(self) -> tuple[tuple[str, str], ...]:
        """Give what looks odd, each with its place: several sentences, another language."""
        return tuple((place, found) for place, text in self.lines for found in remarks_on(text))


def sentences_of(text: str, *, is_split: bool = False) -> RawText:
    """Take the sentences of raw text, one a line; each keeps the number of its line.

    Args:
        text: All of it.
        is_split: Whether a line that looks like several sentences is split.

    Raises:
        InputError: There is none, or there are too many.
    """
    lines = text_lines(text.rstrip("\r\n"))
    cleaned = [(number, " ".join(line.split())) for number, line in enumerate(lines, 1)]
    found = [(str(number), line) for number, line in cleaned if line]
    num_empty = len(lines) - len(found)
    found = with_split(found) if is_split else found
    if not found:
        raise InputError("there is no sentence in this text: write one a line")
    if len(found) > MAX_SENTENCES:
        raise InputError(
            f"the text has {len(found):,} sentences; this page parses up to {MAX_SENTENCES:,}. "
            "Use the command line: aptamr annotate, then aptamr project import"
        )
    return RawText(tuple(found), num_empty)


def parsed_block(name: str, trace: Trace) -> str:
    """Write a parse as a block of an AMR file, with its alignment and the model's name."""
    metadata = {
        "id": name,
        "snt": trace.sentence.text,
        "tok": " ".join(trace.sentence.tokens),
        "alignments": format_alignments(trace.graph),
        "silver": f"{trace.model.id} {trace.model.hash}",
    }
    if trace.repairs:
        metadata["repairs"] = "; ".join(repair.text for repair in trace.repairs)
    return format_penman(replace(trace.graph, metadata=metadata)) + "\n\n"


def failed_block(name: str, sentence: str, reason: str) -> str:
    """Write the block of a sentence that could not be parsed: it is kept apart with this."""
    metadata = {"id": name, "snt": sentence, "error": " ".join(reason.split())}
    empty = AmrGraph((Node("a", "amr-empty"),), (), (), "a", metadata=metadata)
    return format_penman(empty) + "\n\n"


def doubt_of(trace: Trace) -> dict[str, float]:
    """Give how unsure a model was of a parse, by the name of the measure."""
    return {str(name): value for name, value in doubt_of_steps(trace.steps).items()}
