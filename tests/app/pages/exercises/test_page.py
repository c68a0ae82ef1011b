"""The Exercises page by Streamlit's AppTest."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from app.engine import worker as engine
from app.lessons import files
from app.pages.exercises.opening import pack_lesson
from app.pages.exercises.state import CANVAS
from tests.app.lessons import BOY, WALK, lesson_of

ROOT = Path(engine.__file__).resolve().parents[2]
TIMEOUT = 120


@pytest.fixture(autouse=True)
def lessons_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "lessons"
    folder.mkdir()
    second = BOY | {"id": "second", "title": "The second", "asks": ["LA", "RA"]}
    for number, document in enumerate((BOY, second)):
        (folder / f"{number}.json").write_text(json.dumps(document), encoding="utf-8")
    monkeypatch.setattr(files, "asset_path", lambda name: folder)
    st.cache_resource.clear()
    yield folder
    st.cache_resource.clear()


def open_page(**parameters: str) -> AppTest:
    page = AppTest.from_file(str(ROOT / "app/pages/exercises/page.py"), default_timeout=TIMEOUT)
    for name, value in parameters.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def shown(page: AppTest) -> dict[str, Any]:
    return dict(json.loads(page.get("bidi_component")[0].proto.json))


def send(page: AppTest, *rows: dict[str, Any]) -> dict[str, Any]:
    """Put messages into the canvas's outbox, as the browser does, and give the answer."""
    exercise = shown(page)["exercise"]
    numbered = [
        {"number": exercise["ack"] + n, "seen": exercise["ack"], "moment": None, "text": "", **row}
        for n, row in enumerate(rows, start=1)
    ]
    outbox = {"lesson": exercise["lesson"], "messages": numbered}
    page.session_state[CANVAS] = {"at": None, "ask": outbox}
    page.run()
    assert not page.exception
    return dict(shown(page)["exercise"])


def do(page: AppTest, *actions: str) -> dict[str, Any]:
    return send(page, *({"verb": "act", "text": action} for action in actions))


def parameter(page: AppTest, name: str) -> str | None:
    value = page.query_params.get(name)
    return value[0] if isinstance(value, list) else value


def test_the_first_lesson_is_open_and_the_tour_begins() -> None:
    page = open_page()
    exercise = shown(page)["exercise"]
    assert exercise["title"] == BOY["title"]
    assert exercise["tour"] is True
    assert parameter(page, "lesson") == "boy"
    assert send(page, {"verb": "toured"})["tour"] is False


def test_a_lesson_is_finished_and_the_next_one_is_offered_and_opened() -> None:
    page = open_page()
    done = do(page, *WALK)
    assert done["notice"][0] == "done"
    assert done["finished"] is True
    assert done["course"] == [["boy", BOY["title"]], ["second", "The second"]]
    after = send(page, {"verb": "open", "text": "second"})
    assert (after["title"], after["here"]) == ("The second", "second")
    assert after["finished"] is False
    assert parameter(page, "lesson") == "second"
    assert do(page, "LA(1, :ARG0)")["notice"][0] == "right"


def test_a_class_link_leads_through_its_lessons_and_names_what_is_not_there() -> None:
    page = open_page(lessons="second,gone,boy")
    assert "not here: gone" in page.warning[0].value.replace("\\", "")
    exercise = shown(page)["exercise"]
    assert (exercise["here"], exercise["chosen"]) == ("second", True)
    assert [name for name, _ in exercise["course"]] == ["second", "boy"]
    after = send(page, {"verb": "open", "text": "boy"})
    assert after["here"] == "boy"
    assert not page.warning
    assert parameter(page, "lessons") == "second,gone,boy"
    assert send(page, {"verb": "open", "text": "other"})["here"] == "boy"
    wrong = open_page(lessons="second", lesson="boy")
    assert "no lesson 'boy' in this set" in wrong.warning[0].value.replace("\\", "")
    assert shown(wrong)["exercise"]["here"] == "second"


def test_a_lesson_that_the_page_finished_alone_does_not_count_as_finished() -> None:
    page = open_page()
    assert send(page, {"verb": "run", "text": "end"})["finished"] is False


def test_an_illegal_action_is_answered_with_the_reason() -> None:
    notice = do(open_page(), "SHIFT")["notice"]
    assert notice == [
        "illegal", "SHIFT is not possible here.", [
            "Nothing was made at this token.",
            "“The” stands for nothing in the goal: skip it with REDUCE.",
        ]
    ]  # fmt: skip


def test_a_link_opens_a_lesson_at_a_step_and_a_refresh_comes_back() -> None:
    page = open_page(lesson="boy", step="4")
    assert shown(page)["start"] == 4
    assert shown(page)["exercise"]["tour"] is False
    do(page, "LA(1, :ARG0)", "SHIFT")
    fresh = open_page(lesson="boy", step=parameter(page, "step") or "")
    assert shown(fresh)["start"] == 6


def test_another_walk_comes_back_too() -> None:
    page = open_page()
    do(page, "REDUCE", "PRED(boy)")
    fresh = open_page(lesson="boy", step="2", walk=parameter(page, "walk") or "")
    assert shown(fresh)["texts"][-1] == "PRED(boy)" or "PRED(boy)" in shown(fresh)["texts"]


def test_a_pause_after_going_back_is_in_the_address() -> None:
    page = open_page(lesson="boy", step="4")
    page.session_state[CANVAS] = {"at": {"key": shown(page)["key"], "step": 1}, "ask": None}
    exercises_callback(page)
    assert shown(page)["exercise"]["at"] == 1
    assert parameter(page, "step") == "1"


def exercises_callback(page: AppTest) -> None:
    """AppTest runs no callback of a component: the page is run with a script that does."""
    state = page.session_state[CANVAS]
    key, now = page.session_state["exercise_key"], page.session_state["exercise"]
    assert state["at"]["key"] == key
    assert now is not None
    script = AppTest.from_function(run_take_step, default_timeout=TIMEOUT)
    for name in (CANVAS, "exercise_key", "exercise", "exercise_toured"):
        script.session_state[name] = page.session_state[name]
    script.run()
    assert not script.exception
    page.session_state["exercise"] = script.session_state["exercise"]
    page.query_params["step"] = "1"
    page.run()


def run_take_step() -> None:
    from app.pages.exercises.state import take_step

    take_step()


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"lesson": "none"}, "There is no lesson"),
        ({"lesson": "boy", "walk": "[1]"}, "The walk in this address cannot be taken"),
        ({"own": "xxxx"}, "damaged"),
    ],
)
def test_an_address_that_cannot_be_followed_is_named(
    parameters: dict[str, str], words: str
) -> None:
    page = open_page(**parameters)
    assert words in page.warning[0].value.replace("\\", "")
    assert shown(page)["exercise"]["title"] == BOY["title"]


def test_a_lesson_of_ones_own_opens_from_the_address() -> None:
    own = pack_lesson(lesson_of(id="own", title="My own"))
    page = open_page(own=own or "", step="2")
    assert shown(page)["exercise"]["title"] == "My own"
    assert shown(page)["exercise"]["here"] == ""
    do(page, "SHIFT")
    assert parameter(page, "own") == own


def test_the_mode_can_be_changed_and_is_in_the_address() -> None:
    page = open_page()
    after = send(page, {"verb": "settings", "text": "predict step"})
    assert (after["mode"], after["feedback"]) == ("predict", "step")
    assert (parameter(page, "mode"), parameter(page, "feedback")) == ("predict", "step")
    assert do(page, "MERGE")["notice"][0] == "wrong"


def test_a_bad_lesson_file_is_named_and_the_others_work(lessons_folder: Path) -> None:
    (lessons_folder / "9.json").write_text("{}", encoding="utf-8")
    page = open_page()
    assert "9.json" in page.error[0].value.replace("\\", "")
    assert shown(page)["exercise"]["title"] == BOY["title"]


def test_a_lesson_whose_file_is_gone_is_named_and_a_new_one_is_there_at_once(
    lessons_folder: Path,
) -> None:
    (lessons_folder / "8.json").symlink_to(lessons_folder / "nowhere")
    page = open_page()
    assert "nowhere" in page.error[0].value or "8.json" in page.error[0].value.replace("\\", "")
    (lessons_folder / "8.json").unlink()
    third = json.dumps(BOY | {"id": "third"})
    (lessons_folder / "8.json").write_text(third, encoding="utf-8")
    fresh = open_page(lesson="third")
    assert not fresh.error
    assert shown(fresh)["exercise"]["here"] == "third"


def test_without_lessons_the_page_says_what_to_do(lessons_folder: Path) -> None:
    for path in lessons_folder.glob("*.json"):
        path.unlink()
    page = open_page()
    assert "There is no lesson yet" in page.info[0].value
    assert not page.get("bidi_component")


def test_an_instructor_makes_a_lesson_from_the_form_and_opens_it() -> None:
    page = open_page()
    page.text_area(key="make_penman").set_value("(s / sleep-01 :ARG0 (c / cat")
    check(page)
    assert "Line 1" in page.error[0].value
    page.text_area(key="make_penman").set_value("(s / sleep-01 :ARG0 (c / cat))")
    check(page)
    assert not page.error
    assert "cat~e.1" in page.text_area(key="make_penman").value
    next(b for b in page.button if b.label == "Open it here").click().run()
    assert shown(page)["exercise"]["title"] == "My lesson"
    assert shown(page)["exercise"]["turn"] == 1
    assert parameter(page, "own")


def check(page: AppTest) -> None:
    next(button for button in page.button if button.label == "Check").click().run()
    assert not page.exception


def test_the_form_can_start_from_the_lesson_that_is_shown() -> None:
    page = open_page()
    page.button(key="make_from").click().run()
    assert page.text_input(key="make_text").value == BOY["sentence"]["text"]
    assert page.text_area(key="make_penman").value == BOY["graph"]


def test_text_of_a_lesson_is_never_markdown() -> None:
    own = pack_lesson(
        lesson_of(title="<b>*x*</b> $y$ :smile:", task="`z` <script>alert(1)</script>")
    )
    page = open_page(own=own or "")
    assert shown(page)["exercise"]["title"] == "<b>*x*</b> $y$ :smile:"
    assert not [element for element in page.markdown if "script" in element.value]


def test_two_sessions_share_nothing() -> None:
    one, other = open_page(), open_page()
    do(one, "REDUCE")
    other.run()
    assert shown(one)["start"] == 1
    assert shown(other)["start"] == 0


def test_the_page_loads_no_model() -> None:
    code = (
        "import sys\n"
        "from streamlit.testing.v1 import AppTest\n"
        "page = AppTest.from_file('app/pages/exercises/page.py', default_timeout=120).run()\n"
        "assert not page.exception, page.exception\n"
        "assert page.get('bidi_component')\n"
        "print([name for name in ('torch', 'transformers', 'spacy') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
