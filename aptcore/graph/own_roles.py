"""Roles of a project's own, beyond AMR's: ``:speaker``, ``:ARG1-from``.

A text file lists one role a line; empty lines and those that begin with ``#`` are passed
over. A role counts in both directions. What counts as a role holds for the whole process, as
penman's own AMR model does: whoever starts it says so once, by :func:`use_own_roles`.
"""

from __future__ import annotations

import re
from pathlib import Path

from aptcore.errors import ConfigurationError

_ROLE = re.compile(r":[^\W\d_][\w-]*")
_own: frozenset[str] = frozenset()


def use_own_roles(roles: frozenset[str]) -> None:
    """Let these roles, and no others beyond AMR's, count as known from now on."""
    global _own
    _own = roles


def own_roles() -> frozenset[str]:
    """Give the roles of the project's own; none until :func:`use_own_roles` gave some."""
    return _own


def is_own_role(role: str) -> bool:
    """Tell whether a role is one of the project's own, turned round or not."""
    return role in _own or role.removesuffix("-of") in _own


def read_own_roles(path: Path | str) -> frozenset[str]:
    """Read a file of roles; the colon may be left out.

    Raises:
        ConfigurationError: If there is no such file, a line is no role, or there is none.
    """
    try:
        lines = Path(path).read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"cannot read the list of roles {path}: {error}") from error
    roles = set()
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        role = text if text.startswith(":") else f":{text}"
        if not _ROLE.fullmatch(role):
            raise ConfigurationError(
                f"{path}, line {number}: {text[:60]!r} is no role; write one role a line, such "
                "as :speaker"
            )
        roles.add(role)
    if not roles:
        raise ConfigurationError(
            f"there is no role in {path}; write one role a line, such as :speaker"
        )
    return frozenset(roles)
