"""``aptamr annotate --engine ray``: chunks of sentences parsed by the actors of a cluster.

Ray Data hands chunks to actors, each of which holds the models; this process writes every
chunk that comes back into a folder beside the output, so that a run that was cut short
goes on with the chunks that are missing. Chunks are those of the local engine, so the
result is the same file. The model folders must be readable on every machine under the
same path; without RAY_ADDRESS a cluster of this machine alone is started.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from app.commands import console
from app.commands.annotate_chunks import Annotator, Chunk, Request
from app.commands.parse import CHUNK
from aptcore.errors import ConfigurationError
from aptcore.neural.parser import Device
from aptcore.saving import save_text

KEY_FILE = "key"


class ChunkActor:
    """Holds the models on one core, or on one GPU, and annotates chunk after chunk."""

    def __init__(self, request: Request, device: Device) -> None:
        self.annotator = Annotator.load(request, device)

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        """Annotate the sentences of a row of the data set."""
        chunk = self.annotator.annotate(list(row["ids"]), list(row["texts"]))
        return {"number": row["number"], "blocks": chunk.blocks, "counts": json.dumps(chunk.counts)}


def annotate_on_ray(
    annotator: Annotator, device: Device, ids: Sequence[str], texts: Sequence[str]
) -> tuple[Counter[str], int]:
    """Annotate on a cluster; finished chunks stand in a folder beside the output.

    Returns:
        Sentences by what became of them, and how many were done before.

    Raises:
        ConfigurationError: Ray is not installed.
    """
    output = annotator.request.output.resolve()
    parts = output.with_name(output.name + ".parts")
    open_parts(parts, annotator.key(texts))
    spans = [slice(first, first + CHUNK) for first in range(0, len(texts), CHUNK)]
    missing = [n for n in range(len(spans)) if not part_path(parts, n).is_file()]
    num_before = len(texts) - sum(len(texts[spans[n]]) for n in missing)
    if num_before:
        console.say(f"going on after {num_before} of {len(texts)} sentences")
    rows = [
        {"number": n, "ids": list(ids[spans[n]]), "texts": list(texts[spans[n]])} for n in missing
    ]
    num_done = num_before
    for number, chunk in annotated_rows(annotator.request, device, rows):
        save_part(parts, number, chunk)
        num_done += chunk.counts.total()
        console.say(f"{num_done} of {len(texts)} sentences")
    chunks = [load_part(parts, n) for n in range(len(spans))]
    save_text(output, "".join(chunk.blocks for chunk in chunks))
    shutil.rmtree(parts)
    return sum((chunk.counts for chunk in chunks), Counter()), num_before


def annotated_rows(
    request: Request, device: Device, rows: list[dict[str, Any]]
) -> Iterator[tuple[int, Chunk]]:
    """Let the actors annotate; gives chunks as they come back."""
    if not rows:
        return
    with cluster() as ray:
        kind = "GPU" if device == "cuda" else "CPU"
        size = max(1, min(len(rows), int(ray.cluster_resources().get(kind, 1))))
        found = ray.data.from_items(rows, override_num_blocks=len(rows)).map(
            ChunkActor,
            fn_constructor_args=(request, device),
            compute=ray.data.ActorPoolStrategy(min_size=1, max_size=size),
            num_cpus=None if kind == "GPU" else 1,
            num_gpus=1 if kind == "GPU" else None,
        )
        for row in found.iter_rows():
            yield row["number"], Chunk(row["blocks"], Counter(json.loads(row["counts"])))


@contextmanager
def cluster() -> Iterator[Any]:
    """Join the cluster of RAY_ADDRESS, or start one of this machine; give the ray module.

    Raises:
        ConfigurationError: Ray is not installed.
    """
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise ConfigurationError(
            f"--engine ray needs Ray ({error}): pip install 'aptamr[ray]', or leave --engine out"
        ) from error
    is_ours = not ray.is_initialized()
    if is_ours:
        ray.init(log_to_driver=False)
    try:
        yield ray
    finally:
        if is_ours:
            ray.shutdown()


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
