"""One edit of many sentences, and one undo for all of it.

Each sentence gets an operation of its own, and all of them the same ``batch``: what was
written before a crash can be found and taken back like the whole. Who asks names the act:
asked again under the same name it goes on, and does nothing twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.store.batches import Batch
from app.store.log.operations import Acknowledged, Answer, Conflict, Request
from app.store.store import Store
from aptcore.editing.edits import Several, edit_to_json

TOGETHER = 50
"""Sentences that are written with one commit: others who write wait that long."""


@dataclass(frozen=True, slots=True)
class Planned:
    """What is to be done to one sentence; ``base`` is the revision that was previewed."""

    sentence: int
    base: int
    edit: Several


@dataclass(frozen=True, slots=True)
class BulkReport:
    """What became of a bulk edit or its undo.

    Attributes:
        batch: Its name in the log.
        done: The sentences that were changed.
        refused: The others, each with the reason.
    """

    batch: str
    done: tuple[int, ...]
    refused: tuple[tuple[int, str], ...]


def apply_bulk(
    store: Store, person: str, tab: str, planned: Sequence[Planned], note: str, batch: str
) -> BulkReport:
    """Edit many sentences as one.

    Args:
        store: Where they are.
        person: Who asks.
        tab: From where.
        planned: One edit for each sentence.
        note: What it is, in words; it stands in the log.
        batch: Its name in the log, new for each edit.

    Raises:
        UnavailableError: The store cannot write; what was written before stands.
    """
    answers: list[tuple[int, Answer]] = []
    for start in range(0, len(planned), TOGETHER):
        asked = []
        for plan in planned[start : start + TOGETHER]:
            what = {"do": "edit", "edit": edit_to_json(plan.edit), "batch": batch, "note": note}
            asked.append((plan.sentence, Request(f"bulk {batch}", plan.base, what)))
        answers += _answers(store, person, tab, asked)
    return _report(batch, answers)


def undo_bulk(store: Store, person: str, tab: str, batch: Batch, name: str) -> BulkReport:
    """Take a bulk edit back in every sentence in which it stands.

    Args:
        store: Where it is.
        person: Who asks.
        tab: From where.
        batch: The edit.
        name: Of this undo, new for each.

    Raises:
        UnavailableError: The store cannot write; what was taken back before stays so.
    """
    answers: list[tuple[int, Answer]] = []
    what = {"do": "undo", "batch": batch.id}
    for start in range(0, len(batch.standing), TOGETHER):
        asked = [
            (sentence, Request(f"undo {name}", store.sentence(sentence).revision, what))
            for sentence in batch.standing[start : start + TOGETHER]
        ]
        answers += _answers(store, person, tab, asked)
    return _report(batch.id, answers)


def _answers(
    store: Store, person: str, tab: str, asked: Sequence[tuple[int, Request]]
) -> list[tuple[int, Answer]]:
    answers = store.apply_all(person, tab, asked)
    return [(sentence, answer) for (sentence, _), answer in zip(asked, answers, strict=True)]


def _report(batch: str, answers: Sequence[tuple[int, Answer]]) -> BulkReport:
    done = tuple(sentence for sentence, answer in answers if isinstance(answer, Acknowledged))
    refused = tuple(
        (sentence, _reason(answer))
        for sentence, answer in answers
        if not isinstance(answer, Acknowledged)
    )
    return BulkReport(batch, done, refused)


def _reason(answer: Answer) -> str:
    if isinstance(answer, Acknowledged):
        return ""
    if isinstance(answer, Conflict):
        return f"{answer.by} changed the sentence since the preview"
    return answer.reason
