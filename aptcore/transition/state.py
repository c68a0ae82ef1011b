"""Parser states as values: where the cursor stands, what has been made, what is connected.

Positions of tokens and actions count from 0. An item is known by the position of the
action that made it and an index inside its template, 0 for the root of the template.
After the last word the cursor stands on ``<ROOT>``, which is not among the tokens.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from aptcore.graph.amr import Sentence
from aptcore.graph.branches import is_writable_concept, quote
from aptcore.transition.templates import surface
from aptcore.words.copy_tables import PHRASE, SENSE_KIND
from aptcore.words.dates import clock_time
from aptcore.words.surface import number_value
from aptcore.words.tokens import has_words

if TYPE_CHECKING:
    from aptcore.transition.actions import Action, ActionSet

NO_ROLES: frozenset[str] = frozenset()

ItemKey = tuple[int, int]
"""Position of the making action, and index inside its template."""


@dataclass(frozen=True, slots=True)
class Item:
    """A concept or constant in a parser state.

    Attributes:
        position: The action that made it.
        index: 0, or its place inside a template.
        is_constant: Whether it is a constant.
        label: Concept name, or constant with its quotation marks.
        start: First token of the span it was made at.
        stop: One past the last token of that span.
    """

    position: int
    index: int
    is_constant: bool
    label: str
    start: int
    stop: int

    @property
    def key(self) -> ItemKey:
        """Its name within the state."""
        return self.position, self.index


class ItemEdge(NamedTuple):
    """An edge between two items, in its normal direction.

    ``made_by`` is the position of the action that made it.
    """

    source: ItemKey
    role: str
    target: ItemKey
    made_by: int


class ParserState(NamedTuple):
    """A moment in the walk over one sentence.

    Attributes:
        sentence: What is parsed.
        action_set: The actions that there are.
        cursor: Token at the cursor; ``len(sentence.tokens)`` is ``<ROOT>``.
        span_start: First of the tokens joined at the cursor.
        actions: All actions so far.
        items: All concepts and constants so far.
        edges: All edges so far.
        root: Position of the action that made the root.
        is_closed: Whether the walk has ended.
        num_items_here: Items made at this cursor by item actions; a template counts once.
        last_item: Position of the last item action, or of the item that LINK named; -1
            before the first.
        num_concepts: Concepts so far.
        parented: Positions of constants that have their one parent.
        roots: The items that can take edges (of a template: its root), by position.
        constants: The constants among ``roots``, by their place there.
        given: For each of ``roots`` the roles that it has been given of which a node has one
            edge at most (aptcore.graph.roles).
        pieces: On ``<ROOT>`` in a sound set, for each of ``roots`` the place of the first
            item of its piece (see aptcore.transition.pieces); else empty.
        is_linked: Whether the last action was LINK.
    """

    sentence: Sentence
    action_set: ActionSet
    cursor: int = 0
    span_start: int = 0
    actions: tuple[Action, ...] = ()
    items: tuple[Item, ...] = ()
    edges: tuple[ItemEdge, ...] = ()
    root: int | None = None
    is_closed: bool = False
    num_items_here: int = 0
    last_item: int = -1
    num_concepts: int = 0
    parented: frozenset[int] = frozenset()
    roots: tuple[Item, ...] = ()
    constants: tuple[int, ...] = ()
    given: tuple[frozenset[str], ...] = ()
    pieces: tuple[int, ...] = ()
    is_linked: bool = False

    @property
    def is_at_root(self) -> bool:
        """Whether the cursor stands on ``<ROOT>``."""
        return self.cursor == len(self.sentence.tokens)

    @property
    def situation(self) -> Hashable:
        """What decides, beside the words at the cursor, which kinds of action may come."""
        left, some = len(self.sentence.tokens) - self.cursor, self.num_concepts > 0
        return (
            min(left, 2),
            self.span_start == self.cursor,
            self.num_items_here > 0,
            some,
            some or left > 1 or has_words(self.sentence),
            self.is_linked,
            len(set(self.pieces)) > 1,
            self.is_closed,
        )

    @property
    def is_failed(self) -> bool:
        """Whether the walk closed without a single concept."""
        return self.is_closed and self.root is None


def root_place(state: ParserState, position: int) -> int:
    """Give the place in ``state.roots`` of the item made by the action at ``position``."""
    for place in range(len(state.roots) - 1, -1, -1):
        if state.roots[place].position == position:
            return place
    raise ValueError(f"no item was made at {position}")


def root_item_at(state: ParserState, position: int) -> Item | None:
    """Give the item (of a template: its root) made by the action at ``position``."""
    for item in reversed(state.roots):
        if item.position <= position:
            return item if item.position == position else None
    return None


def last_place(state: ParserState) -> int:
    """Give the place in ``state.roots`` of the item that edges start or end at now."""
    return root_place(state, state.last_item) if state.is_linked else len(state.roots) - 1


def last_root(state: ParserState) -> Item:
    """Give the item that edges start or end at now; some item must have been made."""
    return state.roots[last_place(state)]


def open_places(state: ParserState, places: Iterable[int]) -> tuple[int, ...]:
    """Keep the items that can take an incoming edge: concepts and constants without one."""
    full = [n for n in state.constants if state.roots[n].position in state.parented]
    return tuple(place for place in places if place not in full) if full else tuple(places)


def concept_places(state: ParserState, places: Iterable[int]) -> tuple[int, ...]:
    """Keep the items that are concepts."""
    constants = state.constants
    return tuple(n for n in places if n not in constants) if constants else tuple(places)


def repeated_constants(state: ParserState, constant: Item) -> set[tuple[int, str]]:
    """Find where a constant of this value stands already, by parent's position and role.

    A graph holds no triple twice, so a sound set does not give a node the same constant
    under the same role again, but after LINK, so that every walk can end; another set
    does, and nothing is found.
    """
    if not state.action_set.is_sound:
        return set()
    same = {
        item.key
        for item in state.items
        if item.is_constant and item.label == constant.label and item.key != constant.key
    }
    if not same:
        return set()
    return {(e.source[0], e.role) for e in state.edges if e.target in same and e.source[1] == 0}


def words_at_cursor(state: ParserState) -> str:
    """Give the text of the joined tokens at the cursor, white space folded."""
    return " ".join(surface(state.sentence, state.span_start, state.cursor + 1).split())


def copied_lemma(state: ParserState) -> str:
    """Give the lemmas of the joined tokens at the cursor, joined by ``-``."""
    return "-".join(state.sentence.lemmas[state.span_start : state.cursor + 1])


def words_read(state: ParserState) -> tuple[Hashable, ...]:
    """Give all that an action that reads words can see of those at the cursor."""
    if state.is_at_root:
        return ()
    sentence, start, stop = state.sentence, state.span_start, state.cursor + 1
    derived = sentence.derived[stop - 1] if sentence.derived else ()
    return words_at_cursor(state), copied_lemma(state), stop - start, derived


def derived_concepts(sentence: Sentence, start: int, stop: int) -> Mapping[str, str]:
    """Give, by kind, the concepts that COPY(kind) makes of the tokens ``start:stop``.

    A single token has all its pairs but those of a phrase. Merged tokens have, of the
    pairs of their last one, the senses, which go to the joined lemmas there, and the phrase
    if it names just these lemmas. Of two pairs of one kind the first counts; what cannot
    be written as a concept is left out.
    """
    if not sentence.derived:
        return {}
    if stop == start + 1:
        return _by_kind(sentence.derived[start])
    return _of_phrase(sentence.derived[stop - 1], "-".join(sentence.lemmas[start:stop]))


@lru_cache(maxsize=8192)
def _by_kind(pairs: tuple[tuple[str, str], ...]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for kind, concept in pairs:
        if kind not in ("lemma", "sense", "token", PHRASE):
            found.setdefault(kind, concept)
    return {kind: concept for kind, concept in found.items() if is_writable_concept(concept)}


@lru_cache(maxsize=8192)
def _of_phrase(pairs: tuple[tuple[str, str], ...], lemmas: str) -> Mapping[str, str]:
    if not is_writable_concept(lemmas):
        return {}
    found = {
        kind: concept
        for kind, concept in reversed(pairs)
        if kind == PHRASE and concept.rpartition("-")[0] == lemmas and is_writable_concept(concept)
    }
    for kind, _ in pairs:
        sense = kind.removeprefix(SENSE_KIND)
        if sense != kind:
            found[kind] = f"{lemmas}-{sense}"
    return found


def copied_token(state: ParserState) -> str:
    """Give the words at the cursor as a constant (see :func:`constant_of`)."""
    return constant_of(words_at_cursor(state))


@lru_cache(maxsize=8192)
def constant_of(words: str) -> str:
    """Write words as a constant: a number in figures, a time in hours, all else as it is.

    >>> constant_of("twenty - eight"), constant_of("462,511"), constant_of("Lima")
    ('28', '462511', '"Lima"')
    >>> constant_of("6:30 pm")
    '"18:30"'
    """
    number = number_value(words)
    return quote(clock_time(words) or words) if number is None else number
