"""The store on both databases: operations, undo, conflicts, claims, and who sees what."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from app.annotation.search import count_hits, parse_search
from app.store.applying import CLAIM_TIME
from app.store.documents.listing import SentenceFilter
from app.store.log.operations import Acknowledged, Answer, Conflict, Refused, Request
from app.store.log.provenance import Source
from app.store.records import folding
from app.store.records.database import HEAD, open_engine
from app.store.records.tables import metadata, sentences
from app.store.records.texts import record_of
from app.store.store import Store, open_store
from aptcore.errors import StoreError, UnavailableError
from aptcore.graph.corpus import Record
from aptcore.graph.penman import format_penman
from tests.app.conftest import Clock, read_only

TEXT = """# ::id t.1
# ::snt The boy wants to visit Lima .
(w / want-01
   :ARG0 (b / boy)
   :ARG1 (v / visit-01
            :ARG0 b
            :ARG1 (c / city
                     :name (n / name
                              :op1 "Lima"))))

# ::id t.2
# ::snt It rains .
(r / rain-01)
"""
RENAME = {"edit": "rename-node", "id": "b", "concept": "girl"}
GIRL = ("b", ":instance", "girl")
BOY = ("b", ":instance", "boy")


@pytest.fixture
def store(store_url: str, clock: Clock) -> Iterator[Store]:
    store = open_store(store_url, clock=clock)
    store.import_text("one.amr", TEXT, Source("model", "small", "abc"))
    yield store
    for row in store.sentences():
        store.check(row.id)
    store.close()


class Person:
    """Someone who writes with the newest revision as base, unless told otherwise."""

    def __init__(self, store: Store, name: str, tab: str = "tab", sentence: int = 1) -> None:
        self.store, self.name, self.tab, self.sentence = store, name, tab, sentence
        self.number = 0

    def ask(self, do: str, base: int | None = None, **fields: Any) -> Answer:
        self.number += 1
        if base is None:
            base = self.store.sentence(self.sentence).revision
        request = Request(f"{self.tab}-{self.number}", base, {"do": do, **fields})
        return self.store.apply(self.sentence, self.name, self.tab, request)

    def does(self, do: str, **fields: Any) -> int:
        answer = self.ask(do, **fields)
        assert isinstance(answer, Acknowledged), answer
        return answer.revision

    def fails(self, do: str, **fields: Any) -> str:
        answer = self.ask(do, **fields)
        assert isinstance(answer, Refused), answer
        return answer.reason


def text_of(store: Store, sentence: int = 1) -> str:
    return format_penman(store.sentence(sentence).state.graph, metadata=False)


# --- the log ---------------------------------------------------------------------------


def test_an_edit_is_in_the_graph_and_in_the_log(store: Store) -> None:
    assert Person(store, "Ada").does("edit", edit=RENAME, note="a girl in the text before") == 1
    sentence = store.sentence(1)
    assert "(b / girl)" in format_penman(sentence.state.graph)
    assert "(b / boy)" in format_penman(sentence.silver)
    assert sentence.tokens == ("The", "boy", "wants", "to", "visit", "Lima", ".")
    (operation,) = store.log(1)
    assert (operation.person, operation.revision, operation.base) == ("Ada", 1, 0)
    assert operation.what["note"] == "a girl in the text before"


def test_the_newest_edit_of_a_person_is_known_by_its_triples(store: Store) -> None:
    ada = Person(store, "Ada")
    assert not store.newest_change(1, "Ada")
    ada.does("edit", edit=RENAME)
    ada.does("comment", text="sure?")
    assert store.newest_change(1, "Ada") == {GIRL, BOY}
    assert not store.newest_change(1, "Ben")
    ada.does("undo")
    ada.does("undo")
    assert not store.newest_change(1, "Ada")


def test_the_same_request_again_is_acknowledged_and_not_applied_twice(store: Store) -> None:
    request = Request("a1", 0, {"do": "comment", "text": "which Lima?"})
    answers = [store.apply(1, "Ada", "tab", request) for _ in range(3)]
    assert answers == [Acknowledged("a1", 1)] * 3
    assert len(store.sentence(1).state.comments) == 1
    other = Request("a1", 0, {"do": "comment", "text": "another"})
    assert isinstance(store.apply(1, "Ada", "tab", other), Refused)
    assert store.apply(1, "Ben", "tab", other) == Acknowledged("a1", 2)  # his own name for it


def test_what_a_graph_does_not_allow_is_refused_and_nothing_changes(store: Store) -> None:
    ada = Person(store, "Ada")
    assert "no node x" in ada.fails("edit", edit={"edit": "set-root", "id": "x"})
    assert "load the sentence again" in ada.fails("accept", base=7)
    assert not store.log(1)


def nested(depth: int) -> dict[str, Any]:
    edit: dict[str, Any] = RENAME
    for _ in range(depth):
        edit = {"edit": "several", "edits": [edit]}
    return edit


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ({"do": "burn"}, "no operation"),
        ({"do": "flag"}, "lacks on"),
        ({"do": "flag", "on": "yes"}, "true or false"),
        ({"do": "accept", "force": True}, "no field 'force'"),
        ({"do": "comment", "text": "  "}, "some text"),
        ({"do": "comment", "text": "x" * 300_001}, "at most"),
        ({"do": "confirm", "triples": [["a", "b"]]}, "source, role and target"),
        ({"do": "edit", "edit": {"edit": "burn"}}, "no edit"),
        ({"do": "edit", "edit": RENAME, "source": {"kind": "person"}}, "a model or a rule"),
        ({"do": "confirm", "triples": [["b", ":instance", "girl"]]}, "no b :instance girl"),
        ({"do": "assign", "person": "x" * 101}, "name of the person"),
        ({"do": "edit", "edit": nested(300)}, "nested too deeply"),
        ({"do": "edit", "edit": nested(5000)}, "cannot be written as JSON"),
        ({"do": "flag", "on": True, "reason": float("nan")}, "cannot be written as JSON"),
        ({"do": "undo"}, "nothing of yours"),
        ({"do": "redo"}, "nothing to do again"),
    ],
)
def test_what_is_no_operation_is_refused_with_the_reason(
    tmp_path: Path, what: dict[str, Any], reason: str
) -> None:
    store = open_store(str(tmp_path / "store.db"))
    store.import_text("one.amr", TEXT)
    answer = store.apply(1, "Ada", "tab", Request("a", 0, what))
    assert isinstance(answer, Refused)
    assert reason in answer.reason
    store.close()


def test_names_are_checked_and_sentences_exist(store: Store) -> None:
    for name in ("", " ", "x" * 101, "a\nb", "\0", "\ud800"):
        assert isinstance(store.apply(1, name, "t", Request("a", 0, {"do": "skip"})), Refused)
        assert isinstance(store.apply(1, "Ada", name, Request("a", 0, {"do": "skip"})), Refused)
        assert isinstance(store.apply(1, "Ada", "t", Request(name, 0, {"do": "skip"})), Refused)
    with pytest.raises(StoreError, match="no sentence 99"):
        store.apply(99, "Ada", "t", Request("a", 0, {"do": "skip"}))
    with pytest.raises(StoreError, match="no document 99"):
        store.export(99)


def test_all_that_can_be_said_of_a_sentence_is_kept(store: Store, store_url: str) -> None:
    ada = Person(store, "Ada")
    ada.does("flag", on=True, reason="ask Ben \0\ud800")
    ada.does("comment", text="naïve 日本 \0 \ud800")
    ada.does("draft", text="(w / want-01")
    ada.does("dismiss", problem="cover:3", note="a full stop")
    ada.does("confirm", triples=[list(BOY)])
    ada.does("assign", person="Ben")
    ada.does("skip")
    again = open_store(store_url)
    sentence = again.sentence(1, "Ada")
    assert sentence.state.flagged == "ask Ben \0\ud800"
    assert [comment.text for comment in sentence.state.comments] == ["naïve 日本 \0 \ud800"]
    assert sentence.state.drafts == {"Ada": "(w / want-01"}
    assert sentence.state.dismissed["cover:3"].note == "a full stop"
    assert sentence.state.confirmed == {BOY: "Ada"}
    assert (sentence.state.assigned, sentence.state.status, sentence.state.status_by) == (
        "Ben",
        "skipped",
        "Ada",
    )
    row = again.sentences(chosen=SentenceFilter(assigned="Ben", flagged=True))[0]
    assert (row.status, row.num_comments, row.is_edited) == ("skipped", 1, False)
    again.close()


# --- undo ------------------------------------------------------------------------------


def test_undo_takes_back_everything_in_turn_and_redo_does_it_again(store: Store) -> None:
    ada = Person(store, "Ada")
    start = store.sentence(1)
    ada.does("edit", edit=RENAME)
    ada.does("comment", text="sure?")
    ada.does("flag", on=True, reason="x")
    ada.does("accept")
    done = store.sentence(1)
    for _ in range(4):
        assert store.sentence(1, "Ada").can_undo
        ada.does("undo")
    undone = store.sentence(1, "Ada")
    assert (undone.can_undo, undone.can_redo) == (False, True)
    assert undone.state.graph == start.state.graph
    assert (undone.state.comments, undone.state.flagged, undone.state.status) == ((), "", "open")
    for _ in range(4):
        ada.does("redo")
    again = store.sentence(1)
    assert (again.state.graph, again.state.status, again.state.comments) == (
        done.state.graph,
        "accepted",
        done.state.comments,
    )
    assert "nothing to do again" in ada.fails("redo")


def test_undo_and_redo_survive_a_restart_and_never_leave_the_sentence(
    store: Store, store_url: str
) -> None:
    Person(store, "Ada").does("edit", edit=RENAME)
    other = Person(store, "Ada", tab="two", sentence=2)
    other.does("flag", on=True)
    store.close()
    again = open_store(store_url)
    assert again.sentence(1, "Ada").can_undo
    Person(again, "Ada", tab="new").does("undo")
    assert "boy" in text_of(again)
    assert again.sentence(2).state.flagged
    again.close()


def test_a_new_operation_ends_what_could_be_done_again(store: Store) -> None:
    ada = Person(store, "Ada")
    ada.does("edit", edit=RENAME)
    ada.does("undo")
    ada.does("comment", text="no")
    assert "nothing to do again" in ada.fails("redo")


def test_undo_is_refused_where_the_work_of_another_stands_on_it(store: Store) -> None:
    ada, ben = Person(store, "Ada"), Person(store, "Ben")
    new = {"edit": "add-node", "id": "t", "concept": "tall"}
    link = {"edit": "add-edge", "source": "b", "role": ":mod", "target": "t"}
    ada.does("edit", edit={"edit": "several", "edits": [new, link]})
    ben.does("edit", edit={"edit": "rename-node", "id": "t", "concept": "small"})
    reason = ada.fails("undo")
    assert "Ben" in reason
    assert "rename-node t" in reason
    ben.does("undo")
    ada.does("undo")
    assert text_of(store) == format_penman(store.sentence(1).silver, metadata=False)


def test_an_accepted_graph_stays_as_it_was_seen(store: Store) -> None:
    ada, ben = Person(store, "Ada"), Person(store, "Ben")
    ada.does("edit", edit=RENAME)
    ben.does("accept")
    assert "Ben accepted the graph" in ada.fails("undo")
    ada.does("edit", edit={"edit": "rename-node", "id": "b", "concept": "child"})
    assert store.sentence(1).state.status == "open"
    ada.does("undo")
    assert (store.sentence(1).state.status, store.sentence(1).state.status_by) == (
        "accepted",
        "Ben",
    )
    ada.does("reopen")
    ada.does("undo")
    assert store.sentence(1).state.status == "accepted"


def test_an_accepted_graph_is_not_changed_by_an_undo_out_of_turn(store: Store) -> None:
    ada = Person(store, "Ada")
    ada.does("edit", edit=RENAME, batch="b1")
    ada.does("accept")
    assert "you accepted the graph" in ada.fails("undo", batch="b1")
    ada.does("reopen")
    ada.does("undo", batch="b1")
    assert "/ boy" in text_of(store)


def test_redo_is_refused_where_another_has_changed_the_same_since(store: Store) -> None:
    ada, ben = Person(store, "Ada"), Person(store, "Ben")
    ada.does("edit", edit={"edit": "delete-node", "id": "c"})
    ada.does("undo")
    ben.does("edit", edit={"edit": "rename-node", "id": "c", "concept": "town"})
    reason = ada.fails("redo")
    assert "Ben changed the graph since" in reason
    assert "rename-node c" in reason


def test_a_text_changed_three_times_is_there_after_coming_back(
    store: Store, cases: dict[str, Any]
) -> None:
    expected = cases["c30"]["expected"]["text_after_each_step"]
    ada = Person(store, "Ada", sentence=2)
    for text in expected[:3]:
        ada.does("edit", edit={"edit": "replace-graph", "penman": text})
        assert text_of(store, 2).split() == text.split()
        store.sentence(1, "Ada")
    ada.does("draft", text="(s / snow-01 :time")
    assert text_of(store, 2).split() == expected[4].split()
    assert store.sentence(2).state.drafts["Ada"] == "(s / snow-01 :time"


def test_one_edit_of_a_batch_is_taken_back_by_its_name(store: Store) -> None:
    ada = Person(store, "Ada")
    ada.does("edit", edit=RENAME, batch="b1")
    ada.does("edit", edit={"edit": "rename-node", "id": "c", "concept": "town"})
    ada.does("undo", batch="b1")
    assert "/ boy" in text_of(store)
    assert "/ town" in text_of(store)
    ada.does("redo")
    assert "/ girl" in text_of(store)
    assert "no such operation" in Person(store, "Ben").fails("undo", batch="b1")


def test_a_text_takes_the_place_of_its_draft_and_undo_brings_the_draft_back(store: Store) -> None:
    ada = Person(store, "Ada")
    ada.does("draft", text="(w / want-01")
    ada.does("edit", edit={"edit": "replace-graph", "penman": "(w / want-01)"})
    assert not store.sentence(1).state.drafts
    ada.does("undo")
    assert store.sentence(1).state.drafts == {"Ada": "(w / want-01"}


# --- two writers -----------------------------------------------------------------------


def test_the_second_writer_gets_a_conflict_with_the_difference(store: Store) -> None:
    Person(store, "Ada").does("edit", edit=RENAME)
    ben = Person(store, "Ben")
    answer = ben.ask("edit", base=0, edit={"edit": "rename-node", "id": "b", "concept": "man"})
    assert isinstance(answer, Conflict)
    assert (answer.by, answer.revision) == ("Ada", 1)
    assert answer.difference.gained == (GIRL,)
    assert answer.difference.lost == (BOY,)
    assert answer.difference.people == ("Ada",)
    assert answer.difference.steps == ((1, "Ada", "tab", "rename-node b girl"),)
    assert len(store.log(1)) == 1
    assert "/ girl" in text_of(store)


def test_another_tab_of_the_same_person_is_another_writer(store: Store) -> None:
    Person(store, "Ada", "left").does("edit", edit=RENAME)
    assert isinstance(Person(store, "Ada", "right").ask("accept", base=0), Conflict)


def test_requests_sent_one_after_another_without_waiting_are_no_conflict(store: Store) -> None:
    ada = Person(store, "Ada")
    ada.does("edit", base=0, edit=RENAME)
    ada.does("edit", base=0, edit={"edit": "rename-node", "id": "c", "concept": "town"})
    assert ada.does("accept", base=0) == 3


def test_what_does_not_compete_is_no_conflict(store: Store) -> None:
    Person(store, "Ada").does("edit", edit=RENAME)
    ben = Person(store, "Ben")
    ben.does("comment", base=0, text="hm")
    ben.does("flag", base=0, on=True)
    ben.does("draft", base=0, text="(")
    assert isinstance(Person(store, "Cy").ask("flag", base=0, on=False), Conflict)


def test_nothing_of_one_person_shows_at_another(store: Store) -> None:
    ada = Person(store, "Ada")
    ada.does("edit", edit=RENAME)
    ada.does("draft", text="(half")
    ada.does("undo")
    mine, his = store.sentence(1, "Ada"), store.sentence(1, "Ben")
    assert (mine.can_undo, mine.can_redo) == (True, True)
    assert (his.can_undo, his.can_redo) == (False, False)
    assert "nothing of yours" in Person(store, "Ben").fails("undo")
    assert "nothing to do again" in Person(store, "Ben").fails("redo")


def test_a_copy_is_annotated_without_seeing_the_other(store: Store) -> None:
    copy = store.copy_document(1, "one.ben.amr", "Ben")
    document = {item.id: item for item in store.documents()}[copy]
    assert (document.copy_of, document.person, document.num_sentences) == (1, "Ben", 2)
    first = store.sentences(copy)[0]
    Person(store, "Ben", sentence=first.id).does("edit", edit=RENAME)
    assert "/ boy" in text_of(store)
    assert store.export(1) == TEXT


# --- claims, provenance, progress ------------------------------------------------------


def test_a_removed_copy_is_nowhere_and_comes_back_with_its_work(store: Store) -> None:
    copy = store.copy_document(1, "one.ben.amr", "Ben")
    first = store.sentences(copy)[0].id
    ben = Person(store, "Ben", sentence=first)
    ben.does("edit", edit=RENAME, batch="b", note="all")
    ben.does("accept")
    (row,) = store.copies(1)
    assert (row.person, row.num_touched, row.num_submitted, row.num_operations) == ("Ben", 1, 1, 2)
    log, exported = store.log(first), store.export(copy)

    store.remove_copy(copy, 2)
    assert [document.id for document in store.documents()] == [1]
    assert {sentence.document for sentence in store.sentences()} == {1}
    assert store.progress().operations == 0
    assert store.batches() == ()
    for refused in (
        lambda: store.sentence(first),
        lambda: store.apply(first, "Ben", "t", Request("late", 2, {"do": "reopen"})),
        lambda: store.claim(first, "Ben"),
    ):
        with pytest.raises(StoreError, match="a document or copy that was removed"):
            refused()
    with pytest.raises(StoreError, match="no document"):
        store.export(copy)
    again = store.copy_document(1, "one.ben.amr", "Ben")
    assert [(one.id, one.is_removed) for one in store.copies(1)] == [(copy, True), (again, False)]
    assert {one.name for one in store.copies(1)} == {"one.ben.amr"}

    with pytest.raises(StoreError, match="Ben has another copy by now"):
        store.restore_copy(copy)
    store.remove_copy(again, 0)
    store.restore_copy(copy)
    assert (store.log(first), store.export(copy)) == (log, exported)
    assert [document.name for document in store.documents()] == ["one.amr", "one.ben.amr"]


def test_a_copy_is_removed_only_with_the_work_that_was_told_of(store: Store) -> None:
    copy = store.copy_document(1, "one.ben.amr", "Ben")
    store.jobs.add_doubt("one.ben.amr", copy)
    Person(store, "Ben", sentence=store.sentences(copy)[0].id).does("skip")
    with pytest.raises(StoreError, match="Ben has worked on 'one.ben.amr' meanwhile"):
        store.remove_copy(copy, 0)
    assert len(store.jobs.all()) == 1
    for number in (1, 77):
        with pytest.raises(StoreError, match=f"no copy {number}"):
            store.remove_copy(number, 0)
    with pytest.raises(StoreError, match="no removed copy"):
        store.restore_copy(copy)
    with pytest.raises(StoreError, match="is itself a copy"):
        store.copy_document(copy, "two.amr", "Ada")
    store.remove_copy(copy, 1)
    assert store.jobs.all() == ()


def test_a_claim_expires_and_work_renews_it(store: Store, clock: Clock) -> None:
    assert store.claim(1, "Ada").person == "Ada"
    assert store.claim(1, "Ben").person == "Ada"
    clock.now += CLAIM_TIME - timedelta(minutes=1)
    Person(store, "Ada").does("comment", text="still here")
    clock.now += timedelta(minutes=2)
    assert [row.claimed_by for row in store.sentences() if row.claimed_by] == ["Ada"]
    assert store.sentences(1)[0].claimed_by == "Ada"
    clock.now += CLAIM_TIME
    assert not any(row.claimed_by for row in store.sentences())
    assert store.sentence(1).claim is None
    assert store.claim(1, "Ben").person == "Ben"
    store.release(1, "Ada")
    assert store.sentence(1).claim is not None
    store.release(1, "Ben")
    assert store.sentence(1).claim is None


def test_every_triple_says_where_it_comes_from(store: Store) -> None:
    ada, ben = Person(store, "Ada"), Person(store, "Ben")
    ada.does("edit", edit=RENAME)
    ben.does("confirm", triples=[["w", ":ARG0", "b"]])
    fix = {"edit": "add-edge", "source": "c", "role": ":location", "target": "b"}
    ada.does("edit", edit=fix, source={"kind": "rule", "name": "numbers"})
    found = {triple: str(source) for triple, source in store.sentence(1).state.provenance.items()}
    assert found[GIRL] == "person changed Ada"
    assert found["w", ":ARG0", "b"] == "person confirmed Ben"
    assert found["c", ":location", "b"] == "rule numbers"
    assert found["v", ":ARG0", "b"] == "model small abc"
    ada.does("edit", edit={"edit": "delete-edge", "source": "v", "role": ":ARG0", "target": "b"})
    ben.does("confirm", triples=[["w", ":ARG0", "b"]], on=False)
    assert str(store.sentence(1).state.provenance["w", ":ARG0", "b"]) == "model small abc"


def test_progress_counts_what_is_done_and_by_whom(store: Store, clock: Clock) -> None:
    ada = Person(store, "Ada")
    ada.does("edit", edit=RENAME)
    clock.now += timedelta(minutes=3)
    ada.does("accept")
    clock.now += timedelta(hours=2)  # a pause, no work
    Person(store, "Ada", sentence=2).does("reject")
    progress = store.progress(1)
    assert (progress.sentences, progress.accepted, progress.rejected, progress.open) == (2, 1, 1, 0)
    (person,) = progress.people
    assert (person.person, person.operations, person.accepted, person.sentences) == ("Ada", 3, 1, 2)
    assert person.hours == pytest.approx(0.05)
    assert person.sentences_per_hour == pytest.approx(40)


def test_who_was_given_sentences_and_has_not_begun_is_counted(store: Store) -> None:
    first, second = (row.id for row in store.sentences())
    store.bulk.finish(store.bulk.assign("Cleo", "t", {first: "Ben", second: "Ada"}, "all", "deal"))
    Person(store, "Ada", sentence=second).does("accept")
    ada, ben, _ = store.progress().people  # the last dealt them out
    assert (ada.person, ada.assigned, ada.assigned_done, ada.accepted) == ("Ada", 1, 1, 1)
    assert (ben.person, ben.assigned, ben.assigned_done) == ("Ben", 1, 0)
    assert (ben.operations, ben.hours, ben.first, ben.last) == (0, 0.0, None, None)


def test_progress_over_several_documents_counts_the_time_of_a_person_once(
    store: Store, clock: Clock
) -> None:
    for name in ("two.amr", "three.amr"):
        store.import_text(name, TEXT)
    Person(store, "Ada").does("accept")
    for sentence in (3, 2, 5):  # of the second document, the first and the third
        clock.now += timedelta(minutes=3)
        Person(store, "Ada", sentence=sentence).does("accept")
    progress = store.progress(1, 2)
    assert (progress.sentences, progress.accepted, progress.operations) == (4, 3, 3)
    assert [person.hours for person in progress.people] == [pytest.approx(0.05 + 0.05)]
    assert store.progress().sentences == 6


def test_only_a_document_without_work_is_put_away(store: Store) -> None:
    store.import_text("two.amr", TEXT)
    store.remove_document(2)
    assert [document.id for document in store.documents()] == [1]
    with pytest.raises(StoreError, match="no document 2"):
        store.remove_document(2)
    with pytest.raises(StoreError, match="in a document or copy that was removed"):
        Person(store, "Ada", sentence=store.sentences(1)[-1].id + 1).does("skip")
    Person(store, "Ada").does("skip")
    with pytest.raises(StoreError, match="there is work on 'one.amr': it holds 1 operations"):
        store.remove_document(1)


def test_scores_are_kept_by_name(store: Store) -> None:
    store.set_scores({1: {"entropy": 0.5, "lowest": 0.1}, 2: {"entropy": 0.25}})
    store.set_scores({1: {"entropy": 0.75}})
    assert store.scores(1) == {1: {"entropy": 0.75, "lowest": 0.1}, 2: {"entropy": 0.25}}


# --- the database ----------------------------------------------------------------------


def test_the_steps_give_the_tables_that_the_code_knows(store_url: str) -> None:
    engine = open_engine(store_url)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert not compare_metadata(context, metadata)
    engine.dispose()
    config = Config()
    config.set_main_option("script_location", "app.store:migrations")
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def test_a_store_of_the_first_version_is_brought_up_to_date(store_url: str) -> None:
    store = open_store(store_url)
    store.import_text("one.amr", TEXT)
    copy = store.copy_document(1, "one.ben.amr", "Ben")
    store.close()
    engine = open_engine(store_url)
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        config = Config()
        config.set_main_option("script_location", "app.store:migrations")
        config.attributes["connection"] = connection
        command.downgrade(config, "0001")
        assert not sa.inspect(connection).has_table("jobs")
    engine.dispose()
    store = open_store(store_url)
    assert [document.name for document in store.documents()] == ["one.amr", "one.ben.amr"]
    assert store.jobs.all() == ()
    assert len(store.identity) == 32
    assert holding(store, "boy") == [1, 3]  # read off the graphs again
    assert holding(store, "girl") == []
    store.remove_copy(copy, 0)
    assert len(store.sentences()) == 2
    store.close()


def test_what_an_older_version_edited_is_looked_through_until_it_is_known(store: Store) -> None:
    Person(store, "Ada").does("edit", edit=RENAME)
    with store._engine.begin() as connection:
        connection.execute(sentences.update().where(sentences.c.id == 1).values(terms=None))
    assert holding(store, "boy") == [1]
    store.check(1)
    Person(store, "Ada", "later").does("comment", text="mine")
    assert (holding(store, "boy"), holding(store, "girl")) == ([], [1])


def test_a_store_has_an_identity_that_no_other_store_has(store_url: str, tmp_path: Path) -> None:
    store, other = open_store(store_url), open_store(str(tmp_path / "other.db"))
    again = open_store(store_url)
    assert store.identity == again.identity != other.identity
    for one in (store, other, again):
        one.close()


def test_several_processes_may_open_a_new_store_at_once(store_url: str) -> None:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    processes = [context.Process(target=open_and_write, args=(store_url, n)) for n in range(6)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 6
    store = open_store(store_url)
    assert {document.name for document in store.documents()} == {f"{n}.amr" for n in range(6)}
    store.close()


def open_and_write(url: str, number: int) -> None:
    store = open_store(url)
    store.import_text(f"{number}.amr", TEXT)
    store.close()


def test_a_store_of_a_newer_version_is_refused(store_url: str) -> None:
    engine = open_engine(store_url)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(StoreError, match="newer version"):
        open_store(store_url)


def test_a_list_that_disagrees_with_its_log_is_found(store_url: str) -> None:
    store = open_store(store_url)
    store.import_text("one.amr", TEXT)
    Person(store, "Ada").does("edit", edit=RENAME)
    engine = open_engine(store_url)
    with engine.begin() as connection:
        connection.execute(sentences.update().values(status="accepted"))
    engine.dispose()
    with pytest.raises(StoreError, match="the lists differ in status"):
        store.check(1)
    store.close()


def test_what_is_in_memory_never_decides(store_url: str) -> None:
    one, two = open_store(store_url), open_store(store_url)
    one.import_text("one.amr", TEXT)
    ada, ben = Person(one, "Ada"), Person(two, "Ben")
    ada.does("edit", edit=RENAME)
    ben.does("edit", edit={"edit": "rename-node", "id": "c", "concept": "town"})
    ada.does("undo")
    assert "/ boy" in text_of(two)
    assert text_of(one) == text_of(two)
    # The newest operation is replaced behind the stores' back, as a restored copy would.
    engine = open_engine(store_url)
    with engine.begin() as connection:
        connection.execute(sa.text("DELETE FROM operations WHERE revision > 1"))
        connection.execute(sa.text("UPDATE sentences SET revision = 1 WHERE id = 1"))
    engine.dispose()
    assert "/ girl" in text_of(one)
    one.close()
    two.close()


def test_a_database_that_cannot_write_is_told_from_a_refusal(store: Store, store_url: str) -> None:
    refused = store.apply(1, "Ada", "t", Request("a", 0, {"do": "edit"}))
    assert isinstance(refused, Refused)
    engine = open_engine(store_url)
    with engine.begin() as connection:
        connection.execute(sa.text("ALTER TABLE operations RENAME TO elsewhere"))
    with pytest.raises(UnavailableError, match="could not write"):
        store.apply(1, "Ada", "t", Request("b", 0, {"do": "edit", "edit": RENAME}))
    with engine.begin() as connection:
        connection.execute(sa.text("ALTER TABLE elsewhere RENAME TO operations"))
    engine.dispose()
    answer = store.apply(1, "Ada", "t", Request("b", 0, {"do": "edit", "edit": RENAME}))
    assert answer == Acknowledged("b", 1)


def test_a_file_that_was_made_read_only_takes_nothing_until_it_can_be_written(
    tmp_path: Path,
) -> None:
    store = open_store(str(tmp_path / "store.db"))
    store.import_text("one.amr", TEXT)
    with read_only(store):
        for _ in range(2):
            with pytest.raises(UnavailableError, match="could not write: .*readonly"):
                store.apply(1, "Ada", "t", Request("a", 0, {"do": "edit", "edit": RENAME}))
        assert not store.log(1)
    with pytest.raises(UnavailableError):  # by a connection of before
        store.apply(1, "Ada", "t", Request("a", 0, {"do": "edit", "edit": RENAME}))
    answer = store.apply(1, "Ada", "t", Request("a", 0, {"do": "edit", "edit": RENAME}))
    assert answer == Acknowledged("a", 1)
    store.close()


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("sqlite://", "name the file"),
        ("mysql://x/y", "SQLite or PostgreSQL"),
        ("/no/such/folder/store.db", "no folder"),
        ("postgresql://nobody:secret@/x?host=/no/such", "cannot be opened"),
    ],
)
def test_an_address_that_is_none_is_named(url: str, reason: str) -> None:
    with pytest.raises(StoreError, match=reason) as error:
        open_store(url)
    assert "secret" not in str(error.value)


def test_a_file_that_is_no_store_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_text("not a database at all, but long enough to be looked at\n" * 20)
    with pytest.raises(UnavailableError, match="cannot be opened"):
        open_store(str(tmp_path / "x.db"))


def test_sqlite_writes_through_to_the_disk(tmp_path: Path) -> None:
    engine = open_engine(str(tmp_path / "store.db"))
    with engine.connect() as connection:
        modes = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    engine.dispose()
    assert modes == ["wal", 2, 1]


def holding(store: Store, *terms: str) -> list[int]:
    chosen = SentenceFilter(terms=terms)
    return [row.id for one in store.documents() for row, _ in store.graphs(one.id, chosen)]


def test_a_search_reads_only_graphs_that_may_hold_what_it_wants(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def counted(raw: str) -> Record:
        read.append(raw)
        return record_of(raw)

    monkeypatch.setattr(folding, "record_of", counted)
    assert holding(store) == [1, 2]
    assert not read  # a graph is read when it is asked for
    assert holding(store, "boy") == [1]
    ada = Person(store, "Ada")
    ada.does("edit", edit=RENAME)
    assert (holding(store, "boy"), holding(store, "girl", "*")) == ([], [1])
    store.copy_document(1, "copy.amr", "Ben")
    assert (holding(store, "boy"), holding(store, "girl")) == ([3], [1])  # it is as imported
    ada.does("undo")
    assert (holding(store, "boy"), holding(store, "girl")) == ([1, 3], [])


ODD = (
    '(a / and :op1 (p / percentage-entity :value "50%_/") :op2 (b / 50-x))',
    '(c / caf\u00e9 :wiki "Z\u00fcrich_(a/b)" :polarity -)',
    '(c / cafe\u0301-01 :ARG0-of (x / xyz :li "a*b"))',
    '(s / Star :ARG1 (t / \U0001f600) :op1 "New  York")',
)
PATTERNS = (
    '(x / * :value "50%*")',
    '(x / * :value "50_*")',
    "(x / 50*)",
    "(x / caf*)",
    "(x / cafe\u0301*)",
    '(x / * :wiki "*_(a/b)")',
    r'(x / * :* "a\*b")',
    "(x / xyz :ARG0 *)",
    "(x / caf* :!polarity *)",
    "(x / *tar :ARG* (y / \U0001f600))",
    '(x / * :op* "New  York")',
    "(x / ***)",
    "(x / star)",
)


def test_a_search_passes_over_no_graph_that_its_pattern_hits(store: Store) -> None:
    document = store.import_text(
        "odd.amr", "\n\n".join(f"# ::snt A.\n{one}" for one in ODD)
    ).document
    graphs = {row.id: graph_of() for row, graph_of in store.graphs(document)}
    num_hit = 0
    for text in PATTERNS:
        search = parse_search("pattern", text)
        hit = {number for number, graph in graphs.items() if count_hits(search, "", graph)}
        assert hit <= set(holding(store, *search.terms)), text
        num_hit += len(hit)
    assert num_hit > len(PATTERNS)
    assert len(holding(store, *parse_search("pattern", PATTERNS[0]).terms)) == 1


def test_memory_of_folds_is_bounded_by_what_they_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Large graphs with long logs push others out; the one at work always stays."""
    store = open_store(str(tmp_path / "store.db"))
    star = " ".join(f":ARG{n} (s{n} / star)" for n in range(200))
    text = "\n\n".join(f"# ::id s.{n}\n# ::snt Stars.\n(a / and {star})" for n in range(5))
    store.import_text("stars.amr", text)
    monkeypatch.setattr(folding, "KEPT_PARTS", 1_000)
    for row in store.sentences():
        store.sentence(row.id)
    cache = store._cache
    assert [n for n in range(1, 6) if cache.get(n) is not None] == [4, 5]
    for number in range(4):
        edit = {"edit": "rename-node", "id": "s7", "concept": f"sun-{number}"}
        done = store.apply(
            5, "Ada", "t", Request(f"r{number}", number, {"do": "edit", "edit": edit})
        )
        assert isinstance(done, Acknowledged)
    assert [n for n in range(1, 6) if cache.get(n) is not None] == [5]
    assert folding.num_parts(cache.get(5)) > 5 * 400
    store.sentence(1)
    assert [n for n in range(1, 6) if cache.get(n) is not None] == [1]
    store.check(5)
    store.close()
