"""The terms of the pages explained, and found in texts."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from aptcore.assets import asset_path

_CONTENT = json.loads(asset_path("exercises.json").read_text(encoding="utf-8"))

TERMS: Mapping[str, str] = _CONTENT["terms"]
"""Every term of the pages and what it means, in the order of the glossary."""

_BY_SPELLING = {term: term for term in TERMS} | _CONTENT["forms"]
_TERM = re.compile(
    r"(?<![\w:(-])("
    + "|".join(sorted(map(re.escape, _BY_SPELLING), key=len, reverse=True))
    + r")(?![\w(-])"
)

Piece = str | tuple[str, str]
"""Plain text, or a term as it is spelled with the name of its entry."""


def with_terms(text: str) -> tuple[Piece, ...]:
    """Cut a text into plain pieces and terms; of each term only the first place counts.

    >>> with_terms("Make a node.")
    ('Make a ', ('node', 'node'), '.')
    """
    pieces: list[Piece] = []
    seen: set[str] = set()
    end = 0
    for match in _TERM.finditer(text):
        term = _BY_SPELLING[match[1]]
        if term in seen:
            continue
        seen.add(term)
        if match.start() > end:
            pieces.append(text[end : match.start()])
        pieces.append((match[1], term))
        end = match.end()
    if end < len(text):
        pieces.append(text[end:])
    return tuple(pieces)
