"""All problems of a graph are found at once."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aptcore.assets import asset_path
from aptcore.graph.amr import AmrGraph, Attribute, Edge, Node
from aptcore.graph.branches import unquote
from aptcore.graph.corpus import read_corpus
from aptcore.graph.layout import FORMER_ROLES, is_role_known, role_order
from aptcore.graph.penman import parse_penman
from aptcore.graph.validation import problems_of


def errors(graph: AmrGraph) -> list[str]:
    return [problem.message for problem in problems_of(graph) if problem.is_error]


def hints(graph: AmrGraph) -> list[str]:
    return [problem.message for problem in problems_of(graph) if not problem.is_error]


def test_a_sound_graph_has_no_problems() -> None:
    text = '(w / want-01 :ARG0 (b / boy :name (n / name :op1 "Al")) :polarity - :ARG1 b)'
    assert problems_of(parse_penman(text)) == ()


def test_made_up_roles_are_named(cases: dict[str, Any]) -> None:
    _, anonymous, invented = cases["c33"]["input"]["penman"]
    assert errors(parse_penman(anonymous)) == ["role ':' is unknown to AMR, in w : b"]
    assert errors(parse_penman(invented)) == [
        "role ':null_edge' is unknown to AMR, in a :null_edge y"
    ]


def test_a_role_that_amr_once_had_is_a_hint() -> None:
    graph = parse_penman("(t / tall :compared-to (b / boy))")
    assert errors(graph) == []
    assert hints(graph) == ["role ':compared-to' is no longer one of AMR's, in t :compared-to b"]


def test_the_shipped_parser_says_no_role_that_is_an_error() -> None:
    labels = asset_path("model/vocabulary.json").read_text("utf-8")
    found = set(re.findall(r"[LR]A\((:[^)]+)\)", labels))
    roles = {role.replace("*", "1") for role in found}  # :op* is numbered by the machine
    assert {":ARG0", ":compared-to"} <= roles
    assert [role for role in roles if not is_role_known(role)] == [*FORMER_ROLES]


@pytest.mark.parametrize(
    ("penman", "message"),
    [
        ("(x / .)", "concept '.' of x consists of signs alone"),
        ("(b / boy :mod (x / &))", "concept '&' of x consists of signs alone"),
        ("(x / %)", "concept '%' of x consists of signs alone"),
        ("(x / $-01)", "concept '$-01' of x consists of signs alone"),
        ("(x / ...)", "concept '...' of x consists of signs alone"),
        ("(e / etc.)", "concept 'etc.' of e ends with a full stop"),
        *(
            (
                f"(d / {text})",
                f"concept '{text}' of d has a sign at its end or beginning that is no part of a "
                "word",
            )
            for text in ("dog,", "dog?", "dog!", "50%", "$5", "€5m")
        ),
        ("(h / half---time)", "concept 'half---time' of h has several hyphens together"),
        ('(p / person :name "Zoë")', ':name "Zoë" of p is no node `name`'),
        ("(p / person :name Zoë)", ":name Zoë of p is no node `name`"),
    ],
)
def test_what_no_graph_may_hold_is_an_error(penman: str, message: str) -> None:
    assert errors(parse_penman(penman)) == [message]


def test_gaps_and_repeats_of_numbered_roles_are_reported(cases: dict[str, Any]) -> None:
    graph = parse_penman(cases["c10"]["input"]["penman"])
    assert hints(graph) == ["node n lacks :op3, :op4, :op5, :op6, :op7, :op8"]
    twice = parse_penman("(m / multi-sentence :snt1 (a / b) :snt1 (c / d) :snt10 (e / f))")
    assert hints(twice)[0] == "node m has :snt1 2 times"
    assert hints(twice)[1].endswith(":snt8, :snt9")


def test_a_problem_carries_its_kind_and_its_place_as_values() -> None:
    graph = parse_penman("(m / multi-sentence :snt2 (a / b :rol (c / d)))")
    looped = replace(graph, edges=(*graph.edges, Edge("a", ":mod", "a")))
    known = [(one.kind, one.item, one.branch, one.stem) for one in problems_of(looped)]
    assert known == [
        ("role", "a", ("a", ":rol", "c"), ""),
        ("loop", "a", ("a", ":mod", "a"), ""),
        ("numbering", "m", None, ":snt"),
    ]


def test_numbered_roles_sort_by_number(cases: dict[str, Any]) -> None:
    case = cases["c10"]
    parts = parse_penman(case["input"]["penman"]).attributes
    ordered = sorted(parts, key=lambda part: role_order(part.role))
    assert [part.role for part in ordered] == case["expected"]["order_after_sorting"]
    assert " ".join(unquote(part.value) for part in ordered) == case["expected"]["joined_name"]


def test_a_sentence_that_begins_with_and_has_no_first_part() -> None:
    assert problems_of(parse_penman("(a / and :op2 (g / go-02))")) == ()


@pytest.mark.parametrize("concept", ["7", "-7", "3.5", "18:30", "24/7", "-", "+", '"Lima"'])
def test_a_constant_that_stands_as_a_concept_is_an_error(concept: str) -> None:
    graph = parse_penman("(b / boy :mod (x / old))")
    wrong = replace(graph, nodes=(graph.nodes[0], Node("x", concept)))
    assert f"concept {concept!r} of x is no plain word" in errors(wrong)


@pytest.mark.parametrize("concept", ["3d", "-er", "70-kda", "9-11-attack"])
def test_a_word_with_figures_is_a_concept(concept: str) -> None:
    assert problems_of(parse_penman(f"(b / boy :mod (x / {concept}))")) == ()


def test_a_self_loop_is_a_hint_only(cases: dict[str, Any]) -> None:
    graph = parse_penman(cases["c09"]["input"]["penman"][1])
    assert errors(graph) == []
    assert hints(graph) == ["node s points at itself through :ARG1"]


def test_a_lost_variable_is_a_hint() -> None:
    assert hints(parse_penman("(a / and :op1 b2)")) == [
        "a :op1 b2: a variable that is never introduced?"
    ]


def test_all_faults_of_a_built_graph_come_together() -> None:
    graph = AmrGraph(
        nodes=(Node("a", "two words"), Node("a", "b"), Node("c", "d")),
        attributes=(Attribute("k", "a", ":value", "-"), Attribute("l", "a", ":value", "-")),
        edges=(Edge("k", ":mod", "c"), Edge("c", ":mod", "l")),
        root="x",
    )
    found = "\n".join(errors(graph))
    for words in (
        "variable 'a' stands for 2 nodes",
        "root 'x' is no node",
        "'two words' of a cannot be written",
        "triple a :value - is repeated",
        "constant k has a branch :mod",
        "constant l is the target of an edge",
    ):
        assert words in found


def test_a_detached_piece_is_an_error() -> None:
    graph = parse_penman("(a / b)")
    detached = replace(graph, nodes=(*graph.nodes, Node("c", "d")))
    (found,) = (problem for problem in problems_of(detached) if problem.is_error)
    assert "nothing links the root to c" in found.message
    assert not any(problem.is_error for problem in problems_of(graph))


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("little-prince/v1.6/amr-bank-struct-v1.6-training.txt", 27),
        ("little-prince/v3.0/amr-bank-struct-v3.0-training.txt", 0),
        ("bio/amr-release-dev-bio.txt", 26),
        ("scout/Dialogue-AMR.train.txt", 414),
    ],
)
def test_role_warnings_of_public_corpora(data_folder: Path, name: str, number: int) -> None:
    graphs = [record.graph for record in read_corpus(data_folder / name).records]
    kinds = [{one.kind for one in problems_of(graph)} for graph in graphs if graph is not None]
    assert sum("role" in found for found in kinds) == number
