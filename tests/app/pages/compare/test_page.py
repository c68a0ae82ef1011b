"""The Compare page by Streamlit's AppTest: differences, picks, blindness, agreement."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from app.annotation import waiting
from app.annotation.acts import (
    Apply,
    Assign,
    BringIn,
    Rewrite,
    Undo,
    decode_act,
    encode_act,
)
from app.annotation.identity import PERSON
from app.engine import worker as engine
from app.store.log.operations import Acknowledged, Request
from app.store.store import Store, open_store
from aptcore.editing.edits import Edit, RenameNode, Several, edit_to_json
from aptcore.errors import FormatError, UnavailableError

PAGE = str(Path(engine.__file__).resolve().parents[1] / "pages" / "compare" / "page.py")
TIMEOUT = 120
GRAPHS = """# ::id one
# ::snt The <b>boy</b> wants to go.
(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))

# ::id two
# ::snt She wants it.
(w / want-01 :ARG0 (s / she) :ARG1 (i / it))
"""
GOLD = """# ::id two
# ::snt She wants it.
(x / want-01 :ARG0 (y / she) :ARG1 (z / it) :polarity -)
"""


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    url = str(tmp_path / "store.db")
    monkeypatch.setenv("APTAMR_STORE", url)
    monkeypatch.setenv("APTAMR_DATA", str(tmp_path))
    (tmp_path / "gold.amr").write_text(GOLD, encoding="utf-8")
    st.cache_resource.clear()
    st.cache_data.clear()
    opened = open_store(url)
    opened.import_text("a.amr", GRAPHS)
    yield opened
    opened.close()
    st.cache_resource.clear()
    st.cache_data.clear()


def open_page(person: str = "Zoe", **parameters: str) -> AppTest:
    app = AppTest.from_file(PAGE, default_timeout=TIMEOUT)
    app.session_state[PERSON] = person
    for name, value in parameters.items():
        app.query_params[name] = value
    return checked(app.run())


def checked(page: AppTest) -> AppTest:
    assert not page.exception
    return page


def texts(page: AppTest) -> str:
    elements = [*page.caption, *page.markdown, *page.info, *page.success, *page.error]
    return "\n".join(str(e.value) for e in [*elements, *page.warning]).replace("\\", "")


def press(page: AppTest, label: str) -> AppTest:
    button = next(b for b in page.button if b.label.startswith(label))
    return checked(button.click().run())


def picks(page: AppTest) -> list[str]:
    labels = [box.label.replace("\\", "") for box in page.checkbox]
    numbers = [f"`{number}` " for number in range(1, len(labels) + 1)]
    assert all(map(str.startswith, labels, numbers))  # the keys that tick them
    return [label.split(" ", 1)[1] for label in labels]


def tick(page: AppTest, text: str, reason: str) -> None:
    places = [place for place, label in enumerate(picks(page)) if text in label]
    page.checkbox[places[0]].check()
    next(t for t in page.text_input if t.label.startswith("Reason")).input(reason)


def do(store: Store, sentence: int, person: str, *operations: Edit | str) -> None:
    for operation in operations:
        what = (
            {"do": operation}
            if isinstance(operation, str)
            else {"do": "edit", "edit": edit_to_json(operation)}
        )
        revision = store.sentence(sentence).revision
        request = Request(f"r{revision}", revision, what)
        assert isinstance(store.apply(sentence, person, person, request), Acknowledged)


def with_copies(store: Store) -> None:
    """Give Ada and Ben a copy each: sentences 3 and 4, and 5 and 6."""
    store.copy_document(1, "a.Ada.amr", "Ada")
    store.copy_document(1, "a.Ben.amr", "Ben")


def test_a_sentence_is_compared_with_how_it_came(store: Store) -> None:
    page = open_page()
    assert "Both are the same" in texts(page)
    do(store, 1, "Ada", RenameNode("b", "girl"))
    page = open_page()
    assert "6 matched · 1 changed · 0 extra · 0 missing" in texts(page)
    drawing = json.loads(page.get("bidi_component")[0].proto.json)
    marks = {node["label"]: node["mark"] for node in drawing["nodes"]}
    assert marks["≠ girl → boy"] == "changed"
    assert marks["want-01"] == "matched root"
    assert "Smatch 85.7" in texts(page)
    assert picks(page) == ["≠ b / girl becomes b / boy"]


def test_gold_from_the_folder_is_found_by_id_and_a_pick_needs_a_reason(store: Store) -> None:
    page = open_page(number="2", second="gold", gold="gold.amr")
    assert "1 missing" in texts(page)
    page.checkbox[0].check()
    press(page, "Take over")
    assert "Write a reason" in texts(page)
    assert store.sentence(2).revision == 0
    page.checkbox[0].check()
    next(t for t in page.text_input if t.label.startswith("Reason")).input("she does not")
    press(page, "Take over")
    assert "Taken over" in texts(page)
    assert ":polarity -" in store.export(1)
    told = page.dataframe[-1].value
    assert list(told["who"]) == ["Zoe"]
    assert list(told["reason"]) == ["she does not"]
    assert "no graph for this sentence" in texts(open_page(second="gold", gold="gold.amr"))
    assert "leads out of the folder" in texts(open_page(second="gold", gold="../x"))


def test_copies_stay_blind_until_both_have_submitted(store: Store) -> None:
    with_copies(store)
    do(store, 3, "Ada", RenameNode("b", "girl"), "accept")
    link = {"first": "copy Ada", "second": "copy Ben"}
    for person in ("Ada", "Ben", "Zoe"):
        page = open_page(person, **link)
        assert "stays blind" in texts(page)
        assert "Still at work: Ben" in texts(page)
        assert "girl" not in texts(page)
    assert "girl" in picks(open_page("Ada", first="copy Ada"))[0]
    assert "stays blind" in texts(open_page("Ben", first="copy Ada"))
    do(store, 5, "Ben", "accept")
    page = open_page(**link)
    assert picks(page) == ["≠ b / girl becomes b / boy"]


def test_an_adjudicator_builds_the_document_from_the_copies(store: Store) -> None:
    with_copies(store)
    do(store, 3, "Ada", RenameNode("b", "girl"), RenameNode("g", "leave-01"), "accept")
    do(store, 5, "Ben", RenameNode("b", "youth"), "accept")
    page = open_page(first="copy Ada", second="copy Ben")
    tick(page, "youth", "as the text says")
    press(page, "Write to the document")
    assert "Taken over" in texts(page)
    text = store.export(1)
    assert "(b / youth)" in text
    assert "(g / leave-01" in text
    assert store.sentence(3).state.graph.nodes[1].concept == "girl"
    press(page, "Accept it")
    assert store.sentence(1).state.status == "accepted"
    assert store.sentence(1).state.status_by == "Zoe"


def test_an_adjudicator_goes_on_to_the_next_sentence_that_is_ready(store: Store) -> None:
    store.import_text("b.amr", GRAPHS.replace("::id ", "::id b.") + "\n" + GOLD)
    document = store.documents()[-1].id
    ada = store.copy_document(document, "b.Ada.amr", "Ada")
    ben = store.copy_document(document, "b.Ben.amr", "Ben")
    for copy, person in ((ada, "Ada"), (ben, "Ben")):
        first, _, third = (row.id for row in store.sentences(copy))
        do(store, first, person, "accept")
        do(store, third, person, "accept")
    link = {"document": str(document), "first": "copy Ada", "second": "copy Ben"}
    page = open_page(**link)
    press(page, "Accept it")
    assert page.query_params["number"] == "3"  # the second is still blind
    assert "Accepted. Sentence 3 is the next one that is ready" in texts(page)
    press(page, "Accept it")
    assert "Accepted. No other open sentence is ready" in texts(page)
    blind = open_page(**link, number="2")
    assert "stays blind" in texts(blind)
    press(blind, "Next that is ready")
    assert "No other open sentence is ready" in texts(blind)


def test_agreement_counts_what_both_submitted_with_an_interval(store: Store) -> None:
    with_copies(store)
    do(store, 3, "Ada", RenameNode("b", "girl"), "accept")
    do(store, 5, "Ben", "accept")
    do(store, 4, "Ada", "accept")
    page = open_page(view="agreement", first="copy Ada", second="copy Ben")
    table = page.dataframe[0].value
    row = table[(table["first"] == "Ada's copy") & (table["second"] == "Ben's copy")].iloc[0]
    assert row["sentences"] == 1
    assert row["Smatch F1"] == pytest.approx(6 / 7, abs=1e-4)
    assert row["95 % from"] <= row["Smatch F1"] <= row["95 % to"]
    assert list(page.dataframe[1].value["number"]) == [1]
    assert list(page.dataframe[1].value["document"]) == ["a.amr"]


def test_two_changes_one_after_the_other_are_both_kept(store: Store) -> None:
    """The kind of c30: a field whose value chases the page's loses every second change."""
    do(store, 1, "Ada", Several((RenameNode("b", "girl"), RenameNode("g", "leave-01"))))
    page = open_page()
    for number, concept in enumerate(("b / boy", "g / go-02")):
        tick(page, f"becomes {concept}", f"reason {number}")
        press(page, "Take over")
    assert "Both are the same" in texts(page)
    assert [op.what.get("note") for op in store.log(1)][1:] == ["reason 0", "reason 1"]


def fail(*_: object) -> None:
    raise UnavailableError("the store could not write: database is locked")


def page_with_a_pick() -> AppTest:
    """A page with one difference picked, and its reason."""
    page = open_page(number="2", second="gold", gold="gold.amr")
    page.checkbox[0].check()
    next(t for t in page.text_input if t.label.startswith("Reason")).input("she does not")
    return page


def test_picks_that_the_store_fails_to_take_wait_with_their_reason(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = page_with_a_pick()
    with monkeypatch.context() as context:
        context.setattr(Store, "apply", fail)
        press(page, "Take over")
        assert "**Not saved yet:**" in texts(page)
        assert "she does not" in texts(page)
        assert "Taken over" not in texts(page)
    (first,) = page.session_state[waiting.WAITING]
    page.session_state[waiting.WAITING] = (replace(first, until=0.0),)
    page.run()
    assert not page.exception
    assert "Taken over" in texts(page)
    assert ":polarity -" in store.export(1)


def test_picks_and_an_acceptance_that_wait_outlive_a_reload(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = page_with_a_pick()
    with monkeypatch.context() as context:
        context.setattr(Store, "apply", fail)
        press(page, "Take over")
    assert "Saved now: what was taken over" in texts(open_page())
    assert ":polarity -" in store.export(1)
    assert [op.what.get("note") for op in store.log(2)] == ["she does not"]
    with monkeypatch.context() as context:
        context.setattr(Store, "apply", fail)
        press(open_page(number="1"), "Accept it")
    do(store, 1, "Ada", RenameNode("b", "girl"))  # it is not accepted as it never was seen
    assert "Not done: the acceptance. Ada changed it meanwhile" in texts(open_page())
    assert store.sentence(1).state.status == "open"


def test_an_act_is_read_as_it_was_written() -> None:
    edit = Several((RenameNode("a", "bee"),))
    for act in (
        Rewrite("Ada", "t", "ant to bee", "one", [(1, 0, edit_to_json(edit))]),
        Undo("Ada", "t", "ant to bee", "one", "back"),
        Assign("Ada", "t", "Ben", "deal", [(1, "Ben"), (2, "")]),
        BringIn("a.amr", "", "caf\udce9 \x00 \u2028\r\n", is_split=True),
        Apply("Ada", "t", 1, "r", 3, {"do": "accept"}),
    ):
        text = encode_act(act)
        assert text.isascii()
        assert encode_act(decode_act(text)) == text
    for damaged in ("", "[]", '{"act": "none"}', '{"act": "undo"}', '"undo"'):
        with pytest.raises(FormatError, match="cannot be read"):
            decode_act(damaged)
