"""What comes into a queue: AMR files, and raw text with the graphs that a model gave it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from app.views.trace import Trace
from aptcore.alignment_formats import format_alignments
from aptcore.amr import Alignment, AlignmentKey, AmrGraph, Node, format_penman, parse_penman
from aptcore.errors import InputError

Kind = Literal["amr", "text"]

MAX_FILE_MB = 20
"""Largest file that the page takes, in megabytes; ``aptamr project import`` takes any."""
MAX_SENTENCES = 2_000
"""Most sentences of raw text that are parsed in one go."""


def kind_of(text: str) -> Kind:
    """Tell an AMR file from raw text: it has metadata, or a line that opens a graph."""
    is_amr = re.search(r"^\s*(\(\s*\S+\s*/|#\s*::)", text, re.MULTILINE)
    return "amr" if is_amr else "text"


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


def sentences_of(text: str) -> tuple[str, ...]:
    """Read raw text: one sentence a line, empty lines passed over.

    Raises:
        InputError: There is none, or there are too many.
    """
    lines = tuple(" ".join(line.split()) for line in text.splitlines())
    found = tuple(line for line in lines if line)
    if not found:
        raise InputError("there is no sentence in this text: write one a line")
    if len(found) > MAX_SENTENCES:
        raise InputError(
            f"the text has {len(found):,} sentences; this page parses up to {MAX_SENTENCES:,}. "
            "Use the command line: aptamr annotate, then aptamr project import"
        )
    return found


def parsed_block(name: str, trace: Trace) -> str:
    """Write a parse as a block of an AMR file, with its alignment and the model's name."""
    graph = parse_penman(trace.penman)
    known = {node.id for node in graph.nodes}
    alignments: dict[AlignmentKey, Alignment] = {
        item.name: Alignment(tuple(sorted(item.tokens)), "parser")
        for item in trace.items
        if item.name in known and item.tokens
    }
    graph = replace(graph, alignments=alignments)
    metadata = {
        "id": name,
        "snt": trace.text,
        "tok": " ".join(trace.tokens),
        "alignments": format_alignments(graph),
        "silver": f"{trace.model.id} {trace.model.hash}",
    }
    if trace.repairs:
        metadata["repairs"] = "; ".join(repair.text for repair in trace.repairs)
    return format_penman(replace(graph, metadata=metadata)) + "\n\n"


def failed_block(name: str, sentence: str, reason: str) -> str:
    """Write the block of a sentence that could not be parsed: it is kept apart with this."""
    metadata = {"id": name, "snt": sentence, "error": " ".join(reason.split())}
    empty = AmrGraph((Node("a", "amr-empty"),), (), (), "a", metadata=metadata)
    return format_penman(empty) + "\n\n"


def doubt_of(trace: Trace) -> Mapping[str, float]:
    """Give how unsure a model was of a parse, by the name of the measure.

    ``lowest probability`` is that of the least sure action, ``mean entropy`` (nats) is
    over all actions.
    """
    probabilities = [step.probability for step in trace.steps if step.probability is not None]
    entropies = [step.entropy for step in trace.steps if step.entropy is not None]
    doubt = {}
    if probabilities:
        doubt["lowest probability"] = min(probabilities)
    if entropies:
        doubt["mean entropy"] = sum(entropies) / len(entropies)
    return doubt
