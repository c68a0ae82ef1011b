"""The part of an address that names a branch."""

from __future__ import annotations

import re
from dataclasses import dataclass

from aptcore.errors import InputError

MAX_FORCED = 32
"""Longest path, in forced actions."""


MAX_ACTION = 300
"""Longest text of a forced action, in characters."""


_PIECES = re.compile(r"(?:[^;\\]|\\[;\\])+")


_FORCED = re.compile(r"(0|[1-9][0-9]{0,5}):(.+)", re.DOTALL)


_ESCAPED = re.compile(r"\\([;\\])")


@dataclass(frozen=True, slots=True)
class Forced:
    """An action forced at a step, as text."""

    step: int
    action: str


Path = tuple[Forced, ...]
"""Forced actions by rising step; the empty path is the original."""


def parse_path(text: str) -> Path:
    r"""Read a path; in an action's text ``;`` stands as ``\;`` and ``\`` as ``\\``.

    Raises:
        InputError: If it is none, or its steps do not rise.
    """
    pieces = _PIECES.findall(text)
    found = [_FORCED.fullmatch(piece) for piece in pieces]
    if ";".join(pieces) != text or len(pieces) > MAX_FORCED:
        raise InputError(f"cannot read the branch {text[:80]!r}")
    path = tuple(Forced(int(one[1]), _ESCAPED.sub(r"\1", one[2])) for one in found if one)
    steps = [forced.step for forced in path]
    if len(path) < len(pieces) or steps != sorted(set(steps)):
        raise InputError(
            f"cannot read the branch {text[:80]!r}: write step:action by rising step, "
            "with semicolons between, as in 3:SHIFT;7:REDUCE"
        )
    return path


def format_path(path: Path) -> str:
    """Write a path; :func:`parse_path` reads it back."""
    return ";".join(
        f"{forced.step}:" + re.sub(r"([;\\])", r"\\\1", forced.action) for forced in path
    )
