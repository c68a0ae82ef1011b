"""A page's outbox: numbered requests that stay in the browser until they are answered.

The page holds its requests as the state of a component and, until they are answered, in
the browser's own storage. Python applies what is beyond the last answer and gives the
answers back; what was lost on the way comes again and is not applied twice, because each
request has a name of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.store.operations import Answer, Conflict, Refused, read_request
from app.store.store import Store
from aptcore.errors import EditError

MAX_OUTBOX = 1000
"""Requests taken from an outbox at once; the rest comes with the next round."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to a request of an outbox, by its number there."""

    number: int
    answer: Answer


def apply_outbox(
    store: Store, sentence_id: int, person: str, tab: str, requests: Sequence[Any], ack: int
) -> list[Answered]:
    """Apply what an outbox holds beyond the last answer, in order.

    Args:
        store: Where the sentence is.
        sentence_id: The sentence that the page shows.
        person: Whose page it is.
        tab: A name for the browser tab, the same over reloads.
        requests: JSON objects as the browser sent them: number, id, base, what.
        ack: The number of the last request that was answered; 0 for none.

    Returns:
        One answer for each request beyond ``ack``, by rising number; its last number is
        the new ``ack``. After a conflict the rest is not applied: it was made on a graph
        that is no longer there, and gets the same answer.

    Raises:
        StoreError: The store cannot write. What came before is on disk, and all may be
            sent again.
    """
    waiting = [(number_of(values), values) for values in requests]
    waiting = sorted((item for item in waiting if item[0] > ack), key=lambda item: item[0])[
        :MAX_OUTBOX
    ]
    answers: list[Answered] = []
    conflict: Conflict | None = None
    for number, values in waiting:
        try:
            request = read_request(values)
        except EditError as error:
            answers.append(Answered(number, Refused("", str(error))))
            continue
        if conflict is not None:
            answer: Answer = Conflict(
                request.id, conflict.revision, conflict.by, conflict.difference
            )
        else:
            answer = store.apply(sentence_id, person, tab, request)
            conflict = answer if isinstance(answer, Conflict) else None
        answers.append(Answered(number, answer))
    return answers


def number_of(values: Any) -> int:
    """Give the number of a request as it came from a browser; 0 where it has none."""
    number = values.get("number") if isinstance(values, dict) else None
    return number if type(number) is int else 0
