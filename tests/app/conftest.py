"""What the journeys share: the browser, the model behind the pages, and a running app.

PyTorch and Streamlit are read in late: processes that tests start read in this module too.
"""

from __future__ import annotations

import os
import random
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

from app.store.store import Store
from benchmarks.postgres import new_schema, postgres_server, server_programs

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, LocatorAssertions, Page, WebSocketRoute

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage"
).split()
START_SECONDS = 240
END_SECONDS = 60
PATIENCE_MS = 120_000
"""How long what is expected of a page may take to come: other work may hold the machine up."""
PORTS = range(15_000, 32_000)
"""Below those that a system lends to what connects: none of them is taken while a server starts."""
HOLD_SCRIPTS = """
  window.scriptsMayRun = new Promise((release) => { window.releaseScripts = release; });
  const made = URL.createObjectURL;
  URL.createObjectURL = (blob) => made.call(URL, blob.type !== "text/javascript" ? blob : new Blob(
    ["await window.scriptsMayRun;\\n", blob], { type: blob.type }));
"""
"""Holds the scripts of components back, as a slow machine does, until they are released."""
RUN = ("-m", "app.cli")


@pytest.fixture(scope="session", autouse=True)
def installed_components() -> Iterator[None]:
    """Streamlit looks through all installed packages for each page under test: once is enough."""
    from streamlit.components.v2 import manifest_scanner

    scan = manifest_scanner.scan_component_manifests
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, scan.__name__, cache(scan))
        yield


@pytest.fixture(scope="session")
def model(untrained_model: Path) -> Path:
    """The model that APTAMR_MODEL names or the shipped one; else one without training."""
    from aptcore.neural.checkpoint import shipped_model

    shipped = Path(os.environ.get("APTAMR_MODEL", shipped_model()))
    return shipped if (shipped / "config.json").is_file() else untrained_model


@pytest.fixture(scope="session")
def chromium() -> Path:
    """The program of the browser; skips the test where it is absent."""
    if not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}: install Debian's chromium")
    return CHROMIUM


@pytest.fixture(scope="module")
def browser(chromium: Path) -> Iterator[Browser]:
    sync_api = pytest.importorskip("playwright.sync_api")
    sync_api.expect.set_options(timeout=PATIENCE_MS)
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=str(chromium), headless=True, args=FLAGS
        )
        yield started
        started.close()


def fresh_page(browser: Browser, milliseconds: int, script: str = "") -> Iterator[Page]:
    """A page in a browser of its own, with so long to wait; an error in it fails the test.

    Motion is reduced: new parses do not play, so that a test knows where it is.

    Args:
        browser: Where it is opened.
        milliseconds: How long it waits for anything.
        script: What runs in each document before anything else.
    """
    context = browser.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    context.set_default_timeout(milliseconds)
    context.add_init_script(script)
    fresh = context.new_page()
    errors: list[str] = []
    fresh.on("pageerror", lambda error: errors.append(str(error)))
    fresh.on("dialog", lambda dialog: errors.append(f"dialog: {dialog.message}"))
    yield fresh
    context.close()
    assert not errors


@pytest.fixture
def late_page(browser: Browser) -> Iterator[Page]:
    """A page to which the scripts of components come late: see :func:`overtake`."""
    yield from fresh_page(browser, 120_000, HOLD_SCRIPTS)


def overtake(page: Page, component: str) -> None:
    """Have a component drawn once more before its script comes, and then let that come."""
    page.locator(component).first.wait_for(state="attached")
    colour = "getComputedStyle(document.querySelector('.stApp')).backgroundColor"
    before = page.evaluate(colour)
    page.emulate_media(color_scheme="dark")  # which draws every component anew
    page.wait_for_function(f"(before) => {colour} !== before", arg=before)
    page.evaluate("() => new Promise((done) => setTimeout(done, 200))")
    page.evaluate("() => window.releaseScripts()")


def expect(part: Locator) -> LocatorAssertions:
    """Playwright's own, which is tried until it holds; imported late, where a browser is there."""
    from playwright.sync_api import expect as expected

    return expected(part)


def wait_until(page: Page, holds: Callable[[], bool]) -> None:
    """Wait until something holds, while the page goes on."""
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while not holds():
        assert time.monotonic() < deadline, "it did not come"
        page.wait_for_timeout(50)


def await_frame(page: Page) -> None:
    """Wait until what was pressed is drawn: a step is drawn with the next frame."""
    page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )


def await_timers(page: Page, milliseconds: int) -> None:
    """Let the page's own timers of up to so long go off, however slowly it runs."""
    page.evaluate("(wait) => new Promise((done) => setTimeout(done, wait))", milliseconds)


def rest(page: Page) -> None:
    """Wait until the server has nothing more to draw."""
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()


class Line:
    """The line between a page and its server, which holds messages back or loses them.

    Attributes:
        is_held: Whether what the server says is held back.
        is_losing: Whether what the page says is lost.
        held: What is held back, the oldest first.
        lost: What was lost.
    """

    def __init__(self, page: Page) -> None:
        """Take over the line, before the page is opened."""
        self.is_held = self.is_losing = False
        self.held: list[str | bytes] = []
        self.lost: list[str | bytes] = []
        page.route_web_socket(re.compile("/_stcore/stream"), self._connect)

    def _connect(self, browser: WebSocketRoute) -> None:
        self._browser = browser
        server = browser.connect_to_server()
        server.on_message(self._answer)

        def ask(message: str | bytes) -> None:
            if self.is_losing:
                self.lost.append(message)
            else:
                server.send(message)

        browser.on_message(ask)

    def _answer(self, message: str | bytes) -> None:
        self.held.append(message)
        self._pass_on()

    def _pass_on(self) -> None:
        while self.held and not self.is_held:
            self._browser.send(self.held.pop(0))

    def release(self) -> None:
        """Let all come that was held back, and what is said from now on."""
        self.is_held = False
        self._pass_on()

    def has_finished(self) -> bool:
        """Whether the server has drawn what it was asked for, and that is held back."""
        from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

        found = (ForwardMsg.FromString(said) for said in self.held if isinstance(said, bytes))
        return any(message.WhichOneof("type") == "script_finished" for message in found)


class Clock:
    """A clock that goes on only when it is told to."""

    def __init__(self) -> None:
        self.now = datetime(2024, 5, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL server that runs for these tests only."""
    programs = server_programs()
    if programs is None:
        pytest.skip("PostgreSQL is absent: install Debian's postgresql")
    with postgres_server(programs, keeps=False) as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a store that does not exist yet, on either database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store.db'}"
    return new_schema(request.getfixturevalue("postgres"), f"t{uuid.uuid4().hex}")


@pytest.fixture(scope="module")
def address(
    model: Path, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The address of a freshly started ``aptamr app``."""
    port = free_port()
    log = tmp_path_factory.mktemp("app") / "log.txt"
    options = ["app", "--port", str(port), "--model", str(model), "--device", "cpu"]
    with log.open("wb") as output:
        server = subprocess.Popen(
            [sys.executable, *RUN, *options], stdout=output, stderr=output, env=quiet()
        )
    try:
        wait_for_health(f"http://127.0.0.1:{port}", server, log)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(END_SECONDS)  # fails if a running parse holds up the end


@contextmanager
def read_only(store: Store) -> Iterator[None]:
    """Let SQLite open the file of a store for reading alone, as one with mode 0444."""

    def open_so(connection: Any, _record: object) -> None:
        connection.execute("PRAGMA query_only=ON").close()

    sa.event.listen(store._engine, "connect", open_so)
    store._engine.dispose()
    try:
        yield
    finally:
        sa.event.remove(store._engine, "connect", open_so)


def free_port() -> int:
    """Give a port that nothing listens on, and that nothing else will be given."""
    while True:
        port = random.SystemRandom().choice(PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def quiet() -> dict[str, str]:
    return {**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}


def wait_for_health(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=10):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    pytest.fail(f"the app did not start: {log.read_text(errors='replace')[-2000:]}")
