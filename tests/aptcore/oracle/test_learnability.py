"""How many labels the own oracle leaves that a model can hardly learn, on the free data."""

from __future__ import annotations

from pathlib import Path

import pytest

from aptcore.alignment.aligner import align
from aptcore.alignment.tables import shipped_tables
from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.graph.corpus import read_corpus, white_space_tokens
from aptcore.graph.penman import without_wiki
from aptcore.oracle.copy_learning import learn_copies
from aptcore.oracle.report import oracle_report
from aptcore.words.copies import with_derived
from aptcore.words.copy_lists import with_lists
from aptcore.words.copy_tables import CopyTables, shipped_copies
from aptcore.words.gold import gold_items

Pairs = list[tuple[Sentence, AmrGraph]]

SMALL_FILES = (
    "little-prince/v3.0/amr-bank-struct-v3.0-dev.txt",
    "qald9-amr/qald-9-amr-test.part.txt",
    "scout/Standard-AMR.train.txt",
    "guidelines/amr-guidelines-1.2.6.part.txt",
    "legal-amr/civilcode.train.txt",
    "wiki25/wiki25.jkaln",
)


def read_pairs(path: Path) -> tuple[Pairs, int]:
    """Give sentences with aligned graphs, and how many white-space tokens they have."""
    corpus = read_corpus(path)
    items, _ = gold_items(corpus)
    tables = shipped_tables()
    pairs = [
        (item.sentence, align(item.sentence, without_wiki(item.graph)[0], tables)) for item in items
    ]
    return pairs, sum(len(white_space_tokens(corpus.records[item.index])) for item in items)


def copying(pairs: Pairs, tables: CopyTables) -> Pairs:
    return [(with_derived(sentence, tables), graph) for sentence, graph in pairs]


@pytest.fixture(scope="module")
def little_prince(data_folder: Path) -> tuple[Pairs, int]:
    return read_pairs(data_folder / "little-prince/v3.0/amr-bank-struct-v3.0-training.txt")


@pytest.fixture(scope="module")
def development(data_folder: Path) -> Pairs:
    return read_pairs(data_folder / SMALL_FILES[0])[0]


def test_few_labels_of_little_prince_are_seen_once(
    little_prince: tuple[Pairs, int], development: Pairs
) -> None:
    """The paper's set: 649 labels, 306 of them seen once, 46 dev labels unseen."""
    tables = shipped_copies()
    pairs, num_tokens = little_prince
    training = copying(pairs, tables)
    report = oracle_report(training, "exact", num_tokens=num_tokens).to_json()
    assert (report["sentences"], report["exact"], report["unreachable"]) == (1274, 1.0, [])
    assert report["labels_once"] <= 150
    assert report["actions_per_token"] <= 2.15
    dev = oracle_report(copying(development, tables), "exact", vocabulary_pairs=training)
    assert dev.unseen is not None
    assert dev.unseen <= 30


def test_lists_by_path_leave_fewer(
    data_folder: Path, little_prince: tuple[Pairs, int], development: Pairs
) -> None:
    tables = with_lists(shipped_copies(), [data_folder / "lists", data_folder / "propbank"])
    training = copying(little_prince[0], tables)
    report = oracle_report(
        copying(development, tables), "exact", vocabulary_pairs=training
    ).to_json()
    assert report["unseen"] <= 25
    assert oracle_report(training, "exact").to_json()["labels_once"] <= 204


def test_tables_help_with_sentences_that_they_were_not_learnt_from(
    little_prince: tuple[Pairs, int],
) -> None:
    """The last fifth of the book, tables and labels from the rest: a third fewer unseen."""
    pairs, _ = little_prince
    known, held_out = pairs[:1020], pairs[1020:]
    tables = learn_copies(known)
    own = oracle_report(
        copying(held_out, tables), "exact", vocabulary_pairs=copying(known, tables)
    ).unseen
    paper = oracle_report(held_out, "paper", vocabulary_pairs=known).unseen
    assert own is not None
    assert paper is not None
    assert own < paper * 2 / 3


@pytest.mark.parametrize("name", SMALL_FILES)
def test_copies_lose_nothing_of_the_small_files(data_folder: Path, name: str) -> None:
    """The larger files: see the command in docs/oracle.md."""
    pairs, _ = read_pairs(data_folder / name)
    report = oracle_report(copying(pairs, shipped_copies()), "exact").to_json()
    assert (report["exact"], report["smatch"]["f1"], report["unreachable"]) == (1.0, 1.0, [])
