"""Give every item that some word matches its best word.

Items with one clear word go first; the others see where their neighbours in the
graph stand, so that two mentions of one word find their own places.
"""

from __future__ import annotations

from collections.abc import Callable

from aptcore.alignment.context import Context, Draft
from aptcore.alignment.matching import STRONG, match_score
from aptcore.alignment.em import Tables
from aptcore.amr import AlignmentSource

Scores = dict[int, tuple[float, AlignmentSource]]
"""Token position to score and where the score comes from."""

PRONOUNS = frozenset({"i", "you", "he", "she", "it", "we", "they"})
"""One node stands for all mentions of these; it goes to the first."""

LEAST_SCORE = 0.4
LEAST_LEARNT = 0.25
LEARNT_POWER = 0.4
"""Learnt scores are geometric means of probabilities: 0.1 is already a good match."""

NEIGHBOUR_WEIGHT = 0.5
SAME_LABEL_PENALTY = 0.6
TAKEN_PENALTY = 0.35


def rule_scores(context: Context, item: str) -> Scores:
    """Score the words that match an item's label."""
    label = context.labels[item]
    scores: Scores = {}
    for position, word in enumerate(context.words):
        score = match_score(label, word)
        if score >= LEAST_SCORE:
            scores[position] = (score, "rule")
    return scores


def learnt_scores(tables: Tables) -> Callable[[Context, str], Scores]:
    """Make a scorer of the words that match an item by letters or by what was learnt."""

    def score(context: Context, item: str) -> Scores:
        scores = rule_scores(context, item)
        for position, word in enumerate(context.words):
            learnt = tables.score(context.labels[item], word) ** LEARNT_POWER
            if learnt >= LEAST_LEARNT and learnt > scores.get(position, (0.0,))[0]:
                scores[position] = (learnt, "em")
        return scores

    return score


def align_words(
    context: Context,
    draft: Draft,
    score: Callable[[Context, str], Scores],
) -> None:
    """Align each item that has a word of its own, the clearest first.

    Args:
        context: Sentence and graph.
        draft: Alignments so far; extended.
        score: Gives the words that an item may have.
    """
    open_items = {
        item: found
        for item in context.items
        if item not in draft.spans and (found := score(context, item))
    }
    while open_items:
        best = max(
            ((*_choose(context, draft, item, found), item) for item, found in open_items.items()),
            key=lambda choice: choice[0],
        )
        _, position, item = best
        source = open_items.pop(item)[position][1]
        draft.put(item, position, position + 1, source)


def _choose(context: Context, draft: Draft, item: str, found: Scores) -> tuple[float, int]:
    """Choose a word for one item; how clear the choice is, and the word."""
    if context.labels[item] in PRONOUNS and not any(p in draft.owners for p in found):
        first = min(found)
        return found[first][0], first
    ranked = sorted(
        (
            (_value(context, draft, item, position, score), -position)
            for position, (score, _) in found.items()
        ),
        reverse=True,
    )
    margin = ranked[0][0] - ranked[1][0] if len(ranked) > 1 else 1.0
    return ranked[0][0] + margin, -ranked[0][1]


def _value(context: Context, draft: Draft, item: str, position: int, score: float) -> float:
    value = score + NEIGHBOUR_WEIGHT * _closeness(context, draft, item, position)
    for owner in draft.owners.get(position, ()):
        if context.labels[owner] == context.labels[item]:
            return value - SAME_LABEL_PENALTY
        if score < STRONG:
            value -= TAKEN_PENALTY
            break
    return value


def _closeness(context: Context, draft: Draft, item: str, position: int) -> float:
    """Tell how near the aligned neighbours are: 1 at the same token, 0 if there are none."""
    near = 0.0
    count = 0
    for link in context.links[item]:
        span = draft.spans.get(link.other)
        if span is not None:
            distance = max(span[0] - position, position - span[1] + 1, 0)
            near += 1.0 / (1.0 + distance)
            count += 1
    return near / count if count else 0.0
