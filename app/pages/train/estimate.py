"""What an estimate says: rounded figures, marked as such, and what they were reckoned from."""

from __future__ import annotations

from app.pages.train.watch import Tile, seconds_text
from trainer.runs.estimates import Estimate


def tiles_of_estimate(estimate: Estimate) -> tuple[Tile, ...]:
    """Give the figures of an estimate."""
    return (
        Tile("All of it", f"≈ {seconds_text(estimate.total_seconds)}"),
        Tile(
            "Until the first step",
            f"≈ {seconds_text(estimate.prepare_seconds)}",
            "With nothing in the cache; a second run over the same files is much faster.",
        ),
        Tile("An epoch", f"≈ {seconds_text(estimate.epoch_seconds)}"),
        Tile("A dev score", f"≈ {seconds_text(estimate.score_seconds)}"),
        Tile("Memory", f"≈ {bytes_text(estimate.memory_bytes)}"),
        Tile("Disk", f"≈ {bytes_text(estimate.disk_bytes)}"),
    )


def describe_estimate(estimate: Estimate) -> str:
    """Say in Markdown what an estimate was reckoned from."""
    noun = "batch" if estimate.batches == 1 else "batches"
    said = (
        f"**Estimates** from {estimate.batches} dry {noun} over {estimate.sampled:,} of "
        f"{estimate.sentences:,} sentences, at {estimate.actions_per_second:,.0f} actions/s and "
        f"with {estimate.parameters:,} weights."
    )
    if estimate.beside:
        said += " Another run was on meanwhile: alone it will be faster."
    return said


def bytes_text(number: int) -> str:
    """Write a number of bytes, rounded to what matters."""
    if number < 1e9:
        return f"{number / 1e6:.0f} MB"
    return f"{number / 1e9:.1f} GB"
