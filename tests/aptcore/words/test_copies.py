"""What COPY makes beyond lemmas: its tables, how they are learnt, lists, and their file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from aptcore.alignment.aligner import align
from aptcore.errors import CheckpointError, ConfigurationError
from aptcore.graph.amr import Sentence
from aptcore.graph.penman import parse_penman
from aptcore.oracle.copy_learning import learn_copies
from aptcore.oracle.oracle import oracle_actions
from aptcore.oracle.report import checked_replay
from aptcore.transition.state import constant_of, derived_concepts
from aptcore.words.copies import derived_pairs, with_derived
from aptcore.words.copy_lists import with_lists
from aptcore.words.copy_tables import NO_COPIES, CopyTables, Rule, shipped_copies
from aptcore.words.tokens import tokenize

TABLES = CopyTables(
    frames={"good": "02", "sad": "02"},
    usual={"arousal": "arouse-03"},
    words={"proof": ("prove",)},
    rules=(
        Rule("ness", ""),
        Rule("al", "e"),
        Rule("ious", "y"),
        Rule("ation", "ate", True),
        Rule("ation", "e"),
    ),
    bases=frozenset({"kinase"}),
    senses=("02", "03"),
)


@pytest.mark.parametrize(
    ("token", "lemma", "kind", "concept"),
    [
        ("good", "good", "frame", "good-02"),
        ("good", "good", "sense-03", "good-03"),
        ("Direction", "direct", "word", "direction"),
        ("sadness", "sadness", "base", "sad"),
        ("sadness", "sadness", "base-frame", "sad-02"),
        ("arrival", "arrival", "base-frame", "arrive-01"),
        ("arousal", "arousal", "base-frame", "arouse-03"),
        ("arousal", "arousal", "base-02", "arouse-02"),
        ("eaten", "eaten", "base-frame", "eat-01"),
        ("unarousal", "unarousal", "positive-base-frame", "arouse-01"),
        ("mysterious", "mysterious", "base", "mystery"),
        ("proof", "proof", "base-frame", "prove-01"),
        ("aspiration", "aspiration", "base-frame", "aspire-01"),  # there is no aspirate-01
        ("aspiration", "aspiration", "base", "aspire"),
        ("unhappy", "unhappy", "positive-frame", "happy-01"),
    ],
)
def test_each_kind_makes_its_concept(token: str, lemma: str, kind: str, concept: str) -> None:
    assert dict(derived_pairs(token, lemma, TABLES))[kind] == concept


def test_a_concept_that_an_earlier_kind_gives_is_not_offered_again() -> None:
    concepts = [concept for _, concept in derived_pairs("good", "good", TABLES)]
    assert concepts.count("good-02") == 1
    assert "good-01" not in concepts  # COPY(sense) makes it


@pytest.mark.parametrize("lemma", [",", "3", "co-", "-ed", '"', "p53"])
def test_what_is_no_word_gives_nothing(lemma: str) -> None:
    assert derived_pairs(lemma, lemma, TABLES) == ()


def test_a_base_must_be_an_english_word_or_a_known_concept() -> None:
    assert "base" not in dict(derived_pairs("dragness", "zxqness", TABLES))


def test_a_sentence_gets_one_tuple_for_each_token() -> None:
    sentence = with_derived(Sentence("", "Sadness .", ("Sadness", "."), ("sadness", ".")), TABLES)
    assert len(sentence.derived) == 2
    assert ("base-frame", "sad-02") in sentence.derived[0]
    assert sentence.derived[1] == ()


def test_the_oracle_copies_what_the_tables_give() -> None:
    sentence = with_derived(tokenize("The sadness ended ."), TABLES)
    graph = align(sentence, parse_penman("(e / end-01 :ARG1 (s / sad-02))"))
    result = oracle_actions(sentence, graph, "exact")
    assert "Copy(kind='base-frame')" in map(repr, result.actions)
    _, found = checked_replay(sentence, graph, result, "exact")
    assert (found.missing, found.extra) == ((), ())


def test_merged_tokens_make_the_phrase_that_the_tables_know() -> None:
    tables = replace(TABLES, frames={"take-up": "13"})
    sentence = with_derived(tokenize("He takes up space ."), tables)
    assert derived_concepts(sentence, 1, 3) == {
        "phrase": "take-up-13",
        "sense-02": "take-up-02",
        "sense-03": "take-up-03",
    }
    assert "phrase" not in derived_concepts(sentence, 2, 3)
    assert "phrase" not in derived_concepts(sentence, 0, 3)


def test_a_verb_takes_a_particle_that_follows_later() -> None:
    tables = replace(TABLES, frames={"shut-up": "06"})
    sentence = with_derived(tokenize("Shut the old man up ."), tables)
    assert derived_concepts(sentence, 0, 1)["particle"] == "shut-up-06"
    assert "particle" not in derived_concepts(sentence, 2, 3)


@pytest.mark.parametrize(
    ("words", "constant"),
    [
        ("13", "13"),
        ("462,511", "462511"),
        ("twenty - eight", "28"),
        ("two hundred", "200"),
        ("eighth", "8"),
        ("1.5", "1.5"),
        ("2½", "2.5"),
        ("⅓", '"⅓"'),
        ("Lima", '"Lima"'),
        ("1.2.3", '"1.2.3"'),
    ],
)
def test_a_copied_constant_is_the_number_that_the_words_name(words: str, constant: str) -> None:
    assert constant_of(words) == constant


# --- learning -------------------------------------------------------------------


def corpus(*examples: tuple[str, str]):
    for text, penman in examples:
        sentence = tokenize(text)
        yield sentence, align(sentence, parse_penman(penman))


def test_an_entry_needs_two_different_sentences() -> None:
    once = [("The soup was good .", "(g / good-02 :ARG1 (s / soup))")]
    other = ("A good dog .", "(d / dog :ARG1-of (g / good-02))")
    assert "good" not in learn_copies(corpus(*once, *once)).frames
    assert learn_copies(corpus(*once, other)).frames == {"good": "02"}


def test_an_ending_needs_two_different_words() -> None:
    arrival = ("The arrival .", "(a / arrive-01)")
    again = ("An early arrival .", "(a / arrive-01 :time (e / early))")
    revival = ("The revival .", "(r / revive-01)")
    assert Rule("val", "ve") not in learn_copies(corpus(arrival, again)).rules
    assert Rule("val", "ve") in learn_copies(corpus(arrival, revival)).rules


def test_a_general_ending_that_misleads_is_dropped() -> None:
    words = "lady army study fairy bully party county jelly belly gully daisy tally".split()
    examples = [(f"The {word} .", f"({word[0]} / {word})") for word in words]
    assert Rule("y", "") in learn_copies([]).rules
    assert Rule("y", "") not in learn_copies(corpus(*examples)).rules


def test_a_word_without_a_rule_is_learnt_as_such() -> None:
    examples = [("The proof .", "(p / prove-01~1)"), ("One proof !", "(p / prove-01~1)")]
    assert learn_copies(corpus(*examples)).words["proof"] == ("prove",)


def test_learning_does_not_depend_on_chance() -> None:
    examples = [("The arrival .", "(a / arrive-01)"), ("The refusal .", "(r / refuse-01)")]
    assert learn_copies(corpus(*examples)) == learn_copies(corpus(*examples))


# --- the file -------------------------------------------------------------------


def test_tables_are_read_back_as_written(tmp_path: Path) -> None:
    TABLES.save(tmp_path / "copies.json")
    assert CopyTables.load(tmp_path / "copies.json") == TABLES


EMPTY = {"frames": {}, "usual": {}, "words": {}, "rules": [], "bases": [], "senses": []}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "it does not hold bases, frames, rules, senses, usual, words"),
        (EMPTY | {"frames": 1}, "frames is not a table"),
        (EMPTY | {"frames": {"a": "x"}}, "'x' is not a sense"),
        (EMPTY | {"usual": {"a": "act"}}, "'act' is not a frame"),
        (EMPTY | {"words": {"a": "b"}}, "not in lists"),
        (EMPTY | {"rules": [["ness", ""]]}, "is not an ending"),
        (EMPTY | {"senses": 2}, "not in lists"),
    ],
)
def test_damaged_tables_are_refused_by_name(tmp_path: Path, content: object, message: str) -> None:
    path = tmp_path / "copies.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(CheckpointError, match=f"cannot read the copy tables .*{message}"):
        CopyTables.load(path)


def test_a_torn_file_of_tables_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "copies.json").write_text('{"frames"', encoding="utf-8")
    with pytest.raises(CheckpointError, match="cannot read the copy tables"):
        CopyTables.load(tmp_path / "copies.json")


def test_absent_tables_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="no-tables"):
        CopyTables.load(tmp_path / "no-tables.json")


def test_the_shipped_tables_hold_no_list_and_can_be_read() -> None:
    tables = shipped_copies()
    assert tables.frames["good"] == "02"
    assert not tables.listed


# --- lists ----------------------------------------------------------------------


def test_lists_add_frames_senses_and_derivations(tmp_path: Path) -> None:
    (tmp_path / "propbank-amr-frames-x.txt").write_text("zap-03  ARG0: who\n", encoding="utf-8")
    (tmp_path / "morph-verbalization-x.txt").write_text(
        '::DERIV-VERB "zap" ::DERIV-NOUN "zappage"\n', encoding="utf-8"
    )
    (tmp_path / "verbalization-list-x.txt").write_text(
        "# comment\nVERBALIZE zappist TO person :ARG0-of zap-03\nDO-NOT-VERBALIZE zapman TO zap\n",
        encoding="utf-8",
    )
    tables = with_lists(NO_COPIES, [tmp_path])
    assert tables.frames == {"zap": "03"}
    assert tables.words == {"zappage": ("zap",), "zappist": ("zap",)}
    assert dict(derived_pairs("zappage", "zappage", tables))["base-frame"] == "zap-03"


def test_what_was_learnt_comes_before_the_lists(tmp_path: Path) -> None:
    (tmp_path / "propbank-amr-frames.txt").write_text("good-04  A\ngood-07  B\n", encoding="utf-8")
    tables = with_lists(TABLES, [tmp_path])
    assert tables.frames["good"] == "02"
    assert dict(derived_pairs("good", "good", tables))["sense-07"] == "good-07"


def test_listed_senses_are_never_saved(tmp_path: Path) -> None:
    (tmp_path / "propbank-amr-frames.txt").write_text("zap-03  A\n", encoding="utf-8")
    with_lists(TABLES, [tmp_path]).save(tmp_path / "copies.json")
    assert "listed" not in json.loads((tmp_path / "copies.json").read_text("utf-8"))


def test_a_folder_without_lists_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no word list in"):
        with_lists(TABLES, [tmp_path])


def test_what_is_remembered_of_words_does_not_grow_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("aptcore.words.copies.REMEMBERED_WORDS", 3)
    tables = replace(TABLES)
    for number in range(10):
        sentence = Sentence("", "", (f"w{number}", "good"), (f"w{number}", "good"))
        assert dict(with_derived(sentence, tables).derived[1])["frame"] == "good-02"
        assert len(tables.pairs_of_word) <= 3
