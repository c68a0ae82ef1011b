"""Data & settings in a real browser: what is set there holds elsewhere, and after a reload."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.app.conftest import expect, fresh_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    yield from fresh_page(browser, 120_000)


def test_pace_and_dates_are_kept_in_the_browser(page: Page, address: str) -> None:
    page.goto(f"{address}/settings")
    page.locator(".own .pace").select_option("5")
    page.locator(".own .told").get_by_text("Kept in this browser.").wait_for()
    page.locator(".own .plays").uncheck()
    page.get_by_text("As the browser writes them").click()
    page.wait_for_function("() => document.cookie.includes('local')")
    page.reload()
    page.locator(".own .plays:not(:checked)").wait_for()
    expect(page.get_by_role("radio", name="As the browser writes them")).to_be_checked()
    page.goto(f"{address}/parse")
    page.locator(".apt .token").first.wait_for()
    expect(page.locator(".apt .speed")).to_have_value("5")
    expect(page.locator(".apt .autoplay input")).not_to_be_checked()
