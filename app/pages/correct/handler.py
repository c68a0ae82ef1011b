"""What becomes of a message of the editor: the store is asked, and the answer put into words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from app.canvas.payload import Payload
from app.pages.correct.editor.drawing import part_triples
from app.pages.correct.editor.gestures import Gesture, edit_of
from app.pages.correct.editor.outbox import Message
from app.pages.correct.editor.routing import Ends
from app.pages.correct.editor.text import text_fault
from app.pages.correct.wording import conflict_text, describe_what, difference_lines, names_of
from app.store.log.history import fold
from app.store.log.operations import Acknowledged, Answer, Conflict, Refused, Request
from app.store.log.provenance import Source
from app.store.log.state import imported_state
from app.store.records.rows import StoredSentence
from app.store.store import Store
from aptcore.editing.edits import edit_to_json
from aptcore.errors import AptamrError, EditError
from aptcore.graph.amr import AmrGraph

_FOCUSING = ("add", "rename", "split", "reify")
"""Gestures after which what is new is chosen."""


@dataclass(frozen=True, slots=True)
class Said:
    """What became of a message.

    Attributes:
        kind: Whether it was done.
        text: In words.
        focus: Id of a node or constant to choose, or the ends of an edge; empty for none.
        conflict: What the editor shows of a conflict; None where there is none.
    """

    kind: Literal["done", "refused", "conflict"]
    text: str
    focus: str | Ends = ""
    conflict: Payload | None = None


def apply_message(
    store: Store, message: Message, before: StoredSentence, source: Source | None = None
) -> tuple[Mapping[str, Any], Answer]:
    """Apply a message; one that was applied before does nothing.

    Returns:
        The operation that the message became (the message itself where it became none), and
        what the store did with it.
    """
    # It may have come before, and its answer was lost on the way.
    known = store.applied(message.sentence, message.person, message.id)
    if known is not None:
        return known.what, Acknowledged(known.id, known.revision)
    try:
        what = _operation_of(store, before, message)
    except EditError as error:
        return message.what, Refused(message.id, str(error))
    if source is not None and what["do"] == "edit":
        what = {**what, "source": {"kind": source.kind, "name": source.name, "hash": source.hash}}
    request = Request(message.id, message.base, what)
    return what, store.apply(message.sentence, message.person, message.tab, request)


def answer(store: Store, message: Message, source: Source | None = None) -> Said:
    """Apply a message that changes a sentence, and say what became of it.

    Args:
        store: The store.
        message: Its ``do`` is an operation of the store, or ``gesture``.
        source: Who proposed the edit, where it is no person's own.

    Raises:
        StoreError: There is no such sentence.
        UnavailableError: The store cannot read or write now; the message may come again.
    """
    before = store.sentence(message.sentence, message.person)
    what, answered = apply_message(store, message, before, source)
    after = store.sentence(message.sentence, message.person)
    graphs = before.state.graph, after.state.graph
    names = names_of(*graphs)
    match answered:
        case Acknowledged():
            return Said("done", describe_what(what, names), _focus(message, *graphs))
        case Refused(_, reason):
            text = reason[:1].upper() + reason[1:]
            return Said("refused", text + ("" if text.endswith((".", "?")) else "."))
        case Conflict() as conflict:
            text = conflict_text(conflict.by, message.person)
            shown = {
                "id": message.id,
                "revision": conflict.revision,
                "text": text,
                "lines": difference_lines(conflict.difference, names),
                "mine": describe_what(what, names),
            }
            return Said("conflict", text, conflict=shown)


def _operation_of(store: Store, stored: StoredSentence, message: Message) -> dict[str, Any]:
    """Give the store's operation for a message.

    Raises:
        EditError: If the message is damaged, or its gesture does not fit the graph.
    """
    what = {name: value for name, value in message.what.items() if name in _FIELDS}
    do = what["do"]
    if do == "confirm":
        triples = [list(triple) for triple in part_triples(stored, message.what.get("part"))]
        if not triples:
            raise EditError("choose a node or an edge to confirm")
        return {"do": do, "on": bool(what.get("on", True)), "triples": triples}
    if do != "gesture":
        return what
    gesture = message.what.get("gesture")
    if not isinstance(gesture, Mapping):
        raise EditError("there is no gesture in this")
    text = gesture.get("text")
    if gesture.get("kind") == "text" and isinstance(text, str) and text_fault(text) is not None:
        return {"do": "draft", "text": text}
    return {"do": "edit", "edit": edit_to_json(_edit_of(store, stored, message, gesture))}


def _edit_of(store: Store, stored: StoredSentence, message: Message, gesture: Gesture) -> Any:
    """Read a gesture on the newest graph, or where that fails on the graph that was seen.

    The second lets the store find the conflict which is behind the failure.
    """
    try:
        return edit_of(stored.state.graph, gesture)
    except EditError:
        if message.base >= stored.revision:
            raise
        log = [entry for entry in store.log(stored.id) if entry.revision <= message.base]
        seen = fold(imported_state(stored.silver, Source("given")), log).state.graph
        return edit_of(seen, gesture)


_FIELDS = {"do", "on", "reason", "text", "note", "problem", "person"}


def _focus(message: Message, before: AmrGraph, after: AmrGraph) -> str:
    gesture = message.what.get("gesture")
    if not isinstance(gesture, Mapping) or gesture.get("kind") not in _FOCUSING:
        return ""
    old = {node.id for node in before.nodes} | {item.id for item in before.attributes}
    new = [node.id for node in after.nodes] + [item.id for item in after.attributes]
    return next((name for name in new if name not in old), "")


def failed(error: AptamrError) -> Said:
    """Say that a message can never be taken."""
    return Said("refused", f"Not saved: {error}")
