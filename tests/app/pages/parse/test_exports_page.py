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
from app.pages.parse.page_exports import AT_STEP
from aptcore.trace.format import decode_trace
from tests.app.traces import want_trace

PAGE = Path(engine.__file__).resolve().parents[1] / "pages" / "parse" / "page.py"
TIMEOUT = 20
KINDS = ("amr", "tsv", "json", "dot", "svg", "png", "pdf", "tex", "html")


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
    assert "Repairs included" in page.caption[-1].value
    page.session_state["parse_canvas"] = {"at": {"key": decode_trace(want_trace()).hash, "step": 9}}
    page.segmented_control(key="export_graph").set_value(AT_STEP).run()
    assert not page.exception
    assert page.caption[-1].value.startswith("As it is after 9 of 17 actions.")
