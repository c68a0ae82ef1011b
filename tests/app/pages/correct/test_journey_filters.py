"""The filters of the queue go along with the next sentence, in a real headless browser."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from app.store.log.operations import Request
from app.store.store import Store
from benchmarks.acts import be
from tests.app.conftest import expect
from tests.app.pages.correct.conftest import Served, settle

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_only_flagged_sentences_follow_one_that_was_opened_from_such_a_queue(
    page: Page, served: Served, store: Store, document: int
) -> None:
    rows = store.sentences(document)
    for row in (rows[0], rows[4]):
        store.apply(row.id, "Bo", "t", Request("f", 0, {"do": "flag", "on": True}))
    asked = {"document": document, "only": "flagged", "order": "file"}
    be(page, served.address, "Ada")
    page.goto(f"{served.address}/queue?{urlencode(asked)}")
    page.get_by_role("button", name="Correct the next one").click()
    page.locator(".edit .state").get_by_text("example.1").wait_for()
    settle(page)
    page.keyboard.press("a")
    page.locator(".edit .state").get_by_text("example.5").wait_for()
    settle(page)
    page.wait_for_url("**only=flagged**")
    page.keyboard.press("a")
    page.locator(".edit .told").get_by_text("among those flagged").wait_for(state="attached")
    expect(page.locator(".edit .state")).to_contain_text("example.5")
