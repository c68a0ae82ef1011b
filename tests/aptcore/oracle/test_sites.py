"""Where the oracle makes each item."""

from __future__ import annotations

from dataclasses import replace

import pytest

from aptcore.graph.amr import Alignment
from aptcore.graph.penman import item_order, parse_penman
from aptcore.oracle.sites import sites_of
from aptcore.words.tokens import sentence_from_tokens
from tests.seconds import growth


def sites(text: str, penman: str) -> list[tuple[str, tuple[str, ...]]]:
    """Give the words and the items of each site."""
    sentence = sentence_from_tokens(text.split())
    graph = parse_penman(penman)
    found, _ = sites_of(sentence, graph, item_order(graph))
    return [(" ".join(sentence.tokens[site.start : site.stop]), site.items) for site in found]


@pytest.mark.parametrize(
    ("text", "penman", "expected"),
    [
        (
            "They belong to me",
            "(b / belong-01~1,2 :ARG0 (t / they~0) :ARG1 (i / i~3))",
            [("They", ("t",)), ("belong", ("b",)), ("me", ("i",))],
        ),
        (
            "only twenty metres",
            "(d / distance-quantity~1,2 :quant 20~1,2 :unit (m / metre~1,2))",
            [("twenty", ("d:quant",)), ("metres", ("d", "m"))],
        ),
        (
            "It got out",
            "(e / escape-01~1,2 :ARG0 (i / it~0))",
            [("It", ("i",)), ("got out", ("e",))],
        ),
        (
            "Pacific Ocean",
            '(o / ocean~0,1 :name (n / name~0,1 :op1 "Pacific"~0,1 :op2 "Ocean"~0,1))',
            [("Pacific Ocean", ("o", "n", "n:op1", "n:op2"))],
        ),
    ],
)
def test_an_item_is_made_at_the_word_of_its_run_that_spells_it(
    text: str, penman: str, expected: list[tuple[str, tuple[str, ...]]]
) -> None:
    assert sites(text, penman) == expected


def test_what_is_not_aligned_is_made_beside_its_nearest_neighbour() -> None:
    sentence = sentence_from_tokens(["Dogs", "bark"])
    graph = parse_penman("(b / bark-01 :ARG0 (d / dog :mod (x / xxx :mod (y / yyy))))")
    graph = replace(
        graph, alignments={"b": Alignment((1,), "given"), "d": Alignment((0,), "given")}
    )
    found, placed = sites_of(sentence, graph, item_order(graph))
    assert [site.items for site in found] == [("d", "x", "y"), ("b",)]
    assert placed == {"x": 0, "y": 0}


def test_thousands_of_items_without_alignment_are_placed_in_time_that_grows_with_them() -> None:
    def place_chain(depth: int) -> None:
        text = "".join(f"(x{i} / x :ARG0 " for i in range(depth)) + "(z / end~1)" + ")" * depth
        graph = parse_penman(text)
        found, placed = sites_of(sentence_from_tokens(["The", "end"]), graph, item_order(graph))
        assert len(placed) == depth
        assert [site.start for site in found] == [1]

    assert growth(place_chain, 500, 2000) < 10  # with the square it would be 16
