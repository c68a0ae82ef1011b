"""Work for one store or person never reaches another, in a real headless browser."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.store.store import open_store
from aptcore.assets import asset_path
from tests.app.conftest import expect, free_port
from tests.app.front import one_origin
from tests.app.pages.correct.conftest import Served, go_to, keys, open_sentence, settle

if TYPE_CHECKING:
    from playwright.sync_api import Page

TEXT = "(g / give-01\n   :ARG0 (b / baker"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with ``a.db`` and ``b.db``, which have the same sentences."""
    text = asset_path("annotation/example.txt").read_text(encoding="utf-8")
    for name in ("a.db", "b.db"):
        with closing(open_store(str(tmp_path / name))) as store:
            store.import_text("example.txt", text)
    yield tmp_path
    shutil.rmtree(tmp_path)


@pytest.fixture
def apart(model: Path, folder: Path) -> Iterator[Served]:
    """An app on ``a.db``, beside which ``b.db`` lies."""
    app = Served(folder / "a.db", folder, model)
    app.start()
    yield app
    app.kill()


@pytest.fixture
def side_by_side(model: Path, folder: Path) -> Iterator[tuple[Served, Served]]:
    """Apps on ``a.db`` and ``b.db`` at one origin, below ``/a`` and ``/b``."""
    ports = {"/a": free_port(), "/b": free_port()}
    with one_origin(ports) as door, ExitStack() as ends:
        apps = [
            Served(folder / f"{base[1:]}.db", folder, model, base, door, port)
            for base, port in ports.items()
        ]
        for app in apps:
            app.start()
            ends.callback(app.kill)
        yield apps[0], apps[1]


def log_of(app: Served, name: str) -> list[tuple[str, str]]:
    with closing(open_store(str(app.folder / name))) as store:
        return [(entry.person, entry.what["do"]) for entry in store.log(1)]


def serve(app: Served, name: str) -> None:
    app.store = app.folder / name
    app.start()


def test_changes_for_one_store_wait_while_another_is_served_at_the_same_address(
    page: Page, apart: Served
) -> None:
    open_sentence(page, apart, 1)
    go_to(page, "c / child")
    keys(page, ".")
    page.locator(".edit textarea").fill(TEXT)
    apart.kill()
    keys(page, "Escape")
    keys(page, "f")
    page.locator(".edit .saved").get_by_text("2 changes wait").wait_for()
    serve(apart, "b.db")
    elsewhere = page.locator(".edit .elsewhere")
    elsewhere.get_by_text("2 changes wait in this browser for another store").wait_for()
    settle(page)
    expect(page.locator(".edit .state")).not_to_contain_text("flagged")
    keys(page, ".")
    expect(page.locator(".edit textarea")).to_have_value(re.compile(r"^\(g / give-01"))
    expect(page.locator(".edit textarea")).not_to_have_value(TEXT)
    keys(page, "Escape f")
    page.locator(".edit .state").get_by_text("flagged").wait_for()
    settle(page)
    assert log_of(apart, "b.db") == [("Ada", "flag")]
    assert log_of(apart, "a.db") == []
    apart.kill()
    serve(apart, "a.db")
    page.locator(".edit .lines").get_by_text("g / give-01").wait_for()
    elsewhere.wait_for(state="hidden")
    page.locator(".edit .saved").get_by_text("All saved").wait_for()
    assert log_of(apart, "a.db") == [("Ada", "draft"), ("Ada", "flag")]
    assert log_of(apart, "b.db") == [("Ada", "flag")]


def flag_as_bea(page: Page, app: Served, told: str) -> None:
    """Flag a sentence as somebody else, who is told what waits in this browser."""
    open_sentence(page, app, 1, "Bea")
    page.locator(".edit .elsewhere").get_by_text(told).wait_for()
    keys(page, "f")
    page.locator(".edit .state").get_by_text("flagged").wait_for()
    settle(page)


def test_what_one_person_left_in_a_browser_waits_for_that_person(page: Page, apart: Served) -> None:
    open_sentence(page, apart, 1, "Ada")
    apart.kill()
    keys(page, "a")
    page.locator(".edit .saved").get_by_text("1 change waits").wait_for()
    page.goto("about:blank")
    apart.start()
    flag_as_bea(page, apart, "1 change waits in this browser until Ada opens this page")
    assert log_of(apart, "a.db") == [("Bea", "flag")]
    open_sentence(page, apart, 1, "Ada")
    page.locator(".edit .state").get_by_text("example.2").wait_for()
    settle(page)
    assert log_of(apart, "a.db") == [("Bea", "flag"), ("Ada", "accept")]


def test_nothing_of_one_store_comes_up_in_another_below_a_path_of_the_same_origin(
    page: Page, side_by_side: tuple[Served, Served]
) -> None:
    a, b = side_by_side
    open_sentence(page, a, 1, "Ada")
    keys(page, ".")
    page.locator(".edit textarea").fill(TEXT)
    open_sentence(page, b, 1, "Ada")  # the text is in the browser only
    keys(page, ".")
    expect(page.locator(".edit textarea")).to_have_value(re.compile(r":mod \(o / old\)"))
    open_sentence(page, a, 1, "Ada")
    a.kill()
    keys(page, "a")
    page.locator(".edit .saved").get_by_text("1 change waits").wait_for()
    flag_as_bea(page, b, "1 change waits in this browser for another store")
    assert log_of(b, "b.db") == [("Bea", "flag")]
    a.start()
    open_sentence(page, a, 1, "Ada")
    page.locator(".edit .state").get_by_text("example.2").wait_for()
    settle(page)
    assert log_of(a, "a.db") == [("Ada", "accept")]
