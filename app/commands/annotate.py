"""``aptamr annotate``: silver graphs of many sentences, by one model or an ensemble.

Lines come one after the other, from here or from object storage, and what is done is on disk: a
run that was cut short goes on where it stopped, and memory does not grow with the input.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

import typer

from app.commands import console
from app.commands.parse import Remarks
from aptcore.neural.weights import Device
from aptcore.saving import saving
from aptcore.words.sentences import with_split
from trainer.annotating.chunks import DETACHED, Annotator, ModelAnnotator, Request
from trainer.annotating.engines import in_processes, in_this_process
from trainer.annotating.lines import Line, Sources, open_sources
from trainer.annotating.outside import load_annotator
from trainer.annotating.parts import APART, Engine, annotate_file, is_written_for
from trainer.annotating.storage import is_remote, reading


@dataclass(frozen=True, slots=True)
class Place:
    """Where sentences come from, where their graphs go, and who parses.

    Attributes:
        source: Sentences in any format, a folder or a pattern, here or in object storage; those
            of an AMR file are parsed anew.
        output: The AMR file to write, likewise; it appears when all is done.
        processes: Of this machine that parse side by side.
        engine: ``local`` is this machine, ``ray`` a cluster.
        is_split: Split what looks like several sentences.
    """

    source: str
    output: str
    processes: int = 1
    engine: Literal["local", "ray"] = "local"
    is_split: bool = False


def run_annotate(place: Place, request: Request, device: Device, as_json: bool) -> int:
    """Annotate a file.

    Returns:
        Exit status: 1 if any line failed or is unreadable, or a file cannot be read, else 0.

    Raises:
        typer.BadParameter: The output cannot be a file, or --processes is given for a cluster.
        ConfigurationError: The engine is not installed, or a command is none.
        InputError: Object storage refuses.
        TrainingError: One of several processes ended before its work was done.
    """
    if place.engine == "ray" and place.processes > 1:
        raise typer.BadParameter("--processes is for this machine: a cluster parses on all it has")
    output = output_of(place.output)
    with opened(place.source, output) as sources:
        annotator = load_annotator(request, device)
        if isinstance(annotator, ModelAnnotator):
            console.say_device(device, annotator.parser.info.device)
        started, remarks = time.monotonic(), Remarks()
        lines = sentences(sources, remarks, place.is_split)
        work = engine_of(place, request, annotator, device)
        counts, num_before = annotate_file(work, output, annotator.key, lines, console.say)
        remarks.end(place.is_split)
    seconds = time.monotonic() - started
    rate = (counts.total() - num_before) / seconds if seconds else 0.0
    result = summary(counts, request, rate)
    if result["sentences"] > result["kept"]:
        console.say(f"what has no graph is in {place.output}{APART}, each line with the reason")
    if as_json:
        console.write_json(result)
    else:
        console.say(", ".join(f"{name}: {value}" for name, value in result.items()))
    return 1 if counts["failed"] or counts["unreadable"] or sources.num_refused else 0


def output_of(output: str) -> str:
    """Give where to write.

    Raises:
        typer.BadParameter: It cannot be a file.
    """
    if is_remote(output):
        return output
    if output == console.STDIN:
        raise typer.BadParameter("--output - cannot be: what is done stands in files beside it")
    path = Path(output).resolve()
    if path.is_dir() or not path.parent.is_dir():
        raise typer.BadParameter(f"--output {path} cannot be a file: name one in a folder")
    return str(path)


@contextmanager
def opened(source: str, output: str) -> Iterator[Sources]:
    """Find the files of sentences; standard input or a pipe is kept in a file meanwhile.

    Only a file can be looked at before it is read, and read again after a stop. What an earlier
    run wrote into the folder of its sentences is none of them.
    """
    is_stdin = source == console.STDIN
    if not is_stdin and (is_remote(source) or not Path(source).is_fifo()):
        yield open_sources(source, console.say, without=partial(is_written_for, output))
        return
    with tempfile.TemporaryDirectory(prefix="aptamr-") as folder:
        kept = Path(folder) / "sentences"
        given = nullcontext(sys.stdin.buffer) if is_stdin else reading(source)
        with given as content, saving(kept) as fresh, fresh.open("wb") as file:
            shutil.copyfileobj(content, file)
        name = "standard input" if is_stdin else source
        yield open_sources(str(kept), console.say, name=name)


def sentences(sources: Sources, remarks: Remarks, is_split: bool) -> Iterator[tuple[Line, float]]:
    """Give the lines of files, split where that is asked for; what looks odd is told."""
    for line, share in sources.lines(console.say):
        if line.problem:
            yield line, share
            continue
        parts = with_split([(line.id, line.text)]) if is_split else [(line.id, line.text)]
        for name, text in parts:
            remarks.look(name, text)
            yield line._replace(id=name, text=text), share


def engine_of(place: Place, request: Request, annotator: Annotator, device: Device) -> Engine:
    """Choose who annotates."""
    if place.engine == "ray":
        from app.commands.annotate_ray import on_ray

        return on_ray(request, device)
    if place.processes > 1:
        return in_processes(request, device, place.processes)
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
        "unreadable": counts["unreadable"],
        "sentences_per_second": round(rate, 2),
    }
