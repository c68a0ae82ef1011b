"""The action vocabulary."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aptcore.errors import CheckpointError
from aptcore.neural.vocabulary import SPECIALS, UNKNOWN, ActionVocabulary
from aptcore.transition.sets import PAPER

LABELS = ["PRED(want-01)", 'CONST("32,000")', "LA(:ARG0)", "PRED(foo(bar))", "PRED(naïve)"]


def test_special_symbols_and_what_every_walk_needs_come_first() -> None:
    vocabulary = ActionVocabulary.from_labels([])
    assert vocabulary.labels == SPECIALS + PAPER.labels


def test_labels_keep_their_order_and_count_once() -> None:
    vocabulary = ActionVocabulary.from_labels(["PRED(b)", "SHIFT", "PRED(a)", "PRED(b)"])
    assert vocabulary.labels[len(SPECIALS) + len(PAPER.labels) :] == ("PRED(b)", "PRED(a)")


def test_encode_and_decode_are_inverse() -> None:
    vocabulary = ActionVocabulary.from_labels(LABELS)
    assert [vocabulary.decode(vocabulary.encode(label)) for label in LABELS] == LABELS
    assert len(vocabulary) == len(SPECIALS) + len(PAPER.labels) + len(LABELS)


def test_a_label_that_is_not_held_is_unknown() -> None:
    vocabulary = ActionVocabulary.from_labels([])
    assert vocabulary.decode(vocabulary.encode("PRED(new)")) == UNKNOWN


def test_saved_and_loaded_it_is_the_same(tmp_path: Path) -> None:
    vocabulary = ActionVocabulary.from_labels(LABELS)
    vocabulary.save(tmp_path / "labels.json")
    assert ActionVocabulary.load(tmp_path / "labels.json") == vocabulary


GOOD = [*SPECIALS, *PAPER.labels]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "Expecting"),
        ("{}", "not a list of labels"),
        ("3", "not a list of labels"),
        (json.dumps([*GOOD, 3]), "not a list of labels"),
        (json.dumps([*PAPER.labels]), "does not begin with <start>"),
        (json.dumps([*SPECIALS]), "lacks SHIFT"),
        (json.dumps([*GOOD, "PRED(a)", "PRED(a)"]), "twice"),
        (json.dumps([*GOOD, "JUMP"]), "cannot read the action 'JUMP'"),
        (json.dumps([*GOOD, "LA(3, :ARG0)"]), "a role starts with a colon"),
    ],
)
def test_a_damaged_vocabulary_is_a_named_error(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "labels.json"
    path.write_text(content, "utf-8")
    with pytest.raises(CheckpointError) as caught:
        ActionVocabulary.load(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def test_an_absent_vocabulary_is_a_named_error(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="cannot read the action vocabulary"):
        ActionVocabulary.load(tmp_path / "none.json")
