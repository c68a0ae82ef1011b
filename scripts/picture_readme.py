"""Take the README's pictures from today's pages: a parse in the middle, and an animation of it.

    python scripts/picture_readme.py

Needs Debian's chromium and the Python package playwright (the extra ``test``).
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlencode

from PIL import Image
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.failing import CHROMIUM, FLAGS, App  # noqa: E402

SENTENCE = "The little prince asked the fox what it wanted to say."
STEP = 13
PICTURE, ANIMATION = ROOT / "docs" / "step-page.png", ROOT / "docs" / "parse.gif"
SIZE = {"width": 1280, "height": 860}
SHOWN = (860, 578)
FRAME_MILLISECONDS, LAST_MILLISECONDS = 700, 4000
COLOURS = 48


def open_at(page: Page, address: str, step: int) -> None:
    """Open the sentence after so many actions."""
    page.goto(f"{address}/parse?{urlencode({'sentence': SENTENCE, 'step': step})}")
    page.locator(".apt .token.here, .apt .where").first.wait_for()
    page.locator(".apt").evaluate("(canvas) => canvas.focus({ preventScroll: true })")
    page.wait_for_timeout(1500)  # fonts, and what is drawn late


def frame(page: Page) -> Image.Image:
    """Take the page as it stands, at the size of the animation."""
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    return picture.resize(SHOWN, Image.Resampling.LANCZOS)


def animate(page: Page, address: str) -> None:
    """Step from the first action to the last, and write a frame for each."""
    open_at(page, address, 0)
    last = int(page.locator(".count").inner_text().split()[3])
    frames = [frame(page)]
    for _ in range(last):
        page.keyboard.press("ArrowRight")
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        frames.append(frame(page))
    palette = frames[-1].quantize(COLOURS)
    drawn = [each.quantize(palette=palette, dither=Image.Dither.NONE) for each in frames]
    durations = [FRAME_MILLISECONDS] * last + [LAST_MILLISECONDS]
    drawn[0].save(ANIMATION, save_all=True, append_images=drawn[1:], duration=durations, loop=0)


def main() -> None:
    """Start the app, take both, and write them into docs."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        app = App(f"{folder}/store.db", Path(folder) / "log.txt")
        app.start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        context = browser.new_context(viewport=SIZE, reduced_motion="reduce")
        context.set_default_timeout(120_000)
        page = context.new_page()
        open_at(page, app.address, STEP)
        page.screenshot(path=PICTURE)
        animate(page, app.address)
        browser.close()
        app.kill()


if __name__ == "__main__":
    main()
