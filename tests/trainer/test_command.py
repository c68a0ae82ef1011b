"""``aptamr train`` and ``python -m trainer`` are one command: the same names, the same status."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from app.cli import main as aptamr
from tests.trainer.tiny_runs import TinyRun, tiny_run
from trainer import __main__ as trainer
from trainer import command

Door = Callable[..., int]


@pytest.fixture(params=["aptamr train", "python -m trainer"])
def train(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Door:
    def run(*arguments: object) -> int:
        words = [*map(str, arguments), "--device", "cpu"]
        if request.param == "python -m trainer":
            monkeypatch.setattr(sys, "argv", ["trainer", *words])
            return trainer.main()
        with pytest.raises(SystemExit) as left:
            aptamr(["train", *words])
        return int(left.value.code or 0)

    return run


def stop_soon(run: TinyRun) -> threading.Thread:
    """Ask the run to stop once it has saved for the first time."""

    def ask() -> None:
        while not run.position():
            time.sleep(0.01)
        (run.folder / "stop").touch()

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    return thread


def test_a_run_that_ends_gives_0_and_its_model(
    train: Door, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tiny_run(tmp_path, "run", epochs=1)
    assert train(run.config, "--set", "loop.seed=3") == 0
    assert capsys.readouterr().out == f"{run.folder / 'model'}\n"


def test_a_run_that_is_stopped_gives_1_and_goes_on_with_resume(
    train: Door, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tiny_run(tmp_path, "run", copies=10, epochs=2, save_every=1, report_every=1)
    stop_soon(run)
    assert train(run.config) == 1
    assert "resume with --resume" in capsys.readouterr().err
    assert train("--resume", run.folder, "--json") == 0
    assert f'"model": "{run.folder}/model"' in capsys.readouterr().out


def test_a_run_that_is_interrupted_before_it_trains_gives_1(
    train: Door, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> Path:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "train", interrupt)
    assert train(tiny_run(tmp_path, "run").config) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "give a CONFIG, or --resume DIR"),
        (("no-such",), "cannot read no-such: there is no such file; shipped are gold, "),
        (("small", "--set", "loop.epoch=3"), "did you mean 'epochs'"),
        (("small", "--set", "output=runs/x"), "set APTAMR_DATA to the folder of the corpora"),
    ],
    ids=["nothing", "bad name", "bad key", "no data folder"],
)
def test_bad_usage_gives_2(
    train: Door,
    arguments: tuple[str, ...],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("APTAMR_DATA", raising=False)
    monkeypatch.chdir(tmp_path)
    assert train(*arguments) == 2
    assert message in capsys.readouterr().err


def test_a_configuration_in_another_encoding_gives_2(
    train: Door, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "own.toml"
    path.write_text('output = "runs/own"\n', encoding="utf-16")
    assert train(path) == 2
    assert f"cannot read {path}: 'utf-8'" in capsys.readouterr().err


def test_a_dev_file_that_is_trained_on_is_told(
    train: Door, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tiny_run(tmp_path, "run", epochs=1)
    folder = tmp_path / "again"
    folder.symlink_to(tmp_path)
    assert train(run.config, "--set", f'data.dev=["{folder}/train.txt"]') == 0
    said = capsys.readouterr().err
    assert f"warning: {tmp_path}/train.txt is trained on: its scores as a dev file" in said


def test_an_output_that_cannot_be_made_is_told_without_a_number(
    train: Door, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    run = tiny_run(tmp_path, "run")
    assert train(run.config, "--set", f"output={tmp_path}/file/run") == 2
    said = f"error: {tmp_path}/file/run: not a directory\n"
    assert capsys.readouterr().err.endswith(said)


def test_corpora_that_are_not_there_give_1(
    train: Door, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tiny_run(tmp_path, "run")
    assert train(run.config, "--set", f'data.train=["{tmp_path}/none.txt"]') == 1
    assert "none.txt" in capsys.readouterr().err


def test_a_folder_that_holds_no_run_gives_1(
    train: Door, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train("--resume", tmp_path) == 1
    assert "holds no run" in capsys.readouterr().err
