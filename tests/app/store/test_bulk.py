"""One edit of many sentences, and one undo for all of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from app.store import bulk
from app.store.bulk import Bulk, Planned
from app.store.documents import job_rows
from app.store.documents.job_rows import BULK, LEASE, StoredJob
from app.store.log.operations import Acknowledged, Request
from app.store.store import Store, open_store
from aptcore.editing.edits import RenameNode, Several, edit_to_json
from aptcore.errors import StoreError, UnavailableError
from tests.app.conftest import Clock

TEXT = """# ::id a
# ::snt Ants march.
(m / march-01 :ARG0 (a / ant))

# ::id b
# ::snt Ants eat.
(e / eat-01 :ARG0 (a / ant))

# ::id c
# ::snt Ants.
(a / ant)
"""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    opened = open_store(str(tmp_path / "store.db"))
    opened.import_text("ants.amr", TEXT)
    return opened


def rename_all(store: Store, to: str = "bee") -> list[Planned]:
    edit = Several((RenameNode("a", to),))
    return [Planned(row.id, row.revision, edit) for row in store.sentences()]


def rewrite(store: Store, planned: list[Planned], note: str = "ant -> bee") -> StoredJob:
    return store.bulk.finish(store.bulk.rewrite("Ada", "t", planned, note, "one"))


def take_back(store: Store, person: str = "Ada", name: str = "back") -> StoredJob:
    return store.bulk.finish(store.bulk.undo(person, "t", "one", "ant -> bee", name))


def test_a_bulk_edit_is_one_batch_and_one_undo(store: Store) -> None:
    start = store.export(1)
    done = rewrite(store, rename_all(store))
    assert (done.size, done.done, done.failed) == (3, 3, ())
    (batch,) = store.batches()
    assert (batch.id, batch.person, batch.note) == ("one", "Ada", "ant -> bee")
    assert batch.standing == batch.sentences == (1, 2, 3)
    undone = take_back(store)
    assert (undone.done, undone.failed) == (3, ())
    assert store.export(1) == start
    assert store.batches()[0].standing == ()
    assert store.jobs.all() == ()


def test_refused_sentences_are_named_and_the_others_go_on(store: Store) -> None:
    planned = rename_all(store)
    (first, second, third) = (plan.sentence for plan in planned)
    other = {"do": "edit", "edit": edit_to_json(RenameNode("a", "wasp"))}
    assert isinstance(store.apply(first, "Ben", "t2", Request("1", 0, other)), Acknowledged)
    planned[1] = Planned(second, 0, Several((RenameNode("x", "bee"),)))
    planned.append(Planned(99, 0, planned[0].edit))
    done = rewrite(store, planned)
    assert store.batches()[0].sentences == (third,)
    assert done.failed == (
        (f"sentence {first}", "Ben changed the sentence since the preview"),
        (f"sentence {second}", "there is no node x"),
        ("sentence 99", "there is no sentence 99 in the store"),
    )


def test_an_undo_that_others_built_on_is_refused_there_only(store: Store) -> None:
    rewrite(store, rename_all(store))
    assert isinstance(store.apply(1, "Ben", "t2", Request("1", 1, {"do": "accept"})), Acknowledged)
    undone = take_back(store)
    assert [name for name, _ in undone.failed] == ["sentence 1"]
    assert "Ben accepted the graph" in undone.failed[0][1]
    assert store.batches()[0].standing == (1,)
    assert "of yours" in take_back(store, "Ben", "bens").failed[0][1]


def test_a_stopped_rewrite_has_done_what_it_says_and_its_undo_takes_back_that(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "TOGETHER", 1)
    start, job = store.export(1), store.bulk.rewrite("Ada", "t", rename_all(store), "", "one")
    assert store.jobs.all() == (job,)
    assert store.bulk.hold(job.id, "w")
    for done in (1, 2):
        step = store.bulk.go_on(job.id, "w")
        assert step is not None
        assert step.done == done == store.jobs.all()[0].done == len(store.batches()[0].standing)
    with pytest.raises(StoreError, match="still at work: stop it first"):
        take_back(store)
    left = store.jobs.end(job.id)
    assert left is not None
    assert (left.done, left.size) == (2, 3)
    assert store.bulk.go_on(job.id, "w") is None
    assert store.batches()[0].standing == (1, 2)
    assert take_back(store).size == 2
    assert store.export(1) == start
    assert store.jobs.end(job.id) is None


def test_what_became_of_jobs_is_kept_for_some_time_and_of_some(
    store_url: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(store_url, clock=clock)
    store.import_text("one.amr", TEXT)
    monkeypatch.setattr(job_rows, "KEPT_OUTCOMES", 2)
    for name in ("one", "two", "three", "told"):
        clock.now += timedelta(minutes=1)
        job = store.bulk.assign("Ada", "t", {1: "Ben", 99: "Ben"}, "Ben", name)
        assert store.bulk.hold(job.id, "w")
        assert store.bulk.go_on(job.id, "w", is_told=name == "told") is not None
    assert store.jobs.all() == ()
    two, three = store.jobs.ended()
    assert [one.id for one in (two, three)] == ["two", "three"]
    failed = (("sentence 99", "there is no sentence 99 in the store"),)
    assert (three.is_over, three.done, three.failed, three.error) == (True, 2, failed, "")
    again = store.bulk.assign("Ada", "t", {1: "Cleo"}, "Cleo", "three")
    assert again == three  # asked for again it is the same, and done
    assert store.bulk.finish(again) == three
    assert not store.bulk.hold("three", "w")
    clock.now += job_rows.KEPT_TIME
    assert store.jobs.ended() == ()
    store.close()


def test_one_rewrite_is_taken_back_by_one_undo_at_a_time(store: Store) -> None:
    rewrite(store, rename_all(store))
    store.bulk.undo("Ada", "t", "one", "", "back")
    with pytest.raises(StoreError, match="being taken back already"):
        store.bulk.undo("Ada", "t", "one", "", "again")
    with pytest.raises(StoreError, match="no such rewrite"):
        store.bulk.undo("Ada", "t", "two", "", "again")


def test_what_is_asked_for_again_goes_on_and_does_nothing_twice(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = rename_all(store)
    monkeypatch.setattr(bulk, "TOGETHER", 1)

    def ask_twice(ask: Callable[[], StoredJob]) -> StoredJob:
        go_on, left = Bulk.go_on, [1, 2]

        def failing(*rest: Any, **told: Any) -> StoredJob | None:
            if not left:
                raise UnavailableError("the store could not write")
            left.pop()
            return go_on(*rest, **told)

        with monkeypatch.context() as context:
            context.setattr(Bulk, "go_on", failing)
            with pytest.raises(UnavailableError):
                store.bulk.finish(ask())
        (half,) = store.jobs.all()
        assert half.done == 2
        assert store.jobs.take("another", kinds=BULK) is None  # its worker may live yet
        clock.now += LEASE * 2
        assert store.jobs.take("another", kinds=BULK) == half
        found = half
        while (step := store.bulk.go_on(half.id, "another")) is not None:
            found = step
        return found

    clock = Clock()
    store = Store(store._engine, clock)
    done = ask_twice(lambda: store.bulk.rewrite("Ada", "t", planned, "", "one"))
    assert (done.done, done.failed) == (3, ())
    undone = ask_twice(lambda: store.bulk.undo("Ada", "t", "one", "", "back"))
    assert (undone.done, undone.failed) == (3, ())
    # What was done already is asked for once more, as after an answer that was lost.
    assert rewrite(store, planned, "").failed == ()
    assert all(len(store.log(plan.sentence)) == 2 for plan in planned)


def test_a_lot_that_the_disk_does_not_take_leaves_nothing_of_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = store.bulk.rewrite("Ada", "t", rename_all(store), "", "one")
    assert store.bulk.hold(job.id, "w")

    def fail(*_: object) -> None:
        raise UnavailableError("the disk is full")

    with monkeypatch.context() as context:
        context.setattr(bulk, "hold", fail)  # the last that is written before the commit
        with pytest.raises(UnavailableError):
            store.bulk.go_on(job.id, "w")
    assert store.batches() == ()
    assert store.jobs.all() == (job,)
    step = store.bulk.go_on(job.id, "w")
    assert step is not None
    assert step.done == 3


def test_an_undo_reads_no_whole_sentence(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    rewrite(store, rename_all(store))

    def fail(*_: object) -> None:
        raise AssertionError("a whole sentence is read")

    monkeypatch.setattr(Store, "sentence", fail)
    assert take_back(store).done == 3


def test_sentences_are_assigned_by_a_job(store: Store) -> None:
    people = {1: "Ben", 2: "Zoe", 99: "Ben"}
    done = store.bulk.finish(store.bulk.assign("Ada", "t", people, "Ben, Zoe", "deal"))
    assert done.failed == (("sentence 99", "there is no sentence 99 in the store"),)
    assert [row.assigned for row in store.sentences()] == ["Ben", "Zoe", ""]


def test_a_batch_of_any_size_is_found_by_statements_of_few_values(store: Store) -> None:
    """SQLite takes some 32,000 values in a statement, PostgreSQL 65,535."""
    rewrite(store, rename_all(store))
    take_back(store)
    sizes: list[int] = []

    def note(*event: Any) -> None:
        sizes.append(len(event[3]))

    sa.event.listen(store._engine, "before_cursor_execute", note)
    assert store.batches()[0].standing == ()
    assert max(sizes) <= 2
