"""The Queue page by Streamlit's AppTest, on a store of its own and with a fake parser."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.testing.v1 import AppTest

from app.annotation import keeping, scribe, session, waiting
from app.annotation.documents import shared_preparer, shared_scribe, shared_searcher
from app.annotation.identity import PERSON
from app.annotation.incoming import RawText, sentences_of
from app.annotation.session import shared_store
from app.engine import worker as engine
from app.kit.text import counted
from app.pages.queue import page_behind, page_export, page_rewrite, rewrite
from app.store import bulk
from app.store.bulk import Bulk
from app.store.documents import job_rows
from app.store.documents.exporting import ExportOptions
from app.store.log.operations import Request
from app.store.records.database import BUSY_SECONDS
from app.store.store import Store, open_store
from aptcore.errors import UnavailableError
from aptcore.graph.encoding import decode_text
from aptcore.trace.format import decode_trace
from aptcore.trace.trace import ModelInfo, Trace
from aptcore.transition.actions import Action
from aptcore.transition.sets import PAPER
from aptcore.words.tokens import tokenize
from tests.app.conftest import read_only
from tests.app.traces import build_trace

APP = Path(engine.__file__).resolve().parents[1]
PAGES = [str(APP / "pages" / name / "page.py") for name in ("queue", "compare", "correct")]
ENTRY = (
    "import streamlit as st\n"
    "st.navigation([st.Page(page, url_path=page.split('/')[-2])"
    f" for page in {PAGES!r}]).run()"
)
TIMEOUT = 120
GRAPHS = """# ::id one
# ::snt The boy wants to go.
(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))

# ::id broken
# ::snt It uses a search engine.
(u / use-01 :ARG1 (s / search engine))

# ::id two
# ::snt A $5 *map* :smile:
(m / map :mod (d / dollar))

# ::id three
# ::snt She wants it.
(w / want-01 :ARG0 (s / she) :ARG1 (i / it) :null_edge (y / 876-9))
"""


class FakeParser:
    """Makes one concept of the first word."""

    info = ModelInfo("fake", "feedbeef", "none", PAPER, "cpu", "float32")

    def trace(
        self, text: str, *, beam: int, prefix: Iterable[Action] = (), **told: object
    ) -> Trace:
        read = tokenize(text)
        rest = ["REDUCE"] * (len(read.tokens) - 1)
        return decode_trace(
            build_trace(read.tokens, read.lemmas, ["PRED(word)", "SHIFT", *rest, "LA(0, root)"])
        )


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    url = str(tmp_path / "store.db")
    monkeypatch.setenv("APTAMR_STORE", url)
    monkeypatch.setenv("APTAMR_DATA", str(tmp_path))
    monkeypatch.setattr(engine, "load_parser", FakeParser)
    monkeypatch.setattr(engine, "HEAD_START_SECONDS", 0)
    st.cache_resource.clear()
    st.cache_data.clear()
    opened = open_store(url)
    yield opened
    opened.close()
    st.cache_resource.clear()
    st.cache_data.clear()


def open_page(page: str = "queue", **parameters: str) -> AppTest:
    app = AppTest.from_string(ENTRY, default_timeout=TIMEOUT)
    app.session_state[PERSON] = "Ada"
    for name, value in parameters.items():
        app.query_params[name] = value
    app.run()
    if page != "queue":
        app.switch_page(str(APP / "pages" / page / "page.py"))
        for name, value in parameters.items():
            app.query_params[name] = value
        app.run()
    return checked(app)


def checked(page: AppTest) -> AppTest:
    assert not page.exception
    return page


def texts(page: AppTest) -> str:
    elements = [*page.caption, *page.markdown, *page.info, *page.success, *page.error, *page.code]
    return "\n".join(str(element.value) for element in [*elements, *page.warning])


def press(page: AppTest, label: str) -> AppTest:
    button = next(b for b in page.button if b.label.startswith(label))
    return checked(button.click().run())


def test_a_stranger_is_asked_for_a_name_that_is_no_protection(store: Store) -> None:
    app = AppTest.from_string(ENTRY, default_timeout=TIMEOUT).run()
    assert "label, not security" in texts(checked(app)).replace("\\", "")
    app.text_input[0].input("Ada")
    press(app, "Begin")
    assert "nothing to correct yet" in texts(app)


def test_an_import_keeps_malformed_graphs_apart_with_place_and_reason(store: Store) -> None:
    page = open_page()
    page.text_area(key="queue_paste").input(GRAPHS)
    press(page, "Import")
    assert "4 sentences, 2 of them kept apart" in texts(page).replace("\\", "")
    table = page.dataframe[0].value
    assert list(table["id"]) == ["broken", "three"]
    assert "search engine" in table["reason"][0]
    assert ":null_edge" in table["reason"][1]
    page.segmented_control(key="queue_view").set_value("queue")
    checked(page.run())
    assert list(page.dataframe[0].value["id"]) == ["one", "broken", "two", "three"]
    page.multiselect(key="queue_extra").set_value(["apart"])
    checked(page.run())
    assert list(page.dataframe[0].value["id"]) == ["broken", "three"]


def test_raw_text_is_parsed_behind_the_page_and_ordered_by_doubt(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "load_parser", HeldParser)
    HeldParser.go.clear()
    page = open_page()
    page.text_area(key="queue_paste").input("Ants march.\n\n!!!\nBees hum.\n")
    page.text_input(key="queue_name").input("raw")
    press(page, "Import")
    told = texts(page).replace("\\", "")
    assert "3 sentences to parse" in told
    assert "1 empty line is passed over; sentences are numbered by their line" in told
    HeldParser.go.set()
    deadline = time.monotonic() + TIMEOUT
    while not store.documents() and time.monotonic() < deadline:
        time.sleep(0.05)
    rows = store.sentences()
    assert [row.text for row in rows] == ["Ants march .", "!!!", "Bees hum ."]
    assert [row.name for row in rows] == ["raw.1", "raw.3", "raw.4"]
    assert "letter or digit" in rows[1].apart
    assert "model test-model" in str(
        next(iter(store.sentence(rows[0].id).state.provenance.values()))
    )
    while not store.scores(1) and time.monotonic() < deadline:
        time.sleep(0.05)
    checked(page.run())
    assert "1 not parsed" in texts(page)
    assert "to parse" not in texts(page)
    assert "1 empty line is passed over" in texts(page)
    table = page.dataframe[0].value
    values = dict(zip(table["id"], table["narrow margin"], strict=True))
    assert values["raw.1"] == pytest.approx(store.scores(1)[1]["narrow margin"])


class HeldParser(FakeParser):
    """Parses nothing before it is told to."""

    go = threading.Event()

    def trace(
        self, text: str, *, beam: int, prefix: Iterable[Action] = (), **told: object
    ) -> Trace:
        self.go.wait(TIMEOUT)
        return super().trace(text, beam=beam, prefix=prefix)


def test_text_is_forgotten_only_after_a_second_answer(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    HeldParser.go.clear()
    monkeypatch.setattr(engine, "load_parser", HeldParser)
    page = open_page()
    for number in (1, 2):
        page.text_area(key="queue_paste").input(f"Ants march.\nBees hum {number}.\n")
        press(page, "Import")  # both are named by the page, while the first is not there yet
    assert [job.name for job in store.jobs.all()] == ["pasted 1.amr", "pasted 2.amr"]
    press(page, "Stop")
    assert "2 sentences would be forgotten" in texts(page)
    press(page, "Go on parsing")
    assert "would be forgotten" not in texts(page)
    assert len(store.jobs.all()) == 2
    press(page, "Stop")
    press(page, "Forget them")
    assert [job.name for job in store.jobs.all()] == ["pasted 2.amr"]
    assert "stopped before its end" in texts(page)
    HeldParser.go.set()
    deadline = time.monotonic() + TIMEOUT
    while not store.documents() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [document.name for document in store.documents()] == ["pasted 2.amr"]


@pytest.mark.parametrize(
    ("text", "lines", "num_empty"),
    [
        ("One.\nTwo.\n", (("1", "One."), ("2", "Two.")), 0),
        ("\ufeff\r\n  One\t two. \r\n\r\n\rTwo.", (("2", "One two."), ("5", "Two.")), 3),
        ("One\x0ctwo\u2028three.\n\n\n", (("1", "One two three."),), 0),
    ],
)
def test_raw_text_keeps_the_numbers_of_its_lines(
    text: str, lines: tuple[tuple[str, str], ...], num_empty: int
) -> None:
    assert sentences_of(text) == RawText(lines, num_empty)


def test_raw_text_is_split_where_that_is_asked_for() -> None:
    text = "It rains.\n\nMr. Orr left at 5 p.m. Dr. Lum stayed."
    left, stayed = "Mr. Orr left at 5 p.m.", "Dr. Lum stayed."
    one = sentences_of(text)
    assert one.lines == (("1", "It rains."), ("3", f"{left} {stayed}"))
    assert one.remarks == (("3", "looks like 2 sentences"),)
    split = sentences_of(text, is_split=True)
    assert split == RawText((("1", "It rains."), ("3.1", left), ("3.2", stayed)), 1)
    assert split.remarks == ()


def test_an_import_says_which_lines_look_like_several_and_splits_them(store: Store) -> None:
    page = open_page(view="import")
    page.text_area(key="queue_paste").set_value("Ants march. Bees fly.")
    press(page, "Import")
    assert "line 1 looks like 2 sentences" in texts(page)
    page.text_area(key="queue_paste").set_value("Ants march. Bees fly.")
    page.toggle(key="queue_split").set_value(True)
    press(page, "Import")
    deadline = time.monotonic() + TIMEOUT
    while store.jobs.all() and time.monotonic() < deadline:
        time.sleep(0.05)
    names = [[row.name for row in store.sentences(item.id)] for item in store.documents()]
    assert names == [["pasted 1.amr.1"], ["pasted 2.amr.1.1", "pasted 2.amr.1.2"]]


def test_bytes_of_another_encoding_are_kept_apart_with_what_to_do(store: Store) -> None:
    content = b"# ::id a\n# ::snt A caf\xe9.\n(c / caf\xe9)\n\n# ::id b\n(s / sun)\n"
    text = decode_text(content, "latin.amr")
    store.import_text("latin.amr", text)
    store.jobs.add_parse("latin.txt", sentences_of("Ants march.\nA caf\udce9.\n").lines)
    page = open_page(order="file")
    deadline = time.monotonic() + TIMEOUT
    while store.jobs.all() and time.monotonic() < deadline:
        time.sleep(0.05)
    checked(page.run())
    reasons = dict(
        zip(page.dataframe[0].value["id"], page.dataframe[0].value["problem"], strict=True)
    )
    advice = "not UTF-8: save the file as UTF-8"
    assert reasons["a"].startswith(f"line 2: byte 0xE9 and 1 more are {advice}")
    assert reasons["latin.txt.2"].endswith(f"not parsed: line 2: byte 0xE9 is {advice}")
    assert [reasons["b"], reasons["latin.txt.1"]] == ["", ""]
    assert page.dataframe[0].value["sentence"][0] == "A caf\ufffd."
    assert store.export(1).encode("utf-8", "surrogateescape") == content
    assert "caf\udce9" in store.export(2)


def test_the_most_doubtful_comes_first_and_the_next_is_nobody_elses(store: Store) -> None:
    store.import_text("a.amr", GRAPHS)
    store.set_scores({1: {"narrow margin": 0.1}, 3: {"narrow margin": 0.9}})
    store.claim(3, "Ben")
    page = open_page()
    assert list(page.dataframe[0].value["id"]) == ["two", "one", "broken", "three"]
    assert list(page.dataframe[0].value["at work"])[0] == "Ben"
    assert page.dataframe[0].value["link"][0] == "correct?sentence=3&person=Ada&order=margin&of=all"
    page.selectbox(key="queue_order").set_value("file")
    checked(page.run())
    assert list(page.dataframe[0].value["id"]) == ["one", "broken", "two", "three"]
    assert page.query_params["order"] == "file"
    assert open_page(order="random").dataframe[0].value["id"].tolist() != []


def test_a_search_finds_and_a_rewrite_is_previewed_applied_and_undone(store: Store) -> None:
    store.import_text("a.amr", GRAPHS)
    before = store.export(1)
    page = open_page(view="search", find="want-*", **{"in": "concept"})
    assert "2 hits in 2 sentences" in texts(page)
    page = open_page(
        view="search",
        find="(x / want-* :ARG0 (y / *))",
        template="(x / wish-* :ARG1 y)",
        **{"in": "pattern"},
    )
    assert "2 hits in 2 sentences would be rewritten" in texts(page)
    assert list(page.dataframe[0].value["goes"])[0] == "w :instance want-01; w :ARG0 b"
    assert "refused because" not in page.dataframe[0].value
    assert list(page.dataframe[0].value["document"])[0] == store.documents()[0].name
    assert store.export(1) == before
    press(page, "Rewrite")
    assert "2 sentences rewritten" in texts(page)
    assert store.export(1).count("wish-01") == 2
    press(page, "Undo all of it")
    assert "2 sentences as before" in texts(page)
    assert store.export(1) == before


def held_graphs(
    monkeypatch: pytest.MonkeyPatch,
) -> threading.Semaphore:
    """Let a search read on only where it is let to: once for each sentence."""
    may_read, graphs = threading.Semaphore(0), Store.graphs

    def slow(*asked: Any) -> Iterator[Any]:
        for found in graphs(*asked):
            assert may_read.acquire(timeout=TIMEOUT)
            yield found

    monkeypatch.setattr(Store, "graphs", slow)
    return may_read


@pytest.mark.parametrize("template", ["", "(x / wish-01)"])
def test_much_is_looked_through_behind_the_page_and_can_be_stopped(
    store: Store, monkeypatch: pytest.MonkeyPatch, template: str
) -> None:
    monkeypatch.setattr(page_behind, "IMMEDIATE", 1)
    may_read = held_graphs(monkeypatch)
    store.import_text("a.amr", GRAPHS)
    asked = REWRITE | {"template": template}
    page = open_page(**asked)
    assert "0 of 2" in progress_of(page)  # of the four sentences two may have hits
    assert "2 hits" not in texts(page)
    press(page, "Stop")
    assert "The search has no result: stopped before its end" in texts(page)
    may_read.release(9)
    press(page, "Search anew")
    assert "2 hits in 2 sentences" in wait_until(page, "As it was at")
    assert "2 hits in 2 sentences" in texts(open_page(**asked))  # it is kept


def test_a_preview_of_many_hits_counts_all_and_lists_the_first(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_behind, "IMMEDIATE", 1)
    monkeypatch.setattr(rewrite, "MAX_SHOWN", 1)
    monkeypatch.setattr(page_rewrite, "MAX_SHOWN", 1)
    blocks = "(x / and :op1 (a / want-01) :op2 (b / want-01))", "(w / want-01)", "(w / want-01)"
    store.import_text("a.amr", "\n\n".join(f"# ::snt So.\n{block}" for block in blocks))
    store.apply(2, "Ada", "t", Request("r", 0, {"do": "accept"}))
    start = store.export(1)
    page = open_page(**REWRITE)
    told = wait_until(page, "The first 1 sentences are listed; all hits are rewritten")
    assert "4 hits in 3 sentences would be rewritten" in told
    assert "Accepted: 1 hit in 1 sentence; opened again" in told
    assert list(page.dataframe[0].value["goes"]) == [
        "a :instance want-01",
        "b :instance want-01",
    ]
    page.session_state.queue_left_out = {(1, 1)}
    checked(page.run())
    assert "3 hits in 3 sentences would be rewritten, of 4 hits in 3 sentences" in texts(page)
    assert list(page.dataframe[0].value["refused because"]) == ["", "left out"]
    press(page, "Rewrite 3 hits")
    assert "3 sentences rewritten" in texts(page)
    assert store.export(1).count("wish-01") == 3
    assert "1 hit in 1 sentence would be rewritten" in texts(page)  # looked through anew
    press(page, "Undo all of it")
    wait_until(page, "4 hits in 3 sentences would be rewritten")
    assert store.export(1) == start


def test_all_hits_of_a_search_are_in_its_file(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rewrite, "MAX_SHOWN", 1)
    monkeypatch.setattr(page_rewrite, "MAX_SHOWN", 1)
    store.import_text("a.amr", GRAPHS)
    given: list[Callable[[], str]] = []
    monkeypatch.setattr(
        DeltaGenerator, "download_button", lambda _, label, csv, **__: given.append(csv)
    )
    page = open_page(**REWRITE | {"template": ""})
    assert "2 hits in 2 sentences" in texts(page)
    assert len(page.dataframe[0].value) == 1
    assert [line.split(",")[1] for line in given[0]().splitlines()] == ["hits", "1", "1"]


def test_what_is_kept_no_longer_is_said_and_nothing_is_rewritten(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_behind, "IMMEDIATE", 1)
    store.import_text("a.amr", GRAPHS)
    start = store.export(1)
    page = open_page(**REWRITE)
    wait_until(page, "2 hits in 2 sentences")
    shared_searcher().forget()
    press(page, "Rewrite 2 hits")
    assert "kept no longer: search anew" in texts(page).replace("\\", "")
    assert store.export(1) == start
    wait_until(page, "2 hits in 2 sentences")
    with failing(monkeypatch, "graphs"):
        press(page, "Search anew")
        wait_until(page, "The search has no result: the store could not write")


def test_a_rewrite_counts_hits_and_sentences_apart(store: Store) -> None:
    store.import_text("a.amr", GRAPHS)
    store.apply(1, "Ada", "t", Request("r", 0, {"do": "accept"}))
    asked = {"view": "search", "find": "(x / * :ARG* (y / *))", "template": "(x / * :ARG3 y)"}
    page = open_page(**asked, **{"in": "pattern"})
    shown = texts(page)
    table = page.dataframe[0].value
    assert len(table) > len(set(table["id"]))  # some sentence has several hits
    assert "refused because" not in table  # none is
    kept = list(table["id"])
    applied = f"{counted(len(kept), 'hit')} in {counted(len(set(kept)), 'sentence')}"
    assert f"{applied} would be rewritten" in shown
    assert [button for button in page.button if button.label == f"Rewrite {applied}"]
    hits = counted(kept.count("one"), "hit")
    assert f"Accepted: {hits} in 1 sentence; opened again." in shown


def test_no_cell_says_none_and_no_filter_finds_it(store: Store) -> None:
    store.import_text("a.amr", GRAPHS)
    page = open_page()
    assert page.dataframe[0].value["narrow margin"].isna().all()
    assert page.dataframe[0].proto.placeholder == "–"
    page.text_input(key="queue_filter").input("none")
    checked(page.run())
    assert "0 of 4 sentences" in texts(page)


def test_a_pattern_that_is_none_is_shown_with_a_caret(store: Store) -> None:
    store.import_text("a.amr", GRAPHS)
    page = open_page(view="search", find="(x / want 01)", **{"in": "pattern"})
    assert page.code[0].value.splitlines()[-1].strip() == "^"


def test_people_get_copies_and_do_not_see_each_others(store: Store) -> None:
    store.import_text("a.amr", GRAPHS)
    page = open_page(view="progress", document="1")
    page.multiselect(key="queue_copy_people").set_value(["Ada", "Ben"])
    press(page, "Make the copies")
    assert {d.person for d in store.documents()} == {"", "Ada", "Ben"}
    options = open_page().selectbox(key="queue_document").options
    assert "a.Ada.amr" in options
    assert "a.Ben.amr" not in options


def test_a_copy_without_work_goes_at_once_and_one_with_work_after_an_answer(store: Store) -> None:
    store.import_text("a.amr", GRAPHS)
    for person in ("Ada", "Ben"):
        store.copy_document(1, f"a.{person}.amr", person)
    bens = store.documents()[2].id
    page = open_page(view="progress", document="1")
    shown = texts(page).replace("\\", "")
    assert "Ben: a.Ben.amr, not begun" in shown
    checked(page.button(key="queue_remove_2").click().run())
    assert "a.Ada.amr is removed" in texts(page).replace("\\", "")
    assert [document.person for document in store.documents()] == ["", "Ben"]

    sentence = store.sentences(bens)[0].id
    store.apply(sentence, "Ben", "t", Request("r", 0, {"do": "accept"}))
    press(page, "Remove")  # the page told of no work: it is not removed
    assert "Ben has worked on" in texts(page)
    press(page, "Remove")
    asked = texts(page)
    assert "has worked on 1 sentence of this copy (1 operation, 1 accepted or rejected)" in asked
    press(page, "Keep it")
    assert "could not go on" not in texts(page)
    press(page, "Remove")
    press(page, "Remove it all the same")
    assert [document.person for document in store.documents()] == [""]
    assert "Removed: Ben: a.Ben.amr, 1 of 4 sentences begun" in texts(page).replace("\\", "")
    press(page, "Bring back")
    assert [document.person for document in store.documents()] == ["", "Ben"]
    assert store.sentences(bens)[0].status == "accepted"


def test_a_document_imported_by_mistake_can_be_removed(store: Store) -> None:
    store.import_text("mistake.amr", GRAPHS)
    store.import_text("b.amr", GRAPHS)
    page = open_page(view="progress", document="1")
    press(page, "Remove it")
    assert "mistake.amr is removed" in texts(page).replace("\\", "")
    assert [document.name for document in store.documents()] == ["b.amr"]
    assert "document" not in page.query_params
    page = open_page(view="progress", document="2")
    store.copy_document(2, "b.Ada.amr", "Ada")
    press(page, "Remove it")
    assert "people have copies of 'b.amr': remove those first" in texts(page).replace("\\", "")
    store.import_text("mistake.amr", GRAPHS)  # its name is free again


def test_who_works_on_a_copy_is_counted_among_the_people(store: Store) -> None:
    store.import_text("a.amr", GRAPHS)
    store.import_text("b.amr", GRAPHS)
    copy = store.copy_document(1, "a.Ben.amr", "Ben")
    other = store.sentences(store.copy_document(2, "b.Eve.amr", "Eve"))[0].id
    for person, sentence in (("Ben", store.sentences(copy)[0].id), ("Eve", other)):
        store.apply(sentence, person, "t", Request("r", 0, {"do": "accept"}))
    people = open_page(view="progress").dataframe[0].value
    assert list(people["person"]) == ["Ben", "Eve"]
    assert list(people["accepted"]) == [1, 1]
    of_one = open_page(view="progress", document="1").dataframe[0].value
    assert list(of_one["person"]) == ["Ben"]


def test_no_copies_are_made_of_a_copy(store: Store) -> None:
    store.import_text("a.amr", GRAPHS)
    store.copy_document(1, "a.Ada.amr", "Ada")
    page = open_page(view="progress", document="2")
    assert "This is a copy" in texts(page)
    assert not [button for button in page.button if button.label == "Make the copies"]


def test_every_change_of_a_field_is_kept_however_many_follow(store: Store) -> None:
    """The kind of c30: a field whose value chases the page's loses every second change."""
    store.import_text("a.amr", GRAPHS)
    page = open_page()
    for order in ("random", "file", "entropy", "file"):
        page.selectbox(key="queue_order").set_value(order)
        checked(page.run())
        assert page.query_params["order"] == order
        assert page.selectbox(key="queue_order").value == order
    page.segmented_control(key="queue_view").set_value("search")
    checked(page.run())
    page.segmented_control(key="queue_field").set_value("pattern")
    checked(page.run())
    for pattern, hits in (("(x / want-01)", 2), ("(x / map)", 1), ("(x / want-*)", 2)):
        page.text_input(key="queue_wanted").input(pattern)
        press(page, "Search")
        assert page.text_input(key="queue_wanted").value == pattern
        assert f"{counted(hits, 'hit')} in {counted(hits, 'sentence')}" in texts(page)


def test_a_copy_for_almost_a_known_name_is_made_only_when_asked_for_again(store: Store) -> None:
    document = store.import_text("a.amr", GRAPHS).document
    store.people.add(["Kim"])
    page = open_page(view="progress", document=str(document))
    assert list(page.multiselect(key="queue_copy_people").options) == ["Kim"]
    page.multiselect(key="queue_copy_people").set_value(["Berg, Anna"])
    press(page, "Make the copies")
    assert "holds a comma" in texts(page)
    page.multiselect(key="queue_copy_people").set_value(["kim"])
    press(page, "Make the copies")
    assert "kim is almost Kim" in texts(page)
    assert store.copies(document) == ()
    press(page, "Make the copies")
    assert [copy.person for copy in store.copies(document)] == ["kim"]


def test_rows_are_dealt_out_to_people_in_turn(store: Store) -> None:
    store.import_text("a.amr", GRAPHS)
    page = open_page(order="file")
    page.session_state["queue_table"] = {"selection": {"rows": [0, 1, 2], "columns": []}}
    checked(page.run())
    page.multiselect(key="queue_people").set_value(["Ben", "Zoe"])
    press(page, "Assign 3 rows")
    assert "3 assigned to Ben, Zoe" in texts(page)
    assert [row.assigned for row in store.sentences()] == ["Ben", "Zoe", "Ben", ""]
    following = next(b for b in page.button if b.label.startswith("Correct the next"))
    checked(following.click().run())
    assert page.query_params["sentence"] == "4"


def test_who_was_given_sentences_is_led_to_them_first_and_told_how_many(store: Store) -> None:
    store.import_text("a.amr", GRAPHS)
    first, *_, last = (row.id for row in store.sentences())
    store.bulk.finish(store.bulk.assign("Cleo", "t", {last: "Ada", first: "Ben"}, "all", "deal"))
    page = open_page(order="file")
    assert "1 open sentence assigned to you" in texts(page)
    following = next(b for b in page.button if b.label.startswith("Correct the next"))
    checked(following.click().run())
    assert page.query_params["sentence"] == str(last)


def test_a_long_queue_is_sent_and_chosen_from_by_pages(store: Store) -> None:
    blocks = [f"# ::id r.{n}\n# ::snt Rain {n}.\n(r / rain-01)" for n in range(450)]
    store.import_text("rain.amr", "\n\n".join(blocks))
    page = open_page(order="file")
    assert list(page.dataframe[0].value["id"]) == [f"r.{n}" for n in range(200)]
    assert "1 to 200 of 450" in texts(page)
    page.session_state["queue_table"] = {"selection": {"rows": [0], "columns": []}}
    press(page, "Next rows")
    press(page, "Next rows")
    assert list(page.dataframe[0].value["id"]) == [f"r.{n}" for n in range(400, 450)]
    assert "401 to 450 of 450" in texts(page)
    assert "Assign 0 rows" in [button.label for button in page.button]
    page.text_input(key="queue_filter").set_value("RAIN 44")
    checked(page.run())
    assert list(page.dataframe[0].value["id"]) == ["r.44", *(f"r.{n}" for n in range(440, 450))]
    assert "11 of 450 sentences" in texts(page)
    page.text_input(key="queue_filter").set_value("")
    checked(page.run())
    checked(page.toggle(key="queue_all").set_value(True).run())
    page.multiselect(key="queue_people").set_value(["Ben", "Zoe"])
    press(page, "Assign 450 rows")
    deadline = time.monotonic() + TIMEOUT
    while any(not row.assigned for row in store.sentences()) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert [row.assigned for row in store.sentences()] == ["Ben", "Zoe"] * 225


def test_ticked_rows_are_gone_through_alone(store: Store) -> None:
    store.import_text("a.amr", GRAPHS)
    page = open_page(order="file")
    page.session_state["queue_table"] = {"selection": {"rows": [0, 2], "columns": []}}
    checked(page.run())
    press(page, "Correct the chosen ones")
    assert page.query_params["sentence"] == "1"
    assert page.query_params["rows"] == "1.3"
    assert "next: only those" in texts(page)
    assert "chosen on the Queue page" in texts(page)


def test_queue_and_next_sentence_read_no_list_of_all(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = store.import_text("a.amr", GRAPHS).document
    store.copy_document(document, "a-Ada.amr", "Ada")

    def refuse(*_: object) -> None:
        raise AssertionError("a list of all sentences was read")

    monkeypatch.setattr(Store, "scores", refuse)
    monkeypatch.setattr(Store, "sentences", refuse)
    page = open_page()
    following = next(b for b in page.button if b.label.startswith("Correct the next"))
    checked(following.click().run())
    assert page.query_params["sentence"] == "5"


@contextmanager
def failing(
    monkeypatch: pytest.MonkeyPatch, name: str, where: type[Store | Bulk] = Store
) -> Iterator[None]:
    """Let one way to write to the store fail."""

    def fail(*_: object, **__: object) -> None:
        raise UnavailableError("the store could not write: database is locked")

    with monkeypatch.context() as context:
        context.setattr(where, name, fail)
        yield


def try_again(page: AppTest) -> None:
    """Draw the page when the pause is over."""
    (first,) = page.session_state[waiting.WAITING]
    page.session_state[waiting.WAITING] = (replace(first, until=0.0),)
    checked(page.run())


def test_an_assignment_that_the_store_fails_to_take_waits_and_is_not_told_as_done(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.import_text("a.amr", GRAPHS)
    page = open_page(order="file")
    page.session_state["queue_table"] = {"selection": {"rows": [0, 1], "columns": []}}
    checked(page.run())
    page.multiselect(key="queue_people").set_value(["Ben"])
    with failing(monkeypatch, "assign", Bulk):
        press(page, "Assign 2 rows")
        assert "**Not saved yet:** 2 rows assigned to Ben" in texts(page)
        assert "2 assigned to" not in texts(page)
        assert page.multiselect(key="queue_people").value == ["Ben"]
    try_again(page)
    assert "2 assigned to Ben" in texts(page)
    assert "Not saved yet" not in texts(page)
    assert [row.assigned for row in store.sentences()] == ["Ben", "Ben", "", ""]


REWRITE = {
    "view": "search",
    "in": "pattern",
    "find": "(x / want-01)",
    "template": "(x / wish-01)",
}


def test_a_rewrite_that_the_store_fails_to_take_waits_and_is_one_batch(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.import_text("a.amr", GRAPHS)
    page = open_page(**REWRITE)
    with failing(monkeypatch, "rewrite", Bulk):
        press(page, "Rewrite 2 hits")
        assert "Not saved yet" in texts(page)
    try_again(page)
    assert "2 sentences rewritten" in texts(page)
    (batch,) = store.batches()
    with failing(monkeypatch, "undo", Bulk):
        press(page, "Undo all of it")
        assert "Not saved yet" in texts(page)
    try_again(page)
    assert store.batches()[0].standing == ()
    assert batch.standing != ()


def wait_until(page: AppTest, shown: str) -> str:
    """Draw the page until it shows a text."""
    deadline = time.monotonic() + TIMEOUT
    while shown not in (found := texts(page).replace("\\", "")):
        assert time.monotonic() < deadline, found
        time.sleep(0.05)
        checked(page.run())
    return found


def progress_of(page: AppTest) -> str:
    return " ".join(one.proto.text for one in page.get("progress")).replace("\\", "")


def test_a_rewrite_of_many_goes_on_behind_the_page_and_can_be_stopped_and_taken_back(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scribe, "IMMEDIATE", 1)
    monkeypatch.setattr(bulk, "TOGETHER", 1)
    may_go_on = threading.Semaphore(1)
    monkeypatch.setattr(scribe, "time", HeldTime(may_go_on))
    store.import_text("a.amr", GRAPHS)
    start = store.export(1)
    page = open_page(**REWRITE)
    press(page, "Rewrite 2 hits")
    told = texts(page)
    assert "2 sentences to do" in told
    assert "you may close this page" in told
    assert "2 sentences rewritten" not in told
    while not store.batches():
        time.sleep(0.02)
    assert "1 of 2" in progress_of(open_page(**REWRITE))
    checked(page.run())
    assert "The hits are listed again" in texts(page)
    assert not [one for one in page.button if one.label == "Undo all of it"]
    press(page, "Stop")
    assert "It was stopped after 1 of 2" in texts(page)
    may_go_on.release(9)
    assert "stands in 1 of 1 sentence" in texts(page).replace("\\", "")
    monkeypatch.setattr(scribe, "IMMEDIATE", 0)
    press(page, "Undo all of it")
    wait_until(page, "1 sentence as before")
    assert store.export(1) == start


class HeldTime:
    """Time for a scribe whose pauses last until they are let go."""

    def __init__(self, pauses: threading.Semaphore) -> None:
        self._pauses = pauses
        self._pauses.acquire()

    def sleep(self, seconds: float) -> None:
        self._pauses.acquire(timeout=TIMEOUT)

    def monotonic(self) -> float:
        return time.monotonic()


@pytest.mark.parametrize("at_once", [0, 200])
def test_a_rewrite_amid_which_the_store_fails_is_not_told_as_done_and_goes_on(
    store: Store, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(scribe, "IMMEDIATE", at_once)
    monkeypatch.setattr(scribe, "BULK_RETRY_SECONDS", 0.1)
    monkeypatch.setattr(scribe, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(job_rows, "LEASE", timedelta(seconds=0.5))
    store.import_text("a.amr", GRAPHS)
    page = open_page(**REWRITE)
    for pressed, done in (("Rewrite 2 hits", "rewritten"), ("Undo all of it", "as before")):
        with failing(monkeypatch, "go_on", Bulk):
            press(page, pressed)
            found = wait_until(page, "It waits and is tried again by itself")
            assert "database is locked" in found
            assert f"2 sentences {done}" not in found
        wait_until(page, f"2 sentences {done}")


def test_an_import_that_the_store_fails_to_take_keeps_its_text_until_it_is_there(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page()
    page.text_area[0].input(GRAPHS)
    with failing(monkeypatch, "import_text"):
        press(page, "Import")
        assert "**Not saved yet:** the import of pasted 1" in texts(page)
        assert page.text_area[0].value == GRAPHS
        assert not store.documents()
    try_again(page)
    assert [document.name for document in store.documents()] == ["pasted 1.amr"]
    assert page.text_area[0].value == ""


def test_a_store_that_was_made_read_only_takes_an_import_when_it_can_be_written(
    store: Store,
) -> None:
    page = open_page()
    page.text_area[0].input(GRAPHS)
    with read_only(shared_store()):
        press(page, "Import")
        assert "**Not saved yet:** the import of pasted 1" in texts(page)
        assert "attempt to write a readonly database" in texts(page)
        assert "4 sentences" not in texts(page)
        assert not store.documents()
    try_again(page)
    try_again(page)
    assert [document.name for document in store.documents()] == ["pasted 1.amr"]


def test_a_page_says_soon_that_another_process_is_writing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "PATIENCE", 0.5)
    store.import_text("a.amr", GRAPHS)
    page = open_page(order="file")
    page.session_state["queue_table"] = {"selection": {"rows": [0], "columns": []}}
    checked(page.run())
    page.multiselect(key="queue_people").set_value(["Ben"])
    with closing(sqlite3.connect(store.file or "", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        begun = time.monotonic()
        press(page, "Assign 1 row")
        assert "**Not saved yet:** 1 row assigned to Ben" in texts(page)
        assert "It is kept" in texts(page)
        assert time.monotonic() < begun + BUSY_SECONDS  # which other writers wait
    try_again(page)
    assert [row.assigned for row in store.sentences()] == ["Ben", "", "", ""]
    assert "Ben" in store.people.known()


def test_what_waits_is_named_while_the_store_cannot_be_read(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page()
    page.text_area[0].input(GRAPHS)
    with failing(monkeypatch, "import_text"), failing(monkeypatch, "documents"):
        page.text_input[0].input("new.amr")
        press(page, "Import")
        assert "The store cannot be opened" in texts(page)
        assert "**Not saved yet:** the import of new" in texts(page)
    try_again(page)
    assert [document.name for document in store.documents()] == ["new.amr"]


def test_what_waits_can_be_forgotten(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    page = open_page()
    page.text_area[0].input(GRAPHS)
    with failing(monkeypatch, "import_text"):
        press(page, "Import")
        press(page, "Forget it")
        assert "Not saved yet" not in texts(page)
    checked(page.run())
    assert not store.documents()
    open_page()
    assert not store.documents()


def restarted() -> None:
    """Forget all that the process holds, as a server that starts again does."""
    shared_scribe().close()
    st.cache_resource.clear()
    st.cache_data.clear()


def test_what_waits_outlives_a_reload_and_a_restart(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.import_text("a.amr", GRAPHS)
    asked = open_page(order="file")
    asked.session_state["queue_table"] = {"selection": {"rows": [0, 2], "columns": []}}
    checked(asked.run())
    asked.multiselect(key="queue_people").set_value(["Ben", "Zoe"])
    rewriting, importing = open_page(**REWRITE), open_page(view="import")
    importing.text_area[0].input("# ::snt Caf\u00e9s.\n(c / cafe)\n")
    with (
        failing(monkeypatch, "assign", Bulk),
        failing(monkeypatch, "rewrite", Bulk),
        failing(monkeypatch, "import_text"),
    ):
        press(asked, "Assign 2 rows")
        press(rewriting, "Rewrite 2 hits")
        press(importing, "Import")
        assert "It is kept" in texts(importing)
        restarted()
        assert "rewrite" not in texts(open_page_as("Zoe"))
    page = open_page()  # a new session of the same person: it is done by itself
    shown = texts(page).replace("\\", "")
    assert "Saved now: 2 rows assigned to Ben, Zoe." in shown
    assert "Saved now: rewrite (x / want-01) to (x / wish-01) in 2 sentences." in shown
    assert "Saved now: the import of pasted 1.amr." in shown
    assert [row.assigned for row in store.sentences(1)] == ["Ben", "", "Zoe", ""]
    assert len(store.batches()[0].standing) == 2
    assert [one.name for one in store.documents()] == ["a.amr", "pasted 1.amr"]
    press(page, "Put away")
    assert "Saved now" not in texts(page)
    for late in (asked, rewriting, importing):  # sessions that live on do nothing twice
        for one in late.session_state[waiting.WAITING]:
            late.session_state[waiting.WAITING] = (replace(one, until=0.0),)
        checked(late.run())
        assert "Not saved yet" not in texts(late)
        assert "there is a document" not in texts(late)
    assert len(store.batches()) == 1
    assert len(store.documents()) == 2


def open_page_as(person: str) -> AppTest:
    app = AppTest.from_string(ENTRY, default_timeout=TIMEOUT)
    app.session_state[PERSON] = person
    return checked(app.run())


def test_what_is_kept_is_for_its_own_store_alone(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page()
    page.text_area[0].input(GRAPHS)
    with failing(monkeypatch, "import_text"):
        press(page, "Import")
    (tmp_path / "store.db").rename(tmp_path / "old.db")  # another store comes in its place
    for name in ("store.db-wal", "store.db-shm"):
        (tmp_path / name).unlink(missing_ok=True)
    restarted()
    assert "Saved now" not in texts(open_page())
    assert open_store(str(tmp_path / "store.db")).documents() == ()


def test_where_nothing_can_be_kept_the_page_says_that_it_must_stay_open(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page()
    page.text_area[0].input(GRAPHS)
    with monkeypatch.context() as context:
        context.setattr(keeping, "save_text", full)
        with failing(monkeypatch, "import_text"):
            press(page, "Import")
            assert "Keep this page open" in texts(page)
            assert "onbeforeunload = (event)" in scripts(page)
    try_again(page)
    assert [document.name for document in store.documents()] == ["pasted 1.amr"]
    assert "onbeforeunload = null" in scripts(page)


def full(*_: object) -> None:
    raise OSError("no space left on device")


def scripts(page: AppTest) -> str:
    return " ".join(one.proto.body for one in page.get("html"))


def test_an_archive_comes_in_under_its_own_name_or_another(store: Store) -> None:
    document = store.import_text("sun.amr", GRAPHS).document
    store.apply(1, "Ada", "t", Request("a", 0, {"do": "comment", "text": "hm"}))
    page = open_page(view="import", document=str(document))
    assert "Left out: 1 comment, 1 operation in the log" in texts(page)
    text = store.archives.write(document)
    page.text_area(key="queue_paste").input(text)
    press(page, "Import")
    assert "there is a document 'sun.amr' already" in texts(page).replace("\\", "")
    page.text_input(key="queue_name").input("moon.amr")
    press(page, "Import")
    assert [one.name for one in store.documents()] == ["sun.amr", "moon.amr"]
    page.selectbox(key="queue_format").set_value("archive").run()
    assert "all copies" in texts(page)


@pytest.mark.parametrize("kind", ["penman", "jsonl", "archive"])
def test_a_large_document_is_written_behind_the_page_and_then_downloaded(
    store: Store, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(page_export, "IMMEDIATE", 3)
    document = store.import_text("a.amr", GRAPHS).document
    page = open_page(view="import", document=str(document))
    page.selectbox(key="queue_format").set_value(kind).run()
    assert not page.get("download_button")
    press(page, "Write the file")
    deadline = time.monotonic() + TIMEOUT
    while not page.get("download_button") and time.monotonic() < deadline:
        checked(page.run())
    assert "Written as it was at" in texts(page)
    (file,) = shared_preparer()._files.values()
    assert file.path is not None
    options = ExportOptions("jsonl" if kind == "jsonl" else "penman")
    wanted = store.archives.write(document) if kind == "archive" else store.export(1, options)
    assert file.path.read_text(encoding="utf-8") == wanted


def test_a_file_of_one_status_is_named_after_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[str] = []
    monkeypatch.setattr(
        DeltaGenerator, "download_button", lambda *_, file_name, **__: given.append(file_name)
    )
    document = store.import_text("a.amr", GRAPHS).document
    page = open_page(view="import", document=str(document))
    page.selectbox(key="queue_export_status").set_value("accepted").run()
    page.selectbox(key="queue_format").set_value("jsonl").run()
    names = ["a.amr", "a.accepted.amr", "a.accepted.amr.jsonl"]
    assert [name for name in given if name in names] == names


def test_a_file_that_the_store_fails_to_give_is_said_and_asked_for_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_export, "IMMEDIATE", 3)
    store.import_text("a.amr", GRAPHS)
    with failing(monkeypatch, "export_parts"):
        page = open_page(view="import", document="1")
        press(page, "Write the file")
        wait_until(page, "The file was not written: the store could not write")
    checked(page.run())
    press(page, "Write the file")
    wait_until(page, "Written as it was at")


def test_an_outcome_that_was_put_away_stays_away_in_a_later_session_too(store: Store) -> None:
    page = open_page(view="import")
    page.text_area(key="queue_paste").input("It rains.")
    press(page, "Import")
    deadline = time.monotonic() + TIMEOUT
    while "1 sentence done" not in texts(page) and time.monotonic() < deadline:
        page.run()
    press(page, "Put away")
    assert "1 sentence done" not in texts(page)
    assert len(store.people.put_away_by("Ada")) == 1
    assert "1 sentence done" not in texts(open_page(view="import"))


def test_links_of_the_queue_carry_what_it_shows(store: Store) -> None:
    store.import_text("sun.amr", GRAPHS)
    found = {"in": "concept", "find": "*", "view": "search"}
    link = open_page(**found).dataframe[0].value["link"][0]
    assert link.endswith("person=Ada&of=all&in=concept&find=%2A")
    skipped = open_page(status="skipped open", document="1").dataframe[0].value["link"][0]
    assert skipped.endswith("order=margin&status=open+skipped")
