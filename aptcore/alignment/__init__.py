"""Find the words that each node and constant of a graph stands for.

Rules come first (letters, names, dates, function words, place in the graph), then
what expectation maximisation has learnt, then the nearest neighbour in the graph.
Every item gets one span of tokens side by side, and says where it came from.
"""

from __future__ import annotations

from dataclasses import replace

from aptcore.alignment.choosing import place
from aptcore.alignment.context import Context, Draft, make_context, start_draft
from aptcore.alignment.em import learn_tables
from aptcore.alignment.options import Options, own_options
from aptcore.alignment.proximity import align_rest
from aptcore.alignment.structure import leans_on_neighbour, placed_options
from aptcore.alignment.tables import Tables
from aptcore.amr import Alignment, AlignmentKey, AmrGraph, Sentence
from aptcore.errors import AlignmentError

__all__ = ["Tables", "align", "learn_tables"]

SURE = 0.95
"""Score from which on a word names an item outright."""

_NONE = Alignment((), "given")


def align(sentence: Sentence, graph: AmrGraph, tables: Tables | None = None) -> AmrGraph:
    """Align every node and attribute of a graph to tokens of its sentence.

    Alignments that the graph has already are kept as they are.

    Args:
        sentence: The sentence; it must have a token.
        graph: Its graph.
        tables: What was learnt about labels and lemmas; rules alone are used without it.

    Returns:
        The same graph with an alignment for each node and attribute.

    Raises:
        AlignmentError: If the sentence has no token, or a given alignment names a token
            that it does not have.
    """
    size = len(sentence.tokens)
    if not size:
        raise AlignmentError(f"sentence {sentence.id!r} has no tokens to align its graph to")
    for key, given in graph.alignments.items():
        if any(not 0 <= position < size for position in given.tokens):
            raise AlignmentError(
                f"{key!r} of sentence {sentence.id!r} is aligned to tokens {given.tokens}, "
                f"but there are {size} tokens, counted from 0"
            )
    context = make_context(sentence, graph)
    draft = start_draft(context, graph)
    _align_by_words(context, draft, tables)
    _align_by_neighbours(context, draft, tables)
    align_rest(context, draft)
    alignments: dict[AlignmentKey, Alignment] = dict(graph.alignments)
    for item in context.items:
        if not alignments.get(item, _NONE).tokens:
            alignments[item] = draft.alignment(item)
    return replace(graph, alignments=alignments)


def _align_by_words(context: Context, draft: Draft, tables: Tables | None) -> None:
    """Align what has words of its own; for what leans on neighbours only if they are sure."""
    options: dict[str, Options] = {}
    for item in context.items:
        if item in draft.spans:
            continue
        found = own_options(context, item, tables)
        if leans_on_neighbour(context, item):
            if item not in context.nodes:
                continue
            found = {span: option for span, option in found.items() if option[0] >= SURE}
        options[item] = found
    place(context, draft, options)


def _align_by_neighbours(context: Context, draft: Draft, tables: Tables | None) -> None:
    """Align what leans on its neighbours, to their words or to words of its own nearby."""
    for _ in range(2):
        options: dict[str, Options] = {}
        for item in reversed(context.items):
            if item in draft.spans or not leans_on_neighbour(context, item):
                continue
            options[item] = own_options(context, item, None)
            for span, option in placed_options(context, draft, item).items():
                options[item][span] = max(option, options[item].get(span, (0.0, "rule")))
        place(context, draft, options)
