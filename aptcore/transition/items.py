"""The actions that make an item: COPY, PRED, CONST and SUBGRAPH."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from aptcore.errors import ActionFormatError, IllegalActionError
from aptcore.graph.branches import is_token, is_writable_concept
from aptcore.graph.roles import is_single_role
from aptcore.transition.actions import Action, format_action
from aptcore.transition.state import (
    NO_ROLES,
    Item,
    ItemEdge,
    ParserState,
    copied_lemma,
    copied_token,
    derived_concepts,
    words_at_cursor,
)
from aptcore.transition.templates import Link, Piece, fill, fits, parse_template

if TYPE_CHECKING:
    from aptcore.transition.edge_choices import EdgeChoices
    from aptcore.transition.reading import Reading


class ItemAction(Action):
    """An action that makes an item, or several by a template."""

    __slots__ = ()

    @classmethod
    def why_not_here(cls, state: ParserState) -> str | None:
        """Legal when: a word is under the cursor."""
        if state.is_at_root:
            return "no token is under the cursor: only the root can be marked here"
        return None

    def made(self, state: ParserState) -> tuple[tuple[Piece, ...], tuple[Link, ...]]:
        """Give what it makes: the items, that which can take edges first, and their links."""
        return (self.made_alone(state),), ()

    def made_alone(self, state: ParserState) -> Piece:
        """Give the single item that it makes."""
        raise NotImplementedError

    def applied(self, state: ParserState) -> ParserState:
        """Effect: the item is the last one. Graph change: it, or what the template holds."""
        position, span = len(state.actions), (state.span_start, state.cursor + 1)
        pieces, links = self.made(state)
        items = tuple(
            Item(position, index, piece.is_constant, piece.label, *span)
            for index, piece in enumerate(pieces)
        )
        edges = tuple(
            ItemEdge((position, link.source), link.role, (position, link.target), position)
            for link in links
        )
        place = len(state.roots)
        own = [link.role for link in links if link.source == 0 and is_single_role(link.role)]
        return state._replace(
            actions=(*state.actions, self),
            items=state.items + items,
            roots=(*state.roots, items[0]),
            constants=(*state.constants, place) if items[0].is_constant else state.constants,
            given=(*state.given, frozenset(own) if own else NO_ROLES),
            edges=state.edges + edges,
            num_items_here=state.num_items_here + 1,
            last_item=position,
            num_concepts=state.num_concepts + sum(not item.is_constant for item in items),
        )

    def read(self, reading: Reading, state: ParserState, label_id: int) -> Reading:
        """Read a new item."""
        return reading.with_item(label_id, len(state.actions) + 1)


@dataclass(frozen=True, slots=True)
class Copy(ItemAction):
    """Make an item from the words at the cursor.

    ``lemma`` and ``sense`` make a concept (the lemma, or the lemma with ``-01``);
    ``token`` makes a constant from the surface string. Any other kind makes the concept
    that the sentence's ``derived`` pairs name for it at this token.
    """

    page_name = name = "COPY"
    reads_words = True
    kind: str

    @property
    def argument(self) -> str:
        """Its kind."""
        return self.kind

    @classmethod
    def of(cls, argument: str | None, position: int) -> Copy | None:
        """Make it of a kind in small letters."""
        return cls(argument) if argument and _COPY_KIND.fullmatch(argument) else None

    def why_not_this(self, state: ParserState) -> str | None:
        """Legal when: the set has this kind and the result is a writable concept."""
        if self.kind in ("lemma", "sense"):
            return _why_no_lemma(copied_lemma(state))
        if not state.action_set.has_wide_copies:
            return f"not in {state.action_set.title}"
        if self.kind == "token" or self.kind in _derived_here(state):
            return None
        if state.span_start != state.cursor:
            return (
                f"tokens were merged here: no concept of the kind {self.kind!r} is known for them"
            )
        return f"no concept of the kind {self.kind!r} is known for “{words_at_cursor(state)}”"

    def made_alone(self, state: ParserState) -> Piece:
        """Copy the words as its kind says."""
        match self.kind:
            case "token":
                return Piece(True, copied_token(state))
            case "lemma" | "sense":
                return _of_lemma(self.kind, copied_lemma(state))
            case _:
                return Piece(False, _derived_here(state)[self.kind])

    @classmethod
    def pieces(cls, state: ParserState) -> dict[str, Piece]:
        """Give the kinds that are legal now, each with what it makes."""
        if cls.why_not_now(state):
            return {}
        lemma = copied_lemma(state)
        kinds = () if _why_no_lemma(lemma) else ("lemma", "sense")
        made = {kind: _of_lemma(kind, lemma) for kind in kinds}
        if state.action_set.has_wide_copies:
            made["token"] = Piece(True, copied_token(state))
            derived = _derived_here(state)
            made |= {kind: Piece(False, concept) for kind, concept in derived.items()}
        return made

    @classmethod
    def offer(cls, state: ParserState, choices: EdgeChoices) -> Hashable:
        """Give the kinds that are legal now."""
        return tuple(cls.pieces(state))

    def is_in(self, offer: Hashable) -> bool:
        """Look for its kind."""
        return isinstance(offer, tuple) and self.kind in offer

    @classmethod
    def reasons(cls, state: ParserState, choices: EdgeChoices) -> Iterable[tuple[str, str | None]]:
        """Give a line each for the kinds that every word has."""
        for copy in map(cls, ("lemma", "sense", "token")):
            yield format_action(copy), copy.why_illegal(state)


_COPY_KIND = re.compile(r"[a-z0-9-]+")


def _of_lemma(kind: str, lemma: str) -> Piece:
    return Piece(False, f"{lemma}-01" if kind == "sense" else lemma)


def _derived_here(state: ParserState) -> Mapping[str, str]:
    return derived_concepts(state.sentence, state.span_start, state.cursor + 1)


@lru_cache(maxsize=8192)
def _why_no_lemma(lemma: str) -> str | None:
    return None if is_writable_concept(lemma) else f"“{lemma}” cannot be written as a concept"


@dataclass(frozen=True, slots=True)
class WrittenItem(ItemAction):
    """An item action whose label says in full what it makes."""

    label: str

    @property
    def argument(self) -> str:
        """What it makes."""
        return self.label

    @classmethod
    def of(cls, argument: str | None, position: int) -> WrittenItem | None:
        """Take any text; what cannot be made of it is illegal everywhere."""
        return cls(argument) if argument else None


@dataclass(frozen=True, slots=True)
class Pred(WrittenItem):
    """Make a concept by its name.

    It may be in quotation marks, which PENMAN allows and people have written
    (``(c / "Baker")`` in the Emory data); COPY never makes one.
    """

    page_name = name = "PRED"

    def why_not_this(self, state: ParserState) -> str | None:
        """Legal when: the name can be written as a concept."""
        return why_no_concept(self.label)

    def made_alone(self, state: ParserState) -> Piece:
        """Make the concept."""
        return Piece(False, self.label)


@lru_cache(maxsize=8192)
def why_no_concept(label: str) -> str | None:
    """Say why PRED cannot make a concept of this name."""
    if is_writable_concept(label) or is_token(label, "string"):
        return None
    return f"“{label}” cannot be written as a concept"


@dataclass(frozen=True, slots=True)
class Const(WrittenItem):
    """Make a constant by its value, quotation marks included."""

    page_name = name = "CONST"

    def why_not_this(self, state: ParserState) -> str | None:
        """Legal when: the value can be written as a constant."""
        if is_token(self.label, "string", "symbol"):
            return None
        return f"“{self.label}” cannot be written as a constant; quote it"

    def made_alone(self, state: ParserState) -> Piece:
        """Make the constant."""
        return Piece(True, self.label)


@dataclass(frozen=True, slots=True)
class Subgraph(WrittenItem):
    """Make a whole subgraph from a template (see aptcore.transition.templates)."""

    page_name = name = "SUBGRAPH"
    reads_words = True

    def why_not_this(self, state: ParserState) -> str | None:
        """Legal when: the template fits the words at the cursor."""
        try:
            template = parse_template(self.label)
        except ActionFormatError as error:
            return str(error)
        if not fits(template.slots, words_at_cursor(state)):
            return f"the words “{words_at_cursor(state)}” do not fill the template"
        return None

    def made(self, state: ParserState) -> tuple[tuple[Piece, ...], tuple[Link, ...]]:
        """Fill the template from the words."""
        filled = fill(parse_template(self.label), words_at_cursor(state))
        if filled is None:
            at = f"at step {len(state.actions)}"
            raise IllegalActionError(f"{format_action(self)} does not fit {at}")
        return filled

    @classmethod
    def offer(cls, state: ParserState, choices: EdgeChoices) -> Hashable:
        """Give the words, of which masks find the sets of slots that fit."""
        return None if cls.why_not_now(state) else words_at_cursor(state)

    def is_in(self, offer: Hashable) -> bool:
        """Look for its slots among those that fit."""
        return isinstance(offer, frozenset) and parse_template(self.label).slots in offer
