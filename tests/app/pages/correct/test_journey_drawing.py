"""What an edit draws anew, in a real headless browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.store.store import Store
from benchmarks.acts import be
from tests.app.pages.correct.conftest import EDITOR, Served, settle

if TYPE_CHECKING:
    from playwright.sync_api import Page

MARK = f"() => {{ for (const part of {EDITOR}.querySelectorAll('[data-pick], li')) part.old = 1; }}"
FRESH = f"""() => [...{EDITOR}.querySelectorAll(".stage [data-pick], .lines li")]
  .filter((part) => !part.old).map((part) => part.ariaLabel ?? part.textContent)"""
DRAWN = f"""() => [...{EDITOR}.querySelectorAll(".stage [data-pick]")]
  .map((part) => [part.dataset.pick, part.ariaLabel.replace(/, doubtful.*/, "")])"""


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
    assert page.evaluate(DRAWN) == drawn
