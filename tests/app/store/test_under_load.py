"""Short forms of the commands that simulate annotators and kill the server."""

from __future__ import annotations

from pathlib import Path

from app.store.store import open_store
from benchmarks.annotators import Plan, simulate
from benchmarks.killing import run
from benchmarks.large_store import measure


def test_nothing_acknowledged_is_lost_when_the_server_is_killed(store_url: str) -> None:
    result = run(store_url, times=6, seed=3)
    assert (result.kills, result.lost, result.unsound) == (6, 0, 0)
    assert result.acknowledged + result.sent_again > 6


def test_many_annotators_leave_a_sound_store(store_url: str) -> None:
    plan = Plan(store_url, people=6, seconds=4, think=0.2, processes=2, seed=2)
    result = simulate(plan)
    assert (result.errors, result.missing, result.unsound) == (0, 0, 0)
    assert result.acknowledged >= plan.people


def test_a_walk_through_the_pages_is_measured_and_leaves_a_sound_store(tmp_path: Path) -> None:
    store_url = str(tmp_path / "large.db")
    measured = {row.name: row for row in measure(store_url, num_sentences=30, minutes=0)}
    timed = [row for row in measured.values() if row.unit == "s"]
    assert len(timed) >= 10
    assert all(row.value > 0 for row in timed)
    store = open_store(store_url)
    rows = store.sentences()
    (batch,) = store.batches()
    assert [row.status for row in rows].count("accepted") == 7
    assert batch.sentences
    assert not batch.standing
    for row in rows:
        store.check(row.id)
    store.close()
