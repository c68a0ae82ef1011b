"""Frame lists in every format, the counts that travel with the program, completion."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from aptcore.advice.completion import complete_concept, roles_at
from aptcore.advice.likely_roles import role_scores
from aptcore.alignment.aligner import align
from aptcore.assets import asset_path
from aptcore.errors import ConfigurationError
from aptcore.graph.amr import Sentence
from aptcore.graph.penman import parse_penman
from aptcore.words.frames import (
    COUNTS_FILE,
    Counts,
    Frame,
    Lexicon,
    load_counts,
    read_lexicon,
    shipped_counts,
)
from scripts.learn_frames import learn_counts, save_counts
from tests.aptcore.walks import sentence_of
from tests.seconds import seconds

TABLE = (
    "amr_concept\troleset\tname\troles\taliases\tin_amr_2019\tin_propbank_3.4\n"
    "add-02\tadd.02\tmake larger\tARG0=adder|ARG1=thing added|ARGM-LOC=place\t"
    "add/v;addition/n\t+\t+\n"
    "add-up-04\tadd_up.04\tsum\tARG1=parts\tadd_up/v\t+\t+\n"
)
TEXT = "add-02  ARG0: adder  ARG1: thing added: all of it\nrun-02  ARG0: runner\nno frame\n"
XML = (
    '<frameset><predicate lemma="add"><roleset id="add.02" name="make larger"><aliases>'
    '<alias pos="v">add</alias></aliases><roles><role n="0" descr="adder"/><role n="m" '
    'descr="place"/></roles></roleset></predicate></frameset>'
)


@pytest.fixture
def lexicon(tmp_path: Path) -> Lexicon:
    path = tmp_path / "frames.tsv"
    path.write_text(TABLE, "utf-8")
    return read_lexicon(path)


def test_a_table_is_read_with_names_arguments_and_aliases(lexicon: Lexicon) -> None:
    assert lexicon.gloss("add-02") == "make larger"
    assert lexicon.role_gloss("add-02", ":ARG1") == "thing added"
    assert lexicon.role_gloss("add-02", ":ARG5") == ""
    assert lexicon.senses("addition") == ("add-02",)
    assert lexicon.has_list


def test_a_text_list_is_read_and_odd_lines_are_named(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text(TEXT, "utf-8")
    lexicon = read_lexicon(path)
    assert lexicon.frames["add-02"].roles == {":ARG0": "adder", ":ARG1": "thing added: all of it"}
    assert lexicon.skipped == ("line 3: 'no frame' begins with no frame",)


def test_a_folder_of_frame_files_is_read_and_a_broken_one_is_named(tmp_path: Path) -> None:
    (tmp_path / "add.xml").write_text(XML, "utf-8")
    (tmp_path / "broken.xml").write_text("<frameset>", "utf-8")
    lexicon = read_lexicon(tmp_path)
    assert lexicon.frames["add-02"].roles == {":ARG0": "adder"}
    assert [text.partition(":")[0] for text in lexicon.skipped] == ["broken.xml"]


@pytest.mark.parametrize(("name", "reason"), [("absent", "cannot read"), ("empty", "no frame")])
def test_a_list_that_is_none_is_refused(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "empty").write_text("", "utf-8")
    with pytest.raises(ConfigurationError, match=reason):
        read_lexicon(tmp_path / name)


def test_counts_are_learnt_from_aligned_graphs_and_saved(tmp_path: Path) -> None:
    sentence = sentence_of("the boy wants the boy")
    graph = align(sentence, parse_penman("(w / want-01 :ARG0 (b / boy) :ARG1 (b2 / boy))"))
    counts = learn_counts([(sentence, graph)] * 10)
    assert counts.concepts == {"want-01": 10, "boy": 20}
    assert counts.roles["want-01"] == {":ARG0": 10, ":ARG1": 10}
    assert counts.silent == {"the"}
    save_counts(counts, tmp_path / "counts.json")
    assert load_counts(tmp_path / "counts.json") == counts


def test_damaged_counts_are_refused(tmp_path: Path) -> None:
    (tmp_path / "counts.json").write_text("{}", "utf-8")
    with pytest.raises(ConfigurationError, match="cannot read the counts"):
        load_counts(tmp_path / "counts.json")


def test_the_shipped_counts_know_common_concepts() -> None:
    counts = shipped_counts()
    assert counts.concepts["boy"] > 1
    assert counts.roles["want-01"][":ARG1"] > 5
    assert "the" in counts.silent
    assert "cat" not in counts.silent


def test_what_fits_the_word_comes_first() -> None:
    sentence = Sentence("", "He runs", ("He", "runs"), ("he", "run"), ((), (("verb", "run-02"),)))
    lexicon = read_lexicon()
    found = complete_concept("r", lexicon, sentence, 1)
    assert found[0].text.startswith("run")
    assert found[0].why == "word"
    assert all(one.text.startswith("r") for one in found)
    assert complete_concept("", lexicon, sentence, 1)
    assert complete_concept("", lexicon) == ()


WORDS = Counts(
    {"ask-01": 28, "ask-02": 2, "bake-01": 3, "bakery": 5, "can-01": 2, "possible-01": 90},
    {},
    {},
    frozenset(),
    9,
    {"can": {"possible-01": 60}},
)
GUESSES = tuple((f"sense-0{number}", f"bake-0{number}") for number in (0, 2, 3, 4))


@pytest.mark.parametrize(
    ("word", "lemma", "derived", "expected"),
    [
        # by count, also where the rarer sense is the usual copy
        ("asked", "ask", (("frame", "ask-02"),), ["ask-01", "ask-02", "ask"]),
        # senses that are only counted on are left out
        ("bakes", "bake", GUESSES, ["bake-01", "bake"]),
        # what is in no graph: a verb's form as a frame, any other word as it stands
        ("refused", "refuse", (), ["refuse-01", "refuse"]),
        ("sister", "sister", (("sense-02", "sister-02"),), ["sister", "sister-01"]),
        # what training graphs have for the word, though it is spelt otherwise
        ("can", "can", (), ["possible-01", "can-01", "can"]),
    ],
)
def test_what_is_frequent_for_a_word_comes_first_and_made_up_senses_do_not_come(
    word: str, lemma: str, derived: tuple[tuple[str, str], ...], expected: list[str]
) -> None:
    sentence = Sentence("", word, (word,), (lemma,), (derived,))
    found = complete_concept("", Lexicon({}, "", WORDS), sentence, 0)
    assert [one.text for one in found] == expected


def test_what_no_graph_has_comes_after_what_some_have() -> None:
    frames = {name: Frame(name) for name in ("bake-01", "bake-02", "bake-09")}
    found = [one.text for one in complete_concept("bake", Lexicon(frames, "own", WORDS))]
    assert found == ["bake-01", "bakery", "bake-02", "bake-09"]


def test_concepts_spelt_otherwise_are_learnt_with_their_words() -> None:
    penman = "(p / possible-01~0 :ARG1 (g / go-02~1 :ARG0 (c / cat~2)))"
    sentence = Sentence("", "can go cat", ("can", "go", "cat"), ("can", "go", "cat"))
    counts = learn_counts([(sentence, parse_penman(penman))] * 2)
    assert counts.words == {"can": {"possible-01": 2}}


def test_an_alias_finds_its_frame_with_its_gloss(lexicon: Lexicon) -> None:
    found = complete_concept("addition", lexicon)
    assert (found[0].text, found[0].gloss, found[0].why) == ("add-02", "make larger", "frame list")


def ranked(
    lexicon: Lexicon, concept: str, other: str = "", taken: tuple[str, ...] = ()
) -> list[str]:
    scores = role_scores(lexicon, concept, other, taken)
    return sorted(scores, key=lambda role: -scores[role])


def test_arguments_of_the_frame_come_first_and_taken_ones_behind(lexicon: Lexicon) -> None:
    assert set(ranked(lexicon, "add-02")[:2]) == {":ARG0", ":ARG1"}
    graph = parse_penman("(a / add-02 :ARG0 (b / boy) :polarity -)")
    assert roles_at(graph, "a") == (":ARG0", ":polarity")
    free = ranked(lexicon, "add-02", taken=roles_at(graph, "a"))
    assert free[0] == ":ARG1"
    assert free.index(":ARG0") > 10


def test_roles_are_ranked_by_what_graphs_have_at_both_ends(lexicon: Lexicon) -> None:
    assert set(ranked(read_lexicon(), "want-01")[:2]) == {":ARG0", ":ARG1"}
    assert ranked(read_lexicon(), "go-02", "date-entity")[0] == ":time"
    assert ranked(read_lexicon(), "date-entity", "winter")[0] == ":season"
    assert ranked(read_lexicon(), "and", taken=(":op1", ":op2"))[0] == ":op3"


def test_completion_is_there_between_two_keys() -> None:
    """In far less time than the counts that it rests on take to be read."""
    lexicon = read_lexicon()
    sentence = sentence_of("the boy wants to go")
    complete_concept("c", lexicon, sentence, 2)
    for prefix in ("", "a", "co", "s"):
        took = seconds(partial(complete_concept, prefix, lexicon, sentence, 2))
        took += seconds(partial(role_scores, lexicon, "want-01", prefix, ()))
        assert took < seconds(lambda: load_counts(asset_path(COUNTS_FILE))) / 4
