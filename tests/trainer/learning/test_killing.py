"""A run that is killed again and again ends with the weights of one that never was."""

from __future__ import annotations

import json

import pytest

from aptcore.errors import TrainingError
from tests.trainer.tiny_runs import TRAINER, await_that, done, started, tiny_run
from trainer.learning.checkpoint import FACTS, check_data
from trainer.runs.files import write_json

MOMENTS = {
    "before the first save": lambda run: (run.folder / "config.json").exists(),
    "in the middle of the first epoch": lambda run: run.position().get("step", 0) >= 10,
    "while the second epoch is saved": lambda run: (
        run.folder / "epochs" / "002.safetensors"
    ).exists(),
    "in the middle of the third epoch": lambda run: (
        run.position().get("epoch") == 2 and run.position()["batch"] >= 7
    ),
}


def weights_of(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.safetensors")}


def test_killed_at_several_moments_and_resumed_it_has_the_same_weights_bit_for_bit(tmp_path):
    settings = {"copies": 10, "save_every": 5, "report_every": 1, "average": 2, "average_among": 3}
    whole, killed = (
        tiny_run(tmp_path, "whole", **settings),
        tiny_run(tmp_path, "killed", **settings),
    )
    status, said = done(whole)
    assert status == 0, said
    arguments = [killed.config]
    for moment, has_come in MOMENTS.items():
        with started(TRAINER, *arguments) as process:
            await_that(lambda come=has_come: come(killed), process)
            process.kill()
        assert process.returncode == -9, moment
        assert not (killed.folder / "scores.json").exists(), moment
        arguments = ["--resume", killed.folder]
    status, said = done(killed, resume=True)
    assert status == 0, said
    for part in ("epochs", "model"):
        first, second = weights_of(whole.folder / part), weights_of(killed.folder / part)
        assert first, part
        assert first == second, part
    assert weights_of(last_save(whole)) == weights_of(last_save(killed))
    assert scores_of(whole) == scores_of(killed)


def last_save(run):
    return run.folder / "last" / run.position()["slot"]


def scores_of(run):
    return json.loads((run.folder / "scores.json").read_text())


def test_a_run_whose_data_changed_is_not_resumed(tmp_path):
    facts = {"data": {"a.txt": "1", "b.txt": "2"}, "labels": 7}
    write_json(tmp_path / FACTS, facts)
    check_data(tmp_path, facts)
    with pytest.raises(TrainingError, match=r"b\.txt changed since it began"):
        check_data(tmp_path, facts | {"data": {"a.txt": "1", "b.txt": "3"}})
    with pytest.raises(TrainingError, match="8 labels, not 7"):
        check_data(tmp_path, facts | {"labels": 8})
