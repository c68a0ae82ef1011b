"""Find the words that each node and constant of a graph stands for.

Rules come first (letters, names, dates, function words, place in the graph), then
what expectation maximisation has learnt, then the nearest neighbour in the graph.
Every item gets one span of tokens side by side, and says where it came from.
"""

from __future__ import annotations

from dataclasses import replace

from aptcore.alignment.choosing import place
from aptcore.alignment.context import Context, Draft, make_context, start_draft
from aptcore.alignment.coordination import settle_coordinations
from aptcore.alignment.multiword import widen
from aptcore.alignment.options import Options, companions, own_options
from aptcore.alignment.proximity import align_free_words, align_linking_words, align_rest
from aptcore.alignment.structure import leans_on_neighbour, placed_options
from aptcore.alignment.tables import Tables
from aptcore.errors import AlignmentError
from aptcore.graph.amr import Alignment, AlignmentKey, AmrGraph, Sentence

SURE = 0.95
"""Score from which on a word names an item outright."""

_NONE = Alignment((), "given")


def align(sentence: Sentence, graph: AmrGraph, tables: Tables | None = None) -> AmrGraph:
    """Align every node and attribute of a graph to tokens of its sentence.

    Alignments that the graph has already are kept as they are, and all else is placed
    with regard to them. So after a change by a person, put what was changed, and what
    was confirmed, with the source ``person`` into ``graph.alignments``, leave out what
    was only computed, and align again: a few milliseconds for a sentence.

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
    own = _all_own_options(context, draft, tables)
    _align_by_words(context, draft, own)
    _align_by_neighbours(context, draft, own)
    align_free_words(context, draft)
    _align_by_neighbours(context, draft, own)
    align_linking_words(context, draft)
    _align_by_neighbours(context, draft, own)
    align_rest(context, draft)
    settle_coordinations(context, draft, own)
    widen(context, draft)
    alignments: dict[AlignmentKey, Alignment] = dict(graph.alignments)
    for item in context.items:
        if not alignments.get(item, _NONE).tokens:
            alignments[item] = draft.alignment(item)
    return replace(graph, alignments=alignments)


def lexical_items(sentence: Sentence, graph: AmrGraph) -> frozenset[str]:
    """Give the nodes and attributes that a rule matches by a word alone.

    The rest has its place in the graph, or what was learnt, to go by.
    """
    context = make_context(sentence, graph)
    return frozenset(item for item in context.items if own_options(context, item, None))


def _all_own_options(context: Context, draft: Draft, tables: Tables | None) -> dict[str, Options]:
    """List the options of all items, except of constants that go with their name or date."""
    own = {
        item: own_options(context, item, tables)
        for item in context.items
        if item not in draft.spans
    }
    for item in list(own):
        if own.get(item):
            for other in companions(context, item):
                own.pop(other, None)
    return own


def _align_by_words(context: Context, draft: Draft, own: dict[str, Options]) -> None:
    """Align what has words of its own; for what leans on neighbours only if they are sure."""
    options = {item: found for item, found in own.items() if not leans_on_neighbour(context, item)}
    for item, found in own.items():
        if item not in options and item in context.nodes:
            options[item] = {span: option for span, option in found.items() if option[0] >= SURE}
    place(context, draft, options)


def _align_by_neighbours(context: Context, draft: Draft, own: dict[str, Options]) -> None:
    """Align what leans on its neighbours, to their words or to words of its own nearby.

    Twice, because what is placed the first time may itself be the neighbour of another.
    """
    leaning = [item for item in reversed(own) if leans_on_neighbour(context, item)]
    for _ in range(2):
        options: dict[str, Options] = {}
        for item in leaning:
            if item in draft.spans:
                continue
            found = {span: option for span, option in own[item].items() if option[1] == "rule"}
            for span, option in placed_options(context, draft, item).items():
                found[span] = max(option, found.get(span, (0.0, "rule")))
            options[item] = found
        place(context, draft, options)
