"""One file annotated chunk by chunk: what is done is on disk, and a run that was cut short goes on.

Every finished chunk is a file in a folder beside the output, whichever process made it. The
output appears when all are there. A folder of other sentences, models or options is emptied.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from aptcore.saving import save_text
from trainer.annotating.chunks import Chunk

CHUNK = 128
"""Sentences of a chunk, which are parsed in batches of like length."""

KEY_FILE = "key"


class Row(NamedTuple):
    """The sentences of a chunk; ``number`` is its place among the chunks."""

    number: int
    ids: tuple[str, ...]
    texts: tuple[str, ...]


Engine = Callable[[Path, Sequence[Row]], Iterator[int]]
"""Annotates rows into a folder of parts; gives, now and then, how many sentences were done."""


def annotate_file(
    work: Engine,
    output: Path,
    key: str,
    ids: Sequence[str],
    texts: Sequence[str],
    say: Callable[[str], None],
) -> tuple[Counter[str], int]:
    """Annotate sentences into a file, from where an earlier process was.

    Args:
        work: Which processes parse, and where.
        output: The AMR file to write.
        key: Hash of all that the result depends on.
        ids: Names of the sentences.
        texts: The sentences.
        say: Is told how far it is.

    Returns:
        Sentences by what became of them, and how many were done before.
    """
    parts = output.with_name(output.name + ".parts")
    open_parts(parts, key)
    rows = [
        Row(n, tuple(ids[first : first + CHUNK]), tuple(texts[first : first + CHUNK]))
        for n, first in enumerate(range(0, len(texts), CHUNK))
    ]
    missing = [row for row in rows if not part_path(parts, row.number).is_file()]
    num_before = num_done = len(texts) - sum(len(row.texts) for row in missing)
    if num_before:
        say(f"going on after {num_before} of {len(texts)} sentences")
    for num_sentences in work(parts, missing):
        num_done += num_sentences
        say(f"{num_done} of {len(texts)} sentences")
    chunks = [load_part(parts, row.number) for row in rows]
    save_text(output, "".join(chunk.blocks for chunk in chunks))
    shutil.rmtree(parts)
    return sum((chunk.counts for chunk in chunks), Counter()), num_before


def open_parts(parts: Path, key: str) -> None:
    """Make the folder of finished chunks; what is there of another run goes."""
    key_file = parts / KEY_FILE
    if key_file.is_file() and key_file.read_text("utf-8") == key:
        return
    if parts.exists():
        shutil.rmtree(parts)
    parts.mkdir()
    save_text(key_file, key)


def part_path(parts: Path, number: int) -> Path:
    """Give the file of a chunk."""
    return parts / f"{number:08d}.json"


def save_part(parts: Path, number: int, chunk: Chunk) -> None:
    """Write a finished chunk, all or nothing."""
    content = {"blocks": chunk.blocks, "counts": chunk.counts}
    save_text(part_path(parts, number), json.dumps(content, ensure_ascii=False))


def load_part(parts: Path, number: int) -> Chunk:
    """Read a finished chunk."""
    content = json.loads(part_path(parts, number).read_text("utf-8"))
    return Chunk(content["blocks"], Counter(content["counts"]))
