"""The parts of Smatch that show where a parser is wrong.

Source: Damonte, Cohen and Satta 2017, section 6, and their program. Deviations: what
is compared without a mapping is compared as multisets, not as sets; an unlabeled edge
keeps its normal direction (theirs loses the direction of ``-of`` roles with the label);
every mapping is the best one for its own part. ``docs/scoring.md`` has all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from aptcore.graph.amr import AmrGraph
from aptcore.graph.branches import unquote
from aptcore.graph.penman import without_wiki
from aptcore.scoring.counts import Counts, Tally
from aptcore.scoring.mapping import Match
from aptcore.scoring.triple_graph import (
    TripleGraph,
    argument_part,
    reentrant_part,
    triple_graph,
    without_roles,
    without_senses,
)

PARTS = (
    "unlabeled",
    "no_wsd",
    "concepts",
    "named_entities",
    "negation",
    "wikification",
    "reentrancies",
    "srl",
)
"""All edges of one role; frames without senses; concepts alone; concepts with a
``:name``; concepts with ``:polarity``; values of ``:wiki``; edges into nodes with
several parents; edges of numbered arguments."""

_MAPPED = {
    "unlabeled": without_roles,
    "no_wsd": without_senses,
    "reentrancies": reentrant_part,
    "srl": argument_part,
}


def part_tallies(
    gold: AmrGraph,
    predicted: AmrGraph | None,
    match: Callable[[TripleGraph, TripleGraph], Match],
    wiki: bool,
) -> dict[str, Tally]:
    """Count for each part what matched, what was predicted and what is gold.

    Args:
        gold: With its ``:wiki``.
        predicted: None where the prediction failed.
        match: Finds the mapping, predicted graph first.
        wiki: Count ``:wiki`` outside ``wikification`` as well.
    """
    gold_triples = triple_graph(gold if wiki else without_wiki(gold)[0])
    predicted_triples = None
    if predicted is not None:
        predicted_triples = triple_graph(predicted if wiki else without_wiki(predicted)[0])
    tallies: dict[str, Tally] = {}
    for part in PARTS:
        if part in _MAPPED:
            cut = _MAPPED[part]
            own_part = None if predicted_triples is None else cut(predicted_triples)
            tallies[part] = mapped_tally(own_part, cut(gold_triples), match)
        else:
            wanted = Counter(_listed(gold, part))
            found = Counter(_listed(predicted, part) if predicted is not None else ())
            matched = (wanted & found).total()
            tallies[part] = Tally(Counts(matched, found.total(), wanted.total()), matched)
    return tallies


def mapped_tally(
    predicted: TripleGraph | None,
    gold: TripleGraph,
    match: Callable[[TripleGraph, TripleGraph], Match],
) -> Tally:
    """Count the triples of one pair under a mapping; a failed prediction has none."""
    if predicted is None:
        return Tally(Counts(0, 0, gold.num_triples), 0)
    found = match(predicted, gold)
    return Tally(Counts(found.matched, predicted.num_triples, gold.num_triples), found.bound)


def _listed(graph: AmrGraph, part: str) -> Sequence[str]:
    """List what a part without a mapping compares."""
    if part == "concepts":
        return [node.concept.lower() for node in graph.nodes]
    if part == "wikification":
        return [unquote(item.value).lower() for item in graph.attributes if item.role == ":wiki"]
    role = ":name" if part == "named_entities" else ":polarity"
    concepts = {node.id: node.concept.lower() for node in graph.nodes}
    sources = [edge.source for edge in graph.edges if edge.role == role]
    sources += [item.source for item in graph.attributes if item.role == role]
    return [concepts[source] for source in sources]
