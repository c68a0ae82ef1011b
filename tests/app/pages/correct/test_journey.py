"""The Correct page in a real headless browser: keys alone, a lost server, two people."""

from __future__ import annotations

import re
import time
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from app.store.log.operations import Request
from app.store.store import Store
from benchmarks.acts import be
from tests.app.conftest import expect, overtake, rest, wait_until
from tests.app.pages.correct.conftest import (
    EDITOR,
    WAIT_MS,
    Served,
    accept,
    first_of,
    go_to,
    keys,
    mark_words,
    open_first,
    open_sentence,
    settle,
    type_in,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TWO_KEYS = f"""(keys) => {{
  for (const key of keys) {{
    const how = {{ key, bubbles: true, cancelable: true, composed: true }};
    const event = new KeyboardEvent("keydown", how);
    ({EDITOR}.getRootNode().activeElement ?? document.body).dispatchEvent(event);
  }}
}}"""
"""Presses keys before the browser does anything else."""
RECORD = f"""() => {{
  window.said = [];
  const told = {EDITOR}.querySelector(".told");
  new MutationObserver(() => window.said.push(told.textContent)).observe(told, {{childList: true}});
}}"""
"""Keeps what a screen reader would speak: each change of the live region."""
OVER = "(each) => each.scrollWidth - each.clientWidth"
WAITS = re.compile(r"^\d+ changes? waits? for the server|^All saved")
"""What is said besides where the server takes longer than a second for an answer."""


def test_ten_sentences_are_corrected_by_keys_alone_and_exported(
    page: Page, served: Served, store: Store, document: int
) -> None:
    open_first(page, served, store, document, "give-01 :ARG4 child")
    page.keyboard.press("r")
    type_in(page, ":ARG2")
    accept(page, "example.2")
    go_to(page, "ticket :polarity -")
    page.keyboard.press("s")
    go_to(page, "h2 / have-03")
    page.keyboard.press("Enter")
    settle(page)
    accept(page, "example.3")
    go_to(page, "t / tuesday")
    page.keyboard.press("r")
    type_in(page, "date-entity")
    mark_words(page, 6, 6)
    page.keyboard.press("n")
    type_in(page, "tuesday", ":weekday")
    accept(page, "example.4")
    go_to(page, "e / engine-01")
    page.keyboard.press("r")
    type_in(page, "engineer-01")
    go_to(page, "engineer-01 :source city")
    page.keyboard.press("s")
    go_to(page, "p / person")
    page.keyboard.press("Enter")
    settle(page)
    accept(page, "example.5")
    go_to(page, "leave-11 :cause amr-unknown")
    page.keyboard.press("i")
    accept(page, "example.6")
    go_to(page, "p2 / possible-01")
    page.keyboard.press("r")
    type_in(page, "date-entity")
    mark_words(page, 10, 10)
    page.keyboard.press("n")
    type_in(page, "5", ":month")
    page.keyboard.press("n")  # the constant is chosen: its parent is meant
    type_in(page, "3", ":day")
    accept(page, "example.7")
    go_to(page, "h / have-rel-role-91")
    page.keyboard.press(".")
    page.keyboard.press("Control+a")
    page.keyboard.type(
        "(a / annoy-01 :ARG0 (d / dog :ARG0-of (b / bark-01)) :ARG1 (n / neighbour))"
    )
    page.keyboard.press("Control+Enter")
    page.locator(".edit .lines").get_by_text("n / neighbour").wait_for()
    settle(page)
    accept(page, "example.8")
    page.keyboard.press("f")
    page.locator(".edit .state").get_by_text("flagged").wait_for()
    go_to(page, "before :op1 go-02")
    accept(page, "example.9")
    keys(page, "k")
    page.locator(".edit .state").get_by_text("example.10").wait_for()
    go_to(page, "p2 / play-02")
    page.keyboard.press("r")
    type_in(page, "play-11")
    keys(page, "u y")
    settle(page)
    page.keyboard.press("a")
    page.get_by_text("No open sentence is left").wait_for()
    text = store.export(document)
    for piece in (
        ":ARG2 (c / child)",
        ":op1 (t / date-entity\n",
        ":weekday (t2 / tuesday)",
        "(e / engineer-01)",
        "(c / cause-01",
        ":month 5\n",
        ":day 3",
        "(n / neighbour)",
        "(p2 / play-11",
    ):
        assert piece in text
    rows = store.sentences(document)
    assert [row.status for row in rows].count("accepted") == 9
    assert rows[8].status == "skipped"
    assert rows[7].flagged
    moved = store.sentence(rows[1].id).state.graph
    assert [(item.source, item.role) for item in moved.attributes] == [("h2", ":polarity")]
    aligned = store.sentence(rows[2].id).state.graph
    assert aligned.alignments["t2"].tokens == (6,)


def test_every_kind_of_edit_is_taken_back_to_the_very_start(
    page: Page, served: Served, store: Store, document: int
) -> None:
    before = store.export(document)
    sentence = store.sentences(document)[8].id
    open_sentence(page, served, sentence)
    go_to(page, "sell-01 :ARG0 company")
    page.keyboard.press("v")
    settle(page)
    go_to(page, "company :ARG0 sell-01")
    page.keyboard.press("t")
    go_to(page, "b / boat")
    page.keyboard.press("Enter")
    settle(page)
    go_to(page, "f / factory")
    page.keyboard.press("m")
    go_to(page, "s2 / small")
    page.keyboard.press("Enter")
    settle(page)
    go_to(page, "s / sell-01")
    page.keyboard.press("o")
    settle(page)
    go_to(page, "f / factory")
    page.keyboard.press("e")
    go_to(page, "c / company")
    page.keyboard.press("Enter")
    type_in(page, ":poss")
    go_to(page, "c / company")
    page.keyboard.press("b")
    go_to(page, "factory :poss company")
    keys(page, "Space Enter")
    settle(page)
    go_to(page, "factory :poss company")
    page.keyboard.press("i")
    settle(page)
    page.keyboard.press("i")
    settle(page)
    go_to(page, "b / boat")
    keys(page, "l")
    page.keyboard.press("ArrowRight")
    keys(page, "Space Enter")
    settle(page)
    go_to(page, "f / factory")
    page.keyboard.press("d")
    settle(page)
    kinds = [operation.what["do"] for operation in store.log(sentence)]
    assert kinds == ["edit"] * 10
    for _ in kinds:
        page.keyboard.press("u")
    settle(page)
    assert store.sentence(sentence).state.graph == store.sentence(sentence).silver
    assert store.export(document) == before


def test_a_killed_server_loses_no_key(
    page: Page, served: Served, store: Store, document: int
) -> None:
    sentence = open_first(page, served, store, document, "c / child")
    served.kill()
    names = ("kid", "girl", "boy", "pupil", "infant")
    for name in names:
        page.keyboard.press("r")
        page.keyboard.type(name)
        page.keyboard.press("Enter")
    page.keyboard.press("f")
    page.locator(".edit .saved").get_by_text("6 changes wait").wait_for()
    served.start()
    page.locator(".edit .saved").get_by_text("All saved").wait_for()
    done = [operation.what for operation in store.log(sentence)]
    assert [what["edit"]["concept"] for what in done if what["do"] == "edit"] == list(names)
    assert store.sentence(sentence).state.flagged
    page.locator(".edit .lines").get_by_text("c / infant").wait_for()


def test_the_network_may_be_gone_for_five_seconds(
    page: Page, served: Served, store: Store, document: int
) -> None:
    sentence = open_first(page, served, store, document, "c / child")
    page.context.set_offline(True)
    gone = time.monotonic()
    for name in ("kid", "pupil"):
        page.keyboard.press("r")
        page.keyboard.type(name)
        page.keyboard.press("Enter")
    keys(page, "n o l d Enter r")  # what is new is renamed as soon as it is there
    page.keyboard.type("little")
    page.keyboard.press("Enter")
    page.locator(".edit .saved").get_by_text("3 changes wait").wait_for()
    while time.monotonic() < gone + 5:
        page.wait_for_timeout(200)
    assert not store.log(sentence)
    page.context.set_offline(False)
    page.locator(".edit .lines").get_by_text("/ little").wait_for()
    page.locator(".edit .saved").get_by_text("All saved").wait_for()
    concepts = {node.concept for node in store.sentence(sentence).state.graph.nodes}
    assert {"pupil", "little"} <= concepts
    assert len(store.log(sentence)) == 4


def test_a_reload_without_a_server_loses_no_key(
    page: Page, served: Served, store: Store, document: int
) -> None:
    sentence = open_first(page, served, store, document, "c / child")
    served.kill()
    page.keyboard.press("r")
    page.keyboard.type("pupil")
    page.keyboard.press("Enter")
    page.locator(".edit .saved").get_by_text("1 change waits").wait_for()
    page.goto("about:blank")
    served.start()
    open_sentence(page, served, sentence)
    page.locator(".edit .lines").get_by_text("c / pupil").wait_for()
    assert len(store.log(sentence)) == 1


def test_two_browsers_on_one_sentence_both_see_the_conflict(
    page: Page, other: Page, served: Served, store: Store, document: int
) -> None:
    sentence = first_of(store, document)
    open_sentence(page, served, sentence, "Ada")
    open_sentence(other, served, sentence, "Bo")
    go_to(other, "c / child")
    go_to(page, "b / baker")
    other.keyboard.press("r")
    other.keyboard.type("pupil")
    page.keyboard.press("r")
    page.keyboard.type("cook")
    page.keyboard.press("Enter")
    # Before the other page hears of it.
    wait_until(page, lambda: store.sentence(sentence).revision > 0)
    other.keyboard.press("Enter")
    alarm = other.locator(".edit .alarm")
    alarm.get_by_text("Conflict: Ada changed this sentence in the meantime.").wait_for()
    expect(alarm).to_contain_text("b / cook")
    expect(alarm).to_contain_text("Renamed c to pupil")
    expect(alarm).to_be_focused()
    page.locator(".edit .meeting").get_by_text("Bo").wait_for()
    assert store.sentence(sentence).revision == 1
    other.keyboard.press("Tab")
    other.keyboard.press("Enter")
    alarm.wait_for(state="hidden")
    other.locator(".edit .lines").get_by_text("c / pupil").wait_for()
    page.locator(".edit .lines").get_by_text("c / pupil").wait_for()
    graph = store.sentence(sentence).state.graph
    assert {"cook", "pupil"} <= {node.concept for node in graph.nodes}


def test_what_is_said_aloud_after_a_conflict_tells_that_nothing_waits(
    page: Page, served: Served, store: Store, document: int
) -> None:
    sentence = open_first(page, served, store, document, "b / baker")
    page.keyboard.press("r")
    edit = {"edit": "rename-node", "id": "c", "concept": "pupil"}
    store.apply(sentence, "Bo", "t", Request("m", 0, {"do": "edit", "edit": edit}))
    page.keyboard.type("cook")
    page.keyboard.press("Enter")
    alarm, told = page.locator(".edit .alarm"), page.locator(".edit .told")
    alarm.get_by_text("Conflict: Bo changed this sentence in the meantime.").wait_for()
    expect(told).to_contain_text("was not applied: Renamed b to cook")
    alarm.get_by_text("Drop mine").click()
    alarm.wait_for(state="hidden")
    expect(told).to_have_text("Dropped: Renamed b to cook.")
    expect(page.locator(".edit .saved")).to_have_text("All saved")
    assert len(store.log(sentence)) == 1


def test_equal_outcomes_and_another_sentence_are_each_said_aloud(
    page: Page, served: Served, store: Store, document: int
) -> None:
    sentence = first_of(store, document)
    for name in ("cook", "chef", "master"):
        edit = {"edit": "rename-node", "id": "b", "concept": name}
        store.apply(sentence, "Ada", "t", Request(name, 0, {"do": "edit", "edit": edit}))
    open_sentence(page, served, sentence)
    first = "Sentence 1: The old baker gives warm bread to the children every morning."
    told = page.locator(".edit .told")
    told.get_by_text(first, exact=True).wait_for(state="attached")
    assert not page.evaluate(f"() => {EDITOR}.matches(':focus-within')")
    page.evaluate(RECORD)
    for _ in range(3):
        page.keyboard.press("u")
        settle(page)
    said = page.evaluate("window.said")
    outcomes = [text.strip("\u00a0") for text in said if not WAITS.search(text)]
    assert outcomes == ["Taken back"] * 3
    assert all(one != other for one, other in pairwise(said))
    second = "Sentence 2: My sister wants to visit the museum, but she has no ticket."
    third = "Sentence 3: The rain did not stop until Tuesday."
    for key, text in (
        ("a", f"Accepted. {second}"),
        ("[", first),
        ("]", second),
        ("k", f"Skipped. {third}"),
    ):
        page.evaluate(f"() => {EDITOR}.getRootNode().activeElement?.blur()")
        page.keyboard.press(key)
        settle(page)
        told.get_by_text(text, exact=True).wait_for(state="attached")
        assert page.evaluate("window.said.at(-1)") == text
        expect(page.locator(".edit .stage .root")).to_be_focused()


def test_a_text_kept_apart_opens_with_its_line_marked_and_one_key_mends_it(
    page: Page, served: Served, store: Store
) -> None:
    text = "# ::id odd\n# ::snt We use an engine .\n(u / use-01\n   :ARG0 (w / we)\n"
    text += "   :ARG1 (s / search engine))\n"
    sentence = first_of(store, store.import_text("odd.txt", text).document)
    open_sentence(page, served, sentence)
    page.keyboard.press(".")
    page.locator(".edit .fault").get_by_text("Line 3: ").wait_for()
    expect(page.locator(".edit .mark-line")).to_be_visible()
    area = page.locator(".edit textarea")
    assert area.evaluate("(area) => area.scrollLeft") == 0
    page.locator(".edit .take-text").click(trial=True)  # nothing lies over it or cuts it off
    page.locator(".edit .mend-text").get_by_text("Mend: write search-engine").click()
    page.locator(".edit .fault").wait_for(state="hidden")
    expect(page.locator(".edit .mark-line")).to_be_hidden()
    expect(area).to_have_value(re.compile(re.escape("(s / search-engine)")))
    page.keyboard.press("Control+Enter")
    page.locator(".edit .lines").get_by_text("s / search-engine").wait_for()
    settle(page)
    keys(page, "u")  # the same by the list of problems
    settle(page)
    page.locator(".edit .problems").get_by_text("write search-engine").click()
    page.locator(".edit .lines").get_by_text("s / search-engine").wait_for()
    settle(page)
    assert not store.sentence(sentence).apart


def test_a_line_in_error_far_down_is_in_view_when_the_text_is_opened(
    page: Page, served: Served, store: Store
) -> None:
    members = "".join(f"\n   :op{n} (b{n} / boy)" for n in range(1, 80))
    text = f"# ::snt Boys .\n(a / and{members}\n   :op80 (s / search engine))\n"
    sentence = first_of(store, store.import_text("far.txt", text).document)
    open_sentence(page, served, sentence)
    page.keyboard.press(".")
    page.locator(".edit .fault").get_by_text("Line 81: ").wait_for()
    page.wait_for_function(
        f"""() => {{
            const [area, mark] = [".writing textarea", ".mark-line"].map(
                (name) => {EDITOR}.querySelector(name).getBoundingClientRect());
            return mark.top >= area.top && mark.bottom <= area.bottom;
        }}"""
    )


def test_what_was_typed_before_is_judged_when_the_text_is_opened(
    page: Page, served: Served, store: Store, document: int
) -> None:
    open_first(page, served, store, document)
    page.keyboard.press(".")
    page.locator(".edit textarea").fill("(b / bake-01\n   :ARG0 (c / cook")
    page.reload()
    page.locator(".edit .node").first.wait_for()
    settle(page)
    page.keyboard.press(".")
    page.locator(".edit .fault").get_by_text("Line 2: ").wait_for()
    expect(page.locator(".edit .mark-line")).to_be_visible()


def test_the_reading_is_folded_until_it_is_asked_for_and_stays_open_then(
    page: Page, served: Served, store: Store
) -> None:
    branches = "".join(
        f"\n   :op{n} (s{n} / see-01 :ARG0 (b{n} / boy) :ARG1 (g{n} / girl))" for n in range(1, 23)
    )
    text = f"# ::id long\n# ::snt They see .\n(a / and{branches})\n\n"
    text += "# ::id short\n# ::snt It rains .\n(r / rain-01)\n"
    sentence = first_of(store, store.import_text("long.txt", text).document)
    open_sentence(page, served, sentence)
    reading, button = page.locator(".edit .reading"), page.locator(".edit .unfold")
    expect(button).to_have_attribute("aria-expanded", "false")
    expect(reading).to_be_hidden()
    assert not reading.text_content()
    button.get_by_text("Read it in plain English").click()
    button.get_by_text("Fold the reading").wait_for()
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(reading.locator("bdi")).to_have_count(23)
    assert not reading.evaluate("(part) => part.scrollHeight > part.clientHeight + 1")
    go_to(page, "g22 / girl")
    expect(reading.locator(".named")).to_contain_text("girl")
    keys(page, "]")
    page.locator(".edit .state").get_by_text("short").wait_for()
    settle(page)
    expect(reading.locator("bdi")).to_have_count(1)  # the next sentence is read at once
    button.click()
    reading.wait_for(state="hidden")


AWKWARD = """# ::id awkward
# ::snt <b>Sales</b> rose from $1.5bn *a* :smile: say
# ::tok <b>Sales</b> rose from $1.5bn *a* :smile: say
(r / rise-01
   :ARG1 (s / a->b)
   :ARG4 "<script>alert(1)</script>"
   :ARG3 "$1.5bn *a* \\\\N"
   :mod "say \\"hi\\"")
"""


def test_the_parser_helps_and_one_key_takes_its_option(
    page: Page, served: Served, store: Store, document: int
) -> None:
    sentence = open_first(page, served, store, document)
    page.locator(".edit .doubts").get_by_text("doubtful part").wait_for()
    keys(page, "q")
    option = page.locator(".edit .options bdi").first.inner_text()
    keys(page, "1")
    settle(page)
    (operation,) = store.log(sentence)
    changed = operation.what["edit"]
    assert option in (changed.get("concept"), changed.get("new_role")) or changed["target"]
    keys(page, "u")  # it may have renamed the baker
    settle(page)
    go_to(page, "b / baker")
    keys(page, "n")
    page.keyboard.type("hap")
    page.locator(".edit .offers").get_by_text("happy").first.wait_for()
    keys(page, "ArrowDown Enter")
    settle(page)
    added = store.log(sentence)[-1].what["edit"]["edits"][0]["concept"]
    assert added.startswith("hap")
    keys(page, "g")
    page.wait_for_function(
        f"() => /propos|nothing more/.test({EDITOR}.querySelector('.offered .note')?.textContent)"
    )
    keys(page, "Escape x")
    page.locator(".edit .offered").wait_for(state="hidden")


def test_a_drawing_overtaken_before_its_script_came_leaves_an_editor_that_takes_keys(
    late_page: Page, served: Served, store: Store, document: int
) -> None:
    sentence = first_of(store, document)
    be(late_page, served.address, "Ada")
    late_page.goto(f"{served.address}/correct?sentence={sentence}")
    rest(late_page)
    late_page.wait_for_timeout(4000)  # what the page works out later is there
    overtake(late_page, ".edit")
    settle(late_page)
    keys(late_page, "f")
    late_page.locator(".edit .state").get_by_text("flagged").wait_for()
    go_to(late_page, "b / baker")
    keys(late_page, "r")
    type_in(late_page, "cook")
    settle(late_page)
    edits = [entry.what["do"] for entry in store.log(sentence)]
    assert edits == ["flag", "edit"]


def test_the_key_after_escape_is_the_editors_as_soon_as_the_list_of_keys_is_closed(
    page: Page, served: Served, store: Store, document: int
) -> None:
    open_first(page, served, store, document)
    keys(page, "?")
    page.locator("[data-remap=flag]").focus()
    page.evaluate(TWO_KEYS, ["Escape", "n"])
    page.keyboard.type("happy")
    expect(page.locator(".edit .prompt input:focus")).to_have_value("happy")


def test_a_key_can_be_given_to_something_else_and_stays_so(
    page: Page, served: Served, store: Store, document: int
) -> None:
    sentence = open_first(page, served, store, document)
    keys(page, "?")
    button = page.locator("[data-remap=flag]")
    button.focus()
    keys(page, "Enter j")
    expect(button).to_have_text("j")
    expect(page.locator("[data-remap=reject]")).to_have_text("f")
    keys(page, "Escape j")
    page.locator(".edit .state").get_by_text("flagged").wait_for()
    page.reload()
    page.locator(".edit .node").first.wait_for()
    keys(page, "j")
    page.locator(".edit .state").get_by_text("flagged").wait_for(state="detached")
    settle(page)
    assert store.sentence(sentence).state.status == "open"


def test_labels_are_shown_and_never_run(page: Page, served: Served, store: Store) -> None:
    document = store.import_text("awkward.txt", AWKWARD).document
    open_sentence(page, served, first_of(store, document), "<b>Ada</b> *x* :smile:")
    labels = page.locator(".edit .node .label").all_text_contents()
    assert "a->b" in labels
    assert '"<script>alert(1)</script>"' in labels
    assert page.locator(".edit script, .edit b:not(.line-of b), .edit strong").count() == 0
    words = ["<b>Sales</b>", "rose", "from", "$1.5bn", "*a*", ":smile:", "say"]
    expect(page.locator(".edit .word")).to_have_text(words)
    page.get_by_text("<b>Ada</b> *x* :smile:", exact=True).wait_for()
    keys(page, ".")
    literal = re.compile(re.escape('"<script>alert(1)</script>"'))
    expect(page.locator(".edit textarea")).to_have_value(literal)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_a_small_window_in_both_themes(
    browser: Browser, served: Served, store: Store, document: int, scheme: str
) -> None:
    colours = "dark" if scheme == "dark" else "light"
    context = browser.new_context(viewport={"width": 640, "height": 360}, color_scheme=colours)
    context.set_default_timeout(WAIT_MS)
    small = context.new_page()
    open_sentence(small, served, first_of(store, document))
    keys(small, "ArrowRight")
    for part in (".edit", ".edit .bar", ".edit .drawing"):
        wait_until(small, lambda part=part: small.locator(part).evaluate(OVER) <= 0)
    focused = small.locator(".edit .edge:focus")  # marked along its line, by no box
    expect(focused).to_have_css("outline-style", "none")
    expect(focused.locator(".hit")).to_have_css("stroke", re.compile("^rgb"))
    expect(focused.locator(".hit")).not_to_have_css("stroke", "rgba(0, 0, 0, 0)")
    keys(small, "ArrowRight")
    expect(small.locator(".edit .node:focus .box")).to_have_css("outline-style", "solid")
    colour = "rgb(29, 37, 41)" if scheme == "light" else "rgb(228, 233, 234)"
    expect(small.locator(".edit")).to_have_css("color", colour)
    context.close()
