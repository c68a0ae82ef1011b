"""The project's own roles, which the environment names: APTAMR_ROLES, a file of them."""

from __future__ import annotations

import os
from functools import lru_cache

from aptcore.errors import ConfigurationError
from aptcore.graph.roles import read_own_roles, use_own_roles

VARIABLE = "APTAMR_ROLES"


def use_named_roles() -> str:
    """Let the roles of the file that APTAMR_ROLES names count; none without one, or of a bad one.

    The file is read once for as long as the program runs.

    Returns:
        Why it cannot be read; empty where it can, or where none is named.
    """
    roles, problem = _read(os.environ.get(VARIABLE, ""))
    use_own_roles(roles)
    return problem


def own_roles() -> tuple[frozenset[str], str]:
    """Give the roles of that file, and why it cannot be read; empty where nothing is wrong."""
    return _read(os.environ.get(VARIABLE, ""))


@lru_cache(maxsize=16)
def _read(path: str) -> tuple[frozenset[str], str]:
    if not path:
        return frozenset(), ""
    try:
        return read_own_roles(path), ""
    except ConfigurationError as error:
        return frozenset(), str(error)
