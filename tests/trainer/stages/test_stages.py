"""A run of stages: two teachers, what they annotate, a student; killed, stopped, failing."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest

from aptcore.errors import ConfigurationError, TrainingError
from aptcore.graph.corpus import read_corpus
from aptcore.neural.parser import AptParser
from tests.trainer.tiny_runs import TRAINER, TinyRun, await_that, done, staged_run, started
from trainer import launched
from trainer.config import load_config
from trainer.learning.loop import train
from trainer.runs.files import write_json
from trainer.runs.status import state_of, works_at
from trainer.stages.running import StagedRun, duration, run_stages

STAGES = ("one", "two", "annotated", "student")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("stages")


@pytest.fixture(scope="module")
def whole(place: Path) -> tuple[TinyRun, str]:
    """A run that nothing disturbed, and what it said."""
    run = staged_run(place, "whole")
    status, said = done(run)
    assert status == 0, said
    return run, said


def stage_of(run: TinyRun, name: str) -> TinyRun:
    return TinyRun(run.config, run.folder / name)


def weights_of(folder: Path) -> dict[Path, bytes]:
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.safetensors")}


def is_idle(run: TinyRun) -> bool:
    return all(works_at(run.folder / name) is None for name in STAGES)


def parts_of(run: TinyRun) -> list[Path]:
    return sorted((run.folder / "annotated" / "silver.amr.parts").glob("*.json"))


def test_each_stage_is_named_as_it_begins_and_ends_with_its_time(whole) -> None:
    run, said = whole
    lines = [line for line in said.splitlines() if line.startswith("stage ")]
    begins = [line.split()[1] for line in lines if " begins; it writes " in line]
    ends = [line.split()[1] for line in lines if re.search(r" is finished after \d+ min$", line)]
    assert begins == list(STAGES)
    assert sorted(ends[:2]) == ["one", "two"]
    assert ends[2:] == ["annotated", "student"]
    assert set(json.loads((run.folder / "stages.json").read_text())) == set(STAGES)
    assert state_of(run.folder) == "finished"


def test_teachers_work_side_by_side_and_nothing_else_does(whole) -> None:
    _, said = whole
    lines = [line.split()[1:3] for line in said.splitlines() if line.startswith("stage ")]
    assert lines[:2] == [["one", "begins;"], ["two", "begins;"]]
    assert [word for _, word in lines[2:4]] == ["is", "is"]


def test_the_run_has_the_model_and_the_scores_of_its_last_stage(whole) -> None:
    run, _ = whole
    student = run.folder / "student"
    assert weights_of(run.folder / "model") == weights_of(student / "model") != {}
    assert (run.folder / "scores.json").read_text() == (student / "scores.json").read_text()
    assert AptParser.from_pretrained(run.folder / "model").info.id == "model"


def test_the_ensemble_annotates_and_the_student_learns_from_it_and_from_gold(whole) -> None:
    run, _ = whole
    records = read_corpus(run.folder / "annotated" / "silver.amr").records
    counts = json.loads((run.folder / "annotated" / "counts.json").read_text())
    facts = json.loads((run.folder / "student" / "facts.json").read_text())
    assert len(records) == counts["kept"] == facts["silver"] > 0
    assert sum(counts.values()) == 132
    assert facts["sentences"] == 20
    assert records[0].metadata["silver"].startswith("model-one+model-two ")
    assert not (run.folder / "annotated" / "silver.amr.parts").exists()


def test_killed_in_the_middle_of_every_kind_of_stage_it_ends_the_same_bit_for_bit(
    place: Path, whole
) -> None:
    run = staged_run(place, "killed")
    moments = {
        "teachers": lambda: all(
            stage_of(run, name).position().get("step", 0) >= 10 for name in ("one", "two")
        ),
        "annotation": lambda: bool(parts_of(run)),
        "student": lambda: stage_of(run, "student").position().get("step", 0) >= 10,
    }
    arguments: list[object] = [run.config]
    for moment, has_come in moments.items():
        with started(TRAINER, *arguments) as process:
            await_that(has_come, process)
            os.kill(process.pid, signal.SIGKILL)  # this process alone: its stages must notice
            process.wait()
            until = time.monotonic() + 120
            while not is_idle(run):
                assert time.monotonic() < until, "a stage goes on without its run"
                time.sleep(0.1)
        assert state_of(run.folder) == "dead", moment
        assert not (run.folder / "scores.json").exists(), moment
        arguments = ["--resume", run.folder]
    status, said = done(run, resume=True)
    assert status == 0, said
    assert [f"stage {name} is finished" in said.splitlines() for name in STAGES] == [
        True, True, True, False,
    ]  # fmt: skip
    first, second = whole[0].folder, run.folder
    silver = Path("annotated") / "silver.amr"
    assert (first / silver).read_bytes() == (second / silver).read_bytes()
    for name in ("one/model", "two/model", "student/model", "model"):
        assert weights_of(first / name) == weights_of(second / name) != {}, name


def test_a_stop_saves_what_is_under_way_and_gives_1(place: Path) -> None:
    run = staged_run(place, "stopped", epochs=400)
    with started(TRAINER, run.config) as process:
        await_that(lambda: bool(stage_of(run, "two").position()), process)
        (run.folder / "stop").touch()
        _, said = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "stage one was stopped after" in said
    assert said.splitlines()[-1] == "stopped; resume with --resume"
    assert is_idle(run)
    assert state_of(run.folder) == "stopped"


def test_a_stage_that_fails_is_named_with_its_reason(place: Path) -> None:
    run = staged_run(place, "failing", epochs=400)
    status, said = done(run, f'data.train=["{place}/text.txt"]')
    assert status == 1
    assert "failed: error: " in said
    assert "graphs are wanted" in said
    assert is_idle(run)
    assert state_of(run.folder) == "failed"


def test_files_that_are_not_there_are_all_named_before_anything_begins(tmp_path: Path) -> None:
    run = staged_run(tmp_path, "run")
    settings = [f'data.silver=["{tmp_path}/none.amr"]', f'annotate.sources=["{tmp_path}/no.txt"]']
    with pytest.raises(TrainingError, match=r"there is no file .*none\.amr, .*no\.txt"):
        run_stages(load_config(run.config, settings))
    assert not run.folder.exists()


def test_a_run_of_stages_is_not_written_over_and_no_single_run(tmp_path: Path) -> None:
    config = load_config(staged_run(tmp_path, "run").config)
    with pytest.raises(ConfigurationError, match="has stages; to train one model"):
        train(config)
    Path(config.output).mkdir()
    write_json(Path(config.output) / "config.json", config.to_json())
    with pytest.raises(TrainingError, match="holds a run already"):
        run_stages(config)


def test_a_launched_run_does_its_stages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = load_config(staged_run(tmp_path, "run").config)
    folder = Path(config.output)
    folder.mkdir()
    write_json(folder / "launch.json", {"time": 1, "config": config.to_json()})
    begun: list[StagedRun] = []
    monkeypatch.setattr(StagedRun, "run", lambda run: begun.append(run))
    monkeypatch.setattr(sys, "argv", ["launched", str(folder)])
    kept = signal.getsignal(signal.SIGTERM)
    try:
        assert launched.main() == 0
    finally:
        signal.signal(signal.SIGTERM, kept)
    assert [stage.name for stage in begun[0].waiting] == list(STAGES)
    assert begun[0].progress() == ("stages: ", 0, 4, 0)


def test_a_stage_takes_its_threads_or_processes_of_the_cores(tmp_path: Path) -> None:
    run = staged_run(tmp_path, "run")
    config = load_config(run.config, ["loop.threads=9", "annotate.processes=1"])
    staged = StagedRun(config, "cpu")
    assert [staged.cores_of(stage) for stage in config.stages] == [2, 2, 1, 2]


def test_times_are_written_in_hours_and_minutes() -> None:
    assert [duration(seconds) for seconds in (0, 59.6, 3600, 7543)] == [
        "0 min", "1 min", "1 h 0 min", "2 h 6 min",
    ]  # fmt: skip
