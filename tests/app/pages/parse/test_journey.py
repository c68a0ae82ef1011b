"""Journeys in a real headless browser through ``aptamr app``, with a real model behind it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from app.exports.stepper import read_lecture
from tests.app.conftest import (
    RUN,
    Line,
    await_frame,
    await_timers,
    expect,
    fresh_page,
    overtake,
    quiet,
    rest,
    wait_until,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WAIT_MS = 180_000
SENTENCE = "The boy wants to visit his old friend in Lima."


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page in a browser of its own; an error in it fails the test."""
    yield from fresh_page(browser, WAIT_MS)


def open_parse(page: Page, address: str, **parameters: str) -> None:
    query = f"?{urlencode(parameters)}" if parameters else ""
    page.goto(f"{address}/parse{query}")


def parse(page: Page, sentence: str, read: str = "") -> None:
    """Type a sentence and wait for its trace, of the words ``read`` where they differ."""
    field = page.get_by_label("Sentence", exact=True)
    field.fill(sentence)
    field.press("Enter")
    wait_for_trace(page, read or sentence)


def wait_for_trace(page: Page, sentence: str) -> None:
    page.get_by_text(re.compile("^Parsed (just now|earlier)")).wait_for()
    letters = [re.escape(letter) for letter in f"{sentence}<ROOT>" if not letter.isspace()]
    shown = re.compile(r"\s*".join(["^", *letters, "$"]))
    expect(page.locator(".tokens").filter(has_text=shown)).to_have_count(1)


def step_of(page: Page) -> int:
    await_frame(page)
    return int(page.locator(".count").inner_text().split()[1])


def await_step(page: Page, step: int) -> None:
    expect(page.locator(".count")).to_have_text(re.compile(rf"^After {step} of "))


def last_of(page: Page) -> int:
    return int(page.locator(".count").inner_text().split()[3])


def drawn(page: Page) -> dict[str, list[float]]:
    """Give name and box of every node on the drawing, in pixels from its corner."""
    await_frame(page)
    boxes: dict[str, list[float]] = page.locator(".stage svg").evaluate(
        """(svg) => {
          const corner = svg.getBoundingClientRect();
          const nodes = [...svg.querySelectorAll(".node:not(.absent)")];
          return Object.fromEntries(nodes.map((node) => {
            const box = node.querySelector(".box").getBoundingClientRect();
            return [node.dataset.name,
              [box.x - corner.x, box.y - corner.y, box.width, box.height]
                .map((side) => Math.round(1000 * side) / 1000)]; // scrolling leaves less
          }));
        }"""
    )
    return boxes


def parsed_on_the_command_line(model: Path, sentence: str) -> dict[str, Any]:
    options = ["parse", sentence, "--model", str(model), "--device", "cpu", "--json"]
    outcome = subprocess.run(
        [sys.executable, *RUN, *options], capture_output=True, env=quiet(), check=True
    )
    result: dict[str, Any] = json.loads(outcome.stdout)
    return result


# This one comes first: the server must not have shown any other page yet.
def test_a_link_is_restored_by_a_server_that_has_just_started(page: Page, address: str) -> None:
    open_parse(page, address, sentence=SENTENCE, step="3")
    page.get_by_role("link", name="Home").wait_for()
    wait_for_trace(page, SENTENCE)
    await_step(page, 3)


def test_a_sentence_is_stepped_to_the_end_and_back_and_gives_the_graph_of_the_command_line(
    page: Page, address: str, model: Path
) -> None:
    open_parse(page, address)
    parse(page, SENTENCE)
    expected = parsed_on_the_command_line(model, SENTENCE)
    wait_until(page, lambda: page.locator(".penman").inner_text() == expected["penman"])
    titles = "(jumps) => jumps.map((jump) => jump.title)"
    assert page.locator(".jump").evaluate_all(titles) == ["", *expected["actions"]]

    page.locator(".apt").focus()
    page.keyboard.press("Home")
    await_step(page, 0)
    for _ in range(last_of(page)):
        page.keyboard.press("ArrowRight")
    await_step(page, last_of(page))
    at_end, triples = drawn(page), page.locator(".triples").inner_text()
    for _ in range(last_of(page)):
        page.keyboard.press("ArrowLeft")
    await_step(page, 0)
    page.keyboard.press("End")
    await_step(page, last_of(page))
    assert drawn(page) == at_end
    assert page.locator(".triples").inner_text() == triples
    assert page.locator(".penman").inner_text() == expected["penman"]


def test_drawn_nodes_never_move(page: Page, address: str) -> None:
    open_parse(page, address)
    parse(page, SENTENCE)
    known = drawn(page)
    for _ in range(last_of(page)):
        page.keyboard.press("ArrowRight")
        now = drawn(page)
        assert {name: now[name] for name in known} == known
        known = now
    assert known


def test_stepping_calls_no_server_until_it_rests(page: Page, address: str) -> None:
    sent: list[str] = []
    page.on("websocket", lambda ws: ws.on("framesent", lambda frame: sent.append("frame")))
    open_parse(page, address)
    parse(page, SENTENCE)
    while sent:  # what the parse itself has the page say
        rest(page)
        sent.clear()
        page.wait_for_timeout(1000)
    page.locator(".apt").evaluate(
        """(canvas) => {
          for (let press = 0; press < 15; press += 1) {
            canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
          }
        }"""
    )
    page.wait_for_url(lambda url: "step=15" in url)
    await_step(page, 15)
    assert len(sent) == 1


def test_fifty_presses_are_fifty_steps_and_each_is_drawn_in_the_next_frame(
    page: Page, address: str
) -> None:
    open_parse(page, address)
    parse(page, " and ".join(["the old boat carried the tired boy"] * 8) + ".")
    last = last_of(page)
    page.keyboard.press("End")
    presses = min(50, last)
    shown = page.locator(".apt").evaluate(
        """async (canvas, presses) => {
          const shown = [];
          for (let press = 0; press < presses; press += 1) {
            canvas.dispatchEvent(
              new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
            await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
            shown.push(Number(canvas.querySelector(".count").textContent.split(" ")[1]));
          }
          return shown;
        }""",
        presses,
    )
    assert shown == [last - press for press in range(1, presses + 1)]


def test_clicks_on_the_list_the_slider_and_the_buttons_jump(page: Page, address: str) -> None:
    open_parse(page, address)
    parse(page, SENTENCE)
    page.locator(".jump").nth(2).click()
    await_step(page, 2)
    page.keyboard.press("ArrowDown")
    await_step(page, 3)
    page.locator(".slider").fill("5")
    await_step(page, 5)
    page.get_by_role("button", name="Back one action").click()
    await_step(page, 4)
    page.get_by_role("button", name="To the end").click()
    await_step(page, last_of(page))


def test_a_term_of_the_page_is_explained_where_it_stands(page: Page, address: str) -> None:
    page.goto(f"{address}/parse")
    page.locator(".term", has_text="Legal now").press("Enter")
    expect(page.locator(".rules .meaning")).to_contain_text("by the rules of the machine")
    shift = "Go on to the next token. For tokens at which something was made."
    expect(page.locator(".legal .kind").first).to_have_attribute("title", shift)
    page.locator(".term", has_text="Triples so far").click()
    expect(page.locator(".meaning")).to_have_count(1)


def test_every_step_is_told_to_screen_readers_and_in_text(page: Page, address: str) -> None:
    open_parse(page, address)
    parse(page, SENTENCE)
    page.locator(".jump").nth(1).click()
    await_step(page, 1)
    action = page.locator(".decision .action").inner_text()
    done = page.locator(".jump[aria-current] .name").inner_text()
    told = page.locator(".live").text_content() or ""
    assert told.startswith(f"Done: {done}. Next, action 1: {action}.")
    kinds = page.locator(".legal .kind").all_inner_texts()
    assert {"SHIFT", "COPY(lemma)", "LA", "RA", "ROOT"} <= set(kinds)
    for reason in page.locator(".legal .why").all_inner_texts():
        assert reason


def test_a_pause_writes_the_step_into_the_address_and_a_reload_restores_it(
    page: Page, address: str
) -> None:
    open_parse(page, address)
    parse(page, SENTENCE)
    page.locator(".jump").nth(4).click()
    page.wait_for_url("**step=4**")
    page.reload()
    wait_for_trace(page, SENTENCE)
    await_step(page, 4)
    page.keyboard.press("ArrowRight")
    await_step(page, 5)
    page.reload()  # before the pause after which a step goes into the address
    wait_for_trace(page, SENTENCE)
    await_step(page, 5)
    page.wait_for_url("**step=5**")


def test_back_and_forward_lead_from_step_to_step_and_from_sentence_to_sentence(
    page: Page, address: str
) -> None:
    open_parse(page, address)
    parse(page, SENTENCE)
    for step in (2, 5):
        page.locator(".jump").nth(step).click()
        page.wait_for_url(f"**step={step}*")
    parse(page, "It rains.")
    for step in (5, 2, 0):
        page.go_back()
        wait_for_trace(page, SENTENCE)
        await_step(page, step)
    await_timers(page, 1000)  # longer than the pause after which a step goes into the address
    rest(page)
    for step in (2, 5):
        page.go_forward()
        await_step(page, step)
    page.go_forward()
    wait_for_trace(page, "It rains.")


def test_a_reload_whose_script_comes_late_brings_the_page_back(
    late_page: Page, address: str
) -> None:
    late_page.goto(f"{address}/parse?{urlencode({'sentence': SENTENCE, 'step': 4})}")
    overtake(late_page, ".apt")
    wait_for_trace(late_page, SENTENCE)
    await_step(late_page, 4)
    late_page.keyboard.press("ArrowRight")
    await_step(late_page, 5)


def test_after_enter_the_keys_step_at_once_from_the_start(page: Page, address: str) -> None:
    open_parse(page, address)
    parse(page, SENTENCE)
    await_step(page, 0)
    expect(page.get_by_text("Nothing has been made yet.")).to_be_visible()
    expect(page.locator(".token.here")).to_have_text("The")
    page.keyboard.press("ArrowRight")
    await_step(page, 1)
    done, following = page.locator(".jump[aria-current] .name"), page.locator(".jump.next .name")
    assert following.inner_text() == page.locator(".decision .action").inner_text()
    first, second = done.inner_text(), following.inner_text()
    page.keyboard.press("ArrowRight")
    await_step(page, 2)
    assert (first, second) != (done.inner_text(), following.inner_text())
    assert second == done.inner_text()
    page.get_by_label("Sentence", exact=True).focus()
    page.keyboard.press("Escape")
    page.keyboard.press("Home")
    await_step(page, 0)


def test_a_new_parse_plays_once_until_a_key_stops_it_and_can_be_told_not_to(
    browser: Browser, address: str
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    context.set_default_timeout(WAIT_MS)
    page = context.new_page()
    page.goto(address)
    page.get_by_label("Sentence", exact=True).fill(SENTENCE)
    page.keyboard.press("Enter")  # on Home, which leads to Parse & step
    wait_for_trace(page, SENTENCE)
    page.get_by_role("button", name="Pause").wait_for()
    page.locator(".count", has_text=re.compile("^After ([2-9]|1.) of ")).wait_for()
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="Play", exact=True).wait_for()
    page.get_by_label("Play new parses").uncheck()
    parse(page, "It rains.")
    await_timers(page, 1500)  # longer than to the first action of a play
    assert step_of(page) == 0
    context.close()


def test_text_is_shown_and_never_run(page: Page, address: str) -> None:
    awkward = "<script>alert(1)</script> costs $5 :smile: `e` &amp; *d* \\N <b>x</b> a|b"
    open_parse(page, address)
    parse(page, awkward, read=awkward.replace("&amp;", "&"))
    assert page.locator(".apt script, .apt b b, .stage script").count() == 0
    page.get_by_role("button", name="To the end").click()
    expect(page.get_by_label("Sentence", exact=True)).to_have_value(awkward)


def test_a_bad_sentence_is_named_and_the_page_goes_on(page: Page, address: str) -> None:
    open_parse(page, address)
    field = page.get_by_label("Sentence", exact=True)
    for bad, words in (("...", "no word"), ("x" * 1001, "1,001 characters")):
        field.fill(bad)
        field.press("Enter")
        page.get_by_role("alert").filter(has_text=words).wait_for()
    parse(page, "It rains.")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_what_may_not_be_meant_is_said_beside_the_graph(page: Page, address: str) -> None:
    open_parse(page, address)
    for sentence, remark in (
        ("Der Hund schläft heute im Garten .", "looks like German"),
        ("Zxqv blarfing grumwottle .", "no word that is known here"),
        ("It rained . We slept .", "looks like 2 sentences: switch Split on"),
    ):
        parse(page, sentence)
        page.get_by_text(remark).wait_for()
    field = page.get_by_label("Sentence", exact=True)
    field.fill("word " * 250 + "ends here.")
    field.press("Enter")
    page.get_by_text("this page parses up to 1,000").wait_for()
    page.get_by_text(re.compile("^Still shown: “It rained . We slept .” Parsed")).wait_for()
    expect(page.locator(".token").first).to_have_text("It")


def test_a_note_goes_into_the_lecture_that_is_taken_at_once(page: Page, address: str) -> None:
    open_parse(page, address)
    parse(page, SENTENCE)
    page.get_by_text("Lecture", exact=True).click()
    page.get_by_role("button", name="Add this sentence").click()
    for note in ("Look at the root.", "Look at the edges."):
        page.get_by_label("Note on sentence 1").fill(note)
        lecture = read_lecture(download(page, "Download the lecture").decode())
        assert [entry.note for entry in lecture.entries] == [note]


def test_a_note_that_is_being_typed_stays_while_another_sentence_comes_into_the_lecture(
    page: Page, address: str
) -> None:
    line = Line(page)
    open_parse(page, address)
    parse(page, SENTENCE)
    page.get_by_text("Lecture", exact=True).click()
    page.get_by_role("button", name="Add this sentence").click()
    note = page.get_by_label("Note on sentence 1")
    note.fill("Look at the root.")
    rest(page)
    line.is_held = True
    page.get_by_role("button", name="Add this sentence").click()
    note.fill("Look at the root and the edges.")
    wait_until(page, line.has_finished)
    line.release()
    page.get_by_label("Note on sentence 2").wait_for()
    rest(page)
    expect(note).to_have_value("Look at the root and the edges.")
    expect(note).to_be_focused()


def test_a_sentence_is_added_to_the_lecture_at_the_step_that_is_on_the_page(
    page: Page, address: str
) -> None:
    open_parse(page, address)
    parse(page, SENTENCE)
    page.get_by_text("Lecture", exact=True).click()
    page.get_by_role("button", name="Add this sentence").wait_for()
    page.locator(".jump").nth(4).click()
    page.get_by_role("button", name="Add this sentence").click()  # before the pause in stepping
    page.get_by_label("Note on sentence 1").wait_for()
    lecture = read_lecture(download(page, "Download the lecture").decode())
    assert [entry.start for entry in lecture.entries] == [4]


def test_two_people_parse_at_once_and_each_sees_their_own(browser: Browser, address: str) -> None:
    sentences = ("The cat sleeps near the door.", "Two dogs saw the old boat.")
    contexts = [browser.new_context(viewport={"width": 1280, "height": 720}) for _ in sentences]
    pages = [context.new_page() for context in contexts]
    for one, sentence in zip(pages, sentences, strict=True):
        one.set_default_timeout(WAIT_MS)
        open_parse(one, address)
        field = one.get_by_label("Sentence", exact=True)
        field.fill(sentence)
        field.press("Enter")
    for one, sentence in zip(pages, sentences, strict=True):
        wait_for_trace(one, sentence)
    for context in contexts:
        context.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_fits_a_small_window_in_both_themes(
    browser: Browser, address: str, theme: Any
) -> None:
    context = browser.new_context(viewport={"width": 640, "height": 360}, color_scheme=theme)
    context.set_default_timeout(WAIT_MS)
    page = context.new_page()
    open_parse(page, address)
    parse(page, SENTENCE)
    canvas = page.locator(".apt")
    over = "(canvas) => canvas.scrollWidth - canvas.clientWidth"
    wait_until(page, lambda: canvas.evaluate(over) <= 0)
    expect(canvas).to_have_css("--page", re.compile("."))
    colour = "rgb(29, 37, 41)" if theme == "light" else "rgb(228, 233, 234)"
    expect(canvas).to_have_css("color", colour)
    context.close()


PLACES = """(canvas) => Object.fromEntries(
["controls", "history", "drawing", "decision"].map((name) => {
  const { top, bottom } = canvas.querySelector(`.${name}`).getBoundingClientRect();
  return [name, [top, bottom]];
}))"""


@pytest.mark.parametrize("path", ["parse?sentence=It rains.", "oracle", "oracle?replay=model"])
def test_controls_actions_and_graph_are_in_the_first_view(
    browser: Browser, address: str, path: str
) -> None:
    context = browser.new_context(
        viewport={"width": 1024, "height": 768}, color_scheme="dark", reduced_motion="reduce"
    )
    context.set_default_timeout(WAIT_MS)
    page = context.new_page()
    page.goto(f"{address}/{path}")
    page.locator(".apt .jump").nth(2).wait_for()
    if path == "oracle?replay=model":
        page.locator(".marks").wait_for()
    if path.startswith("parse"):
        wait_for_trace(page, "It rains.")

    def places() -> dict[str, list[float]]:
        found: dict[str, list[float]] = page.locator(".apt").evaluate(PLACES)
        return found

    wait_until(page, lambda: max(bottom for _, bottom in places().values()) <= 768)
    page.set_viewport_size({"width": 390, "height": 844})
    wait_until(page, lambda: 0 <= places()["drawing"][0] - places()["controls"][1] < 24)
    for width, height in (720, 450), (512, 384):  # a zoom of 200 % on 1440 by 900, 1024 by 768
        page.set_viewport_size({"width": width, "height": height})
        wait_until(page, lambda high=height: places()["controls"][1] < high)
        wait_until(page, lambda high=height: places()["drawing"][0] < high - 60)
    context.close()


def test_a_hypothesis_is_fetched_and_drawn_once_it_is_opened(page: Page, address: str) -> None:
    open_parse(page, address)
    parse(page, SENTENCE)
    page.locator(".beam summary").click()
    row = page.get_by_role("treeitem").first
    row.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.locator(".picture").get_by_text("It has made nothing yet.").or_(
        page.get_by_role("img", name=re.compile("^Graph of the hypothesis"))
    ).wait_for()
    expect(page.locator(".taken li")).to_have_count(2)
    note = page.locator(".hypothesis .note").first
    expect(note).to_contain_text("It parts from what is shown at action")


def test_every_export_downloads_and_follows_the_step(page: Page, address: str) -> None:
    open_parse(page, address)
    parse(page, SENTENCE)
    page.get_by_text("Exports", exact=True).click()
    starts = {
        "PENMAN": b"# ::snt The boy wants to visit his old friend in Lima.",
        "Triples": b"step\tsource\trole\ttarget\trepair",
        "Trace (JSON)": b'{"schema": 1',
        "DOT": b"// sentence: The boy wants",
        "SVG": b"<?xml",
        "PNG": b"\x89PNG",
        "PDF": b"%PDF-",
        "TikZ": b"% sentence: The boy wants",
        "Animation (GIF)": b"GIF89a",
        "Stepper (HTML)": b"<!doctype html>",
    }
    for name, start in starts.items():
        assert download(page, name).startswith(start)
    page.locator(".jump").nth(2).click()
    page.get_by_role("radio", name="Graph so far").click()
    page.get_by_text(re.compile("^After 2 of .* Trace and stepper")).wait_for()
    rest(page)  # the buttons are drawn after the text
    assert b"graph after 2 of" in download(page, "DOT")


def test_an_export_comes_that_is_asked_for_while_the_page_is_drawn_anew(
    page: Page, address: str
) -> None:
    line = Line(page)
    open_parse(page, address)
    parse(page, SENTENCE)
    page.get_by_text("Exports", exact=True).click()
    rest(page)
    line.is_held = True
    page.locator(".jump").nth(2).click()
    wait_until(page, line.has_finished)
    with page.expect_download() as coming:
        page.get_by_role("button", name="DOT", exact=True).click()
        page.locator("button:disabled", has_text="DOT").wait_for()
        line.release()
    assert coming.value.path().read_bytes().startswith(b"// sentence: The boy wants")


def download(page: Page, name: str) -> bytes:
    """Press the button of an export and read the file that comes."""
    with page.expect_download() as coming:
        page.get_by_role("button", name=name, exact=True).click()
    return Path(coming.value.path()).read_bytes()
