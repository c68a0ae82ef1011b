"""Scores: counted as the shared cases say, proven, and the same in every run."""

from __future__ import annotations

import random
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aptcore.errors import ConfigurationError, InputError, PenmanError
from aptcore.graph.amr import AmrGraph, Edge, Node
from aptcore.graph.corpus import read_corpus
from aptcore.graph.penman import parse_penman, read_penman
from aptcore.scoring.evaluation import Report, compare_reports, score_corpus
from tests.seconds import seconds


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


@pytest.mark.parametrize("scorer", ["exact", "smatch"])
def test_an_accent_scores_the_same_with_its_letter_and_behind_it(scorer: str) -> None:
    gold = '(p / pâté :name (n / name :op1 "Zoë"))'
    predicted = unicodedata.normalize("NFD", gold)
    assert predicted != gold
    assert score_texts([gold], [predicted], scorer=scorer).counts.f1 == 1.0


def test_the_smatch_search_leaves_random_numbers_alone() -> None:
    random.seed(3)
    wanted = random.random()
    random.seed(3)
    score_texts(["(a / b)"], ["(a / b)"], scorer="smatch")
    assert random.random() == wanted


def test_a_repeated_triple_is_counted_once_with_a_warning(cases: dict[str, Any]) -> None:
    for pair in cases["c17"]["input"]["pairs"]:
        _, problems = read_penman(pair["pred"])
        assert any("is repeated; it is kept once" in problem for _, problem in problems)


def test_alignment_marks_are_not_scored() -> None:
    report = score_texts(["(s / see-01~e.1 :ARG0~e.0 (i / i~e.0))"], ["(s / see-01 :ARG0 (i / i))"])
    assert report.counts.f1 == 1.0


def test_the_mapping_names_the_nodes_that_are_partners() -> None:
    report = score_texts(
        ["(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"],
        ["(x / want-01 :ARG0 (y / boy) :ARG1 (z / leave-11 :ARG0 y) :time (n / now))"],
    )
    assert report.pairs[0].mapping == (("x", "w"), ("y", "b"), ("z", "g"))
    assert score_texts(["(a / b)"], ["("]).pairs[0].mapping == ()


def alike_graph(size: int, seed: int) -> AmrGraph:
    """Give a graph of nodes with one concept, which nothing but its edges tell apart."""
    generator = random.Random(seed)
    nodes = tuple(Node(f"n{number}", "thing") for number in range(size))
    edges = {Edge(f"n{generator.randrange(n)}", ":mod", f"n{n}") for n in range(1, size)}
    edges |= {
        Edge(f"n{generator.randrange(size)}", ":part", f"n{generator.randrange(size)}")
        for _ in range(size)
    }
    ordered = sorted(edges, key=lambda edge: (edge.source, edge.role, edge.target))
    return AmrGraph(nodes, (), tuple(ordered), "n0", metadata={"id": f"alike.{seed}"})


def test_a_pair_without_proof_is_named_with_its_bounds() -> None:
    easy = parse_penman("(a / b)")
    report = score_corpus(
        [easy, alike_graph(24, 1)], [easy, alike_graph(24, 2)], fine_grained=True, time_limit=0
    )
    assert report.unproven == (1,)
    written = report.to_json()
    assert written["unproven"] == 1
    named = written["unproven_pairs"]
    assert isinstance(named, list)
    assert named[0]["id"] == "alike.1"
    assert {entry["position"] for entry in named} == {1}
    assert {"smatch", "unlabeled", "no_wsd"} <= {entry["score"] for entry in named}
    assert all(entry["f1"] < entry["f1_bound"] <= 1 for entry in named)


def test_scores_are_the_same_in_any_number_of_processes() -> None:
    gold = [*(alike_graph(6, seed) for seed in range(9)), None]
    predicted = [*(alike_graph(7, seed) for seed in range(20, 28)), None, None]
    alone = score_corpus(gold, predicted, fine_grained=True)
    for jobs in (2, 3):
        assert score_corpus(gold, predicted, fine_grained=True, jobs=jobs) == alone


def test_numbers_out_of_range_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="0 processes"):
        score_corpus([], [], jobs=0)
    with pytest.raises(ConfigurationError, match="time limit of -1 seconds"):
        score_corpus([], [], time_limit=-1)


def system_texts(num_right: int) -> list[str]:
    """Give 40 predictions for ``(r / rain-01 :mod (h / hard))``, some of them right."""
    return ["(r / rain-01 :mod (h / hard))"] * num_right + ["(r / rain-01)"] * (40 - num_right)


def test_a_clear_difference_of_two_systems_is_told_from_none() -> None:
    gold = system_texts(40)
    worse, better = score_texts(gold, system_texts(10)), score_texts(gold, system_texts(30))
    clear = compare_reports(worse, better)
    assert clear.difference == pytest.approx(better.counts.f1 - worse.counts.f1)
    assert clear.interval[0] > 0
    assert clear.p_value < 0.01
    assert clear.count_outcomes() == (20, 0, 20)
    assert compare_reports(better, worse).p_value == clear.p_value
    none = compare_reports(better, better)
    assert (none.difference, none.interval, none.p_value) == (0.0, (0.0, 0.0), 1.0)
    slight = compare_reports(better, score_texts(gold, system_texts(31)))
    assert 0.1 < slight.p_value < 1
    assert slight.interval[0] <= slight.difference <= slight.interval[1]


def test_a_comparison_is_repeatable_and_depends_on_its_seed_only() -> None:
    gold = system_texts(40)
    reports = [score_texts(gold, system_texts(number)) for number in (20, 22)]
    assert compare_reports(*reports, seed=3) == compare_reports(*reports, seed=3)
    assert compare_reports(*reports, seed=3).p_value != compare_reports(*reports, seed=4).p_value


def test_the_comparison_has_the_documented_keys() -> None:
    report = score_texts(["(a / b)"], ["(a / b)"])
    assert set(compare_reports(report, report).to_json()) == {
        "sentences", "systems", "difference", "interval", "p_value", "better", "worse", "equal",
        "test", "samples", "seed",
    }  # fmt: skip


def test_systems_on_other_gold_graphs_are_not_compared() -> None:
    with pytest.raises(InputError, match="not of the same gold graphs"):
        compare_reports(
            score_texts(["(a / b)"], ["(a / b)"]),
            score_texts(["(a / b :mod (c / d))"], ["(a / b)"]),
        )


def test_the_exact_scorer_is_quicker_than_the_search_and_never_below_it(data_folder: Path) -> None:
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
    own = seconds(lambda: score_corpus(gold, other))
    assert own < seconds(lambda: score_corpus(gold, other, scorer="smatch"), runs=1)
    exact = score_corpus(gold, other)
    search = score_corpus(gold, other, scorer="smatch")
    assert exact.unproven == ()
    assert exact.counts.matched >= search.counts.matched
    shifted = other[1:] + other[:1]  # unrelated pairs are the hardest to prove
    assert score_corpus(gold, shifted).unproven == ()
