"""A store that can be read and not written, in a real headless browser: nothing is lost."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from app.store.log.operations import MAX_TEXT
from app.store.store import Store
from tests.app.conftest import expect, wait_until
from tests.app.pages.correct.conftest import (
    EDITOR,
    Served,
    accept,
    keys,
    open_first,
    settle,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

SAVED = f"{EDITOR}?.querySelector('.saved').textContent"
WATCH = f"""() => {{
  window.shown = [];
  const saved = {EDITOR}.querySelector(".saved");
  new MutationObserver(() => window.shown.push(saved.textContent))
    .observe(saved, {{childList: true}});
}}"""
"""Keeps all that is said of what is saved."""
TOLD = """() => { window.told = new Promise((told) => new MutationObserver((changes, watch) => {
  const added = changes.flatMap((change) => [...change.addedNodes]);
  if (!added.some((node) => node.matches?.("[data-testid=stDialog]"))) return;
  watch.disconnect();
  setTimeout(told, 1000);
}).observe(document.body, {childList: true})); }"""
"""Gives a promise that ends once Streamlit has said in a dialog that its server is gone."""


@contextmanager
def refusing(served: Served) -> Iterator[None]:
    """Let every write of an operation fail, as on a full disk."""
    body = "BEFORE INSERT ON operations BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
    with closing(sqlite3.connect(served.store, timeout=60)) as connection:
        connection.execute(f"CREATE TRIGGER full {body}")
        connection.commit()
        try:
            yield
        finally:
            connection.execute("DROP TRIGGER full")
            connection.commit()


@contextmanager
def locked(served: Served) -> Iterator[None]:
    """Hold the store as another process does in the midst of writing."""
    with closing(sqlite3.connect(served.store, timeout=60, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


def rename(page: Page, text: str) -> None:
    page.keyboard.press("r")
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def comment(page: Page, text: str) -> None:
    page.keyboard.press("c")
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def draft(page: Page, text: str) -> None:
    """Type a text that is no graph, and leave it."""
    page.keyboard.press(".")
    page.locator(".edit textarea").fill(text)
    page.keyboard.press("Escape")


def wait_for_saved(page: Page) -> None:
    page.wait_for_function(f"() => {SAVED} === 'All saved'")


def test_what_is_done_while_another_process_writes_for_long_arrives_when_it_has_ended(
    page: Page, served: Served, store: Store, document: int
) -> None:
    sentence = open_first(page, served, store, document, "c / child")
    text = "(g / give-01\n   :ARG0 (b / baker"
    page.evaluate(WATCH)
    with locked(served):
        rename(page, "pupil")
        keys(page, "f")
        comment(page, "is it she?")
        draft(page, text)
        page.locator(".edit .saved").get_by_text("could not write: database is locked").wait_for()
        expect(page.locator(".edit .saved")).to_have_text(re.compile("^4 changes wait"))
        assert "All saved" not in page.evaluate("window.shown")
        assert not store.log(sentence)
    wait_for_saved(page)
    state = store.sentence(sentence).state
    assert [node.concept for node in state.graph.nodes if node.id == "c"] == ["pupil"]
    assert state.flagged
    assert [one.text for one in state.comments] == ["is it she?"]
    assert state.drafts == {"Ada": text}
    assert len(store.log(sentence)) == 4


def test_work_on_a_full_disk_stays_over_a_reload_and_is_kept_when_there_is_room(
    page: Page, served: Served, store: Store, document: int
) -> None:
    sentence = open_first(page, served, store, document, "c / child")
    text = "(g / give-01\n   :ARG0 (b / baker"
    with refusing(served):
        rename(page, "pupil")
        draft(page, text)
        page.locator(".edit .saved").get_by_text("disk is full").wait_for()
        page.reload()
        page.locator(".edit .node").first.wait_for()
        page.locator(".edit .saved").get_by_text("2 changes wait").wait_for()
        page.locator(".edit .saved").get_by_text("disk is full").wait_for()
        page.locator(".edit .list h3").get_by_text("a draft of the text waits").wait_for()
        keys(page, ".")
        expect(page.locator(".edit textarea")).to_have_value(text)
        keys(page, "Escape")
        assert not store.log(sentence)
    wait_for_saved(page)
    assert store.sentence(sentence).state.drafts == {"Ada": text}
    page.locator(".edit .lines").get_by_text("c / pupil").wait_for()
    kept = "() => Object.keys(localStorage).filter((key) => /text/.test(key)).length"
    wait_until(page, lambda: page.evaluate(kept) == 0)


def test_a_draft_that_the_rules_refuse_stays_in_the_field(
    page: Page, served: Served, store: Store, document: int
) -> None:
    open_first(page, served, store, document)
    text = "(g / give-01 " + "x" * MAX_TEXT
    draft(page, text)
    page.locator(".edit .notice").get_by_text("characters").wait_for()
    page.locator(".edit .saved").get_by_text("The text is only in this browser yet").wait_for()
    keys(page, ".")
    expect(page.locator(".edit textarea")).to_have_value(text)


def test_a_sentence_can_be_accepted_once_the_disk_has_room_and_the_next_one_comes(
    page: Page, served: Served, store: Store, document: int
) -> None:
    sentence = open_first(page, served, store, document)
    with refusing(served):
        keys(page, "a")
        page.locator(".edit .saved").get_by_text("1 change waits").wait_for()
        page.locator(".edit .saved").get_by_text("disk is full").wait_for()
        assert store.sentence(sentence).state.status == "open"
    page.locator(".edit .state").get_by_text("example.2").wait_for()
    settle(page)
    assert store.sentence(sentence).state.status == "accepted"
    accept(page, "example.3")


def test_a_field_keeps_the_keys_when_streamlit_says_that_its_server_is_gone(
    page: Page, served: Served, store: Store, document: int
) -> None:
    sentence = open_first(page, served, store, document, "c / child")
    page.evaluate(TOLD)
    keys(page, "r")
    served.kill()
    page.evaluate("() => window.told")
    page.keyboard.type("pupil")
    page.keyboard.press("Enter")
    keys(page, "f")
    page.locator(".edit .saved").get_by_text("2 changes wait").wait_for()
    served.start()
    wait_for_saved(page)
    assert [one.what["do"] for one in store.log(sentence)] == ["edit", "flag"]
    assert "pupil" in {node.concept for node in store.sentence(sentence).state.graph.nodes}


def test_keys_that_wait_for_an_answer_are_told_and_the_page_is_not_left_without_a_word(
    page: Page, served: Served, store: Store, document: int
) -> None:
    page = page.context.new_page()  # which may ask
    sentence = open_first(page, served, store, document, "c / child")
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    with refusing(served):
        keys(page, "d")
        page.locator(".edit .saved").get_by_text("disk is full").wait_for()
        comment(page, "why?")
        saved = page.locator(".edit .saved")
        saved.get_by_text("keys pressed since are only in this page").wait_for()
        page.evaluate("location.reload()")
        wait_until(page, lambda: asked == ["beforeunload"])
    wait_for_saved(page)
    assert [one.text for one in store.sentence(sentence).state.comments] == ["why?"]
