"""The rows of the queue: in which order, what is shown of each, and which comes next."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache

import pandas as pd

from app.addresses.queue import Order
from app.kit.text import counted, shorten
from app.store.documents.progress import Progress
from app.store.documents.queues import QueueRow
from app.store.records.rows import CopyRow, Document
from aptcore.assets import asset_path

ORDER_NAMES: dict[Order, str] = {
    "margin": "Doubt: narrow choices",
    "lowest": "Doubt: least sure action",
    "entropy": "Doubt: mean entropy",
    "surprise": "Doubt: unlikely as a whole",
    "disagreement": "Doubt: models disagree",
    "random": "Random",
    "file": "As in the file",
}

MAX_TEXT = 220
"""Columns of a sentence that a table shows; the rest is on the Correct page."""
MIN_HOURS = 1 / 60
"""Work of less than a minute says nothing about speed."""
ADDRESS = "correct"
"""The path of the Correct page."""


def queue_frame(
    rows: Sequence[QueueRow], names: Mapping[int, str], addresses: Sequence[str], measure: str
) -> pd.DataFrame:
    """Give the queue as a table.

    Args:
        rows: In order.
        names: Of the documents, by number.
        addresses: Where each row is corrected.
        measure: What the column of doubt is called.
    """
    found = [row.sentence for row in rows]
    return pd.DataFrame(
        {
            "link": addresses,
            "sentence": [shorten(row.text, MAX_TEXT) for row in found],
            measure: pd.array([row.doubt for row in rows], dtype="Float64"),
            "status": [row.status for row in found],
            "flag": [row.flagged for row in found],
            "problem": [row.apart for row in found],
            "assigned": [row.assigned for row in found],
            "at work": [row.claimed_by for row in found],
            "last": [row.last_person for row in found],
            "comments": pd.array([row.num_comments or None for row in found], dtype="Int64"),
            "id": [row.name for row in found],
            "document": [names.get(row.document, "") for row in found],
            "number": [row.number for row in found],
        }
    )


def describe_progress(progress: Progress, person: str) -> tuple[tuple[str, str], ...]:
    """Give the figures that stand above the queue, with their names."""
    done = progress.accepted + progress.rejected + progress.skipped
    figures = [
        ("done", f"{done:,} of {progress.sentences:,}"),
        ("accepted", f"{progress.accepted:,}"),
        ("remaining", f"{progress.open:,}"),
    ]
    own = next((one for one in progress.people if one.person == person), None)
    own_speed = own.sentences_per_hour if own and own.hours >= MIN_HOURS else 0.0
    for name, speed in (("yours an hour", own_speed), ("everybody's an hour", _speed(progress))):
        figures.append((name, f"{speed:.0f}" if speed else "–"))
    speed = _speed(progress)
    if speed and progress.open:
        figures.append(("hours left", f"{progress.open / speed:.1f}"))
    return tuple(figures)


def _speed(progress: Progress) -> float:
    """Give the sentences done in an hour of one person's work; 0 while that says nothing."""
    hours = sum(one.hours for one in progress.people)
    done = sum(one.accepted + one.rejected + one.skipped for one in progress.people)
    return done / hours if hours >= MIN_HOURS else 0.0


def people_frame(progress: Progress) -> pd.DataFrame:
    """Give who did what as a table."""
    people = progress.people
    return pd.DataFrame(
        {
            "person": [one.person for one in people],
            "assigned": [one.assigned for one in people],
            "of these done": [one.assigned_done for one in people],
            "accepted": [one.accepted for one in people],
            "rejected": [one.rejected for one in people],
            "skipped": [one.skipped for one in people],
            "sentences touched": [one.sentences for one in people],
            "operations": [one.operations for one in people],
            "hours": [round(one.hours, 2) for one in people],
            "sentences an hour": [round(one.sentences_per_hour, 1) for one in people],
            "last": [one.last for one in people],
        }
    )


def document_frame(pairs: Sequence[tuple[Document, Progress]]) -> pd.DataFrame:
    """Give the documents with how far each is as a table."""
    documents = [document for document, _ in pairs]
    names = {document.id: document.name for document in documents}
    counts = ["sentences", "open", "accepted", "rejected", "skipped", "flagged", "apart", "edited"]
    frame = pd.DataFrame([progress for _, progress in pairs])[counts]
    frame.insert(0, "document", [document.name for document in documents])
    frame["copy for"] = [document.person for document in documents]
    frame["copy of"] = [names.get(document.copy_of or 0, "") for document in documents]
    frame["graphs from"] = [str(document.source) for document in documents]
    frame["imported"] = [document.at for document in documents]
    return frame.rename(columns={"apart": "kept apart", "edited": "changed"})


def describe_copy(copy: CopyRow) -> str:
    """Say whose copy of a document it is, and how much work there is on it."""
    name = f"{copy.person}: {copy.name}"
    if not copy.num_operations:
        return f"{name}, not begun"
    begun = f"{copy.num_touched:,} of {counted(copy.num_sentences, 'sentence')} begun"
    return f"{name}, {begun}, {copy.num_submitted:,} accepted or rejected"


def split_evenly(sentences: Sequence[int], people: Sequence[str]) -> dict[int, str]:
    """Deal sentences out to people in turn, so that all get as many and as doubtful ones."""
    return {sentence: people[place % len(people)] for place, sentence in enumerate(sentences)}


_GAIN_FILE = "doubt.json"
"""Written by ``python -m benchmarks.doubt``; an asset of the program."""


@lru_cache(maxsize=1)
def _ratios() -> Mapping[str, Mapping[str, float]]:
    """Read the errors per gold triple in the most doubtful quarter, against a random quarter.

    Returns:
        Ratios by measure and set of sentences; none where the program comes without the file.
    """
    path = asset_path(_GAIN_FILE)
    return json.loads(path.read_text(encoding="utf-8"))["ratios"] if path.is_file() else {}


def describe_gain(measure: str) -> str:
    """Say in one line what an order by a measure is worth; empty where it was not measured."""
    ratios = _ratios().get(measure, {})
    if not ratios:
        return ""
    shown = ", ".join(f"{ratio:.1f} times on {name}" for name, ratio in ratios.items())
    return (
        f"Measured where gold is known: the first quarter by {measure} holds more errors per "
        f"triple than a random quarter, {shown}."
    )
