"""Correct follows a search too: words of the text, a concept, a role, or a pattern."""

from __future__ import annotations

from dataclasses import dataclass

from app.addresses.queue import Field
from aptcore.editing.patterns import Pattern, find_matches, parse_pattern
from aptcore.graph.amr import AmrGraph
from aptcore.graph.characters import plain_text


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for.

    Attributes:
        field: Where.
        wanted: As typed.
        pattern: What it asks of the graph; None for the text.
    """

    field: Field
    wanted: str
    pattern: Pattern | None

    @property
    def terms(self) -> tuple[str, ...]:
        """Give the concepts, roles and constants, with stars, that every graph has that it hits."""
        if self.pattern is None:
            return ()
        wanted = self.pattern.wanted
        constants = (triple.target for triple in wanted if triple.kind == "constant")
        roles = (triple.role for triple in wanted)
        return tuple(dict.fromkeys([*self.pattern.concepts.values(), *roles, *constants]))


def parse_search(field: Field, wanted: str) -> Search:
    """Read what a person typed; stars stand for any signs in concepts and roles.

    Raises:
        PatternError: It is no concept, role or pattern; the message shows where.
    """
    wanted = wanted.strip()
    if field == "text":
        return Search(field, wanted, None)
    if field == "concept":
        text = f"(x / {wanted})"
    elif field == "role":
        text = f"(x / * {wanted if wanted.startswith(':') else ':' + wanted} *)"
    else:
        text = wanted
    return Search(field, wanted, parse_pattern(text))


def count_hits(search: Search, text: str, graph: AmrGraph | None) -> int:
    """Count the hits in one sentence.

    Args:
        search: What is looked for.
        text: The sentence.
        graph: Its graph as it is now; None is enough where words are looked for.
    """
    if search.pattern is None or graph is None:
        wanted = plain_text(search.wanted).text.casefold()
        return plain_text(text).text.casefold().count(wanted) if wanted else 0
    return len(find_matches(search.pattern, graph).matches)
