"""The exports on the Parse & step page, by Streamlit's AppTest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from app.engine import shared
from app.engine import worker as engine
from app.exports.files import exports_of
from app.exports.stepper import Entry, Lecture, format_lecture, read_lecture
from app.pages.parse.page_exports import AT_STEP
from aptcore.trace.format import decode_trace
from tests.app.traces import want_trace

PAGE = Path(engine.__file__).resolve().parents[1] / "pages" / "parse" / "page.py"
TIMEOUT = 120
KINDS = ("amr", "tsv", "json", "dot", "svg", "png", "pdf", "tex", "gif", "html")


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    (tmp_path / "want.json").write_text(json.dumps(want_trace()), encoding="utf-8")
    monkeypatch.setattr(shared, "asset_path", lambda name: tmp_path)
    monkeypatch.setattr(engine.Engine, "start", lambda self: None)
    st.cache_resource.clear()
    st.cache_data.clear()
    return AppTest.from_file(str(PAGE), default_timeout=TIMEOUT).run()


def names(page: AppTest) -> list[str]:
    return [button.label for button in page.get("download_button")]


def test_every_export_has_a_button_under_a_fixed_key(page: AppTest) -> None:
    assert not page.exception
    shown = names(page)
    assert shown == [each.name for each in exports_of(decode_trace(want_trace()))]
    keys = [button.key for button in page.get("download_button")]
    assert keys == [f"export_{kind}" for kind in KINDS]
    page.run()
    assert [button.key for button in page.get("download_button")] == keys


def test_no_file_is_made_while_the_page_is_drawn(page: AppTest) -> None:
    for button in page.get("download_button"):
        assert button.proto.deferred_file_id
        assert button.proto.ignore_rerun
        assert not button.proto.url


def test_the_graph_so_far_is_that_of_the_step_at_which_stepping_paused(page: AppTest) -> None:
    assert any("Repairs included" in caption.value for caption in page.caption)
    page.session_state["parse_canvas"] = {"at": {"key": decode_trace(want_trace()).hash, "step": 9}}
    page.segmented_control(key="export_graph").set_value(AT_STEP).run()
    assert not page.exception
    told = [caption.value for caption in page.caption]
    assert any(text.startswith("After 9 of 17 actions.") for text in told)


def test_a_lecture_is_collected_noted_ordered_and_taken_away(page: AppTest) -> None:
    def press(label: str, place: int = 0) -> None:
        [button for button in page.button if button.label == label][place].click().run()

    assert "Download the lecture" not in names(page)
    press("Add this sentence")
    page.session_state["parse_canvas"] = {"at": {"key": decode_trace(want_trace()).hash, "step": 9}}
    page.run()
    press("Add this sentence")
    page.text_area[1].set_value("The second.").run()
    press("Up", 1)
    assert [area.value for area in page.text_area] == ["The second.", ""]
    page.text_input(key="lecture_title_0").set_value("Two").run()
    assert not page.exception
    desk = page.session_state["lecture_desk"]
    lecture = desk.lecture
    assert lecture.title == "Two"
    assert [(entry.note, entry.start) for entry in lecture.entries] == [
        ("The second.", 9),
        ("", 17),
    ]
    assert "Download the lecture" in names(page)
    desk.is_pressed.set()
    assert read_lecture(desk.write().decode()) == lecture
    assert not desk.is_pressed.is_set()
    press("Remove", 1)
    assert [area.value for area in page.text_area] == ["The second."]
    press("Remove")
    assert "Download the lecture" not in names(page)


def take(page: AppTest, name: str, text: str) -> None:
    """Let the page have a file, as a browser would."""
    page.file_uploader[0].set_value((name, text.encode(), "text/html")).run()


def test_a_lecture_is_opened_again_and_what_is_none_is_refused(page: AppTest) -> None:
    lecture = Lecture("Old", (Entry(decode_trace(want_trace()), "A note.", 2),))
    take(page, "note.html", "<html></html>")
    assert "note.html: the file is no lecture" in page.error[0].value.replace("\\", "")
    take(page, "old.html", format_lecture(lecture))
    assert not page.exception
    assert page.session_state["lecture_desk"].lecture == lecture
    assert page.text_area[0].value == "A note."
