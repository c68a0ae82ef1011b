"""Scores of documents: a large one is mapped sentence by sentence first."""

from __future__ import annotations

import random

from aptcore.editing.documents import merge_document
from aptcore.graph.amr import AmrGraph
from aptcore.graph.penman import parse_penman
from aptcore.scoring.large_pairs import sentences_of
from aptcore.scoring.mapping import best_match
from aptcore.scoring.triple_graph import triple_graph

VERBS = ("see-01", "go-02", "say-01", "want-01")
NOUNS = ("boy", "girl", "fox", "rose", "he", "it")


def sentence(number: int, draw: random.Random) -> AmrGraph:
    verb, other = draw.choices(VERBS, k=2)
    one, two, three = draw.choices(NOUNS, k=3)
    text = f"(v / {verb} :ARG0 (a / {one}) :ARG1 (w / {other} :ARG0 a "
    text += f":ARG1 (b / {two} :mod (c / {three}))))"
    return parse_penman(f"# ::id d.{number}\n{text}")


def changed(graph: AmrGraph, draw: random.Random) -> AmrGraph:
    """The same sentence as a parser might have it: another root, another noun, another role."""
    _, verb, other, one, two, three = (None, *(node.concept for node in graph.nodes))
    if draw.random() < 0.5:
        text = f"(w / {other} :ARG1 (b / {two}) :ARG0 (a / {draw.choice(NOUNS)}))"
    else:
        text = f"(v / {verb} :ARG1 (a / {one}) :ARG2 (b / {two} :mod (c / {three})))"
    return parse_penman(f"# ::id {graph.metadata['id']}\n{text}")


def test_a_large_document_scores_no_less_than_its_sentences() -> None:
    draw = random.Random(1)
    gold = [sentence(number, draw) for number in range(1, 61)]
    predicted = [changed(graph, draw) for graph in gold]
    by_sentence = sum(
        best_match(triple_graph(own), triple_graph(wanted)).matched
        for own, wanted in zip(predicted, gold, strict=True)
    )
    own, wanted = (triple_graph(merge_document("d", part)[0]) for part in (predicted, gold))
    # An edge from the root of the document stands for the root of each sentence.
    assert best_match(own, wanted, time_limit=0.5).matched >= by_sentence + 2


def test_a_node_belongs_to_the_sentence_whose_top_is_nearest() -> None:
    graph = parse_penman("""(d / multi-sentence
        :snt1 (a / see-01 :ARG0 (b / boy :mod (c / old)))
        :snt2 (e / go-02 :ARG1 (f / say-01 :ARG0 b))
        :snt3 a)""")
    names = [node.id for node in graph.nodes]
    found = sentences_of(triple_graph(graph))
    assert {role: "".join(names[n] for n in nodes) for role, nodes in found.items()} == {
        ":snt1": "abc", ":snt2": "ef",
    }  # fmt: skip
    assert not sentences_of(triple_graph(parse_penman("(a / see-01 :ARG0 (b / boy))")))
