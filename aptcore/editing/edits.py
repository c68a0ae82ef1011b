"""Edit operations on AMR graphs as values, and their JSON form.

What each one does stands in ``aptcore.editing.applying``. An edit names nodes by their variable
and constants by their attribute id; new ones bring their own name, so that an edit
means the same wherever it is applied again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, get_type_hints

from aptcore.errors import EditError
from aptcore.graph.amr import AlignmentKey, Edge, Mention


@dataclass(frozen=True, slots=True)
class AddNode:
    """Make a concept. Alone it would be a part by itself: link it within one ``Several``."""

    id: str
    concept: str
    tokens: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RenameNode:
    """Give a node another concept."""

    id: str
    concept: str


@dataclass(frozen=True, slots=True)
class DeleteNode:
    """Delete a node with all that then no longer hangs on the root."""

    id: str


@dataclass(frozen=True, slots=True)
class AddAttribute:
    """Hang a constant on a node; ``value`` is written with its quotation marks."""

    id: str
    source: str
    role: str
    value: str
    tokens: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangeAttribute:
    """Give a constant another source, role and value."""

    id: str
    source: str
    role: str
    value: str


@dataclass(frozen=True, slots=True)
class DeleteAttribute:
    """Delete a constant."""

    id: str


@dataclass(frozen=True, slots=True)
class AddEdge:
    """Add an edge; an inverted role is turned to its normal direction."""

    source: str
    role: str
    target: str


@dataclass(frozen=True, slots=True)
class ChangeEdge:
    """Put an edge in the place of another: relabel, turn round, move either end."""

    source: str
    role: str
    target: str
    new_source: str
    new_role: str
    new_target: str


@dataclass(frozen=True, slots=True)
class DeleteEdge:
    """Delete an edge; it must not be all that holds a part of the graph."""

    source: str
    role: str
    target: str


@dataclass(frozen=True, slots=True)
class SetRoot:
    """Make another node the root."""

    id: str


@dataclass(frozen=True, slots=True)
class SetAlignment:
    """Say which tokens (positions from 0) something stands for; none clears it."""

    key: AlignmentKey
    tokens: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AddCoref:
    """Say that a node is the same as one of another sentence, which is named by its ``::id``."""

    id: str
    sentence: str
    target: str


@dataclass(frozen=True, slots=True)
class DeleteCoref:
    """Say so no longer."""

    id: str
    sentence: str
    target: str


@dataclass(frozen=True, slots=True)
class ReplaceGraph:
    """Put a whole graph in the place of this one, written as PENMAN."""

    penman: str


@dataclass(frozen=True, slots=True)
class Several:
    """Do several edits as one; only after the last one must the graph hang together."""

    edits: tuple[Edit, ...]


Edit = (
    AddNode
    | RenameNode
    | DeleteNode
    | AddAttribute
    | ChangeAttribute
    | DeleteAttribute
    | AddEdge
    | ChangeEdge
    | DeleteEdge
    | SetRoot
    | SetAlignment
    | AddCoref
    | DeleteCoref
    | ReplaceGraph
    | Several
)

_KINDS: dict[str, type[Edit]] = {
    "add-node": AddNode,
    "rename-node": RenameNode,
    "delete-node": DeleteNode,
    "add-attribute": AddAttribute,
    "change-attribute": ChangeAttribute,
    "delete-attribute": DeleteAttribute,
    "add-edge": AddEdge,
    "change-edge": ChangeEdge,
    "delete-edge": DeleteEdge,
    "set-root": SetRoot,
    "set-alignment": SetAlignment,
    "add-coref": AddCoref,
    "delete-coref": DeleteCoref,
    "replace-graph": ReplaceGraph,
    "several": Several,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}
MAX_NESTED = 500
"""Edits within one ``Several``; more are refused when read."""


def edit_to_json(edit: Edit) -> dict[str, Any]:
    """Give an edit as a JSON object; :func:`edit_from_json` reads it back."""
    values: dict[str, Any] = {"edit": _NAMES[type(edit)]}
    for field in fields(edit):
        values[field.name] = _value_to_json(getattr(edit, field.name))
    return values


def _value_to_json(value: object) -> object:
    if isinstance(value, Mention):
        return {"mention": _value_to_json(value.edge)}
    if isinstance(value, Edge):
        return [value.source, value.role, value.target]
    if isinstance(value, tuple):
        return [item if isinstance(item, int) else edit_to_json(item) for item in value]
    return value


def edit_from_json(values: object) -> Edit:
    """Read an edit.

    Raises:
        EditError: If the object is none: an unknown kind, a field too few or too many,
            or a value of the wrong type.
    """
    if not isinstance(values, Mapping) or values.get("edit") not in _KINDS:
        raise EditError(f"this is no edit: {str(values)[:80]}")
    kind = _KINDS[values["edit"]]
    hints = _hints(values["edit"])
    unknown = sorted(set(values) - set(hints) - {"edit"})
    if unknown:
        raise EditError(f"{values['edit']} has no field {unknown[0]!r}")
    found = {
        name: _value_from_json(name, values[name], f"{name} of {values['edit']}")
        for name in hints
        if name in values
    }
    missing = [name for name in hints if name not in found and name != "tokens"]
    if missing or (kind is SetAlignment and "tokens" not in found):
        raise EditError(f"{values['edit']} lacks {', '.join(missing) or 'tokens'}")
    return kind(**found)


@cache
def _hints(kind: str) -> dict[str, Any]:
    return get_type_hints(_KINDS[kind])


def _value_from_json(name: str, value: Any, place: str) -> Any:
    if name == "edits":
        if not isinstance(value, list) or len(value) > MAX_NESTED:
            raise EditError(f"{place} is a list of at most {MAX_NESTED} edits")
        return tuple(edit_from_json(item) for item in value)
    if name == "tokens":
        if not isinstance(value, list) or not all(type(n) is int and n >= 0 for n in value):
            raise EditError(f"{place} is a list of token positions from 0")
        return tuple(sorted(set(value)))
    if name == "key" and not isinstance(value, str):
        return _key_from_json(value, place)
    if not isinstance(value, str):
        raise EditError(f"{place} is a text, not {str(value)[:40]}")
    return value


def _key_from_json(value: Any, place: str) -> AlignmentKey:
    is_mention = isinstance(value, Mapping) and set(value) == {"mention"}
    ends = value["mention"] if is_mention else value
    if not isinstance(ends, list) or len(ends) != 3 or not all(isinstance(e, str) for e in ends):
        raise EditError(f"{place} is a node, an attribute, an edge or a mention")
    edge = Edge(*ends)
    return Mention(edge) if is_mention else edge
