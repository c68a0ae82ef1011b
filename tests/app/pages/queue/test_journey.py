"""The Queue and Compare pages in a real headless browser, on one store."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from app.store.log.operations import Acknowledged, Request
from app.store.store import Store, open_store
from aptcore.editing.edits import RenameNode, edit_to_json
from benchmarks.acts import be, choose
from tests.app.conftest import (
    END_SECONDS,
    RUN,
    await_frame,
    await_timers,
    expect,
    free_port,
    fresh_page,
    quiet,
    rest,
    wait_for_health,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WAIT_MS = 180_000
GRAPHS = """# ::id one
# ::snt The <b>boy</b> sees the moon.
(s / see-01 :ARG0 (b / boy) :ARG1 (m / moon))

# ::id two
# ::snt Nobody sees it.
(s / see-01 :ARG0 (n / nobody) :ARG1 (i / it))
"""


@pytest.fixture(scope="module")
def served(
    model: Path, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Path]]:
    """The address of an app, and the file of its store."""
    folder = tmp_path_factory.mktemp("queue")
    server, address = start(model, folder)
    try:
        yield address, folder / "work.db"
    finally:
        server.terminate()
        server.wait(END_SECONDS)


def start(model: Path, folder: Path) -> tuple[subprocess.Popen[bytes], str]:
    """Start an app whose store is in a folder; gives it and its address."""
    port, log = free_port(), folder / "log.txt"
    options = ["app", "--port", str(port), "--store", str(folder / "work.db")]
    command = [sys.executable, *RUN, *options, "--model", str(model), "--device", "cpu"]
    with log.open("ab") as output:
        server = subprocess.Popen(command, stdout=output, stderr=output, env=quiet())
    wait_for_health(f"http://127.0.0.1:{port}", server, log)
    return server, f"http://127.0.0.1:{port}"


@pytest.fixture
def store(served: tuple[str, Path]) -> Iterator[Store]:
    opened = open_store(str(served[1]))
    yield opened
    opened.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page in a browser of its own; an error in it fails the test."""
    yield from fresh_page(browser, WAIT_MS)


def test_raw_text_comes_in_is_parsed_and_the_next_sentence_opens(
    page: Page, served: tuple[str, Path], store: Store
) -> None:
    page.goto(f"{served[0]}/queue")
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Begin").click()
    page.get_by_label("or paste it here").fill("The girl sings.\n\n!!!\nA bird flies.\n")
    page.get_by_label("Name of the document").fill("birds")
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_text("2 parsed, 1 not parsed").wait_for()
    page.get_by_text("3 of 3 sentences").wait_for()
    rows = store.sentences()
    assert [row.text for row in rows] == ["The girl sings.", "!!!", "A bird flies."]
    assert [row.name for row in rows] == ["birds.1", "birds.3", "birds.4"]
    assert rows[1].apart
    doubt = {row: values["narrow margin"] for row, values in store.scores(1).items()}
    page.get_by_role("button", name="Correct the next one").click()
    page.wait_for_url(f"**/correct?sentence={max(doubt, key=lambda row: doubt[row])}&person=Ada*")
    page.go_back()
    page.get_by_text("3 of 3 sentences").wait_for()


def test_an_outcome_that_was_put_away_stays_so_for_this_person_alone(
    page: Page, served: tuple[str, Path]
) -> None:
    address, _ = served
    be(page, address, "Ada")
    page.goto(f"{address}/queue?view=import")
    page.get_by_label("or paste it here").fill("A fish swims.\n")
    page.get_by_label("Name of the document").fill("fish")
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_text("fish: 1 sentence done").wait_for()
    rest(page)
    outcomes = page.get_by_role("button", name="Put away")
    count = outcomes.count()
    outcomes.first.click()
    expect(outcomes).to_have_count(count - 1)
    rest(page)
    page.reload()
    expect(outcomes).to_have_count(count - 1)
    rest(page)
    await_frame(page)  # and no more of them come
    assert outcomes.count() == count - 1
    be(page, address, "Bea")
    page.goto(f"{address}/queue?view=import")
    expect(outcomes).to_have_count(count)


def test_raw_text_survives_a_killed_server_and_a_new_one_goes_on_by_itself(
    page: Page, model: Path, tmp_path: Path
) -> None:
    server, address = start(model, tmp_path)
    lines = [f"The boy number {n} wants to visit his old friend." for n in range(1, 41)]
    be(page, address, "Ada")
    page.goto(f"{address}/queue")
    page.get_by_label("or paste it here").fill("\n".join(lines))
    page.get_by_label("Name of the document").fill("boys")
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_text("40 sentences to parse").wait_for()
    store = open_store(str(tmp_path / "work.db"))
    while store.jobs.all() and not store.jobs.all()[0].done:
        time.sleep(0.05)
    server.kill()
    server.wait(END_SECONDS)
    assert store.documents() == ()
    assert store.jobs.all()[0].size == 40

    server, address = start(model, tmp_path)
    deadline = time.monotonic() + WAIT_MS / 1000
    while not store.documents() and time.monotonic() < deadline:
        time.sleep(0.2)
    assert [row.text for row in store.sentences()] == lines
    assert len(store.scores(1)) == 40
    be(page, address, "Ada")
    page.goto(f"{address}/queue")
    page.get_by_text("40 of 40 sentences").wait_for()
    store.close()
    server.terminate()
    server.wait(END_SECONDS)


def test_a_rewrite_is_seen_applied_and_undone(
    page: Page, served: tuple[str, Path], store: Store
) -> None:
    document = store.import_text("moon.amr", GRAPHS).document
    before = store.export(document)
    be(page, served[0], "Zoe")
    parameters = {"view": "search", "in": "pattern", "document": document}
    page.goto(f"{served[0]}/queue?{urlencode(parameters)}")
    page.get_by_label("Search for").fill("(x / see-* :ARG1 (y / *))")
    page.get_by_label("Replace by this template").fill("(x / look-* :ARG1 y)")
    page.get_by_role("button", name="Search", exact=True).click()
    page.get_by_text("2 hits in 2 sentences would be rewritten").wait_for()
    assert store.export(document) == before
    page.get_by_role("button", name="Rewrite 2 hits in 2 sentences").click()
    page.get_by_text("2 sentences rewritten").wait_for()
    assert store.export(document).count("look-01") == 2
    page.get_by_role("button", name="Undo all of it").click()
    page.get_by_text("2 sentences as before").wait_for()
    assert store.export(document) == before


def test_copies_are_adjudicated_by_keys_alone(
    page: Page, served: tuple[str, Path], store: Store
) -> None:
    document = store.import_text("copied.amr", GRAPHS.replace("::id ", "::id copied.")).document
    for person, names in (("Ada", ("girl", "it")), ("Ben", ("youth", "dawn"))):
        copy = store.copy_document(document, f"copied.{person}.amr", person)
        for row, node, name in zip(store.sentences(copy), "bi", names, strict=True):
            edit = {"do": "edit", "edit": edit_to_json(RenameNode(node, name))}
            for base, what in enumerate((edit, {"do": "accept"})):
                answer = store.apply(row.id, person, "t", Request(f"r{base}", base, what))
                assert isinstance(answer, Acknowledged)
    be(page, served[0], "Zoe")
    link = {"person": "Zoe", "document": document, "first": "copy Ada", "second": "copy Ben"}
    page.goto(f"{served[0]}/compare?{urlencode(link)}")
    changed = page.locator(".union .changed")
    changed.locator("rect").wait_for()
    expect(changed.locator("text")).to_have_text(re.compile("^≠ girl → youth"))
    box = page.get_by_role("checkbox", name="b / girl becomes b / youth")
    box.wait_for()
    page.keyboard.press("1")
    expect(box).to_be_checked()
    page.keyboard.press("r")
    page.keyboard.type("as 1 says")  # letters and digits of the reason are no keys
    page.keyboard.press("Control+Enter")
    page.get_by_text("Taken over.").wait_for()
    page.get_by_text("Changes with a reason").wait_for()
    assert page.get_by_text("Saved now").count() == 0  # it was sent once
    assert "(b / youth)" in store.export(document)
    page.get_by_label("Reason").evaluate("field => field.blur()")
    page.keyboard.press("a")
    page.get_by_text("Sentence 2 is the next one that is ready").wait_for()
    page.get_by_role("checkbox", name="i / it becomes i / dawn").wait_for()
    page.keyboard.press("a")
    page.get_by_text("No other open sentence is ready").wait_for()
    assert [row.status for row in store.sentences(document)] == ["accepted", "accepted"]
    page.get_by_text("Agreement", exact=True).click()
    page.get_by_text("Ada's copy against Ben's copy: 2 sentences").wait_for()


def test_the_form_is_empty_after_an_import_and_not_after_a_refusal(
    page: Page, served: tuple[str, Path], store: Store
) -> None:
    store.import_text("taken.amr", GRAPHS)
    be(page, served[0], "Zoe")
    page.goto(f"{served[0]}/queue?view=import")
    content = GRAPHS.encode()
    upload = page.locator("input[type=file]")
    upload.set_input_files({"name": "taken.amr", "mimeType": "", "buffer": content})
    shown = page.get_by_test_id("stFileUploader").get_by_text("taken.amr")
    shown.wait_for()
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_text("there is a document 'taken.amr' already: give another name").wait_for()
    expect(shown).to_be_visible()
    page.get_by_label("Name of the document").fill("free.amr")
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_text("free.amr: 2 sentences.").wait_for()
    shown.wait_for(state="detached")
    expect(page.get_by_label("Name of the document")).to_have_value("")
    page.get_by_label("or paste it here").fill(GRAPHS)
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_text("pasted 1.amr: 2 sentences.").wait_for()
    expect(page.get_by_label("or paste it here")).to_have_value("")
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_text("choose a file, or paste graphs or sentences").wait_for()
    assert {"taken.amr", "free.amr", "pasted 1.amr"} <= {one.name for one in store.documents()}


def test_enter_makes_no_copies_and_a_copy_can_be_removed(
    page: Page, served: tuple[str, Path], store: Store
) -> None:
    document = store.import_text("sun.amr", GRAPHS).document
    be(page, served[0], "Zoe")
    link = {"view": "progress", "document": document}
    page.goto(f"{served[0]}/queue?{urlencode(link)}")
    choose(page, "A copy each for", "Ada", "Ben")
    await_timers(page, 1500)  # longer than a form takes to be sent
    rest(page)
    assert store.copies(document) == ()
    page.get_by_role("button", name="Make the copies").click()
    page.get_by_text("sun.amr: a copy each for Ada, Ben.").wait_for()
    assert [copy.person for copy in store.copies(document)] == ["Ada", "Ben"]
    page.get_by_role("button", name="Remove", exact=True).first.click()
    page.get_by_text("sun.Ada.amr is removed.").wait_for()
    assert [copy.is_removed for copy in store.copies(document)] == [True, False]
