"""What a problem of a graph is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from aptcore.editing.edits import Edit

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Fix:
    """An edit that takes a problem away, and what it does in a few words."""

    text: str
    edit: Edit


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to look at.

    Attributes:
        key: Its name: the same as long as its place and what is odd there are.
        kind: Which check found it.
        severity: Errors block acceptance, warnings can be dismissed.
        reason: What is odd, for people.
        nodes: Nodes and constants that it is about.
        edge: The edge that it is about (source, role, target; a constant by its id).
        tokens: The words that it is about, from 0.
        fixes: Edits that take it away, the likeliest first.
    """

    key: str
    kind: str
    severity: Severity
    reason: str
    nodes: tuple[str, ...] = ()
    edge: tuple[str, str, str] | None = None
    tokens: tuple[int, ...] = ()
    fixes: tuple[Fix, ...] = ()


def key_of(kind: str, *parts: object) -> str:
    """Write the name of a problem from its kind and what makes it this one."""
    return "|".join((kind, *map(str, parts)))
