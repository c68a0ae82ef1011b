"""Data & settings: what it tells, what can be chosen, and what a browser keeps."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as some
from streamlit.testing.v1 import AppTest

from app.engine import worker as engine
from app.engine.choosing import Choice
from app.engine.worker import Status
from app.kit.own_settings import OwnSettings, read_settings, write_settings
from app.pages.settings.in_force import Counts, data_rows, model_rows, sign_in_row, store_name
from app.pages.settings.state import DATES, MODEL
from tests.app.pages.parse.test_page import FakeParser

APP = Path(engine.__file__).resolve().parents[1]
TIMEOUT = 120
OWN = "own_settings"


@pytest.fixture(autouse=True)
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, empty_caches: None) -> Path:
    """A folder of runs: one with two models, one without, and a file that is none."""
    folder = tmp_path / "secret place" / "runs"
    for name in ("model", "best"):
        (folder / "first" / name).mkdir(parents=True)
        (folder / "first" / name / "parser.json").write_text("{}")
    (folder / "empty").mkdir()
    for name in ("first", "empty"):
        (folder / name / "launch.json").write_text('{"time": 1}')
    (tmp_path / "outside").mkdir()
    monkeypatch.setenv("APTAMR_RUNS", str(folder))
    monkeypatch.setenv("APTAMR_STORE", str(tmp_path / "secret place" / "work.db"))
    monkeypatch.delenv("APTAMR_DATA", raising=False)
    monkeypatch.setattr(engine, "load_parser", FakeParser)
    return folder


def open_page(name: str = "settings", **state: object) -> AppTest:
    page = AppTest.from_file(str(APP / "main.py"), default_timeout=TIMEOUT)
    for key, value in state.items():
        page.session_state[key] = value
    page.run()
    page.switch_page(f"pages/{name}/page.py").run()
    assert not page.exception
    return page


def html_of(page: AppTest) -> str:
    return "\n".join(str(each.proto.body) for each in page.get("html"))


def test_the_page_tells_what_is_in_force_and_no_path() -> None:
    text = html_of(open_page())
    for told in ("SQLite, work.db", "2 runs in runs", "APTAMR_RUNS", "Streamlit", "Sign-in"):
        assert told in text
    assert "secret place" not in text


def test_models_of_runs_can_be_chosen_and_nothing_else() -> None:
    page = open_page()
    assert page.selectbox(key=MODEL).options == [
        "The server's model",
        "first: the finished model",
        "first: the best epoch by dev Smatch",
    ]
    page.selectbox(key=MODEL).select(Choice("first", "best")).run()
    assert page.session_state[OWN] == OwnSettings(run="first", checkpoint="best")
    assert quote('"run":"first"', safe="") in html_of(page)


def test_a_chosen_model_parses_where_the_address_names_none() -> None:
    page = open_page("parse", own_settings=OwnSettings(run="first", checkpoint="best"))
    assert "training run **first** (best)" in " ".join(each.value for each in page.caption)
    assert page.session_state["answered"].run == "first"


@pytest.mark.parametrize(
    ("run", "checkpoint"),
    [("../../outside", ""), ("gone", "best"), ("first", "../../outside"), ("empty", "model")],
)
def test_what_is_no_model_of_the_folder_is_never_opened(run: str, checkpoint: str) -> None:
    own = OwnSettings(run=run, checkpoint=checkpoint)
    page = open_page("parse", own_settings=own)
    assert page.session_state["answered"].run is None
    page = open_page(own_settings=own)
    assert page.selectbox(key=MODEL).value == Choice()
    assert "is not there any more" in page.warning[0].value


def test_dates_follow_the_choice() -> None:
    page = open_page()
    page.radio(key=DATES).set_value("local").run()
    assert page.session_state[OWN].dates == "local"


@given(
    some.builds(
        OwnSettings,
        some.text(max_size=20),
        some.text(max_size=9),
        some.sampled_from(["iso", "local"]),
    )
)
def test_settings_come_back_from_their_cookie(settings: OwnSettings) -> None:
    text = write_settings(settings)
    assert not set(text) & set(' ;,"\\<>&')  # it stands in a script and in a cookie
    assert read_settings(text) == settings


@pytest.mark.parametrize(
    "cookie",
    ["", "%", "null", "[1]", "{", quote('{"run": 3, "dates": "en"}'), "[" * 9000, "%ff%fe"],
)
def test_a_cookie_that_cannot_be_used_counts_as_none(cookie: str) -> None:
    assert read_settings(cookie) == OwnSettings()


def test_what_else_a_cookie_holds_is_passed_over() -> None:
    assert read_settings(json.dumps({"run": "a", "no": 1, "dates": "x"})) == OwnSettings(run="a")


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("/home/ana/secret/work.db", "SQLite, work.db"),
        ("sqlite:////srv/secret/work.db", "SQLite, work.db"),
        ("postgresql://ana:secret@secret:5432/team?sslmode=require", "PostgreSQL, database team"),
        ("postgresql://secret@/team?host=/secret", "PostgreSQL, database team"),
    ],
)
def test_a_store_is_named_without_machine_person_and_password(address: str, name: str) -> None:
    assert store_name(address) == name


def test_where_each_thing_comes_from_is_told() -> None:
    named = {
        f"APTAMR_{name}": f"/secret/{name.lower()}"
        for name in ("MODEL", "STORE", "DATA", "RUNS", "LESSONS", "FRAMES", "ROLES")
    }
    counts = Counts(corpora=3, runs=1, lessons=2, roles="line 1: no role")
    rows = model_rows(named, Status("failed", "no such file")) + data_rows(named, "a.db", counts)
    assert not [row for row in rows if "secret" in row.value + row.source]
    found = {row.what: row for row in rows}
    assert found["Model"].source == "model, by `--model` or `APTAMR_MODEL`"
    assert found["Model"].value == "could not be loaded: no such file"
    assert found["Corpora"].value == "3 files of graphs in data"
    assert found["Roles"].value == "cannot be read: line 1: no role"
    row = sign_in_row("https://login.example.org/.well-known/openid-configuration", "Ana")
    assert row.value == "OpenID Connect at login.example.org; you are Ana"
