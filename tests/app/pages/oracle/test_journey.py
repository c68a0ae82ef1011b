"""The Oracle page in a real headless browser, with a real model behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from tests.app.conftest import expect, fresh_page, overtake, rest, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

WAIT_MS = 180_000

AWKWARD = """# ::id awkward
# ::snt <b>Sales</b> rose from $1.5bn to $2bn :smile:
(r / rise-01
   :ARG1 (s / |sale|)
   :ARG4 "<script>alert(1)</script>"
   :ARG3 "$1.5bn *a* \\\\N")
"""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page in a browser of its own; an error in it fails the test."""
    yield from fresh_page(browser, WAIT_MS)


def open_oracle(page: Page, address: str, **parameters: str) -> None:
    page.goto(f"{address}/oracle?{urlencode(parameters)}")
    page.locator(".aligner .item").first.wait_for()
    page.locator(".apt .jump").first.wait_for()


def item(page: Page, name: str) -> Locator:
    return page.locator(".aligner .item").filter(has_text=name)


def word(page: Page, text: str) -> Locator:
    return page.locator(".aligner .word").get_by_text(text, exact=True)


def walk(page: Page) -> Locator:
    """The actions on the canvas, which is drawn a moment after the aligner beside it."""
    return page.locator(".actions li:not(:first-child) .name")


def choose_row(page: Page, number: int, row: int) -> None:
    """Tick a row, from 1, of a table; tables are drawn on a canvas, so by place."""
    rest(page)
    grid = page.get_by_test_id("stDataFrame").nth(number)
    rows = grid.locator("canvas tbody tr")  # for readers, once the table has drawn itself
    rows.nth(row - 1).wait_for(state="attached")
    before = page.url

    def is_taken() -> bool:
        ticked = grid.locator("canvas tbody tr[aria-selected=true]")
        return page.url != before or not grid.count() or ticked.count() > 0

    for _ in range(20):  # charts that are drawn late push a table out of the window again
        grid.scroll_into_view_if_needed()
        box = grid.bounding_box()
        if box is not None:
            page.mouse.click(box["x"] + 18, box["y"] + 18 + 35 * row)
        for _ in range(60):
            if is_taken():
                return
            page.wait_for_timeout(50)


def settle(page: Page) -> None:
    """Wait until every change is acknowledged."""
    page.wait_for_function(
        """() => [...document.querySelectorAll("*")]
          .map((each) => each.shadowRoot?.querySelector(".aligner"))
          .find(Boolean)?.hasAttribute("aria-busy") === false"""
    )


def test_a_newcomer_changes_an_alignment_sees_what_changed_and_takes_it_back(
    page: Page, address: str
) -> None:
    page.goto(address)
    page.get_by_text("Learn").click()
    page.get_by_role("menuitem", name="Oracle").click()
    page.locator(".apt .jump").first.wait_for()
    page.get_by_text("Exact: all 20 triples").wait_for()
    walk(page).first.wait_for()
    before = walk(page).all_inner_texts()
    item(page, "p / person").click()
    word(page, "her").click()
    page.locator(".gained li").first.wait_for()
    expect(page.locator(".gained")).to_contain_text("PRED(person) at “her”")
    expect(page.locator(".lost")).to_contain_text("PRED(person) at “grandmother”")
    expect(page.locator(".line.chosen .source")).to_have_text("person")
    expect(walk(page)).not_to_have_text(before)
    page.get_by_text("Exact: all 20 triples").wait_for()
    page.wait_for_url("**align=p%405**")
    page.reload()
    page.locator(".line[data-source=person]").wait_for()
    page.locator(".undo").click()
    page.locator(".line[data-source=person]").wait_for(state="detached")
    expect(walk(page)).to_have_text(before)


def test_a_drawing_overtaken_before_its_script_came_leaves_an_aligner_that_is_clicked_once(
    late_page: Page, address: str
) -> None:
    late_page.goto(f"{address}/oracle")
    overtake(late_page, ".aligner")
    late_page.locator(".apt .jump").first.wait_for()
    item(late_page, "p / person").click()
    for text in ("her", "girl"):
        word(late_page, text).click()
        late_page.locator(".line.chosen .stands").get_by_text(text, exact=True).wait_for()
        settle(late_page)
    late_page.locator(".undo").click()
    late_page.locator(".line.chosen .stands").get_by_text("her", exact=True).wait_for()


def test_a_change_is_drawn_by_the_answer_to_one_message(page: Page, address: str) -> None:
    """Its milliseconds are for ``benchmarks.oracle_page``: machines differ."""
    sent: list[str] = []
    page.on("websocket", lambda ws: ws.on("framesent", lambda frame: sent.append("frame")))
    open_oracle(page, address)
    item(page, "p / person").click()
    for place in (3, 5, 2, 8, 4):
        rest(page)
        before = walk(page).all_inner_texts()
        sent.clear()
        page.locator(".aligner .word").nth(place).click()
        expect(walk(page)).not_to_have_text(before)
        settle(page)
        assert len(sent) == 1


def test_every_change_of_many_quick_ones_is_taken(page: Page, address: str) -> None:
    open_oracle(page, address)
    item(page, "p / person").click()
    words = page.locator(".aligner .word")
    words.evaluate_all(
        "(words) => { for (const n of [2, 3, 4, 5, 7, 8, 2, 3, 4, 5]) words[n].click(); }"
    )
    settle(page)
    expect(page.locator(".line.chosen .stands")).to_have_text("her")
    for _ in range(10):
        page.locator(".undo").click()
    page.locator(".line[data-source=person]").wait_for(state="detached")


def test_the_editor_works_by_keys_alone(page: Page, address: str) -> None:
    open_oracle(page, address)
    page.locator(".aligner .item").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".aligner .word:focus")).to_have_text("girl")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+Enter")
    page.locator(".line.chosen .stands").get_by_text("The girl").wait_for()
    settle(page)
    page.keyboard.press("Control+z")
    page.locator(".line.chosen .stands").get_by_text("girl", exact=True).wait_for()
    page.keyboard.press("Escape")
    expect(page.locator(".aligner .item:focus")).to_have_text("g / girl")


def test_the_corpus_view_counts_and_leads_to_a_sentence(page: Page, address: str) -> None:
    page.goto(f"{address}/oracle?view=corpus&variant=no-breakdown")
    page.get_by_text("Not reached: 2").wait_for()
    expect(page.locator(".figures dd").first).to_have_text("6")
    choose_row(page, 0, 2)
    page.get_by_text("of 6 in example: example.6").wait_for()
    page.goto(f"{address}/oracle?sentence=example.6&variant=no-breakdown&step=2")
    page.get_by_text("Not reached (1)").wait_for()
    page.locator(".apt .jump").first.wait_for()
    expect(page.locator(".count")).to_have_text(re.compile("^After 2 of "))


def test_one_key_leads_from_one_divergence_of_the_model_to_the_next(
    page: Page, address: str
) -> None:
    open_oracle(page, address, variant="exact", sentence="example.5")
    page.get_by_role("radio", name="Model against oracle").click()
    page.get_by_text("Figures by").wait_for()
    page.locator(".marks").get_by_text("first choice").wait_for()
    marked = page.locator(".jump:has(.marked)").evaluate_all(
        "(jumps) => jumps.map((jump) => Number(jump.dataset.step) - 1)"
    )
    page.locator(".apt").focus()
    page.keyboard.press("Home")
    for step in [one for one in marked if one > 0]:
        page.keyboard.press("n")
        page.wait_for_function(
            """(step) => [...document.querySelectorAll("*")]
              .map((each) => each.shadowRoot?.querySelector(".count")).find(Boolean)
              .textContent.startsWith(`After ${step} of `)""",
            arg=step,
        )
    expect(page.locator(".decision .others .value").first).to_be_visible()


def test_text_of_a_pasted_graph_is_shown_and_never_run(page: Page, address: str) -> None:
    page.goto(f"{address}/oracle")
    page.get_by_role("radio", name="Paste a graph").click()
    page.locator("textarea").fill(AWKWARD)
    page.get_by_role("button", name="Show its oracle").click()
    page.locator(".aligner .item").filter(has_text="<script>").wait_for()
    assert page.locator(".aligner script, .apt script, .aligner b").count() == 0
    expect(word(page, "<b>")).to_have_count(1)


def test_an_uploaded_file_opens_and_its_broken_block_is_named(page: Page, address: str) -> None:
    open_oracle(page, address)
    page.get_by_role("radio", name="Upload").click()
    broken = "\n\n# ::id bad\n# ::snt It breaks.\n(b / break-01"
    page.locator("input[type=file]").set_input_files(
        {"name": "mine.txt", "mimeType": "text/plain", "buffer": (AWKWARD + broken).encode()}
    )
    page.get_by_text("of 1 in mine.txt: awkward").wait_for()
    page.get_by_text("bad: the graph is not closed").wait_for()
    page.wait_for_url("**upload=mine.txt**")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_a_small_window_in_both_themes(
    browser: Browser, address: str, scheme: str
) -> None:
    colours = "dark" if scheme == "dark" else "light"
    context = browser.new_context(viewport={"width": 640, "height": 360}, color_scheme=colours)
    context.set_default_timeout(WAIT_MS)
    small = context.new_page()
    open_oracle(small, address)
    over = "(each) => each.scrollWidth - each.clientWidth"
    for part in (".aligner", ".apt"):
        wait_until(small, lambda part=part: small.locator(part).evaluate(over) <= 0)
    colour = "rgb(29, 37, 41)" if scheme == "light" else "rgb(228, 233, 234)"
    expect(small.locator(".aligner")).to_have_css("color", colour)
    context.close()
