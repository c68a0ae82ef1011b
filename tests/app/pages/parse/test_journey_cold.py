"""The first page on a cold start, in a real headless browser."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.app.conftest import END_SECONDS, expect, free_port, quiet, wait_for_health
from tests.modules import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WAIT_MS = 180_000
HELD = """
import time
from pathlib import Path
from app.engine import worker

load = worker.load_parser

def load_late():
    while not Path({gate!r}).exists():
        time.sleep(0.05)
    return load()

worker.load_parser = load_late
from app.cli import main

main({options!r})
"""
"""Starts an app that loads its model once there is a file."""


def test_a_stored_trace_stands_there_before_the_model_is_loaded(
    model: Path, browser: Browser, tmp_path: Path
) -> None:
    port, log, gate = free_port(), tmp_path / "log.txt", tmp_path / "gate"
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    context.set_default_timeout(WAIT_MS)
    page = context.new_page()
    options = ["app", "--port", str(port), "--model", str(model), "--device", "cpu"]
    started = time.monotonic()
    with log.open("wb") as output:
        code = HELD.format(gate=str(gate), options=options)
        server = subprocess.Popen(
            [sys.executable, "-c", code], stdout=output, stderr=output, env=quiet(), cwd=ROOT
        )
    try:
        wait_for_health(f"http://127.0.0.1:{port}", server, log)
        page.goto(f"http://127.0.0.1:{port}/", wait_until="commit")
        page.locator(".stage svg .node").first.wait_for()
        print(f"from the command to the first trace: {time.monotonic() - started:.2f} s")
        expect(page.get_by_text("The model is being loaded in the background.")).to_have_count(1)
        gate.touch()
        page.get_by_text("Loaded: ").wait_for()
    finally:
        context.close()
        server.terminate()
        server.wait(END_SECONDS)
