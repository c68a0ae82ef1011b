"""Names that are not written as the sentence writes them: another spelling, another order."""

from __future__ import annotations

import os
from collections.abc import Sequence
from difflib import get_close_matches

from aptcore.advice.problems.problem import Fix, Problem, key_of
from aptcore.editing.edits import ChangeAttribute, Several
from aptcore.graph.amr import AmrGraph, Attribute
from aptcore.graph.branches import quote, unquote

_ALIKE = 0.75
"""How alike a word must be to be offered, by ``difflib``'s ratio."""
_ENDING = 2
"""Letters at the end by which a place may differ from its people: Italy, Italian."""


def name_word_problems(graph: AmrGraph, tokens: Sequence[str]) -> list[Problem]:
    """Ask about names that a parser may have misspelt or turned round.

    Only words that are much like one of the sentence are asked about: many names are not
    in it at all (``Netherlands`` for Dutch).

    Args:
        graph: Any graph.
        tokens: The words of its sentence.
    """
    found: list[Problem] = []
    for node in graph.nodes:
        if node.concept != "name":
            continue
        parts = [
            item
            for item in graph.attributes
            if item.source == node.id and item.role.startswith(":op") and item.value[:1] == '"'
        ]
        misspelt = [problem for item in parts if (problem := _misspelt(item, tokens))]
        found += misspelt or _turned(parts, tokens)
    return found


def _misspelt(item: Attribute, tokens: Sequence[str]) -> Problem | None:
    value = unquote(item.value)
    by_lower = {token.lower(): token for token in tokens}
    lower = value.lower()
    if not lower.isalpha() or any(lower in token.lower() for token in tokens):
        return None
    near = get_close_matches(lower, by_lower, n=1, cutoff=_ALIKE)
    if not near or len(os.path.commonprefix([lower, near[0]])) >= len(lower) - _ENDING:
        return None
    word = by_lower[near[0]]
    return Problem(
        key_of("name-word", *item.triple),
        "name-word",
        "warning",
        f"“{value}” is not in the sentence; the nearest word is {word}",
        (item.source, item.id),
        (item.source, item.role, item.id),
        tuple(place for place, token in enumerate(tokens) if token == word),
        (Fix(f"write {word}", ChangeAttribute(item.id, item.source, item.role, quote(word))),),
    )


def _turned(parts: Sequence[Attribute], tokens: Sequence[str]) -> list[Problem]:
    """Find parts of a name that stand side by side in the sentence, in another order."""
    parts = sorted(parts, key=lambda item: (len(item.role), item.role))
    words = [unquote(item.value) for item in parts]
    size = len(words)
    spans = [list(tokens[place : place + size]) for place in range(len(tokens) - size + 1)]
    turned = [span for span in spans if sorted(span) == sorted(words)]
    if size < 2 or words in spans or not turned:
        return []
    right = turned[0]
    place = spans.index(right)
    edits = tuple(
        ChangeAttribute(item.id, item.source, item.role, quote(word))
        for item, word in zip(parts, right, strict=True)
    )
    name = parts[0].source
    reason = f"the name has {' '.join(words)}, and the sentence {' '.join(right)}"
    key = key_of("name-order", name, *words)
    fixes = (Fix(f"write {' '.join(right)}", Several(edits)),)
    span = tuple(range(place, place + size))
    return [Problem(key, "name-order", "warning", reason, (name,), tokens=span, fixes=fixes)]
