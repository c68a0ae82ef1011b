"""``aptamr annotate``: silver graphs of many sentences, by one model or an ensemble.

What is done is on disk: a run that was cut short goes on where it stopped, if input and
models are the same. A graph that hangs together only by a repair or a LINK is left out
unless asked for, one that holds what no graph may always; both are counted.

Source: Zhou and others 2021, section 5.2: silver parses with detached nodes are removed.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from app.commands import console
from app.commands.annotate_chunks import DETACHED, Annotator, Request
from app.commands.parse import CHUNK
from aptcore.graph.corpus import read_corpus, sentence_text
from aptcore.neural.parser import Device
from aptcore.saving import put_in_place, save_text


@dataclass
class Progress:
    """How far a run is; stands beside the part that is written.

    Attributes:
        key: Hash of the input, the models and the options.
        done: Sentences parsed.
        size: Length of the part that holds them, in bytes.
        counts: Sentences by what became of them.
    """

    key: str
    done: int
    size: int
    counts: Counter[str]


def run_annotate(request: Request, device: Device, as_json: bool) -> int:
    """Annotate a file.

    Returns:
        Exit status: 1 if any sentence failed, else 0.

    Raises:
        typer.BadParameter: The output cannot be a file.
        ConfigurationError: The engine is not installed.
    """
    output = request.output.resolve()
    if output.is_dir() or not output.parent.is_dir():
        raise typer.BadParameter(f"--output {output} cannot be a file: name one in a folder")
    ids, texts = named_sentences(request.input_file)
    annotator = Annotator.load(request, device)
    console.say_device(device, annotator.parser.info.device)
    started = time.monotonic()
    annotate_all = annotate_locally
    if request.engine == "ray":
        from app.commands.annotate_ray import annotate_on_ray

        annotate_all = annotate_on_ray
    counts, num_before = annotate_all(annotator, device, ids, texts)
    seconds = time.monotonic() - started
    rate = (len(texts) - num_before) / seconds if seconds else 0.0
    result = summary(counts, request, rate)
    if as_json:
        console.write_json(result)
    else:
        console.say(", ".join(f"{name}: {value}" for name, value in result.items()))
    return 1 if counts["failed"] else 0


def annotate_locally(
    annotator: Annotator, device: Device, ids: Sequence[str], texts: Sequence[str]
) -> tuple[Counter[str], int]:
    """Annotate in this process; the part that is done grows beside the output.

    Returns:
        Sentences by what became of them, and how many were done before.
    """
    del device  # the annotator's model is on it
    output = annotator.request.output.resolve()
    part, beside = (output.with_name(output.name + end) for end in (".part", ".progress"))
    progress = read_progress(beside, part, annotator.key(texts))
    num_before = progress.done
    if num_before:
        console.say(f"going on after {num_before} of {len(texts)} sentences")
    with part.open("r+b" if part.exists() else "w+b") as file:
        file.truncate(progress.size)
        file.seek(progress.size)
        while progress.done < len(texts):
            span = slice(progress.done, progress.done + CHUNK)
            chunk = annotator.annotate(ids[span], texts[span])
            file.write(chunk.blocks.encode())
            file.flush()
            os.fsync(file.fileno())
            progress.counts += chunk.counts
            progress.done, progress.size = progress.done + len(texts[span]), file.tell()
            save_progress(beside, progress)
            console.say(f"{progress.done} of {len(texts)} sentences")
    put_in_place(part, output)
    beside.unlink(missing_ok=True)
    return progress.counts, num_before


def named_sentences(path: Path) -> tuple[list[str], list[str]]:
    """Read ids and sentences: of an AMR file its ``::snt`` or ``::tok``, else its lines.

    Raises:
        OSError: The file cannot be opened.
    """
    raw = console.read_text(path)
    if any(line.startswith("# ::") for line in raw.split("\n")):
        records = read_corpus(str(path), text=raw).records
        named = [(record.id, sentence_text(record)) for record in records]
        kept = [(name, text) for name, text in named if text.strip()]
        if len(kept) < len(named):
            console.say(f"{len(named) - len(kept)} blocks have no sentence and are left out")
    else:
        lines = raw.removesuffix("\n").split("\n") if raw else []
        kept = [(str(number), line.removesuffix("\r")) for number, line in enumerate(lines, 1)]
    return [name for name, _ in kept], [text for _, text in kept]


def read_progress(path: Path, part: Path, key: str) -> Progress:
    """Read how far a run is; begin anew where it is another one, or nothing is there."""
    fresh = Progress(key, 0, 0, Counter())
    if not path.is_file() or not part.is_file():
        return fresh
    try:
        values = json.loads(path.read_text("utf-8"))
        found = Progress(
            values["key"], int(values["done"]), int(values["size"]), Counter(values["counts"])
        )
    except (ValueError, KeyError, TypeError):
        return fresh
    is_same = found.key == key and part.stat().st_size >= found.size
    return found if is_same else fresh


def save_progress(path: Path, progress: Progress) -> None:
    """Write how far a run is, all or nothing."""
    save_text(path, json.dumps(vars(progress)))


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
