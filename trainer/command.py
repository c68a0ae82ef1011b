"""The training command: all that ``aptamr train`` and ``python -m trainer`` do."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from aptcore.errors import AptamrError, ConfigurationError, TrainingError, reason
from aptcore.neural.weights import Device
from trainer.config import TrainConfig, load_config
from trainer.examples.prepare import report
from trainer.learning.checkpoint import load_run_config
from trainer.learning.loop import train
from trainer.learning.workers import num_processes
from trainer.stages.running import run_stages


def run_train(
    config: Path | None,
    settings: Sequence[str],
    resume: Path | None,
    device: Device,
    as_json: bool,
) -> int:
    """Train a model to its end, or until Ctrl+C; what went wrong is told on standard error.

    Args:
        config: A TOML file, or the name of a shipped one.
        settings: ``key=value`` settings on top of it.
        resume: The folder of a run to go on with, instead of a configuration.
        device: Where to train.
        as_json: Give the scores as JSON, not only the folder of the model.

    Returns:
        Exit status: 0 if the model is done, 1 if training was stopped before or cannot go
        on, 2 on a wrong setting. One of several processes that were stopped has 0: their
        launcher would take 1 for a crash.
    """
    try:
        wanted = config_of(config, settings, resume)
        work = run_stages if wanted.stages else train
        folder = work(wanted, resume is not None, device)
    except KeyboardInterrupt:
        report("stopped before the first step")
        return 1
    except (AptamrError, OSError) as error:
        report(f"error: {reason(error)}")
        return 1 if isinstance(error, TrainingError) else 2
    if num_processes() > 1:
        return 0
    scores_path = folder / "scores.json"
    if not scores_path.is_file():
        return 1
    scores = json.loads(scores_path.read_text(encoding="utf-8"))
    result = {"run": str(folder), "model": str(folder / "model"), **scores}
    sys.stdout.write(f"{json.dumps(result, ensure_ascii=False) if as_json else folder / 'model'}\n")
    return 0


def config_of(
    config_path: Path | None, settings: Sequence[str], resume: Path | None
) -> TrainConfig:
    """Find the configuration: of the file, or of the run that goes on.

    Raises:
        ConfigurationError: There is neither, or both and they differ, or a setting is wrong.
        TrainingError: The folder holds no run.
    """
    if resume is None:
        if config_path is None:
            raise ConfigurationError("give a CONFIG, or --resume DIR")
        return load_config(config_path, settings)
    config = load_run_config(resume)
    if config_path is not None:
        wanted = load_config(config_path, [*settings, f"output={config.output}"])
        if wanted != config:
            raise ConfigurationError(
                f"{config_path} with its settings differs from the run in {resume}, which goes "
                "on as it began; leave CONFIG out"
            )
    elif settings:
        raise ConfigurationError("a run goes on as it began: --set needs a new run")
    return config
