"""What is likely at a place of a graph, and what a line or marked words mean."""

from __future__ import annotations

import time

import pytest

from aptcore.advice.doubt import Option, PieceDoubt
from aptcore.advice.entering import hang, read_line, split_line
from aptcore.advice.likely import Setting, likely_concepts, said_scores
from aptcore.advice.likely_lines import likely_lines
from aptcore.advice.likely_roles import likely_roles
from aptcore.editing.applying import apply_edit
from aptcore.editing.edits import ChangeEdge, RenameNode
from aptcore.errors import EditError
from aptcore.graph.penman import format_penman, parse_penman
from aptcore.words.frames import Lexicon, read_lexicon
from tests.aptcore.walks import sentence_of

GRAPH = parse_penman("(w / want-01~e.2 :ARG0 (b / boy~e.1) :ARG1 (g / go-02~e.4 :ARG0 b))")
SENTENCE = "the boy wants to go to New York on 12 July for $ 5"


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return read_lexicon()


@pytest.fixture
def setting(lexicon: Lexicon) -> Setting:
    return Setting(GRAPH, lexicon, sentence_of(SENTENCE))


def texts(found: object) -> list[str]:
    return [one.text for one in found]  # type: ignore[attr-defined]


def test_other_senses_of_a_node_come_first_and_the_concept_itself_does_not(
    setting: Setting,
) -> None:
    found = texts(likely_concepts(setting, node="g"))
    assert found[0].startswith("go-0")
    assert "go-02" not in found
    assert texts(likely_concepts(setting, "12", "g"))[:1] == ["go-12"]


def test_first_letters_of_its_words_find_a_concept(setting: Setting) -> None:
    assert texts(likely_concepts(setting, "hd"))[0] == "have-degree-91"
    assert texts(likely_concepts(setting, "ms"))[0] == "multi-sentence"


def test_what_has_a_name_may_be_another_type_of_everyday_text(lexicon: Lexicon) -> None:
    graph = parse_penman('(g / go-02 :ARG4 (p / person~e.7 :name (n / name :op1 "York"~e.7)))')
    found = texts(likely_concepts(Setting(graph, lexicon, sentence_of(SENTENCE)), node="p"))
    assert {"city", "country", "state"} <= set(found[:9])


def test_what_is_typed_whole_comes_before_anything_likelier(setting: Setting) -> None:
    assert texts(likely_concepts(setting, "go-03", "g"))[0] == "go-03"


def test_what_the_parser_would_rather_have_comes_first(lexicon: Lexicon) -> None:
    girl = PieceDoubt(
        ("b", ":instance", "boy"), 0.2, (Option("girl", 0.7, RenameNode("b", "girl")),), 1
    )
    edge = ChangeEdge("w", ":ARG1", "g", "w", ":purpose", "g")
    role = PieceDoubt(("w", ":ARG1", "g"), 0.2, (Option("", 0.7, edge),), 2)
    setting = Setting(GRAPH, lexicon, None, (girl, role))
    assert texts(likely_concepts(setting, node="b"))[0] == "girl"
    assert texts(likely_roles(setting, "w", "g", role=":ARG1"))[0] == ":purpose"


def test_a_number_stands_for_the_roles_that_have_it(setting: Setting) -> None:
    found = texts(likely_roles(setting, "w", "b", "1"))
    assert found[0] == ":ARG1"
    assert all("1" in role for role in found)
    assert texts(likely_roles(setting, "b", "w", "1o"))[0] == ":ARG1-of"


def test_a_concept_alone_brings_the_first_role_that_is_free(setting: Setting) -> None:
    assert texts(likely_lines(setting, "g", "boy"))[0] in (":ARG1 boy", ":ARG4 boy")
    assert texts(likely_lines(setting, "w", "date-e"))[0] == ":time date-entity"


def test_a_role_that_is_only_begun_is_completed_before_what_hangs_by_it(setting: Setting) -> None:
    assert texts(likely_lines(setting, "g", ":tim"))[0] == ":time "
    assert texts(likely_lines(setting, "g", ":tim date-e"))[0] == ":time date-entity"
    assert texts(likely_lines(setting, "b", ":q 5"))[0] == ":quant 5"


@pytest.mark.parametrize(
    ("tokens", "line"),
    [
        ((6, 7), ' "New York"'),
        ((9, 10), ":time 12 July"),
        ((12, 13), " $ 5"),
        ((9,), " 12"),
    ],
)
def test_marked_words_build_what_they_say(
    setting: Setting, tokens: tuple[int, ...], line: str
) -> None:
    first = texts(likely_lines(setting, "g", "", tokens))[0]
    assert line in first


@pytest.mark.parametrize(
    ("tokens", "line"),
    [((2, 3), ' "New York"'), ((5, 6), " 12 July"), ((8,), " 5"), ((10, 11), " 6:30 p.m.")],
)
def test_marks_at_words_that_no_tokens_split_off_are_no_part_of_what_they_say(
    lexicon: Lexicon, tokens: tuple[int, ...], line: str
) -> None:
    sentence = sentence_of("She left New York, on 12 July; paid 5, at 6:30 p.m.")
    found = texts(likely_lines(Setting(GRAPH, lexicon, sentence), "g", "", tokens))
    assert found[0].endswith(line)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (":ARG4 city \"New York\"", ':ARG4 (c / city :name (n / name :op1 "New" :op2 "York"))'),
        (":name New York", ':name (n / name :op1 "New" :op2 "York")'),
        (":date July 2024", ":time (d / date-entity :month 7 :year 2024)"),
        (":time 6:30 pm", ':time (d / date-entity :time "18:30")'),
        (":ARG3 $5", ":ARG3 (m / monetary-quantity :quant 5 :unit (d / dollar))"),
        (":op1 \"New York\"", ':op1 "New York"'),
        (":mod search engine", ":mod (s / search-engine)"),
    ],
)  # fmt: skip
def test_a_line_is_written_as_amr_writes_it(line: str, expected: str) -> None:
    graph = apply_edit(GRAPH, hang(GRAPH, "g", *read_line(*split_line(line))))
    assert expected in " ".join(format_penman(graph, metadata=False).split())


def test_a_date_that_is_none_is_refused_with_an_example() -> None:
    with pytest.raises(EditError, match="'next week' is no date; write it like 12 July 2024"):
        read_line(":date", "next week")


def test_lines_are_there_between_two_keys(setting: Setting) -> None:
    likely_lines(setting, "g", "c")
    begun = time.process_time()
    for typed in ("", "a", "co", ":q 5"):
        likely_lines(setting, "g", typed)
    assert time.process_time() - begun < 1.0  # 40 ms each on a free machine


def test_what_all_words_say_is_worked_out_once_for_all_nodes(lexicon: Lexicon) -> None:
    setting = Setting(GRAPH, lexicon, sentence_of(SENTENCE, SENTENCE.lower()))
    said = said_scores(setting)
    for node in GRAPH.nodes:
        alone = likely_concepts(setting, node=node.id)
        assert likely_concepts(setting, node=node.id, said=said) == alone
