"""Two processes take the steps that one takes; what they do is saved and stopped as one."""

from __future__ import annotations

import json

import pytest
import torch

from aptcore.errors import ConfigurationError
from tests.trainer.tiny_runs import TWO_TRAINERS, await_that, done, finished, started, tiny_run
from trainer.config import LoopConfig
from trainer.learning.checkpoint import read_metrics
from trainer.learning.loop import Run
from trainer.learning.workers import Workers, describe, workers_of


def losses_of(run) -> dict[int, list[float]]:
    """The losses of every step; of one done again, the later."""
    return {
        line["step"]: [line["loss"], line["action_loss"], line["pointer_loss"]]
        for line in read_metrics(run.folder)
        if "loss" in line
    }


def test_two_processes_have_the_losses_of_one_also_after_a_stop_and_a_resume(tmp_path):
    settings = {"copies": 3, "dropout": 0.0, "report_every": 1, "save_every": 4}
    one, two = tiny_run(tmp_path, "one", **settings), tiny_run(tmp_path, "two", **settings)
    status, said = done(one)
    assert status == 0, said
    assert "device: cpu\n" in said
    with started(TWO_TRAINERS, two.config) as process:
        await_that(lambda: bool(two.position()), process)
        (two.folder / "stop").touch()
        _, said = process.communicate(timeout=300)
    assert process.returncode == 0, said
    assert said.count("device: cpu, 2 processes") == 1
    assert said.count("resume with --resume") == 1
    assert not (two.folder / "scores.json").exists()
    status, said = finished(TWO_TRAINERS, "--resume", two.folder)
    assert status == 0, said
    first, second = losses_of(one), losses_of(two)
    assert len(first) > 10
    assert list(first) == sorted(second)
    for step, losses in first.items():
        assert second[step] == pytest.approx(losses, abs=1e-5), step
    assert [p.name for p in sorted((two.folder / "tensorboard").iterdir())]
    scores = [json.loads((run.folder / "scores.json").read_text()) for run in (one, two)]
    assert scores[0]["averaged"] == scores[1]["averaged"]


def test_both_go_on_from_one_position_where_the_first_saves_at_once(tmp_path, monkeypatch):
    """A run stopped after the last step of an epoch ends that epoch before any step."""
    run = tiny_run(tmp_path, "end", copies=3, save_every=1)
    original = Run._step

    def step_then_stop(running, examples, sums):
        original(running, examples, sums)
        (run.folder / "stop").touch()

    monkeypatch.setattr(Run, "_step", step_then_stop)
    _, said = done(run)
    assert "resume with --resume" in said
    path = run.folder / "last" / "position.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "batch": 1000}), "utf-8")
    status, said = finished(TWO_TRAINERS, "--resume", run.folder)
    assert status == 0, said


def test_a_loss_that_is_not_finite_ends_both_processes_with_the_batch_named(tmp_path):
    """Case c35 with two processes: no weights change, the sentences are named once."""
    run = tiny_run(tmp_path, "bad", copies=3, learning_rate=1e38, warmup_steps=1, save_every=1)
    status, said = finished(TWO_TRAINERS, run.config)
    assert status != 0
    assert "the loss was not finite 3 times in a row" in said
    bad = [line for line in read_metrics(run.folder) if "bad" in line]
    assert len(bad) == 3
    assert all(line["bad"].split(", ")[0][1] == "." for line in bad)
    assert run.position()["bad_steps"] <= 2


def test_one_process_adds_up_nothing_and_does_the_whole_batch():
    alone = Workers(torch.device("cpu"))
    tensor = torch.ones(3)
    alone.add_up([tensor])
    assert tensor.tolist() == [1, 1, 1]
    assert alone.share([1, 2, 3]) == [1, 2, 3]
    assert Workers(torch.device("cpu"), rank=1, count=2).share([1]) == []


def test_the_device_in_use_is_said_also_when_cuda_is_absent(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    assert describe(workers_of("cuda", "fp32"), "cuda") == (
        "device: cpu (CUDA was asked for and is absent)"
    )
    assert describe(workers_of("auto", "bf16"), "auto") == "device: cpu, bfloat16"


def test_a_precision_must_be_one_of_two():
    with pytest.raises(ConfigurationError, match="fp32 or bf16"):
        LoopConfig(precision="fp16")
