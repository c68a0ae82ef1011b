"""Problems of a graph: each check, its place, its stable key and its fix."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.commands.oracle import read_gold
from aptcore.advice.problems.finding import all_problems
from aptcore.advice.problems.problem import Problem
from aptcore.editing.applying import apply_edit
from aptcore.editing.edits import RenameNode
from aptcore.errors import EditError, PenmanError
from aptcore.graph.amr import AmrGraph, Edge, Node
from aptcore.graph.checks import triples
from aptcore.graph.corpus import read_corpus
from aptcore.graph.penman import format_penman, parse_penman
from aptcore.words.frames import Counts, Frame, Lexicon
from aptcore.words.tokens import tokenize
from benchmarks.omissions import measure

COUNTS = Counts({"boy": 9}, {}, {":ARG0": 9, ":ARG1": 9, ":mod": 5, ":location": 3},
                frozenset({"the", "to"}), 9)  # fmt: skip
FRAMES = {
    "want-01": Frame("want-01", "desire", {":ARG0": "wanter", ":ARG1": "thing wanted"}),
    "go-02": Frame("go-02", "move", {":ARG0": "goer"}),
    "go-01": Frame("go-01", "start", {":ARG1": "thing started"}),
    "go-09": Frame("go-09", "operate", {":ARG0": "driver", ":ARG1": "engine"}),
}
PLAIN = Lexicon({}, "", COUNTS)
LISTED = Lexicon(FRAMES, "own", COUNTS)


@pytest.fixture
def case(cases: dict[str, Any]) -> dict[str, Any]:
    return cases["c34"]


def problems(penman: str, lexicon: Lexicon = LISTED) -> tuple[Problem, ...]:
    return all_problems(parse_penman(penman), lexicon)


def fixed(penman: str, kind: str, number: int = 0) -> str:
    """Apply a fix of the first problem of a kind; the problem must then be gone."""
    graph = parse_penman(penman)
    found = next(problem for problem in all_problems(graph, LISTED) if problem.kind == kind)
    after = apply_edit(graph, found.fixes[number].edit)
    assert found.key not in {problem.key for problem in all_problems(after, LISTED)}
    return " ".join(format_penman(after).split())


def test_names_that_the_sentence_writes_otherwise_are_asked_about(case: dict[str, Any]) -> None:
    given, wanted = case["input"], case["expected"]
    graph = parse_penman(given["penman"])
    found = [
        problem
        for problem in all_problems(graph, PLAIN, given["snt"].split())
        if problem.kind.startswith("name")
    ]
    assert [problem.severity for problem in found] == ["warning", "warning"]
    assert "“Tasimo” is not in the sentence; the nearest word is Tashimo" in found[0].reason
    assert "has Okell Dana, and the sentence Dana Okell" in found[1].reason
    for problem in found:
        graph = apply_edit(graph, problem.fixes[0].edit)
    assert triples(graph) == triples(parse_penman(wanted["suggested_form"]))


@pytest.mark.parametrize("word", ["Italian", "Dutch", "lima's"])
def test_names_of_another_form_are_no_misspelling(word: str) -> None:
    name = {"Italian": "Italy", "Dutch": "Netherlands", "lima's": "Lima"}[word]
    graph = parse_penman(f'(c / country :name (n / name :op1 "{name}"))')
    assert not [p for p in all_problems(graph, PLAIN, ["a", word, "boat"]) if "name" in p.kind]


def test_a_good_graph_has_no_problem() -> None:
    assert not problems('(w / want-01 :ARG0 (b / boy :name (n / name :op1 "Bo")) :ARG1 (g / go-02 '
                        ":ARG0 b :polarity -))")  # fmt: skip


def test_with_a_list_too_slips_are_found_and_the_nearest_frames_of_it_are_the_fixes() -> None:
    counts = Counts({"want-01": 9, "wont-05": 5}, {}, {":ARG0": 9}, frozenset(), 9)
    lexicon = Lexicon({**FRAMES, "wan-01": Frame("wan-01", "fade", {})}, "own", counts)

    def unknown(penman: str, text: str = "") -> list[str]:
        found = all_problems(parse_penman(penman), lexicon, text.split(), text.split())
        return [fix.text for one in found if one.kind == "unknown-frame" for fix in one.fixes]

    assert unknown("(w / wamt-01)") == ["want-01 desire"]
    assert unknown("(g / go-77)") == ["go-01 start", "go-02 move", "go-09 operate"]
    assert unknown("(w / wan-01)", "The leaves wan") == []


def test_a_month_under_the_wrong_role_becomes_its_number() -> None:
    text = "(d / date-entity :year 2020 :weekday (j / july))"
    assert fixed(text, "date") == "(d / date-entity :year 2020 :month 7)"


def test_two_relations_of_a_person_are_no_double() -> None:
    found = problems(
        "(p / person :ARG0-of (h / have-rel-role-91 :ARG1 (i / i) :ARG2 (u / uncle)) :ARG0-of "
        "(h2 / have-rel-role-91 :ARG1 (y / you) :ARG2 (b / brother)))"
    )
    assert "doubled-relation" not in [problem.kind for problem in found]


@pytest.mark.parametrize(
    ("penman", "kind", "severity", "reason"),
    [
        ("(w / want-01 :arg0 (b / boy))", "unknown-role", "error", "AMR has no role :arg0"),
        ("(t / tall :compared-to (b / boy))", "former-role", "warning", "have-degree-91"),
        ("(w / want-01 :ARG3 (b / boy))", "no-argument", "warning", "want-01 has no :ARG3"),
        ("(b / boy :ARG0 (o / old))", "argument-of-no-frame", "warning", "boy is no frame"),
        ("(g / go-07 :ARG0 (b / boy))", "unknown-frame", "warning", "the frame list has no go-07"),
        ("(w / want-01 :ARG0 (b / boy) :ARG0 (g / girl))", "repeated-argument", "warning",
         "w has :ARG0 2 times"),
        ('(b / boy :name "Bo")', "name", "error", "is a bare word"),
        ("(b / boy :name (n / thing))", "name", "error", "it must lead to a node `name`"),
        ("(b / boy :name (n / name :op1 Bo))", "name", "warning", "without quotation marks"),
        ('(b / boy :name (n / name :ARG1 "Bo"))', "name", "error", "a name has only :op1"),
        ("(b / boy :mod (n / name :op1 \"Bo\"))", "name", "warning", "hangs on no :name"),
        ("(d / date-entity :month 13)", "date", "error", "no number from 1 to 12"),
        ("(d / date-entity :ARG1 (b / boy))", "date", "warning", "a date-entity has no :ARG1"),
        ("(d / date-entity :weekday (j / july))", "date", "warning", "it is its :month"),
        ("(d / date-entity :season (m / monday))", "date", "warning", "it is its :weekday"),
        ("(p / person :ARG0-of (h / have-rel-role-91 :ARG1 (i / i) :ARG2 (u / uncle)) :ARG0-of "
         "(h2 / have-rel-role-91 :ARG2 (u2 / uncle)))", "doubled-relation", "warning",
         "h and h2 are both have-rel-role-91 of p"),
        ('(w / want-01 :polarity "no")', "constant", "warning", ":polarity is -"),
        ('(w / want-01 :mode "imperative")', "constant", "warning", ":mode is imperative"),
        ('(b / boy :quant "2")', "constant", "warning", "stands in quotation marks"),
        ('(g / go-02 :time "2002-12-31")', "constant", "warning", "AMR has a date-entity with"),
        ('(g / go-02 :time "6:30")', "constant", "warning", 'with :time "6:30"'),
        ('(d / date-entity :time "25/12/2020")', "constant", "warning", ":month 12, :day 25"),
        ('(b / boy :quant "$42,000")', "constant", "warning", ":quant 42000, :unit dollar"),
        ('(b / boy :quant "3.5 million euros")', "constant", "warning", ":quant 3500000"),
        ('(p / percentage-entity :value "50%")', "constant", "warning", "with :value 50"),
        ('(b / boy :mod "-5 °C")', "constant", "warning", ":quant -5, :unit degree"),
        ('(b / boy :mod "5-1")', "constant", "warning", "score-entity with :op1 5, :op2 1"),
        ("(g / go-02 :time 2002-12-31)", "constant", "warning", "AMR has a date-entity with"),
        ("(b / boy :quant $5)", "constant", "warning", ":quant 5, :unit dollar"),
        ('(b / boy :quant "42,000")', "constant", "warning", "stands in quotation marks"),
        ('(b / boy :quant "million")', "constant", "warning", "stands in quotation marks"),
        ("(x / .)", "structure", "error", "'.' of x consists of signs alone"),
        ("(b / boy :mod (x / &))", "structure", "error", "'&' of x consists of signs alone"),
        ("(b / boy :mod (x / %))", "structure", "error", "'%' of x consists of signs alone"),
        ("(b / boy :quant (x / $))", "structure", "error", "'$' of x consists of signs alone"),
        ("(m / mr.)", "structure", "error", "'mr.' of m ends with a full stop"),
        ('(p / person :name "Zoë")', "name", "error", "is a bare word"),
        ("(w / want-01 :ARG0 w)", "loop", "warning", "points at itself"),
        ("(w / want-01 :ARG1 (g / go-02 :mod w))", "cycle", "warning", "go round in a circle"),
    ],
)  # fmt: skip
def test_each_fault_is_found_with_its_reason(
    penman: str, kind: str, severity: str, reason: str
) -> None:
    found = [p for p in problems(penman) if p.kind == kind and reason in p.reason]
    assert [p.severity for p in found] == [severity]
    assert found[0].nodes or found[0].edge


@pytest.mark.parametrize(
    ("penman", "kind", "text"),
    [
        ("(w / want-01 :arg0 (b / boy))", "unknown-role", "(w / want-01 :ARG0 (b / boy))"),
        ("(t / tall :domain (g / girl) :degree (m / more) :compared-to (b / boy))", "former-role",
         "(t / tall :ARG2-of (h / have-degree-91 :ARG1 (g / girl) :ARG3 (m / more) "
         ":ARG4 (b / boy)))"),
        ("(t / tall :compared-to 7)", "former-role",
         "(t / tall :ARG2-of (h / have-degree-91 :ARG4 7))"),
        ("(w / want-01 :ARG3 (b / boy))", "no-argument", "(w / want-01 :ARG0 (b / boy))"),
        ("(g / go-07 :mod (b / boy))", "unknown-frame", "(g / go-01 :mod (b / boy))"),
        ('(b / boy :name "Bo Li")', "name",
         '(b / boy :name (n / name :op1 "Bo" :op2 "Li"))'),
        ("(b / boy :name (n / name :op1 Bo))", "name", '(b / boy :name (n / name :op1 "Bo"))'),
        ('(w / want-01 :polarity "no")', "constant", "(w / want-01 :polarity -)"),
        ('(w / want-01 :mode "imperative")', "constant", "(w / want-01 :mode imperative)"),
        ("(w / want-01 :ARG0 w)", "loop", "(w / want-01)"),
        ("(w / want-01 : (b / boy))", "unknown-role", "(w / want-01 :ARG0 (b / boy))"),
        ("(w / want-01 :ARG0 (b / boy) : (g / girl))", "unknown-role",
         "(w / want-01 :ARG0 (b / boy) :ARG1 (g / girl))"),
        ("(a / and :op1 (b / boy) :null_edge (g / girl))", "unknown-role",
         "(a / and :op1 (b / boy) :op2 (g / girl))"),
        ("(b / boy :null_edge (o / old))", "unknown-role", "(b / boy :mod (o / old))"),
        ("(a / and :op2 (b / boy) :op5 (g / girl) :op5 (o / old))", "structure",
         "(a / and :op1 (b / boy) :op2 (g / girl) :op3 (o / old))"),
        ("(a / and :op1 (b / boy) :op1 (g / girl) :op2 (o / old))", "structure",
         "(a / and :op1 (b / boy) :op2 (g / girl) :op3 (o / old))"),
        ('(s / "search engine")', "structure", "(s / search-engine)"),
        ("(b / boy :quant (j / 7))", "structure", "(b / boy :quant 7)"),
        ("(w / want-01 :polarity (n / -))", "structure", "(w / want-01 :polarity -)"),
        ("(w / want-01 :ARG1 (g / go-02 :mod w))", "cycle", "(w / want-01 :ARG1 (g / go-02))"),
        ("(a / and :ARG0 (b / boy) :op1 (g / girl))", "argument-of-no-frame",
         "(a / and :op2 (b / boy) :op1 (g / girl))"),
        ("(w / want :ARG0 (b / boy))", "argument-of-no-frame", "(w / want-01 :ARG0 (b / boy))"),
        ("(b / boy :ARG0 (o / old))", "argument-of-no-frame", "(b / boy :mod (o / old))"),
        ("(e / engine-01 :mod (b / boy))", "unknown-frame", "(e / engine :mod (b / boy))"),
        ("(g / go-02 :ARG1 (b / boy) :ARG0 (o / old))", "no-argument",
         "(g / go-09 :ARG1 (b / boy) :ARG0 (o / old))"),
        ('(b / boy :name (n / name :op1 "Bo" :ARG1 "Li"))', "name",
         '(b / boy :name (n / name :op1 "Bo" :op2 "Li"))'),
        ('(g / go-02 :time "2002-12-31")', "constant",
         "(g / go-02 :time (d / date-entity :month 12 :day 31 :year 2002))"),
        ('(d / date-entity :time "2002-12-31" :year 2002)', "constant",
         "(d / date-entity :year 2002 :month 12 :day 31)"),
        ('(d / date-entity :time "6:30 pm")', "constant", '(d / date-entity :time "18:30")'),
        ('(b / boy :quant "$42,000")', "constant",
         "(b / boy :quant (m / monetary-quantity :quant 42000 :unit (d / dollar)))"),
        ('(p / percentage-entity :value "50%")', "constant", "(p / percentage-entity :value 50)"),
        ('(b / boy :mod "-5 °C")', "constant",
         "(b / boy :mod (t / temperature-quantity :quant -5 :unit (d / degree) "
         ":scale (c / celsius)))"),
        ("(g / go-02 :time 2002-12-31)", "constant",
         "(g / go-02 :time (d / date-entity :month 12 :day 31 :year 2002))"),
        ('(b / boy :quant "42,000")', "constant", "(b / boy :quant 42000)"),
        ('(b / boy :quant "3.5 million")', "constant", "(b / boy :quant 3500000)"),
        ("(m / mr.)", "structure", "(m / mr)"),
        ("(h / half---time)", "structure", "(h / half-time)"),
        ("(x / & :op1 (b / boy))", "structure", "(x / and :op1 (b / boy))"),
        ("(b / boy :mod (x / €))", "structure", "(b / boy :mod (x / euro))"),
        ("(b / boy :mod (x / %-01 :value 5))", "structure",
         "(b / boy :mod (x / percentage-entity :value 5))"),
        ('(b / boy :name (n / name :op1 "Bo" :op2 (o / old)))', "name",
         '(b / boy :name (n / name :op1 "Bo") :mod (o / old))'),
    ],
)  # fmt: skip
def test_a_fix_takes_the_fault_away(penman: str, kind: str, text: str) -> None:
    assert fixed(penman, kind) == text


def test_constants_that_a_value_never_is_are_named(cases: dict[str, Any]) -> None:
    """Case c71, beside its number in quotation marks, "3.5", where nothing counts."""
    for constant in (one for some in cases["c71"]["expected"]["never"] for one in some):
        if constant == "6:30":
            with pytest.raises(PenmanError, match='"6:30"'):
                parse_penman(f"(b / boy :quant {constant})")
        else:
            (found,) = problems(f"(b / boy :quant {constant})")
            assert found.kind == "constant"
            assert constant in found.reason
            assert (found.edge or ("",))[0] == "b"
            assert found.fixes


def test_what_no_graph_may_hold_is_an_error_with_a_fix(cases: dict[str, Any]) -> None:
    case = cases["c72"]
    lists = case["input"]["penman"], case["expected"]["reject"], case["expected"]["problem_names"]
    fixes = [None, "and", "dollar", "percentage-entity", "name", "wave-01"]
    for number, (penman, is_wrong, name) in enumerate(zip(*lists, strict=True)):
        errors = [p for p in problems(penman, PLAIN) if p.severity == "error"]
        assert len(errors) == is_wrong
        if is_wrong:
            assert name in errors[0].reason
            assert errors[0].nodes
            texts = " ".join(fix.text for fix in errors[0].fixes)
            assert (fixes[number] or "") in texts


def test_a_circle_is_opened_only_where_all_stays_linked() -> None:
    graph = parse_penman("(w / want-01 :ARG0 (b / boy :mod (o / old)) :ARG1 (g / go-02 :time w))")
    (circle,) = [p for p in all_problems(graph, PLAIN) if p.kind == "cycle"]
    assert [fix.text for fix in circle.fixes] == ["delete g :time w", "delete w :ARG1 g"]


def test_frames_that_amr_alone_has_are_known_beside_a_list_of_verbs() -> None:
    counts = Counts({"have-rel-role-91": 9}, {}, {}, frozenset(), 9)
    listed = Lexicon(FRAMES, "own", counts)
    graph = parse_penman("(h / have-rel-role-91 :ARG0 (b / boy))")
    assert not [p for p in all_problems(graph, listed) if p.kind == "unknown-frame"]
    other = parse_penman("(h / have-rel-roll-91 :ARG0 (b / boy))")
    assert [p for p in all_problems(other, listed) if p.kind == "unknown-frame"]


def test_frames_are_looked_up_without_a_list_too() -> None:
    counts = Counts({"study-01": 9, "ride-01": 4, "rider": 2}, {}, {}, frozenset(), 9)
    lexicon = Lexicon({}, "", counts)

    def found(penman: str, text: str) -> list[tuple[str, list[str]]]:
        sentence = tokenize(text)
        every = all_problems(parse_penman(penman), lexicon, sentence.tokens, sentence.lemmas)
        unknown = [problem for problem in every if problem.kind == "unknown-frame"]
        return [(problem.reason, [fix.text for fix in problem.fixes]) for problem in unknown]

    ((reason, fixes),) = found("(s / stud-01 :ARG0 (b / boy))", "The boy was studying.")
    assert reason == "no training graph has stud-01; near it are study-01"
    assert fixes == ["study-01"]
    assert found("(r / rid-01)", "Riding")[0][1] == ["ride-01"]
    assert not found("(s / stud-01)", "The wall is studded.")
    assert not found("(p / purr-01)", "Purr")
    ((reason, fixes),) = found("(a / ambit-01)", "Ambition")
    assert reason.startswith("no list and no training graph has ambit-01")
    assert fixes == ["ambit, no frame"]
    assert found("(r / study-77)", "Study")[0][1][0] == "study-01"


def test_without_a_frame_list_nothing_is_said_of_senses() -> None:
    kinds = {p.kind for p in problems("(g / go-07 :ARG5 (b / boy))", PLAIN)}
    assert not kinds & {"unknown-frame", "no-argument"}


def test_parts_that_nothing_links_are_errors() -> None:
    graph = AmrGraph((Node("a", "boy"), Node("b", "girl"), Node("c", "old")), (),
                     (Edge("b", ":mod", "c"),), "a")  # fmt: skip
    found = [p for p in all_problems(graph, PLAIN) if p.kind == "part"]
    assert [(p.severity, p.nodes) for p in found] == [("error", ("b", "c"))]


def test_words_that_nothing_stands_for_are_named_with_a_fix() -> None:
    graph = parse_penman("(w / want-01~1 :ARG0 (b / boy~0))")
    tokens = ("boys", "want", "the", "cake", ".")
    found = all_problems(graph, PLAIN, tokens, ("boy", "want", "the", "cake", "."))
    assert [(p.kind, p.tokens) for p in found] == [("uncovered", (3,))]
    after = apply_edit(graph, found[0].fixes[0].edit)
    assert "c / cake" in format_penman(after)
    assert not all_problems(after, PLAIN, tokens, tokens)


def unsaid(penman: str, text: str) -> list[str]:
    """Give the words of a sentence that nothing is said to stand for; all lemmas are words."""
    tokens = text.split()
    lemmas = [{"cells": "cell", "boats": "boat"}.get(word.lower(), word.lower()) for word in tokens]
    found = all_problems(parse_penman(penman), PLAIN, tokens, lemmas)
    return [tokens[problem.tokens[0]] for problem in found if problem.kind == "uncovered"]


WENT = "(g / go-02~3 :ARG0 (h / he~2) {} (r / rain-01~1))"


@pytest.mark.parametrize(
    ("word", "role"),
    [
        ("Although", ":concession"),
        ("Because", ":cause"),
        ("If", ":condition"),
        ("When", ":time"),
        ("While", ":time"),
        ("Before", ":time"),
        ("Where", ":location"),
    ],
)
def test_a_word_is_left_out_only_where_no_role_says_it(word: str, role: str) -> None:
    text = f"{word} rained he went"
    assert unsaid(WENT.format(role), text) == []
    assert unsaid(WENT.format(":topic"), text) == [word]


@pytest.mark.parametrize(
    ("penman", "text", "left"),
    [
        ("(g / go-02~2 :ARG0 (h / he~0))", "He not went", ["not"]),
        ("(g / go-02~2 :ARG0 (h / he~0) :polarity -)", "He not went", []),
        ("(g / go-02~2 :ARG0 (h / he~0) :polarity -~1 :time (s / sleep-01~5))",
         "He not went nor not slept", ["nor", "not"]),
        ("(m / man~1 :ARG0-of (c / come-01~3))", "The man who came", []),
        ("(c / come-01~1)", "Who came ?", ["Who"]),
        ("(c / come-01~1 :ARG0 (a / amr-unknown))", "Who came ?", []),
        ("(w / want-01~1 :ARG0 (i / i~0) :ARG1 (g / go-02~3 :ARG0 i))", "I want myself go", []),
        ("(w / want-01~1 :ARG0 (b / boy~0) :ARG1 (g / go-02~3))", "boy want he go", ["he"]),
        ("(w / want-01~1 :ARG0 (b / boy~0) :ARG1 (g / go-02~3 :ARG0 b))", "boy want he go", []),
        ("(g / go-02~1 :ARG0 (b / boat))", "I go", ["I"]),
        ("(a / and~3 :op1 (b / boat~0) :op2 (c / cup~2) :op3 (d / day~4))",
         "boat and cup and day", []),
        ("(b / boat~0 :mod (c / cup~2))", "boat and cup", ["and"]),
        ("(c / city~2 :name (n / name~2 :op1 \"New\" :op2 \"York\"))", "boat and city",
         ["boat", "and"]),
        ("(c / cell-line~1 :mod (b / big~0))", "big Caco cells", []),
        ("(c / culture-01~2 :ARG1 (d / day~3))", "co - culture day", []),
        ("(b / boat~0 :mod (b2 / big~1))", "boat big boats", ["boats"]),
        ("(s / see-01~1 :ARG0 (b / boat~0) :ARG1 (c / cup~2 :poss b))", "boat see cup boats", []),
    ],
)  # fmt: skip
def test_what_structure_says_is_not_left_out(penman: str, text: str, left: list[str]) -> None:
    assert unsaid(penman, text) == left


def test_a_missing_negation_is_offered_and_no_concept_for_a_conjunction() -> None:
    graph = parse_penman("(g / go-02~2 :ARG0 (h / he~0))")
    tokens = ("He", "not", "went", "although")
    negation, conjunction = all_problems(graph, PLAIN, tokens, ("he", "not", "go", "although"))
    assert "no :polarity" in negation.reason
    after = apply_edit(graph, negation.fixes[0].edit)
    assert [item.value for item in after.attributes] == ["-"]
    assert "no :concession" in conjunction.reason
    assert not conjunction.fixes


def test_left_out_words_are_found_and_good_graphs_left_alone(data_folder: Path) -> None:
    pairs = read_gold([data_folder / "guidelines/amr-guidelines-1.2.6.part.txt"]).pairs
    false, found, total = measure(pairs)
    assert false.total() < 0.2 * len(pairs)
    assert found > 0.8 * total


def test_a_key_stays_while_the_fault_does_and_changes_with_it() -> None:
    graph = parse_penman("(w / want-01 :ARG3 (b / boy))")
    (before,) = all_problems(graph, LISTED)
    elsewhere = apply_edit(graph, RenameNode("b", "girl"))
    assert [p.key for p in all_problems(elsewhere, LISTED)] == [before.key]
    other = apply_edit(graph, RenameNode("w", "go-02"))
    assert before.key not in [p.key for p in all_problems(other, LISTED)]


@pytest.mark.parametrize(
    ("penman", "text", "is_asked"),
    [
        ("(g / go-02 :ARG0 (b / boy))", "Does the boy go ?", True),
        ("(g / go-02 :ARG0 (b / boy))", '" Does the boy go ? "', True),
        ("(g / go-02 :ARG0 (b / boy))", "The boy goes ?!", True),
        ("(g / go-02 :ARG0 (b / boy))", "The boy goes .", False),
        ("(g / go-02 :ARG0 (b / boy))", '" Go ? " , the boy said .', False),
        ("(g / go-02 :ARG0 (b / boy))", "", False),
        ("(g / go-02 :polarity (a / amr-unknown))", "Does it go ?", False),
        ("(g / go-02 :ARG0 (a / amr-unknown))", "Who goes ?", False),
        ("(g / go-02 :ARG0 (a / amr-choice))", "Does he go or she ?", False),
        ("(g / go-02 :mode interrogative)", "Going ?", False),
        ("(g / go-02 :mode imperative :polite +)", "Could you go ?", False),
        ("(k / know-01 :ARG1 (t / truth-value))", "You know whether he goes ?", False),
    ],
)
def test_a_question_whose_graph_asks_nothing_is_asked_about(
    penman: str, text: str, is_asked: bool
) -> None:
    found = all_problems(parse_penman(penman), PLAIN, text.split())
    assert [p.severity for p in found if p.kind == "question"] == ["warning"] * is_asked


def test_questions_of_the_case_are_asked_about(cases: dict[str, Any]) -> None:
    case = cases["c73"]
    for item, is_asked in zip(case["input"]["items"], case["expected"]["flagged"], strict=True):
        found = all_problems(parse_penman(item["penman"]), PLAIN, tokenize(item["snt"]).tokens)
        assert [p.severity for p in found if p.kind == "question"] == ["warning"] * is_asked


@pytest.mark.parametrize(
    ("penman", "texts"),
    [
        ("(g / go-02)", ["(g / go-02 :polarity (a / amr-unknown))",
                         "(g / go-02 :mode interrogative)"]),
        ("(g / go-02 :polarity -)", ["(g / go-02 :polarity - :mode interrogative)"]),
    ],
)  # fmt: skip
def test_a_question_is_asked_at_the_root(penman: str, texts: list[str]) -> None:
    graph, tokens = parse_penman(penman), ["Going", "?"]
    (found,) = (p for p in all_problems(graph, PLAIN, tokens) if p.kind == "question")
    mended = [apply_edit(graph, fix.edit) for fix in found.fixes]
    assert [" ".join(format_penman(after).split()) for after in mended] == texts
    assert not any(p.kind == "question" for g in mended for p in all_problems(g, PLAIN, tokens))


def test_signs_that_nobody_sees_are_an_error_with_a_fix_and_are_not_typed_in() -> None:
    graph = parse_penman("(b / bo\u200by :mod (o / \u202eold))")
    found = [problem for problem in all_problems(graph, LISTED) if problem.kind == "hidden"]
    assert [(problem.nodes, problem.severity) for problem in found] == [
        (("b",), "error"),
        (("o",), "error"),
    ]
    assert "U+202E" in found[1].reason
    for problem in found:
        graph = apply_edit(graph, problem.fixes[0].edit)
    assert [node.concept for node in graph.nodes] == ["boy", "old"]
    with pytest.raises(EditError, match=r"nobody sees: U\+202E, U\+200B"):
        apply_edit(graph, RenameNode("b", "a\u202eb\u200bc"))


def test_graphs_of_free_sets_have_few_errors(data_folder: Path) -> None:
    records = read_corpus(data_folder / "little-prince/v3.0/amr-bank-struct-v3.0-dev.txt").records
    graphs = [record.graph for record in records if record.graph is not None]
    errors = [p for g in graphs for p in all_problems(g, PLAIN) if p.severity == "error"]
    assert len(errors) <= 3, errors
    for graph in graphs:
        keys = [problem.key for problem in all_problems(graph, PLAIN)]
        assert len(set(keys)) == len(keys)
