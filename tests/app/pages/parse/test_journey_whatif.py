"""What if, branches and links in a real headless browser, with a real model behind."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.app.conftest import expect, overtake
from tests.app.pages.parse.test_journey import (
    WAIT_MS,
    await_step,
    open_parse,
    parse,
    step_of,
    wait_for_trace,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

TWENTY_WORDS = (
    "The little prince said that the boy wanted to visit his old friend who lived in a "
    "small house near Lima ."
)
OTHER = "Two dogs saw the old boat."
COUNT_KEY_LISTENERS = """
  const signals = [];
  const add = EventTarget.prototype.addEventListener;
  document.addEventListener = function (name, does, how) {
    if (name === "keydown" && how?.signal) signals.push(how.signal);
    add.call(this, name, does, how);
  };
  window.listening = () => signals.map((signal) => !signal.aborted).join();
"""
"""Tells of each canvas that was mounted whether it still takes the keys of the page."""
CLICK_TO_DRAWN = """async (_, [row, mark]) => {
  const host = [...document.querySelectorAll("*")].find(
    (element) => element.shadowRoot?.querySelector(".apt"));
  const canvas = host.shadowRoot;
  const before = canvas.querySelector(".tree [aria-current]")?.dataset.path ?? "";
  const started = performance.now();
  canvas.querySelectorAll(row)[mark].click();
  for (;;) {
    await new Promise(requestAnimationFrame);
    const now = canvas.querySelector(".tree [aria-current]")?.dataset.path ?? "";
    if (now !== before) break;
    if (performance.now() - started > 180000) throw new Error("no branch came");
  }
  canvas.querySelector(".stage svg").getBoundingClientRect();  // laid out
  await new Promise(requestAnimationFrame);
  return performance.now() - started;
}"""


def open_context(browser: Browser) -> BrowserContext:
    context = browser.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    context.set_default_timeout(WAIT_MS)
    return context


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = open_context(browser)
    fresh = context.new_page()
    errors: list[str] = []
    fresh.on("pageerror", lambda error: errors.append(str(error)))
    yield fresh
    context.close()
    assert not errors


def actions_of(page: Page) -> list[str]:
    return page.locator(".actions .name").all_inner_texts()[1:]  # the first is the start


def middle_step(page: Page) -> int:
    """Go to a step in the middle that has another legal action to choose."""
    middle = len(actions_of(page)) // 2
    for step in range(middle, len(actions_of(page))):
        page.locator(".jump").nth(step).click()
        await_step(page, step)
        if page.locator(".others .share:visible").count():
            return step
    pytest.fail("no step offers another action")


def take_other(page: Page, place: int = 0) -> float:
    """Click what-if beside one of the next best; gives milliseconds from click to drawn."""
    milliseconds: float = page.locator(".apt").evaluate(CLICK_TO_DRAWN, [".others .try", place])
    return milliseconds


def test_another_action_is_decoded_and_drawn_and_the_original_comes_back(
    page: Page, address: str
) -> None:
    open_parse(page, address)
    parse(page, OTHER)  # with which the model is loaded
    begun = time.monotonic()
    parse(page, TWENTY_WORDS)
    whole = 1000 * (time.monotonic() - begun)
    penman, original = page.locator(".penman").inner_text(), actions_of(page)
    expect(page.locator(".branches")).to_be_hidden()
    step = middle_step(page)
    wanted = page.locator(".others .share .name").first.inner_text()
    times = [take_other(page)]
    branch = actions_of(page)
    assert branch[:step] == original[:step]
    assert branch[step] == wanted
    await_step(page, step)
    expect(page.locator(".differs")).to_have_count(1)
    told = re.compile(rf"^First different action than in the original: {step},.*greedy")
    expect(page.locator(".compared")).to_have_text(told)
    branch_penman = page.locator(".penman").inner_text()

    page.get_by_role("button", name="Original").click()
    page.locator(".compared").filter(has_text="The original.").wait_for()
    assert actions_of(page) == original
    assert page.locator(".penman").inner_text() == penman
    page.locator(".tree button").nth(1).press("Enter")
    page.locator(".compared").filter(has_text="First different").wait_for()
    assert page.locator(".penman").inner_text() == branch_penman

    page.get_by_role("button", name="Original").click()
    page.locator(".compared").filter(has_text="The original.").wait_for()
    for other in (step - 3, step + 2, 1, 4):
        page.locator(".jump").nth(other).click()
        await_step(page, other)  # drawn: what stands there now are its own rivals
        if page.locator(".others .share:visible").count():
            times.append(take_other(page))
    print("click to drawn, ms:", [round(one) for one in times], "a parse:", round(whole))
    assert min(times) < 2 * whole  # for it decodes but a part, and greedily


def test_the_link_of_a_branch_shows_the_same_graph_in_a_fresh_browser(
    page: Page, browser: Browser, address: str
) -> None:
    open_parse(page, address)
    parse(page, TWENTY_WORDS)
    step = middle_step(page)
    take_other(page)
    page.locator(".jump").nth(min(step + 3, len(actions_of(page)) - 1)).click()
    later = step_of(page)
    take_other(page)
    page.wait_for_url(lambda url: f"branch={step}%3A" in url and f"step={later}" in url)
    penman, actions = page.locator(".penman").inner_text(), actions_of(page)
    tree = page.locator(".tree button").all_inner_texts()
    assert len(tree) == 3

    context = open_context(browser)
    fresh = context.new_page()
    fresh.goto(page.url)
    fresh.locator(".tree button").nth(2).wait_for()
    await_step(fresh, later)
    assert fresh.locator(".penman").inner_text() == penman
    assert actions_of(fresh) == actions
    expect(fresh.locator(".tree button")).to_have_text(tree)
    assert "another model" not in fresh.inner_text("body")
    fresh.goto(page.url.replace("model=", "model=f"))
    fresh.get_by_text("This link was made with another model").wait_for()
    context.close()


def test_an_illegal_action_is_answered_with_the_reason_and_a_legal_one_is_taken(
    page: Page, address: str
) -> None:
    open_parse(page, address)
    parse(page, OTHER)
    page.locator(".jump").nth(0).click()
    field = page.get_by_label("What if another action stood here")
    for bad, words in (
        ("shift", "SHIFT is not possible"),
        ("JUMP", "JUMP"),
        ("PRED(", "PRED("),
    ):
        field.fill(bad)
        field.press("Enter")
        page.locator(".refusal").filter(has_text=words).wait_for()
    expect(page.locator(".branches")).to_be_hidden()
    field.fill("PRED(<b>x; y</b>)")
    field.press("Enter")
    page.locator(".refusal:not(:empty)").wait_for()
    field.fill("PRED(twin-01)")
    field.press("Enter")
    page.locator(".tree button").nth(1).wait_for()
    assert actions_of(page)[0] == "PRED(twin-01)"
    expect(page.locator(".changes .gained").first).to_contain_text("twin-01")


def test_a_drawing_overtaken_before_its_script_came_leaves_one_canvas_that_answers(
    late_page: Page, address: str
) -> None:
    open_parse(late_page, address, sentence=OTHER)
    late_page.get_by_text(re.compile("^Parsed (just now|earlier)")).wait_for()
    overtake(late_page, ".apt")
    wait_for_trace(late_page, OTHER)
    late_page.locator(".jump").nth(0).click()
    await_step(late_page, 0)
    field = late_page.get_by_label("What if another action stood here")
    for label in ("twin-01", "pair-02"):
        field.fill(f"PRED({label})")
        field.press("Enter")
        late_page.locator(".tree [aria-current]").get_by_text(label).wait_for()
        assert actions_of(late_page)[0] == f"PRED({label})"
        expect(late_page.locator(".apt")).to_have_count(1)
        late_page.get_by_role("button", name="Original").click()
        late_page.locator(".compared").filter(has_text="The original.").wait_for()
    expect(late_page.locator(".tree button")).to_have_count(3)


def test_a_click_asks_for_what_is_in_sight_though_the_next_step_is_about_to_be_drawn(
    page: Page, address: str
) -> None:
    open_parse(page, address)
    parse(page, OTHER)
    step = middle_step(page)
    wanted = page.locator(".others .share .name").first.inner_text()
    page.locator(".apt").evaluate(
        """(canvas) => {
          canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
          canvas.querySelector(".others .try").click();
        }"""
    )
    page.locator(".tree [aria-current]").get_by_text(f"{step}: {wanted}", exact=True).wait_for()
    assert actions_of(page)[step] == wanted


def test_a_canvas_that_is_left_takes_no_more_keys_of_the_page(
    browser: Browser, address: str
) -> None:
    context = open_context(browser)
    context.add_init_script(COUNT_KEY_LISTENERS)
    page = context.new_page()
    open_parse(page, address, sentence=OTHER)
    wait_for_trace(page, OTHER)
    page.wait_for_function("() => window.listening() === 'true'")
    page.get_by_role("link", name="Home").click()
    page.get_by_text("Watch a parser think").wait_for()
    page.wait_for_function("() => window.listening() === 'false,true'")  # Home has one too
    context.close()


def test_a_branch_that_forces_what_stood_there_already_says_so(page: Page, address: str) -> None:
    open_parse(page, address, sentence=OTHER)
    wait_for_trace(page, OTHER)
    first = page.locator(".jump").nth(1).get_attribute("title")
    open_parse(page, address, sentence=OTHER, branch=f"0:{first}")
    page.locator(".compared").filter(has_text="The same actions as the original").wait_for()
    assert "undefined" not in page.locator(".branches:visible").inner_text()


def test_keys_work_from_the_page_around_but_not_where_they_are_typed(
    page: Page, address: str
) -> None:
    open_parse(page, address)
    parse(page, OTHER)
    page.get_by_role("button", name="Parse", exact=True).focus()
    page.keyboard.press("ArrowRight")
    await_step(page, 1)
    page.keyboard.press("Home")
    await_step(page, 0)
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keys").wait_for()
    page.keyboard.press("Escape")
    page.get_by_label("Sentence", exact=True).focus()
    for key in ("ArrowRight", "End", "?", "1", "w"):
        page.keyboard.press(key)
    assert step_of(page) == 0
    assert page.get_by_role("dialog", name="Keys").count() == 0


def test_a_branch_is_exported(page: Page, address: str) -> None:
    open_parse(page, address)
    parse(page, OTHER)
    page.locator(".jump").nth(0).click()
    page.get_by_label("What if another action stood here").fill("PRED(twin-01)")
    page.keyboard.press("Enter")
    page.locator(".tree button").nth(1).wait_for()
    page.get_by_text("Exports", exact=True).click()
    with page.expect_download() as coming:
        page.get_by_role("button", name="Trace (JSON)", exact=True).click()
    assert b"PRED(twin-01)" in Path(coming.value.path()).read_bytes()


def test_two_people_branch_at_once_and_each_sees_their_own(browser: Browser, address: str) -> None:
    contexts = [open_context(browser) for _ in range(2)]
    pages = [context.new_page() for context in contexts]
    for one in pages:
        open_parse(one, address, sentence=OTHER)
    for one, label in zip(pages, ("twin-01", "pair-02"), strict=True):
        wait_for_trace(one, OTHER)
        one.locator(".jump").nth(0).click()
        one.get_by_label("What if another action stood here").fill(f"PRED({label})")
    for one in pages:
        one.keyboard.press("Enter")
    for one, label in zip(pages, ("twin-01", "pair-02"), strict=True):
        one.locator(".tree button").nth(1).wait_for()
        assert actions_of(one)[0] == f"PRED({label})"
        expect(one.locator(".tree button")).to_have_count(2)
    for context in contexts:
        context.close()


def test_the_whole_of_it_works_by_keyboard(page: Page, address: str) -> None:
    open_parse(page, address)
    parse(page, OTHER)
    middle_step(page)
    button: Any = page.locator(".others .try").first
    button.focus()
    page.keyboard.press("Enter")
    page.locator(".tree [aria-current]:focus").wait_for()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    page.locator(".compared").filter(has_text="The original.").wait_for()
    middle_step(page)
    wanted = page.locator(".others .share .name").first.inner_text()
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keys").get_by_text("what if: type").wait_for()
    page.keyboard.press("Escape")
    page.locator(".jump[aria-current]").focus()
    page.keyboard.press("1")
    page.locator(".tree [aria-current]:focus").filter(has_text=wanted).wait_for()
    page.keyboard.press("w")
    field = page.get_by_label("What if another action stood here")
    expect(field).to_be_focused()
    page.keyboard.type("w1?")
    expect(field).to_have_value("w1?")
    step = step_of(page)
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowLeft")
    await_step(page, step - 1)
    expect(field).to_have_value("w1?")
    parse(page, "It rains.")
    expect(field).to_have_value("")
