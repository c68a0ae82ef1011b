"""Every production of the grammar: sound graphs, reached exactly, that read as English."""

from __future__ import annotations

import re

import pytest

from aptcore.advice.problems.finding import all_problems
from aptcore.alignment.aligner import align
from aptcore.graph.penman import parse_penman
from aptcore.graph.validation import problems_of
from aptcore.oracle.oracle import oracle_actions
from aptcore.oracle.report import checked_replay
from aptcore.words.copies import with_derived
from aptcore.words.copy_tables import shipped_copies
from aptcore.words.frames import read_lexicon
from aptcore.words.tokens import tokenize, tokenize_all
from trainer.grammar.chains import controlled, told
from trainer.grammar.clauses import LONGEST_LIST, centre_embedded
from trainer.grammar.measured import a_price
from trainer.grammar.phrases import Draw, Node, listed, node, penman_of, sentence_of
from trainer.grammar.quantities import clock, full_date, money, ordinal
from trainer.grammar.sentences import KINDS, corpus_text, sentences, taught

SEEDS = 40
"""Sentences of each kind that are looked at."""


def of_kind(kind):
    return [taught(kind, str(seed)) for seed in range(SEEDS)]


@pytest.mark.parametrize("kind", KINDS)
def test_the_graphs_of_a_kind_are_sound_and_the_oracle_reaches_them_exactly(kind):
    made = of_kind(kind)
    lexicon, copies = read_lexicon(), shipped_copies()
    for one, sentence in zip(made, tokenize_all([one.text for one in made]), strict=True):
        graph = parse_penman(f"# ::snt {one.text}\n{one.penman}")
        assert not problems_of(graph), one
        assert not all_problems(graph, lexicon, sentence.tokens, sentence.lemmas), one
        copying = with_derived(sentence, copies)
        aligned = align(sentence, graph)
        result = oracle_actions(copying, aligned, "exact")
        assert not result.unreachable, one
        checked_replay(copying, aligned, result, "exact")


@pytest.mark.parametrize("kind", KINDS)
def test_the_sentences_of_a_kind_read_as_english(kind):
    texts = [one.text for one in of_kind(kind)]
    assert len(set(texts)) > SEEDS // 2
    for text in texts:
        assert text[0].isupper() or text[0].isdigit() or text[0] in "$€£¥-"
        assert text[-1] in ".?"
        assert not re.search(r"  | [,.?]|(?<!a.m)(?<!p.m)[,.?]{2}|, ?[.?]|\{|_", text), text
        assert not re.search(r"\ba [aeio]|\ban [^aeiou8h1]|\b(\w+) \1\b(?<!that that)", text), text


def test_the_same_seed_gives_the_same_sentences_and_none_twice():
    first, again = list(sentences(200, 3)), list(sentences(200, 3))
    assert first == again
    assert len({one.text for one in first}) == 200
    assert first != list(sentences(200, 4))
    assert {one.kind for one in first} == set(KINDS)


def test_a_corpus_of_the_grammar_names_its_kinds():
    text = corpus_text(30)
    assert text.count("# ::snt ") == 30
    assert text.startswith("# ::id grammar.time.1\n# ::snt ")


def test_a_node_hung_in_two_places_is_one_node():
    who = Node("baker")
    wish = node("want-01", ARG0=who, ARG1=node("sing-01", ARG0=who))
    assert penman_of(wish) == "(w0 / want-01 :ARG0 (b1 / baker) :ARG1 (s2 / sing-01 :ARG0 b1))"


@pytest.mark.parametrize(
    ("text", "expected"), [("on May 3, ,", "On May 3,."), ("it  rained", "It rained.")]
)
def test_a_sentence_has_a_capital_and_single_spaces(text, expected):
    assert sentence_of(text.replace(" ,", "")) == expected


def test_lists_and_ordinals_are_written_out():
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert [ordinal(day) for day in (1, 2, 3, 4, 11, 22, 113)] == [
        "1st", "2nd", "3rd", "4th", "11th", "22nd", "113th",
    ]  # fmt: skip


def test_clocks_count_to_twenty_four():
    found = {phrase.text: dict(phrase.node.edges) for phrase in map(clock, draws(300))}
    afternoon = {text: edges["time"] for text, edges in found.items() if text.endswith("pm")}
    assert afternoon
    for text, time in afternoon.items():
        hour = int(re.search(r"\d+", text).group())
        assert time == f'"{hour + 12}:00"'
    assert dict(found["at noon"])["dayperiod"].concept == "noon"


def test_dates_say_what_the_graph_says():
    for phrase in map(full_date, draws(200)):
        parts = dict(phrase.node.edges)
        assert set(parts) <= {"year", "month", "day"}
        for role in ("year", "day"):
            assert role not in parts or re.search(rf"(?<!\d)0?{parts[role]}(?!\d)", phrase.text)


def test_amounts_keep_their_number_and_their_unit():
    texts = {phrase.text: dict(phrase.node.edges) for phrase in map(money, draws(400))}
    dollars = [text for text in texts if text.startswith("$")]
    assert any("," in text for text in dollars)
    assert any(text.endswith("million") for text in texts)
    for text in dollars:
        assert texts[text]["unit"].concept == "dollar"
        number = text[1:].replace(",", "").removesuffix(" million").removesuffix(" billion")
        scale = 10**6 if "million" in text else 10**9 if "billion" in text else 1
        assert float(texts[text]["quant"]) == pytest.approx(float(number) * scale)


def draws(count):
    return [Draw(str(seed)) for seed in range(count)]


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_clauses_stand_as_deep_as_asked_for(depth):
    saying = penman_of(told(Draw("a"), depth).node)
    assert saying.count(":ARG1 (") >= depth
    assert centre_embedded(Draw("a"), depth).text.count(" that ") == depth
    assert controlled(Draw("a"), depth).text.count(" to ") == depth


def test_a_list_of_twenty_is_reached():
    longest = max((one.text for one in of_kind("long-list")), key=lambda text: text.count(","))
    assert longest.count(",") >= LONGEST_LIST - 5
    assert tokenize(longest).tokens


def test_prices_hang_on_the_frame_of_buying():
    graphs = [penman_of(a_price(draw).node) for draw in draws(60)]
    frames = {re.match(r"\(\w+ / (\S+)", graph).group(1) for graph in graphs}
    assert {"cost-01", "pay-01", "buy-01", "sell-01", "owe-01"} <= frames
    assert all("monetary-quantity" in graph for graph in graphs)


def test_frames_and_their_arguments_are_those_of_propbank(data_folder):
    lists = (
        data_folder / "propbank" / "rolesets.tsv",
        data_folder / "lists" / "propbank-amr-frames-arg-descr.txt",
    )
    known: dict[str, set[str]] = {}
    for frames in (read_lexicon(path).frames for path in lists):
        for concept, frame in frames.items():
            known.setdefault(concept, set()).update(frame.roles)
    for made in sentences(2000, 5):
        graph = parse_penman(made.penman)
        concepts = {one.id: one.concept for one in graph.nodes}
        frames = {name for name in concepts.values() if re.search(r"-\d\d$", name)}
        assert frames <= known.keys(), made
        for edge in graph.edges:
            if edge.role.startswith(":ARG"):
                assert edge.role in known[concepts[edge.source]], (made, edge)
