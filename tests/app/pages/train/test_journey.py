"""A journey in a real browser: a tiny run is launched, watched, stopped, resumed and opened."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from tests.app.conftest import END_SECONDS, RUN, free_port, fresh_page, quiet, wait_for_health
from tests.app.pages.parse.test_journey import SENTENCE, wait_for_trace
from tests.trainer.learning.test_loop import CORPUS
from trainer.runs.launching import ask_stop
from trainer.runs.status import ENDED, read_announcement, state_of
from trainer.runs.watching import list_runs, read_run

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[4]
WAIT_MS = 180_000
SETTINGS = """data.train=["train.txt"]
data.dev=["dev.txt"]
oracle.min_label_count=1
loop.threads=1
loop.dev_every=500"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with tiny corpora and no runs; what is still on at the end is stopped."""
    (tmp_path / "corpora").mkdir()
    # Ten times the same four sentences: an epoch long enough to be stopped within.
    copies = [CORPUS.replace("# ::id ", f"# ::id {number}-") for number in range(10)]
    (tmp_path / "corpora" / "train.txt").write_text("\n".join(copies))
    (tmp_path / "corpora" / "dev.txt").write_text(CORPUS)
    yield tmp_path
    runs = tmp_path / "runs"
    for run in list_runs(runs):
        ask_stop(runs, run.name)
    wait_until(lambda: all(run.state in ENDED for run in list_runs(runs)))


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    yield from fresh_page(browser, WAIT_MS)


def start_app(folder: Path, model: Path, port: int) -> subprocess.Popen[bytes]:
    """Start ``aptamr app`` over the folder's corpora and runs."""
    environment = {
        **quiet(),
        "APTAMR_DATA": str(folder / "corpora"),
        "APTAMR_RUNS": str(folder / "runs"),
        "PYTHONPATH": str(ROOT),
    }
    log = folder / "app.log"
    options = ["app", "--port", str(port), "--model", str(model), "--device", "cpu"]
    with log.open("ab") as output:
        server = subprocess.Popen(
            [sys.executable, *RUN, *options],
            stdout=output,
            stderr=output,
            env=environment,
            cwd=folder,
        )
    wait_for_health(f"http://127.0.0.1:{port}", server, log)
    return server


def end_app(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    server.wait(END_SECONDS)


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_MS / 1000
    while not holds():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.05)


def fill(page: Page, label: str, text: str) -> None:
    page.get_by_label(label, exact=True).fill(text)


def launch(page: Page, name: str) -> None:
    fill(page, "Name of the run", name)
    fill(page, "Epochs", "500")
    fill(page, "Actions in a batch", "40")
    fill(page, "Other settings, one key=value a line", SETTINGS)
    page.get_by_role("button", name="Launch", exact=True).click()


def test_a_run_outlives_page_and_app_is_stopped_resumed_and_opened(
    page: Page, folder: Path, model: Path
) -> None:
    runs, port = folder / "runs", free_port()
    address = f"http://127.0.0.1:{port}"
    server = start_app(folder, model, port)
    try:
        # A wrong setting is named, and nothing begins.
        page.goto(f"{address}/train?view=new")
        fill(page, "Other settings, one key=value a line", "loop.epoch=3")
        page.get_by_role("button", name="Launch", exact=True).click()
        page.get_by_role("alert").filter(has_text="did you mean 'epochs'").wait_for()
        assert not runs.exists()

        # A launch, a second one that waits, and both are there after a reload.
        launch(page, "first")
        page.wait_for_url("**run=first**")
        page.goto(f"{address}/train?view=new")
        page.get_by_text("One launched now waits in the queue").wait_for()
        launch(page, "second")
        page.get_by_text("waits for first").wait_for()
        page.goto(f"{address}/train?run=first")
        page.get_by_text("running", exact=True).wait_for()
        page.get_by_text("no score yet").first.wait_for()
        process = read_announcement(runs / "first").process
        page.reload()
        page.get_by_text("running", exact=True).wait_for()

        # The app is ended and started again: the run is the same process, and goes on.
        end_app(server)
        server = start_app(folder, model, port)
        page.goto(f"{address}/train?run=first")
        page.get_by_text("running", exact=True).wait_for()
        assert read_announcement(runs / "first").process == process

        # The waiting one is stopped first, so that it does not begin.
        page.goto(f"{address}/train?run=second")
        page.get_by_test_id("stMain").get_by_role("button", name="Stop").click()
        page.get_by_text("stopped", exact=True).wait_for()
        page.goto(f"{address}/train?run=first")
        wait_until(lambda: read_run(runs, "first").beat.step > 0)
        page.get_by_test_id("stMain").get_by_role("button", name="Stop").click()
        page.get_by_text("stopped", exact=True).wait_for()
        stopped = read_run(runs, "first").beat.step
        page.get_by_text(f"it can go on at step {stopped:,}").wait_for()

        # Resumed, it goes on at the same step.
        page.get_by_role("button", name="Resume").click()
        page.get_by_test_id("stMain").get_by_role("button", name="Stop").wait_for()
        wait_until(lambda: read_run(runs, "first").beat.step > stopped)
        page.get_by_test_id("stMain").get_by_role("button", name="Stop").click()
        page.get_by_role("button", name="Resume").wait_for()
        assert state_of(runs / "first") == "stopped"

        # Its last save parses.
        page.get_by_role("link", name="Parse & step with the last save").click()
        page.get_by_text("Sentences are parsed by the training run").wait_for()
        field = page.get_by_label("Sentence", exact=True)
        field.fill(SENTENCE)
        field.press("Enter")
        wait_for_trace(page, SENTENCE)
        page.wait_for_url("**run=first**")
        page.get_by_text("by model first (hash").wait_for()
        query = urlencode({"run": "../first", "sentence": SENTENCE})
        page.goto(f"{address}/parse?{query}")
        page.get_by_role("alert").filter(has_text="is no name for a run").wait_for()
    finally:
        end_app(server)
