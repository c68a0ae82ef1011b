"""What a stage does in its own process: train a model, or annotate with those of other stages."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import traceback
from pathlib import Path

from aptcore.errors import AptamrError
from aptcore.graph.formats import files_of
from aptcore.neural.weights import Device
from trainer.annotating.chunks import ModelAnnotator, Request
from trainer.annotating.engines import in_processes
from trainer.annotating.lines import Line
from trainer.annotating.parts import annotate_file
from trainer.annotating.sources import examples_of, sentences_of
from trainer.config import TrainConfig
from trainer.examples.prepare import report
from trainer.learning.loop import train
from trainer.runs.heartbeat import leave, signal_main_thread
from trainer.runs.launching import LOG
from trainer.runs.processes import when_parent_ends
from trainer.runs.status import works_at
from trainer.stage import SILVER_FILE, Stage

COUNTS_FILE = "counts.json"
"""Of a stage that annotated: its sentences by what became of them."""

WAIT_SECONDS = 0.2
"""Between two looks at a process that still works at the stage, in seconds."""


def work_at(stage: Stage, config: TrainConfig, models: tuple[Path, ...], device: Device) -> None:
    """Do a stage in this process, from where it is; its output goes to its log.

    It stops, saved, at SIGTERM and once the process that started it is gone.

    Args:
        stage: What to do.
        config: Of the stage alone; ``output`` is its folder.
        models: Folders of the models that annotate.
        device: Where to train or parse.
    """
    folder = Path(config.output)
    with (folder / LOG).open("ab") as log:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
            os.dup2(log.fileno(), stream.fileno())
    signal.signal(signal.SIGTERM, leave)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the process that began this one
    when_parent_ends(signal_main_thread)
    try:
        if stage.kind == "train":
            _train(config, folder, device)
        else:
            annotate(config, models, device)
    except AptamrError as error:
        report(f"error: {error}")
        sys.exit(2)
    except Exception:
        traceback.print_exc()
        sys.exit(2)


def _train(config: TrainConfig, folder: Path, device: Device) -> None:
    """Train or go on, once a process that an earlier run left behind has saved and ended."""
    while (owner := works_at(folder)) is not None:
        report(f"waiting for process {owner.pid}, which works at {folder}")
        time.sleep(WAIT_SECONDS)
    train(config, resume=(folder / "config.json").is_file(), device=device)


def annotate(config: TrainConfig, models: tuple[Path, ...], device: Device) -> None:
    """Annotate the sources of a configuration into the silver file of its folder.

    Raises:
        TrainingError: If a source cannot be read, or a process ended before its work was done.
        ConfigurationError: If the models cannot be an ensemble.
    """
    output, settings = Path(config.output) / SILVER_FILE, config.annotate
    wanted = [config.data.path(name) for name in settings.sources]
    paths = [place.path for place in files_of(wanted)]
    ids, texts = (examples_of if settings.guided else sentences_of)(paths, report)
    request = Request(models, settings.beam, guided=settings.guided)
    key = ModelAnnotator.load(request, "cpu").key
    work = in_processes(request, device, settings.processes)
    named = zip(ids, texts, strict=True)
    lines = ((Line(*line), n / len(texts)) for n, line in enumerate(named, 1))
    counts, _ = annotate_file(work, str(output), key, lines, report)
    told = ", ".join(f"{name} {counts[name]}" for name in sorted(counts))
    report(f"{len(texts)} sentences: {told}")
    (output.parent / COUNTS_FILE).write_text(json.dumps(counts), "utf-8")
