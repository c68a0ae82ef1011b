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
    answers = []
    for plan in planned:
        what = {"do": "edit", "edit": edit_to_json(plan.edit), "batch": batch, "note": note}
        request = Request(f"bulk {batch}", plan.base, what)
        answers.append((plan.sentence, store.apply(plan.sentence, person, tab, request)))
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
    answers = []
    for sentence in batch.standing:
        base = store.sentence(sentence).revision
        request = Request(f"undo {name}", base, {"do": "undo", "batch": batch.id})
        answers.append((sentence, store.apply(sentence, person, tab, request)))
    return _report(batch.id, answers)


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
