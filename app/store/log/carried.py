"""What people had made of a sentence before it was imported, as our own JSON Lines tell it.

An export says of each sentence its status, flag, comments, dismissed warnings and where
each triple comes from. An import keeps that as the state from which the log begins: no
operation is made up for it, and nobody can undo what was done in another store.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, get_args

from app.store.log.operations import Status, check_name
from app.store.log.provenance import parse_source
from app.store.log.state import Comment, Dismissal, SentenceState
from aptcore.errors import EditError

KEYS = ("status", "status_by", "flag", "comments", "dismissed", "provenance")


def carried_of(values: Mapping[str, Any], at: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Take what an exported object tells of the work on a sentence.

    Args:
        values: The object.
        at: ISO time of a comment that has none.

    Returns:
        The same keys with what can be kept; empty where there is nothing. And what cannot
        be kept, each with the reason.
    """
    kept: dict[str, Any] = {}
    problems: list[str] = []
    status = values.get("status", "open")
    if status not in get_args(Status):
        problems.append(f"status {str(status)[:40]!r} is none; the sentence is open")
    elif status != "open":
        kept |= {"status": status, "status_by": _person(values.get("status_by"))}
    flag = values.get("flag")
    if isinstance(flag, Mapping) and isinstance(flag.get("reason"), str):
        if flag["reason"]:
            kept["flag"] = {"person": _person(flag.get("person")), "reason": flag["reason"]}
    elif flag is not None:
        problems.append("flag is no object with a person and a reason")
    checks = {"comments": _comment, "dismissed": _dismissed, "provenance": _triple}
    for key, check in checks.items():
        items = values.get(key, [])
        if not isinstance(items, list):
            problems.append(f"{key} is no list")
            continue
        found = [check(item, at) for item in items]
        pairs = zip(items, found, strict=True)
        problems += [f"{key}: {str(item)[:60]} is none" for item, kind in pairs if not kind]
        if any(found):
            kept[key] = [item for item in found if item]
    return kept, tuple(problems)


def _person(name: object) -> str:
    try:
        check_name("person", name)
    except EditError:
        return ""
    return str(name)


def _comment(item: object, at: str) -> dict[str, str] | None:
    if not isinstance(item, Mapping) or not isinstance(item.get("text"), str):
        return None
    try:
        said = datetime.fromisoformat(str(item.get("at", at)))
    except ValueError:
        said = datetime.fromisoformat(at)
    if said.tzinfo is None:
        said = said.replace(tzinfo=UTC)
    return {"person": _person(item.get("person")), "text": item["text"], "at": said.isoformat()}


def _dismissed(item: object, at: str) -> dict[str, str] | None:
    if not isinstance(item, Mapping) or not isinstance(item.get("problem"), str):
        return None
    note = str(item.get("note", ""))
    return {"problem": item["problem"], "person": _person(item.get("person")), "note": note}


def _triple(item: object, at: str) -> list[str] | None:
    is_triple = isinstance(item, list) and len(item) == 4
    if not is_triple or not all(isinstance(part, str) for part in item):  # type: ignore[attr-defined]
        return None
    return item if parse_source(item[3]) is not None else None  # type: ignore[index,return-value]


def with_carried(state: SentenceState, kept: Mapping[str, Any]) -> SentenceState:
    """Give the state of a sentence as imported with what :func:`carried_of` kept."""
    origin, confirmed = dict(state.origin), {}
    for source, role, target, told in kept.get("provenance", ()):
        triple, found = (source, role, target), parse_source(told)
        if triple not in origin or found is None:
            continue
        if found.kind == "confirmed":
            confirmed[triple] = found.name
        else:
            origin[triple] = found
    flag = kept.get("flag", {"person": "", "reason": ""})
    return replace(
        state,
        origin=origin,
        confirmed=confirmed,
        status=kept.get("status", "open"),
        status_by=kept.get("status_by", ""),
        flagged=flag["reason"],
        flagged_by=flag["person"],
        comments=tuple(
            Comment(item["person"], item["text"], datetime.fromisoformat(item["at"]))
            for item in kept.get("comments", ())
        ),
        dismissed={
            item["problem"]: Dismissal(item["person"], item["note"])
            for item in kept.get("dismissed", ())
        },
    )
