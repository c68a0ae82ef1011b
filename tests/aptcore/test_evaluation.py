"""Scores: counted as the shared cases say, proven, and the same in every run."""

from __future__ import annotations

import itertools
import random
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aptcore.amr import AmrGraph, parse_penman, read_penman
from aptcore.corpus import read_corpus
from aptcore.errors import ConfigurationError, InputError, PenmanError
from aptcore.evaluation import Report, score_corpus
from aptcore.matching import best_match
from aptcore.triple_graph import CONCEPT, ROOT, TripleGraph, triple_graph


def graph_or_none(text: str) -> AmrGraph | None:
    try:
        return read_penman(text)[0]
    except PenmanError:
        return None


def score_texts(gold: list[str], predicted: list[str], **options: Any) -> Report:
    return score_corpus(
        [graph_or_none(text) for text in gold],
        [graph_or_none(text) for text in predicted],
        **options,
    )


@pytest.mark.parametrize("scorer", ["exact", "smatch"])
@pytest.mark.parametrize("case_id", ["c17", "c18", "c19", "c20"])
def test_pairs_are_counted_as_the_cases_say(
    cases: dict[str, Any], case_id: str, scorer: str
) -> None:
    if (case_id, scorer) == ("c18", "smatch"):
        return  # the case is about what that search misses
    case = cases[case_id]
    for pair, wanted in zip(case["input"]["pairs"], case["expected"]["score"], strict=True):
        report = score_texts([pair["gold"]], [pair["pred"]], scorer=scorer)
        counts = report.counts
        assert counts.matched == wanted["matched"]
        assert counts.predicted == wanted["pred_triples"]
        assert counts.gold == wanted["gold_triples"]
        for name in ("precision", "recall", "f1"):
            assert round(counts.to_json()[name], 4) == wanted[name]


def test_equal_graphs_score_one_with_variables_renamed_and_branches_moved(
    cases: dict[str, Any],
) -> None:
    (pair,) = cases["c18"]["input"]["pairs"]
    graph = parse_penman(pair["gold"])
    for seed in range(5):
        generator = random.Random(seed)
        names = [f"v{number}" for number in range(len(graph.nodes))]
        generator.shuffle(names)
        renamed = {node.id: name for node, name in zip(graph.nodes, names, strict=True)}
        nodes = [replace(node, id=renamed[node.id]) for node in graph.nodes]
        generator.shuffle(nodes)
        other = AmrGraph(
            tuple(nodes),
            tuple(replace(item, source=renamed[item.source]) for item in graph.attributes),
            tuple(
                replace(edge, source=renamed[edge.source], target=renamed[edge.target])
                for edge in reversed(graph.edges)
            ),
            renamed[graph.root],
        )
        report = score_corpus([graph], [other])
        assert report.counts.f1 == 1.0
        assert report.unproven == ()


def test_the_smatch_search_says_that_it_may_miss_the_best(cases: dict[str, Any]) -> None:
    (pair,) = cases["c18"]["input"]["pairs"]
    report = score_texts([pair["gold"]], [pair["pred"]], scorer="smatch")
    missed = report.counts.f1 < 1
    assert report.to_json()["unproven"] == int(missed)


@pytest.mark.parametrize("scorer", ["exact", "smatch"])
def test_an_unreadable_prediction_counts_as_nothing_found(
    cases: dict[str, Any], scorer: str
) -> None:
    case = cases["c21"]
    report = score_texts(case["input"]["gold"], case["input"]["pred"], scorer=scorer)
    assert [round(pair.counts.f1, 4) for pair in report.pairs] == case["expected"]["per_pair_f1"]
    total = case["expected"]["total"]
    assert report.counts.matched == total["matched"]
    assert report.counts.predicted == total["pred_triples"]
    assert report.counts.gold == total["gold_triples"]
    assert round(report.counts.f1, 4) == total["f1"]
    assert [place + 1 for place in report.failed] == case["expected"]["unreadable"]
    assert report.to_json()["failed"] == 1


def test_a_placeholder_with_an_error_is_a_failure() -> None:
    failed = parse_penman("# ::error too long\n(a / amr-empty)")
    empty = parse_penman("(a / amr-empty)")
    assert score_corpus([empty], [failed]).counts.matched == 0
    assert score_corpus([empty], [empty]).counts.f1 == 1.0


def test_wiki_is_left_out_unless_asked_for() -> None:
    gold = ['(c / city :wiki "Lima")']
    left_out = score_texts(gold, ["(c / city :wiki -)"])
    assert left_out.counts.f1 == 1.0
    assert left_out.to_json()["wiki"] is False
    assert left_out.to_json()["wiki_removed"] == 2
    counted = score_texts(gold, ["(c / city :wiki -)"], wiki=True)
    assert counted.counts.matched == 2
    assert counted.counts.gold == 3


def test_the_report_has_the_promised_keys() -> None:
    report = score_texts(["(a / b)"], ["(a / b)"], fine_grained=True).to_json()
    promised = {"sentences", "failed", "smatch", "scorer", "interval", "unlabeled", "no_wsd"}
    promised |= {"concepts", "named_entities", "negation", "wikification", "reentrancies", "srl"}
    assert promised <= set(report)
    assert report["root_counted"] is True
    assert report["smatch"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}


def test_each_part_sees_its_own_fault() -> None:
    gold = (
        '(s / see-01 :polarity - :ARG0 (p / person :wiki "Al" :name (n / name :op1 "Al"))'
        " :ARG1 (h / hit-01 :ARG0 p :ARG1 (d / dog)))"
    )
    changes = {
        "no_wsd": ("see-01", "see-02"),
        "unlabeled": (":ARG1 (d", ":ARG2 (d"),
        "negation": (":polarity -", ""),
        "wikification": ('"Al" :name', '"Bo" :name'),
        "named_entities": ("p / person", "p / animal"),
        "reentrancies": (":ARG0 p :ARG1", ":ARG1"),
    }
    for part, (old, new) in changes.items():
        report = score_texts([gold], [gold.replace(old, new)], fine_grained=True)
        if part in ("no_wsd", "unlabeled"):  # these do not see it
            assert report.parts[part].f1 == 1.0
            assert report.counts.f1 < 1.0
        else:
            assert report.parts[part].f1 < 1.0
    same = score_texts([gold], [gold], fine_grained=True)
    assert all(counts.f1 == 1.0 for counts in same.parts.values())
    assert score_texts([gold], ["("], fine_grained=True).parts["srl"].f1 == 0.0


def test_the_interval_is_repeatable_and_holds_the_score() -> None:
    gold = ["(a / b)", "(r / rain-01 :mod (h / hard))", "(c / d)"]
    predicted = ["(a / b)", "(r / rain-01)", "(x / y)"]
    first, second = (score_texts(gold, predicted) for _ in range(2))
    assert first == second
    low, high = first.interval
    assert low <= first.counts.f1 <= high


def test_a_sentence_without_gold_is_not_scored() -> None:
    report = score_corpus([None, parse_penman("(a / b)")], [parse_penman("(a / b)")] * 2)
    assert report.to_json()["sentences"] == 1
    assert report.num_without_gold == 1
    assert score_corpus([], []).to_json()["sentences"] == 0


def test_lists_of_different_length_are_refused() -> None:
    with pytest.raises(InputError, match="1 gold graphs, but 0 predictions"):
        score_corpus([None], [])


def test_an_unknown_scorer_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="exact, smatch"):
        score_corpus([], [], scorer="fast")  # type: ignore[arg-type]


def test_the_smatch_search_leaves_random_numbers_alone() -> None:
    random.seed(3)
    wanted = random.random()
    random.seed(3)
    score_texts(["(a / b)"], ["(a / b)"], scorer="smatch")
    assert random.random() == wanted


@st.composite
def small_graphs(draw: st.DrawFn) -> TripleGraph:
    size = draw(st.integers(1, 5))
    node = st.integers(0, size - 1)
    word = st.sampled_from(["x", "y"])
    role = st.sampled_from([":ARG0", ":mod"])
    labels = {(number, CONCEPT, draw(word)) for number in range(size)}
    labels |= draw(st.sets(st.tuples(node, role, word), max_size=3))
    labels.add((draw(node), ROOT, ""))
    links = draw(st.sets(st.tuples(node, role, node), max_size=7))
    return TripleGraph(size, frozenset(labels), frozenset(links))


def best_by_trying_all(first: TripleGraph, second: TripleGraph) -> int:
    places = [*range(second.num_nodes), *[-1] * first.num_nodes]
    return max(
        sum((m[node], role, value) in second.labels for node, role, value in first.labels)
        + sum((m[s], role, m[t]) in second.links for s, role, t in first.links)
        for m in set(itertools.permutations(places, first.num_nodes))
    )


@given(small_graphs(), small_graphs())
@settings(max_examples=100, deadline=None)
def test_the_exact_scorer_finds_what_trying_all_finds(
    first: TripleGraph, second: TripleGraph
) -> None:
    match = best_match(first, second)
    assert match.is_proven
    assert match.matched == best_by_trying_all(first, second)


@given(small_graphs())
@settings(max_examples=100, deadline=None)
def test_a_graph_with_itself_is_one(graph: TripleGraph) -> None:
    assert best_match(graph, graph).matched == graph.num_triples


def test_gold_against_itself_is_one_and_proven(data_folder: Path) -> None:
    for name in (
        "little-prince/v3.0/amr-bank-struct-v3.0-dev.txt",
        "bio/amr-release-dev-bio.txt",
    ):
        graphs = [record.graph for record in read_corpus(data_folder / name).records]
        report = score_corpus(graphs, graphs)
        assert report.counts.f1 == 1.0
        assert report.unproven == ()


def test_the_exact_scorer_is_fast_and_never_below_the_search(data_folder: Path) -> None:
    folder = data_folder / "little-prince"
    gold, other = (
        [
            record.graph
            for record in read_corpus(
                folder / f"v{version}/amr-bank-struct-v{version}-dev.txt"
            ).records
        ]
        for version in ("3.0", "1.6")
    )
    start = time.process_time()
    exact = score_corpus(gold, other)
    assert len(gold) / (time.process_time() - start) > 100  # pairs a second
    search = score_corpus(gold, other, scorer="smatch")
    assert exact.unproven == ()
    assert exact.counts.matched >= search.counts.matched
    shifted = other[1:] + other[:1]  # unrelated pairs are the hardest to prove
    matches = [
        best_match(triple_graph(a), triple_graph(b))
        for a, b in zip(gold, shifted, strict=True)
        if a is not None and b is not None
    ]
    assert all(match.is_proven for match in matches)
