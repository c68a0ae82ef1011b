"""Find the words that each node and constant of a graph stands for.

Rules come first (letters, names, dates, function words, place in the graph), then
what expectation maximisation has learnt, then the nearest neighbour in the graph.
Every item gets one span of tokens side by side, and says where it came from.
"""

from __future__ import annotations

from dataclasses import replace

from aptcore.alignment.context import make_context, start_draft
from aptcore.alignment.em import Tables, learn_tables
from aptcore.alignment.lexical import align_words, learnt_scores, rule_scores
from aptcore.alignment.proximity import align_rest
from aptcore.alignment.spans import align_dates, align_names, align_phrases
from aptcore.alignment.structure import align_polarity, align_wrappers
from aptcore.amr import Alignment, AlignmentKey, AmrGraph, Sentence
from aptcore.errors import AlignmentError

__all__ = ["Tables", "align", "learn_tables"]

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
    align_names(context, draft)
    align_dates(context, draft)
    align_phrases(context, draft)
    score = rule_scores if tables is None else learnt_scores(tables)
    align_words(context, draft, score)
    align_polarity(context, draft)
    align_wrappers(context, draft)
    align_rest(context, draft)
    alignments: dict[AlignmentKey, Alignment] = dict(graph.alignments)
    for item in context.items:
        if not alignments.get(item, _NONE).tokens:
            alignments[item] = draft.alignment(item)
    return replace(graph, alignments=alignments)
