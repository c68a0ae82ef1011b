"""A stream of sentences annotated chunk by chunk: what is done is on disk, and is not done again.

Every finished chunk is a file in a folder beside the output, on this machine or in object
storage. It is named by its place and by a hash of its lines and of all else that its graphs
depend on, so a run that was cut short goes on with what is missing, and one of other lines,
models or options takes nothing from it. The output appears when all chunks are there, and
beside it, as JSON Lines, every line that gave no graph, if there is one.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from aptcore.errors import InputError
from trainer.annotating import storage
from trainer.annotating.chunks import Chunk
from trainer.annotating.lines import Line
from trainer.annotating.progress import Progress

CHUNK = 128
"""Lines of a chunk, which are parsed in batches of like length."""

PARTS, APART = ".parts", ".apart.jsonl"
"""Behind the name of the output: the folder of finished chunks, and the lines without a graph."""


class Row(NamedTuple):
    """The lines of a chunk.

    Attributes:
        number: Its place among the chunks, from 0.
        name: Of its part.
        lines: In order.
        share: How much of the input has been read with it.
    """

    number: int
    name: str
    lines: tuple[Line, ...]
    share: float


Engine = Callable[[Iterable[Row]], Iterator[tuple[Row, Chunk]]]
"""Annotates rows, and gives each once it is done, in any order."""


def is_written_for(output: str, address: str) -> bool:
    """Tell whether a file is what a run writes for an output."""
    place = storage.place_of(address)
    return place in (output, output + APART) or place.startswith(f"{output}{PARTS}/")


def annotate_file(
    work: Engine,
    output: str,
    key: str,
    lines: Iterable[tuple[Line, float]],
    say: Callable[[str], None],
) -> tuple[Counter[str], int]:
    """Annotate lines into a file, from where an earlier process was.

    Args:
        work: Which processes parse, and where.
        output: The AMR file to write: a path, or an address of object storage.
        key: Names all that the result depends on besides the lines.
        lines: Each with the share of the input that is read with it.
        say: Is told how far it is.

    Returns:
        Lines by what became of them, and how many were done before.

    Raises:
        InputError: Another process removed what was done here, as it does at its end.
    """
    folder = output + PARTS
    there = storage.make_folder(folder)
    names: list[str] = []
    progress = Progress(say)

    def missing() -> Iterator[Row]:
        for row in rows_of(key, lines):
            names.append(row.name)
            progress.read(len(row.lines), row.share)
            if row.name in there:
                progress.skip(len(row.lines))
            else:
                yield row

    try:
        for row, chunk in work(missing()):
            storage.save(f"{folder}/{row.name}", encode_part(chunk))
            progress.add(len(row.lines))
        progress.end()
        counts = join_parts(output, folder, names)
    except (KeyboardInterrupt, SystemExit):
        say("stopped; the same command goes on from here")
        raise
    except FileNotFoundError as error:
        if Path(folder).is_dir():
            raise
        raise InputError(
            f"{folder} is gone: another process wrote {output} meanwhile; "
            "give each of them an output of its own"
        ) from error
    storage.remove(folder)
    return counts, progress.num_skipped


def rows_of(key: str, lines: Iterable[tuple[Line, float]]) -> Iterator[Row]:
    """Part lines into chunks."""
    source, number = iter(lines), 0
    while found := list(islice(source, CHUNK)):
        chunk = tuple(line for line, _ in found)
        content = json.dumps([key, [(line.id, line.text, line.problem) for line in chunk]])
        name = f"{number:08d}-{hashlib.sha256(content.encode()).hexdigest()[:16]}.json"
        yield Row(number, name, chunk, found[-1][1])
        number += 1


def join_parts(output: str, folder: str, names: Iterable[str]) -> Counter[str]:
    """Write the output and what is set apart, one part in memory at a time."""
    counts: Counter[str] = Counter()
    is_any_apart = False
    with storage.writing(output + APART) as apart, storage.writing(output) as kept:
        for name in names:
            chunk = decode_part(storage.load(f"{folder}/{name}"))
            kept.write(chunk.blocks.encode("utf-8"))
            apart.write(chunk.apart.encode("utf-8"))
            counts += chunk.counts
            is_any_apart |= bool(chunk.apart)
    if not is_any_apart:
        storage.remove(output + APART)
    return counts


def encode_part(chunk: Chunk) -> str:
    """Write a finished chunk as JSON."""
    content = {"blocks": chunk.blocks, "apart": chunk.apart, "counts": chunk.counts}
    return json.dumps(content, ensure_ascii=False)


def decode_part(text: str) -> Chunk:
    """Read a finished chunk."""
    content = json.loads(text)
    return Chunk(content["blocks"], content["apart"], Counter(content["counts"]))
