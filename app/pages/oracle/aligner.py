"""What the editor of an alignment draws, and the changes that it sends.

Changes come numbered and stay in the editor's outbox until their number is
acknowledged, so that none is lost and none is applied twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from app.addresses.oracle import Edits
from app.canvas.payload import Payload
from app.kit.text import counted
from app.pages.oracle.sentence import Changes, OracleView, alignment_rows
from aptcore.graph.penman import branch_keys, layout_of

MAX_UNDO = 200
"""Alignments that are kept to go back to, for one sentence."""


@dataclass(frozen=True, slots=True)
class Operation:
    """A change that was asked for.

    Attributes:
        number: Its place among all changes of a visit, from 1.
        key: The sentence that it is for.
        kind: Align an item, undo the last change, or go back to the file's alignment.
        item: Which item; empty but for ``align``.
        tokens: Its words; empty but for ``align``.
    """

    number: int
    key: str
    kind: Literal["align", "undo", "reset"]
    item: str = ""
    tokens: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class History:
    """What a person changed in one sentence; ``before`` is what it was, the oldest first."""

    edits: Edits
    before: tuple[Edits, ...] = ()


NOTHING = History({})


def apply(history: History, operation: Operation) -> History:
    """Take a change in; a change that changes nothing gives the same history."""
    if operation.kind == "undo":
        if not history.before:
            return history
        return History(history.before[-1], history.before[:-1])
    edits: Edits = {}
    if operation.kind == "align":
        edits = {**history.edits, operation.item: tuple(sorted(set(operation.tokens)))}
    if dict(edits) == dict(history.edits):
        return history
    return History(edits, (*history.before, history.edits)[-MAX_UNDO:])


def read_outbox(state: Any, acknowledged: int) -> tuple[Operation, ...]:
    """Read the changes that are new; what is damaged is passed over.

    Args:
        state: What the component holds as ``outbox``.
        acknowledged: Number of the last change that was taken in.
    """
    messages = state.get("messages") if isinstance(state, Mapping) else None
    if not isinstance(messages, list):
        return ()
    found = (_read(entry) for entry in messages)
    fresh = [one for one in found if one is not None and one.number > acknowledged]
    return tuple(sorted(fresh, key=lambda one: one.number))


def _read(entry: Any) -> Operation | None:
    if not isinstance(entry, Mapping):
        return None
    number, key, kind = entry.get("number"), entry.get("key"), entry.get("kind")
    if not isinstance(number, int | float) or not isinstance(key, str):
        return None
    if kind not in ("align", "undo", "reset"):
        return None
    item, tokens = entry.get("item", ""), entry.get("tokens", [])
    if not isinstance(item, str) or not _are_numbers(tokens):
        return None
    return Operation(int(number), key, kind, item, tuple(int(token) for token in tokens))


def _are_numbers(tokens: Any) -> bool:
    return isinstance(tokens, list) and all(isinstance(token, int | float) for token in tokens)


def payload_of_aligner(
    view: OracleView,
    key: str,
    history: History,
    acknowledged: int,
    changes: Changes | None,
    problem: str | None = None,
) -> Payload:
    """Give the editor everything that it draws.

    Args:
        view: The sentence with the alignment as it is now.
        key: Names the sentence; another one makes the editor forget what was chosen.
        history: What a person changed in it.
        acknowledged: Number of the last change that was taken in.
        changes: What all changes together did; None where nothing is changed.
        problem: Why the last change could not be made.
    """
    rows = {row.item: row for row in alignment_rows(view)}
    graph = view.gold.graph
    layout = layout_of(graph)
    lines = []
    for branch, (name, _) in zip(layout, branch_keys(graph, layout), strict=True):
        row = rows[name] if isinstance(name, str) else None
        shown = branch.target if branch.concept is None else f"{branch.target} / {branch.concept}"
        lines.append(
            {
                "depth": branch.depth,
                "role": branch.role,
                "text": shown,
                "item": row and row.item,
                "tokens": list(row.tokens) if row else [],
                "source": row.source if row else "",
                "made": row.made_at if row else "",
            }
        )
    return {
        "key": key,
        "text": f"{view.gold.sentence.text}\n{[line['text'] for line in lines]}",
        "tokens": list(view.gold.sentence.tokens),
        "lines": lines,
        "ack": acknowledged,
        "canUndo": bool(history.before),
        "canReset": bool(history.edits),
        "changes": None if changes is None else _shown(changes),
        "problem": problem,
    }


def _shown(changes: Changes) -> Payload:
    return {
        "text": describe_changes(changes),
        "gained": list(changes.gained),
        "lost": list(changes.lost),
        "newLabels": list(changes.new_labels),
        "oldLabels": list(changes.old_labels),
    }


def describe_changes(changes: Changes) -> str:
    """Say in one sentence what a change did to the actions."""
    if not changes.gained and not changes.lost:
        return "The actions are the same as before."
    gained, lost = counted(len(changes.gained), "action"), counted(len(changes.lost), "action")
    length = f"{changes.num_after} actions now"
    if changes.num_before != changes.num_after:
        length += f", {changes.num_before} before"
    return f"{gained} gained, {lost} lost: {length}."
