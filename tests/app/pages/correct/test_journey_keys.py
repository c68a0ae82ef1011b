"""Keys that are held, tapped or typed on another keyboard, in a real headless browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.store.store import Store
from benchmarks.acts import be
from tests.app.conftest import await_frame, expect
from tests.app.pages.correct.conftest import EDITOR, Served, first_of, open_first, settle

if TYPE_CHECKING:
    from playwright.sync_api import Page


PRESS = f"""(how) => {EDITOR}.dispatchEvent(new KeyboardEvent("keydown",
  {{ bubbles: true, cancelable: true, composed: true, ...how }}))"""
"""Presses one key as a browser tells of it."""
TAPS = f"() => {{ for (let tap = 0; tap < 3; tap += 1) ({PRESS})({{ key: 'a', code: 'KeyA' }}); }}"
"""Accepts three times before any answer can come."""


def statuses(store: Store, document: int) -> list[str]:
    return [row.status for row in store.sentences(document)]


def test_a_key_that_is_held_accepts_once_and_deletes_once(
    page: Page, served: Served, store: Store, document: int
) -> None:
    open_first(page, served, store, document)
    for _ in range(10):  # the browser says of all but the first that the key is held
        page.keyboard.down("a")
        await_frame(page)
    page.keyboard.up("a")
    page.locator(".edit .state").get_by_text("example.2").wait_for()
    settle(page)
    assert statuses(store, document).count("accepted") == 1
    page.keyboard.press("End")
    for _ in range(10):
        page.keyboard.down("d")
        await_frame(page)
    page.keyboard.up("d")
    settle(page)
    second = store.sentences(document)[1].id
    assert [one.what["do"] for one in store.log(second)] == ["edit"]


def test_quick_taps_accept_no_sentence_that_was_not_shown(
    page: Page, served: Served, store: Store, document: int
) -> None:
    open_first(page, served, store, document)
    page.evaluate(TAPS)
    page.locator(".edit .notice").get_by_text("before sentence 2 was shown").wait_for()
    settle(page)
    assert statuses(store, document).count("accepted") == 1
    expect(page.locator(".edit .state")).to_contain_text("example.2")


def test_who_has_a_blind_copy_never_lands_on_the_original(
    page: Page, served: Served, store: Store, document: int
) -> None:
    originals = [one.id for one in store.documents() if one.copy_of is None]
    assert document in originals
    copies = [store.copy_document(one, f"blind {one}", "kim") for one in originals]
    be(page, served.address, "kim")
    page.goto(f"{served.address}/correct?person=kim")
    page.locator(".edit .node").first.wait_for()
    settle(page)
    found = page.evaluate("new URLSearchParams(location.search).get('sentence')")
    assert store.sentence(int(found)).document in copies


def test_keys_of_other_keyboards_do_what_their_places_say(
    page: Page, served: Served, store: Store, document: int
) -> None:
    open_first(page, served, store, document)
    state = page.locator(".edit .state")
    page.evaluate(PRESS, {"key": "а", "code": "KeyF"})  # Cyrillic
    state.get_by_text("flagged").wait_for()
    page.evaluate(PRESS, {"key": "ח", "code": "KeyU"})  # Hebrew
    state.get_by_text("flagged").wait_for(state="hidden")
    alt_graph = {"ctrlKey": True, "altKey": True, "modifierAltGraph": True}
    page.evaluate(PRESS, {"key": "]", "code": "Digit9", **alt_graph})
    state.get_by_text("example.2").wait_for()
    settle(page)
    page.evaluate(PRESS, {"key": "[", "code": "Digit5", "altKey": True})  # Option
    state.get_by_text("example.1").wait_for()
    settle(page)
    page.evaluate(PRESS, {"key": "F", "code": "KeyF", "modifierCapsLock": True})
    page.locator(".edit .notice").get_by_text("Caps Lock is on").wait_for()
    assert not store.sentence(first_of(store, document)).state.flagged
