"""``aptamr annotate``: silver graphs of many sentences, by one model or an ensemble.

What is done is on disk: a run that was cut short goes on where it stopped, if input and
models are the same. A graph that hangs together only by a repair or a LINK is left out
unless asked for, and counted.

Source: Zhou and others 2021, section 5.2: silver parses with detached nodes are removed.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import typer

from app.commands import console
from app.commands.parse import CHUNK, format_block, linked
from aptcore.actions import Link
from aptcore.corpus import read_corpus, sentence_text
from aptcore.parser import AptParser, Device, Parse
from aptcore.tokens import tokenize_all
from aptcore.wiki import DictionaryLinker, linker_of


@dataclass(frozen=True, slots=True)
class Request:
    """What to annotate and how.

    Attributes:
        input_file: Sentences, one a line, or an AMR file whose sentences are parsed anew.
        output: The AMR file to write; it appears when all is done.
        models: Model folders, more than one for an ensemble; empty for the shipped model.
        beam: Beam width; 1 is greedy.
        keep_detached: Keep graphs that needed a repair or a LINK.
        wiki: Add ``:wiki`` to named things.
    """

    input_file: Path
    output: Path
    models: tuple[Path, ...]
    beam: int
    keep_detached: bool
    wiki: bool


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
    """
    output = request.output.resolve()
    if output.is_dir() or not output.parent.is_dir():
        raise typer.BadParameter(f"--output {output} cannot be a file: name one in a folder")
    ids, texts = named_sentences(request.input_file)
    parser = AptParser.from_pretrained(request.models or None, device=device)
    console.say_device(device, parser.info.device)
    linker = linker_of(request.models) if request.wiki else None
    part, beside = (output.with_name(output.name + end) for end in (".part", ".progress"))
    progress = read_progress(beside, part, key_of(request, texts, parser, linker))
    if progress.done:
        console.say(f"going on after {progress.done} of {len(texts)} sentences")
    started, before = time.monotonic(), progress.done
    with part.open("r+b" if part.exists() else "w+b") as file:
        file.truncate(progress.size)
        file.seek(progress.size)
        while progress.done < len(texts):
            span = slice(progress.done, progress.done + CHUNK)
            sentences = tokenize_all(texts[span], ids[span])
            for parse in parser.parse(sentences, beam=request.beam):
                fate = fate_of(parse)
                is_kept = fate == "kept" or (fate != "failed" and request.keep_detached)
                progress.counts[fate] += 1
                if is_kept:
                    block = silver_block(linked(parse, linker), parser, request.beam)
                    file.write(block.encode())
                progress.done += 1
            file.flush()
            os.fsync(file.fileno())
            progress.size = file.tell()
            save_progress(beside, progress)
            console.say(f"{progress.done} of {len(texts)} sentences")
    os.replace(part, output)
    beside.unlink(missing_ok=True)
    seconds = time.monotonic() - started
    result = summary(progress, request, (len(texts) - before) / seconds if seconds else 0.0)
    if as_json:
        console.write_json(result)
    else:
        console.say(", ".join(f"{name}: {value}" for name, value in result.items()))
    return 1 if progress.counts["failed"] else 0


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


def fate_of(parse: Parse) -> str:
    """Tell what becomes of a parse: ``kept``, ``repaired``, ``linked`` or ``failed``."""
    if parse.error is not None:
        return "failed"
    if parse.repairs:
        return "repaired"
    return "linked" if any(isinstance(action, Link) for action in parse.actions) else "kept"


def silver_block(parse: Parse, parser: AptParser, beam: int) -> str:
    """Write a block that says which model made it, and how sure it was."""
    block = format_block(parse)
    head = f"# ::silver {parser.info.id} {parser.info.hash} beam {beam}\n"
    sure = parse.log_prob / max(1, len(parse.actions))
    first, _, rest = block.partition("\n")
    return f"{first}\n{head}# ::log_prob_per_action {sure:.4f}\n{rest}"


def key_of(
    request: Request, texts: Sequence[str], parser: AptParser, linker: DictionaryLinker | None
) -> str:
    """Give a hash of all that the result depends on."""
    digest = hashlib.sha256("\n".join(texts).encode("utf-8", "surrogatepass"))
    options = replace(request, input_file=Path(), output=Path(), models=())
    digest.update(f"{parser.info.hash} {options} {linker}".encode())
    return digest.hexdigest()


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
    part = path.with_name(path.name + ".new")
    part.write_text(
        json.dumps(
            {
                "key": progress.key,
                "done": progress.done,
                "size": progress.size,
                "counts": progress.counts,
            }
        ),
        "utf-8",
    )
    os.replace(part, path)


def summary(progress: Progress, request: Request, rate: float) -> dict[str, int | float]:
    """Count what became of the sentences; ``rate`` is in sentences a second."""
    counts = progress.counts
    detached = counts["repaired"] + counts["linked"]
    return {
        "sentences": progress.done,
        "kept": counts["kept"] + (detached if request.keep_detached else 0),
        "repaired": counts["repaired"],
        "linked": counts["linked"],
        "failed": counts["failed"],
        "sentences_per_second": round(rate, 2),
    }
