"""What the editor sends: numbered messages that stay in the browser until acknowledged.

A message is applied once, in the order of the numbers; the browser sends it again until its
number is acknowledged, and the store knows its id, so a resent one does nothing twice. A
message names the store and the person that it is for, and goes nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MAX_MESSAGES = 500
"""Messages read at once; later ones are read when these are taken in."""

MAX_NUMBER = 2**53
"""Whole numbers from here on are not exact in a browser."""


@dataclass(frozen=True, slots=True)
class Message:
    """One thing that a person did.

    Attributes:
        number: Rises with every message of a browser tab.
        id: Unique; the store takes a message with the same id once.
        tab: The browser tab that it was made in.
        person: Who made it.
        sentence: Which sentence it is about; 0 where it is about none.
        base: The revision that was shown when it was made.
        what: JSON object; its key ``do`` says what to do.
    """

    number: int
    id: str
    tab: str
    person: str
    sentence: int
    base: int
    what: Mapping[str, Any]


def own_outbox(state: object, store: str, person: str) -> dict[str, Any]:
    """Give what belongs to a store and a person; all else waits in the browser for them."""
    rows = state.get("messages") if isinstance(state, Mapping) else None
    here = {"store": store, "person": person}
    own = [
        row
        for row in (rows if isinstance(rows, list) else ())
        if isinstance(row, Mapping) and {key: row.get(key) for key in here} == here
    ]
    return {"messages": own}


def read_outbox(state: object, acknowledged: int) -> tuple[Message, ...]:
    """Read the messages that are new, in order; what is damaged is passed over.

    Args:
        state: What the component holds as ``outbox``.
        acknowledged: Number of the last message that was taken in.
    """
    rows = state.get("messages") if isinstance(state, Mapping) else None
    if not isinstance(rows, list):
        return ()
    found = (_read(row) for row in rows)
    fresh = [one for one in found if one is not None and one.number > acknowledged]
    return tuple(sorted(fresh, key=lambda one: one.number)[:MAX_MESSAGES])


def highest_number(state: object, acknowledged: int) -> int:
    """Give the number to acknowledge when all that can be read is done."""
    rows = state.get("messages") if isinstance(state, Mapping) else None
    numbers = [_number(row.get("number")) for row in rows or () if isinstance(row, Mapping)]
    return max([acknowledged, *(number for number in numbers if number is not None)])


def _read(row: object) -> Message | None:
    if not isinstance(row, Mapping):
        return None
    number, sentence, base = (_number(row.get(key)) for key in ("number", "sentence", "base"))
    names = [row.get(key) for key in ("id", "tab", "person")]
    what = row.get("what")
    if number is None or sentence is None or base is None:
        return None
    if not all(isinstance(name, str) and len(name) <= 100 for name in names):
        return None
    if not names[0] or not isinstance(what, Mapping) or not isinstance(what.get("do"), str):
        return None
    return Message(number, str(names[0]), str(names[1]), str(names[2]), sentence, base, what)


def _number(value: object) -> int | None:
    """Read a whole number; a browser may write 3 as 3.0."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    is_whole = abs(value) < MAX_NUMBER and value == int(value)
    return int(value) if is_whole else None
