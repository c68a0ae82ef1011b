"""Journeys in a real headless browser through the Exercises page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from app.pages.exercises.opening import pack_lesson
from tests.app.conftest import Line, await_frame, expect, fresh_page, overtake, wait_until
from tests.app.lessons import WALK, lesson_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WAIT_MS = 120_000
PRESS = """(it, how) => it.dispatchEvent(
  new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...how }))"""
IN_VIEW = """(it) => {
  const { top, bottom } = it.getBoundingClientRect();
  return top > 0 && bottom < innerHeight;
}"""
ALT_GRAPH = {"ctrlKey": True, "altKey": True, "modifierAltGraph": True}


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page in a browser of its own; an error in it fails the test."""
    yield from fresh_page(browser, WAIT_MS)


def open_exercises(page: Page, address: str, **parameters: str) -> None:
    query = f"?{urlencode(parameters)}" if parameters else ""
    page.goto(f"{address}/exercises{query}")
    page.locator(".where-now").filter(has_text="at").wait_for()


def settle(page: Page) -> None:
    """Wait until everything that was sent is answered."""
    page.locator(".apt[aria-busy=false]").wait_for()


def press(page: Page, move: str) -> None:
    name = page.locator("b", has_text=re.compile(f"^{move}$"))
    page.locator("button.move:visible").filter(has=name).click()
    settle(page)


def told(page: Page) -> str:
    return page.locator(".notice").inner_text()


def actions(page: Page) -> list[str]:
    titles = "(jumps) => jumps.map((jump) => jump.title)"
    found: list[str] = page.locator(".actions .jump").evaluate_all(titles)
    return found[1:]


def made(page: Page) -> list[str]:
    await_frame(page)
    return page.locator(".stage .node:not(.absent) .label").all_text_contents()


def test_a_newcomer_finishes_the_first_lesson_from_the_page_alone(page: Page, address: str) -> None:
    open_exercises(page, address)
    for _ in range(4):
        page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_role("button", name="Begin").click()
    page.locator(".task .term", has_text="REDUCE").click()
    expect(page.locator(".meaning")).to_contain_text("Skip this token")
    assert page.locator(".move.no:visible").count() == 0  # the crosses would be the answer
    page.keyboard.press("s")  # without a click first
    settle(page)
    assert "“The” stands for nothing in the goal: skip it with REDUCE." in told(page)
    assert not made(page)
    press(page, "REDUCE")
    assert "stands for nothing" in told(page)
    assert made(page) == ["cat"]
    page.keyboard.press("?")
    letters = page.locator(".help dt:visible").all_inner_texts()[:6]
    assert letters == ["s", "d", "h", "u", "y", "← →"]
    page.keyboard.press("Escape")
    for move in ("SHIFT", "SHIFT", "REDUCE"):
        press(page, move)
    assert "Done: this is the goal." in told(page)
    assert "LA → sleep-01 :ARG0 cat" in page.locator(".actions .name").all_inner_texts()
    assert "3 of 4 right at once (75 %)." in told(page)
    expect(page.locator(".actions .missed")).to_have_count(1)
    page.get_by_role("button", name="Next lesson").click()
    page.locator(".task h3", has_text="COPY").wait_for()
    page.wait_for_url("**lesson=copy**")
    page.keyboard.press("s")  # the next lesson has the focus
    settle(page)
    assert "not possible here" in told(page)
    page.reload()
    page.locator(".lessons").wait_for()
    expect(page.locator(".lessons option").nth(0)).to_have_text(re.compile("^✓ 1. Read"))
    expect(page.locator(".course output")).to_have_text("1 of 11 finished")


def test_a_class_link_names_what_is_not_there_and_leads_on_with_its_keys_alive(
    page: Page, address: str
) -> None:
    open_exercises(page, address, lessons="read-on,gone,copy")
    expect(page.get_by_role("alert").first).to_contain_text("not here: gone")
    page.get_by_role("button", name="Skip the tour").click()
    for key in "dssd":
        page.keyboard.press(key)
        settle(page)
    page.get_by_role("button", name="Next lesson: Make nodes: COPY").press("Enter")
    page.locator(".task h3", has_text="COPY").wait_for()
    page.get_by_text("Glossary: all terms").click()  # a place that needs no letters
    for key in "dcscsvsd":
        page.keyboard.press(key)
        settle(page)
    assert "the last lesson of the set: all are finished" in told(page)
    expect(page.locator(".tour")).to_be_hidden()  # the canvas is still the same


def test_a_drawing_overtaken_before_its_script_came_leaves_one_exercise_that_takes_each_move_once(
    late_page: Page, address: str
) -> None:
    late_page.goto(f"{address}/exercises?lesson=reentrancy")
    overtake(late_page, ".apt")
    late_page.locator(".where-now").filter(has_text="at").wait_for()
    late_page.locator(".apt").focus()
    for key in "dcs":
        late_page.keyboard.press(key)
        settle(late_page)
    assert actions(late_page) == ["REDUCE", "COPY(lemma)", "SHIFT"]
    expect(late_page.locator(".moves")).to_have_count(1)


def test_an_answer_that_is_lost_with_its_connection_is_sent_again_and_taken_once(
    page: Page, address: str
) -> None:
    line = Line(page)
    open_exercises(page, address)
    page.keyboard.press("Escape")
    press(page, "REDUCE")
    before = actions(page)
    line.is_losing = True
    page.get_by_role("button", name="Show me").click()
    wait_until(page, lambda: bool(line.lost))
    line.is_losing = False
    settle(page)
    after = actions(page)
    assert after[: len(before)] == before
    assert [name for name in after[len(before) :] if name == "SHIFT"] == ["SHIFT"]


def test_undo_and_redo_have_no_limit_and_the_drawing_stays(page: Page, address: str) -> None:
    open_exercises(page, address, lesson="reentrancy")
    page.locator(".apt").focus()
    for key in "dcsv":  # faster than any answer
        page.keyboard.press(key)
    settle(page)
    assert actions(page) == ["REDUCE", "COPY(lemma)", "SHIFT", "COPY(sense)"]
    place = page.locator(".stage .node .label").first.bounding_box()
    page.keyboard.press("u")
    page.get_by_role("button", name="Undo").click()
    page.keyboard.press("Control+z")
    expect(page.locator(".where-now")).to_have_text("Your move at “boy”")
    assert made(page) == []
    page.keyboard.press("y")
    page.keyboard.press("Control+y")
    expect(page.locator(".where-now")).to_have_text("Your move at “wants”")
    assert page.locator(".stage .node .label").first.bounding_box() == place
    page.get_by_role("button", name="Start again").click()
    settle(page)
    assert actions(page) == []


def test_a_whole_graph_is_built_by_keys_alone(page: Page, address: str) -> None:
    open_exercises(page, address, lesson="reentrancy")
    for key in "dcsv":
        page.keyboard.press(key)
    settle(page)
    page.keyboard.press("t")
    page.keyboard.type("la(1, :ARG0)")
    page.keyboard.press("Enter")
    settle(page)
    page.keyboard.press("Escape")
    for key in "sdv":
        page.keyboard.press(key)
    settle(page)
    page.keyboard.press("t")
    for action in ("RA(3, :ARG1)", "LA(1, :ARG0)", "SHIFT", "REDUCE", "ROOT(3)"):
        page.keyboard.type(action)
        page.keyboard.press("Enter")
        settle(page)
    assert "Done: this is the goal." in told(page)
    page.get_by_role("button", name="Next lesson").focus()
    page.keyboard.press("Enter")
    page.locator(".task h3", has_text="Guess").wait_for()


def test_keys_of_other_keyboards_act_by_their_place_and_caps_lock_is_named(
    page: Page, address: str
) -> None:
    open_exercises(page, address, lesson="reentrancy")
    caps, canvas = page.locator(".caps"), page.locator(".apt")
    canvas.evaluate(PRESS, {"key": "в", "code": "KeyD"})  # Cyrillic
    canvas.evaluate(PRESS, {"key": "ב", "code": "KeyC"})  # Hebrew
    canvas.evaluate(PRESS, {"key": "G", "code": "KeyG", "modifierCapsLock": True})
    expect(caps).to_contain_text("Caps Lock is on")
    canvas.evaluate(PRESS, {"key": "σ", "code": "KeyS"})  # Greek
    settle(page)
    expect(caps).to_be_hidden()
    assert actions(page) == ["REDUCE", "COPY(lemma)", "SHIFT"]
    canvas.evaluate(PRESS, {"key": "V", "code": "KeyV", "modifierCapsLock": True})
    settle(page)
    assert actions(page)[-1] == "COPY(sense)"
    canvas.evaluate(PRESS, {"key": "?", "code": "Minus", **ALT_GRAPH})
    page.locator(".help").wait_for()


def test_guessing_counts_another_right_order_as_right(page: Page, address: str) -> None:
    open_exercises(page, address, lesson="guess", step="8")
    press(page, "SHIFT")
    assert "SHIFT is possible, but is not right here." in told(page)
    assert "Right is RA → promise-01 :ARG1 help-01" in told(page)
    page.get_by_label("The other node").select_option(label="1: king")
    page.get_by_label("Role").select_option(":ARG0")
    press(page, "LA")  # the lesson's own walk draws the other edge first
    assert "Right: LA → help-01 :ARG0 king." in told(page)
    assert actions(page)[-1] == "LA(1, :ARG0)"


def test_a_run_stops_before_the_reentrancy_and_a_refresh_comes_back(
    page: Page, address: str
) -> None:
    open_exercises(page, address, lesson="guess")
    page.get_by_role("button", name="Run", exact=True).click()
    settle(page)
    assert len(actions(page)) == 9
    page.wait_for_url("**step=9**")
    page.reload()
    page.locator(".where-now", has_text="help").wait_for()
    assert len(actions(page)) == 9


def test_a_click_on_a_node_chooses_it_and_the_edge_is_drawn(page: Page, address: str) -> None:
    own = lesson_of(start=8)
    open_exercises(page, address, own=pack_lesson(own) or "")
    page.locator(".stage .node", has_text="want-01").click()
    page.get_by_label("Role").select_option(":ARG1")
    press(page, "RA")
    assert "Right: RA → want-01 :ARG1 go-02." in told(page)
    assert actions(page) == list(WALK[:9])


def test_labels_are_shown_and_never_run(page: Page, address: str) -> None:
    awkward = "<img src=x onerror=alert(1)> **b** $x$ :smile:"
    own = lesson_of(title=awkward, task=awkward, hint=awkward, closing=awkward)
    open_exercises(page, address, own=pack_lesson(own) or "")
    wait_until(page, lambda: page.locator(".task-text").inner_text() == awkward)
    page.get_by_label("Name of the concept").fill("<b>x</b>")
    page.get_by_label("Name of the concept").press("Enter")
    settle(page)
    assert "PRED(<b>x</b>)" in told(page)
    assert page.locator(".apt img, .notice b b").count() == 0


def test_a_lesson_file_is_opened(page: Page, address: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    document = dict(lesson_of(id="mine", title="A file of mine").document)
    path.write_text(json.dumps(document), encoding="utf-8")
    open_exercises(page, address)
    page.get_by_text("Open a lesson file").click()
    page.locator("input[type=file]").set_input_files(path)
    page.get_by_role("button", name="Open “A file of mine”").click()
    page.locator(".task h3", has_text="A file of mine").wait_for()
    page.wait_for_url("**own=**")
    wait_until(page, lambda: page.locator(".task").evaluate(IN_VIEW))
    page.keyboard.press("d")
    settle(page)
    assert actions(page) == ["REDUCE"]


PLACES = """(canvas) => Object.fromEntries(
["drill-bar", "history", "drawing", "moves"].map((name) => {
  const { top, bottom, height } = canvas.querySelector(`.${name}`).getBoundingClientRect();
  return [name, [top, bottom, height]];
}))"""


def test_controls_graph_moves_and_actions_are_in_the_first_view(
    browser: Browser, address: str
) -> None:
    context = browser.new_context(viewport={"width": 1024, "height": 768})
    context.set_default_timeout(WAIT_MS)
    page = context.new_page()
    page.goto(f"{address}/exercises")  # the tour comes with the first visit
    page.locator(".tour").wait_for()

    def places() -> dict[str, list[float]]:
        found: dict[str, list[float]] = page.locator(".apt").evaluate(PLACES)
        return found

    def fits(height: int) -> bool:
        now = places()
        return (
            now["drill-bar"][1] < height
            and now["drawing"][0] < height - 50
            and min(high for _, _, high in now.values()) > 28
            and (height < 768 or max(bottom for _, bottom, _ in now.values()) <= 768)
        )

    sizes = (1024, 768), (720, 450)  # the second: a zoom of 200 % on 1440 by 900
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        wait_until(page, lambda high=height: fits(high))
    page.get_by_role("button", name="Skip the tour").click()
    page.set_viewport_size({"width": 512, "height": 384})
    wait_until(page, lambda: places()["drawing"][0] < 384 - 60)
    context.close()


def test_the_page_fits_a_small_dark_window(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport={"width": 640, "height": 360}, color_scheme="dark")
    context.set_default_timeout(WAIT_MS)
    page = context.new_page()
    open_exercises(page, address, lesson="long")
    over = "(canvas) => canvas.scrollWidth - canvas.clientWidth"
    wait_until(page, lambda: page.locator(".apt").evaluate(over) <= 0)
    page.get_by_label("Action", exact=True).fill("REDUCE")
    page.get_by_label("Action", exact=True).press("Enter")  # far below where the answer stands
    settle(page)
    wait_until(page, lambda: page.locator(".notice").evaluate(IN_VIEW))
    assert told(page)
    expect(page.locator(".heads")).to_be_hidden()  # no model decided anything
    context.close()
