"""Queues on both databases: pages of rows are filtered, sorted and counted by the store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from app.store.documents.listing import SentenceFilter
from app.store.documents.queues import RANDOM, Queue
from app.store.log.operations import Request
from app.store.records.tables import operations, sentences
from app.store.store import Store, open_store
from tests.app.conftest import Clock

NUM = 12
ORDERS = (("", False), (RANDOM, False), ("margin", False), ("margin", True))


@pytest.fixture
def store(store_url: str, clock: Clock) -> Iterator[Store]:
    """A store of two documents, on either database."""
    yield from filled(store_url, clock)


@pytest.fixture
def sqlite_store(tmp_path: Path, clock: Clock) -> Iterator[Store]:
    yield from filled(str(tmp_path / "work.db"), clock)


def filled(url: str, clock: Clock) -> Iterator[Store]:
    store = open_store(url, clock=clock)
    for name, num in (("one.amr", NUM), ("two.amr", 3)):
        blocks = [f"# ::id {name}.{n}\n# ::snt Émile {n}.\n(r / rain-01)" for n in range(num)]
        store.import_text(name, "\n\n".join(blocks))
    # Equal figures, and two sentences without one.
    store.set_scores(
        {row.id: {"margin": row.id % 4 / 7} for row in store.sentences() if row.id > 2}
    )
    yield store
    store.close()


def ids(store: Store, queue: Queue) -> list[int]:
    return [row.sentence.id for row in store.queues.rows(queue)]


@pytest.mark.parametrize(("order", "is_large_first"), ORDERS)
def test_pages_and_steps_go_through_one_order(
    store: Store, order: str, is_large_first: bool
) -> None:
    queue = Queue((1, 2), order=order, is_large_first=is_large_first)
    whole = ids(store, queue)
    assert sorted(whole) == [row.id for row in store.sentences()]
    pages = [store.queues.rows(queue, start, 4) for start in range(0, len(whole), 4)]
    assert [row.sentence.id for page in pages for row in page] == whole
    for place, here in enumerate(whole):
        assert list(store.queues.ids(queue, after=here)) == whole[place + 1 :]
        assert list(store.queues.ids(queue, before=here)) == whole[:place][::-1]
        assert list(store.queues.ids(queue, after=here, limit=1)) == whole[place + 1 : place + 2]


def test_the_most_doubtful_comes_first_and_what_has_no_figure_last(store: Store) -> None:
    for sign, is_large_first in ((1, False), (-1, True)):
        rows = store.queues.rows(Queue((1, 2), order="margin", is_large_first=is_large_first))
        known = [(sign * row.doubt, row.sentence.id) for row in rows if row.doubt is not None]
        assert known == sorted(known)
        assert len(known) == NUM + 1
        assert [row.sentence.id for row in rows[-2:]] == [1, 2]
    assert store.queues.missing(Queue((1, 2), order="margin")) == {1: 2}
    done = SentenceFilter(status=("accepted",))
    assert store.queues.missing(Queue((1, 2), done, "margin")) == {}


def test_chance_is_no_order_of_the_file_and_each_time_the_same(store: Store) -> None:
    once = ids(store, Queue((1, 2), order=RANDOM))
    assert once == ids(store, Queue((1, 2), order=RANDOM))
    steps = {after - before for before, after in zip(once, once[1:], strict=False)}
    assert len(steps) > NUM // 2


def test_filters_hold_for_rows_counts_and_steps_alike(store: Store, clock: Clock) -> None:
    for sentence, what in (
        (2, {"do": "accept"}),
        (3, {"do": "assign", "person": "Ben"}),
        (4, {"do": "flag", "on": True, "reason": "Größe unclear"}),
        (5, {"do": "assign", "person": "Ada"}),
    ):
        store.apply(sentence, "Ada", "t", Request(f"r{sentence}", 0, what))
    store.claim(6, "Ben")
    free = SentenceFilter(status=("open",), free_for="Ada")
    every = [row.id for row in store.sentences(1)]
    found = {
        free: [one for one in every if one not in (2, 3, 6)],
        SentenceFilter(flagged=True): [4],
        SentenceFilter(text="UNCLEAR"): [4],
        SentenceFilter(text="Émile 1"): [2, 11, 12],
        SentenceFilter(text="ben"): [3],
        SentenceFilter(text="%"): [],
        SentenceFilter(number=3): [3],
        SentenceFilter(among=(9, 7, 700)): [7, 9],
    }
    for chosen, wanted in found.items():
        queue = Queue((1,), chosen)
        assert ids(store, queue) == wanted
        assert store.queues.count(queue) == len(wanted)
        assert list(store.queues.ids(queue, after=1)) == [one for one in wanted if one != 1]
        assert sorted(ids(store, replace(queue, order="margin"))) == wanted
    clock.now += timedelta(hours=1)  # the claim is over
    assert 6 in ids(store, Queue((1,), free))


def test_a_filter_knows_more_letters_than_those_of_english(sqlite_store: Store) -> None:
    """In PostgreSQL the locale of the database says which letters are one."""
    assert ids(sqlite_store, Queue((1,), SentenceFilter(text="éMILE 1"))) == [2, 11, 12]


def test_a_queue_of_no_documents_is_empty(store: Store) -> None:
    assert (ids(store, Queue(())), store.queues.count(Queue(()))) == ([], 0)


def test_lists_and_counts_go_by_the_index(sqlite_store: Store) -> None:
    """The columns of a filter stand in one index: no row is read to count, none of the log."""
    query = sa.select(sa.func.count()).where(
        sentences.c.document.in_((1, 2)), sentences.c.status == "open"
    )
    with sqlite_store._engine.connect() as connection:
        text = str(query.compile(connection, compile_kwargs={"literal_binds": True}))
        plan = " ".join(row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}"))
        assert connection.execute(sa.select(sa.func.count(operations.c.sentence))).scalar() == 0
    assert "COVERING INDEX ix_sentences_queue" in plan
