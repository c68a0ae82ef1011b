"""What the Train page says about a run; a score that is not there yet is never shown as 0."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.kit.text import escape_markdown
from app.pages.train.charts import short_dev
from trainer.runs.estimates import Estimate
from trainer.runs.status import ENDED
from trainer.runs.watching import CHECKPOINTS, Metrics, RunInfo

NO_SCORE = "no score yet"
NO_FIGURE = "none yet"

SHOWN_UNSEEN = 8
"""How many names of roles or labels that training has not are shown."""

SILENT_SECONDS = 15.0
"""A living process whose heartbeat is older than this is said to be held up, in seconds."""

_ICONS = {
    "queued": ":material/schedule:",
    "preparing": ":material/hourglass_top:",
    "running": ":material/directions_run:",
    "stopping": ":material/stop_circle:",
    "stopped": ":material/pause_circle:",
    "finished": ":material/check_circle:",
    "failed": ":material/error:",
    "dead": ":material/heart_broken:",
}


@dataclass(frozen=True, slots=True)
class Tile:
    """A figure with its name; ``note`` says more."""

    label: str
    value: str
    note: str = ""


def describe_run(run: RunInfo, now: float) -> str:
    """Say in Markdown where a run stands.

    Args:
        run: The run.
        now: Seconds since 1970.
    """
    said = f"{_ICONS[run.state]} **{run.state}**"
    message = escape_markdown(run.message)
    silent = now - max(run.beat.time, run.changed)
    match run.state:
        case "queued":
            return f"{said}: {message or 'its process is starting'}. It begins by itself."
        case "preparing":
            return f"{said}: reads the corpora and makes examples; minutes for the large ones."
        case "running" if silent > SILENT_SECONDS:
            return (
                f"{said}, but silent for {seconds_text(silent)}: its process lives and is held up."
            )
        case "running":
            return f"{said}: {escape_markdown(run.beat.doing)}."
        case "stopping":
            return f"{said}: it ends after the step under way, and saves."
        case "stopped":
            return f"{said} {ago(now - run.changed)}: it can go on at step {run.beat.step:,}."
        case "failed":
            return f"{said} {ago(now - run.changed)}: {message}"
        case "dead":
            return (
                f"{said} (failed): its process is gone without a word (killed, out of memory, or "
                f"the machine restarted), last heard {ago(silent)} at step {run.beat.step:,}. It "
                "can go on from its last save."
            )
        case _:
            return f"{said} {ago(now - run.changed)}."


def short_state(run: RunInfo) -> str:
    """Name the state, and the progress where there is any, in plain text."""
    if run.state in ENDED or not run.beat.num_steps:
        return run.state
    return f"{run.state} {share_done(run):.0%}"


def share_done(run: RunInfo) -> float:
    """Give the share of steps done, 0..1; 0 while their number is not known."""
    if run.state == "finished":
        return 1.0
    return min(1.0, run.beat.step / run.beat.num_steps) if run.beat.num_steps else 0.0


def can_stop(run: RunInfo) -> bool:
    """Tell whether a stop would do anything."""
    return run.state in ("queued", "preparing", "running")


def can_resume(run: RunInfo) -> bool:
    """Tell whether the run can go on."""
    return run.state in ("stopped", "failed", "dead")


def tiles_of(run: RunInfo, metrics: Metrics, dev_names: tuple[str, ...]) -> tuple[Tile, ...]:
    """Give the figures of a run.

    Args:
        run: Where it stands.
        metrics: What it measured.
        dev_names: The dev sets of its configuration, scored or not.
    """
    last = metrics.steps[-1] if metrics.steps else None
    beat = run.beat
    tiles = [
        Tile(
            "Step",
            f"{beat.step:,}" if beat.num_steps else NO_FIGURE,
            f"of {beat.num_steps:,}; {beat.epoch:,} epochs finished",
        ),
        Tile("Loss per action", f"{last.loss:.4f}" if last else NO_FIGURE, "nats"),
        Tile("Learning rate", f"{last.learning_rate:.2g}" if last else NO_FIGURE),
        Tile("Actions/s", f"{last.actions_per_second:,.0f}" if last else NO_FIGURE),
    ]
    scored = metrics.averaged or (metrics.dev[-1] if metrics.dev else None)
    for name in dev_names:
        label = f"Smatch {short_dev(name)}"
        if scored is None or name not in scored.scores:
            tiles.append(Tile(label, NO_SCORE))
        else:
            of = f"after epoch {scored.epoch}" if scored.epoch else "of the averaged model"
            tiles.append(Tile(label, f"{100 * scored.scores[name]:.1f}", f"greedy, {of}"))
    return tuple(tiles)


def describe_unseen(unseen: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Say which roles and labels of dev no training sentence has, the most frequent first."""
    lines = []
    for kind in ("roles", "labels"):
        counts = unseen.get(f"dev_{kind}", {})
        if counts:
            some = ", ".join(f"{name} ({counts[name]:,})" for name in list(counts)[:SHOWN_UNSEEN])
            more = len(counts) - SHOWN_UNSEEN
            rest = f" and {more:,} more in facts.json" if more > 0 else ""
            lines.append(f"{len(counts):,} {kind} of dev are in no training sentence: {some}{rest}")
    return lines


def describe_best(metrics: Metrics) -> str:
    """Name the best epoch in plain text."""
    best = metrics.best
    if best is None:
        return f"Best checkpoint: {NO_SCORE}."
    scores = ", ".join(f"{short_dev(name)} {100 * s:.1f}" for name, s in best.scores.items())
    return f"Best checkpoint: epoch {best.epoch}, greedy dev Smatch {scores}."


def describe_checkpoint(name: str) -> str:
    """Say what a checkpoint's folder holds."""
    return CHECKPOINTS[name]


def seconds_text(seconds: float) -> str:
    """Write a span of time, rounded to what matters."""
    seconds = max(0.0, seconds)
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    if seconds < 48 * 3600:
        return f"{seconds / 3600:.1f} h"
    return f"{seconds / 86400:.0f} days"


def ago(seconds: float) -> str:
    """Write how long something is past."""
    return f"{seconds_text(seconds)} ago"


def seconds_left(run: RunInfo, metrics: Metrics, actions: int, epochs: int) -> float | None:
    """Reckon the seconds of training that are left at the last rate, without the scoring.

    Args:
        run: Where it stands.
        metrics: What it measured.
        actions: In one epoch.
        epochs: In all.
    """
    if run.state != "running" or not metrics.steps or not actions:
        return None
    rate = metrics.steps[-1].actions_per_second
    return (1 - share_done(run)) * actions * epochs / rate if rate > 0 else None


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
