"""Alignment of graphs to sentences."""

from __future__ import annotations

from dataclasses import replace

import pytest

from aptcore.alignment import align
from aptcore.amr import Alignment, AmrGraph, Sentence, parse_penman
from aptcore.errors import AlignmentError
from aptcore.tokens import sentence_from_tokens, tokenize


def words_of(text: str, penman: str) -> dict[str, str]:
    """Align, and give the words of each node by its variable and of each attribute by role."""
    sentence = tokenize(text)
    graph = align(sentence, parse_penman(penman))
    names = {node.id: node.id for node in graph.nodes}
    names |= {a.id: f"{a.source} {a.role}" for a in graph.attributes}
    return {
        name: " ".join(sentence.tokens[position] for position in graph.alignments[item].tokens)
        for item, name in names.items()
    }


@pytest.mark.parametrize(
    ("text", "penman", "words"),
    [
        (
            "The teacher wants to sing .",
            "(w / want-01 :ARG0 (p / person :ARG0-of (t / teach-01)) :ARG1 (s / sing-01 :ARG0 p))",
            {"w": "wants", "p": "teacher", "t": "teacher", "s": "sing"},
        ),
        (
            "He did not go to New York .",
            '(g / go-02 :polarity - :ARG0 (h / he) :ARG4 (c / city :wiki "New_York_City" '
            ':name (n / name :op1 "New" :op2 "York")))',
            {
                "g :polarity": "not",
                "c": "New York",
                "n": "New York",
                "n :op1": "New York",
                "n :op2": "New York",
                "c :wiki": "New York",
            },
        ),
        (
            "It rained on 9 May 2011 .",
            "(r / rain-01 :time (d / date-entity :day 9 :month 5 :year 2011))",
            {"d": "9 May 2011", "d :day": "9 May 2011", "d :month": "9 May 2011"},
        ),
        (
            "IL-2-induced growth",
            "(g / grow-01 :ARG2-of (i / induce-01 :ARG0 "
            '(p / protein :name (n / name :op1 "IL-2"))))',
            {"n": "IL - 2", "p": "IL - 2", "i": "induced", "g": "growth"},
        ),
        (
            "They are unhappy .",
            "(h / happy-01 :polarity - :ARG1 (t / they))",
            {"h": "unhappy", "h :polarity": "unhappy"},
        ),
        (
            "Wait for me !",
            "(w / wait-01 :mode imperative :ARG0 (y / you) :ARG1 (i / i))",
            {"w": "Wait", "w :mode": "Wait", "y": "Wait", "i": "me"},
        ),
        (
            "the five years",
            "(t / temporal-quantity :quant 5 :unit (y / year))",
            {"t": "years", "y": "years", "t :quant": "five"},
        ),
        (
            "Where do you live ?",
            "(l / live-01 :ARG0 (y / you) :location (a / amr-unknown))",
            {"a": "Where", "y": "you", "l": "live"},
        ),
        (
            "The man saw a man .",
            "(s / see-01 :ARG0 (m / man) :ARG1 (m2 / man))",
            {"m": "man", "m2": "man"},
        ),
    ],
)
def test_items_stand_at_their_words(text: str, penman: str, words: dict[str, str]) -> None:
    found = words_of(text, penman)
    assert {name: found[name] for name in words} == words


def test_two_mentions_of_one_word_take_two_places_in_order() -> None:
    sentence = tokenize("The man saw a man .")
    graph = align(sentence, parse_penman("(s / see-01 :ARG0 (m / man) :ARG1 (m2 / man))"))
    assert graph.alignments["m"].tokens == (1,)
    assert graph.alignments["m2"].tokens == (4,)


def test_given_alignments_are_kept() -> None:
    graph = parse_penman("(s / see-01 :ARG0 (m / man))")
    given = Alignment((0, 3), "given")
    aligned = align(tokenize("The man saw it ."), replace(graph, alignments={"m": given}))
    assert aligned.alignments["m"] == given
    assert aligned.alignments["s"] == Alignment((2,), "rule")


def test_what_has_no_word_is_placed_by_its_neighbour_and_says_so() -> None:
    graph = align(tokenize("zzz sang"), parse_penman("(s / sing-01 :ARG0 (q / qqq))"))
    assert graph.alignments["q"].source == "proximity"


def test_a_graph_with_no_known_word_is_still_aligned() -> None:
    graph = align(tokenize("..."), parse_penman("(q / qqq :mod (z / zzz :quant 5))"))
    assert len(graph.alignments) == 3


def test_a_sentence_without_tokens_is_an_error() -> None:
    graph: AmrGraph = parse_penman("(r / rain-01)")
    with pytest.raises(AlignmentError, match="sentence 'e.1' has no tokens"):
        align(Sentence("e.1", "", (), ()), graph)


def test_a_given_alignment_to_a_missing_token_is_an_error() -> None:
    graph = replace(parse_penman("(r / rain-01)"), alignments={"r": Alignment((7,), "given")})
    with pytest.raises(AlignmentError, match=r"\(7,\), but there are 2 tokens"):
        align(sentence_from_tokens(["It", "rains"]), graph)
