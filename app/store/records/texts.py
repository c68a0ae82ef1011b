"""The text of a block as it is kept, and what it holds."""

from __future__ import annotations

import re

from aptcore.errors import FormatError, StoreError
from aptcore.graph.amr import AmrGraph, Node
from aptcore.graph.characters import composed
from aptcore.graph.corpus import Record, read_corpus


def graph_of(record: Record) -> AmrGraph:
    """Give the graph of a block; ``(a / amr-empty)`` where there is none that reads."""
    if record.graph is not None:
        return record.graph
    return AmrGraph((Node("a", "amr-empty"),), (), (), "a", metadata=record.metadata)


def record_of(raw: str) -> Record:
    """Read one block by itself.

    Raises:
        StoreError: It is not one block.
    """
    records = read_corpus("", text=raw).records
    if len(records) != 1:
        raise StoreError(f"a block of the store reads as {len(records)} blocks")
    return records[0]


def encoded(text: str) -> bytes:
    """Give the bytes of a file's text, as ``encoding.decode_text`` read them.

    Raises:
        FormatError: It holds half characters that come from no file.
    """
    try:
        return text.encode("utf-8", errors="surrogateescape")
    except UnicodeEncodeError as error:
        raise FormatError(f"the text holds {error.object[error.start]!r}") from error


def decoded(content: bytes) -> str:
    """Give the text of bytes from the store; the inverse of :func:`encoded`."""
    return content.decode("utf-8", errors="surrogateescape")


def shown(text: str) -> str:
    """Give text that every database takes: no half characters, no zero."""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole.replace("\0", "\ufffd")


MAX_TERM = 1_000
"""Characters of a term by which is looked: databases take patterns of some length only."""


def terms_of(graph: AmrGraph) -> str:
    """Write the concepts, roles and constants of a graph, each once on a line of its own.

    A search looks here first, and reads only the graphs that may hold what it wants.
    """
    terms = {node.concept for node in graph.nodes}
    terms |= {edge.role for edge in graph.edges}
    for attribute in graph.attributes:
        terms |= {attribute.role, attribute.value}
    return shown(composed("\n".join(["", *sorted(terms), ""])))


def term_pattern(glob: str) -> str | None:
    r"""Give what SQL's LIKE, with ``/`` for its signs, finds a term by among those of a graph.

    It may find more than is meant (some databases take capitals for small letters), never less.

    Args:
        glob: A concept, role or constant; ``*`` stands for any signs, ``\*`` for a star.

    Returns:
        None where nothing can be looked for.
    """
    wanted = composed(glob)
    if not wanted.strip("*") or len(wanted) > MAX_TERM or shown(wanted) != wanted:
        return None
    pieces = (piece.replace(r"\*", "*") for piece in re.split(r"(?<!\\)\*", wanted))
    return "%\n" + "%".join(re.sub("([%_/])", r"/\1", piece) for piece in pieces) + "\n%"
