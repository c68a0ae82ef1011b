"""What dev graphs need and training has not is counted and named."""

from __future__ import annotations

from typing import Any

from app.pages.train.watch import describe_unseen
from aptcore.alignment.learning import learn_tables
from aptcore.graph.penman import parse_penman
from aptcore.neural.vocabulary import ActionVocabulary
from aptcore.transition.sets import EXACT
from aptcore.words.tokens import tokenize
from trainer.examples.unseen import unseen_in_training, unseen_lines
from trainer.runs.watching import DevRow, Metrics

DEV_TEXTS = ("It hailed for a week.", "It snowed twice today.", "She has a dog.")


def test_dev_labels_and_roles_without_training_are_counted(cases: dict[str, Any]) -> None:
    case = cases["c76"]
    training = [parse_penman(text) for text in case["input"]["train"]]
    graphs = [parse_penman(text) for text in case["input"]["dev"]]
    dev = list(zip(map(tokenize, DEV_TEXTS), graphs, strict=True))
    tables = learn_tables(dev)
    vocabulary = ActionVocabulary.from_labels(["LA(:ARG0)", "RA(:time)"], EXACT)
    found = unseen_in_training(training, vocabulary, dev, tables, "exact")
    assert list(found["dev_roles"]) == case["expected"]["dev_roles_not_in_train"]
    assert list(found["dev_concepts"]) == case["expected"]["dev_concepts_not_in_train"]
    assert "CONST(2)" in found["dev_labels"]
    assert not found["dev_labels"].keys() & set(vocabulary.labels)
    for role in found["dev_roles"]:
        assert any(role in label for label in found["dev_labels"])
    assert unseen_lines(found)[0] == (
        "3 roles of dev are in no training sentence: :duration, :frequency, :poss"
    )
    assert describe_unseen(found)[0].endswith(": :duration (1), :frequency (1), :poss (1)")
    assert describe_unseen({}) == []


def test_the_most_frequent_come_first_and_what_training_has_is_left_out() -> None:
    graph = parse_penman("(g / go-02 :ARG0 (s / she) :mod (q / quick) :mod (o / only) :time 5)")
    vocabulary = ActionVocabulary.from_labels([], EXACT)
    dev = [(tokenize("She only goes quick 5"), graph)]
    tables = learn_tables(dev)
    found = unseen_in_training([], vocabulary, dev, tables, "exact")
    assert list(found["dev_roles"].items()) == [(":mod", 2), (":ARG0", 1), (":time", 1)]
    labels = ActionVocabulary.from_labels(found["dev_labels"], EXACT)
    assert unseen_in_training([graph], labels, dev, tables, "exact") == {
        "dev_roles": {},
        "dev_labels": {},
        "dev_concepts": {},
    }


def test_the_best_epoch_is_the_first_of_equals(cases: dict[str, Any]) -> None:
    case = cases["c76"]
    scores = [*case["input"]["dev_f1_by_epoch"], max(case["input"]["dev_f1_by_epoch"])]
    rows = tuple(DevRow(epoch, {"dev": score}) for epoch, score in enumerate(scores, 1))
    best = Metrics(dev=rows).best
    assert best is not None
    assert best.epoch == case["expected"]["best_epoch"]
