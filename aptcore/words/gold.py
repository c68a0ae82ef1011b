"""From the records of a file to sentences with graphs aligned to our own tokens.

Files count tokens in their own way (white space, ISI's ``T @-@ cell``); alignments
are carried over to our tokens by the characters that they share.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from aptcore.graph.amr import Alignment, AlignmentKey, AmrGraph, Sentence
from aptcore.graph.characters import composed_graph
from aptcore.graph.corpus import Corpus, Problem, Record, sentence_text, white_space_spans
from aptcore.words.tokens import token_offsets, tokenize_all

_ROLE = re.compile(r":[A-Za-z][A-Za-z0-9-]*")
"""How a role is spelled; a machine's ``:`` or ``:null_edge`` is not trained on."""


@dataclass(frozen=True, slots=True)
class GoldItem:
    """A gold graph with its sentence.

    Attributes:
        index: Which record of the corpus it is, from 0.
        sentence: Our tokens; named by ``::id``, else by the record's number, from 1.
        graph: Its given alignments count our tokens, its labels are composed as those are
            (aptcore.graph.characters). ``:wiki`` is kept.
    """

    index: int
    sentence: Sentence
    graph: AmrGraph


def gold_items(corpus: Corpus) -> tuple[tuple[GoldItem, ...], tuple[Problem, ...]]:
    """Tokenise the sentences of a corpus and carry the given alignments over.

    Returns:
        One item for each record that has a graph and a sentence, in order, and one
        problem for each other record.
    """
    usable, problems = [], []
    for index, record in enumerate(corpus.records):
        reason = _why_unusable(record)
        if reason is None:
            usable.append((index, record))
        else:
            problems.append(Problem(corpus.path, record.line, record.id, reason))
    texts = [sentence_text(record) for _, record in usable]
    names = [record.id or str(index + 1) for index, record in usable]
    items = []
    for (index, record), sentence in zip(usable, tokenize_all(texts, names), strict=True):
        if record.graph is not None and sentence.tokens:
            graph = with_own_tokens(record, record.graph, sentence)
            items.append(GoldItem(index, sentence, graph))
        else:
            problems.append(Problem(corpus.path, record.line, record.id, "the sentence is blank"))
    return tuple(items), tuple(problems)


def _why_unusable(record: Record) -> str | None:
    if record.graph is None:
        return "the graph cannot be read" if record.is_broken else "there is no graph"
    roles = [edge.role for edge in record.graph.edges]
    roles += [attribute.role for attribute in record.graph.attributes]
    odd = [role for role in roles if not _ROLE.fullmatch(role)]
    if odd:
        return f"{odd[0]!r} cannot be a role: correct the graph first"
    return None if sentence_text(record).strip() else "there is no sentence"


def with_own_tokens(record: Record, graph: AmrGraph, sentence: Sentence) -> AmrGraph:
    """Give the graph of a record with its alignments counted in our tokens.

    Args:
        record: Where the graph stands; it knows the tokens that the file counts.
        graph: The graph as read.
        sentence: Made from ``sentence_text(record)``.

    Returns:
        The graph, its labels composed. An alignment to characters that are in no token is
        left out.
    """
    owners = own_positions(record, sentence)
    alignments: dict[AlignmentKey, Alignment] = {}
    for key, given in graph.alignments.items():
        tokens = carry_over(given.tokens, owners)
        if tokens:
            alignments[key] = Alignment(tokens, given.source)
    return replace(composed_graph(graph), alignments=alignments)


def own_positions(record: Record, sentence: Sentence) -> tuple[tuple[int, ...], ...]:
    """Give for each token that the file counts the tokens of ours that share a character."""
    offsets = token_offsets(sentence)
    return tuple(positions_in(offsets, span) for span in white_space_spans(record))


def carry_over(positions: Iterable[int], owners: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Turn positions that a file counts into ours, ascending.

    Args:
        positions: Positions in the file's tokens; those past the end are left out.
        owners: What :func:`own_positions` gives.
    """
    inside = [position for position in positions if position < len(owners)]
    return tuple(sorted({own for position in inside for own in owners[position]}))


def positions_in(offsets: Sequence[tuple[int, int]], span: tuple[int, int]) -> tuple[int, ...]:
    """Find the tokens that share a character with a range of the text.

    Args:
        offsets: Half-open ranges of the tokens, ascending.
        span: A half-open range of characters.

    >>> positions_in([(0, 1), (1, 2), (2, 6)], (1, 4))
    (1, 2)
    """
    start, end = span
    first = bisect_right([stop for _, stop in offsets], start)
    found = []
    for position in range(first, len(offsets)):
        if offsets[position][0] >= end:
            break
        found.append(position)
    return tuple(found)
