"""Suggest the rest: what a person decided stays, all else may be taken or left."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aptcore.advice.leftovers import Wanted, difference
from aptcore.advice.person_guide import PersonGuide, Removed, plan_of, removed_since
from aptcore.advice.proposals import all_triples, same_nodes, take
from aptcore.advice.suggestion import Suggestion, suggest
from aptcore.alignment.aligner import align
from aptcore.editing.applying import apply_edit
from aptcore.editing.edits import (
    AddEdge,
    AddNode,
    ChangeEdge,
    DeleteNode,
    RenameNode,
    SetRoot,
    Several,
)
from aptcore.errors import EditError
from aptcore.graph.amr import AmrGraph
from aptcore.graph.checks import is_connected, triples, unwritable_parts
from aptcore.graph.layout import TOP
from aptcore.neural.parser import AptParser
from aptcore.neural.parses import Parse
from aptcore.transition.machine import replay, start
from benchmarks.person import take_all
from tests.aptcore.editing.test_applying import random_edit
from tests.aptcore.walks import aligned, graphs, sentence_of

SENTENCES = (
    "The boy wants to go.",
    "Maria gave the old sailor two red apples in Lima.",
    "She did not know whether the train had left before they came.",
    "The teacher who lives near the river told the children a story about a brave fox.",
)


@pytest.fixture(scope="module")
def parser() -> AptParser:
    return AptParser.from_pretrained()


@pytest.fixture(scope="module")
def parses(parser: AptParser) -> list[Parse]:
    return parser.parse(SENTENCES, beam=2)


def changes(before: AmrGraph, graph: AmrGraph) -> frozenset:
    return all_triples(graph) - all_triples(before)


def take_at_random(suggestion: Suggestion, draw: random.Random) -> AmrGraph:
    """Try the proposals in any order, each up to three times, leaving some."""
    graph = suggestion.graph
    waiting = [p for p in suggestion.proposals if draw.random() < 0.8]
    for _ in range(3):
        draw.shuffle(waiting)
        for proposal in list(waiting):
            try:
                graph = take(graph, proposal, suggestion.kept)
            except EditError:
                continue
            waiting.remove(proposal)
            assert is_sound(graph)
    return graph


def is_sound(graph: AmrGraph) -> bool:
    return is_connected(graph) and not unwritable_parts(graph)


@pytest.mark.parametrize("seed", range(24))
def test_random_edits_and_confirmations_are_never_overwritten(
    parser: AptParser, parses: list[Parse], seed: int
) -> None:
    draw = random.Random(seed)
    parse = parses[seed % len(parses)]
    graph = parse.graph
    for _ in range(1 + seed % 3):
        try:
            graph = apply_edit(graph, random_edit(graph, draw))
        except EditError:
            continue
    confirmed = {triple for triple in triples(graph) if draw.random() < 0.2}
    suggestion = suggest(parser, parse.sentence, graph, confirmed, parse.graph, beam=1)
    whole, some = take_all(suggestion), take_at_random(suggestion, draw)
    decided = confirmed | changes(parse.graph, graph)
    for result in (whole, some):
        assert decided <= all_triples(result)
        assert is_sound(result)
        back = all_triples(result) - all_triples(graph)
        assert not back & {t for t in all_triples(parse.graph) if t[1] != TOP} - all_triples(graph)
        assert result.metadata == graph.metadata


@settings(max_examples=150, deadline=None)
@given(st.data(), st.integers(0, 10**9))
def test_any_two_graphs_differ_by_proposals_that_fit_together(
    data: st.DataObject, seed: int
) -> None:
    graph, other, draw = data.draw(graphs(4)), data.draw(graphs(4)), random.Random(seed)
    if unwritable_parts(graph) or unwritable_parts(other):
        return
    kept = frozenset(t for t in all_triples(graph) if draw.random() < 0.3)
    names = frozenset((*(n.id for n in graph.nodes), *(a.id for a in graph.attributes)))
    wanted = Wanted(
        graph, other, same_nodes(graph, other), kept, Removed(), frozenset(), names, {}, {}
    )
    suggestion = Suggestion(graph, difference(wanted), frozenset(), kept, 0, 0)
    for result in (take_all(suggestion), take_at_random(suggestion, draw)):
        assert is_sound(result)
        assert kept <= all_triples(result)


def test_everything_taken_gives_the_other_graph_where_nothing_is_kept() -> None:
    graph = aligned("(w / want-01~1 :ARG0 (b / boy~0 :mod (o / old~3)) :polarity -~2)")
    other = aligned("(g / go-02~1 :ARG1 (b / boy~0) :time (n / now~4))")
    names = frozenset((*(n.id for n in graph.nodes), *(a.id for a in graph.attributes)))
    same = same_nodes(graph, other)
    wanted = Wanted(graph, other, same, frozenset(), Removed(), frozenset(), names, {}, {})
    result = take_all(Suggestion(graph, difference(wanted), frozenset(), frozenset(), 0, 0))
    assert same == {"g": "w", "b": "b"}
    assert all_triples(result) == {
        ("w", ":instance", "go-02"), ("w", ":ARG1", "b"), ("b", ":instance", "boy"),
        ("w", ":time", "n"), ("n", ":instance", "now"), ("w", ":top", ""),
    }  # fmt: skip


def test_an_edge_that_moved_is_one_proposal() -> None:
    graph = aligned("(w / want-01~1 :ARG0 (b / boy~0) :ARG1 (g / go-02~3))")
    other = aligned("(w / want-01~1 :ARG0 (b / boy~0) :ARG1 (g / go-02~3 :ARG0 b))")
    relabelled = aligned("(w / want-01~1 :ARG2 (b / boy~0) :ARG1 (g / go-02~3))")
    for new, kinds in ((other, ["add-edge"]), (relabelled, ["change-edge"])):
        wanted = Wanted(graph, new, same_nodes(graph, new), frozenset(), Removed(), frozenset(),
                        frozenset("wbg"), {}, {})  # fmt: skip
        assert [proposal.kind for proposal in difference(wanted)] == kinds


def test_a_guide_asks_for_what_was_decided_and_rules_out_what_was_taken_away() -> None:
    sentence = sentence_of("boy wants cake", "boy want cake")
    before = aligned("(w / want-01~1 :ARG0 (b / boy~0) :ARG1 (c / cake~2))")
    graph = aligned("(w / want-01~1 :ARG1 (b / boy~0) :ARG0 (c / cake~2))")
    graph = apply_edit(graph, RenameNode("c", "cookie"))
    removed = removed_since(before, graph)
    plan = plan_of(sentence, graph)
    guide = PersonGuide(plan, {("w", ":ARG1", "b"), ("c", ":instance", "cookie")}, removed)
    first = guide.narrow(start(sentence))
    assert first is not None
    assert (first.heir, first.others) == (plan.actions[0], False)
    after_want = guide.narrow(replay(sentence, plan.actions[:3]))
    assert after_want is not None
    assert str(after_want.heir) == "LeftArc(position=0, role=':ARG1')"
    assert after_want.taken[True, ":ARG0"] == {0}
    at_cake = guide.narrow(replay(sentence, plan.actions[:5]))
    assert at_cake is not None
    assert str(at_cake.heir) == "Pred(label='cookie')"


def test_the_new_parse_obeys_a_forced_edge_and_offers_the_rest(
    parser: AptParser, parses: list[Parse]
) -> None:
    graph = parses[0].graph
    concepts = {node.concept: node.id for node in graph.nodes}
    want, go, boy = concepts["want-01"], concepts["go-02"], concepts["boy"]
    edit = ChangeEdge(go, ":ARG0", boy, go, ":ARG4", boy)
    edited = apply_edit(graph, edit)
    suggestion = suggest(parser, parses[0].sentence, edited, (), graph)
    assert (go, ":ARG4", boy) in suggestion.kept
    assert all((go, ":ARG0", boy) not in p.adds for p in suggestion.proposals)
    assert {want, go, boy} <= {node.id for node in take_all(suggestion).nodes}


def test_what_the_parser_cannot_make_and_wiki_stay(parser: AptParser, parses: list[Parse]) -> None:
    graph = parses[1].graph
    odd = apply_edit(
        graph, Several((AddNode("zz", "no-such-thing-99"), AddEdge(graph.root, ":mod", "zz")))
    )
    suggestion = suggest(parser, parses[1].sentence, odd, (), graph)
    assert "zz" in {node.id for node in take_all(suggestion).nodes}


def test_a_deleted_node_does_not_come_back(parser: AptParser, parses: list[Parse]) -> None:
    graph = parses[3].graph
    brave = next(
        node for node in graph.nodes if node.concept == "brave-01" or "brave" in node.concept
    )
    edited = apply_edit(graph, DeleteNode(brave.id))
    result = take_all(suggest(parser, parses[3].sentence, edited, (), graph))
    assert brave.concept not in {node.concept for node in result.nodes}


def test_nothing_is_suggested_where_nothing_was_changed(
    parser: AptParser, parses: list[Parse]
) -> None:
    for parse in parses:
        decided = all_triples(parse.graph)
        assert suggest(parser, parse.sentence, parse.graph, decided).proposals == ()


def test_a_root_that_was_set_stays(parser: AptParser, parses: list[Parse]) -> None:
    graph = parses[3].graph
    other = next(node.id for node in graph.nodes if node.id != graph.root)
    edited = apply_edit(graph, SetRoot(other))
    result = take_all(suggest(parser, parses[3].sentence, edited, (), graph))
    assert result.root == other


def test_alignments_are_made_where_there_are_none(parser: AptParser, parses: list[Parse]) -> None:
    bare = AmrGraph(parses[1].graph.nodes, parses[1].graph.attributes, parses[1].graph.edges,
                    parses[1].graph.root)  # fmt: skip
    assert align(parses[1].sentence, bare).alignments
    changed = apply_edit(bare, RenameNode(bare.root, "offer-01"))
    result = take_all(suggest(parser, parses[1].sentence, changed, (), bare))
    assert (bare.root, ":instance", "offer-01") in all_triples(result)
