"""The first page on a cold start, in a real headless browser."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.app.conftest import RUN, free_port, quiet, wait_for_health

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LONGEST_SECONDS = 30
"""Three seconds on a quiet machine; others share this one."""


def test_a_stored_trace_stands_there_before_the_model_is_loaded(
    model: Path, browser: Browser, tmp_path: Path
) -> None:
    port, log = free_port(), tmp_path / "log.txt"
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    options = ["app", "--port", str(port), "--model", str(model), "--device", "cpu"]
    started = time.monotonic()
    with log.open("wb") as output:
        server = subprocess.Popen(
            [sys.executable, *RUN, *options], stdout=output, stderr=output, env=quiet()
        )
    try:
        wait_for_health(f"http://127.0.0.1:{port}", server, log)
        page.goto(f"http://127.0.0.1:{port}/", wait_until="commit")
        page.locator(".stage svg .node").first.wait_for(timeout=1000 * LONGEST_SECONDS)
        print(f"from the command to the first trace: {time.monotonic() - started:.2f} s")
        assert page.get_by_text("The model is being loaded in the background.").count() == 1
        page.get_by_text("Loaded: ").wait_for(timeout=1000 * LONGEST_SECONDS)
    finally:
        context.close()
        server.terminate()
        server.wait(20)
