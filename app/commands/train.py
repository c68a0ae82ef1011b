"""``aptamr train``: the trainer's own door."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import typer

import trainer
from app.commands import console
from aptcore.neural.parser import Device
from trainer.config import TrainConfig, load_config
from trainer.learning.loop import load_run_config, train

SHIPPED_CONFIGS = Path(trainer.__file__).resolve().parent / "configs"


def run_train(
    config_path: Path | None,
    settings: Sequence[str],
    resume: Path | None,
    device: Device,
    as_json: bool,
) -> int:
    """Train a model to its end, or until Ctrl+C.

    The trainer says which device is in use.

    Returns:
        Exit status: 0 if the model is done, 1 if training was stopped before.

    Raises:
        ConfigurationError: A setting is wrong.
        TrainingError: The training cannot start or go on.
    """
    config = config_of(config_path, settings, resume)
    folder = train(config, resume is not None, device)
    scores_path = folder / "scores.json"
    if not scores_path.is_file():
        console.say(f"not finished; go on with: aptamr train --resume {folder}")
        return 1
    scores = json.loads(scores_path.read_text(encoding="utf-8"))
    if as_json:
        console.write_json({"run": str(folder), "model": str(folder / "model"), **scores})
    else:
        console.write(f"{folder / 'model'}")
    return 0


def config_of(
    config_path: Path | None, settings: Sequence[str], resume: Path | None
) -> TrainConfig:
    """Find the configuration: of the file, or of the run that goes on.

    Raises:
        typer.BadParameter: There is neither, or both and they differ.
    """
    if resume is None:
        if config_path is None:
            raise typer.BadParameter("give a CONFIG, or --resume DIR")
        return load_config(path_of(config_path), settings)
    config = load_run_config(resume)
    if config_path is not None:
        wanted = load_config(path_of(config_path), [*settings, f"output={config.output}"])
        if wanted != config:
            raise typer.BadParameter(
                f"{config_path} with its settings differs from the run in {resume}, which goes "
                "on as it began; leave CONFIG out"
            )
    elif settings:
        raise typer.BadParameter("a run goes on as it began: --set needs a new run")
    return config


def path_of(config: Path) -> Path:
    """Give a configuration file: the path itself, or a shipped one by its name."""
    shipped = SHIPPED_CONFIGS / f"{config}.toml"
    return shipped if not config.exists() and shipped.is_file() else config
