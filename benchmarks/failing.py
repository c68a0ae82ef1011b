"""Let the store fail while people work in a browser: ``python -m benchmarks.failing``.

For each way to fail the pages are opened in headless Chromium, one for each act; then the
store begins to fail, every act is done, and a while later it is written down what each page
shows and what is on disk. After the recovery each page has its time to bring the work in. A
cell tells

- acknowledged: whether the page said that it was saved while it was not on disk: an error;
- shown: what the page showed instead;
- kept: whether it arrived by itself after the recovery; ``not taken`` where the page did not
  take the act at all (a button of a page without server), and said that something is wrong.

Exit status 1 if anything was acknowledged that was not on disk, or was taken and is missing,
or was not taken and the page said nothing.
It needs Playwright, Chromium, and PostgreSQL's server programs.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

from app.store.store import open_store
from benchmarks.acts import ACTS, NOTHING, Act
from benchmarks.annotating import document_text
from benchmarks.postgres import Server, restartable_server, server_programs

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

CHROMIUM = "/usr/bin/chromium"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
WAIT_MS = 120_000
LOCKED_SECONDS = 40.0
FAILING_SECONDS = 10.0
RECOVERY_SECONDS = 120.0
"""How long what waits has to arrive once the store can write again."""
OPTIONS_WRITE = "-c default_transaction_read_only=off"


@dataclass(frozen=True, slots=True)
class Cell:
    """What became of one act during one failure.

    Attributes:
        failure: The failure.
        act: The act.
        acknowledged: Whether the page said that it was saved while it was not on disk.
        shown: What the page showed while the store failed.
        taken: Whether the page took the act.
        kept: Whether it is on disk in the end.
    """

    failure: str
    act: str
    acknowledged: bool
    shown: str
    taken: bool
    kept: bool

    @property
    def is_wrong(self) -> bool:
        """Whether a promise was broken."""
        is_silent = not self.taken and self.shown == NOTHING
        return self.acknowledged or is_silent or (self.taken and not self.kept)


@dataclass
class App:
    """A server of the pages on a store."""

    url: str
    log: Path
    port: int = field(default_factory=lambda: _free_port())
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command = [sys.executable, "-m", "app.cli", "app"]
        command += ["--port", str(self.port), "--store", self.url, "--device", "cpu"]
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(command, stdout=output, stderr=output)
        until = time.monotonic() + WAIT_MS / 1000
        while time.monotonic() < until:
            with contextlib.suppress(urllib.error.URLError, OSError):
                urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=1).close()
                return
            time.sleep(0.1)
        raise RuntimeError(f"the app does not start: {self.log.read_text(errors='replace')}")

    def kill(self) -> None:
        """End it as a crash does."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    @property
    def address(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


# --- failures -----------------------------------------------------------------------------


@contextlib.contextmanager
def locked(app: App, server: Server | None) -> Iterator[float]:
    """Hold the file as another process does in the midst of writing."""
    with contextlib.closing(sqlite3.connect(app.url)) as connection:
        connection.isolation_level = None
        connection.execute("BEGIN IMMEDIATE")
        yield LOCKED_SECONDS


@contextlib.contextmanager
def full_disk(app: App, server: Server | None) -> Iterator[float]:
    """Let no file of the server grow."""
    if app.process is None:
        raise RuntimeError("the app is not started")
    soft, hard = resource.prlimit(app.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(app.process.pid, resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield FAILING_SECONDS
    finally:
        resource.prlimit(app.process.pid, resource.RLIMIT_FSIZE, (soft, hard))


@contextlib.contextmanager
def read_only(app: App, server: Server | None) -> Iterator[float]:
    """Let PostgreSQL take nothing."""
    _set_read_only(app.url, "on")
    try:
        yield FAILING_SECONDS
    finally:
        _set_read_only(app.url, "off")


def _set_read_only(url: str, value: str) -> None:
    with psycopg.connect(url, autocommit=True, options=OPTIONS_WRITE) as connection:
        connection.execute(f"ALTER SYSTEM SET default_transaction_read_only = {value}")
        connection.execute("SELECT pg_reload_conf()")


@contextlib.contextmanager
def stopped(app: App, server: Server | None) -> Iterator[float]:
    """Stop PostgreSQL, and start it again."""
    if server is None:
        raise RuntimeError("there is no server to stop")
    server.stop()
    try:
        yield FAILING_SECONDS
    finally:
        server.start()


@contextlib.contextmanager
def killed(app: App, server: Server | None) -> Iterator[float]:
    """Kill the server of the pages, and start it again."""
    app.kill()
    try:
        yield FAILING_SECONDS
    finally:
        app.start()


FAILURES = {
    "locked 40 s": ("sqlite", locked),
    "full disk": ("sqlite", full_disk),
    "read-only PostgreSQL": ("postgresql", read_only),
    "PostgreSQL stopped 10 s": ("postgresql", stopped),
    "server killed": ("sqlite", killed),
}


# --- the matrix ---------------------------------------------------------------------------


def run(failure: str, context: BrowserContext) -> list[Cell]:
    """Do every act while the store fails in one way."""
    kind, fail = FAILURES[failure]
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        server, url = None, str(Path(folder) / "work.db")
        if kind == "postgresql":
            programs = server_programs()
            if programs is None:
                raise RuntimeError("PostgreSQL is absent: install Debian's postgresql")
            server = stack.enter_context(restartable_server(programs))
            url = server.address
        with contextlib.closing(open_store(url)) as store:
            store.import_text("failing.amr", document_text(5))
            store.import_text("hail.amr", "# ::snt It hails.\n(h / hail-01)\n")
        app = App(url, Path(folder) / "log")
        stack.callback(app.kill)
        app.start()
        pages = [context.new_page() for _ in ACTS]
        for act, page in zip(ACTS, pages, strict=True):
            act.prepare(page, app.address)
        with fail(app, server) as seconds:
            begun = time.monotonic()
            taken = [_is_taken(act, page) for act, page in zip(ACTS, pages, strict=True)]
            pages[0].wait_for_timeout(max(0.0, begun + seconds - time.monotonic()) * 1000)
            shown = [act.shown(page) for act, page in zip(ACTS, pages, strict=True)]
        kept = _arrived(url, taken, pages[0])
        for page in pages:
            page.close()
    return [
        Cell(failure, act.name, _is_said(text), text, is_taken, is_kept)
        for act, text, is_taken, is_kept in zip(ACTS, shown, taken, kept, strict=True)
    ]


def _is_taken(act: Act, page: Page) -> bool:
    from playwright.sync_api import TimeoutError as LateError

    page.bring_to_front()
    try:
        act.do(page)
    except LateError:
        return False
    return True


def _is_said(text: str) -> bool:
    """Tell whether a text says that something is saved; nothing is while the store fails."""
    words = ("All saved", "assigned to Ben.", "rewritten.", "new.amr: ")
    return any(word in text for word in words) and "Not saved yet" not in text


def _arrived(url: str, taken: list[bool], page: Page) -> list[bool]:
    """Wait until all that was taken is on disk, or the time is over."""
    until = time.monotonic() + RECOVERY_SECONDS
    with contextlib.closing(open_store(url)) as store:
        while True:
            done = [act.is_done(store) for act in ACTS]
            is_all = all(one for one, is_taken in zip(done, taken, strict=True) if is_taken)
            if is_all or time.monotonic() > until:
                return done
            page.wait_for_timeout(500)


def main() -> None:
    """Run the command."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description="Let the store fail while people work.")
    parser.add_argument("--failure", action="append", choices=tuple(FAILURES))
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    cells: list[Cell] = []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for failure in arguments.failure or FAILURES:
            context = chromium.new_context(viewport={"width": 1280, "height": 720})
            context.set_default_timeout(WAIT_MS)
            cells += run(failure, context)
            context.close()
    if arguments.json:
        print(json.dumps([asdict(cell) for cell in cells]))
    else:
        for cell in cells:
            outcome = "kept" if cell.kept else "LOST" if cell.taken else "not taken"
            outcome += ", SILENT" if not cell.taken and cell.shown == NOTHING else ""
            said = "ACKNOWLEDGED" if cell.acknowledged else "unsaved"
            print(f"{cell.failure:24} {cell.act:11} {said:12} {outcome:17} {cell.shown[:120]!r}")
    raise SystemExit(1 if any(cell.is_wrong for cell in cells) else 0)


if __name__ == "__main__":
    main()
