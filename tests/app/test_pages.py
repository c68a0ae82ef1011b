"""The pages by Streamlit's AppTest, with a fake parser behind them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from app import engine
from app.pages import shared
from app.views.limits import MAX_CHARACTERS
from app.views.trace import ModelInfo
from aptcore.errors import CheckpointError, InputError
from tests.app.traces import build_trace, want_trace

APP = Path(engine.__file__).resolve().parent
TIMEOUT = 20


@dataclass(frozen=True)
class Traced:
    document: Mapping[str, Any]

    def to_json(self) -> Mapping[str, Any]:
        return self.document


class FakeParser:
    info = ModelInfo("fake", "feedbeef", "none", "paper", "cpu", "float32")

    def trace(self, text: str, *, beam: int) -> Traced:
        if "too long" in text:
            raise InputError("the sentence has 900 tokens *and* more")
        document = build_trace(
            ["Rain", "."], ["rain", "."], ["COPY(sense)", "SHIFT", "REDUCE", "LA(0, root)"]
        )
        document["sentence"]["text"] = text
        document["beam"] = beam
        return Traced(document)


@pytest.fixture(autouse=True)
def stored_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "traces"
    folder.mkdir()
    (folder / "want.json").write_text(json.dumps(want_trace()), encoding="utf-8")
    monkeypatch.setattr(shared, "asset_path", lambda name: folder)
    monkeypatch.setattr(engine, "load_parser", FakeParser)
    st.cache_resource.clear()
    st.cache_data.clear()
    yield folder
    st.cache_resource.clear()
    st.cache_data.clear()


def open_page(**parameters: str) -> AppTest:
    page = AppTest.from_file(str(APP / "pages" / "parse.py"), default_timeout=TIMEOUT)
    for name, value in parameters.items():
        page.query_params[name] = value
    return page.run()


def submit(page: AppTest, sentence: str) -> AppTest:
    page.text_input(key="sentence").set_value(sentence)
    page.button[0].click().run()
    return settle(page)


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
    assert sent(page)["start"] == 16


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
    assert any("no such folder" in error.value for error in page.error)
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


def test_home_links_the_stored_traces_and_shows_one() -> None:
    page = AppTest.from_file(str(APP / "main.py"), default_timeout=TIMEOUT).run()
    assert not page.exception
    assert page.title[0].value == "Watch a parser think"
    assert sent(page)["tokens"][1] == "boy"
