"""Doubt about a sentence and about each piece of its graph."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest

from aptcore.advice.doubt import (
    MEASURES,
    SMALL_IS_DOUBTFUL,
    disagreement,
    doubt_of_pieces,
    doubt_of_steps,
)
from aptcore.advice.proposals import all_triples
from aptcore.editing.applying import apply_edit
from aptcore.editing.edits import RenameNode
from aptcore.errors import EditError
from aptcore.graph.penman import parse_penman
from aptcore.neural.parser import AptParser
from aptcore.transition.actions import Action
from aptcore.transition.machine import start
from aptcore.transition.moves import Reduce, Shift
from aptcore.transition.state import ParserState
from benchmarks.doubt import most_doubtful, random_doubt
from tests.aptcore.walks import sentence_of


@dataclass(frozen=True)
class Step:
    """A step made by hand."""

    log_prob: float | None
    entropy: float
    alternatives: tuple[tuple[Action, float], ...] = ()
    action: Action = Shift()
    state: ParserState = start(sentence_of("boy"))


@pytest.fixture(scope="module")
def parser() -> AptParser:
    return AptParser.from_pretrained()


def test_each_measure_of_a_walk_is_what_its_name_says() -> None:
    steps = [
        Step(math.log(0.8), 0.6, ((Reduce(), 0.2),)),
        Step(math.log(0.4), 1.0, ((Reduce(), 0.3), (Shift(), 0.1))),
    ]
    doubt = doubt_of_steps(steps)
    assert doubt == pytest.approx(
        {
            "lowest probability": 0.4,
            "mean entropy": 0.8,
            "mean doubt": 0.4,
            "narrow margin": 0.65,
            "mean surprise": -math.log(0.8 * 0.4) / 2,
            "total surprise": -math.log(0.8 * 0.4),
            "share of doubtful steps": 0.5,
        }
    )
    assert {*doubt, "disagreement", "random"} == set(MEASURES)


def test_an_action_that_the_model_does_not_know_is_most_doubtful() -> None:
    assert doubt_of_steps([Step(None, 0.0)])["lowest probability"] < 1e-5


def test_the_most_doubtful_comes_first_in_the_direction_of_the_measure() -> None:
    values = {"a": 0.2, "b": 0.9, "c": 0.2}
    assert most_doubtful(values, "mean entropy") == ("b", "a", "c")
    assert most_doubtful(values, "lowest probability") == ("a", "c", "b")
    assert {"lowest probability"} == SMALL_IS_DOUBTFUL


def test_parses_that_agree_leave_no_doubt() -> None:
    one = parse_penman("(w / want-01 :ARG0 (b / boy))")
    two = parse_penman("(x / want-01 :ARG0 (y / boy))")
    three = parse_penman("(x / want-01 :ARG1 (y / boy))")
    assert disagreement([one, two]) == 0.0
    assert disagreement([one]) == 0.0
    assert disagreement([one, two, three]) == pytest.approx(2 / 3 * 1 / 4)


def test_random_doubt_depends_on_seed_and_name_alone() -> None:
    assert random_doubt(1, "a") == random_doubt(1, "a")
    assert len({random_doubt(seed, name) for seed in (1, 2) for name in "ab"}) == 4


def test_every_piece_of_a_graph_is_given_its_doubt(parser: AptParser) -> None:
    (parse,) = parser.parse(["The old sailor told the children a story."], beam=1)
    pieces = doubt_of_pieces(parser, parse.sentence, parse.graph)
    assert {piece.triple for piece in pieces} == all_triples(parse.graph)
    assert all(0 <= piece.probability <= 1 for piece in pieces)
    assert [piece.step for piece in pieces] == sorted(piece.step for piece in pieces)
    total = math.fsum(math.log(piece.probability) for piece in pieces if piece.probability)
    assert total >= parse.log_prob - 1e-3  # moves are in the walk's figure alone


def test_what_a_person_put_in_is_doubted_and_the_parsers_choice_is_one_edit_away(
    parser: AptParser,
) -> None:
    (parse,) = parser.parse(["The old sailor told the children a story."], beam=1)
    child = next(node for node in parse.graph.nodes if node.concept == "child")
    edited = apply_edit(parse.graph, RenameNode(child.id, "teacup"))
    pieces = doubt_of_pieces(parser, parse.sentence, edited)
    piece = next(p for p in pieces if p.triple == (child.id, ":instance", "teacup"))
    assert piece.probability < 0.05
    assert piece.options[0].text == "child"
    assert piece.options[0].edit == RenameNode(child.id, "child")
    changed = 0
    for option in (option for piece in pieces for option in piece.options):
        if option.edit is not None:
            try:
                apply_edit(edited, option.edit)
                changed += 1
            except EditError:
                continue  # an edge that the graph has already, or that alone holds a part
    assert changed > 3
