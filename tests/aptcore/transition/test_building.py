"""From parser states to graphs, and what it takes to make them sound."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aptcore.graph.amr import Sentence
from aptcore.graph.checks import triples, unwritable_parts
from aptcore.graph.penman import format_penman, parse_penman
from aptcore.transition.actions import ActionSet, format_action
from aptcore.transition.building import (
    EMPTY_CONCEPT,
    REPAIR_ROLE,
    Repair,
    graph_of,
    item_names,
    repaired_graph,
)
from aptcore.transition.machine import start
from aptcore.transition.sets import EXACT, PAPER
from aptcore.transition.state import ParserState
from tests.aptcore.walks import begun, random_walk, sentences, walk


def kinds(repairs: tuple[Repair, ...]) -> list[str]:
    return [repair.kind for repair in repairs]


def test_a_state_gives_its_graph_with_alignments_from_the_cursor() -> None:
    state = begun(
        "New York grew",
        "MERGE",
        "SUBGRAPH((city :name (name :op* {words})))",
        "SHIFT",
        "PRED(grow-01)",
        "LA(1, :ARG1)",
        "SHIFT",
        "LA(3, root)",
    )
    graph, repairs = repaired_graph(state)
    assert not repairs
    assert not graph.metadata
    assert format_penman(graph) == (
        "(g / grow-01\n"
        "   :ARG1 (c / city\n"
        "            :name (n / name\n"
        '                     :op1 "New"\n'
        '                     :op2 "York")))'
    )
    tokens = {key: alignment.tokens for key, alignment in graph.alignments.items()}
    assert tokens == {"c": (0, 1), "n": (0, 1), "_k": (0, 1), "_k2": (0, 1), "g": (2,)}


def test_a_constant_and_a_concept_of_one_name_stay_apart() -> None:
    """The reference code confuses them: ``:ARG1 2``, ``:mod all``."""
    state = begun("2 2 boys", "PRED(2)", "SHIFT", "CONST(2)", "SHIFT", "PRED(boy)")
    graph = graph_of(walk(state, "LA(0, :ARG1)", "LA(2, :ARG1)", "SHIFT", "LA(4, root)"))
    assert [node.concept for node in graph.nodes] == ["2", "boy"]
    assert [attribute.value for attribute in graph.attributes] == ["2"]
    assert len(triples(graph)) == 4


def test_names_do_not_change_as_the_state_grows() -> None:
    state = start(Sentence("", "a b", ("a", "b"), ("a", "b")))
    before: dict[Any, str] = {}
    for action in ("PRED(boy)", "PRED(big)", "CONST(-)", "PRED(2)", "PRED(ǆ)", "PRED(boy)"):
        state = walk(state, action)
        names = item_names(state)
        assert before.items() <= names.items()
        before = names
    assert list(before.values()) == ["b", "b2", "_k", "x", "x2", "b3"]


def test_a_constant_that_is_spelled_like_a_name_keeps_it() -> None:
    """``:value b`` would be read back as the node b."""
    state = begun("b boy", "CONST(b)", "SHIFT", "PRED(boy)", "LA(0, :value)", "SHIFT")
    graph, _ = repaired_graph(walk(state, "LA(2, root)"))
    assert format_penman(graph) == "(b2 / boy\n    :value b)"


def test_a_constant_without_a_parent_is_dropped_and_told() -> None:
    state = begun("not boy", "CONST(-)", "SHIFT", "PRED(boy)", "SHIFT", "LA(2, root)")
    graph, repairs = repaired_graph(state)
    assert repairs == (Repair("dropped", "the constant - made at “not” has no parent"),)
    assert not graph.attributes


def test_the_same_constant_twice_in_one_place_is_dropped_and_told() -> None:
    state = begun("boy", "PRED(boy)", "CONST(-)", "RA(0, :mod)", "CONST(-)", "RA(0, :mod)")
    graph, repairs = repaired_graph(walk(state, "SHIFT", "LA(0, root)"))
    assert repairs == (Repair("dropped", "the constant - is at boy :mod twice"),)
    assert len(graph.attributes) == 1
    assert set(graph.alignments) == {"b", "_k"}


def detached() -> ParserState:
    return begun(
        "dog old boat", "PRED(dog)", "SHIFT", "PRED(old)", "SHIFT", "PRED(boat)", "LA(2, :mod)"
    )


def test_a_detached_piece_is_joined_to_the_root_by_its_head() -> None:
    graph, repairs = repaired_graph(walk(detached(), "SHIFT", "LA(0, root)"))
    (repair,) = repairs
    assert repair.text == "dog :mod boat joins a detached piece"
    assert repair.edge in graph.edges
    assert graph.metadata["repairs"] == repair.text


def test_a_detached_piece_is_dropped_by_choice() -> None:
    state = walk(detached(), "CONST(-)", "RA(4, :polarity)", "SHIFT", "LA(0, root)")
    graph, repairs = repaired_graph(state, keep_detached=False)
    assert repairs == (Repair("dropped", "a detached piece: old, boat"),)
    assert [node.concept for node in graph.nodes] == ["dog"]
    assert not graph.attributes
    assert not graph.edges
    assert list(graph.alignments) == ["d"]


def test_a_state_without_a_root_takes_the_first_head() -> None:
    graph, repairs = repaired_graph(detached())
    assert kinds(repairs) == ["rooted", "joined"]
    assert repairs[0].text == "no root was marked: dog is taken"
    assert graph.root == "d"


# --- c23 ------------------------------------------------------------------------


def built(case: dict[str, Any], number: int) -> ParserState:
    """Make the nodes of a case at its first word, then its edges where both ends are."""
    wanted = case["input"]["built"][number]
    tokens = tuple(case["input"]["tokens"])
    state = start(
        Sentence("c23", " ".join(tokens), tokens, tuple(t.lower() for t in tokens)), PAPER
    )
    for place, concept in enumerate(wanted["nodes"]):
        state = walk(state, f"PRED({concept})")
        here = {item.label: item.position for item in state.items}
        for source, role, target in wanted["edges"]:
            if source in here and target in here and concept in (source, target):
                other, arc = (target, "LA") if concept == source else (source, "RA")
                state = walk(state, f"{arc}({here[other]}, {role})")
        assert place == len(state.items) - 1
    return state


@pytest.mark.parametrize(
    ("number", "expected", "concepts"),
    [
        (0, ["empty"], {EMPTY_CONCEPT}),
        (1, ["rooted", "joined", "joined"], {"see-01", "dog", "boat", "old"}),
        (2, ["rooted"], {"dog", "boat"}),
    ],
)
def test_what_a_parser_leaves_unsound_becomes_one_marked_graph(
    cases: dict[str, dict[str, Any]], number: int, expected: list[str], concepts: set[str]
) -> None:
    graph, repairs = repaired_graph(built(cases["c23"], number))
    assert kinds(repairs) == expected
    read = parse_penman(format_penman(graph))
    assert {node.concept for node in read.nodes} == concepts
    assert set(triples(read)) == set(triples(graph))
    assert read.metadata["repairs"] == "; ".join(repair.text for repair in repairs)
    if number == 1:
        by_concept = {node.concept: node.id for node in graph.nodes}
        triple = (by_concept["boat"], ":mod", by_concept["old"])
        assert triple in triples(graph)
        joins = [repair.edge for repair in repairs if repair.edge]
        assert {edge.role for edge in joins} == {REPAIR_ROLE}


def test_an_empty_graph_can_be_written() -> None:
    graph, _ = repaired_graph(start(Sentence("", "", (), ())))
    assert format_penman(graph, metadata=False) == "(a / amr-empty)"


# --- properties -----------------------------------------------------------------


@settings(deadline=None)
@given(
    sentences(),
    st.integers(0, 2**32),
    st.sampled_from([PAPER, EXACT]),
    st.booleans(),
    st.integers(0, 40),
)
def test_every_state_gives_a_sound_graph_after_its_stated_repairs(
    sentence: Sentence, seed: int, action_set: ActionSet, keep_detached: bool, steps: int
) -> None:
    """The reference code ends the whole call at one graph that cannot be printed."""
    whole = random_walk(sentence, seed, 30, action_set)
    state = begun(sentence.text, lemmas=" ".join(sentence.lemmas), action_set=action_set)
    for action in whole.actions[:steps]:
        state = walk(state, format_action(action))
    graph, repairs = repaired_graph(state, keep_detached=keep_detached)
    assert not unwritable_parts(graph)
    read = parse_penman(format_penman(graph))
    assert set(triples(read)) == set(triples(graph))
    assert read.root == graph.root
    held = set(triples(graph_of(state)))
    joins = {(r.edge.source, r.edge.role, r.edge.target) for r in repairs if r.edge}
    if "empty" not in kinds(repairs):
        assert set(triples(graph)) - held == joins - held
    if keep_detached and "dropped" not in kinds(repairs) and "empty" not in kinds(repairs):
        assert held <= set(triples(graph))
