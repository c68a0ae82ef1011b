"""``aptamr annotate --engine ray``: chunks of sentences parsed by the actors of a cluster.

Ray Data hands chunks to actors, each of which holds the models; this process writes every
chunk that comes back into a folder beside the output, so that a run that was cut short
goes on with the chunks that are missing. Chunks are those of the local engine, so the
result is the same file. The model folders must be readable on every machine under the
same path; without RAY_ADDRESS a cluster of this machine alone is started.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from aptcore.errors import ConfigurationError
from aptcore.neural.parser import Device
from trainer.annotating.chunks import Annotator, Chunk, Request
from trainer.annotating.parts import Engine, Row, save_part


class ChunkActor:
    """Holds the models on one core, or on one GPU, and annotates chunk after chunk."""

    def __init__(self, request: Request, device: Device) -> None:
        self.annotator = Annotator.load(request, device)

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        """Annotate the sentences of a row of the data set."""
        chunk = self.annotator.annotate(list(row["ids"]), list(row["texts"]))
        return {"number": row["number"], "blocks": chunk.blocks, "counts": json.dumps(chunk.counts)}


def on_ray(request: Request, device: Device) -> Engine:
    """Let the actors of a cluster annotate.

    Raises:
        ConfigurationError: Once it begins, if Ray is not installed.
    """

    def work(parts: Path, rows: Sequence[Row]) -> Iterator[int]:
        if not rows:
            return
        with cluster() as ray:
            kind = "GPU" if device == "cuda" else "CPU"
            size = max(1, min(len(rows), int(ray.cluster_resources().get(kind, 1))))
            values = [
                {"number": row.number, "ids": list(row.ids), "texts": list(row.texts)}
                for row in rows
            ]
            found = ray.data.from_items(values, override_num_blocks=len(rows)).map(
                ChunkActor,
                fn_constructor_args=(request, device),
                compute=ray.data.ActorPoolStrategy(min_size=1, max_size=size),
                num_cpus=None if kind == "GPU" else 1,
                num_gpus=1 if kind == "GPU" else None,
            )
            for row in found.iter_rows():
                counts = Counter(json.loads(row["counts"]))
                save_part(parts, row["number"], Chunk(row["blocks"], counts))
                yield counts.total()

    return work


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
