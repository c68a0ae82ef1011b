"""A parse as a block of an AMR file."""

from __future__ import annotations

from dataclasses import replace

from aptcore.graph.alignment_formats import format_alignments
from aptcore.graph.penman import format_penman
from aptcore.neural.parser import Parse


def format_block(parse: Parse) -> str:
    """Write a parse as a block of an AMR file, with the blank line after it.

    ``::alignments`` are ISI's, ``token-address``: positions in ``::tok`` from 0, address
    ``1`` is the root, ``1.2`` its second branch.
    """
    sentence = parse.sentence
    metadata = {"id": sentence.id, "snt": sentence.text, "tok": " ".join(sentence.tokens)}
    if parse.error is not None:
        metadata["error"] = parse.error
    else:
        metadata["alignments"] = format_alignments(parse.graph)
    if parse.repairs:
        metadata["repairs"] = "; ".join(repair.text for repair in parse.repairs)
    return format_penman(replace(parse.graph, metadata=metadata)) + "\n\n"
