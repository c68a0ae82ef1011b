"""``aptamr annotate --engine ray``: chunks of sentences parsed by the actors of a cluster.

Each actor holds the models and has one chunk at a time, so that what is in memory does not
grow with the input; one that is lost is started anew and its chunk is given again. Chunks are
those of the local engine, so the result is the same file. The model folders must be readable on
every machine under the same path; without RAY_ADDRESS a cluster of this machine alone is
started.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

from aptcore.errors import AptamrError, ConfigurationError, TrainingError
from aptcore.neural.weights import Device
from trainer.annotating.chunks import Chunk, Request
from trainer.annotating.lines import Line
from trainer.annotating.outside import load_annotator
from trainer.annotating.parts import Engine, Row

RETRIES = 3
"""How often a chunk is given again when its actor is lost."""


class ChunkActor:
    """Holds the models on one core, or on one GPU, and annotates chunk after chunk."""

    def __init__(self, request: Request, device: Device) -> None:
        self.annotator = load_annotator(request, device)

    def annotate(self, lines: Sequence[Line]) -> Chunk:
        """Annotate the lines of a chunk."""
        return self.annotator.annotate(lines)


def on_ray(request: Request, device: Device) -> Engine:
    """Let the actors of a cluster annotate.

    Raises:
        ConfigurationError: Once it begins, if Ray is not installed.
        TrainingError: The actors of a chunk are lost again and again.
    """

    def work(rows: Iterable[Row]) -> Iterator[tuple[Row, Chunk]]:
        with cluster() as ray:
            kind = "GPU" if device == "cuda" else "CPU"
            size = max(1, int(ray.cluster_resources().get(kind, 1)))
            options = {"num_gpus": 1} if kind == "GPU" else {"num_cpus": 1}
            actor_of = ray.remote(ChunkActor).options(
                **options, max_restarts=-1, max_task_retries=RETRIES
            )
            source = iter(rows)
            at_work = {}

            def give(actor: Any, row: Row | None) -> None:
                if row is not None:
                    at_work[actor.annotate.remote(row.lines)] = actor, row

            for row in islice(source, size):
                give(actor_of.remote(request, device), row)
            while at_work:
                (done,), _ = ray.wait(list(at_work))
                actor, row = at_work.pop(done)
                chunk = _received(ray, done)
                give(actor, next(source, None))
                yield row, chunk

    return work


def _received(ray: Any, done: Any) -> Chunk:
    """Take a finished chunk.

    Raises:
        AptamrError: What ended the actor's work.
        TrainingError: The actor was lost.
    """
    try:
        chunk = ray.get(done)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, AptamrError):
            raise error.cause from None
        raise
    except ray.exceptions.RayActorError as error:
        raise TrainingError(f"the actors of Ray are lost again and again: {error}") from error
    assert isinstance(chunk, Chunk)
    return chunk


@contextmanager
def cluster() -> Iterator[Any]:
    """Join the cluster of RAY_ADDRESS, or start one of this machine; give the ray module.

    Raises:
        ConfigurationError: Ray is not installed.
    """
    try:
        import ray
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
