"""The pages by Streamlit's AppTest, with a fake parser behind them."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from app.engine import shared
from app.engine import worker as engine
from app.kit.limits import MAX_CHARACTERS
from app.pages.parse.state import CANVAS
from aptcore.errors import CheckpointError, InputError
from aptcore.trace.format import decode_trace
from aptcore.trace.trace import ModelInfo, Trace
from aptcore.transition.actions import Action, format_action
from aptcore.transition.sets import PAPER
from tests.app.traces import build_trace, want_trace

APP = Path(engine.__file__).resolve().parents[1]
TIMEOUT = 120


class FakeParser:
    info = ModelInfo("fake", "feedbeef", "none", PAPER, "cpu", "float32")

    def trace(
        self, text: str, *, beam: int, prefix: Iterable[Action] = (), **told: object
    ) -> Trace:
        if "too long" in text:
            raise InputError("the sentence has 900 tokens *and* more")
        forced = [format_action(action) for action in prefix]
        document = build_trace(["Rain", "."], ["rain", "."], walk_under(forced))
        document["prefix_length"] = len(forced)
        document["model"]["hash"] = self.info.hash
        document["sentence"]["text"] = text
        document["beam"] = beam
        return decode_trace(document)


def walk_under(forced: list[str]) -> list[str]:
    """Go on from forced actions as this parser always does: rain-01 unless told otherwise."""
    usual = ["COPY(sense)", "SHIFT", "REDUCE", "LA(0, root)"]
    return forced + usual[len(forced) :]


@pytest.fixture(autouse=True)
def stored_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, empty_caches: None) -> Path:
    folder = tmp_path / "traces"
    folder.mkdir()
    (folder / "want.json").write_text(json.dumps(want_trace()), encoding="utf-8")
    monkeypatch.setattr(shared, "asset_path", lambda name: folder)
    monkeypatch.setattr(engine, "load_parser", FakeParser)
    return folder


def open_page(**parameters: str) -> AppTest:
    page = AppTest.from_file(str(APP / "pages" / "parse" / "page.py"), default_timeout=TIMEOUT)
    for name, value in parameters.items():
        page.query_params[name] = value
    return page.run()


def submit(page: AppTest, sentence: str) -> AppTest:
    page.text_input(key="sentence").set_value(sentence)
    page.button[0].click().run()
    return settle(page)


def test_a_text_of_two_sentences_is_told_and_split_by_a_switch() -> None:
    text = "Mr. Orr left at 5 p.m. Dr. Lum stayed."
    page = submit(open_page(), text)
    assert any("looks like 2 sentences: switch Split on" in note.value for note in page.caption)
    page.toggle(key="split").set_value(True)
    page = submit(page, text)
    assert page.query_params["sentence"] == "Mr. Orr left at 5 p.m."
    page.button_group(key="part").set_value(1).run()
    settle(page)
    assert page.query_params["sentence"] == "Dr. Lum stayed."
    assert not any("looks like" in note.value for note in page.caption)


@pytest.mark.parametrize("sentence", ["", "x" * (MAX_CHARACTERS + 1)])
def test_what_was_said_of_one_sentence_is_not_said_of_the_next(sentence: str) -> None:
    page = submit(open_page(), "Der Hund schläft heute im Garten .")
    assert "looks like German" in captions(page)
    page = submit(page, sentence)
    assert page.error
    assert "looks like" not in captions(page)
    assert "Still shown: “Der Hund schläft heute im Garten \\.” **Parsed earlier**" in captions(
        page
    )


def test_a_sentence_that_cannot_be_parsed_is_remarked_on_itself() -> None:
    page = submit(open_page(), "It rains.")
    page = submit(page, "this is too long . We slept .")
    assert "looks like 2 sentences" in captions(page)
    assert "Still shown: “It rains\\.”" in captions(page)


def test_a_beam_that_is_not_that_of_what_is_shown_is_told() -> None:
    page = open_page()
    page.session_state["beam"] = 5
    page.run()
    assert "beam 10. The next parse takes beam 5." in captions(page)
    assert "The next parse" not in captions(submit(page, "It rains."))
    assert "type a sentence" not in captions(page)  # who has parsed one knows how


def settle(page: AppTest) -> AppTest:
    deadline = time.monotonic() + TIMEOUT
    while page.session_state["awaited"] is not None and time.monotonic() < deadline:
        time.sleep(0.02)
        page.run()
    assert not page.exception
    return page


def sent(page: AppTest) -> dict[str, Any]:
    component = page.get("bidi_component")[0]
    return dict(json.loads(component.proto.json))


def captions(page: AppTest) -> str:
    return "\n".join(caption.value for caption in page.caption)


def test_a_stored_trace_is_shown_before_anything_is_typed() -> None:
    page = open_page()
    assert not page.exception
    assert "**Stored trace**" in captions(page)
    assert not page.markdown  # Streamlit would print a bare string of the script
    assert sent(page)["tokens"][1] == "boy"
    assert sent(page)["start"] == 17


def test_a_typed_sentence_is_parsed_and_named_as_such() -> None:
    page = submit(open_page(), "It rains.")
    assert "**Parsed just now**" in captions(page)
    assert sent(page)["tokens"] == ["Rain", "."]
    assert sent(page)["penman"] == "(r / rain-01)"
    assert page.query_params["sentence"] in ("It rains.", ["It rains."])


def test_a_link_opens_its_sentence_at_its_step() -> None:
    page = settle(open_page(sentence="It rains.", step="2"))
    assert sent(page)["start"] == 2
    assert page.text_input(key="sentence").value == "It rains."


def test_a_link_to_a_stored_sentence_shows_the_stored_trace() -> None:
    page = open_page(sentence=want_trace()["sentence"]["text"], step="3")
    assert "**Stored trace**" in captions(page)
    assert sent(page)["start"] == 3


def test_a_stored_sentence_that_is_submitted_is_parsed_anew() -> None:
    page = submit(open_page(), want_trace()["sentence"]["text"])
    assert "**Parsed just now**" in captions(page)


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("", "no sentence"),
        ("...", "no word"),
        ("x" * (MAX_CHARACTERS + 1), "characters"),
        ("this is too long", "900 tokens \\*and\\* more"),
    ],
)
def test_bad_input_is_named_and_the_page_goes_on(sentence: str, words: str) -> None:
    page = submit(open_page(), sentence)
    assert words in page.error[0].value
    assert "**Stored trace**" in captions(page)
    page = submit(page, "It rains.")
    assert not page.error
    assert "**Parsed just now**" in captions(page)


def test_a_model_that_cannot_be_loaded_leaves_the_stored_traces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail() -> FakeParser:
        raise CheckpointError("no such folder")

    monkeypatch.setattr(engine, "load_parser", fail)
    page = submit(open_page(), "It rains.")
    assert any("No such folder" in error.value for error in page.error)
    assert "**Stored trace**" in captions(page)


def test_a_page_without_stored_traces_asks_for_a_sentence(stored_folder: Path) -> None:
    (stored_folder / "want.json").unlink()
    page = open_page()
    assert "Type a sentence" in page.info[0].value
    assert not page.get("bidi_component")


def test_a_damaged_stored_trace_is_named_and_parsing_still_works(stored_folder: Path) -> None:
    (stored_folder / "want.json").write_text("{", encoding="utf-8")
    page = open_page()
    assert "cannot be read" in page.error[0].value
    page = submit(page, "It rains.")
    assert "**Parsed just now**" in captions(page)
    assert "cannot be read" in page.error[0].value


def ask(page: AppTest, number: int, **wanted: Any) -> AppTest:
    """Put a question into the canvas's outbox, as the browser does."""
    return settle(ask_only(page, number, **wanted))


def ask_only(page: AppTest, number: int, **wanted: Any) -> AppTest:
    message = {"key": sent(page)["key"], "number": number, **wanted}
    page.session_state[CANVAS] = {"at": None, "ask": message}
    return page.run()


def test_another_action_makes_a_branch_that_can_be_left_and_taken_again() -> None:
    page = submit(open_page(), "It rains.")
    ask(page, 1, step=0, action="PRED(pour-01)")
    assert sent(page)["penman"] == "(p / pour-01)"
    assert sent(page)["start"] == 0
    told = sent(page)["whatif"]
    assert told["ack"] == 1
    assert [branch["path"] for branch in told["branches"]] == ["0:PRED(pour-01)"]
    assert told["compared"]["step"] == 0
    assert ["", "concept", "pour-01"] in told["compared"]["gained"]
    assert page.query_params["branch"] in ("0:PRED(pour-01)", ["0:PRED(pour-01)"])
    ask(page, 2, step=2, path="")
    assert sent(page)["penman"] == "(r / rain-01)"
    assert sent(page)["start"] == 2
    assert "branch" not in page.query_params
    ask(page, 3, step=2, path="0:PRED(pour-01)")
    assert sent(page)["penman"] == "(p / pour-01)"


def test_two_questions_in_a_row_are_both_of_what_the_person_saw() -> None:
    page = submit(open_page(), "It rains.")
    seen = sent(page)["key"]
    ask(page, 1, step=0, action="PRED(pour-01)")
    ask(page, 2, key=seen, step=0, action="PRED(fall-01)")  # sent before the first was answered
    told = sent(page)["whatif"]
    assert [branch["path"] for branch in told["branches"]] == ["0:PRED(fall-01)", "0:PRED(pour-01)"]
    assert (told["at"], told["refusal"]) == ("0:PRED(fall-01)", None)
    ask(page, 3, key=seen, step=0, path="0:PRED(pour-01)")
    assert sent(page)["penman"] == "(p / pour-01)"
    ask(page, 4, key="of another sentence", step=0, path="")
    assert sent(page)["penman"] == "(p / pour-01)"


def test_a_branch_is_left_where_the_person_stands_and_not_where_stepping_paused_before() -> None:
    page = submit(open_page(), "It rains.")
    key = sent(page)["key"]
    at = {"key": key, "step": 2, "asked": 0}
    page.session_state[CANVAS] = {"at": at, "ask": None}
    page.run()
    assert step_in(page) == 2
    for number, wanted in enumerate(({"action": "PRED(pour-01)"}, {"path": ""}), start=1):
        message = {"key": sent(page)["key"], "number": number, "step": 1, **wanted}
        page.session_state[CANVAS] = {"at": at, "ask": message}
        settle(page.run())
    assert page.query_params["step"] in ("1", ["1"])
    assert step_in(page) == 1
    page.session_state[CANVAS] = {"at": {**at, "asked": 2}, "ask": message}
    assert step_in(page.run()) == 2


def step_in(page: AppTest) -> int:
    """Give the step at which a sentence would come into the lecture."""
    told = next(caption.value for caption in page.caption if "opens where" in caption.value)
    return int(told.split("after ")[1].split()[0])


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("shift", "SHIFT is not possible here: "),
        ("JUMP", "cannot read the action"),
        ("COPY(sense)", "already"),
    ],
)
def test_an_action_that_cannot_be_taken_is_answered_with_the_reason(
    action: str, words: str
) -> None:
    page = ask(submit(open_page(), "It rains."), 1, step=0, action=action)
    assert words in sent(page)["whatif"]["refusal"]
    assert not sent(page)["whatif"]["branches"]
    page = ask(page, 2, step=0, action="PRED(pour-01)")
    assert sent(page)["whatif"]["refusal"] is None


def test_a_question_that_takes_long_is_still_decoding_until_its_branch_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = submit(open_page(), "It rains.")
    trace, may_go_on = FakeParser.trace, threading.Event()

    def trace_slowly(parser: FakeParser, text: str, **how: Any) -> Trace:
        assert may_go_on.wait(TIMEOUT)
        return trace(parser, text, **how)

    monkeypatch.setattr(FakeParser, "trace", trace_slowly)
    told = sent(ask_only(page, 1, step=0, action="PRED(pour-01)"))["whatif"]
    assert (told["ack"], told["isDecoding"], told["branches"]) == (1, True, [])
    may_go_on.set()
    told = sent(settle(page))["whatif"]
    assert (told["ack"], told["isDecoding"], len(told["branches"])) == (1, False, 1)


def test_what_is_awaited_is_remarked_on_at_once_and_counted_by_tokens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = submit(open_page(), "It rains.")
    has_told, may_go_on, trace = threading.Event(), threading.Event(), FakeParser.trace

    def trace_slowly(parser: FakeParser, text: str, **how: Any) -> Trace:
        how["progress"](2, 9)
        has_told.set()
        assert may_go_on.wait(TIMEOUT)
        return trace(parser, text, **how)

    monkeypatch.setattr(FakeParser, "trace", trace_slowly)
    page.text_input(key="sentence").set_value("Der Hund schläft heute im Garten .")
    page.button[0].click().run()
    told = " ".join(note.value for note in page.caption)
    assert "looks like German" in told
    assert "Still shown" in told
    assert has_told.wait(TIMEOUT)
    page.run()
    assert "(2 of 9 tokens)" in " ".join(note.value for note in page.caption)
    assert sent(page)["penman"] == "(r / rain-01)"
    may_go_on.set()
    settle(page)


def test_what_stands_there_meanwhile_opens_at_its_start_for_the_first_keys(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    may_go_on, trace = threading.Event(), FakeParser.trace

    def trace_late(parser: FakeParser, text: str, **how: Any) -> Trace:
        assert may_go_on.wait(TIMEOUT)
        return trace(parser, text, **how)

    monkeypatch.setattr(FakeParser, "trace", trace_late)
    page = open_page(sentence="It rains.")
    assert "Meanwhile: “The boy wants" in captions(page)
    assert (sent(page)["start"], sent(page)["awaits"]) == (0, True)
    may_go_on.set()
    settle(page)
    assert (sent(page)["tokens"], sent(page)["awaits"]) == (["Rain", "."], False)


def test_a_question_is_answered_once() -> None:
    page = ask(submit(open_page(), "It rains."), 1, step=0, action="PRED(pour-01)")
    ask(page, 2, step=0, path="")
    ask(page, 1, step=0, action="PRED(pour-01)")
    assert sent(page)["penman"] == "(r / rain-01)"


def test_a_link_opens_its_branch() -> None:
    page = settle(open_page(sentence="It rains.", branch="0:PRED(pour-01)", step="1"))
    assert sent(page)["penman"] == "(p / pour-01)"
    assert sent(page)["start"] == 1
    assert len(sent(page)["whatif"]["branches"]) == 1


@pytest.mark.parametrize("branch", ["0:SHIFT", "99:SHIFT", "nonsense"])
def test_a_link_to_a_branch_that_cannot_be_gives_the_original_and_says_so(branch: str) -> None:
    page = settle(open_page(sentence="It rains.", branch=branch))
    assert len(page.error) == 1
    assert sent(page)["penman"] == "(r / rain-01)"


def test_a_link_made_with_another_model_says_so() -> None:
    page = settle(open_page(sentence="It rains.", model="abcdef012345"))
    assert "another model (hash abcdef012345)" in page.warning[0].value
    page = settle(open_page(sentence="It rains.", model="feedbeef"))
    assert not page.warning


def test_a_stored_trace_is_not_shown_for_a_link_made_with_another_model() -> None:
    text = want_trace()["sentence"]["text"]
    assert "**Stored trace**" in captions(open_page(sentence=text, model="0123456789ab"))
    page = settle(open_page(sentence=text, model="feedbeef"))
    assert "**Parsed just now**" in captions(page)
    assert not page.warning


def test_home_links_the_stored_traces_and_shows_one() -> None:
    page = AppTest.from_file(str(APP / "main.py"), default_timeout=TIMEOUT).run()
    assert not page.exception
    assert page.title[0].value == "Watch a parser think"
    assert sent(page)["tokens"][1] == "boy"


def test_the_terms_of_the_page_are_sent_with_a_trace() -> None:
    terms = sent(open_page())["terms"]
    assert {"pointer", "cross-attention", "legal", "SHIFT", "LINK"} <= set(terms)
    assert "item" not in terms


def test_a_parse_leads_to_the_form_for_lessons() -> None:
    page = AppTest.from_file(str(APP / "main.py"), default_timeout=TIMEOUT).run()
    page.switch_page("pages/parse/page.py").run()
    next(b for b in page.button if b.label == "Make a lesson of this").click().run()
    assert not page.exception
    assert page.text_input(key="make_text").value == want_trace()["sentence"]["text"]
    assert "want-01~e." in page.text_area(key="make_penman").value
