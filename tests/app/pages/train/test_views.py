"""What the Train page says, draws and asks for, without Streamlit."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.addresses.codec import format_link, parse_link
from app.addresses.train import TrainLink, View
from app.pages.train.charts import MAX_POINTS, dev_frame, line_chart, short_dev, step_frame, thinned
from app.pages.train.form import SETTINGS, free_name, overrides_of, values_of
from app.pages.train.tables import outcome_frame, run_frame
from app.pages.train.watch import (
    NO_FIGURE,
    NO_SCORE,
    bytes_text,
    can_resume,
    can_stop,
    describe_best,
    describe_estimate,
    describe_run,
    seconds_left,
    seconds_text,
    share_done,
    short_state,
    tiles_of,
    tiles_of_estimate,
)
from trainer.config import load_config
from trainer.runs.estimates import Estimate
from trainer.runs.launching import shipped_configs
from trainer.runs.status import Beat, State
from trainer.runs.watching import DevRow, Metrics, RunInfo, StepRow

NOW = 1_000_000.0
EMPTY = Metrics()
SOME = Metrics(
    steps=(StepRow(50, 1, 2.0, 0.0001, 400.0), StepRow(100, 2, 1.0, 0.0002, 500.0)),
    dev=(DevRow(1, {"a/dev.txt": 0.5, "b.txt": 0.3}), DevRow(2, {"a/dev.txt": 0.0, "b.txt": 0.2})),
)


def run(state: State, *, step: int = 100, silent: float = 0.0, message: str = "") -> RunInfo:
    beat = Beat(NOW - silent, "measuring on dev", step, 400, 2)
    return RunInfo("one", Path("runs/one"), state, message, NOW - 60, NOW - silent, beat, ())


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("queued", "waits for other"),
        ("preparing", "reads the corpora"),
        ("running", "measuring on dev"),
        ("stopping", "saves"),
        ("stopped", "it can go on at step 100"),
        ("failed", "waits for other"),
        ("dead", "failed"),
        ("finished", "finished"),
    ],
)
def test_every_state_is_said_in_words(state: State, words: str) -> None:
    assert words in describe_run(run(state, message="waits for other"), NOW)


def test_a_silent_run_is_said_to_be_held_up() -> None:
    assert "silent for 40 s" in describe_run(run("running", silent=40), NOW)


def test_what_can_be_done_follows_from_the_state() -> None:
    states: tuple[State, ...] = ("queued", "preparing", "running", "stopping", "stopped", "dead")
    assert [can_stop(run(state)) for state in states] == [True, True, True, False, False, False]
    assert [can_resume(run(state)) for state in states] == [False] * 4 + [True, True]
    assert not can_resume(run("finished"))


def test_a_score_that_is_not_there_is_no_zero() -> None:
    tiles = tiles_of(run("running"), EMPTY, ("a/dev.txt",))
    assert [tile.value for tile in tiles][1:] == [NO_FIGURE] * 3 + [NO_SCORE]
    assert run_frame([(run("running"), EMPTY)])["best dev Smatch"].isna().all()
    assert NO_SCORE in describe_best(EMPTY)
    assert dev_frame({"one": EMPTY}).empty


def test_a_score_of_zero_is_a_zero() -> None:
    tiles = tiles_of(run("running"), SOME, ("a/dev.txt", "b.txt", "later.txt"))
    assert [tile.value for tile in tiles][-3:] == ["0.0", "20.0", NO_SCORE]
    assert tiles[1].value == "1.0000"
    assert "epoch 1, greedy dev Smatch a/dev 50.0, b 30.0" in describe_best(SOME)
    assert list(run_frame([(run("running"), SOME)])["best dev Smatch"]) == [40.0]


def test_progress_is_a_share_of_the_steps() -> None:
    assert share_done(run("running")) == 0.25
    assert short_state(run("running")) == "running 25%"
    assert short_state(run("stopped")) == "stopped"
    assert share_done(run("finished")) == 1.0


def test_what_is_left_is_reckoned_from_the_last_rate() -> None:
    assert seconds_left(run("running"), SOME, 1000, 10) == 15.0
    assert seconds_left(run("running"), EMPTY, 1000, 10) is None
    assert seconds_left(run("stopped"), SOME, 1000, 10) is None
    assert seconds_left(run("running"), SOME, 0, 10) is None


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(-1, "0 s"), (12.4, "12 s"), (600, "10 min"), (9000, "2.5 h"), (10**6, "12 days")],
)
def test_spans_of_time_are_rounded_to_what_matters(seconds: float, text: str) -> None:
    assert seconds_text(seconds) == text


def test_only_changed_settings_become_overrides_and_free_ones_come_last() -> None:
    shipped = values_of(load_config(shipped_configs()["gold"]))
    assert overrides_of(shipped, shipped, "") == ()
    values = {**shipped, "loop.epochs": 3, "model.size": "base"}
    free = "# a remark\n\n loop.epochs=4 \nmodel.shapes=false"
    assert overrides_of(values, shipped, free) == (
        "model.size=base",
        "loop.epochs=3",
        "loop.epochs=4",
        "model.shapes=false",
    )


@pytest.mark.parametrize("name", list(shipped_configs()))
def test_every_shipped_configuration_fills_the_form(name: str) -> None:
    path = shipped_configs()[name]
    values = values_of(load_config(path))
    assert set(values) == {setting.key for setting in SETTINGS}
    changed = overrides_of(values, dict.fromkeys(values, ""), "")
    assert load_config(path, changed) == load_config(path)


def test_the_proposed_name_is_free() -> None:
    assert free_name("gold", ["gold-1", "gold-2", "other"]) == "gold-3"


@given(
    view=st.sampled_from(get_args(View)),
    run=st.one_of(st.none(), st.text(min_size=1)),
    other=st.one_of(st.none(), st.text(min_size=1)),
)
def test_an_address_says_what_is_shown(view: View, run: str | None, other: str | None) -> None:
    link = TrainLink(view, run, other if view == "compare" else None)
    assert parse_link(TrainLink, format_link(link)) == link


def test_an_address_that_cannot_be_read_shows_the_runs() -> None:
    assert parse_link(TrainLink, {"view": "nonsense", "run": ""}) == TrainLink()


def test_lines_are_thinned_evenly_and_keep_their_last_point() -> None:
    rows = list(range(10 * MAX_POINTS + 7))
    thin = thinned(rows)
    assert len(thin) <= MAX_POINTS
    assert thin[-1] == rows[-1]
    assert list(thin) == sorted(thin)
    assert thinned(rows[:5]) == rows[:5]


def test_charts_name_their_lines_by_run_and_dev_set() -> None:
    assert set(dev_frame({"one": SOME})["line"]) == {"a/dev", "b"}
    both = {"one": SOME, "two": SOME}
    assert set(dev_frame(both)["line"]) == {
        "one: a/dev",
        "one: b",
        "two: a/dev",
        "two: b",
    }
    assert list(step_frame({"one": SOME})["actions_per_second"]) == [400.0, 500.0]


def test_lines_differ_in_more_than_colour() -> None:
    points = step_frame({"one": SOME, "two": SOME})
    spec = line_chart(points, "step", "loss", "Loss", has_legend=True).to_dict()
    assert spec["encoding"]["strokeDash"]["field"] == "line"
    plain = line_chart(points[:2], "step", "loss", "Loss", has_legend=False).to_dict()
    assert "color" not in plain["encoding"]
    assert plain["height"] < spec["height"]


def test_dev_sets_have_short_names() -> None:
    assert short_dev("little-prince/v3.0/amr-dev.txt") == "little-prince/amr-dev"
    assert short_dev("dev") == "dev"


def test_two_runs_stand_side_by_side() -> None:
    other = RunInfo("two", Path(), "queued", "", 0, 0, Beat(), ())
    frame = outcome_frame((run("stopped"), SOME), (other, EMPTY))
    rows = dict(zip(frame.index, frame.itertuples(index=False, name=None), strict=True))
    assert rows["state"] == ("stopped", "queued")
    assert rows["last loss per action"] == ("1.0000", NO_FIGURE)
    assert rows["best epoch: Smatch b"] == ("30.0", NO_SCORE)


def test_estimates_are_called_estimates() -> None:
    estimate = Estimate(
        6000, 64, 8, 900.0, 60.0, 200.0, 30.0, 5000.0, 4_000_000, 2**30, 10**8, True
    )
    assert all(tile.value.startswith("≈ ") for tile in tiles_of_estimate(estimate))
    said = describe_estimate(estimate)
    assert "**Estimates** from 8 dry batches over 64 of 6,000 sentences" in said
    assert "Another run was on" in said
    assert bytes_text(2**30) == "1.1 GB"
