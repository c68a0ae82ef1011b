"""Whose work it is that a browser sends, in a real headless browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.store.store import Store
from tests.app.pages.correct.conftest import Served, first_of, settle

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_a_link_with_a_name_asks_a_new_browser_and_changes_no_other(
    page: Page, served: Served, store: Store, document: int
) -> None:
    address = f"{served.address}/correct?sentence={first_of(store, document)}"
    page.goto(f"{address}&person=Ada")
    page.get_by_text("The link carries the name Ada").wait_for()
    page.get_by_label("Your name").fill("Bea")
    page.get_by_role("button", name="Begin").click()
    head = page.get_by_text("annotator Bea")
    head.wait_for()
    settle(page)
    page.goto(f"{address}&person=Ada")
    head.wait_for()
    settle(page)
    page.keyboard.press("f")
    settle(page)
    assert [entry.person for entry in store.log(first_of(store, document))] == ["Bea"]
