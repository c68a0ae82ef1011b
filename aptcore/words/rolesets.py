"""Which rolesets there are: the names of PropBank's and AMR's frames, without their texts."""

from __future__ import annotations

from functools import cache, lru_cache

from aptcore.assets import asset_path
from aptcore.words.frames import is_frame

ROLESETS_FILE = "rolesets.txt"


@cache
def rolesets() -> frozenset[str]:
    """Give the names of all rolesets."""
    return frozenset(asset_path(ROLESETS_FILE).read_text("utf-8").split())


@lru_cache(maxsize=65536)
def is_no_roleset(concept: str) -> bool:
    """Tell whether a concept is written like a frame and no list has it.

    >>> is_no_roleset("want-01"), is_no_roleset("ambit-01"), is_no_roleset("boy")
    (False, True, False)
    """
    return is_frame(concept) and concept not in rolesets()
