"""What an edit draws anew, and what is drawn of a large graph, in a real headless browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.store.store import Store
from aptcore.graph.amr import AmrGraph
from benchmarks.acts import be
from tests.app.conftest import expect, wait_until
from tests.app.pages.correct.conftest import (
    EDITOR,
    Served,
    keys,
    open_first,
    running,
    settle,
    type_in,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

MARK = f"() => {{ for (const part of {EDITOR}.querySelectorAll('[data-pick], li')) part.old = 1; }}"
FRESH = f"""() => [...{EDITOR}.querySelectorAll(".stage [data-pick], .lines li")]
  .filter((part) => !part.old).map((part) => part.ariaLabel ?? part.textContent)"""
DRAWN = f"""() => [...{EDITOR}.querySelectorAll(".stage [data-pick]")]
  .map((part) => [part.dataset.pick, part.ariaLabel.replace(/, doubtful.*/, "")])"""


@pytest.fixture(scope="module")
def shared(
    model: Path, chromium: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """An app whose parser is not read in yet: what it doubts is drawn anew too."""
    with running(model, tmp_path_factory.mktemp("drawing")) as app:
        yield app


def top_of(part: str) -> str:
    return f"{EDITOR}.querySelector('{part}').getBoundingClientRect().top"


def renamed(page: Page, name: str) -> None:
    page.keyboard.press("r")
    page.keyboard.press("Control+a")
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    page.locator(".edit .lines").get_by_text(name).first.wait_for()
    settle(page)


def test_an_edit_draws_anew_what_it_touches_alone(page: Page, served: Served, store: Store) -> None:
    leaves = " ".join(f":op{n} (t{n} / thing)" for n in range(1, 40))
    text = f"# ::id star\n# ::snt Things.\n(a / and {leaves} :op40 (l / last))\n"
    sentence = store.sentences(store.import_text("star.amr", text).document)[0].id
    be(page, served.address, "Ada")
    page.goto(f"{served.address}/correct?sentence={sentence}")
    page.locator(".edit .saved").get_by_text("All saved").wait_for()
    page.locator(".edit .lines").get_by_text("l / last").click()
    settle(page)
    page.evaluate(MARK)
    renamed(page, "end")
    # An edit may change what the parser doubts anywhere; else these are node, edge and line.
    fresh = [text for text in page.evaluate(FRESH) if "doubtful" not in text]
    assert 1 <= len(fresh) <= 3
    assert all("end" in text for text in fresh)
    page.keyboard.press("d")  # one part less, and then one more than before
    settle(page)
    page.keyboard.press("u")
    settle(page)
    page.keyboard.press("n")
    page.keyboard.type("whale")
    page.keyboard.press("Enter")
    page.locator(".edit .lines").get_by_text("whale").first.wait_for()
    settle(page)
    drawn = page.evaluate(DRAWN)
    kinds = [pick.split(":")[0] for pick, _ in drawn]
    assert kinds == sorted(kinds)  # edges lie below all nodes
    page.reload()
    page.locator(".edit .saved").get_by_text("All saved").wait_for()
    settle(page)
    wait_until(page, lambda: page.evaluate(DRAWN) == drawn)
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function(f"() => {top_of('.drawing')} < {top_of('.side')}")


def inside(page: Page, part: str) -> bool:
    """Tell whether a part lies in the window, below the heading that Streamlit keeps there."""
    box, size = page.locator(part).bounding_box(), page.viewport_size
    if box is None or size is None:
        return False
    right, bottom = box["x"] + box["width"], box["y"] + box["height"]
    return box["x"] >= 0 and right <= size["width"] and box["y"] >= 60 and bottom <= size["height"]


def test_the_bar_and_the_field_are_in_sight_on_a_phone_and_at_a_zoom_of_200_percent(
    page: Page, served: Served, store: Store, document: int
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_first(page, served, store, document)
    boxes = page.locator(".edit .node .box")
    for place in range(3):
        boxes.nth(place).click()
        wait_until(page, lambda: inside(page, ".edit .tools"))
    page.set_viewport_size({"width": 640, "height": 360})
    for place in range(3):
        boxes.nth(place).click()
        keys(page, "n")
        page.locator(".edit .offers li").first.wait_for()
        wait_until(page, lambda: inside(page, ".edit .prompt input"))
        keys(page, "Escape")


def graph_of(store: Store, sentence: int) -> AmrGraph:
    return store.sentence(sentence).state.graph


def test_a_large_graph_is_worked_on_folded(page: Page, served: Served, store: Store) -> None:
    leaves = " ".join(f":op{n} (t{n} / thing)" for n in range(1, 600))
    graph = f"(a / and {leaves} :op600 (l / last :ARG1 (w / whale)))"
    text = f"# ::id large\n# ::snt Things.\n{graph}\n"
    sentence = store.sentences(store.import_text("large.amr", text).document)[0].id
    be(page, served.address, "Ada")
    page.goto(f"{served.address}/correct?sentence={sentence}")
    page.locator(".edit .saved").get_by_text("All saved").wait_for()
    settle(page)
    fold, hint, nodes = (page.locator(f".edit {part}") for part in (".fold span", ".hint", ".node"))
    expect(fold).to_have_text("120 of 602 parts are shown")
    page.locator(".edit .folded-count", has_text="+482").wait_for()
    keys(page, "+")
    settle(page)
    expect(nodes).to_have_count(240)
    keys(page, "/")
    type_in(page, "whale")
    expect(hint).to_have_text(re.compile("^w / whale"))
    expect(nodes).to_have_count(120)
    keys(page, "r")
    type_in(page, "dolphin")
    expect(hint).to_have_text(re.compile("^w / dolphin"))
    keys(page, "p")  # "last" is no frame, but has an argument
    settle(page)
    expect(hint).to_have_text(re.compile("^last :ARG1 dolphin"))
    keys(page, "e")  # the other end is far away
    keys(page, "/")
    type_in(page, "t1")
    keys(page, "Enter")
    type_in(page, ":mod")
    assert ("l", ":mod", "t1") in {edge.triple for edge in graph_of(store, sentence).edges}
    keys(page, ".")
    area = page.locator(".edit textarea")
    page.wait_for_function(f"() => {EDITOR}.querySelector('textarea').value")
    area.fill(area.input_value().replace("t300 / thing", "t300 / squid"))
    keys(page, "Control+Enter")
    settle(page)
    assert "squid" in {node.concept for node in graph_of(store, sentence).nodes}
    keys(page, "a")
    settle(page)
    assert store.sentence(sentence).state.status == "accepted"
