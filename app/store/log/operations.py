"""Operations on a sentence as values: what a page asks for, what it is told, what is kept.

    edit     edit, note, source, batch   change the graph (``aptcore.editing.edits`` as JSON)
    undo     target, batch               take back one's own last operation, or the one named
    redo                                 do again what was taken back last
    accept   reject   skip   reopen      what has become of the sentence
    flag     on, reason                  ask for another pair of eyes
    comment  text
    confirm  triples, on                 a person vouches for triples
    dismiss  problem, note, on           a warning that is none here
    draft    text                        text that does not parse yet, one for each person
    assign   person                      whose sentence this is; "" for nobody's

An operation is one JSON object with the key ``do``. The log keeps it as it came, with
the target of an undo or redo written in.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from aptcore.editing.edits import edit_from_json
from aptcore.errors import EditError
from aptcore.graph.layout import Triple

Status = Literal["open", "accepted", "rejected", "skipped"]

MAX_TEXT = 300_000
"""Characters in a draft, a comment, a note: the text of a graph of some thousand nodes."""
MAX_NAME = 100
"""Characters in a name of a person, a tab, a request."""
MAX_SIZE = 400_000
"""Characters of an operation written as JSON."""

STATUS_OF: dict[str, Status] = {
    "accept": "accepted",
    "reject": "rejected",
    "skip": "skipped",
    "reopen": "open",
}
"""The status that an operation gives."""


@dataclass(frozen=True, slots=True)
class Request:
    """One operation that a page asks for.

    Attributes:
        id: Made by the page, unique for its person and sentence; when it comes again it
            is acknowledged again and not applied twice.
        base: The revision of the sentence that the person saw; 0 is as imported.
        what: The operation as a JSON object with the key ``do``.
    """

    id: str
    base: int
    what: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """The operation is on disk; the sentence has this revision by it."""

    id: str
    revision: int


@dataclass(frozen=True, slots=True)
class Refused:
    """The operation is not possible, for this reason; nothing has changed."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Difference:
    """What others made of a graph since a revision.

    Attributes:
        gained: Triples that are there now and were not; the root is ``(x, ":top", "")``.
        lost: Triples that were there and are no longer.
        people: Who wrote in between, in order of first operation.
        steps: Each operation in between: revision, person, tab, what in a few words.
    """

    gained: tuple[Triple, ...]
    lost: tuple[Triple, ...]
    people: tuple[str, ...]
    steps: tuple[tuple[int, str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Another writer came first: nothing has changed, look at the difference and decide.

    Attributes:
        id: Of the request.
        revision: The newest revision; the base for another try.
        by: Who wrote last in between; one's own name means another tab.
        difference: Between the request's base and the newest revision.
    """

    id: str
    revision: int
    by: str
    difference: Difference


Answer = Acknowledged | Refused | Conflict


@dataclass(frozen=True, slots=True)
class Operation:
    """One line of the log.

    Attributes:
        sentence: Id of the sentence.
        revision: From 1; the sentence has this revision by it.
        id: Of the request.
        person: Who asked for it.
        tab: From which browser tab or program.
        base: The revision that the person saw.
        what: The JSON object.
        target: For undo and redo the revision of the operation meant; else None.
        at: When it was written, UTC.
    """

    sentence: int
    revision: int
    id: str
    person: str
    tab: str
    base: int
    what: Mapping[str, Any]
    target: int | None
    at: datetime


_TEXT, _FLAG, _NUMBER = "text", "flag", "number"
_FIELDS: dict[str, dict[str, str]] = {
    "edit": {"edit": "edit", "note?": _TEXT, "source?": "source", "batch?": _TEXT},
    "undo": {"target?": _NUMBER, "batch?": _TEXT},
    "redo": {},
    "accept": {},
    "reject": {"note?": _TEXT},
    "skip": {"note?": _TEXT},
    "reopen": {"note?": _TEXT},
    "flag": {"on": _FLAG, "reason?": _TEXT},
    "comment": {"text": _TEXT},
    "confirm": {"triples": "triples", "on?": _FLAG},
    "dismiss": {"problem": _TEXT, "note?": _TEXT, "on?": _FLAG},
    "draft": {"text": _TEXT},
    "assign": {"person": "name"},
}
_LANES = {"flag": "flag", "assign": "assign", "comment": "", "draft": "", "dismiss": ""}


def lane_of(what: Mapping[str, Any]) -> str:
    """Tell what an operation competes with: ``graph``, ``flag``, ``assign`` or nothing.

    Two writers meet only within a lane: a comment never stands in the way of an edit.
    Empty for what only adds, and for what is kept apart for each person.
    """
    return _LANES.get(what["do"], "graph")


def changes_graph(what: Mapping[str, Any]) -> bool:
    """Tell whether an operation is an edit."""
    return bool(what["do"] == "edit")


def check_what(what: object) -> None:
    """Check that an object is an operation.

    Raises:
        EditError: It is none: an unknown kind, a field too few or too many, or a value
            of the wrong type or size.
    """
    if not isinstance(what, Mapping) or what.get("do") not in _FIELDS:
        raise EditError(f"this is no operation: {str(what)[:80]}")
    do, fields = what["do"], _FIELDS[what["do"]]
    known = {name.removesuffix("?"): kind for name, kind in fields.items()}
    unknown = sorted(str(name) for name in set(what) - set(known) - {"do"})
    if unknown:
        raise EditError(f"{do} has no field {unknown[0]!r}")
    missing = [name for name in fields if not name.endswith("?") and name not in what]
    if missing:
        raise EditError(f"{do} lacks {', '.join(missing)}")
    if len(text_of(what)) > MAX_SIZE:
        raise EditError(f"this {do} is too large; at most {MAX_SIZE:,} characters as JSON")
    for name, kind in known.items():
        if name in what:
            _check_value(kind, what[name], f"{name} of {do}")
    if do == "comment" and not what["text"].strip():
        raise EditError("a comment has some text")


def check_name(what: str, name: object) -> None:
    """Check the name of a person, a tab or a request.

    Raises:
        EditError: It is empty, too long, or cannot be shown.
    """
    is_name = isinstance(name, str) and bool(name.strip()) and len(name) <= MAX_NAME
    if not is_name or not str(name).isprintable():
        raise EditError(
            f"the name of the {what}, {str(name)[:MAX_NAME]!r}, is not 1 to {MAX_NAME} "
            "characters that can be shown"
        )


def _check_value(kind: str, value: object, place: str) -> None:
    if kind == "edit":
        try:
            edit_from_json(value)
        except RecursionError as error:
            raise EditError(f"{place} is nested too deeply") from error
    elif kind == "name":
        if value != "":
            check_name("person", value)
    elif kind == "source":
        is_source = isinstance(value, Mapping) and value.get("kind") in ("model", "rule")
        if not is_source or not all(isinstance(part, str) for part in value.values()):  # type: ignore[attr-defined]
            raise EditError(f"{place} is a model or a rule, not {str(value)[:40]}")
    elif kind == "triples":
        if not isinstance(value, list) or not value:
            raise EditError(f"{place} is a list of source, role and target")
        for triple in value:
            is_triple = isinstance(triple, list) and len(triple) == 3
            if not is_triple or not all(isinstance(part, str) for part in triple):
                raise EditError(f"{place} is a list of source, role and target")
    elif kind == _FLAG:
        if not isinstance(value, bool):
            raise EditError(f"{place} is true or false")
    elif kind == _NUMBER:
        if type(value) is not int:
            raise EditError(f"{place} is a revision")
    elif not isinstance(value, str) or len(value) > MAX_TEXT:
        raise EditError(f"{place} is a text of at most {MAX_TEXT:,} characters")


def text_of(what: Mapping[str, Any]) -> str:
    """Write an operation as JSON, always the same way, in ASCII.

    Raises:
        EditError: It holds what JSON cannot, or is nested too deeply.
    """
    try:
        return json.dumps(what, sort_keys=True, ensure_ascii=True, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise EditError(f"the operation cannot be written as JSON: {error}") from error


def describe(what: Mapping[str, Any]) -> str:
    """Say in a few words what an operation does, for messages and lists."""
    if what["do"] == "edit":
        edit = what["edit"]
        named = [edit.get(name) for name in ("id", "source", "role", "target", "concept", "value")]
        return " ".join([edit["edit"], *(part for part in named if isinstance(part, str))])
    if what["do"] == "assign":
        return f"assign to {what['person'] or 'nobody'}"
    return str(what["do"])
