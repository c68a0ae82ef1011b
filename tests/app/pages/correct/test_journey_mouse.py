"""The mouse: every gesture in the drawing, in one history with the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.store.store import Store
from tests.app.conftest import await_timers, expect
from tests.app.pages.correct.conftest import (
    EDITOR,
    Served,
    keys,
    open_first,
    open_sentence,
    settle,
    type_in,
)

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

SELECTED = f"() => String({EDITOR}.getRootNode().getSelection?.() ?? getSelection())"


def node(page: Page, name: str) -> Locator:
    return page.locator(f".edit .node[data-name='{name}'] .box")


def middle(part: Locator) -> tuple[float, float]:
    box = part.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    page.mouse.move(*end)
    page.mouse.up()


def near_target(page: Page, role: str) -> tuple[float, float]:
    """Give a point on an edge, just before its target."""
    edge = page.locator(".edit .edge", has_text=role)
    x, y = edge.locator(".line").evaluate(
        """(line) => {
          const at = line.getPointAtLength(line.getTotalLength() - 14);
          const point = new DOMPoint(at.x, at.y).matrixTransform(line.getScreenCTM());
          return [point.x, point.y];
        }"""
    )
    return x, y


def test_each_gesture_of_the_mouse_goes_into_one_history(
    page: Page, served: Served, store: Store, document: int
) -> None:
    sentence = open_first(page, served, store, document)

    def triples() -> set[tuple[str, str, str]]:
        return {edge.triple for edge in store.sentence(sentence).state.graph.edges}

    def concept(name: str) -> str:
        graph = store.sentence(sentence).state.graph
        return next(each.concept for each in graph.nodes if each.id == name)

    begun = store.sentence(sentence).state.graph
    node(page, "c").dblclick()
    type_in(page, "adult")
    assert concept("c") == "adult"

    drag(page, middle(node(page, "c")), middle(node(page, "b2")))
    page.locator(".edit .prompt .what").get_by_text("From c / adult to b2 / bread").wait_for()
    type_in(page, ":poss")
    assert ("c", ":poss", "b2") in triples()
    assert page.evaluate(SELECTED) == ""

    drag(page, near_target(page, ":poss"), middle(node(page, "w")))
    settle(page)
    assert ("c", ":poss", "w") in triples()

    drag(page, middle(node(page, "b")), middle(page.locator(".edit .state")))
    settle(page)
    page.mouse.move(*middle(node(page, "b")))
    page.mouse.down()
    page.mouse.move(*middle(node(page, "o")))
    page.locator(".edit .dragged").wait_for()
    page.keyboard.press("Escape")
    page.mouse.up()
    settle(page)
    expect(page.locator(".edit .prompt")).to_be_hidden()

    bar = page.get_by_role("toolbar", name="What to do with the chosen part")
    node(page, "b").click(button="right")
    bar.get_by_role("button", name="Add").click()
    type_in(page, "tall", ":mod")
    node(page, "o").click()
    bar.get_by_role("button", name="Delete").click()
    settle(page)
    assert "o" not in {each.id for each in store.sentence(sentence).state.graph.nodes}
    page.locator(".edit .edge", has_text=":poss").locator(".role").click(button="right")
    bar.get_by_role("button", name="Reverse").click()
    settle(page)
    assert ("w", ":poss", "c") in triples()
    node(page, "b").click()
    bar.get_by_role("button", name="Root").click()
    settle(page)
    assert store.sentence(sentence).state.graph.root == "b"
    node(page, "b").click()
    bar.get_by_role("button", name="Split").click()
    keys(page, "Enter")
    settle(page)
    expect(bar).to_be_hidden()

    for _ in range(8):
        keys(page, "u")
        settle(page)
    assert store.sentence(sentence).state.graph == begun


def test_marked_words_become_a_name_and_a_date_in_four_keys_and_clicks_each(
    page: Page, served: Served, store: Store
) -> None:
    text = (
        "# ::id trip\n# ::snt She left New York on 12 July.\n(l / leave-11\n   :ARG0 (s / she))\n"
    )
    sentence = store.sentences(store.import_text("trip.amr", text).document)[0].id
    open_sentence(page, served, sentence)
    word = page.locator(".edit .word")
    # The root is chosen.
    word.get_by_text("New").click()
    word.get_by_text("York").click(modifiers=["Shift"])
    keys(page, "=")
    settle(page)
    options = page.locator(".edit .doubts .options button").all_inner_texts()
    (digit,) = (text.split()[0] for text in options if text.split()[1] == "city")
    keys(page, digit)
    settle(page)

    node(page, "l").click()
    word.get_by_text("12").click()
    word.get_by_text("July.").click(modifiers=["Shift"])
    keys(page, "=")
    settle(page)
    graph = store.sentence(sentence).state.graph
    values = {(part.role, part.value) for part in graph.attributes}
    assert {(":op1", '"New"'), (":op2", '"York"'), (":month", "7"), (":day", "12")} == values
    concepts = {each.id: each.concept for each in graph.nodes}
    (date,) = (name for name, concept in concepts.items() if concept == "date-entity")
    (name,) = (name for name, concept in concepts.items() if concept == "name")
    (named,) = (edge.source for edge in graph.edges if edge.target == name)
    assert concepts[named] == "city"
    assert {("l", ":time", date), (named, ":name", name)} <= {e.triple for e in graph.edges}


def test_a_pointer_that_rests_dims_nothing_of_what_comes_below_it(
    page: Page, served: Served, store: Store
) -> None:
    block = (
        "# ::id rest.{}\n# ::snt A tall boy runs.\n(r / run-02 :ARG0 (b / boy :mod (t / tall)))\n"
    )
    text = "\n".join(map(block.format, (1, 2)))
    first = store.sentences(store.import_text("rest.amr", text).document)[0].id
    open_sentence(page, served, first)
    by_pointer = page.locator(".edit .hovering .node.near[data-name='t']")
    page.mouse.move(*middle(node(page, "t")))
    by_pointer.wait_for()
    keys(page, "k")
    page.locator(".edit .state").get_by_text("rest.2").wait_for()
    settle(page)
    await_timers(page, 300)  # a browser looks a moment later what is below
    assert by_pointer.count() == 0
    page.mouse.move(*middle(node(page, "b")))
    by_pointer.wait_for()


def test_what_has_the_focus_is_marked_close_around_its_box(
    page: Page, served: Served, store: Store, document: int
) -> None:
    open_first(page, served, store, document)
    keys(page, "ArrowDown ArrowUp")
    chosen = page.locator(".edit .node.selected")
    expect(chosen).to_have_css("outline-style", "none")  # it also holds its number and its ring
    expect(chosen.locator(".box")).to_have_css("outline-style", "solid")
    expect(chosen.locator(".box")).to_have_css("outline-offset", "1px")


def test_what_lies_below_a_refusal_is_reached_by_one_click(
    page: Page, served: Served, store: Store, document: int
) -> None:
    open_first(page, served, store, document)
    notice = page.locator(".edit .notice")
    keys(page, "n")
    type_in(page, ":date yesterday")
    notice.get_by_text("'yesterday' is no date").wait_for()
    left, top = middle(notice)
    below = f"([x, y]) => {EDITOR}.getRootNode().elementFromPoint(x, y).closest('.stage') !== null"
    assert page.evaluate(below, [left, top])
    page.mouse.click(left, top)
    expect(notice).to_be_hidden()
