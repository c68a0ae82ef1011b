"""Alignment of graphs to sentences."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from aptcore.alignment.aligner import align, lexical_items
from aptcore.alignment.learning import learn_tables
from aptcore.alignment.scoring import leamr_tokens, read_leamr, score_alignments
from aptcore.alignment.tables import Tables, shipped_tables
from aptcore.errors import AlignmentError, FormatError
from aptcore.graph.amr import Alignment, AmrGraph, Sentence
from aptcore.graph.corpus import read_corpus
from aptcore.graph.penman import format_penman, parse_penman
from aptcore.words.gold import GoldItem, gold_items
from aptcore.words.tokens import sentence_from_tokens, tokenize
from tests.aptcore.positions import map_positions
from tests.seconds import growth, seconds


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
            {"t": "five years", "y": "five years", "t :quant": "five years"},
        ),
        (
            "Where do you live ?",
            "(l / live-01 :ARG0 (y / you) :location (a / amr-unknown))",
            {"a": "Where", "y": "you", "l": "live"},
        ),
        (
            "They never came , although he had to wait .",
            "(c / come-01 :ARG1 (t / they) :time (e / ever :polarity -) "
            ":concession (o / obligate-01 :ARG2 (w / wait-01 :ARG1 (h / he))))",
            {"e": "never", "e :polarity": "never", "o": "had to", "w": "wait"},
        ),
        (
            "He came at three o'clock .",
            '(c / come-01 :ARG1 (h / he) :time (d / date-entity :time "15:00"))',
            {"d": "three o'clock", "d :time": "three o'clock"},
        ),
        (
            "The results of the US were good .",
            "(g / good-02 :ARG1 (t / thing :ARG2-of (r / result-01 :ARG1 "
            '(c / country :name (n / name :op1 "United" :op2 "States")))))',
            {"t": "results", "r": "results", "c": "US", "n :op2": "US"},
        ),
        (
            "Her mother is the president .",
            "(p / person :ARG0-of (h / have-rel-role-91 :ARG1 (s / she) :ARG2 (m / mother)) "
            ":ARG0-of (h2 / have-org-role-91 :ARG2 (p2 / president)))",
            {"h": "mother", "m": "mother", "h2": "president", "p2": "president"},
        ),
        (
            "MEK1 and wtMEK cells",
            '(a / and :op1 (e / enzyme :name (n / name :op1 "MEK1")) '
            ':op2 (c / cell :mod (e2 / enzyme :name (n2 / name :op1 "MEK"))))',
            {"e": "MEK1", "e2": "wtMEK", "n2 :op1": "wtMEK", "c": "cells"},
        ),
        (
            "She is the tallest .",
            "(t / tall :domain (s / she) :ARG2-of (h / have-degree-91 :ARG1 s :ARG3 (m / most)))",
            {"t": "tallest", "h": "tallest", "m": "tallest"},
        ),
        (
            "The sheep got out .",
            "(e / escape-01 :ARG0 (s / sheep))",
            {"e": "got out", "s": "sheep"},
        ),
        (
            "The stars belong to me because of it .",
            "(b / belong-01 :ARG0 (s / star) :ARG1 (i / i) "
            ":ARG1-of (c / cause-01 :ARG0 (i2 / it)))",
            {"b": "belong to", "i": "me", "c": "because of", "i2": "it"},
        ),
        (
            "It was invisible in the moonlight .",
            "(p / possible-01 :polarity - :ARG1 (s / see-01 :ARG1 (i / it)) "
            ":location (t / thing :ARG2-of (l / light-04 :ARG0 (m / moon))))",
            {"p": "invisible", "p :polarity": "invisible", "l": "moonlight", "t": "moonlight"},
        ),
        (
            "A month is as long as a year .",
            "(h / have-degree-91 :ARG1 (t / temporal-quantity :quant 1 :unit (m / month)) "
            ":ARG2 (l / long-03 :ARG1 t) :ARG3 (e / equal) "
            ":ARG4 (t2 / temporal-quantity :quant 1 :unit (y / year)))",
            {"h": "as", "e": "as", "t :quant": "A", "t": "month", "t2 :quant": "a"},
        ),
        (
            "She is larger than him .",
            "(h / have-degree-91 :ARG1 (s / she) :ARG2 (l / large :domain s) :ARG3 (m / more) "
            ":ARG4 (h2 / he))",
            {"h": "larger", "m": "larger", "l": "larger", "h2": "him"},
        ),
        (
            "Oh , where I live , said the prince , it is not so interesting .",
            "(s / say-01 :ARG0 (p / prince) :ARG1 (a / and :op1 (o / oh :mode expressive) "
            ":op2 (i / interest-01 :polarity - :ARG0 (l / location :location-of "
            "(l2 / live-01 :ARG0 p)) :degree (s2 / so))))",
            {"a": ",", "o": "Oh", "l": "where"},
        ),
        (
            "To me , they are grown - ups .",
            "(g / grown-up :domain (t / they) :ARG1-of (o / opine-01 :ARG0 (i / i)))",
            {"g": "grown - ups", "o": "To", "i": "me"},
        ),
        (
            "I took this drawing .",
            "(t / take-01 :ARG0 (i / i) :ARG1 (p / picture :mod (t2 / this) :ARG1-of "
            "(d / draw-01)))",
            {"p": "drawing", "d": "drawing"},
        ),
        (
            "He was ten years old at half past four in the afternoon .",
            "(a / age-01 :ARG1 (h / he) :ARG2 (t / temporal-quantity :quant 10 :unit (y / year)) "
            ':time (d / date-entity :time "16:30"))',
            {"a": "ten years old", "y": "ten years old", "d": "half past four in the afternoon"},
        ),
        (
            "Do you want two or three of the good plans that I know ?",
            "(w / want-01 :polarity (a / amr-unknown) :ARG0 (y / you) :ARG1 (t / thing "
            ":quant (o / or :op1 2 :op2 3) :ARG1-of (p / plan-01) :ARG1-of (k / know-01 "
            ":ARG0 (i / i)) :ARG1-of (g / good-02)))",
            {"a": "?", "o": "two or three", "t": "plans", "k": "know"},
        ),
        (
            "did you phosphorylate it at S102 ?",
            "(p / phosphorylate-01 :polarity (a / amr-unknown) :ARG0 (y / you) :ARG1 (i / it) "
            ':location (a2 / amino-acid :mod 102 :name (n / name :op1 "serine")))',
            {"a": "?", "a2": "S102", "a2 :mod": "S102", "n :op1": "S102"},
        ),
        (
            "Come down , said no one .",
            "(s / say-01 :ARG0 (n / no-one) :ARG1 (c / come-01 :mode imperative :ARG1 (y / you) "
            ":direction (d / down)))",
            {"c": "Come down", "d": "Come down", "n": "no one"},
        ),
        (
            "I saw it an instant later , five hundred and one years ago .",
            "(s / see-01 :ARG0 (i / i) :ARG1 (i2 / it) :time (a / after :quant (i3 / instant)) "
            ":time (b / before :op1 (n / now) :quant (t / temporal-quantity :quant 501 "
            ":unit (y / year))))",
            {"a": "later", "b": "ago", "n": "ago", "t :quant": "five hundred and one years"},
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


def test_a_word_said_twice_goes_to_the_node_whose_neighbours_are_near() -> None:
    text = "The old king saw me and the young king left me ."
    penman = (
        "(a / and :op1 (s / see-01 :ARG0 (k / king :mod (o / old)) :ARG1 (i / i)) "
        ":op2 (l / leave-15 :ARG0 (k2 / king :mod (y / young)) :ARG1 i))"
    )
    graph = align(tokenize(text), parse_penman(penman))
    assert (graph.alignments["k"].tokens, graph.alignments["k2"].tokens) == ((2,), (8,))
    assert graph.alignments["i"].tokens == (4,)


def test_every_item_stands_on_tokens_side_by_side() -> None:
    text = "He gave her five or six books by Jane Austen , an English writer , in May 1990 ."
    penman = (
        "(g / give-01 :ARG0 (h / he) :ARG2 (s / she) :ARG1 (b / book :quant (o / or :op1 5 "
        ':op2 6) :ARG1-of (w / write-01 :ARG0 (p / person :name (n / name :op1 "Jane" '
        ':op2 "Austen")))) :time (d / date-entity :month 5 :year 1990))'
    )
    graph = align(tokenize(text), parse_penman(penman))
    for item in (*graph.nodes, *graph.attributes):
        tokens = graph.alignments[item.id].tokens
        assert tokens == tuple(range(tokens[0], tokens[-1] + 1))


def test_what_has_no_word_is_placed_by_its_neighbour_and_says_so() -> None:
    graph = align(tokenize("He sang"), parse_penman("(s / sing-01 :ARG1 (q / qqq))"))
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


TOY = [
    ("The dog was afraid .", "(f / fear-01 :ARG0 (d / dog))"),
    ("The cat was afraid .", "(f / fear-01 :ARG0 (c / cat))"),
    ("He was afraid of noise .", "(f / fear-01 :ARG0 (h / he) :ARG1 (s / sound-02))"),
    ("No noise !", "(s / sound-02 :polarity -)"),
    ("The dog made noise .", "(m / make-01 :ARG0 (d / dog) :ARG1 (s / sound-02))"),
    ("The cat was old .", "(o / old :domain (c / cat))"),
    ("He was old .", "(o / old :domain (h / he))"),
    ("The old cat slept .", "(s / sleep-01 :ARG0 (c / cat :mod (o / old)))"),
]


def toy_tables() -> Tables:
    return learn_tables([(tokenize(text), parse_penman(penman)) for text, penman in TOY])


def test_words_that_share_no_letter_are_learnt_and_say_so() -> None:
    tables = toy_tables()
    penman = "(f / fear-01 :ARG0 (o / old) :ARG1 (s / sound-02))"
    graph = align(tokenize("The noise : old , was very afraid"), parse_penman(penman), tables)
    assert graph.alignments["f"] == Alignment((7,), "em")
    assert graph.alignments["s"] == Alignment((1,), "em")
    assert graph.alignments["o"] == Alignment((3,), "rule")


def test_tables_are_the_same_after_saving(tmp_path: Path) -> None:
    tables = toy_tables()
    tables.save(tmp_path / "tables.json")
    assert Tables.load(tmp_path / "tables.json") == tables
    assert toy_tables() == tables


@pytest.mark.parametrize("text", ["", "[]", '{"fear": 1}', '{"fear": {"afraid": 2.0}}', "{"])
def test_a_file_without_tables_is_an_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "tables.json"
    path.write_text(text)
    with pytest.raises(FormatError, match="no alignment tables"):
        Tables.load(path)


def test_learning_from_nothing_gives_empty_tables() -> None:
    assert learn_tables([]) == Tables({})


def test_a_node_is_exact_when_its_tokens_are_the_gold_tokens() -> None:
    gold = {"a": (0,), "b": (1, 2), "c": (3,)}
    predicted = {
        "a": Alignment((0,), "rule"),
        "b": Alignment((1,), "rule"),
        "c": Alignment((4,), "em"),
        "d": Alignment((5,), "em"),
    }
    score = score_alignments([(gold, predicted)])
    assert (score.nodes, score.exact, score.partial) == (3, 1, 1)
    assert {name: (c.nodes, c.exact) for name, c in score.by_source.items()} == {
        "em": (1, 0),
        "rule": (2, 1),
    }
    assert score.accuracy == pytest.approx(1 / 3)


def test_a_gold_node_without_alignment_is_an_error() -> None:
    with pytest.raises(AlignmentError, match="'a' has gold tokens"):
        score_alignments([({"a": (0,)}, {})])


def little_prince(folder: Path, part: str) -> tuple[GoldItem, ...]:
    name = f"amr-bank-struct-v3.0-{part}.txt"
    return gold_items(read_corpus(folder / "little-prince" / "v3.0" / name))[0]


@pytest.mark.parametrize(
    ("tables", "least", "least_unmatched"), [(None, 0.96, 0.7), (shipped_tables(), 0.965, 0.8)]
)
def test_alignments_agree_with_people_on_little_prince(
    data_folder: Path, tables: Tables | None, least: float, least_unmatched: float
) -> None:
    folder = data_folder / "little-prince"
    entries = {}
    for path in sorted((folder / "leamr-gold-alignments").glob("*.subgraph_alignments.gold.json")):
        entries.update(read_leamr(path))
    pairs, unmatched = [], []
    for item in (*little_prince(data_folder, "training"), *little_prince(data_folder, "dev")):
        if item.sentence.id in entries:
            old = item.sentence.text.split()
            gold = {
                node: map_positions(tokens, old, item.sentence)
                for node, tokens in leamr_tokens(item.graph, entries[item.sentence.id]).items()
            }
            found = align(item.sentence, item.graph, tables).alignments
            lexical = lexical_items(item.sentence, item.graph)
            pairs.append((gold, found))
            unmatched.append(({n: t for n, t in gold.items() if n not in lexical}, found))
    assert len(pairs) == len(entries) == 85
    assert score_alignments(pairs).accuracy > least
    assert score_alignments(unmatched).accuracy > least_unmatched


def test_little_prince_is_learnt_and_aligned_in_little_more_than_reading_takes(
    data_folder: Path,
) -> None:
    items = little_prince(data_folder, "training")

    def read_all() -> None:
        for item in items:
            parse_penman(format_penman(item.graph))

    def align_all() -> None:
        tables = learn_tables((item.sentence, item.graph) for item in items)
        for item in items:
            align(item.sentence, item.graph, tables)

    assert seconds(align_all, runs=1) < 30 * seconds(read_all, runs=1)


def test_a_change_by_a_person_is_kept_and_the_rest_is_placed_anew() -> None:
    sentence = tokenize("The old king saw the young king .")
    penman = "(s / see-01 :ARG0 (k / king :mod (o / old)) :ARG1 (k2 / king :mod (y / young)))"
    graph = parse_penman(penman)
    assert align(sentence, graph).alignments["k"].tokens == (2,)
    changed = replace(graph, alignments={"k": Alignment((6,), "person")})
    again = align(sentence, changed).alignments
    assert seconds(lambda: align(sentence, changed)) < 10 * seconds(lambda: align(sentence, graph))
    assert again["k"] == Alignment((6,), "person")
    assert again["k2"] == Alignment((2,), "rule")


@pytest.mark.parametrize("concepts", [("thing",), ("say-01", "boy", "think-01"), ("qqq",)])
def test_a_chain_of_thousands_of_levels_is_aligned_in_time_that_grows_with_its_length(
    concepts: tuple[str, ...],
) -> None:
    sentence = tokenize("The boy said that boys say things ; he thinks so .")

    def align_chain(depth: int) -> None:
        nodes = "".join(f"(x{i} / {concepts[i % len(concepts)]} :ARG0 " for i in range(depth))
        graph = parse_penman(f"{nodes}(z / end){')' * depth}")
        assert len(align(sentence, graph).alignments) == depth + 1

    assert growth(align_chain, 500, 2000) < 10  # with the square it would be 16
