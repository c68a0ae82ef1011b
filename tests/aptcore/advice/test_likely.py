"""What is likely at a place of a graph, and what a line or marked words mean."""

from __future__ import annotations

from functools import partial

import pytest

from aptcore.advice.doubt import Option, PieceDoubt
from aptcore.advice.entering import hang, read_line, split_line
from aptcore.advice.likely import Setting, likely_concepts, said_scores
from aptcore.advice.likely_lines import likely_lines
from aptcore.advice.likely_roles import likely_roles
from aptcore.advice.problems.finding import all_problems
from aptcore.assets import asset_path
from aptcore.editing.applying import apply_edit
from aptcore.editing.edits import ChangeEdge, RenameNode
from aptcore.errors import EditError
from aptcore.graph.penman import format_penman, parse_penman
from aptcore.words.frames import COUNTS_FILE, Lexicon, load_counts, read_lexicon
from aptcore.words.tokens import sentence_from_tokens
from tests.aptcore.walks import sentence_of
from tests.seconds import seconds

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


def test_a_plain_noun_is_offered_what_is_used_like_it_before_words_from_elsewhere(
    lexicon: Lexicon,
) -> None:
    graph = parse_penman("(w / want-01~e.2 :ARG0 (b / boy~e.1) :ARG1 (g / go-02~e.4))")
    setting = Setting(graph, lexicon, sentence_of("the boy wants to go , he saw a grape"))
    found = texts(likely_concepts(setting, node="b"))
    assert set(found[:2]) == {"person", "thing"}
    assert {"boy-want", "name", "have-degree-91"}.isdisjoint(found[:9])
    assert {"he", "want-01", "contrast-01"}.isdisjoint(found[:3])


def test_words_of_one_family_are_offered_for_each_other(lexicon: Lexicon) -> None:
    graph = parse_penman("(e / engineer~e.1)")
    setting = Setting(graph, lexicon, sentence_of("the engineer"))
    assert {"engine", "engineer-01"} <= set(texts(likely_concepts(setting, node="e"))[:9])


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


def test_marked_days_of_the_week_are_dates_and_no_names(lexicon: Lexicon) -> None:
    setting = Setting(GRAPH, lexicon, sentence_of("She left Monday morning with the Sunday Times"))
    assert texts(likely_lines(setting, "g", "", (2, 3)))[0] == ":time Monday morning"
    assert texts(likely_lines(setting, "g", "", (2,)))[0] == ":time Monday"
    assert '"Sunday Times"' in texts(likely_lines(setting, "g", "", (6, 7)))[0]
    setting = Setting(GRAPH, lexicon, sentence_of("They met next Monday, at half past three."))
    assert texts(likely_lines(setting, "g", "", (2, 3)))[0] == ":time next Monday"
    assert texts(likely_lines(setting, "g", "", (5, 6, 7)))[0] == ":time half past three"


def test_words_for_an_age_hang_as_one(lexicon: Lexicon) -> None:
    setting = Setting(GRAPH, lexicon, sentence_of("The six-year-old boy was ten years old"))
    assert texts(likely_lines(setting, "b", "", (1,)))[0] == ":age six-year-old"
    assert texts(likely_lines(setting, "b", ":mod ", (1,)))[0] == ":mod six-year-old"
    assert " ten years old" in texts(likely_lines(setting, "g", "", (4, 5, 6)))[0]


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
        (":time Monday", ":time (d / date-entity :weekday (m / monday))"),
        (":date friday night 13 May", ":time (d / date-entity :month 5 :day 13 "
         ":weekday (f / friday) :dayperiod (n / night))"),
        (":weekday monday", ":weekday (m / monday)"),
        (":mod Sunday Times", ":mod (s / Sunday-Times)"),
        (":time 6:30 pm", ':time (d / date-entity :time "18:30")'),
        ("\uff1atime half past three", ':time (d / date-entity :time "3:30")'),
        ("\uff1a\uff21\uff32\uff27\uff14\u3000boy", ":ARG4 (b2 / boy)"),
        (":time half past three", ':time (d / date-entity :time "3:30")'),
        (":time next monday", ":time (d / date-entity :weekday (m / monday) :mod (n / next))"),
        (":time last Friday night", ":time (d / date-entity :weekday (f / friday) "
         ":dayperiod (n / night) :mod (l / last))"),
        (":time next week", ":time (w2 / week :mod (n / next))"),
        (":duration 3 hours", ":duration (t / temporal-quantity :quant 3 :unit (h / hour))"),
        (":ARG1 five kilometres", ":ARG1 (d / distance-quantity :quant 5 :unit (k / kilometer))"),
        (":ARG3 ten euros", ":ARG3 (m / monetary-quantity :quant 10 :unit (e / euro))"),
        (":time two days ago", ":time (b2 / before :op1 (n / now) "
         ":quant (t / temporal-quantity :quant 2 :unit (d / day)))"),
        (":duration an hour", ":duration (t / temporal-quantity :quant 1 :unit (h / hour))"),
        (":mod last days", ":mod (l / last-days)"),
        (":time May", ":time (d / date-entity :month 5)"),
        (":time may", ":time (m / may)"),
        (":time 2019", ":time (d / date-entity :year 2019)"),
        (":time 7:30", ':time (d / date-entity :time "7:30")'),
        (":time last night", ":time (d / date-entity :dayperiod (n / night) :mod (y / yesterday))"),
        (":time this morning", ":time (d / date-entity :dayperiod (m / morning) :mod (t / today))"),
        (":time Tonight", ":time (d / date-entity :dayperiod (n / night) :mod (t / today))"),
        (":time this noon", ":time (d / date-entity :dayperiod (n / noon) :mod (t / today))"),
        (":age ten years old", ":age (t / temporal-quantity :quant 10 :unit (y / year))"),
        (":age 6 - month - olds", ":age (t / temporal-quantity :quant 6 :unit (m / month))"),
        (":age twenty-one-year-old", ":age (t / temporal-quantity :quant 21 :unit (y / year))"),
        (":time six years old", ":time (a / age-01 "
         ":ARG2 (t / temporal-quantity :quant 6 :unit (y / year)))"),
        (":mod very old", ":mod (v / very-old)"),
        (":mod five miles old", ":mod (f / five-miles-old)"),
        (":duration half an hour", ":duration (t / temporal-quantity :quant 0.5 :unit (h / hour))"),
        (":ARG1 two and a half miles", ":ARG1 (d / distance-quantity :quant 2.5 :unit (m / mile))"),
        (":duration a few days", ":duration (t / temporal-quantity :quant (f / few) "
         ":unit (d / day))"),
        (":ARG1 twenty percent", ":ARG1 (p / percentage-entity :value 20)"),
        (":ord third", ":ord (o / ordinal-entity :value 3)"),
        (":ARG1 http://a.com", ':ARG1 (u / url-entity :value "http://a.com")'),
        (":ARG1 two boys", ":ARG1 (t / two-boys)"),
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
    """In hardly more time than the counts that they rest on take to be read."""
    likely_lines(setting, "g", "c")
    took = [seconds(partial(likely_lines, setting, "g", typed)) for typed in ("", "a", ":q 5")]
    assert max(took) < 3 * seconds(lambda: load_counts(asset_path(COUNTS_FILE)))


def test_what_all_words_say_is_worked_out_once_for_all_nodes(lexicon: Lexicon) -> None:
    setting = Setting(GRAPH, lexicon, sentence_of(SENTENCE, SENTENCE.lower()))
    said = said_scores(setting)
    for node in GRAPH.nodes:
        alone = likely_concepts(setting, node=node.id)
        assert likely_concepts(setting, node=node.id, said=said) == alone


def test_roles_at_a_digit_are_those_that_both_ends_can_have(lexicon: Lexicon) -> None:
    graph = parse_penman(
        "(l / leave-11 :ARG0 (h / he) :ARG3 (m / monetary-quantity :quant 5)"
        " :time - :ARG1 imperative)"
    )
    setting = Setting(graph, lexicon)
    amount = texts(likely_roles(setting, "l", "m", role=":ARG3", limit=9))
    assert amount[0] == ":ARG2"
    assert not [role for role in amount if role.startswith(":ARG") and role.endswith("-of")]
    sign, mode = (next(a for a in graph.attributes if a.role == r) for r in (":time", ":ARG1"))
    assert texts(likely_roles(setting, "l", sign.id, role=sign.role))[0] == ":polarity"
    assert texts(likely_roles(setting, "l", mode.id, role=mode.role))[0] == ":mode"
    of_signs = texts(likely_roles(setting, "l", sign.id, role=sign.role))
    assert not [role for role in of_signs if role.endswith("-of")]


def test_a_word_at_hand_that_is_used_alike_comes_before_what_the_parser_would_have(
    lexicon: Lexicon,
) -> None:
    graph = parse_penman("(d / date-entity :weekday (f / friday~e.3))")
    options = tuple(Option(day, 0.4, RenameNode("f", day)) for day in ("thursday", "tuesday"))
    piece = PieceDoubt(("f", ":instance", "friday"), 0.2, options, 1)
    setting = Setting(graph, lexicon, sentence_of("We met on Monday ."), (piece,))
    assert texts(likely_concepts(setting, node="f"))[:2] == ["monday", "thursday"]


def test_words_that_are_marked_come_before_words_from_elsewhere(lexicon: Lexicon) -> None:
    sentence = sentence_of("they paid twelve by Monday in May", "they pay 12 by Monday in may")
    setting = Setting(parse_penman("(p / pay-01)"), lexicon, sentence)
    assert texts(likely_lines(setting, "p", "", (3,)))[0].endswith(" by")
    assert texts(likely_lines(setting, "p", "", (1, 2)))[0].endswith(" pay-01")


def test_a_name_that_says_nothing_yet_is_no_name_of_that_word(setting: Setting) -> None:
    graph = apply_edit(GRAPH, hang(GRAPH, "b", *read_line(":name", "name")))
    assert not graph.attributes


def test_marks_at_words_are_no_part_of_what_the_words_may_be_called(lexicon: Lexicon) -> None:
    sentence = sentence_from_tokens("The students, he said, met on Monday.".split(), is_quick=True)
    setting = Setting(parse_penman("(m / meet-03~e.4)"), lexicon, sentence)
    for found in (likely_concepts(setting, node="m"), likely_lines(setting, "m", "", (1,))):
        assert not [text for text in texts(found) if text.endswith((",", "."))]
    assert "student" in sentence_from_tokens(("The", "students,")).lemmas


def test_a_problem_offers_to_add_a_word_without_its_marks(lexicon: Lexicon) -> None:
    sentence = sentence_from_tokens("Did the students, met here, sleep?".split())
    graph = parse_penman("(m / meet-03~e.3)")
    found = all_problems(graph, lexicon, sentence.tokens, sentence.lemmas)
    said = [one for one in found if one.kind == "uncovered"]
    assert [one.tokens for one in said if "students" in one.reason] == [(2,)]
    (fix,) = [fix for one in said for fix in one.fixes if "student" in fix.text]
    assert fix.text == "add student at m"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("on Monday", ":time Monday"),
        ("in 2019", ":time 2019"),
        ("the 1990s", ":time 1990s"),
        ("the United States", ' "United States"'),
        ("Mr. Smith", ' person "Mr. Smith"'),
        ("7:30", ":time 7:30"),
        ("third", ":ord third"),
    ],
)
def test_marked_function_words_are_no_part_of_names_and_dates(
    lexicon: Lexicon, words: str, line: str
) -> None:
    sentence = sentence_of(f"They met {words} there")
    tokens = tuple(range(2, 2 + len(words.split())))
    graph = parse_penman("(m / meet-03 :ARG0 (t / they))")
    found = texts(likely_lines(Setting(graph, lexicon, sentence), "m", "", tokens))
    assert found[0].endswith(line)
    read_line(*split_line(found[0]))
