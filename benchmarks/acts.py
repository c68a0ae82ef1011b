"""What people do on the pages, in a browser: how it is prepared, done, shown and found on disk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from app.annotation.identity import COOKIE
from app.store.store import Store

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

DRAFT = "(a / and :op1 (b / boy"
PRESS_MS = 2_000
"""How long a button is tried that the page may have disabled."""
OPEN_MS = 4_000
"""How long a field stays open: Streamlit says meanwhile that its server is gone."""
CHOSEN_MS = 3_000
"""How long what was chosen may take to be shown, before it is chosen again."""
NOTHING = "nothing yet"
"""What is shown where the page tells nothing of an act."""


@dataclass(frozen=True, slots=True)
class Act:
    """Something that a person does.

    Attributes:
        name: Its name.
        prepare: Opens the page for it, before the store fails.
        do: Does it.
        shown: Gives what the page says of it.
        is_done: Tells by the store whether it is on disk.
    """

    name: str
    prepare: Callable[[Page, str], None]
    do: Callable[[Page], None]
    shown: Callable[[Page], str]
    is_done: Callable[[Store], bool]


def _correct(sentence: int) -> Callable[[Page, str], None]:
    def prepare(page: Page, address: str) -> None:
        be(page, address, "Ada")
        page.goto(f"{address}/correct?sentence={sentence}")
        page.locator(".edit .saved").get_by_text("All saved").wait_for()

    return prepare


def be(page: Page, address: str, person: str) -> None:
    """Let a browser have worked under a name."""
    name = quote(person, safe="")
    page.context.add_cookies([{"name": COOKIE, "value": name, "url": address}])


def choose(page: Page, label: str, *people: str) -> None:
    """Choose people in a field, known or new; again where the page drew it anew meanwhile."""
    whole = page.get_by_test_id("stMultiSelect").filter(has_text=label)
    field = whole.locator("input").first
    for person in people:
        # The field keeps hidden twins of what was chosen.
        chosen = whole.get_by_text(person, exact=True).filter(visible=True).first
        for _ in range(20):
            field.fill(person)
            field.press("Enter")
            if _comes(chosen):
                break
        chosen.wait_for()
    field.press("Escape")


def _comes(part: Locator) -> bool:
    """Tell whether a part of the page is seen within a few seconds."""
    for _ in range(CHOSEN_MS // 100):
        if part.is_visible():
            return True
        part.page.wait_for_timeout(100)
    return False


def _queue(ready: str, **parameters: str) -> Callable[[Page, str], None]:
    def prepare(page: Page, address: str) -> None:
        be(page, address, "Ada")
        page.goto(f"{address}/queue?{urlencode(parameters)}")
        page.get_by_text(ready).first.wait_for()

    return prepare


def _prepare_assignment(page: Page, address: str) -> None:
    _queue("Tick rows of", order="file")(page, address)
    page.locator('[data-testid="stDataFrame"] .dvn-scroller').first.click(
        position={"x": 15, "y": 52}
    )
    choose(page, "Assign the chosen rows to", "Ben")
    page.get_by_role("button", name="Assign 1 row").wait_for()


def _prepare_import(page: Page, address: str) -> None:
    _queue("or paste it here", view="import")(page, address)
    page.get_by_role("textbox", name="or paste it here").fill("# ::snt It rains.\n(r / rain-01)")
    page.get_by_role("textbox", name="Name of the document").fill("new.amr")


def _type(key: str, text: str, open_ms: int = 0) -> Callable[[Page], None]:
    def do(page: Page) -> None:
        page.keyboard.press(key)
        page.wait_for_timeout(open_ms)
        page.keyboard.press("Control+a")
        page.keyboard.type(text)
        page.keyboard.press("Enter")

    return do


def _draft(page: Page) -> None:
    page.keyboard.press(".")
    page.locator(".edit textarea").fill(DRAFT)
    page.keyboard.press("Escape")


def _press(name: str) -> Callable[[Page], None]:
    return lambda page: page.get_by_role("button", name=name).first.click(timeout=PRESS_MS)


def _saved(page: Page) -> str:
    return page.locator(".edit .saved").inner_text()


def _told(page: Page) -> str:
    alerts = page.get_by_role("alert").or_(page.get_by_role("dialog")).all_inner_texts()
    return " ".join(one for one in alerts if one.strip()) or NOTHING


ACTS = (
    Act("rename", _correct(1), _type("r", "pupil"), _saved,
        lambda store: "pupil" in {n.concept for n in store.sentence(1).state.graph.nodes}),
    Act("late rename", _correct(5), _type("r", "pupil", OPEN_MS), _saved,
        lambda store: "pupil" in {n.concept for n in store.sentence(5).state.graph.nodes}),
    Act("text draft", _correct(2), _draft, _saved,
        lambda store: store.sentence(2).state.drafts.get("Ada") == DRAFT),
    Act("comment", _correct(3), _type("c", "is it?"), _saved,
        lambda store: bool(store.sentence(3).state.comments)),
    Act("accept", _correct(4), lambda page: page.keyboard.press("a"), _saved,
        lambda store: store.sentence(4).state.status == "accepted"),
    Act("assign", _prepare_assignment, _press("Assign 1 row"), _told,
        lambda store: any(row.assigned == "Ben" for row in store.sentences())),
    Act("rewrite", _queue("would be rewritten", view="search", find="(x / hail-01)",
                          template="(x / snow-01)", **{"in": "pattern"}),
        _press("Rewrite"), _told, lambda store: bool(store.batches())),
    Act("import", _prepare_import, _press("Import"), _told,
        lambda store: any(one.name == "new.amr" for one in store.documents())),
)  # fmt: skip
