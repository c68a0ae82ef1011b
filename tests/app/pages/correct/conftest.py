"""What the journeys over the Correct page share: an app that can be killed, and what keys do."""

from __future__ import annotations

import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from app.store.store import Store, open_store
from aptcore.assets import asset_path
from benchmarks.acts import be
from tests.app.conftest import END_SECONDS, RUN, free_port, fresh_page, quiet, wait_for_health

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WAIT_MS = 120_000
EDITOR = """[...document.querySelectorAll("*")]
  .map((each) => each.shadowRoot?.querySelector(".edit")).find(Boolean)"""
STEPS = 80
"""Keys that a walk to a part of the graph may take."""


@dataclass
class Served:
    """An app with a store of its own; it can be killed and started again.

    Attributes:
        base: The path below which it is served.
        door: The port at which browsers find it; 0 where that is its own.
    """

    store: Path
    folder: Path
    model: Path
    base: str = ""
    door: int = 0
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.door or self.port}{self.base}"

    def start(self) -> None:
        log = self.folder / "log.txt"
        options = ["app", "--port", str(self.port), "--store", str(self.store)]
        options += ["--model", str(self.model), "--device", "cpu", "--base-path", self.base]
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, *RUN, *options], stdout=output, stderr=output, env=quiet()
            )
        wait_for_health(self.address, self.process, log)

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(END_SECONDS)


@contextmanager
def running(model: Path, folder: Path) -> Iterator[Served]:
    """An app with a store in a folder, until the end."""
    app = Served(folder / "work.db", folder, model)
    app.start()
    try:
        yield app
    finally:
        app.kill()


@pytest.fixture(scope="session")
def shared(
    model: Path, chromium: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    with running(model, tmp_path_factory.mktemp("correct")) as app:
        yield app


@pytest.fixture
def served(shared: Served) -> Served:
    """The app that all journeys over this page share; it runs, whatever the test before left."""
    assert shared.process is not None
    if shared.process.poll() is not None:
        shared.start()
    return shared


@pytest.fixture
def store(served: Served) -> Iterator[Store]:
    opened = open_store(str(served.store))
    yield opened
    opened.close()


@pytest.fixture
def document(store: Store) -> int:
    """A fresh copy of the ten example sentences; gives the document's number."""
    text = asset_path("annotation/example.txt").read_text(encoding="utf-8")
    return store.import_text(f"{uuid.uuid4().hex}.txt", text).document


def first_of(store: Store, document: int) -> int:
    return store.sentences(document)[0].id


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page in a browser of its own; an error in it fails the test."""
    yield from fresh_page(browser, WAIT_MS)


@pytest.fixture
def other(browser: Browser) -> Iterator[Page]:
    yield from fresh_page(browser, WAIT_MS)


def open_sentence(page: Page, served: Served, sentence: int, person: str = "Ada") -> None:
    be(page, served.address, person)
    page.goto(f"{served.address}/correct?{urlencode({'sentence': sentence, 'person': person})}")
    page.locator(".edit .node").first.wait_for()
    settle(page)


def open_first(page: Page, served: Served, store: Store, document: int, part: str = "") -> int:
    """Open the first sentence of a document at a part of its graph; gives its number."""
    sentence = first_of(store, document)
    open_sentence(page, served, sentence)
    if part:
        go_to(page, part)
    return sentence


PAINTED = """() => new Promise((done) => {
  const wait = (left) => left ? requestAnimationFrame(() => wait(left - 1)) : done();
  wait(3);
})"""


def settle(page: Page) -> None:
    """Wait until every message is acknowledged and what came with it is painted."""
    page.wait_for_function(f"() => {EDITOR}?.getAttribute('aria-busy') === 'false'")
    page.evaluate(PAINTED)


def keys(page: Page, text: str) -> None:
    """Press keys: single signs as they stand, longer names between spaces."""
    for key in text.split(" "):
        page.keyboard.press(key)


def go_to(page: Page, part: str) -> None:
    """Walk to a node or edge with the arrows: its description begins with ``part``."""
    kind = "edge" if " :" in part else "node"
    page.keyboard.press("Home")
    if kind == "edge":
        page.keyboard.press("ArrowRight")
    for _ in range(STEPS):
        if page.locator(".edit .hint").inner_text().startswith(part):
            return
        page.keyboard.press("ArrowDown")
    pytest.fail(f"no {part} was found; the last is {page.locator('.edit .hint').inner_text()}")


def type_in(page: Page, text: str, role: str = "") -> None:
    """Fill the open field, with a role before the text where one is given."""
    page.locator(".edit .prompt").wait_for()
    page.keyboard.press("Control+a")
    page.keyboard.type(f"{role} {text}" if role else text)
    page.keyboard.press("Enter")
    settle(page)


def mark_words(page: Page, first: int, last: int) -> None:
    """Mark words by keys, and come back to the graph."""
    keys(page, ", Home")
    for _ in range(first):
        page.keyboard.press("ArrowRight")
    page.keyboard.press(" ")
    for _ in range(last - first):
        page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press(",")


def accept(page: Page, name: str) -> None:
    """Accept, and wait for the next sentence."""
    page.keyboard.press("a")
    page.locator(".edit .state").get_by_text(name).wait_for()
    settle(page)
