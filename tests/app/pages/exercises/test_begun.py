"""A lesson begun with a parser's own graph, and what the form says of a graph that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.addresses.packed import MAX_PACKED, pack
from app.lessons.lesson import read_lesson
from app.lessons.making import make_lesson
from app.lessons.parts import read_graph
from app.pages.exercises.opening import unpack_draft
from app.pages.parse.page_lesson import lesson_of
from aptcore.assets import asset_path
from aptcore.errors import AptamrError, FormatError
from aptcore.trace.format import load_trace
from aptcore.trace.trace import Trace
from aptcore.words.tokens import tokenize
from tests.app.pages.exercises.test_page import check, open_page, parameter, shown

TRACES = sorted(asset_path("traces").glob("*.json"))


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_a_parse_begins_a_lesson_whose_parts_stand_at_the_tokens_that_made_them(path: Path) -> None:
    trace = load_trace(path)
    draft = unpack_draft(pack(lesson_of(trace)) or "")
    assert draft.text == trace.sentence.text
    lesson = make_lesson(draft).lesson
    goal = lesson.goal.graph
    made = {item.name: item.tokens for item in trace.items if not item.is_constant}
    found = {name: goal.alignments[name].tokens for name in made}
    assert found == made


def test_constants_keep_their_tokens_too(trace_of_lima: Trace) -> None:
    assert lesson_of(trace_of_lima)["graph"].count("~e.") == len(trace_of_lima.items)


@pytest.fixture
def trace_of_lima() -> Trace:
    """The stored trace with the most constants."""
    return max(map(load_trace, TRACES), key=lambda t: sum(item.is_constant for item in t.items))


@pytest.mark.parametrize(
    "packed",
    ["x", "%%", "A" * (MAX_PACKED + 1), pack({"text": "Go."}), pack({"text": 1, "graph": 2})],
)
def test_what_is_no_sentence_with_its_graph_begins_nothing(packed: str) -> None:
    with pytest.raises(FormatError):
        unpack_draft(packed)
    page = open_page(make=packed)
    assert "Nothing can be begun" in page.error[0].value


def test_a_graph_in_the_address_opens_the_form_alone_checked_and_keeps_corrections() -> None:
    page = open_page(make=pack({"text": "The cat sleeps.", "graph": "(s / sleep-02~e.2)"}) or "")
    assert not page.get("bidi_component")
    assert page.success
    assert page.text_area(key="make_penman").value == "(s / sleep-02~e.2)"
    page.text_area(key="make_penman").set_value("(s / sleep-01~e.2 :ARG0 (c / cat))")
    check(page)
    assert "cat~e.1" in page.text_area(key="make_penman").value
    next(b for b in page.button if b.label == "Open it here").click().run()
    exercise = shown(page)["exercise"]
    assert (exercise["title"], exercise["turn"]) == ("The cat sleeps.", 1)
    assert parameter(page, "make") is None


def test_a_wrong_graph_is_shown_with_its_line_and_a_caret() -> None:
    page = open_page()
    page.text_area(key="make_penman").set_value("(s / sleep-01\n   :ARG0 (c / ))")
    check(page)
    assert "Line 2" in page.error[0].value
    line, caret = page.code[0].value.split("\n")
    assert line.lstrip() == ":ARG0 (c / ))"
    assert line[caret.index("^")] == ")"


def test_a_mark_past_the_last_token_is_shown_with_its_place() -> None:
    sentence = tokenize("The cat sleeps.")
    for penman in ("(s / sleep-01~e.2\n  :ARG0 (c / cat~e.9))", "(s / cat\n  :op1 2~e.1,9)"):
        with pytest.raises(FormatError) as caught:
            read_graph(penman, sentence)
        assert caught.value.line == 2
        assert (caught.value.text or "")[caught.value.offset or 0] == "~"


def test_a_lesson_file_that_is_no_json_is_shown_with_its_place() -> None:
    with pytest.raises(FormatError, match=r"x.json:2: the file is not JSON") as caught:
        read_lesson('{"schema": 1,\n "id" "a"}', path="x.json")
    assert (caught.value.text or "")[caught.value.offset or 0] == '"'
    with pytest.raises(AptamrError) as caught:
        read_lesson('{"a": "' + "x" * 900 + '" 5}')
    assert len(caught.value.text or "") <= 120
    assert (caught.value.text or "")[caught.value.offset or 0] == "5"


def test_a_class_link_names_its_lessons_in_their_order() -> None:
    page = open_page()
    page.multiselect(key="class_lessons").set_value(["edges", "copy"]).run()
    assert page.code[-1].value.endswith("?lessons=edges,copy")
    fresh = open_page(lessons="edges,copy")
    assert shown(fresh)["exercise"]["here"] == "edges"
