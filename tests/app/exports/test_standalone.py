"""The stand-alone stepper in a real browser: from a file, with the network off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from app.exports.files import exports_of
from app.exports.stepper import Entry, Lecture, format_lecture, format_stepper
from aptcore.trace.format import decode_trace
from aptcore.trace.trace import Trace
from tests.app.conftest import PATIENCE_MS, expect, wait_until
from tests.app.traces import long_trace, want_trace

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

MEASURE = """async (keys) => {
  const root = document.querySelector(".apt");
  const svg = document.querySelector(".stage svg");
  const boxes = () => {
    const corner = svg.getBoundingClientRect();
    return new Map([...svg.querySelectorAll(".node:not(.absent)")].map((node) => {
      const box = node.querySelector(".box").getBoundingClientRect();
      return [node.dataset.name, [box.x - corner.x, box.y - corner.y, box.width, box.height]];
    }));
  };
  let before = boxes();
  let moved = 0;
  for (const key of keys) {
    root.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    await new Promise((done) => requestAnimationFrame(done)); // after the step's own
    const now = boxes();
    for (const [name, box] of now) {
      const known = before.get(name);
      if (known) moved = Math.max(moved, ...box.map((value, at) => Math.abs(value - known[at])));
    }
    before = now;
  }
  moved = Math.round(moved * 1000) / 1000; // scrolling leaves ten-thousandths of a pixel
  return { moved, shown: before.size, count: document.querySelector(".count").textContent };
}"""


@pytest.fixture(scope="module")
def long() -> Trace:
    return decode_trace(long_trace())


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page without a network; a request, an error or a dialog fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 720}, offline=True)
    context.set_default_timeout(PATIENCE_MS)
    fresh = context.new_page()
    problems: list[str] = []
    fresh.on("pageerror", lambda error: problems.append(str(error)))
    fresh.on("dialog", lambda dialog: problems.append(f"dialog: {dialog.message}"))
    fresh.on("console", lambda line: problems.append(line.text))
    fresh.on(
        "request",
        lambda request: None if request.url.startswith("file:") else problems.append(request.url),
    )
    yield fresh
    context.close()
    assert not problems


def open_stepper(page: Page, trace: Trace, folder: Path, step: int | None = None) -> None:
    export = next(e for e in exports_of(trace, step) if e.file_name.endswith(".html"))
    path = folder / export.file_name
    path.write_bytes(export.make())
    page.goto(path.as_uri())


def measure(page: Page, keys: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(MEASURE, keys)
    return found


def test_a_long_sentence_is_stepped_to_the_end_and_back_and_no_node_moves(
    page: Page, long: Trace, tmp_path: Path
) -> None:
    open_stepper(page, long, tmp_path)
    last = len(long.steps)
    assert (len(long.sentence.tokens), last > 180) == (60, True)
    expect(page.locator(".count")).to_have_text(f"After 0 of {last} actions")
    forward = measure(page, ["ArrowRight"] * last)
    assert forward == {
        "moved": 0,
        "shown": len(long.items),
        "count": f"After {last} of {last} actions",
    }
    whole = page.locator(".triples li").count()
    expect(page.locator(".triples li:visible")).to_have_count(whole)
    back = measure(page, ["ArrowLeft"] * last)
    assert back == {"moved": 0, "shown": 0, "count": f"After 0 of {last} actions"}


def test_keys_work_at_once_without_a_click(page: Page, long: Trace, tmp_path: Path) -> None:
    open_stepper(page, long, tmp_path)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.locator(".count", has_text="After 3 of ").wait_for()
    page.keyboard.press("End")
    page.locator(".count", has_text=f"After {len(long.steps)} of ").wait_for()
    assert page.locator(".penman").inner_text() == long.penman


def test_it_opens_at_the_step_it_was_taken_at_and_a_reload_stays(
    page: Page, long: Trace, tmp_path: Path
) -> None:
    open_stepper(page, long, tmp_path, step=40)
    expect(page.locator(".count")).to_have_text(re.compile("^After 40 of "))
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**#step=41")
    page.reload()
    expect(page.locator(".count")).to_have_text(re.compile("^After 41 of "))


def test_no_script_from_a_label_runs(
    page: Page, cases: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    document = want_trace()
    labels = [
        "</script><script>alert(1)</script>",
        "<img src=x onerror=alert(2)>",
        "</title><script>alert(3)</script>",
        "<!--<script>",
        "\u202eabc",
        "e\u0301\u0323 &lt;b&gt;",
        "$5 \\N {x}",
    ]
    for item, label in zip(document["items"], labels, strict=True):
        item["label"] = label
    shown = [*cases["c28"]["input"]["labels"], *cases["c29"]["input"]["labels"], *labels]
    document["sentence"]["text"] = " ".join(shown)
    document["sentence"]["tokens"] = [*shown[-3:], *document["sentence"]["tokens"][3:]]
    document["penman"] = "\n".join(shown)
    open_stepper(page, decode_trace(document), tmp_path)
    page.keyboard.press("End")
    page.locator(".count", has_text="After 17 of 17").wait_for()
    assert page.locator("h1").text_content() == document["sentence"]["text"]
    assert page.locator(".penman").text_content() == document["penman"]
    assert page.locator(".node title").all_text_contents()[0] == f"b / {labels[0]}"
    assert page.locator("script").count() == 2
    assert page.locator("img, h1 b, .apt script").count() == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_follows_the_theme_of_the_system(
    browser: Browser, long: Trace, tmp_path: Path, theme: Any
) -> None:
    context = browser.new_context(viewport={"width": 640, "height": 360}, color_scheme=theme)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    open_stepper(page, long, tmp_path)
    colours = page.evaluate(
        "[getComputedStyle(document.body).backgroundColor, "
        "getComputedStyle(document.querySelector('.apt')).color]"
    )
    light = ["rgb(253, 253, 251)", "rgb(29, 37, 41)"]
    assert colours == (light if theme == "light" else ["rgb(20, 25, 28)", "rgb(228, 233, 234)"])
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    wait_until(page, lambda: page.evaluate(wide) <= 0)
    context.close()


def test_a_lecture_turns_its_sentences_by_buttons_keys_and_address(
    page: Page, long: Trace, tmp_path: Path
) -> None:
    lecture = Lecture("Two", (Entry(decode_trace(want_trace()), "First.\nLook.", 3), Entry(long)))
    path = tmp_path / "two.html"
    path.write_text(format_lecture(lecture), "utf-8")
    page.goto(path.as_uri())
    assert page.title() == "Two"
    assert page.locator(".told").inner_text() == "First.\nLook."
    expect(page.locator(".count")).to_have_text(re.compile("^After 3 of "))
    page.keyboard.press("PageDown")
    expect(page.locator("h1")).to_have_text(long.sentence.text)
    expect(page.locator(".told")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**#sentence=2&step=1")
    page.reload()
    expect(page.locator(".count")).to_have_text(f"After 1 of {len(long.steps)} actions")
    page.keyboard.press("PageDown")
    page.keyboard.press("PageUp")
    page.wait_for_url("**#sentence=1&step=3")
    page.wait_for_function("scrollY === 0")
    page.reload()
    expect(page.locator(".count")).to_have_text(re.compile("^After 3 of "))
    page.get_by_role("button", name="1. ").click()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**#sentence=1&step=4")  # after the frame in which it is drawn
    expect(page.locator(".count")).to_have_text(re.compile("^After 4 of "))
    page.keyboard.press("?")
    keys = page.locator("dialog").get_by_text("to the sentence before or after")
    expect(keys).to_be_visible()


def test_labels_take_no_more_room_in_a_wider_font(
    browser: Browser, long: Trace, tmp_path: Path
) -> None:
    def width_in(font: str) -> float:
        path = tmp_path / f"{font}.html"
        path.write_text(format_stepper(long, 9).replace("system-ui, sans-serif", font), "utf-8")
        page = context.new_page()
        page.goto(path.as_uri())
        page.wait_for_function(
            "document.querySelector('.stage svg')?.style.getPropertyValue('--fit')"
        )
        texts = "[...document.querySelectorAll('.stage svg text')]"
        width: float = page.evaluate(
            f"{texts}.map((text) => text.getComputedTextLength()).reduce((sum, each) => sum + each)"
        )
        return width

    context = browser.new_context(bypass_csp=True)
    context.set_default_timeout(PATIENCE_MS)
    assert width_in("'DejaVu Sans'") < 1.02 * width_in("'Liberation Sans'")
    context.close()
