"""``aptamr annotate``: silver graphs of many sentences, by one model or an ensemble.

What is done is on disk: a run that was cut short goes on where it stopped, if input and
models are the same.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import typer

from app.commands import console
from app.commands.parse import told_sentences
from aptcore.neural.parser import Device
from trainer.annotating.chunks import DETACHED, Annotator, Request
from trainer.annotating.engines import in_processes, in_this_process
from trainer.annotating.parts import Engine, annotate_file
from trainer.annotating.sources import sentences_with_text


@dataclass(frozen=True, slots=True)
class Place:
    """Where sentences come from, where their graphs go, and who parses.

    Attributes:
        input_file: Sentences in any format, a folder or a pattern; those of an AMR file are
            parsed anew.
        output: The AMR file to write; it appears when all is done.
        processes: Of this machine that parse side by side.
        engine: ``local`` is this machine, ``ray`` a cluster.
        is_split: Split what looks like several sentences.
    """

    input_file: Path
    output: Path
    processes: int = 1
    engine: Literal["local", "ray"] = "local"
    is_split: bool = False


def run_annotate(place: Place, request: Request, device: Device, as_json: bool) -> int:
    """Annotate a file.

    Returns:
        Exit status: 1 if any sentence failed or a file cannot be read, else 0.

    Raises:
        typer.BadParameter: The output cannot be a file.
        ConfigurationError: The engine is not installed.
        TrainingError: One of several processes ended before its work was done.
    """
    output = place.output.resolve()
    if output.is_dir() or not output.parent.is_dir():
        raise typer.BadParameter(f"--output {output} cannot be a file: name one in a folder")
    found, num_refused = console.read_sentences([place.input_file])
    ids, texts = sentences_with_text(found, console.say)
    named = told_sentences(list(zip(ids, texts, strict=True)), place.is_split)
    ids, texts = [name for name, _ in named], [text for _, text in named]
    annotator = Annotator.load(request, device)
    console.say_device(device, annotator.parser.info.device)
    started = time.monotonic()
    work = engine_of(place, annotator, device)
    key = annotator.key(texts)
    counts, num_before = annotate_file(work, output, key, ids, texts, console.say)
    seconds = time.monotonic() - started
    rate = (len(texts) - num_before) / seconds if seconds else 0.0
    result = summary(counts, request, rate)
    if as_json:
        console.write_json(result)
    else:
        console.say(", ".join(f"{name}: {value}" for name, value in result.items()))
    return 1 if counts["failed"] or num_refused else 0


def engine_of(place: Place, annotator: Annotator, device: Device) -> Engine:
    """Choose who annotates."""
    if place.engine == "ray":
        from app.commands.annotate_ray import on_ray

        return on_ray(annotator.request, device)
    if place.processes > 1:
        return in_processes(annotator.request, device, place.processes)
    return in_this_process(annotator)


def summary(counts: Counter[str], request: Request, rate: float) -> dict[str, int | float]:
    """Count what became of the sentences; ``rate`` is in sentences a second."""
    detached = sum(counts[fate] for fate in DETACHED)
    return {
        "sentences": counts.total(),
        "kept": counts["kept"] + (detached if request.keep_detached else 0),
        "repaired": counts["repaired"],
        "linked": counts["linked"],
        "invalid": counts["invalid"],
        "failed": counts["failed"],
        "sentences_per_second": round(rate, 2),
    }
