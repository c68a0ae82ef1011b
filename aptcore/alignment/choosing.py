"""Choose one option for each item, the clearest first.

An item whose words come twice goes where its neighbours in the graph stand. At the
end, items with the same label change places where that brings both nearer to their
neighbours.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from heapq import heappop, heappush

from aptcore.alignment.context import Context, Draft, Span
from aptcore.alignment.options import Options, companions
from aptcore.alignment.spelling import STRONG
from aptcore.alignment.structure import leans_on_neighbour
from aptcore.graph.amr import AlignmentSource

NEIGHBOUR_WEIGHT = 0.6
SAME_LABEL_PENALTY = 0.7
TAKEN_PENALTY = 0.4
STRONG_TAKEN_PENALTY = 0.25
NEIGHBOUR_SHARE = 0.4
"""What is left of that penalty if only direct neighbours stand at the words."""

CERTAIN_ENOUGH = 0.6
"""Options below this go to free words only."""
LEAST_SHARED = 0.42
"""Unless all that stands there are direct neighbours, and the option is not below this."""

MAX_SWAPS = 12
"""Items behind it with the same words that an item may change places with."""


def place(context: Context, draft: Draft, options: Mapping[str, Options]) -> None:
    """Align each item that has options to the best of them.

    Args:
        context: Sentence and graph.
        draft: Alignments so far; extended.
        options: Words that each item may have; items without any are left.
    """
    waiting = {item: found for item, found in options.items() if found}
    ranks = {item: rank for rank, item in enumerate(waiting)}
    at: dict[int, dict[str, None]] = {}
    for item, found in waiting.items():
        for span in found:
            for position in range(*span):
                at.setdefault(position, {})[item] = None
    choices: dict[str, tuple[float, Span]] = {}
    queue: list[tuple[float, int, str]] = []

    def choose(item: str) -> None:
        choices.pop(item, None)
        choice = _choose(context, draft, item, waiting[item])
        if choice is not None:
            choices[item] = choice
            heappush(queue, (-choice[0], ranks[item], item))

    for item in waiting:
        choose(item)
    while queue:
        value, _, item = heappop(queue)
        if item not in choices or -value != choices[item][0]:
            continue
        span = choices.pop(item)[1]
        before = {position: frozenset(_labels_at(draft, position)) for position in range(*span)}
        put_with_companions(context, draft, item, span, waiting[item][span])
        touched = {other for other in context.around[item] if other in choices}
        for position, labels in before.items():
            fresh = frozenset(_labels_at(draft, position)) - labels
            for other in at.get(position, ()) if fresh else ():
                if other in choices and (not labels or context.labels[other] in fresh):
                    touched.add(other)
        for other in sorted(touched, key=ranks.__getitem__):
            choose(other)
    _swap(context, draft, waiting)


def _labels_at(draft: Draft, position: int) -> Iterable[str]:
    return (label for label, count in draft.taken.get(position, {}).items() if count)


def put_with_companions(
    context: Context, draft: Draft, item: str, span: Span, option: tuple[float, AlignmentSource]
) -> None:
    """Align an item, and the constants that the same words spell."""
    for placed in (item, *companions(context, item)):
        draft.put(placed, span, option[1])


def _choose(context: Context, draft: Draft, item: str, found: Options) -> tuple[float, Span] | None:
    """Choose among an item's options; how clear the choice is, and the words.

    What only may bring a label, or was learnt, but not well, does not go to words that
    others have already.
    """
    found = {
        span: option
        for span, option in found.items()
        if option[0] >= CERTAIN_ENOUGH
        or draft.is_free(span)
        or (option[0] >= LEAST_SHARED and _is_beside_owners(context, draft, item, span))
    }
    if not found:
        return None
    # One pronoun node stands for all its mentions; it goes to the first.
    if context.labels[item] in context.mentions and len(found) > 1:
        same = [span for span, (score, _) in found.items() if score >= 1.0]
        if same and not any(draft.holds_label(span, context.labels[item]) for span in same):
            return found[min(same)][0], min(same)
    ranked = sorted(
        (_value(context, draft, item, span, score), -span[0], span[1])
        for span, (score, _) in found.items()
    )
    value, start, end = ranked[-1]
    margin = value - ranked[-2][0] if len(ranked) > 1 else 1.0
    return value + margin, (-start, end)


def _value(context: Context, draft: Draft, item: str, span: Span, score: float) -> float:
    value = score + NEIGHBOUR_WEIGHT * closeness(context, draft, item, span)
    if draft.holds_label(span, context.labels[item]):
        return value - SAME_LABEL_PENALTY
    if draft.is_free(span) or leans_on_neighbour(context, item):
        return value
    penalty = TAKEN_PENALTY if score < STRONG else STRONG_TAKEN_PENALTY
    return value - (
        NEIGHBOUR_SHARE * penalty if _is_beside_owners(context, draft, item, span) else penalty
    )


def _is_beside_owners(context: Context, draft: Draft, item: str, span: Span) -> bool:
    """Tell whether all that stands at these words is linked to an item directly.

    One word can stand for an item and its neighbour: "invisible", "sunrise".
    """
    return all(
        context.around[item].get(owner) == 1.0
        for position in range(*span)
        for owner in draft.owners.get(position, ())
    )


def closeness(context: Context, draft: Draft, item: str, span: Span) -> float:
    """Tell how near the neighbours in the graph stand: 1 at these words, 0 at the other end.

    Neighbours of neighbours count too, with less weight. A pronoun stands wherever it is
    mentioned.
    """
    total = weight = 0.0
    size = math.log(2 + len(context.words))
    for other, share in context.around[item].items():
        there = draft.spans.get(other)
        if there is not None:
            mentions = context.mentions.get(context.labels[other]) or (there,)
            distance = min(
                max(mention[0] - span[1] + 1, span[0] - mention[1] + 1, 0) for mention in mentions
            )
            total += share * (1.0 - math.log(1 + distance) / size)
            weight += share
    return total / weight if weight else 0.0


def _swap(context: Context, draft: Draft, options: dict[str, Options]) -> None:
    """Let two items with the same options change places if both come nearer that way."""
    groups: dict[tuple[str, tuple[Span, ...]], list[str]] = {}
    for item, found in options.items():
        if item in draft.spans and len(found) > 1:
            groups.setdefault((context.labels[item], tuple(sorted(found))), []).append(item)
    for group in groups.values():
        for first, second in _pairs(group):
            if draft.spans[first] == draft.spans[second]:
                continue
            before = _nearness(context, draft, first, second)
            _exchange(context, draft, first, second)
            if _nearness(context, draft, first, second) <= before + 1e-9:
                _exchange(context, draft, first, second)


def _nearness(context: Context, draft: Draft, *items: str) -> float:
    return sum(closeness(context, draft, item, draft.spans[item]) for item in items)


def _pairs(group: list[str]) -> Iterable[tuple[str, str]]:
    return (
        (first, second)
        for i, first in enumerate(group)
        for second in group[i + 1 : i + 1 + MAX_SWAPS]
    )


def _exchange(context: Context, draft: Draft, first: str, second: str) -> None:
    here, there = draft.spans[first], draft.spans[second]
    for item, old, new in ((first, here, there), (second, there, here)):
        for moved in (item, *companions(context, item)):
            if draft.spans.get(moved) == old:
                source = draft.sources[moved]
                draft.remove(moved)
                draft.put(moved, new, source)
