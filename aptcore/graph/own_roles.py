"""Roles of a project's own, beyond AMR's: ``:speaker``, ``:ARG1-from``.

The environment variable APTAMR_ROLES names a text file with one role a line; empty lines
and those that begin with ``#`` are passed over. A role counts in both directions.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path

from aptcore.errors import ConfigurationError

VARIABLE = "APTAMR_ROLES"

_ROLE = re.compile(r":[^\W\d_][\w-]*")


def house_roles() -> frozenset[str]:
    """Give the roles of the file that APTAMR_ROLES names; none without one, or of a bad one.

    The file is read once for as long as the program runs.
    """
    return _known(os.environ.get(VARIABLE, ""))[0]


def house_roles_problem() -> str:
    """Say why that file cannot be read; empty where it can, or where none is named."""
    return _known(os.environ.get(VARIABLE, ""))[1]


def is_house_role(role: str) -> bool:
    """Tell whether a role is one of the project's own, turned round or not."""
    roles = house_roles()
    return role in roles or role.removesuffix("-of") in roles


def read_house_roles(path: Path | str) -> frozenset[str]:
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


@lru_cache(maxsize=16)
def _known(path: str) -> tuple[frozenset[str], str]:
    if not path:
        return frozenset(), ""
    try:
        return read_house_roles(path), ""
    except ConfigurationError as error:
        return frozenset(), str(error)
