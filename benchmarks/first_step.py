"""From Enter to the first step by key on the Parse page: ``python -m benchmarks.first_step``.

Sentences of about ten words are typed into the page in headless Chromium, with the model
loaded; Enter, then the right arrow as soon as the trace stands there. A time is what a person
waits from Enter until the first action is drawn as done. The first sentence is not counted.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.failing import CHROMIUM, FLAGS, App

if TYPE_CHECKING:
    from playwright.sync_api import Page

WAIT_MS = 120_000
SENTENCES = Path(__file__).with_name("sentences.txt")
LENGTHS = range(8, 12)
"""Words of the sentences that are typed."""

STANDS = """(wanted) => {
  const canvas = [...document.querySelectorAll("*")].find(
    (element) => element.shadowRoot?.querySelector(".apt"))?.shadowRoot;
  const shown = canvas?.querySelector(".tokens").textContent ?? "";
  return shown.replace(/\\s/g, "").startsWith(wanted)
    && canvas.querySelector(".count").textContent.startsWith("After 0 of");
}"""
STEPPED = """() => [...document.querySelectorAll("*")].some((element) =>
  element.shadowRoot?.querySelector(".apt .count")?.textContent.startsWith("After 1 of"))"""


def first_steps(page: Page, address: str, sentences: list[str]) -> Iterator[float]:
    """Give the seconds from Enter to the first step of each sentence."""
    page.goto(f"{address}/parse")
    page.get_by_text("The model is loaded").wait_for()
    field = page.get_by_label("Sentence", exact=True)
    for sentence in sentences:
        field.fill(sentence)
        begun = time.perf_counter()
        field.press("Enter")
        page.wait_for_function(STANDS, arg="".join(sentence.split()))
        page.keyboard.press("ArrowRight")
        page.wait_for_function(STEPPED)
        yield time.perf_counter() - begun


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sentences", type=int, default=12)
    number = parser.parse_args().sentences
    lines = SENTENCES.read_text("utf-8").splitlines()
    chosen = [line for line in lines if len(line.split()) in LENGTHS][: number + 1]
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        app = App(f"{folder}/store.db", Path(folder) / "log.txt")
        app.start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        context = browser.new_context(reduced_motion="reduce")
        context.set_default_timeout(WAIT_MS)
        seconds = list(first_steps(context.new_page(), app.address, chosen))[1:]
        browser.close()
        app.kill()
    print(
        f"{len(seconds)} sentences of {LENGTHS[0]} to {LENGTHS[-1]} words, from Enter to the "
        f"first step: median {statistics.median(seconds):.2f} s, slowest {max(seconds):.2f} s"
    )


if __name__ == "__main__":
    main()
