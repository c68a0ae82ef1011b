"""No page has a serious fault that axe-core finds, in light or dark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from app.store.store import open_store
from aptcore.assets import asset_path
from benchmarks.acts import be
from benchmarks.redraw import open_figures
from tests.app.conftest import fresh_page, rest, wait_until
from tests.app.pages.correct.conftest import Served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[3]
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
LONG = "The girl who had planted the tall old tree behind the school " * 5
LAST_WORD = ".apt .token:nth-last-child(3) >> text=slept"
"""Of the long sentence: a stored trace stands there while a first sentence waits for the model."""
PAGES = {
    "home": ("", ".stMainBlockContainer h1"),
    "parse": (f"parse?{urlencode({'sentence': LONG + 'slept.', 'beam': 1})}", LAST_WORD),
    "oracle": ("oracle", ".apt .token.here"),
    "corpus": ("oracle?view=corpus", ".stVegaLiteChart svg text"),
    "exercises": ("exercises", ".stMainBlockContainer h1, .apt .token"),
    "lesson": ("exercises?lesson=copy", ".apt .token"),
    "queue": ("queue?document={document}", ".stDataFrame"),
    "correct": ("correct?sentence={sentence}", ".edit .node"),
    "compare": ("compare?sentence={sentence}", "[data-testid=stSelectbox]"),
    "settings": ("settings", ".own .pace"),
    "train": ("train", "[data-testid=stSelectbox], [data-testid=stBaseButton-primary]"),
}
SERIOUS = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
  .filter(({ impact }) => impact === "serious" || impact === "critical")
  .flatMap(({ id, nodes }) => nodes.map(({ html, any }) =>
    `${id}: ${html.slice(0, 200)} ${any[0]?.message ?? ""}`))"""


LOOK = """() => [...document.querySelectorAll(".stHtml style")]
  .some(({ textContent }) => textContent.includes("stCaptionContainer"))"""
"""Streamlit loads what it draws HTML with, and with it the look of the pages, a moment later."""


@pytest.fixture(scope="module")
def axe() -> str:
    if not AXE.is_file():
        pytest.skip("axe-core is absent: run `npm ci`")
    return AXE.read_text("utf-8")


@pytest.fixture(scope="module")
def served(
    model: Path, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Served, dict[str, int]]]:
    """An app with a document, and what numbers its addresses name."""
    folder = tmp_path_factory.mktemp("accessible")
    app = Served(folder / "work.db", folder, model)
    store = open_store(str(app.store))
    text = asset_path("annotation/example.txt").read_text("utf-8")
    document = store.import_text("example.txt", text).document
    numbers = {"document": document, "sentence": store.sentences(document)[0].id}
    store.close()
    app.start()
    yield app, numbers
    app.kill()


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    yield from fresh_page(browser, 120_000)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_no_serious_fault(
    name: str, axe: str, served: tuple[Served, dict[str, int]], page: Page
) -> None:
    app, numbers = served
    address, drawn = PAGES[name]
    be(page, app.address, "Ada")
    found = {}
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto(f"{app.address}/{address.format(**numbers)}")
        page.locator(drawn).first.wait_for()
        rest(page)
        page.wait_for_function(LOOK)
        if name == "parse":
            open_figures(page)
            page.get_by_role("treeitem").first.click()
            page.locator(".hypothesis .taken li").first.wait_for()
        page.evaluate(axe)
        found[scheme] = page.evaluate(SERIOUS)
    assert found == {"light": [], "dark": []}


def test_labels_of_charts_have_the_colour_of_text(
    served: tuple[Served, dict[str, int]], page: Page
) -> None:
    app, _ = served
    labels = page.locator(".stVegaLiteChart svg text")  # axe-core does not look into drawings
    fills = "(all) => [...new Set(all.map((each) => getComputedStyle(each).fill))]"
    for scheme, colour in {"light": "rgb(29, 37, 41)", "dark": "rgb(228, 233, 234)"}.items():
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        page.goto(f"{app.address}/oracle?view=corpus")
        labels.first.wait_for()
        wait_until(page, lambda wanted=colour: labels.evaluate_all(fills) == [wanted])
