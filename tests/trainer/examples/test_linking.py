"""Walks with LINK for training: the same graph, and nothing learnt from what was left out."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.graph.checks import triples
from aptcore.neural.masks import LabelMasks, Walk
from aptcore.neural.vocabulary import ActionVocabulary
from aptcore.oracle.oracle import oracle_actions
from aptcore.transition.actions import format_action
from aptcore.transition.building import graph_of, repaired_graph
from aptcore.transition.closing import Link
from aptcore.transition.machine import replay
from aptcore.transition.sets import EXACT, PAPER
from tests.aptcore.transition.test_exact import pairs
from tests.aptcore.walks import aligned, sentence_of
from trainer.config import OracleConfig, TrainConfig
from trainer.examples.corpora import (
    Example,
    OracleItem,
    examples_of_epoch,
    linked_of,
    vocabulary_of,
)
from trainer.examples.linking import connecting_edges, linked_walk

PENMAN = "(w / want-01~2 :ARG0 (b / boy~1) :ARG1 (s / sleep-01~4 :ARG0 b) :polarity -~3)"
SENTENCE = sentence_of("The boy wants to sleep", "the boy want to sleep")


def walk_of_boy() -> OracleItem:
    graph = aligned(PENMAN)
    return OracleItem(SENTENCE, graph, oracle_actions(SENTENCE, graph).actions)


def test_one_connecting_edge_is_left_out_and_linked_from_the_smaller_piece() -> None:
    item = walk_of_boy()
    state = replay(SENTENCE, item.actions)
    # both ARG0 lead to the boy: neither holds the graph together alone, nor does ARG1
    assert [edge.role for edge in connecting_edges(state)] == [":polarity"]
    found = linked_walk(SENTENCE, item.actions, "1")
    assert found is not None
    assert format_action(item.actions[found.left_out_at]) == "RA(3, :polarity)"
    assert [format_action(action) for action in found.actions[found.left_out_at :]] == [
        "SHIFT",
        "COPY(sense)",
        "RA(3, :ARG1)",
        "LA(1, :ARG0)",
        "SHIFT",
        "LINK(6)",
        "RA(3, :polarity)",
        "LA(3, root)",
    ]


def test_positions_after_the_missing_edge_move_up() -> None:
    penman = "(a / a~0 :mod (b / b~1 :mod (c / c~2)))"
    sentence = sentence_of("a b c")
    actions = oracle_actions(sentence, aligned(penman)).actions
    walks = {linked_walk(sentence, actions, str(seed)) for seed in range(20)}
    shown = {" ".join(map(format_action, walk.actions)) for walk in walks if walk}
    copy = "COPY(lemma)"
    assert shown == {
        f"{copy} SHIFT {copy} SHIFT {copy} RA(2, :mod) SHIFT LINK(0) LA(2, :mod) LA(0, root)",
        f"{copy} SHIFT {copy} RA(0, :mod) SHIFT {copy} SHIFT LINK(5) RA(2, :mod) LA(0, root)",
    }


def test_of_a_list_the_last_member_alone_is_left_out() -> None:
    penman = "(a / and~0 :op2 (b / b~1) :op1 (c / c~2) :op3 (d / d~3))"
    sentence = sentence_of("and b c d")
    actions = oracle_actions(sentence, aligned(penman)).actions
    edges = connecting_edges(replay(sentence, actions, EXACT))
    assert [edge.role for edge in edges] == [":op3"]
    assert linked_walk(sentence, actions, "1")


def test_a_graph_of_one_item_has_no_edge_to_link() -> None:
    sentence = sentence_of("boy")
    assert (
        linked_walk(sentence, oracle_actions(sentence, aligned("(b / boy~0)")).actions, "1") is None
    )


@settings(deadline=None)
@given(pairs(), st.integers(0, 2**32))
def test_a_linked_walk_leads_to_the_same_graph(pair: tuple[Sentence, AmrGraph], seed: int) -> None:
    sentence, graph = pair
    actions = oracle_actions(sentence, graph, "exact").actions
    found = linked_walk(sentence, actions, str(seed))
    if found is None:
        return
    assert len(found.actions) == len(actions) + 1
    assert sum(isinstance(action, Link) for action in found.actions) == 1
    state = replay(sentence, found.actions, EXACT)
    assert not repaired_graph(state)[1]
    gold = graph_of(replay(sentence, actions, EXACT))
    assert sorted(triples(graph_of(state))) == sorted(triples(gold))
    assert linked_walk(sentence, actions, str(seed)) == found


def test_the_step_of_the_missing_edge_is_not_trained_on() -> None:
    item = walk_of_boy()
    masks = LabelMasks(vocabulary_of([item], 1))
    linked = linked_of(TrainConfig(), item, masks)
    found = linked_walk(SENTENCE, item.actions, "1 s")
    assert linked is not None
    assert found is not None
    assert linked.targets[found.left_out_at] == linked.pointers[found.left_out_at] == -1
    assert linked.targets.count(-1) == 1
    assert masks.vocabulary.ids["LINK"] in linked.targets
    assert linked.pointers[linked.targets.index(masks.vocabulary.ids["LINK"])] >= 0


@pytest.mark.parametrize(
    "settings", [OracleConfig(link_share=0.0), OracleConfig(variant="paper")], ids=str
)
def test_link_is_trained_in_the_own_set_and_on_demand_only(settings: OracleConfig) -> None:
    item = walk_of_boy()
    masks = LabelMasks(vocabulary_of([item], 1))
    assert linked_of(TrainConfig(oracle=settings), item, masks) is None


def test_an_epoch_takes_its_own_share_of_linked_walks() -> None:
    plain = Example(SENTENCE, Walk(ids=[1]), torch.zeros(5, 2), Walk(ids=[2]))
    without = replace(plain, linked=None)
    examples = [plain] * 200 + [without] * 10
    first, again, second = (examples_of_epoch(examples, 0.15, seed) for seed in (1, 1, 2))
    chosen = [[example.walk is plain.linked for example in epoch] for epoch in (first, second)]
    assert [e.walk for e in first] == [e.walk for e in again]
    assert chosen[0] != chosen[1]
    assert 15 < sum(chosen[0]) < 50
    assert not any(chosen[0][200:])
    assert examples_of_epoch(examples, 0.0, 1) == examples


def test_a_vocabulary_of_the_own_set_can_join_any_two_pieces() -> None:
    vocabulary = vocabulary_of([], 1)
    assert {"LINK", "LA(:mod)", "RA(:mod)", "COPY(token)"} <= set(vocabulary.labels)
    assert not vocabulary.lacks(EXACT)
    assert ActionVocabulary.from_labels([], PAPER).lacks(EXACT)
    assert not ActionVocabulary.from_labels([], PAPER).lacks(PAPER)
