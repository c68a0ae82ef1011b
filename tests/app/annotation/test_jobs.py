"""Work on whole documents: kept until it is done, by whichever server, and done once."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from app.annotation import scribe as scribe_module
from app.annotation.incoming import sentences_of
from app.annotation.scribe import Scribe
from app.engine.worker import Engine
from app.store import bulk
from app.store.bulk import Bulk, Planned
from app.store.documents.job_rows import LEASE, StoredJob
from app.store.documents.jobs import ParsedLine
from app.store.log.operations import Request
from app.store.records.database import open_engine
from app.store.records.tables import job_lines
from app.store.store import Store, open_store
from aptcore.editing.edits import RenameNode, Several
from aptcore.errors import CheckpointError, FormatError, StoreError
from aptcore.trace.trace import Trace
from aptcore.transition.actions import Action
from tests.app.conftest import Clock
from tests.app.pages.queue.test_page import FakeParser

WAIT_SECONDS = 120
LINES = (("1", "It rains."), ("3", "It snows."))


@pytest.fixture
def store(store_url: str, clock: Clock) -> Iterator[Store]:
    store = open_store(store_url, clock=clock)
    yield store
    store.close()


def block(job: StoredJob, line: str) -> str:
    return f"# ::id {job.name}.{line}\n# ::snt It rains.\n(r / rain-01)\n\n"


def parse_all(store: Store, job: StoredJob, worker: str) -> None:
    for line, _ in store.jobs.waiting(job.id):
        assert store.jobs.save(job.id, worker, ParsedLine(line, block(job, line), {"x": int(line)}))


def taken(store: Store, worker: str) -> StoredJob:
    job = store.jobs.take(worker)
    assert job is not None
    return job


def is_left(store_url: str) -> bool:
    """Tell whether any line of a job is still in the store."""
    engine = open_engine(store_url)
    with engine.connect() as connection:
        number = connection.execute(sa.select(sa.func.count()).select_from(job_lines)).scalar_one()
    engine.dispose()
    return bool(number)


# --- what the store keeps ----------------------------------------------------------------


def test_text_waits_in_the_store_and_another_worker_goes_on_where_one_ended(
    store: Store, store_url: str, clock: Clock
) -> None:
    store.jobs.add_parse("rain", LINES)
    job = taken(store, "first")
    assert store.jobs.save(job.id, "first", ParsedLine("1", block(job, "1"), {"x": 0.5}))
    store.close()
    clock.now += LEASE * 2

    again = open_store(store_url, clock=clock)
    job = taken(again, "second")
    assert (job.name, job.size, job.done) == ("rain", 2, 1)
    assert again.jobs.waiting(job.id) == (LINES[1],)
    assert again.jobs.save(job.id, "second", ParsedLine("3", block(job, "3"), {"x": 0.25}))
    report = again.jobs.finish(job.id, "second")
    assert report is not None
    assert [row.name for row in again.sentences(report.document)] == ["rain.1", "rain.3"]
    assert [values["x"] for values in again.scores(report.document).values()] == [0.5, 0.25]
    assert again.jobs.all() == ()
    assert not is_left(store_url)
    again.close()


def test_two_workers_never_have_one_job_and_the_late_one_imports_nothing(
    store: Store, clock: Clock
) -> None:
    store.jobs.add_parse("rain", LINES)
    job = taken(store, "first")
    assert store.jobs.take("second") is None
    parse_all(store, job, "first")
    clock.now += LEASE / 2
    assert store.jobs.renew(job.id, "first", 2, 2)
    clock.now += LEASE * 0.75
    assert store.jobs.take("second") is None  # it was renewed
    clock.now += LEASE
    assert taken(store, "second") == replace(job, done=2)
    assert not store.jobs.renew(job.id, "first", 2, 2)
    assert not store.jobs.save(job.id, "first", ParsedLine("1", block(job, "1"), {}))
    assert store.jobs.finish(job.id, "first") is None
    assert store.documents() == ()
    assert store.jobs.finish(job.id, "second") is not None
    assert store.jobs.finish(job.id, "second") is None
    assert [document.num_sentences for document in store.documents()] == [2]


def test_a_job_that_is_given_back_is_free_at_once(store: Store) -> None:
    job = store.jobs.add_parse("rain", LINES)
    taken(store, "first")
    store.jobs.release(job.id, "second")
    assert store.jobs.take("second") is None
    store.jobs.release(job.id, "first")
    assert store.jobs.take("second", {job.id}) is None
    assert taken(store, "second").id == job.id


def test_a_stopped_job_leaves_nothing_behind(store: Store, store_url: str) -> None:
    job = store.jobs.add_parse("rain", LINES)
    taken(store, "first")
    store.jobs.end(job.id)
    assert not store.jobs.save(job.id, "first", ParsedLine("1", block(job, "1"), {}))
    assert store.jobs.all() == ()
    assert not is_left(store_url)
    store.import_text("rain", "(r / rain-01)\n")


def test_the_name_of_what_is_being_parsed_is_taken(store: Store) -> None:
    store.import_text("snow", "(s / snow-01)\n")
    store.jobs.add_parse("rain", LINES)
    with pytest.raises(StoreError, match="'snow' already: give another name"):
        store.jobs.add_parse("snow", LINES)
    with pytest.raises(StoreError, match="'rain' is being parsed already"):
        store.jobs.add_parse("rain", LINES)
    with pytest.raises(StoreError, match="'rain' is being parsed already"):
        store.import_text("rain", "(r / rain-01)\n")
    with pytest.raises(StoreError, match="no plain file name"):
        store.jobs.add_parse("../rain", LINES)
    with pytest.raises(FormatError):
        store.jobs.add_parse("half", (("1", "a \ud800 half"),))
    assert [job.name for job in store.jobs.all()] == ["rain"]


def test_a_name_taken_meanwhile_does_not_cost_the_text(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On PostgreSQL two writers can take one name in the same moment."""
    store.jobs.add_parse("rain", LINES)
    job = taken(store, "first")
    parse_all(store, job, "first")
    monkeypatch.setattr("app.store.documents.importing.name_problem", lambda connection, name: None)
    store.import_text("rain", "(r / rain-01)\n")
    monkeypatch.undo()
    report = store.jobs.finish(job.id, "first")
    assert report is not None
    assert report.name == "rain 2"


def test_bytes_that_are_no_text_come_back_as_they_were(store: Store) -> None:
    store.jobs.add_parse("rain", (("1", "caf\udce9 \0."),))
    job = taken(store, "first")
    assert store.jobs.waiting(job.id) == (("1", "caf\udce9 \0."),)
    with pytest.raises(StoreError, match="line 1 is not parsed yet"):
        store.jobs.finish(job.id, "first")


def test_doubt_asked_for_twice_is_one_job(store: Store) -> None:
    document = store.import_text("rain", "(r / rain-01)\n").document
    job = store.jobs.add_doubt("rain", document)
    assert store.jobs.add_doubt("rain", document) == job
    assert store.jobs.all() == (job,)
    with pytest.raises(StoreError, match="no document 77"):
        store.jobs.add_doubt("none", 77)


def test_servers_that_take_at_once_import_each_document_once(store_url: str) -> None:
    store = open_store(store_url)
    names = [f"rain {number}" for number in range(6)]
    for name in names:
        store.jobs.add_parse(name, LINES)
    with ThreadPoolExecutor(4) as servers:  # each with connections of its own
        list(servers.map(take_and_finish, [store_url] * 4, "abcd"))
    assert sorted(document.name for document in store.documents()) == names
    assert {document.num_sentences for document in store.documents()} == {2}
    assert store.jobs.all() == ()
    store.close()


def take_and_finish(url: str, worker: str) -> None:
    store = open_store(url)
    while (job := store.jobs.take(worker)) is not None:
        parse_all(store, job, worker)
        assert store.jobs.finish(job.id, worker) is not None
    store.close()


# --- the worker of a server --------------------------------------------------------------


class SlowParser(FakeParser):
    """Takes its time for every sentence."""

    def trace(
        self, text: str, *, beam: int, prefix: Iterable[Action] = (), **told: object
    ) -> Trace:
        time.sleep(0.2)
        return super().trace(text, beam=beam, prefix=prefix)


class FaultyParser(FakeParser):
    """Has a fault in it that one sentence shows."""

    def trace(
        self, text: str, *, beam: int, prefix: Iterable[Action] = (), **told: object
    ) -> Trace:
        if "fault" in text:
            raise ZeroDivisionError("a fault")
        return super().trace(text, beam=beam, prefix=prefix)


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(scribe_module, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(scribe_module, "RETRY_SECONDS", 0.05)
    return str(tmp_path / "store.db")


def until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


TEXT = "\n".join(f"Sentence {number} rains." for number in range(1, 21))


def parse_slowly(url: str) -> None:
    """What a server does until it is killed."""
    Scribe(open_store(url), Engine(SlowParser)).parse("rain", sentences_of(TEXT))
    time.sleep(WAIT_SECONDS)


def test_a_server_killed_while_it_parses_loses_no_sentence_and_repeats_none(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(url)
    process = multiprocessing.get_context("spawn").Process(target=parse_slowly, args=(url,))
    process.start()
    until(lambda: any(job.done >= 3 for job in store.jobs.all()))
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    (left,) = store.jobs.all()
    assert 3 <= left.done < 20
    assert store.documents() == ()

    asked: list[str] = []

    class Noting(FakeParser):
        def trace(
            self, text: str, *, beam: int, prefix: Iterable[Action] = (), **told: object
        ) -> Trace:
            asked.append(text)
            return super().trace(text, beam=beam, prefix=prefix)

    later = open_store(url, clock=lambda: datetime.now(UTC) + LEASE)
    scribes = [Scribe(later, Engine(Noting)), Scribe(later, Engine(Noting))]
    until(lambda: bool(store.documents()))
    assert len(asked) == 20 - left.done
    rows = store.sentences()
    assert [row.name for row in rows] == [f"rain.{number}" for number in range(1, 21)]
    assert [row.text for row in rows] == [f"Sentence {n} rains ." for n in range(1, 21)]
    assert len(store.scores(1)) == 20
    assert store.jobs.all() == ()
    for scribe in scribes:
        until(lambda scribe=scribe: all(job.is_over for job in scribe.jobs))  # type: ignore[misc]
        assert not any(job.error for job in scribe.jobs)
        scribe.close()


def test_a_fault_of_the_program_costs_one_sentence(url: str) -> None:
    store = open_store(url)
    scribe = Scribe(store, Engine(FaultyParser))
    job = scribe.parse("rain", sentences_of("It rains.\n\nThe fault.\nIt snows.\n"))
    until(lambda: job.is_over)
    assert not job.error
    assert [name for name, _ in job.failed] == ["rain.3"]
    rows = store.sentences()
    assert [row.text for row in rows] == ["It rains .", "The fault.", "It snows ."]
    assert "ZeroDivisionError: a fault" in rows[1].apart
    scribe.close()


def test_text_waits_while_there_is_no_model(url: str) -> None:
    broken = [True]

    def load() -> FakeParser:
        if broken[0]:
            raise CheckpointError("no model here")
        return FakeParser()

    store = open_store(url)
    scribe = Scribe(store, Engine(load))
    job = scribe.parse("rain", sentences_of("It rains.\n"))
    until(lambda: "no model here" in job.error)
    assert not job.is_over
    assert store.documents() == ()
    broken[0] = False
    until(lambda: job.is_over)
    assert [row.text for row in store.sentences()] == ["It rains ."]
    scribe.close()


def test_a_job_stopped_by_one_server_ends_on_the_other(url: str) -> None:
    store = open_store(url)
    worker = Scribe(store, Engine(SlowParser))
    job = worker.parse("rain", sentences_of(TEXT))
    until(lambda: job.done > 0)
    other = Scribe(open_store(url), Engine(FakeParser))
    (seen,) = other.jobs
    other.stop(seen)
    until(lambda: job.is_over or all(one.is_over for one in worker.jobs))
    assert job.error == "stopped before its end"
    assert store.documents() == ()
    again = worker.parse("rain", sentences_of("It rains.\n"))
    until(lambda: all(one.is_over for one in worker.jobs))  # either of them may have done it
    assert not again.error
    assert [document.name for document in store.documents()] == ["rain"]
    worker.close()
    other.close()


def test_a_worker_that_is_closed_gives_its_job_back(url: str) -> None:
    store = open_store(url)
    worker = Scribe(store, Engine(SlowParser))
    job = worker.parse("rain", sentences_of(TEXT))
    until(lambda: job.done > 0)
    worker.close()
    other = Scribe(open_store(url), Engine(FakeParser))
    until(lambda: bool(store.documents()))
    assert store.documents()[0].num_sentences == 20
    other.close()


def test_doubt_that_a_dead_server_was_to_work_out_is_worked_out(url: str) -> None:
    store = open_store(url)
    document = store.import_text("rain", "# ::snt It rains.\n(r / rain-01)\n").document
    store.jobs.add_doubt("rain", document)
    assert store.jobs.take("the dead one") is not None
    later = open_store(url, clock=lambda: datetime.now(UTC) + LEASE * 2)
    scribe = Scribe(later, Engine(FakeParser))
    until(lambda: not store.jobs.all())
    assert "disagreement" in store.scores(document)[1]
    scribe.close()


# --- bulk work ---------------------------------------------------------------------------

NUM_RAINS = 40


def rain(url: str) -> Store:
    store = open_store(url)
    blocks = (f"# ::id {n}\n# ::snt It rains.\n(r / rain-01)\n\n" for n in range(NUM_RAINS))
    store.import_text("rain.amr", "".join(blocks))
    return store


def ask_to_rewrite(store: Store) -> StoredJob:
    edit = Several((RenameNode("r", "snow-01"),))
    planned = [Planned(row.id, row.revision, edit) for row in store.sentences()]
    return store.bulk.rewrite("Ada", "t", planned, "rain to snow", "one")


def rewrite_slowly(url: str) -> None:
    """What a server does until it is killed."""
    bulk.TOGETHER, scribe_module.IMMEDIATE, scribe_module.GAP_SECONDS = 2, 0, 0.2
    store = open_store(url)
    Scribe(store, Engine(FakeParser)).do_all(ask_to_rewrite(store))
    time.sleep(WAIT_SECONDS)


def killed_in_the_midst(url: str, store: Store) -> StoredJob:
    process = multiprocessing.get_context("spawn").Process(target=rewrite_slowly, args=(url,))
    process.start()
    until(lambda: any(job.done >= 4 for job in store.jobs.all()))
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    (left,) = store.jobs.all()
    assert 4 <= left.done < NUM_RAINS
    assert len(store.batches()[0].standing) == left.done  # it says how far it came
    return left


def test_a_rewrite_whose_server_is_killed_goes_on_and_does_nothing_twice(url: str) -> None:
    store = rain(url)
    killed_in_the_midst(url, store)
    later = open_store(url, clock=lambda: datetime.now(UTC) + LEASE)
    scribe = Scribe(later, Engine(FakeParser))
    until(lambda: any(job.is_over for job in scribe.jobs))
    (job,) = scribe.jobs
    assert (job.done, job.failed, job.error) == (NUM_RAINS, [], "")
    assert len(store.batches()[0].standing) == NUM_RAINS
    assert {row.revision for row in store.sentences()} == {1}
    scribe.close()


def test_a_rewrite_whose_server_is_killed_can_be_stopped_and_taken_back_whole(url: str) -> None:
    store = rain(url)
    before = store.export(1)
    left = killed_in_the_midst(url, store)
    scribe = Scribe(store, Engine(FakeParser))  # the dead one still holds the job
    (job,) = scribe.jobs
    scribe.stop(job)
    assert (job.done, job.size, job.error) == (left.done, NUM_RAINS, "stopped before its end")
    undo = scribe.do_all(store.bulk.undo("Ada", "t", "one", "rain to snow", "back"))
    assert (undo.is_over, undo.done, undo.failed) == (True, left.done, [])
    assert store.export(1) == before
    scribe.close()


def test_others_write_while_a_rewrite_is_at_work(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a gap between lots nobody else would get in before the end."""
    monkeypatch.setattr(bulk, "TOGETHER", 2)
    monkeypatch.setattr(scribe_module, "IMMEDIATE", 0)
    store = rain(url)
    slow = Bulk._answer

    def slowly(*rest: Any) -> Any:
        time.sleep(0.05)
        return slow(*rest)

    monkeypatch.setattr(Bulk, "_answer", slowly)
    scribe = Scribe(store, Engine(FakeParser))
    job = scribe.do_all(ask_to_rewrite(store))
    until(lambda: job.done > 0)
    other = open_store(url)
    other.apply(NUM_RAINS, "Ben", "t", Request("c", 0, {"do": "comment", "text": "hm"}))
    assert job.done <= NUM_RAINS / 2
    until(lambda: job.is_over)
    assert job.failed == []
    scribe.close()


def test_what_became_of_a_job_is_told_by_every_server_and_after_a_restart(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scribe_module, "IMMEDIATE", 0)
    store, other = rain(url), open_store(url)
    edit = {"edit": "rename-node", "id": "r", "concept": "storm-01"}
    asked = ask_to_rewrite(store)
    store.apply(3, "Ben", "t", Request("e", 0, {"do": "edit", "edit": edit}))
    watcher = Scribe(other, Engine(FakeParser))
    watcher.close()  # it looks, and works at nothing
    (seen,) = watcher.jobs
    assert not seen.is_over
    worker = Scribe(store, Engine(FakeParser))
    job = worker.do_all(asked)
    until(lambda: job.is_over)
    worker.close()
    (told,) = watcher.jobs
    assert told is seen
    assert (told.is_over, told.done, told.error) == (True, NUM_RAINS, "")
    assert told.failed == [("sentence 3", "Ben changed the sentence since the preview")]
    restarted = Scribe(open_store(url), Engine(FakeParser))
    assert restarted.jobs == watcher.jobs
    restarted.close()


def test_what_became_of_a_parse_is_told_by_every_server(url: str) -> None:
    store = open_store(url)
    watcher = Scribe(open_store(url), Engine(FakeParser))
    watcher.close()
    worker = Scribe(store, Engine(FaultyParser))
    job = worker.parse("rain", sentences_of("It rains.\nA fault.\n"))
    until(lambda: job.is_over)
    document = store.import_text("sun", "# ::id s\n# ::snt A fault.\n(r / rain-01)\n").document
    doubt = worker.doubt("sun", document)
    until(lambda: doubt.is_over)
    told = [(one.name, one.done, [name for name, _ in one.failed]) for one in watcher.jobs]
    assert told == [("rain", 2, ["rain.2"]), ("sun", 1, ["s"])]
    worker.close()
