"""What sentences and documents of spaCy say of their graphs: ``sent._.amr`` and its kin.

spaCy sends documents between processes and to disk with plain values alone, so a sentence
keeps its graph as text; the attributes read it anew each time.

    doc._.amr           graphs, one for each sentence that was parsed
    sent._.amr          the graph of a sentence; None for a span that is none, or was not parsed
    sent._.amr_tokens   the spaCy tokens that each node or constant of it stands for, by its id
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from spacy.tokens import Doc, Span, Token

from aptcore.errors import ConfigurationError
from aptcore.graph.alignment_formats import with_alignments
from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.graph.blocks import tokens_of
from aptcore.graph.penman import format_penman, parse_penman
from aptcore.words.tokens import token_offsets

STORED = "amr_stored"
"""Attribute of a sentence that holds its graph as spaCy can send it."""


def graph_of(sent: Span) -> AmrGraph | None:
    """Give the graph of a sentence; None for a span that was not parsed as one.

    Its metadata hold the sentence, the parser's own tokens (``tok``), which its alignments
    count, and why there is no parse where there is none (``error``).
    """
    stored = sent._.get(STORED)
    if stored is None:
        return None
    graph = replace(parse_penman(stored["penman"]), metadata=stored["metadata"])
    given = with_alignments(graph)[0].alignments
    return replace(graph, alignments={k: replace(a, source="parser") for k, a in given.items()})


def graphs_of(doc: Doc) -> list[AmrGraph]:
    """Give the graphs of the sentences that were parsed, in order."""
    if not doc.has_annotation("SENT_START"):
        return []
    return [graph for sent in doc.sents if (graph := graph_of(sent)) is not None]


def tokens_by_node(sent: Span) -> dict[str, list[Token]] | None:
    """Give the spaCy tokens that each node and constant stands for, by its id.

    The parser splits text by its own rules: a token of spaCy counts where it shares a
    character with one of the parser's. What has no alignment is left out.
    """
    graph = graph_of(sent)
    if graph is None:
        return None
    places = token_offsets(Sentence("", text_of(sent), tokens_of(graph.metadata), ()))
    ranges = [(token.idx - sent.start_char, token) for token in sent]
    return {
        key: [
            token
            for start, token in ranges
            if any(places[p][0] < start + len(token) and start < places[p][1] for p in at.tokens)
        ]
        for key, at in graph.alignments.items()
        if isinstance(key, str)
    }


def text_of(sent: Span) -> str:
    """Give the text of a sentence on one line, character by character as long as it was."""
    return "".join(" " if character.isspace() else character for character in sent.text)


def store_graph(sent: Span, graph: AmrGraph) -> None:
    """Keep a graph with its metadata at a sentence."""
    kept: Mapping[str, Any] = {
        "penman": format_penman(graph, metadata=False),
        "metadata": dict(graph.metadata),
    }
    sent._.set(STORED, kept)


def register_attributes() -> None:
    """Tell spaCy of the attributes, once.

    Raises:
        ConfigurationError: If other code has given one of them another meaning.
    """
    attributes: list[tuple[Any, str, Any]] = [
        (Doc, "amr", graphs_of),
        (Span, "amr", graph_of),
        (Span, "amr_tokens", tokens_by_node),
    ]
    for owner, name, getter in attributes:
        if not owner.has_extension(name):
            owner.set_extension(name, getter=getter)
        elif owner.get_extension(name)[2] is not getter:
            raise ConfigurationError(
                f"{owner.__name__}._.{name} is in use for something else: "
                f"remove it with {owner.__name__}.remove_extension({name!r})"
            )
    if not Span.has_extension(STORED):
        Span.set_extension(STORED, default=None)
