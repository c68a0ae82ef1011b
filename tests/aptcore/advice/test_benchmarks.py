"""What the benchmarks of advice call an edit, and how they compare a quarter of a queue."""

from __future__ import annotations

import pytest

from aptcore.graph.amr import AmrGraph
from aptcore.scoring.counts import Counts
from aptcore.transition.machine import replay
from aptcore.transition.sets import EXACT, parse_action
from benchmarks.doubt import Measured, ratios
from benchmarks.person import edit_alone
from tests.aptcore.walks import sentence_of

SENTENCE = sentence_of("old boy wants cake", "old boy want cake")
WALK = (
    "COPY(lemma)", "SHIFT", "COPY(lemma)", "LA(0, :mod)", "SHIFT", "COPY(sense)", "LA(2, :ARG0)",
    "SHIFT", "COPY(lemma)", "RA(5, :ARG1)", "SHIFT", "LA(5, root)",
)  # fmt: skip


def corrected(place: int, right: str) -> tuple[AmrGraph, AmrGraph]:
    actions = [parse_action(text) for text in WALK]
    walk = replay(SENTENCE, actions, EXACT)
    return edit_alone(walk, replay(SENTENCE, actions[:place], EXACT), parse_action(right))


def written(graph: AmrGraph) -> list[str]:
    edges = [f"{e.source} {e.role} {e.target}" for e in graph.edges]
    return sorted([*(f"{node.id} / {node.concept}" for node in graph.nodes), *edges])


BEFORE = ["b / boy", "b :mod o", "c / cake", "o / old", "w / want-01", "w :ARG0 b", "w :ARG1 c"]


@pytest.mark.parametrize(
    ("place", "right", "changes"),
    [
        (2, "PRED(girl)", {"b / boy": "b / girl"}),  # an item keeps its name and edges
        (6, "LA(2, :ARG2)", {"w :ARG0 b": "w :ARG2 b"}),
        (7, "LA(0, :time)", {"": "w :time o"}),  # only an edge was missing: SHIFT stays
        (9, "SHIFT", {"w :ARG1 c": "w :mod c"}),  # joined again, as after any parse
        (8, "REDUCE", {"c / cake": "", "w :ARG1 c": ""}),
        (11, "LA(2, root)", {}),
    ],
)
def test_an_edit_alone_changes_one_thing(place: int, right: str, changes: dict[str, str]) -> None:
    graph, before = corrected(place, right)
    expected = [changes.get(line, line) for line in BEFORE] + [changes.get("", "")]
    assert written(graph) == sorted(filter(None, expected))
    assert graph.root == ("b" if place == 11 else "w")
    assert set(BEFORE) <= set(written(before))


def test_a_quarter_is_compared_by_sentence_pooled_and_held() -> None:
    found = [
        Measured(str(number), {}, Counts(matched, 10, gold))
        for number, (matched, gold) in enumerate([(0, 10), (5, 10), (10, 10), (10, 10)])
    ]
    by_sentence, pooled, held = ratios(found, ["0", "1", "2", "3"])
    assert by_sentence == pytest.approx(1 / (1.5 / 4))
    assert pooled == pytest.approx(1 / (1 - 50 / 80))
    assert held == pytest.approx(10 / (15 / 4))
