"""What is given to be parsed, tagged by torch."""

import numpy as np
import pytest

from aptcore.neural import tagging
from aptcore.words import given
from aptcore.words.tokens import english_pipeline

TEXTS = [
    "The girls left early.",
    "Nobody had told them that 12 ships were lost at sea in 1912, which hurt.",
    "He saws wood; she saw him sawing.",
]


@pytest.fixture
def untouched():
    english_pipeline.cache_clear()
    tagging._tag_by_torch.cache_clear()
    yield
    english_pipeline.cache_clear()
    tagging._tag_by_torch.cache_clear()


def test_lemmas_are_those_that_spacy_gives_by_itself(untouched):
    before = given.sentences_of(TEXTS)
    assert tagging.sentences_of(TEXTS) == before


def test_products_are_left_to_torch(untouched, monkeypatch):
    calls = []
    monkeypatch.setattr(
        tagging.torch, "mm", lambda *parts, mm=tagging.torch.mm: calls.append(1) or mm(*parts)
    )
    tagging.sentences_of(TEXTS)
    assert calls


@pytest.mark.parametrize("turned", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize("has_room", [False, True])
def test_a_product_is_that_of_numpy(turned, has_room):
    draw = np.random.default_rng(5)
    one, other = draw.random((3, 4), np.float32), draw.random((4, 2), np.float32)
    wanted = one @ other
    one, other = one.T if turned[0] else one, other.T if turned[1] else other
    room = np.empty_like(wanted) if has_room else None
    found = tagging._torch_ops().gemm(one, other, room, *turned)
    np.testing.assert_allclose(found, wanted, rtol=1e-6)
    assert room is None or found is room
