"""How long a step takes to be redrawn: ``python -m benchmarks.redraw``.

A long text is parsed as one sentence and stepped through in headless Chromium, with beam and
attention heads closed and open. What is measured is processor time of the page's main thread,
so other work on the machine adds little: scripts, styles and layout, and all of it with
painting.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.failing import CHROMIUM, FLAGS

if TYPE_CHECKING:
    from playwright.sync_api import Page

SENTENCES = Path(__file__).with_name("sentences.txt")
STEPS = 60
"""Steps that are measured, from the middle on: half of the graph is drawn there."""

STEP = """async (steps) => {
  const root = document.querySelector(".apt");
  for (let step = 0; step < steps; step += 1) {
    root.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    await new Promise((done) => requestAnimationFrame(done));
  }
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}"""
PARTS = ("ScriptDuration", "LayoutDuration", "RecalcStyleDuration")


def open_figures(page: Page) -> None:
    """Open the beam and the attention heads of a stand-alone stepper."""
    page.locator(".beam summary").click()
    page.locator(".heads summary").click()
    page.get_by_role("treeitem").first.wait_for()
    page.get_by_role("gridcell").last.wait_for()


def redraw_milliseconds(page: Page, steps: int = STEPS) -> tuple[float, float]:
    """Step on, and give the milliseconds of a step: scripts, styles and layout; with painting."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def measured() -> dict[str, float]:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return {metric["name"]: 1000 * metric["value"] / steps for metric in metrics}

    before = measured()
    page.evaluate(STEP, steps)
    after = measured()
    session.detach()
    took = {name: after[name] - before[name] for name in (*PARTS, "TaskDuration")}
    return sum(took[name] for name in PARTS), took["TaskDuration"]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tokens", type=int, default=190, help="of the text, at least")
    num_tokens = parser.parse_args().tokens
    from playwright.sync_api import sync_playwright

    from app.exports.stepper import format_stepper
    from aptcore.neural.parser import AptParser

    words: list[str] = []
    for line in SENTENCES.read_text("utf-8").splitlines():
        words += line.split() if len(words) < num_tokens else []
    trace = AptParser.from_pretrained(device="cpu").trace(" ".join(words), beam=10)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "stepper.html"
        path.write_text(format_stepper(trace, len(trace.steps) // 2), encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for is_open in (False, True):
            page = browser.new_page(viewport={"width": 1280, "height": 720})
            page.goto(path.as_uri())
            if is_open:
                open_figures(page)
            redraw, whole = redraw_milliseconds(page)
            print(
                f"{len(trace.steps)} actions, beam and heads {'open' if is_open else 'closed'}: "
                f"{redraw:.1f} ms a step, {whole:.1f} ms with painting"
            )
        browser.close()


if __name__ == "__main__":
    main()
