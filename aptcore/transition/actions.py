"""The actions of the transition system as values, and their text.

An action's text is what traces, prefixes and error messages show:
``SHIFT``, ``COPY(lemma)``, ``PRED(want-01)``, ``LA(3, :ARG0)``, ``LINK(3)``. Its label is the
same text without the pointer, ``LA(:ARG0)``, ``LINK``: what the model predicts and the
vocabulary counts. Brackets inside a label are part of it (``PRED(foo(bar))``):
only the first opening and the last closing bracket belong to the codec.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from aptcore.errors import ActionFormatError

ROOT_ROLE = "root"
"""The role of the step that marks the root and closes the walk."""


@dataclass(frozen=True, slots=True)
class Shift:
    """Move on from a token at which something was made."""


@dataclass(frozen=True, slots=True)
class Reduce:
    """Move on from a token at which nothing was made."""


@dataclass(frozen=True, slots=True)
class Merge:
    """Join the token at the cursor with the next one."""


@dataclass(frozen=True, slots=True)
class Copy:
    """Make an item from the words at the cursor.

    ``lemma`` and ``sense`` make a concept (the lemma, or the lemma with ``-01``);
    ``token`` makes a constant from the surface string. Any other kind makes the concept
    that the sentence's ``derived`` pairs name for it at this token.
    """

    kind: str


@dataclass(frozen=True, slots=True)
class Pred:
    """Make a concept by its name."""

    label: str


@dataclass(frozen=True, slots=True)
class Const:
    """Make a constant by its value, quotation marks included."""

    value: str


@dataclass(frozen=True, slots=True)
class Subgraph:
    """Make a whole subgraph from a template (see aptcore.transition.templates)."""

    label: str


@dataclass(frozen=True, slots=True)
class LeftArc:
    """Make an edge from the last item to the item made at ``position``.

    With the role ``root``: mark that item as the root and close.
    """

    position: int
    role: str


@dataclass(frozen=True, slots=True)
class RightArc:
    """Make an edge from the item made at ``position`` to the last item."""

    position: int
    role: str


@dataclass(frozen=True, slots=True)
class Link:
    """Make the item made at ``position`` the last one again, to join it by an edge."""

    position: int


ItemAction = Copy | Pred | Const | Subgraph
EdgeAction = LeftArc | RightArc
PointerAction = EdgeAction | Link
"""The actions that name an earlier item."""
Action = Shift | Reduce | Merge | ItemAction | PointerAction

_SIMPLE: dict[str, Action] = {"SHIFT": Shift(), "REDUCE": Reduce(), "MERGE": Merge()}
_COPY_KIND = re.compile(r"[a-z0-9-]+")
_MAKERS: dict[str, Callable[[str], Action]] = {
    "PRED": Pred,
    "CONST": Const,
    "SUBGRAPH": Subgraph,
}
_POSITION = re.compile(r"0|[1-9][0-9]{0,8}")
_ARC = re.compile(r"(0|[1-9][0-9]{0,8}), (.+)", re.DOTALL)


def format_action(action: Action) -> str:
    """Write an action as text; :func:`parse_action` reads it back."""
    if isinstance(action, LeftArc):
        return f"LA({action.position}, {action.role})"
    if isinstance(action, RightArc):
        return f"RA({action.position}, {action.role})"
    if isinstance(action, Link):
        return f"LINK({action.position})"
    return format_label(action)


def format_label(action: Action) -> str:
    """Write an action without its pointer: the unit that the model predicts."""
    match action:
        case Shift():
            return "SHIFT"
        case Reduce():
            return "REDUCE"
        case Merge():
            return "MERGE"
        case Link():
            return "LINK"
        case Copy(kind):
            return f"COPY({kind})"
        case Pred(label):
            return f"PRED({label})"
        case Const(value):
            return f"CONST({value})"
        case Subgraph(label):
            return f"SUBGRAPH({label})"
        case LeftArc(_, role):
            return f"LA({role})"
        case RightArc(_, role):
            return f"RA({role})"


def parse_action(text: str) -> Action:
    """Read an action from its text.

    Raises:
        ActionFormatError: If the text is no action.
    """
    kind, body = _split(text)
    if kind in ("LA", "RA"):
        arc = _ARC.fullmatch(body)
        if arc is None:
            raise ActionFormatError(
                f"cannot read {text!r}: write {kind}(position, role), as in {kind}(3, :ARG0)"
            )
        return _arc(kind, int(arc[1]), arc[2], text)
    if kind == "LINK":
        if not _POSITION.fullmatch(body):
            raise ActionFormatError(f"cannot read {text!r}: write LINK(position), as in LINK(3)")
        return Link(int(body))
    return _without_pointer(kind, body, text)


def parse_label(text: str, position: int = -1) -> Action:
    """Read a label; one that names an item is given ``position`` as its pointer.

    Raises:
        ActionFormatError: If the text is no label.
    """
    if text == "LINK":
        return Link(position)
    kind, body = _split(text)
    if kind in ("LA", "RA"):
        return _arc(kind, position, body, text)
    return _without_pointer(kind, body, text)


def _split(text: str) -> tuple[str, str]:
    if text in _SIMPLE:
        return text, ""
    kind, bracket, rest = text.partition("(")
    if not bracket or not rest.endswith(")"):
        raise ActionFormatError(
            f"cannot read the action {text!r}: it is neither one of {', '.join(_SIMPLE)} "
            "nor of the form NAME(...)"
        )
    return kind, rest[:-1]


def _arc(kind: str, position: int, role: str, text: str) -> Action:
    if not role.startswith(":") and not (kind == "LA" and role == ROOT_ROLE):
        raise ActionFormatError(f"cannot read {text!r}: a role starts with a colon")
    return LeftArc(position, role) if kind == "LA" else RightArc(position, role)


def _without_pointer(kind: str, body: str, text: str) -> Action:
    if text in _SIMPLE:
        return _SIMPLE[text]
    if kind == "COPY" and _COPY_KIND.fullmatch(body):
        return Copy(body)
    if kind in _MAKERS and body:
        return _MAKERS[kind](body)
    raise ActionFormatError(f"unknown action {text!r}")
