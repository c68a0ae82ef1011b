"""What belongs to one sentence stays with it, in a real headless browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from app.store.log.operations import Request
from app.store.store import Store
from tests.app.conftest import expect
from tests.app.pages.correct.conftest import (
    Served,
    accept,
    go_to,
    keys,
    open_sentence,
    settle,
    type_in,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

FAULTY = """# ::id {name}
# ::snt {name}
(s / see-01
   :null_edge (b / boy)
   :null_edge (g / girl))
"""


def rename_by_bo(store: Store, sentence: int, concept: str) -> None:
    edit = {"edit": "rename-node", "id": "b", "concept": concept}
    base = store.sentence(sentence).revision
    store.apply(sentence, "Bo", "t", Request(concept, base, {"do": "edit", "edit": edit}))


def test_a_conflict_left_undecided_stays_with_its_sentence_and_is_named_elsewhere(
    page: Page, served: Served, store: Store, document: int
) -> None:
    first, second = (row.id for row in store.sentences(document)[:2])
    open_sentence(page, served, first)
    go_to(page, "c / child")
    page.keyboard.press("r")
    rename_by_bo(store, first, "cook")
    page.keyboard.press("Control+a")
    page.keyboard.type("pupil")
    page.keyboard.press("Enter")
    alarm, elsewhere = page.locator(".edit .alarm"), page.locator(".edit .elsewhere")
    alarm.get_by_text("Conflict: Bo changed this sentence in the meantime.").wait_for()
    expect(elsewhere).to_be_hidden()
    page.locator(".edit [data-act=next]").click()
    page.locator(".edit .state").get_by_text("example.2").wait_for()
    settle(page)
    expect(alarm).to_be_hidden()
    expect(elsewhere).to_contain_text("Renamed c to pupil")
    saved = page.locator(".edit .saved")
    expect(saved).to_have_text("1 change waits for your decision")
    elsewhere.get_by_text("example.1").click()
    alarm.get_by_text("Apply mine to the newest").click()
    page.locator(".edit .lines").get_by_text("c / pupil").wait_for()
    settle(page)
    expect(saved).to_have_text("All saved")
    assert {node.concept for node in store.sentence(first).state.graph.nodes} >= {"cook", "pupil"}
    assert not store.log(second)


@pytest.mark.parametrize(
    ("key", "part"),
    [("t", "give-01 :ARG4 child"), ("s", "give-01 :ARG4 child"), ("m", "c / child")],
)
def test_the_first_edit_of_the_next_sentence_is_made_on_its_own_revision(
    key: str, part: str, page: Page, served: Served, store: Store, document: int
) -> None:
    first, second = (row.id for row in store.sentences(document)[:2])
    for concept in ("cook", "chef", "master"):
        rename_by_bo(store, first, concept)
    open_sentence(page, served, first)
    go_to(page, part)
    page.keyboard.press(key)
    go_to(page, "b / master")
    page.keyboard.press("Enter")
    settle(page)
    assert len(store.log(first)) == (3 if key == "t" else 4)  # t would cut the child off
    accept(page, "example.2")
    keys(page, "n")
    type_in(page, "old", ":mod")
    assert [entry.base for entry in store.log(second)] == [0]
    expect(page.locator(".edit .notice")).to_be_hidden()


def test_a_choice_that_another_writer_came_before_is_a_conflict(
    page: Page, served: Served, store: Store, document: int
) -> None:
    first = store.sentences(document)[0].id
    open_sentence(page, served, first)
    go_to(page, "give-01 :ARG4 child")
    page.keyboard.press("t")
    rename_by_bo(store, first, "cook")
    page.locator(".edit .lines").get_by_text("b / cook").wait_for()
    go_to(page, "b / cook")
    page.keyboard.press("Enter")
    page.locator(".edit .alarm").get_by_text("Bo changed this sentence").wait_for()
    assert store.sentence(first).revision == 1


def test_the_problems_of_the_next_sentence_are_gone_through_from_the_first(
    page: Page, served: Served, store: Store
) -> None:
    text = "\n".join(FAULTY.format(name=name) for name in ("one", "two"))
    first = store.sentences(store.import_text("faulty.txt", text).document)[0].id
    open_sentence(page, served, first)
    keys(page, "p")
    hint = page.locator(".edit .hint")
    begun = hint.inner_text().partition(",")[0]
    keys(page, "]")
    page.locator(".edit .state").get_by_text("two").wait_for()
    settle(page)
    keys(page, "p")
    expect(hint).to_have_text(re.compile(f"^{re.escape(begun)}(,|$)"))
