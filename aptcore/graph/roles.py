"""Roles that a node has at most once, and those of a project's own: ``:speaker``.

A text file lists one role of the project a line; empty lines and those that begin with
``#`` are passed over. A role counts in both directions. What counts as a role holds for the
whole process, as penman's own AMR model does: whoever starts it says so once, by
:func:`use_own_roles`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from aptcore.errors import ConfigurationError, reason

LISTS = {"and": ":op", "or": ":op", "slash": ":op", "multi-sentence": ":snt"}
"""Concepts that list, with the role of their members."""

MODES = ("imperative", "expressive", "interrogative")
"""What ``:mode`` may be."""

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
        raise ConfigurationError(
            f"cannot read the list of roles {path}: {reason(error, is_named=True)}"
        ) from error
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


_SINGLE = re.compile(
    r":(?:ARG[0-24-9]|op[0-9]+|snt[0-9]+|name|wiki|polarity|mode|polite|domain|ord|range|quant|"
    r"unit|value|scale|age|year|month|day|weekday|dayperiod|season|decade|century|era|calendar|"
    r"quarter|timezone)"
)
"""In the free training graphs a node has one of these twice in less than 1 of 140 cases.

``:ARG3`` comes twice in 1 of 23, ``:time`` in 1 of 38, ``:mod`` in 1 of 14.
"""


@lru_cache(maxsize=4096)
def is_single_role(role: str) -> bool:
    """Tell whether gold graphs give a node one edge with this role at most.

    >>> is_single_role(":ARG1"), is_single_role(":mod")
    (True, False)
    """
    return _SINGLE.fullmatch(role) is not None
