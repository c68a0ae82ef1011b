"""Everything that an annotator should look at in a graph, with its place and a fix.

Errors are what no AMR graph may hold: they block acceptance. Warnings are questions: a
person may dismiss one, and its ``key`` stays the same as long as the place and what is
odd there do. The checks stand by subject: structure and roles here and in
``aptcore.graph.validation``, arguments in ````frames````, names, dates and constants
in ````values```` and ````names````, words in ````words````, questions in ````questions````.
"""

from __future__ import annotations

from collections.abc import Sequence

from aptcore.advice.problems.frames import doubled_relations, frame_problems, repeated_arguments
from aptcore.advice.problems.names import name_word_problems
from aptcore.advice.problems.problem import Problem
from aptcore.advice.problems.questions import question_problems
from aptcore.advice.problems.structure import structure_problems
from aptcore.advice.problems.values import value_problems
from aptcore.advice.problems.words import uncovered_words
from aptcore.graph.amr import AmrGraph
from aptcore.words.frames import Lexicon


def all_problems(
    graph: AmrGraph,
    lexicon: Lexicon,
    tokens: Sequence[str] = (),
    lemmas: Sequence[str] = (),
) -> tuple[Problem, ...]:
    """List everything wrong or odd in a graph, errors first.

    Args:
        graph: Any graph.
        lexicon: Frames and counts; without a frame list nothing is said about the
            arguments of frames.
        tokens: The words that the graph is aligned to; without them nothing is said
            about words.
        lemmas: One for each token.

    Returns:
        Problems with different keys.
    """
    found = [
        *structure_problems(graph, lexicon),
        *value_problems(graph),
        *name_word_problems(graph, tokens),
        *repeated_arguments(graph),
        *doubled_relations(graph),
        *frame_problems(graph, lexicon, tokens),
        *question_problems(graph, tokens),
        *uncovered_words(graph, lexicon.counts.silent, tokens, lemmas),
    ]
    found.sort(key=lambda problem: problem.severity != "error")
    return tuple({problem.key: problem for problem in reversed(found)}.values())[::-1]
