"""Learn which lemmas bring which labels, by expectation maximisation.

IBM Model 1 is run in both directions between the labels of a graph and the lemmas of
its sentence, starting from the likeness of their letters. A label and a lemma that
explain each other in both directions get a high score. Words that a label spells out
(names, numbers) take no part.

Source: Pourdamghani, Gao, Hermjakob and Knight 2014. Deviations: the graph is a bag of
labels here, not a string, because the neighbourhood in the graph is looked at when
aligning; the two directions are multiplied at the end instead of being tied in each
step.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from aptcore.alignment.choosing import place
from aptcore.alignment.context import MARK_UP, Context, Draft, Word, make_context
from aptcore.alignment.options import own_options
from aptcore.alignment.spelling import match_score
from aptcore.alignment.structure import describes, leans_on_neighbour
from aptcore.alignment.tables import Tables, learnt_label
from aptcore.graph.amr import AmrGraph, Sentence

ITERATIONS = 8
"""Rounds of expectation maximisation."""

DISCOUNT = 0.5
"""Counts taken from each word at the end: what was seen once proves little."""

LEAST_KEPT = 0.12
"""Pairs with a lower score are not kept."""

_NOTHING = ""
"""Stands for the item that brings words without meaning, and for the word of the rest."""

Bags = list[tuple[list[str], list[str]]]


def learn_tables(pairs: Iterable[tuple[Sentence, AmrGraph]]) -> Tables:
    """Learn tables from sentences with their graphs.

    Args:
        pairs: Training sentences and graphs; alignments are not looked at.

    Returns:
        Tables with the pairs that explain each other.
    """
    bags = [_bag(make_context(sentence, graph)) for sentence, graph in pairs]
    of_label = _model_one([(lemmas, labels) for labels, lemmas in bags])
    of_lemma = _model_one(bags)
    scores: dict[str, dict[str, float]] = {}
    for lemma in sorted(of_label):
        for label, forward in sorted(of_label[lemma].items()):
            score = (forward * of_lemma.get(label, {}).get(lemma, 0.0)) ** 0.5
            if score >= LEAST_KEPT and lemma != _NOTHING and label != _NOTHING:
                scores.setdefault(label, {})[lemma] = round(score, 3)
    return Tables({label: scores[label] for label in sorted(scores)})


def _bag(context: Context) -> tuple[list[str], list[str]]:
    """List the labels and lemmas that letters leave unexplained, an empty one in front of each.

    A label that its own word explains takes that word with it: "prince" must not come to
    explain whatever else stands in the sentences of a prince.
    """
    draft = Draft(context.labels)
    options = {item: own_options(context, item, None) for item in context.items}
    same = {
        item: {span: option for span, option in found.items() if option[0] >= 1.0}
        for item, found in options.items()
    }
    place(context, draft, same)
    labels = [
        learnt_label(context.labels[item])
        for item in context.items
        if item not in draft.spans
        and not leans_on_neighbour(context, item)
        and not any(describes(context, item, link) for link in context.links[item])
    ]
    lemmas = [
        word.lemma
        for position, word in enumerate(context.words)
        if not draft.owners.get(position) and not MARK_UP.search(word.token)
    ]
    return [_NOTHING, *labels], [_NOTHING, *lemmas]


def _model_one(bags: Bags) -> dict[str, dict[str, float]]:
    """Run IBM Model 1: each target comes from one of the sources.

    Args:
        bags: Sources and targets of each sentence.

    Returns:
        For each source the probabilities of its targets.
    """
    bags = [bag for bag in bags if len(bag[1]) > 1]
    table = _first_table(bags)
    counts: dict[str, dict[str, float]] = {}
    for _ in range(ITERATIONS):
        counts = defaultdict(lambda: defaultdict(float))
        for sources, targets in bags:
            rows = [table[source] for source in sources]
            for target in targets[1:]:
                shares = [row[target] for row in rows]
                total = sum(shares)
                for source, share in zip(sources, shares, strict=True):
                    counts[source][target] += share / total
        table = {source: _normalized(row) for source, row in counts.items()}
    return {source: _normalized(row, DISCOUNT) for source, row in counts.items()}


def _first_table(bags: Bags) -> dict[str, dict[str, float]]:
    together: dict[str, Counter[str]] = defaultdict(Counter)
    for sources, targets in bags:
        for source in sources:
            together[source].update(targets[1:])
    return {
        source: _normalized(
            {target: count * (0.05 + _likeness(source, target)) for target, count in row.items()}
        )
        for source, row in together.items()
    }


def _likeness(left: str, right: str) -> float:
    if not left or not right:
        return 0.0
    return max(
        match_score(left, Word(right, right)),
        match_score(right, Word(left, left)),
    )


def _normalized(row: Mapping[str, float], discount: float = 0.0) -> dict[str, float]:
    total = sum(row.values()) + discount
    return {target: value / total for target, value in row.items()}
