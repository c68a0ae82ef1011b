"""The canvas in a real browser: keys, playing, figures, and how fast and still it is.

The stand-alone stepper is the canvas without a server, so these journeys need no model.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from app.exports.stepper import format_stepper
from app.views.trace import Trace, decode_trace
from tests.app.traces import long_trace, want_trace

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage"
).split()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}: install Debian's chromium")
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=str(CHROMIUM), headless=True, args=FLAGS
        )
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def want() -> Trace:
    return decode_trace(want_trace())


@pytest.fixture(scope="module")
def long() -> Trace:
    return decode_trace(long_trace())


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of 1280 by 720 pixels; an error or a warning in it fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 720}, offline=True)
    fresh = context.new_page()
    problems: list[str] = []
    fresh.on("pageerror", lambda error: problems.append(str(error)))
    fresh.on("console", lambda line: problems.append(line.text))
    yield fresh
    context.close()
    assert not problems


def open_at(page: Page, trace: Trace, folder: Path, step: int = 0) -> None:
    path = folder / "stepper.html"
    path.write_text(format_stepper(trace, step), encoding="utf-8")
    page.goto(path.as_uri())


def await_step(page: Page, step: int) -> None:
    page.locator(".count", has_text=f"{step} / ").wait_for()


def changed(**fields: Any) -> Trace:
    return decode_trace(want_trace() | fields)


# --- playing and keys -----------------------------------------------------------------


def test_space_plays_to_the_end_and_pauses_there(page: Page, want: Trace, tmp_path: Path) -> None:
    open_at(page, want, tmp_path, step=13)
    page.locator(".speed").select_option("5")
    page.locator(".apt").focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Pause").wait_for()
    await_step(page, 16)
    page.get_by_role("button", name="Play").wait_for()
    page.wait_for_timeout(300)
    assert page.locator(".count").inner_text() == "16 / 16"
    assert (page.locator(".live").text_content() or "").startswith("Action 16 of 16")


def test_playing_at_the_end_starts_again_and_a_key_stops_it(
    page: Page, want: Trace, tmp_path: Path
) -> None:
    open_at(page, want, tmp_path, step=16)
    page.get_by_role("button", name="Play").click()
    await_step(page, 2)
    page.locator(".apt").focus()
    page.keyboard.press("End")
    page.get_by_role("button", name="Play").wait_for()
    await_step(page, 16)


def test_space_in_the_list_of_actions_plays_too(page: Page, want: Trace, tmp_path: Path) -> None:
    open_at(page, want, tmp_path)
    page.locator(".jump").nth(3).click()
    page.keyboard.press("Space")
    await_step(page, 5)
    page.keyboard.press("Space")
    page.get_by_role("button", name="Play").wait_for()


def test_arrows_in_the_choice_of_speed_do_not_step(page: Page, want: Trace, tmp_path: Path) -> None:
    open_at(page, want, tmp_path, step=4)
    page.locator(".speed").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    page.wait_for_timeout(100)
    assert page.locator(".count").inner_text() == "4 / 16"


def test_a_question_mark_opens_the_keys_and_escape_closes_them(
    page: Page, want: Trace, tmp_path: Path
) -> None:
    open_at(page, want, tmp_path)
    page.locator(".slider").focus()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    dialog.wait_for()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    assert page.locator(".count").inner_text() == "0 / 16"
    assert page.evaluate("document.activeElement.className") == "slider"


# --- figures --------------------------------------------------------------------------


def test_entropy_is_shown_for_every_step(page: Page, want: Trace, tmp_path: Path) -> None:
    open_at(page, want, tmp_path, step=2)
    assert page.locator(".entropy").inner_text() == "Entropy 0.400 nats"


def test_a_pointer_weight_of_one_is_labelled_one(page: Page, tmp_path: Path) -> None:
    steps = want_trace()["steps"]
    steps[9]["pointer"], steps[9]["pointer_hidden"] = [[3, 1.0]], 0.0
    open_at(page, changed(steps=steps), tmp_path, step=9)
    assert page.locator(".node.pointed .weight").all_text_contents() == ["1.0"]
