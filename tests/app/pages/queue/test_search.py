"""What the queue's search counts as a hit in a sentence."""

from __future__ import annotations

import pytest

from app.annotation.search import count_hits, parse_search
from aptcore.graph.penman import parse_penman

GRAPH = parse_penman("(c / cafe)")


@pytest.mark.parametrize("wanted", ["café", "cafe\u0301", "CAFÉ"])
@pytest.mark.parametrize("text", ["The café is shut.", "The cafe\u0301 is shut.", "Caf&eacute;"])
def test_a_text_is_found_however_its_accents_are_written(wanted: str, text: str) -> None:
    assert count_hits(parse_search("text", wanted), text, GRAPH) == 1
    assert count_hits(parse_search("text", "cafes"), text, GRAPH) == 0


def test_a_text_is_found_whatever_sign_its_apostrophe_is() -> None:
    assert count_hits(parse_search("text", "don't"), "They don´t, we don’t.", GRAPH) == 2
