"""Runs on disk: what their files mean, the queue, and real processes that live and die."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from aptcore.errors import InputError, TrainingError
from tests.trainer.learning.test_loop import CORPUS
from trainer.config import TrainConfig, load_config
from trainer.learning.loop import train
from trainer.runs import estimates, launching
from trainer.runs import watching as trained
from trainer.runs.files import append_json_line, read_json_lines, write_json
from trainer.runs.heartbeat import beating
from trainer.runs.launching import Wish, shipped_configs, wait_for_turn
from trainer.runs.processes import Process, is_alive, own_process, process_of
from trainer.runs.status import (
    SILENT_SECONDS,
    Announcement,
    Beat,
    announce,
    read_announcement,
    read_beat,
    state_of,
    write_announcement,
    write_beat,
)

PATIENCE = 180
TINY = (
    'data.train=["train.txt"]',
    'data.dev=["dev.txt"]',
    "oracle.min_label_count=1",
    "loop.batch_actions=40",
    "loop.dev_every=1",
    "loop.threads=1",
)


@pytest.fixture
def corpora(tmp_path, monkeypatch):
    """A folder of corpora with a tiny training and dev file."""
    folder = tmp_path / "corpora"
    folder.mkdir()
    (folder / "train.txt").write_text(CORPUS)
    (folder / "dev.txt").write_text(CORPUS.replace("# ::id ", "# ::id dev-"))
    (folder / "empty.txt").write_text("# ::snt Nothing here\n")
    monkeypatch.setenv("APTAMR_DATA", str(folder))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    return folder


@pytest.fixture
def runs(tmp_path):
    return tmp_path / "runs"


def make_run(runs, name, state, process=None, *, age=0.0, ticket=0, config=None):
    """Write the folder of a run as its process would have left it."""
    folder = runs / name
    folder.mkdir(parents=True)
    values = (config or TrainConfig(output=str(folder))).to_json()
    write_json(folder / "launch.json", {"time": time.time() - age, "config": values})
    write_announcement(folder, Announcement(state, time.time() - age, process, ticket))
    return folder


def wait_for(holds, what):
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if holds():
            return
        time.sleep(0.05)
    pytest.fail(f"waited {PATIENCE} s for {what}")


# Processes


def test_a_living_process_is_told_from_one_that_got_its_number_later():
    own = own_process()
    assert is_alive(own) is True
    assert is_alive(replace(own, began=f"{own.began}0")) is False


def test_a_process_that_ended_but_was_not_collected_is_gone():
    child = subprocess.Popen([sys.executable, "-c", "pass"])
    process = process_of(child.pid)
    wait_for(lambda: is_alive(process) is False, "the end of the child")
    child.wait()


def test_a_process_of_another_machine_is_not_judged():
    assert is_alive(Process(1, "boot-1", "some-other-machine")) is None


# States


def test_a_run_whose_process_is_gone_is_dead_at_once(runs):
    folder = make_run(runs, "one", "running", replace(own_process(), began="long-ago"))
    write_beat(folder, Beat(time.time(), "training", 7, 20, 1))
    assert state_of(folder) == "dead"


def test_a_run_of_another_machine_is_dead_once_its_heartbeat_is_too_old(runs):
    away = Process(1, "boot-1", "some-other-machine")
    folder = make_run(runs, "one", "running", away, age=1000)
    write_beat(folder, Beat(time.time(), "training", 7, 20, 1))
    assert state_of(folder) == "running"
    write_beat(folder, Beat(time.time() - SILENT_SECONDS - 1, "training", 7, 20, 1))
    assert state_of(folder) == "dead"


def test_a_silent_process_that_lives_is_not_dead(runs):
    folder = make_run(runs, "one", "running", own_process(), age=1000)
    write_beat(folder, Beat(time.time() - 500, "training", 7, 20, 1))
    assert state_of(folder) == "running"


def test_a_run_that_was_asked_to_stop_is_stopping_until_it_stopped(runs):
    folder = make_run(runs, "one", "running", own_process())
    launching.ask_stop(runs, "one")
    assert state_of(folder) == "stopping"
    announce(folder, "stopped")
    assert state_of(folder) == "stopped"


def test_a_damaged_status_file_is_no_error(runs):
    folder = make_run(runs, "one", "running", own_process())
    (folder / "status.json").write_text('{"state": "runn')
    (folder / "heartbeat.json").write_text("")
    assert trained.read_run(runs, "one").state == "stopped"


def test_a_run_made_before_there_was_a_status_is_listed(runs):
    folder = runs / "old"
    folder.mkdir(parents=True)
    write_json(folder / "config.json", TrainConfig().to_json())
    assert trained.read_run(runs, "old").state == "stopped"
    write_json(folder / "scores.json", {})
    assert trained.read_run(runs, "old").state == "finished"


def test_runs_are_listed_the_last_launched_first_and_other_folders_are_not(runs):
    make_run(runs, "first", "finished", age=10)
    make_run(runs, "second", "stopped")
    (runs / "notes").mkdir()
    (runs / ".estimates").mkdir()
    assert [run.name for run in trained.list_runs(runs)] == ["second", "first"]
    assert trained.list_runs(runs / "absent") == ()


# Names and wishes


@pytest.mark.parametrize("name", ["../x", "/etc", "a/b", "", ".hidden", "x" * 65, "a b", "a\0"])
def test_no_name_leads_out_of_the_folder_of_runs(runs, name):
    with pytest.raises(InputError, match="no name for a run"):
        trained.read_run(runs, name)


def test_a_link_that_leads_out_of_the_folder_of_runs_is_refused(runs, tmp_path):
    outside = make_run(tmp_path / "elsewhere", "one", "finished")
    runs.mkdir()
    (runs / "one").symlink_to(outside)
    with pytest.raises(InputError, match="leads out of the folder of runs"):
        trained.read_run(runs, "one")


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        (["loop.epoch=3"], "unknown setting 'loop.epoch'; did you mean 'epochs'?"),
        (["loop.epochs=many"], "'loop.epochs' is of type int"),
        (["output=/tmp/x"], "output is decided by the run's name"),
        (["data.train=[]"], "there is nothing to train on: data.train names no file"),
        (['data.train=["empty.txt"]'], "no file of data.train holds a graph"),
        (['data.train=["gone.txt"]'], "there is no file 'gone.txt'"),
        (['data.dev=["gone.txt"]'], "there is no file 'gone.txt'"),
        (['data.train=["../x.txt"]'], "'../x.txt' leads out of the folder of corpora"),
        (['data.train=["/etc/hosts"]'], "'/etc/hosts' leads out of the folder of corpora"),
        (["data.root=/etc"], "leads out of the folder of corpora"),
        (['data.train=["dev.txt"]'], "'dev.txt' is among the dev files"),
        (['data.train=["./dev.txt"]'], "'./dev.txt' is among the dev files"),
        (['data.train=["."]'], "'dev.txt' is among the dev files"),
        (["data.cache=/tmp/cache"], "data.cache=/tmp/cache is a path"),
        (["encoder.name=../model"], "encoder.name=../model is a path"),
        (["data.train=[3]"], "'data.train' holds 3, not of type str"),
        (['data.train={"a" = "b"}'], "'data.train' cannot be"),
        (['data.train=["a\\u0000b"]'], "is no path of a file"),
        ([f'data.train=["{"x" * 300}"]'], "is no path of a file"),
    ],
)
def test_what_is_wrong_with_a_wish_is_named_before_the_launch(corpora, runs, overrides, words):
    wish = Wish("one", "gold", (*TINY, *overrides))
    _, problems = launching.check_wish(runs, wish)
    assert problems
    assert all(words in problem for problem in problems)
    with pytest.raises(TrainingError):
        launching.launch(runs, wish)
    assert not runs.exists()


def test_all_problems_of_a_wish_are_named_at_once(corpora, runs):
    wish = Wish("../one", "gold", (*TINY, "loop.epoch=3", 'data.train=["gone.txt"]'))
    _, problems = launching.check_wish(runs, wish)
    assert len(problems) == 3


def test_an_unknown_configuration_is_named(runs):
    _, problems = launching.check_wish(runs, Wish("one", "../gold"))
    assert problems == (
        f"there is no configuration '../gold'; known: {', '.join(shipped_configs())}",
    )


def test_a_second_start_of_a_run_that_is_on_is_refused(corpora, runs):
    """Case c32."""
    make_run(runs, "one", "running", own_process())
    _, problems = launching.check_wish(runs, Wish("one", "gold", TINY))
    assert problems == ("a run named 'one' is on already (running); choose another name",)


def test_a_name_that_is_taken_is_refused(corpora, runs):
    make_run(runs, "one", "finished")
    (runs / "two").mkdir()
    _, problems = launching.check_wish(runs, Wish("one", "gold", TINY))
    assert "holds a run (finished) named 'one' already" in problems[0]
    _, problems = launching.check_wish(runs, Wish("two", "gold", TINY))
    assert "holds something else named 'two' already" in problems[0]


def test_what_cannot_be_resumed_is_refused(runs):
    make_run(runs, "one", "running", own_process())
    make_run(runs, "two", "finished")
    with pytest.raises(TrainingError, match="one is on already"):
        launching.resume(runs, "one")
    with pytest.raises(TrainingError, match="two is finished"):
        launching.resume(runs, "two")
    with pytest.raises(InputError, match="there is no run 'three'"):
        launching.resume(runs, "three")


# Metrics, settings, log


def test_threads_that_write_one_file_do_not_take_it_from_each_other(tmp_path):
    path = tmp_path / "heartbeat.json"

    def write(number: int) -> None:
        for step in range(200):
            write_json(path, {"step": step, "text": str(number) * 200})

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(write, range(4)))
    assert json.loads(path.read_text())["step"] == 199
    assert list(tmp_path.iterdir()) == [path]


def test_a_torn_line_is_left_out_and_hides_no_later_one(tmp_path):
    path = tmp_path / "metrics.jsonl"
    append_json_line(path, {"step": 1})
    with path.open("a") as file:
        file.write('{"step": 2, "lo')
    append_json_line(path, {"step": 3})
    assert read_json_lines(path) == [{"step": 1}, {"step": 3}]


def test_metrics_of_repeated_steps_are_taken_once_and_a_score_that_is_absent_is_none(tmp_path):
    row = {"epoch": 1, "loss": 2.0, "learning_rate": 0.1, "actions_per_second": 5.0}
    for line in (
        {**row, "step": 50},
        {**row, "step": 100, "loss": 1.5},
        {"step": 101, "bad": "a, b"},
        {**row, "step": 100, "loss": 1.4},
        {"epoch": 1, "dev": {}},
        {"loss": None},
        {"dev": 3},
    ):
        append_json_line(tmp_path / "metrics.jsonl", line)
    metrics = trained.read_run_metrics(tmp_path)
    assert [(one.step, one.loss) for one in metrics.steps] == [(50, 2.0), (100, 1.4)]
    assert metrics.best is None
    assert metrics.bad_steps == ((101, "a, b"),)
    append_json_line(tmp_path / "metrics.jsonl", {"epoch": 1, "dev": {"x": 0.0, "y": 0.5}})
    append_json_line(tmp_path / "metrics.jsonl", {"averaged": ["001"], "dev": {"x": 0.4}})
    metrics = trained.read_run_metrics(tmp_path)
    assert metrics.best is not None
    assert metrics.best.mean == 0.25
    assert metrics.averaged is not None
    assert metrics.averaged.scores == {"x": 0.4}


def test_two_runs_differ_in_the_settings_that_were_changed(runs):
    config = load_config(shipped_configs()["gold"])
    loop = replace(config.loop, epochs=3)
    one = make_run(runs, "one", "stopped", config=config)
    two = make_run(runs, "two", "stopped", config=replace(config, name="x", loop=loop))
    (found,) = trained.differences(one, two)
    assert (found.setting, found.first, found.second) == (
        "loop.epochs",
        str(config.loop.epochs),
        "3",
    )


def test_the_log_shows_its_last_lines_and_of_a_progress_bar_its_last_state(tmp_path):
    (tmp_path / "log.txt").write_text("first\n10%\r50%\r90%\nlast\n")
    assert trained.log_tail(tmp_path, 2) == "90%\nlast"
    assert trained.log_tail(tmp_path / "absent", 2) == ""


def test_a_checkpoint_is_found_by_its_name_and_no_other_folder_is(runs):
    folder = make_run(runs, "one", "stopped")
    with pytest.raises(InputError, match="holds no checkpoint yet"):
        trained.checkpoint_folder(runs, "one")
    for name in ("latest", "best"):
        (folder / name).mkdir()
        (folder / name / "parser.json").write_text("{}")
    assert trained.checkpoint_folder(runs, "one") == folder / "best"
    assert trained.checkpoint_folder(runs, "one", "latest") == folder / "latest"
    with pytest.raises(InputError, match="no checkpoint '../best'; it has: best, latest"):
        trained.checkpoint_folder(runs, "one", "../best")


# The heartbeat


def test_a_run_announces_beats_and_concludes(tmp_path):
    folder = tmp_path / "run"
    with beating(folder) as heart:
        assert state_of(folder) == "preparing"
        heart.watch(lambda: ("training", 3, 9, 1))
        assert state_of(folder) == "running"
        assert read_beat(folder).step == 3
    assert state_of(folder) == "stopped"


def test_a_run_that_fails_says_why(tmp_path):
    with pytest.raises(TrainingError), beating(tmp_path):
        raise TrainingError("there is nothing to train on")
    told = read_announcement(tmp_path)
    assert told is not None
    assert (told.state, told.message) == ("failed", "there is nothing to train on")


def test_a_stop_during_the_preparation_ends_it(tmp_path):
    def prepare_for_long():
        with beating(tmp_path):
            (tmp_path / "stop").touch()
            time.sleep(30)

    with pytest.raises(SystemExit):
        prepare_for_long()
    assert state_of(tmp_path) == "stopped"
    assert not (tmp_path / "stop").exists()


def test_two_processes_never_work_at_one_run(tmp_path):
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        write_announcement(tmp_path, Announcement("running", time.time(), process_of(child.pid)))
        expected = f"process {child.pid} on .* works at"
        with pytest.raises(TrainingError, match=expected), beating(tmp_path):
            pass
    finally:
        child.kill()
        child.wait()
    with beating(tmp_path):
        assert state_of(tmp_path) == "preparing"


# The queue


def test_a_run_waits_for_those_before_it_and_begins_by_itself(runs):
    now = time.time_ns()
    first = make_run(runs, "first", "running", own_process())
    second = make_run(runs, "second", "queued", own_process(), ticket=now)
    third = make_run(runs, "third", "queued", own_process(), ticket=now + 1)
    turns = []
    for folder in (third, second):
        threading.Thread(
            target=lambda f=folder: turns.append((f.name, wait_for_turn(f))), daemon=True
        ).start()
    wait_for(lambda: read_announcement(third).message == "waits for first", "the queue")
    assert turns == []
    announce(first, "finished")
    wait_for(lambda: turns, "the turn of the second")
    assert turns == [("second", True)]
    launching.ask_stop(runs, "third")
    wait_for(lambda: len(turns) == 2, "the stop of the third")
    assert turns[1] == ("third", False)
    assert state_of(third) == "stopped"


def test_a_run_of_another_machine_holds_nobody_up(runs):
    make_run(runs, "first", "running", Process(1, "boot-1", "some-other-machine"))
    second = make_run(runs, "second", "queued", own_process(), ticket=1)
    assert wait_for_turn(second)


def test_a_dead_run_holds_nobody_up(runs):
    make_run(runs, "first", "running", replace(own_process(), began="long-ago"))
    second = make_run(runs, "second", "queued", own_process(), ticket=1)
    assert wait_for_turn(second)
    assert state_of(second) == "preparing"


# Real runs


def test_a_killed_run_is_dead_frees_the_queue_and_goes_on_at_its_last_save(corpora, runs):
    wish = Wish("first", "gold", (*TINY, "loop.epochs=400"))
    first = launching.launch(runs, wish)
    second = launching.launch(runs, replace(wish, name="second"))
    with pytest.raises(TrainingError, match="'first' is on already"):
        launching.launch(runs, wish)
    wait_for(lambda: (first / "last" / "position.json").is_file(), "the first save")
    assert state_of(second) == "queued"

    os.kill(read_announcement(first).process.pid, signal.SIGKILL)
    wait_for(lambda: state_of(first) == "dead", "the end of the first")
    wait_for(lambda: state_of(second) == "preparing", "the turn of the second")
    launching.ask_stop(runs, "second")
    wait_for(lambda: state_of(second) == "stopped", "the stop of the second")

    saved = json.loads((first / "last" / "position.json").read_text())["step"]
    launching.resume(runs, "first")
    wait_for(lambda: trained.read_run(runs, "first").beat.step > saved, "steps after the resume")
    launching.ask_stop(runs, "first")
    wait_for(lambda: state_of(first) == "stopped", "the stop of the first")
    stopped = json.loads((first / "last" / "position.json").read_text())["step"]
    run = trained.read_run(runs, "first")
    assert run.beat.step == stopped > saved
    assert "latest" in run.checkpoints
    assert trained.list_runs(runs)[0].name == "second"


def test_a_run_killed_before_its_first_save_begins_anew(corpora, tmp_path):
    folder = tmp_path / "run"
    places = (f"output={folder}", f"data.cache={tmp_path / 'cache'}")
    config = load_config(shipped_configs()["gold"], (*TINY, *places, "loop.epochs=1"))
    folder.mkdir()
    write_json(folder / "config.json", config.to_json())
    train(config, resume=True)
    assert state_of(folder) == "finished"


def test_an_estimate_is_measured_in_a_process_of_its_own(corpora, runs):
    wish = Wish("one", "gold", (*TINY, "loop.epochs=3"))
    config, problems = launching.check_wish(runs, wish)
    assert not problems
    assert estimates.read_estimate(runs, config).state == "absent"
    estimates.start_estimate(runs, config)
    assert estimates.read_estimate(runs, config).state == "measuring"
    wait_for(lambda: estimates.read_estimate(runs, config).state != "measuring", "the estimate")
    found = estimates.read_estimate(runs, config)
    assert found.state == "ready", found.message
    assert found.estimate.sentences == found.estimate.sampled == 4
    assert found.estimate.total_seconds > 3 * found.estimate.epoch_seconds > 0
    assert found.estimate.memory_bytes > 100_000_000
    assert not trained.list_runs(runs)
