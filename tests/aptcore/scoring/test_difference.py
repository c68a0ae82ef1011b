"""Two graphs side by side: what differs, what a pick does, and how well people agree."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aptcore.editing.applying import apply_edit
from aptcore.editing.picking import edit_of_picks
from aptcore.errors import EditError
from aptcore.graph.amr import AmrGraph
from aptcore.graph.checks import connected_nodes
from aptcore.graph.penman import format_penman, parse_penman
from aptcore.scoring.agreement import agreement
from aptcore.scoring.difference import compare_graphs
from aptcore.scoring.evaluation import score_corpus
from tests.aptcore.editing.test_patterns import random_graph

OWN = parse_penman("(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-01 :ARG0 b :time (n / now)))")
GOLD = parse_penman(
    '(x / want-01 :ARG0 (y / girl :quant "2") :ARG1 (z / go-01 :ARG1 y :mod (f / fast)))'
)


def differences(own: AmrGraph, gold: AmrGraph) -> list[tuple[str, str, str]]:
    return [
        (pair.status, " ".join(pair.first or ()), " ".join(pair.second or ()))
        for pair in compare_graphs(own, gold).pairs
        if pair.status != "matched"
    ]


def place_of(own: AmrGraph, gold: AmrGraph, text: str) -> int:
    pairs = compare_graphs(own, gold).pairs
    return next(
        place
        for place, pair in enumerate(pairs)
        if text in (" ".join(pair.first or ()), " ".join(pair.second or ()))
    )


def test_every_triple_is_matched_changed_missing_or_extra() -> None:
    assert differences(OWN, GOLD) == [
        ("changed", "b :instance boy", "y :instance girl"),
        ("extra", "n :instance now", ""),
        ("missing", "", "f :instance fast"),
        ("changed", "g :ARG0 b", "z :ARG1 y"),
        ("extra", "g :time n", ""),
        ("missing", "", "z :mod f"),
        ("missing", "", "y :quant y:quant"),
    ]
    assert differences(OWN, OWN) == []


def test_a_turned_edge_and_a_moved_one_are_one_change_each() -> None:
    own = parse_penman("(a / ant :mod (b / bee) :part (c / cat :mod (d / dog)))")
    gold = parse_penman("(a / ant :mod-of (b / bee) :part (c / cat) :mod (d / dog))")
    assert differences(own, gold) == [
        ("changed", "a :mod b", "b :mod a"),
        ("changed", "c :mod d", "a :mod d"),
    ]


def test_constants_are_compared_as_written() -> None:
    own, gold = parse_penman("(a / ant :quant 2)"), parse_penman('(a / ant :quant "2")')
    assert differences(own, gold) == [("changed", "a :quant a:quant", "a :quant a:quant")]


def test_a_pick_takes_one_triple_and_leaves_the_rest() -> None:
    compared = compare_graphs(OWN, GOLD)
    picks = [place_of(OWN, GOLD, "b :instance boy"), place_of(OWN, GOLD, "g :ARG0 b")]
    edited = apply_edit(OWN, edit_of_picks(compared, picks))
    assert format_penman(edited) == format_penman(
        parse_penman("(w / want-01 :ARG0 (b / girl) :ARG1 (g / go-01 :ARG1 b :time (n / now)))")
    )


def test_a_missing_node_comes_with_its_link_and_an_extra_one_needs_its_own_pick() -> None:
    compared = compare_graphs(OWN, GOLD)
    added = apply_edit(OWN, edit_of_picks(compared, [place_of(OWN, GOLD, "f :instance fast")]))
    assert ":mod (f / fast)" in format_penman(added)
    with pytest.raises(EditError, match="nothing would link the root to n / now"):
        edit_of_picks(compared, [place_of(OWN, GOLD, "g :time n")])


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 10**9))
def test_all_picks_together_make_the_other_graph(seed: int) -> None:
    draw = random.Random(seed)
    own, gold = random_graph(draw, draw.randint(1, 7)), random_graph(draw, draw.randint(1, 7))
    compared = compare_graphs(own, gold)
    edited = apply_edit(own, edit_of_picks(compared, range(len(compared.pairs))))
    assert {pair.status for pair in compare_graphs(edited, gold).pairs} == {"matched"}


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10**9))
def test_some_picks_leave_a_sound_graph_or_say_why_not(seed: int) -> None:
    draw = random.Random(seed)
    own, gold = random_graph(draw, draw.randint(1, 7)), random_graph(draw, draw.randint(1, 7))
    compared = compare_graphs(own, gold)
    picks = [place for place in range(len(compared.pairs)) if draw.random() < 0.5]
    try:
        edit = edit_of_picks(compared, picks)
    except EditError as refusal:
        known = ("nothing would link the root to", "pick the other root")
        if not any(reason in str(refusal) for reason in known):
            raise
        return
    edited = apply_edit(own, edit)
    assert len(connected_nodes(edited, edited.root)) == len(edited.nodes)
    picked = {compared.pairs[place].first for place in picks}
    left = {node.id for node in edited.nodes}
    kept = {
        (e.source, e.role, e.target)
        for e in own.edges
        if (e.source, e.role, e.target) not in picked and {e.source, e.target} <= left
    }
    assert kept <= {(e.source, e.role, e.target) for e in edited.edges}


def test_matched_triples_are_those_that_smatch_counts() -> None:
    compared = compare_graphs(OWN, GOLD)
    assert compared.is_proven
    assert compared.count("matched") == score_corpus([GOLD], [OWN]).counts.matched


def test_agreement_is_the_same_both_ways_and_has_an_interval() -> None:
    pairs = [(OWN, GOLD), (OWN, OWN), (GOLD, GOLD)]
    one = agreement("anna", "ben", pairs)
    other = agreement("ben", "anna", [(b, a) for a, b in pairs])
    assert one.f1 == other.f1
    assert one.interval[0] <= one.f1 <= one.interval[1] == 1
    assert (one.num_sentences, one.num_equal, one.num_unproven) == (3, 2, 0)
    assert agreement("anna", "ben", []).num_sentences == 0
