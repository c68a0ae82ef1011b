"""Short forms of the commands that simulate annotators and kill the server."""

from __future__ import annotations

from benchmarks.annotators import Plan, simulate
from benchmarks.killing import run


def test_nothing_acknowledged_is_lost_when_the_server_is_killed(store_url: str) -> None:
    result = run(store_url, times=6, seed=3)
    assert (result.kills, result.lost, result.unsound) == (6, 0, 0)
    assert result.acknowledged + result.sent_again > 6


def test_many_annotators_leave_a_sound_store(store_url: str) -> None:
    plan = Plan(store_url, people=6, seconds=4, think=0.2, processes=2, seed=2)
    result = simulate(plan)
    assert (result.errors, result.missing, result.unsound) == (0, 0, 0)
    assert result.acknowledged >= plan.people
