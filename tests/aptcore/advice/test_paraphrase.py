"""A graph in plain English: what is said, once each, and never a failure."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from aptcore.advice.english.clauses import object_form
from aptcore.advice.english.paraphrase import paraphrase
from aptcore.advice.english.phrases import POSSESSIVES, plural, words_of
from aptcore.advice.english.word_classes import participle
from aptcore.graph.amr import AmrGraph
from aptcore.graph.checks import is_connected, unwritable_parts
from aptcore.graph.corpus import read_corpus
from aptcore.graph.penman import parse_penman
from aptcore.words.frames import Frame, Lexicon, shipped_counts
from tests.aptcore.walks import graphs

WANT = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"


@pytest.mark.parametrize(
    ("penman", "text"),
    [
        (WANT, 'A boy wants this: "go". The same boy goes.'),
        (
            '(s / see-01 :polarity - :ARG0 (i / i) :ARG1 (c / city :name (n / name :op1 "New" '
            ':op2 "York")))',
            'It is not so: I see a city named "New York".',
        ),
        ("(l / leave-11 :mode imperative :ARG0 (y / you))", "It is asked for: you leave."),
        (
            "(d / die-01 :ARG1 (m / man :quant 3) :time (e / date-entity :year 2011 :month 5 "
            ":day 3))",
            "3 men die; when: the date 3 May 2011.",
        ),
        (
            "(w / walk-01 :ARG0 (h / he) :extent (d / distance-quantity :quant 2 "
            ":unit (m / mile)))",
            "He walks; how far: 2 miles (distance quantity).",
        ),
        (
            "(p / person :ARG0-of (t / teach-01 :ARG1 (c / child)))",
            "This is about a person. The same person teaches a child.",
        ),
        (
            "(h / have-rel-role-91 :ARG0 (s / she) :ARG1 (b / boy) :ARG2 (m / mother))",
            "She is the mother of a boy.",
        ),
        ("(t / treat-04 :ARG1 (m / mouse))", "A mouse is treated."),
        ("(b / blorb-01 :ARG1 (h / he))", "It is said of him: blorb."),
        (
            "(s / serious-02 :ARG1 (w / we) :degree (v / very) :manner (s2 / simultaneous))",
            "We are serious; how much: very; how: simultaneous.",
        ),
        ("(s / sensitive-03 :ARG0 (l / line) :ARG1 (d / drug))",
         "A line is sensitive with regard to a drug."),
        ("(o / open-01 :ARG0 (s / she) :ARG1 (d / door :mod (t / this) :mod (o2 / old)))",
         "She opens this old door."),
        ("(g / give-01 :ARG0 (h / he) :ARG1 (h2 / hat :poss (i / i)) :ARG2 i)",
         "He gives a hat; further participant (ARG2): me. The same hat: whose: mine."),
        ("(t / teacher :domain (i / i) :mod (a / another))", "I am another teacher."),
        ("(h / have-degree-91 :ARG1 (w / we) :ARG2 (s / small) :ARG3 (t / too) :ARG6 (r / run-02))",
         'We are too small; with the outcome: "run".'),
        ("(h / have-degree-91 :ARG1 (i / i) :ARG2 (o / old) :ARG3 (e / enough))",
         "I am old enough."),
        ("(d / day :ord (o / ordinal-entity :value -1))",
         "This is about a day: which in order: the last."),
        ("(g / grow-01 :ARG1 (r / rate) :ARG2 (p / percentage-entity :value 15))",
         "A rate grows; further participant (ARG2): 15 percent."),
        ("(a / see-01 :ARG0 (b / boy) :ARG1 (w / we) :ARG2 (g / group :quant 2))",
         "A boy sees us; further participant (ARG2): 2 groups."),
        (
            "(c / come-01 :polarity (a / amr-unknown) :ARG1 (s / she))",
            "It is asked whether: she comes.",
        ),
        (
            "(m / multi-sentence :snt1 (r / rain-01) :snt2 (s / sleep-01 :ARG0 (b / boy)))",
            'This is about several sentences: sentence 1: "rain"; sentence 2: "sleep". A boy '
            "sleeps.",
        ),
        (
            "(s / see-01 :ARG0 (b / boy) :ARG1 (b2 / boy :mod (o / old)) :ARG2 (b3 / boy) "
            ":time (a / and :op1 (n / now) :op2 (t / then)))",
            "A boy sees an old boy no. 2; further participant (ARG2): a boy no. 3; when: now and "
            "then.",
        ),
    ],
)  # fmt: skip
def test_a_graph_is_read_aloud(penman: str, text: str) -> None:
    assert paraphrase(parse_penman(penman)).text == text


def test_a_frame_list_explains_senses_and_arguments() -> None:
    frames = {
        "want-01": Frame("want-01", "desire", {":ARG0": "wanter", ":ARG1": "thing wanted"}),
        "go-02": Frame("go-02", "move oneself", {":ARG0": "goer"}),
    }
    lexicon = Lexicon(frames, "own", shipped_counts())
    assert paraphrase(parse_penman(WANT), lexicon).text == (
        'A boy (wanter) wants (desire) this: "go" (thing wanted). The same boy (goer) goes '
        "(move oneself)."
    )


def check_complete(graph: AmrGraph) -> None:
    """Everything is named in some line, and every concept's word stands in the text."""
    reading = paraphrase(graph)
    names = {node.id for node in graph.nodes} | {item.id for item in graph.attributes}
    assert set(reading.named_in) == names
    assert all(0 <= line < len(reading.lines) for line in reading.named_in.values())
    text = reading.text.lower()
    silent = {"name", "date-entity", "and", "or", "slash", "amr-unknown", "multi-sentence"}
    for node in graph.nodes:
        if node.concept not in silent and not node.concept.endswith(("-91", "-quantity")):
            words = words_of(node.concept).lower()
            spoken = "I" if words == "i" else words
            forms = (words[:2], plural(words), participle(words), object_form(spoken),
                     POSSESSIVES.get(spoken, words))  # fmt: skip
            is_there = any(form in text for form in forms)
            assert is_there, (node.concept, text)


@pytest.mark.parametrize(
    ("roles", "text"),
    [({":ARG0": "", ":ARG1": ""}, "He is blorbed."), ({":ARG1": ""}, "It is said of him: blorb.")],
)
def test_a_frame_list_says_whether_a_verb_is_done_to_somebody(
    roles: dict[str, str], text: str
) -> None:
    lexicon = Lexicon({"blorb-01": Frame("blorb-01", "", roles)}, "own", shipped_counts())
    assert paraphrase(parse_penman("(b / blorb-01 :ARG1 (h / he))"), lexicon).text == text


@settings(max_examples=200, deadline=None)
@given(graphs(3))
def test_any_sound_graph_is_read_completely(graph: AmrGraph) -> None:
    if not unwritable_parts(graph) and is_connected(graph):
        check_complete(graph)
        assert paraphrase(graph) == paraphrase(graph)


def test_graphs_of_every_free_set_are_read(data_folder: Path) -> None:
    files = [f for f in sorted(data_folder.glob("*/**/*")) if f.suffix in (".txt", ".penman")]
    read = 0
    for path in files:
        if path.parent.name == "lists":
            continue
        blocks = path.read_text("utf-8", errors="replace").split("\n\n")
        some = "\n\n".join(blocks[:: max(1, path.stat().st_size // 30000)])
        for record in read_corpus(path, text=some).records:
            if record.graph is not None:
                check_complete(record.graph)
                read += 1
    assert read > 300
