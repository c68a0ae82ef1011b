"""Everything that an annotator should look at in a graph, with its place and a fix.

Errors are what no AMR graph may hold: they block acceptance. Warnings are questions: a
person may dismiss one, and its ``key`` stays the same as long as the place and what is
odd there do. The checks stand by subject: structure and roles here and in
``aptcore.validation``, arguments in ``aptcore.problem_frames``, names, dates and constants
in ``aptcore.problem_values`` and ``aptcore.problem_names``, words in ``aptcore.problem_words``.
"""

from __future__ import annotations

from collections.abc import Sequence

from aptcore.amr_types import AmrGraph
from aptcore.frames import Lexicon
from aptcore.problem_frames import frame_problems, repeated_arguments
from aptcore.problem_names import name_word_problems
from aptcore.problem_structure import structure_problems
from aptcore.problem_types import Problem
from aptcore.problem_values import value_problems
from aptcore.problem_words import uncovered_words


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
            senses and arguments of frames.
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
        *frame_problems(graph, lexicon),
        *uncovered_words(graph, lexicon.counts.silent, tokens, lemmas),
    ]
    found.sort(key=lambda problem: problem.severity != "error")
    return tuple({problem.key: problem for problem in reversed(found)}.values())[::-1]
