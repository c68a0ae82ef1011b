"""The Correct page by Streamlit's AppTest, on a store of its own and without a model."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from app.addresses.correct import CorrectLink
from app.annotation import session as annotation
from app.annotation.identity import PERSON
from app.engine import worker as engine
from app.pages.correct import state_advice as correct_advice
from app.pages.correct import state_messages
from app.pages.correct.editor import outbox as correct_outbox
from app.pages.correct.following import next_sentence
from app.pages.correct.state import EDITOR
from app.store.log.operations import Request
from app.store.store import Store, open_store
from aptcore.advice.english.paraphrase import Reading, paraphrase
from aptcore.advice.suggestion import Suggestion
from aptcore.editing.edits import RenameNode, edit_to_json
from aptcore.errors import CheckpointError, UnavailableError
from aptcore.graph.amr import AmrGraph
from aptcore.graph.roles import use_own_roles
from aptcore.words.frames import Lexicon
from tests.app.conftest import read_only

APP = Path(engine.__file__).resolve().parents[1]
PAGES = [str(APP / "pages" / name / "page.py") for name in ("correct", "queue")]
ENTRY = (
    "import streamlit as st\n"
    "st.navigation([st.Page(page, url_path=page.split('/')[-2])"
    f" for page in {PAGES!r}]).run()"
)
TIMEOUT = 120
GRAPHS = """# ::id one
# ::snt The boy sleeps .
# ::tok The boy sleeps .
# ::alignments 1-1.1 2-1
(s / sleep-01
   :ARG0 (b / boy))

# ::id two
# ::snt Sales rose from $1.5bn *a* :smile:
# ::tok Sales rose from $1.5bn *a* :smile:
(r / rise-01
   :ARG1 "<b>x</b>")

# ::id three
# ::snt It rains .
# ::tok It rains .
(r / rain-01)
"""


def no_model() -> None:
    raise CheckpointError("there is no model in this test")


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setenv("APTAMR_STORE", str(tmp_path / "work.db"))
    monkeypatch.delenv("APTAMR_FRAMES", raising=False)
    monkeypatch.delenv("APTAMR_ROLES", raising=False)
    monkeypatch.setattr(engine, "load_parser", no_model)
    st.cache_resource.clear()
    opened = open_store(str(tmp_path / "work.db"))
    yield opened
    opened.close()
    use_own_roles(frozenset())
    st.cache_resource.clear()


@pytest.fixture
def filled(store: Store) -> Store:
    store.import_text("mine.txt", GRAPHS)
    return store


def run(address: Mapping[str, str] | None = None) -> AppTest:
    page = AppTest.from_string(ENTRY, default_timeout=TIMEOUT)
    parameters = dict(address or {"person": "Ada"})
    if person := parameters.pop("person", ""):
        page.session_state[PERSON] = person
    for name, value in parameters.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def data(page: AppTest) -> dict[str, Any]:
    """What the editor was given."""
    (editor,) = page.get("bidi_component")
    found: dict[str, Any] = json.loads(editor.proto.json)
    return found


def send(page: AppTest, *messages: Mapping[str, Any]) -> None:
    """Put messages into the editor's outbox; numbers go on from what is acknowledged."""
    shown = data(page)
    rows = [
        {
            "number": shown["ack"] + place,
            "id": f"m{shown['ack'] + place}",
            "tab": "t",
            "store": shown["store"],
            "person": shown["person"],
            "sentence": shown["sentence"]["id"],
            "base": shown["sentence"]["revision"],
            "what": what,
        }
        for place, what in enumerate(messages, 1)
    ]
    page.session_state[EDITOR] = {"outbox": {"tries": 1, "messages": rows}}
    page.run()
    assert not page.exception


def gesture(**values: Any) -> dict[str, Any]:
    return {"do": "gesture", "gesture": values}


def texts(page: AppTest) -> str:
    parts = [*page.caption, *page.warning, *page.error, *page.info]
    return " ".join(part.value for part in parts)


def test_a_link_with_a_name_makes_nobody_that_person_unasked(filled: Store) -> None:
    page = AppTest.from_string(ENTRY, default_timeout=TIMEOUT)
    page.query_params["person"], page.query_params["sentence"] = "Kim", "1"
    page.run()
    assert not page.get("bidi_component")
    assert "The link carries the name Kim" in texts(page)
    page.button[0].click().run()
    assert data(page)["person"] == "Kim"


def test_a_name_that_is_almost_anothers_is_asked_about(filled: Store) -> None:
    filled.people.add(["Kim"])
    page = run({"sentence": "1"})
    page.text_input[0].set_value("Berg, Anna")
    page.button[0].click().run()
    assert "holds a comma" in texts(page)
    page.text_input[0].set_value("kim")
    page.button[0].click().run()
    assert "kim is almost Kim" in texts(page)
    assert not page.get("bidi_component")
    page.button[0].click().run()
    assert data(page)["person"] == "kim"
    assert filled.people.known() == ("Kim", "kim")


def test_the_page_asks_for_a_name_first(filled: Store) -> None:
    page = run({"sentence": "1"})
    assert not page.get("bidi_component")
    assert "a label, not security" in texts(page)
    page.text_input[0].set_value("  Ada   L ")
    page.button[0].click().run()
    assert data(page)["person"] == "Ada L"
    assert page.query_params["person"] == "Ada L"
    assert page.query_params["sentence"] == "1"


def test_an_empty_store_offers_ten_example_sentences(store: Store) -> None:
    page = run()
    assert "holds no sentence yet" in texts(page)
    page.button[0].click().run()
    shown = data(page)
    assert shown["sentence"]["name"] == "example.1"
    assert len(store.sentences()) == 10


def test_text_that_cannot_be_read_is_told_and_nothing_is_imported(store: Store) -> None:
    page = run()
    page.text_area[0].set_value("   ")
    page.button[1].click().run()
    assert "choose a file" in texts(page)
    page.text_area[0].set_value(GRAPHS)
    page.button[1].click().run()
    assert data(page)["sentence"]["name"] == "one"


def test_an_edit_undo_and_redo_are_on_disk_when_they_are_acknowledged(filled: Store) -> None:
    page = run()
    send(page, gesture(kind="rename", id="b", text="girl"))
    shown = data(page)
    assert shown["ack"] == 1
    assert shown["said"] == {"number": 1, "kind": "done", "text": "Renamed b to girl"}
    assert filled.sentence(1).state.graph.nodes[1].concept == "girl"
    send(page, {"do": "undo"}, {"do": "redo"}, {"do": "undo"})
    assert data(page)["ack"] == 4
    assert filled.sentence(1).state.graph == filled.sentence(1).silver
    assert data(page)["sentence"]["canRedo"]


def test_the_reading_is_worked_out_only_while_it_is_open(
    filled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def counted(graph: AmrGraph, lexicon: Lexicon) -> Reading:
        asked.append(graph.root)
        return paraphrase(graph, lexicon)

    monkeypatch.setattr("aptcore.advice.english.paraphrase.paraphrase", counted)
    page = run()
    send(page, gesture(kind="rename", id="b", text="girl"))
    assert data(page)["reading"] is None
    assert not asked
    send(page, {"do": "read", "on": True})
    assert "girl" in " ".join(data(page)["reading"]["lines"])
    send(page, {"do": "go", "way": 1})
    assert data(page)["reading"]["lines"]
    count = len(asked)
    send(page, {"do": "read", "on": False})
    assert data(page)["reading"] is None
    assert len(asked) == count


def test_a_message_that_comes_again_is_not_applied_twice(filled: Store) -> None:
    page = run()
    add = gesture(kind="add", parent="b", line=":mod old", tokens=[])
    send(page, add)
    page.run()
    fresh = run()  # a reload: the session is new, the outbox is sent again
    page.session_state[EDITOR] = page.session_state[EDITOR]
    send(fresh, add)
    assert len(filled.log(1)) == 1
    assert data(fresh)["said"]["kind"] == "done"


def failing(*_: Any, **__: Any) -> Any:
    raise UnavailableError("the store could not write: database is locked")


def test_what_the_store_fails_to_take_is_not_acknowledged_and_comes_again(
    filled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = run()
    monkeypatch.setattr(state_messages, "FIRST_PAUSE", 0.0)
    with monkeypatch.context() as context:
        context.setattr(Store, "apply", failing)
        send(page, {"do": "flag", "on": True, "reason": ""}, {"do": "accept", "then": "next"})
        shown = data(page)
        assert (shown["ack"], shown["said"]) == (0, None)
        assert shown["failure"] == "the store could not write: database is locked"
    page.run()
    shown = data(page)
    assert (shown["ack"], shown["failure"]) == (2, "")
    assert shown["sentence"]["name"] == "two"
    assert [entry.what["do"] for entry in filled.log(1)] == ["flag", "accept"]


def test_a_store_that_was_made_read_only_is_shown_and_says_nothing_to_be_saved(
    filled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = run()
    monkeypatch.setattr(state_messages, "FIRST_PAUSE", 0.0)
    with read_only(annotation.shared_store()):
        send(page, {"do": "flag", "on": True, "reason": ""})
        shown = data(page)
        assert (shown["ack"], shown["said"], shown["sentence"]["flagged"]) == (0, None, "")
        assert "attempt to write a readonly database" in shown["failure"]
        assert data(run())["sentence"]["name"] == "one"
    page.run()
    page.run()
    assert (data(page)["ack"], data(page)["failure"]) == (1, "")
    assert filled.sentence(1).state.flagged


@pytest.mark.parametrize("other", [{"store": "0" * 32}, {"store": None}, {"person": "Bea"}])
def test_what_is_for_another_store_or_person_is_neither_applied_nor_acknowledged(
    filled: Store, other: Mapping[str, Any]
) -> None:
    page = run()
    row = {"number": 1, "id": "x", "tab": "u", "store": filled.identity, "person": "Ada"}
    row |= {"sentence": 1, "base": 0, "what": {"do": "accept"}}
    page.session_state[EDITOR] = {"outbox": {"tries": 1, "messages": [{**row, **other}]}}
    page.run()
    assert data(page)["ack"] == 0
    assert not filled.log(1)
    page.session_state[EDITOR] = {"outbox": {"tries": 2, "messages": [row]}}
    page.run()
    assert data(page)["ack"] == 1


def test_a_store_that_failed_is_left_alone_for_a_while(
    filled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = run()
    with monkeypatch.context() as context:
        context.setattr(Store, "apply", failing)
        send(page, {"do": "flag", "on": True, "reason": ""})
    page.run()
    assert data(page)["ack"] == 0
    page.session_state["correct"] = replace(
        page.session_state["correct"], failure=state_messages.Failure("", 1.0, 0.0)
    )
    page.run()
    assert data(page)["ack"] == 1
    assert filled.sentence(1).state.flagged


def test_an_editor_stays_while_the_store_cannot_be_read(
    filled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = run()
    monkeypatch.setattr(state_messages, "FIRST_PAUSE", 0.0)
    with monkeypatch.context() as context:
        context.setattr(Store, "sentence", failing)
        context.setattr(Store, "documents", failing)
        send(page, {"do": "flag", "on": True, "reason": ""})
        shown = data(page)
        assert [node["label"] for node in shown["nodes"]] == ["sleep-01", "boy"]
        assert shown["failure"]
        assert "cannot be opened" in texts(run())
    page.run()
    assert not data(page)["failure"]


def test_a_sentence_is_shown_though_it_cannot_be_claimed(
    filled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Store, "claim", failing)
    page = run()
    assert data(page)["sentence"]["name"] == "one"
    monkeypatch.setattr(Store, "release", failing)
    send(page, {"do": "go", "way": 1})
    assert data(page)["sentence"]["name"] == "two"


def test_more_messages_than_are_read_at_once_are_all_taken(
    filled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(correct_outbox, "MAX_MESSAGES", 2)
    page = run()
    send(page, *({"do": "comment", "text": str(number)} for number in range(5)))
    assert [one.text for one in filled.sentence(1).state.comments] == list("01234")


def test_accept_and_next_goes_to_the_next_open_sentence(filled: Store) -> None:
    page = run()
    send(page, {"do": "accept", "then": "next"})
    assert data(page)["sentence"]["name"] == "two"
    assert page.query_params["sentence"] == "2"
    assert "1 done" in texts(page)
    send(page, {"do": "go", "way": -1})
    assert data(page)["sentence"]["status"] == "accepted"
    send(page, {"do": "go", "way": -1})
    assert data(page)["said"]["kind"] == "refused"


def test_a_graph_is_accepted_only_as_it_was_shown(filled: Store) -> None:
    page = run()
    send(page, gesture(kind="rename", id="b", text="girl"), {"do": "accept", "then": "next"})
    shown = data(page)
    assert shown["said"]["text"].startswith("Not accepted: the graph has changed since")
    assert (shown["sentence"]["name"], shown["sentence"]["status"]) == ("one", "open")
    send(page, {"do": "accept", "then": "next"})
    assert filled.sentence(1).state.status == "accepted"


def test_the_filters_of_the_queue_go_along_and_their_end_is_said(filled: Store) -> None:
    for sentence in (1, 3):
        filled.apply(sentence, "Bo", "t", Request("f", 0, {"do": "flag", "on": True}))
    page = run({"person": "Ada", "sentence": "1", "only": "flagged"})
    assert "only those flagged" in texts(page)
    send(page, {"do": "accept", "then": "next"})
    assert data(page)["sentence"]["name"] == "three"
    assert page.query_params["only"] == "flagged"
    send(page, {"do": "go", "way": 1})
    said = "There is no further sentence in this document among those flagged."
    assert data(page)["said"]["text"] == said
    send(page, {"do": "accept", "then": "next"})
    assert data(page)["sentence"]["name"] == "three"
    assert "No open sentence is left in this document among those flagged" in str(
        data(page)["said"]
    )


def test_after_the_last_open_sentence_the_page_stays_and_says_so(filled: Store) -> None:
    page = run({"person": "Ada", "sentence": "3"})
    for name in ("one", "two", "two"):
        send(page, {"do": "accept", "then": "next"})
        assert data(page)["sentence"]["name"] == name
    assert "No open sentence is left" in data(page)["said"]["text"]


def test_errors_block_accept_and_saving_never(filled: Store) -> None:
    page = run()
    send(page, gesture(kind="relabel", edge=["s", ":ARG0", "b"], role=":null_edge"))
    shown = data(page)
    assert shown["said"]["kind"] == "done"
    assert shown["problems"][0]["severity"] == "error"
    send(page, {"do": "accept", "then": "next"})
    shown = data(page)
    assert shown["said"]["kind"] == "refused"
    assert "null_edge" in shown["said"]["text"]
    assert shown["sentence"]["name"] == "one"


def test_a_warning_can_be_dismissed_with_a_note_and_stays_so(filled: Store) -> None:
    page = run()
    send(page, gesture(kind="add", parent="s", line=":ARG0 girl", tokens=[]))
    (warning,) = [one for one in data(page)["problems"] if "ARG0" in one["message"]]
    assert warning["severity"] == "warning"
    note = {"do": "dismiss", "problem": warning["id"], "note": "both sleep", "on": True}
    send(page, note)
    (again,) = [one for one in data(run())["problems"] if one["id"] == warning["id"]]
    assert again["note"] == "both sleep"


def test_a_text_kept_apart_has_its_line_marked_and_a_mend_at_once(store: Store) -> None:
    store.import_text("odd.txt", "# ::snt A\n(u / use-01\n   :ARG1 (s / search engine))")
    page = run()
    shown = data(page)
    assert shown["fault"]["line"] == 2
    assert shown["fault"]["text"] == shown["penman"]
    assert shown["fault"]["mend"]["does"] == "write search-engine"
    (problem,) = shown["problems"]
    assert problem["severity"] == "error"
    assert "search engine" in problem["message"]
    send(page, gesture(kind="edits", edits=problem["fixes"][0]["edits"]))
    shown = data(page)
    assert [node["label"] for node in shown["nodes"]] == ["use-01", "search-engine"]
    assert not shown["problems"]
    assert shown["fault"] is None


def test_the_text_of_a_graph_with_an_error_has_its_line(store: Store) -> None:
    graph = "# ::snt A\n(w / watch-01\n   :ARG1 (t / tv)\n   :null_edge (b / boy))"
    store.import_text("odd.txt", graph)
    shown = data(run())
    assert shown["fault"] == {
        "line": 3,
        "message": "AMR has no role :null_edge",
        "text": shown["penman"],
        "mend": None,
    }
    assert shown["problems"][0]["fixes"][0]["text"] == "call it :ARG0"


def test_a_draft_waits_with_its_line_marked_and_the_graph_stays(filled: Store) -> None:
    page = run()
    text = "(s / sleep-01\n   :ARG0 (b / boy"
    send(page, gesture(kind="text", text=text))
    shown = data(run())
    assert shown["draft"] == text
    assert shown["fault"]["line"] == 2
    assert len(shown["nodes"]) == 2
    send(page, gesture(kind="text", text="(s / sleep-01)"))
    assert data(page)["draft"] == ""
    assert len(data(page)["nodes"]) == 1


def test_a_conflict_is_told_to_both_and_nothing_is_overwritten(filled: Store) -> None:
    one, two = run(), run({"person": "Bo", "sentence": "1"})
    send(one, gesture(kind="rename", id="b", text="girl"))
    stale = {"number": 1, "id": "x", "tab": "u", "store": filled.identity, "person": "Bo"}
    stale |= {"sentence": 1, "base": 0}
    what = gesture(kind="rename", id="b", text="child")
    two.session_state[EDITOR] = {"outbox": {"tries": 1, "messages": [{**stale, "what": what}]}}
    two.run()
    (conflict,) = data(two)["conflicts"]
    assert conflict["text"] == "Conflict: Ada changed this sentence in the meantime."
    assert conflict["mine"] == "Renamed b to child"
    assert filled.sentence(1).state.graph.nodes[1].concept == "girl"
    one.run()
    assert data(one)["meeting"].startswith("Conflict: Bo tried to change this sentence")


def test_completions_come_with_what_they_mean(filled: Store) -> None:
    page = run()
    send(page, {"do": "offers", "ask": "one", "kind": "role", "typed": "", "at": "s"})
    offers = data(page)["offers"]
    assert offers["for"] == "one"
    assert [text for text, _ in offers["items"] if text == ":time"] == [":time"]


def test_the_rest_is_decoded_again_around_the_persons_newest_change(
    filled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    def suggest(*arguments: Any) -> Suggestion:
        asked.append(arguments)
        return Suggestion(filled.sentence(1).state.graph, (), frozenset(), frozenset(), 0, 0)

    info = SimpleNamespace(id="a model", hash="0")
    monkeypatch.setattr(engine, "load_parser", lambda: SimpleNamespace(info=info))
    monkeypatch.setattr(correct_advice, "suggest", suggest)
    monkeypatch.setattr(correct_advice, "doubt_of_pieces", lambda *_: ())
    page = run()
    send(page, gesture(kind="rename", id="b", text="girl"))
    root = edit_to_json(RenameNode("s", "rest-01"))
    filled.apply(1, "Bea", "u", Request("a", 1, {"do": "edit", "edit": root}))
    send(page, {"do": "suggest"})
    deadline = time.monotonic() + TIMEOUT
    while not asked and time.monotonic() < deadline:
        time.sleep(0.05)  # the parser works in a thread of its own
    assert [newest for *_, newest in asked] == [
        frozenset({("b", ":instance", "boy"), ("b", ":instance", "girl")})
    ]


def test_proposals_are_worked_out_once_for_each_revision(
    filled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = filled.sentence(1).state.graph
    worked: list[int] = []

    def items(*_: Any, **__: Any) -> list[Any]:
        worked.append(1)
        return []

    info = SimpleNamespace(id="a model", hash="0")
    found = Suggestion(graph, (), frozenset(), frozenset(), 0, 0)
    monkeypatch.setattr(engine, "load_parser", lambda: SimpleNamespace(info=info))
    monkeypatch.setattr(correct_advice, "suggest", lambda *_: found)
    monkeypatch.setattr(correct_advice, "doubt_of_pieces", lambda *_: ())
    monkeypatch.setattr(correct_advice, "proposal_items", items)
    page = run()
    send(page, {"do": "suggest"})
    deadline = time.monotonic() + TIMEOUT
    while not worked and time.monotonic() < deadline:
        page.run()
    for _ in range(3):
        send(page, {"do": "offers", "kind": "concept", "typed": "b", "at": "b"})
    assert len(worked) == 1
    send(page, gesture(kind="rename", id="b", text="girl"))
    assert len(worked) == 2


def test_labels_are_sent_as_they_are(filled: Store) -> None:
    page = run({"person": "<b>A</b> *x*", "sentence": "2"})
    shown = data(page)
    assert shown["tokens"][3] == "$1.5bn"
    assert '"<b>x</b>"' in [node["label"] for node in shown["nodes"]]
    assert "**<b>" not in texts(page)


def test_an_address_of_no_sentence_is_told(filled: Store) -> None:
    assert "no sentence 99" in texts(run({"person": "Ada", "sentence": "99"}))
    assert "names no sentence" in texts(run({"person": "Ada", "sentence": "x"}))
    lost = texts(run({"person": "Ada", "sentence": "99"}))
    assert "Choose one on the Queue page" in lost
    assert "holds no sentence yet" not in lost


def test_a_store_that_cannot_be_opened_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other.db").write_bytes(b"this is no database" * 100)
    monkeypatch.setenv("APTAMR_STORE", str(tmp_path / "other.db"))
    assert "store cannot be opened" in texts(run())


def test_another_persons_claim_is_shown(filled: Store) -> None:
    filled.claim(1, "Bo")
    assert "Bo is at work on this sentence" in texts(run())


def test_anothers_copy_stays_blind_until_it_is_submitted(filled: Store) -> None:
    copy = filled.copy_document(1, "mine Ben", "Ben")
    sentence = filled.sentences(copy)[0].id
    address = {"person": "Ada", "sentence": str(sentence)}
    page = run(address)
    assert "stays blind" in texts(page)
    assert not page.get("bidi_component")
    assert data(run({"person": "Ben", "sentence": str(sentence)}))["sentence"]["id"] == sentence
    filled.apply(sentence, "Ben", "t", Request("m", 0, {"do": "accept"}))
    assert data(run(address))["sentence"]["id"] == sentence


def test_who_has_a_copy_begins_with_it_and_not_with_the_original(filled: Store) -> None:
    copy = filled.copy_document(1, "mine kim", "kim")
    assert data(run({"person": "kim"}))["sentence"]["id"] == filled.sentences(copy)[0].id
    assert data(run({"person": "Ada"}))["sentence"]["id"] == filled.sentences(1)[0].id


def test_a_copy_that_is_open_is_blind_for_the_next_person_in_the_same_session(
    filled: Store,
) -> None:
    copy = filled.copy_document(1, "mine kim", "kim")
    page = run({"person": "kim", "sentence": str(filled.sentences(copy)[0].id)})
    page.session_state[PERSON] = "Ada"
    page.run()
    assert "stays blind" in texts(page)
    assert not page.get("bidi_component")


def test_a_page_without_an_address_opens_nobody_elses_copy(store: Store) -> None:
    store.import_text("mine.txt", GRAPHS)
    copy = store.copy_document(1, "mine Ben", "Ben")
    for row in store.sentences(1):
        store.apply(row.id, "Ada", "t", Request("m", 0, {"do": "reject"}))
    assert data(run())["sentence"]["id"] not in {row.id for row in store.sentences(copy)}


def test_what_is_assigned_to_a_person_is_opened_first_and_comes_next(store: Store) -> None:
    store.import_text("mine.txt", GRAPHS)
    ids = [row.id for row in store.sentences()]
    store.import_text("more.txt", GRAPHS)
    store.bulk.finish(store.bulk.assign("Cleo", "t", {ids[-1]: "Ada"}, "all", "deal"))
    page = run()
    assert data(page)["sentence"]["id"] == ids[-1]
    assert next_sentence(ids[0], CorrectLink(), 1, True, "Ada") == ids[-1]
    assert next_sentence(ids[0], CorrectLink(), 1, False, "Ada") == ids[1]


TWO = """# ::id fox.1
# ::snt A fox came .
(c / come-01 :ARG1 (f / fox))

# ::id fox.2
# ::snt It ate .
(e / eat-01 :ARG0 (i / it))

# ::id fox.3
# ::snt It slept .
(s / sleep-01 :ARG0 (i / it))
"""


def test_nodes_of_other_sentences_are_linked_seen_exported_and_undone(store: Store) -> None:
    store.import_text("fox.amr", TWO)
    page = run({"person": "Ada", "sentence": "2"})
    assert "A fox came" not in texts(page)
    page.toggle(key="correct_around").set_value(True).run()
    assert "**Before** (1): A fox came" in texts(page)
    assert "**After** (3): It slept" in texts(page)
    page.selectbox(key="correct_coref_2_own").set_value("i / it")
    page.selectbox(key="correct_coref_2_other").set_value("1: f / fox")
    page.run()
    next(b for b in page.button if b.label == "Link").click().run()
    assert "i / it is the same as f / fox of sentence 1" in texts(page)
    exported = store.export(1)
    assert "# ::coref i=fox.1:f\n" in exported
    assert exported.startswith(TWO.partition("\n\n")[0])
    first = run({"person": "Ada", "sentence": "1"})
    first.toggle(key="correct_around").set_value(True).run()
    assert "f is the same as i of sentence 2" in texts(first)
    next(b for b in page.button if b.label == "Take away").click().run()
    assert "is the same as" not in texts(page)
    assert not page.exception
    send(page, {"do": "undo"})
    assert "i=fox.1:f" in store.export(1)


def test_a_node_is_linked_to_one_of_another_sentence_in_one_field(store: Store) -> None:
    store.import_text("fox.amr", TWO)
    page = run({"person": "Ada", "sentence": "2"})
    ask = {"do": "offers", "ask": "one", "kind": "coref", "at": "i"}
    send(page, {**ask, "typed": ""})
    items = data(page)["offers"]["items"]
    assert items[0] == ["3: i / it", "It slept ."]  # the same concept
    assert [text for text, _ in items[1:]] == ["1: f / fox", "1: c / come-01", "3: s / sleep-01"]
    send(page, {**ask, "typed": "fo"})
    assert [text for text, _ in data(page)["offers"]["items"]] == ["1: f / fox"]
    send(page, gesture(kind="coref", id="i", text="fo", typed=True))  # ahead of the list
    assert store.sentence(2).state.graph.metadata["coref"] == "i=fox.1:f"
    (node,) = (one for one in data(page)["nodes"] if one["name"] == "i")
    assert node["same"] == ["f of fox.1"]
    send(page, {**ask, "typed": "1"})
    assert data(page)["offers"]["items"][0] == ["1: f / fox", "linked: Enter takes the link away"]
    send(page, gesture(kind="coref", id="i", text="1: f / fox", typed=False))
    assert store.sentence(2).state.graph.metadata["coref"] == ""
    send(page, gesture(kind="coref", id="i", text="bear", typed=True))
    assert data(page)["said"]["kind"] == "refused"
    assert "is called bear" in data(page)["said"]["text"]
    send(page, {"do": "undo"})
    assert store.sentence(2).state.graph.metadata["coref"] == "i=fox.1:f"


def test_nodes_of_sentences_that_no_link_can_name_are_not_offered(store: Store) -> None:
    blocks = [
        f"{name}# ::snt It slept .\n(s / sleep-01 :ARG0 (i / it))"
        for name in ("# ::id two words\n", "", "# ::id same\n", "# ::id odd:b=c\n", "# ::id same\n")
    ]
    store.import_text("odd.amr", "\n\n".join(blocks) + "\n")
    page = run({"person": "Ada", "sentence": "5"})
    send(page, {"do": "offers", "ask": "one", "kind": "coref", "at": "i", "typed": ""})
    offered = [text for text, _ in data(page)["offers"]["items"]]
    assert offered == ["4: i / it", "4: s / sleep-01"]
    send(page, gesture(kind="coref", id="i", text="4: i / it", typed=False))
    assert store.sentence(5).state.graph.metadata["coref"] == "i=odd:b=c:i"


def test_the_default_store_is_in_the_users_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("APTAMR_STORE")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    monkeypatch.setattr("sys.platform", "linux")
    assert annotation.store_url() == str(Path("/data/aptamr/annotations.db"))


def chain(length: int) -> str:
    """A sentence whose graph is a line of nodes, each with a warning."""
    inner = "".join(f" :ARG1 (x{number} / thing" for number in range(1, length))
    return f"# ::id chain\n# ::snt Things .\n(x0 / thing{inner}{')' * length}\n"


def test_a_large_graph_is_not_judged_and_its_problems_are_listed_in_part(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(correct_advice, "doubt_of_pieces", lambda *_: asked.append("judged"))
    checked: list[str] = []
    monkeypatch.setattr(correct_advice, "text_error", lambda text, _: checked.append(text))
    store.import_text("large.amr", chain(500))
    page = run()
    shown = data(page)
    assert shown["doubtText"] == "The parser does not judge graphs of more than 400 parts."
    assert len(shown["problems"]) == 50
    assert shown["problemsText"] == "Problems (and 449 more than are listed)"
    send(page, gesture(kind="rename", id="x0", text="want-01"))
    assert data(page)["problemsText"] == "Problems (and 448 more than are listed)"
    assert (asked, checked) == ([], [])  # a graph without errors is not read again as a text


def shown_names(page: AppTest) -> list[str]:
    return [node["name"] for node in data(page)["nodes"]]


def test_nothing_is_proposed_for_a_large_graph(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(correct_advice, "suggest", lambda *_: asked.append("asked"))
    store.import_text("large.amr", chain(500))
    page = run()
    send(page, {"do": "suggest"})
    shown = data(page)
    assert (shown["said"]["kind"], shown["proposals"], asked) == ("refused", None, [])
    assert shown["said"]["text"] == "The parser proposes nothing for graphs of more than 400 parts."


def test_what_is_sent_of_a_large_graph_is_what_is_shown(store: Store) -> None:
    store.import_text("large.amr", chain(1201))
    page = run()
    sent = [data(page)]
    send(page, gesture(kind="rename", id="x0", text="want-01"))
    sent.append(data(page))
    send(page, {"do": "offers", "kind": "concept", "typed": "b", "at": "x0"})
    sent.append(data(page))
    assert [shown["fold"]["all"] for shown in sent] == [1201] * 3
    assert max(len(json.dumps(shown)) for shown in sent) < 120_000
    assert sent[1]["nodes"][0]["label"] == "want-01"


def test_a_large_graph_is_unfolded_searched_and_shown_whole(store: Store) -> None:
    store.import_text("large.amr", chain(1201).replace("x900 / thing", "x900 / whale"))
    page = run()
    send(page, {"do": "show", "more": "x119"})
    assert len(shown_names(page)) == 240
    assert data(page)["said"]["text"] == "240 of 1,201 parts are shown"
    send(page, {"do": "show", "find": "whale", "at": "x0"})
    assert "x900" in shown_names(page)
    assert data(page)["focus"]["part"] == {"kind": "node", "id": "x900"}
    assert len(shown_names(page)) == 120
    assert data(page)["fold"] == {"shown": 120, "all": 1201}
    send(page, {"do": "show", "part": {"kind": "edge", "ends": ["x2", ":ARG1", "x3"]}})
    assert data(page)["focus"]["part"]["ends"] == ["x2", ":ARG1", "x3"]
    assert {"x2", "x3"} < set(shown_names(page))
    send(page, {"do": "show", "find": "herring", "at": "x0"})
    assert data(page)["said"]["kind"] == "refused"
    assert data(page)["said"]["text"] == "No node or constant is called herring."
    for part in ({"kind": "node", "id": "y"}, {"kind": "edge", "ends": ["x1"]}, "x1", None):
        send(page, {"do": "show", "part": part})
        assert data(page)["said"]["kind"] == "refused"
    before = shown_names(page)
    send(page, {"do": "tidy"})
    assert shown_names(page) == before
    send(page, {"do": "show", "whole": True})
    assert (len(shown_names(page)), data(page)["fold"]) == (1201, None)
    send(page, {"do": "show", "top": True})
    assert shown_names(page)[0] == "x0"
    assert len(shown_names(page)) == 120


def test_the_words_of_folded_parts_are_known(store: Store) -> None:
    marked = chain(500).replace("x400 / thing", "x400 / thing~e.1")
    store.import_text("large.amr", marked)
    page = run()
    assert data(page)["covered"] == [1]
    send(page, {"do": "show", "word": 1, "at": "x0"})
    assert data(page)["focus"]["part"] == {"kind": "node", "id": "x400"}
    send(page, {"do": "show", "word": 0, "at": "x0"})
    assert data(page)["said"]["text"] == "No node or constant stands for this token."


def test_the_text_of_a_large_graph_comes_where_it_is_asked_for_and_can_be_taken(
    store: Store,
) -> None:
    store.import_text("large.amr", chain(1201))
    page = run()
    assert data(page)["penman"] is None
    send(page, {"do": "write", "on": True})
    text = data(page)["penman"]
    assert len(text) > 100_000
    faulty = text.replace("x900 / thing", "x900 / big thing")
    send(page, gesture(kind="text", text=faulty))
    assert data(page)["draft"] == faulty
    assert data(page)["fault"]["line"] == 901
    send(page, gesture(kind="text", text=text.replace("x900 / thing", "x900 / whale")))
    assert data(page)["said"]["text"] == "Took the graph from the text"
    send(page, {"do": "write", "on": False})
    assert data(page)["penman"] is None
    assert store.sentence(1).state.graph.nodes[900].concept == "whale"


def test_a_frame_list_that_cannot_be_read_is_told_and_the_rest_goes_on(
    filled: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APTAMR_FRAMES", str(tmp_path / "absent.tsv"))
    page = run()
    assert "cannot read the frame list" in texts(page)
    assert data(page)["sentence"]["name"] == "one"


def test_roles_of_the_project_do_not_keep_a_sentence_from_being_accepted(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "roles.txt"
    path.write_text(":speaker\n", encoding="utf-8")
    monkeypatch.setenv("APTAMR_ROLES", str(path))
    store.import_text("mine.txt", "# ::snt A\n(s / sleep-01 :speaker (b / boy))")
    page = run()
    assert not data(page)["problems"]
    send(page, {"do": "accept"})
    assert data(page)["sentence"]["status"] == "accepted"


def test_a_list_of_roles_that_cannot_be_read_is_told_and_the_rest_goes_on(
    filled: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "roles.txt"
    path.write_text("no role\n", encoding="utf-8")
    monkeypatch.setenv("APTAMR_ROLES", str(path))
    page = run()
    assert "write one role a line" in texts(page)
    assert data(page)["sentence"]["name"] == "one"


def test_a_frame_list_gives_meanings(
    filled: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "frames.txt"
    path.write_text("sleep-01  ARG0: sleeper  ARG1: cognate object\n", encoding="utf-8")
    monkeypatch.setenv("APTAMR_FRAMES", str(path))
    page = run()
    send(page, {"do": "offers", "kind": "role", "typed": ":ARG", "at": "s"})
    assert [
        note.partition(",")[0] for text, note in data(page)["offers"]["items"] if text == ":ARG1"
    ] == ["cognate object"]


def test_a_sentence_kept_apart_shows_why_and_its_text(store: Store) -> None:
    store.import_text("bad.txt", "# ::id bad\n# ::snt It breaks .\n(b / break-01\n   :ARG1 (i / it")
    page = run()
    assert "Kept apart on import" in texts(page)
    shown = data(page)
    assert shown["penman"] == "(b / break-01\n   :ARG1 (i / it"
    send(page, gesture(kind="text", text=shown["penman"] + "))"))
    assert [node["label"] for node in data(page)["nodes"]] == ["break-01", "it"]
    assert "Kept apart" not in texts(page)


def test_comments_are_shown_with_who_wrote_them(filled: Store) -> None:
    page = run()
    send(page, {"do": "comment", "text": "is it *he*?"})
    assert data(page)["sentence"]["comments"] == [["Ada", "is it *he*?"]]


SIX = "".join(
    f"# ::id n{number}\n# ::snt {verb} .\n({verb[0]} / {verb}-01)\n\n"
    for number, verb in enumerate(("sing", "rain", "hum", "rain", "sing", "rain"), 1)
)


@pytest.mark.parametrize(
    ("address", "ways", "end"),
    [
        ({"in": "concept", "find": "rain-*", "sentence": "2"}, [4, 6], "with concept rain-"),
        ({"in": "text", "find": "SING", "sentence": "1"}, [5], "with text SING"),
        ({"rows": "1-3.6", "sentence": "1"}, [2, 3, 6], "chosen on the Queue page"),
        ({"status": "skipped", "sentence": "1"}, [3, 5], "skipped"),
        ({"of": "all", "sentence": "5"}, [6, 7], "in all documents"),
        ({"sentence": "5"}, [6], "in this document"),
    ],
)
def test_what_the_queue_showed_goes_along_to_the_next_sentence(
    store: Store, address: dict[str, str], ways: list[int], end: str
) -> None:
    store.import_text("six.txt", SIX)
    store.import_text("seven.txt", "# ::snt One more .\n(m / more)\n")
    for sentence in (3, 5):
        store.apply(sentence, "Bo", "t", Request("k", 0, {"do": "skip"}))
    page = run({"person": "Ada", **address})
    for expected in ways:
        send(page, {"do": "go", "way": 1})
        assert data(page)["sentence"]["id"] == expected
    for key in set(address) - {"sentence", "in"}:
        assert page.query_params[key] in (address[key], [address[key]])
    send(page, {"do": "go", "way": 1})
    assert data(page)["sentence"]["id"] == ways[-1]
    assert end in data(page)["said"]["text"]


def test_an_accept_leads_on_among_skipped_sentences_and_hits_alone(store: Store) -> None:
    store.import_text("six.txt", SIX)
    for sentence in (3, 5):
        store.apply(sentence, "Bo", "t", Request("k", 0, {"do": "skip"}))
    page = run({"person": "Ada", "status": "skipped", "sentence": "3"})
    send(page, {"do": "accept", "then": "next"})
    assert data(page)["sentence"]["id"] == 5
    page = run({"person": "Ada", "in": "concept", "find": "rain-*", "sentence": "6"})
    send(page, {"do": "accept", "then": "next"})
    assert data(page)["sentence"]["id"] == 2  # sentence 1 is open and no hit


def test_the_next_hit_is_found_without_reading_what_cannot_be_one(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = [f"# ::snt So.\n(r / {one}-01)" for one in ("rain", "snow", "snow", "hail", "rain")]
    store.import_text("a.amr", "\n\n".join(blocks))
    page = run({"person": "Ada", "in": "concept", "find": "rain-*", "sentence": "1"})
    read: list[int] = []
    sentence_of = Store.sentence

    def noted(self: Store, number: int, *rest: Any) -> Any:
        read.append(number)
        return sentence_of(self, number, *rest)

    monkeypatch.setattr(Store, "sentence", noted)
    monkeypatch.setattr(Store, "sentences", failing)  # which reads a list of all
    send(page, {"do": "accept", "then": "next"})
    assert data(page)["sentence"]["id"] == 5
    assert set(read) == {1, 5}


def test_a_search_in_an_address_that_cannot_be_read_is_named(store: Store) -> None:
    store.import_text("six.txt", SIX)
    page = run({"person": "Ada", "in": "pattern", "find": "(x /", "sentence": "1"})
    assert "The search of the address cannot be read" in texts(page)
    send(page, {"do": "accept", "then": "next"})
    assert data(page)["sentence"]["id"] == 2
