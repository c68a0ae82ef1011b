"""Lessons: the shipped ones, the checks of the format, and the form that makes one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from app.addresses.codec import format_link, parse_link
from app.addresses.exercises import ExerciseLink
from app.kit.glossary import TERMS, with_terms
from app.lessons.files import VARIABLE, lesson_files
from app.lessons.lesson import (
    FIELDS,
    KINDS,
    MAX_FILE,
    Lesson,
    decode_lesson,
    field_problems,
    load_lessons,
    read_lesson,
)
from app.lessons.making import Draft, draft_of, format_lesson, make_lesson
from app.pages.exercises.course import course_of
from app.pages.exercises.play import act, begin, score_of, state_of
from aptcore.errors import AptamrError, FormatError
from aptcore.graph.amr import Alignment, AmrGraph, Attribute, Node, Sentence
from aptcore.graph.validation import problems_of
from aptcore.oracle.goal import is_on_way
from aptcore.oracle.right_actions import right_actions
from aptcore.transition.actions import format_action
from aptcore.transition.machine import start
from aptcore.transition.sets import PAPER
from aptcore.words.tokens import tokenize
from tests.app.lessons import BOY, WALK, lesson_of

SHIPPED = load_lessons(lesson_files())
DOCS = Path(__file__).resolve().parents[4] / "docs" / "lessons.md"


def test_at_least_eight_lessons_ship_and_all_can_be_read() -> None:
    assert not SHIPPED.problems
    assert len(SHIPPED.lessons) >= 8
    assert len({lesson.id for lesson in SHIPPED.lessons}) == len(SHIPPED.lessons)


def test_the_lessons_lead_through_every_kind_of_action() -> None:
    asked = {kind for lesson in SHIPPED.lessons for kind in lesson.asks or KINDS}
    assert asked == set(KINDS)
    first = {kind: next(n for n, lesson in enumerate(SHIPPED.lessons) if kind in lesson.asks)
             for kind in KINDS if kind != "ROOT"}  # fmt: skip
    assert first["SHIFT"] == first["REDUCE"] < first["COPY"] < first["PRED"] < first["LA"]
    assert first["LA"] == first["RA"] < first["CONST"] < first["SUBGRAPH"] < first["MERGE"]


@pytest.mark.parametrize("lesson", SHIPPED.lessons, ids=lambda lesson: lesson.id)
def test_a_shipped_lesson_is_finished_by_its_own_kinds_of_action(lesson: Lesson) -> None:
    play = begin(lesson, "build", "full")
    while not state_of(play).is_closed:
        right = right_actions(lesson.goal, state_of(play))[0]
        play = act(play, format_action(right))
    assert play.notice is not None
    assert play.notice.kind == "done"
    assert is_on_way(lesson.goal, state_of(play))
    good, num = score_of(play)
    assert good == num > 0


@pytest.mark.parametrize("lesson", SHIPPED.lessons, ids=lambda lesson: lesson.id)
def test_a_shipped_graph_has_nothing_to_look_at(lesson: Lesson) -> None:
    assert not problems_of(lesson.goal.graph)
    names = [node.id for node in lesson.goal.graph.nodes]
    assert set(names) <= set(lesson.goal.graph.alignments)


@pytest.mark.parametrize("lesson", SHIPPED.lessons, ids=lambda lesson: lesson.id)
def test_the_words_of_a_shipped_lesson_are_those_of_the_program(lesson: Lesson) -> None:
    assert tokenize(lesson.sentence.text).tokens == lesson.sentence.tokens


def test_every_field_is_documented() -> None:
    text = DOCS.read_text(encoding="utf-8")
    documented = set(re.findall(r"^\| `([a-z_]+)`", text, re.M))
    assert documented == set(FIELDS)
    example = re.search(r"^```json\n(.*?)^```", text, re.S | re.M)
    assert example is not None
    assert read_lesson(example[1]).sentence.text


# --- the format ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"schema": 2}, "schema 2, this program reads schema 1"),
        ({"schema": True}, "'schema' must be a whole number, not true"),
        ({"task": None}, "'task' is missing"),
        ({"task": "  "}, "'task' is empty"),
        ({"id": "A boy"}, "small letters, digits and hyphens"),
        ({"id": ""}, "small letters, digits and hyphens"),
        ({"hnit": "x"}, "unknown field 'hnit': is it 'hint'?"),
        ({"mode": "watch"}, "'mode' is 'watch'; choose one of build, predict"),
        ({"feedback": ["full"]}, "'feedback' must be a text"),
        ({"asks": ["FLY"]}, "'asks' names \"FLY\""),
        ({"start": 13}, "'start' is 13; the whole walk has 13 actions: 0 to 12"),
        ({"start": -1}, "'start' is -1"),
        ({"graph": "(w / want-01"}, "line 1"),
        ({"graph": "(w / want-01~e.9)"}, "~e.9 is past the last token, 5"),
        ({"graph": "(w / want-01~e.2 :foo (b / boy~e.1))"}, ":foo"),
        ({"graph": "(w / want-01~e.2 :ARG0 w)"}, "no action of the set 'paper'"),
        ({"sentence": {"text": "Go."}}, "'tokens' in 'sentence' must be a list of words"),
        ({"sentence": {"text": "Go", "tokens": ["Go"], "lemmas": []}}, "'lemmas'"),
        ({"sentence": {"text": "Go", "tokens": ["Go"], "lemmas": ["go", "."]}}, "1 tokens but 2"),
        ({"sentence": {"text": "Go", "tokens": ["Run"], "lemmas": ["run"]}}, "is not in its text"),
        ({"sentence": {"text": "Go", "word": 1}}, "unknown field 'word' in 'sentence'"),
        ({"sentence": BOY["sentence"] | {"derived": [[]]}}, "'derived' must hold"),
        ({"trace": {"model": "m"}}, "'trace' must hold"),
        ({"trace": {"model": "m", "actions": ["SHIFT"], "entropies": []}}, "one number for each"),
        ({"trace": {"model": "m", "actions": ["SHIFT"], "entropies": [1]}}, "SHIFT at 0 is illeg"),
        ({"trace": {"model": "m", "actions": ["FLY"], "entropies": [1]}}, "FLY"),
    ],
)
def test_a_bad_lesson_is_refused_with_the_reason(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(FormatError, match=re.escape(words)):
        lesson_of(**changes)


def test_all_problems_of_the_fields_come_at_once() -> None:
    problems = field_problems({"schema": "1", "titel": "x", "mode": "watch"})
    assert len(problems) == 8


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "lesson.json:1: the file is not JSON"),
        ("[]", "a JSON object is needed"),
        ("[" * 100_000, "not JSON"),
        (" " * (MAX_FILE + 1), "at most 100,000"),
    ],
)
def test_a_file_that_is_no_lesson_is_named(text: str, words: str) -> None:
    with pytest.raises(FormatError, match=re.escape(words)):
        read_lesson(text, path="lesson.json")


def test_a_bad_file_hides_no_other(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}", encoding="utf-8")
    (tmp_path / "b.json").write_text(json.dumps(BOY), encoding="utf-8")
    (tmp_path / "c.json").write_bytes(b"\xff")
    found = load_lessons(sorted(tmp_path.glob("*.json")))
    assert [lesson.id for lesson in found.lessons] == ["boy"]
    assert len(found.problems) == 2


def test_too_many_alike_at_one_word_are_refused() -> None:
    graph = "(w / want-01~e.2 " + " ".join(f":op{n} (b{n} / boy~e.1)" for n in range(1, 6)) + ")"
    with pytest.raises(FormatError, match="5 nodes are called 'boy' at 'boy'"):
        lesson_of(graph=graph)


def test_what_is_not_given_has_its_default() -> None:
    lesson = lesson_of(action_set=None, hint=None)
    assert (lesson.mode, lesson.feedback, lesson.is_goal_shown) == ("build", "full", True)
    assert (lesson.goal.action_set.name, lesson.asks, lesson.start) == ("exact", (), 0)
    assert tuple(map(format_action, lesson.walk)) == WALK


# --- the form -----------------------------------------------------------------------------


def test_a_form_gives_a_lesson_with_its_graph_aligned() -> None:
    made = make_lesson(Draft("The cat sleeps.", "(s / sleep-01 :ARG0 (c / cat))", "A cat", "Go."))
    assert made.penman.split() == "(s / sleep-01~e.2 :ARG0 (c / cat~e.1))".split()
    assert made.rows[0] == ("s / sleep-01", "sleeps (2)", made.rows[0][2])
    assert made.lesson.id == "a-cat"
    again = read_lesson(format_lesson(made.lesson))
    assert again.document == made.lesson.document
    assert make_lesson(draft_of(again)).lesson.document == made.lesson.document


def test_the_marks_of_an_instructor_are_kept() -> None:
    draft = Draft("The cat sleeps.", "(s / sleep-01 :ARG0 (c / cat~e.0))", "A cat", "Go.")
    made = make_lesson(draft)
    assert made.rows[1] == ("c / cat", "The (0)", "yours")
    assert format_action(made.lesson.walk[0]) == "PRED(cat)"


def test_a_lesson_of_all_actions_holds_what_copies_make() -> None:
    penman = "(a / arrive-01 :time (s / sudden))"
    made = make_lesson(Draft("A sudden arrival.", penman, "x", "y", action_set="exact"))
    assert any(made.lesson.sentence.derived)
    assert read_lesson(format_lesson(made.lesson)).sentence == made.lesson.sentence


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"text": " "}, "There is no sentence yet"),
        ({"penman": ""}, "There is no graph yet"),
        ({"penman": "(s / sleep-01"}, "line 1"),
        ({"penman": "(s / sleep-01~e.7)"}, "past the last token"),
        ({"penman": "x" * 20_001}, "at most 20,000"),
        ({"title": ""}, "'title' is empty"),
        ({"task": ""}, "'task' is empty"),
        ({"start": 99}, "'start' is 99"),
    ],
)
def test_a_form_that_is_not_complete_is_refused(changes: dict[str, Any], words: str) -> None:
    fields = {"text": "The cat sleeps.", "penman": "(s / sleep-01)", "title": "x", "task": "y"}
    with pytest.raises(AptamrError, match=re.escape(words)):
        make_lesson(Draft(**fields | changes))


# --- the glossary -------------------------------------------------------------------------


def test_terms_are_found_once_and_as_whole_words() -> None:
    assert with_terms("Nodes, a node, nodes; denoted COPY(lemma).") == (
        "Nodes, a ",
        ("node", "node"),
        ", nodes; denoted ",
        ("COPY(lemma)", "COPY(lemma)"),
        ".",
    )


def test_every_text_is_whole_after_terms_are_cut_out() -> None:
    for lesson in SHIPPED.lessons:
        pieces = with_terms(lesson.task)
        assert "".join(p if isinstance(p, str) else p[0] for p in pieces) == lesson.task
        assert all(isinstance(p, str) or p[1] in TERMS for p in pieces)


def test_a_lesson_can_be_made_of_a_graph_without_alignment() -> None:
    sentence = Sentence("s", "Go", ("Go",), ("go",))
    graph = AmrGraph((Node("g", "go-02"),), (Attribute("g:mode", "g", ":mode", "imperative"),),
                     (), "g", {"g": Alignment((0,), "given")})  # fmt: skip
    document = BOY | {
        "sentence": {"text": "Go", "tokens": ["Go"], "lemmas": ["go"]},
        "graph": "(g / go-02~e.0 :mode imperative)",
    }
    lesson = decode_lesson(document)
    assert lesson.goal.graph.root == graph.root
    assert len(right_actions(lesson.goal, start(sentence, PAPER))) > 1


# --- lessons that follow one another --------------------------------------------------------


def test_lessons_of_ones_own_follow_those_that_ship(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, name in enumerate(("mine", "copy")):
        text = json.dumps(BOY | {"id": name})
        (tmp_path / f"{number}.json").write_text(text, encoding="utf-8")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    found = load_lessons(lesson_files())
    assert found.lessons[-1].id == "mine"
    assert found.problems == ("1.json: another lesson has the id 'copy'",)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "gone"))
    assert len(load_lessons(lesson_files()).lessons) == len(SHIPPED.lessons)


def test_an_address_chooses_lessons_and_their_order() -> None:
    course = course_of(SHIPPED.lessons, ("edges", "copy"))
    assert [lesson.id for lesson in course.lessons] == ["edges", "copy"]
    assert course.problem is None
    edges, copy = course.lessons
    assert course.after(edges) is copy
    assert course.after(copy) is None
    assert course.after(lesson_of()) is None


def test_lessons_of_a_set_that_are_not_there_are_named() -> None:
    course = course_of(SHIPPED.lessons, ("edges", "mine", "yours"))
    assert [lesson.id for lesson in course.lessons] == ["edges"]
    assert course.problem is not None
    assert course.problem.startswith("Lessons of this set are not here: mine, yours.")
    assert "--lessons" in course.problem
    none = course_of(SHIPPED.lessons, ("mine",))
    assert none.lessons == SHIPPED.lessons
    assert none.problem is not None
    assert none.problem.startswith("A lesson of this set is not here: mine.")


def test_a_set_stands_in_the_address() -> None:
    link = ExerciseLink(lessons=("edges", "copy"), lesson="copy")
    assert format_link(link) == {"lesson": "copy", "lessons": "edges,copy"}
    assert parse_link(ExerciseLink, format_link(link)) == link
    said = {"lessons": " edges ,, copy,edges"}
    assert parse_link(ExerciseLink, said).lessons == ("edges", "copy")
    assert parse_link(ExerciseLink, {"lessons": " , "}).lessons is None
