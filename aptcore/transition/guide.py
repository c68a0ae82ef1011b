"""What somebody outside the model may ask of the next action while a sentence is decoded.

A :class:`Guide` looks at the state of every hypothesis and leaves only a part of what is
legal there. What it rules out leaves its probability to an heir, so that a hypothesis
that obeys late is not worth less than one that obeys early.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from aptcore.transition.actions import Action
from aptcore.transition.state import ParserState


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What is left of the next actions.

    Attributes:
        heir: A legal action that gets the probability of everything ruled out; None where
            that is lost.
        others: Whether anything beside edges and the heir may come.
        edges_from: Edges may name the items from this place in ``state.roots`` on.
        labels: Labels ruled out.
        taken: By direction (True is LA) and role the places that an edge may not name.
    """

    heir: Action | None = None
    others: bool = True
    edges_from: int = 0
    labels: frozenset[str] = frozenset()
    taken: Mapping[tuple[bool, str], frozenset[int]] = field(default_factory=dict)


class Guide(Protocol):
    """Says at every step of a search what may come next."""

    def narrow(self, state: ParserState) -> Narrowing | None:
        """Give what is left of the next actions; None leaves everything."""
