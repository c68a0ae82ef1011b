"""From parser states to tensors: cursor, graph and legality masks.

This is the only place where that happens, for training and for decoding alike. A
:class:`LabelMasks` turns a state into the set of labels that may come next, a
:class:`Walk` holds one sentence's steps, ready to be stacked into a batch.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock

import torch
from torch import Tensor

from aptcore.graph.amr import Sentence
from aptcore.graph.branches import unquote
from aptcore.neural.model import Steps
from aptcore.neural.padding import Padding
from aptcore.neural.vocabulary import SPECIALS, START, ActionVocabulary
from aptcore.transition.actions import Action, ActionSet, PointerAction, format_label
from aptcore.transition.edge_choices import EdgeChoices, edge_choices
from aptcore.transition.items import Const, Copy, Subgraph
from aptcore.transition.limits import NO_LIMITS, Limits, has_digit, is_copied, is_within
from aptcore.transition.machine import advance, start
from aptcore.transition.reading import Reading, read_action
from aptcore.transition.sets import EXACT, parse_label
from aptcore.transition.state import ParserState, words_at_cursor, words_read
from aptcore.transition.templates import fits, parse_template, slot_values
from aptcore.words.surface import NAME_FORMS
from aptcore.words.written_values import written_value

_NUMBERING = Lock()
"""Rows and words are numbered by one thread at a time; parsers are shared by threads."""

_SENTENCES = 1024
"""Sentences of whose words it is remembered what they offer."""


class LabelMasks:
    """Rows of legal labels, one for each kind of situation that came up.

    The rows are few (tens), so a batch stores the number of a row for each step.
    """

    def __init__(self, vocabulary: ActionVocabulary, action_set: ActionSet = EXACT) -> None:
        self.vocabulary = vocabulary
        self.action_set = action_set
        self.actions: list[Action | None] = [
            None if label in SPECIALS else parse_label(label, action_set=action_set)
            for label in vocabulary.labels
        ]
        self.ids_of = {
            kind: [n for n, action in enumerate(self.actions) if type(action) is kind]
            for kind in action_set.actions
        }
        templates = (a.label for a in self.actions if isinstance(a, Subgraph))
        self._slot_groups = {parse_template(template).slots for template in templates}
        self._fitting = lru_cache(maxsize=8192)(self._fitting_groups)
        self._offered = lru_cache(maxsize=1024)(self._labels_offered)
        self._within = lru_cache(maxsize=1024)(self._labels_within)
        self._figures = lru_cache(maxsize=4096)(self._written_figures)
        self._words: dict[int, tuple[Sentence, dict[Hashable, int]]] = {}
        self._texts: dict[Hashable, int] = {}
        self._word_offers: dict[Hashable, int] = {}
        self._situations: dict[Hashable, int] = {}
        self._numbers: dict[Hashable, int] = {}
        self._rows: list[Tensor] = []
        self._has_any: list[bool] = []
        self._table: Tensor | None = None
        self._added: Tensor | None = None

    def _fitting_groups(self, words: str, well_formed: bool) -> frozenset[frozenset[str]]:
        is_named = not well_formed or written_value(words) is None
        return frozenset(
            slots
            for slots in self._slot_groups
            if fits(slots, words) and (is_named or not slots.intersection(NAME_FORMS))
        )

    @property
    def table(self) -> Tensor:
        """All rows so far, (rows, V) bool, True where legal."""
        table, num_rows = self._table, len(self._rows)
        if table is None or len(table) < num_rows:
            table = self._table = torch.stack(self._rows[:num_rows])
        return table

    def added(self, rows: Sequence[int], device: torch.device) -> Tensor:
        """Give what rows add to scores, 0 where legal, else -inf.

        Returns:
            (len(rows), V) on the device; the caller may change it.
        """
        added, num_rows = self._added, len(self._rows)
        if added is None or len(added) < num_rows or added.device != device:
            table = self.table.to(device)
            added = torch.zeros(table.shape, device=device).masked_fill_(~table, -torch.inf)
            self._added = added
        return added.index_select(0, torch.tensor(rows, device=device))

    def row_has_any(self, row: int) -> bool:
        """Tell whether a row holds any legal label."""
        return self._has_any[row]

    def edge_id(self, is_left: bool, role: str) -> int | None:
        """Give the id of an edge label; None where the vocabulary lacks it."""
        return self.vocabulary.ids.get(f"{'LA' if is_left else 'RA'}({role})")

    def row(self, state: ParserState, choices: EdgeChoices, limits: Limits = NO_LIMITS) -> int:
        """Give the number of the row of labels that are legal in a state.

        An edge label whose every position is taken is not ruled out here; see
        :meth:`exceptions`.
        """
        words = self._number_of_words(state, limits)
        situation = (words, state.situation, *choices.places, limits)
        number = self._situations.get(situation)
        if number is None:
            number = self._situations[situation] = self._number(state, choices, limits)
        return number

    def _number_of_words(self, state: ParserState, limits: Limits) -> int:
        """Number what the words at the cursor offer; many words offer the same."""
        known = self._known_words(state.sentence)
        key = (state.span_start, state.cursor, state.action_set.name, limits.faithful,
               limits.rolesets, limits.well_formed)  # fmt: skip
        number = known.get(key)
        if number is None:
            text = (state.is_at_root, *words_read(state), *key[2:])
            number = self._texts.get(text)
            if number is None:
                number = self._texts[text] = self._number_of_offers(state, limits)
            known[key] = number
        return number

    def _number_of_offers(self, state: ParserState, limits: Limits) -> int:
        kinds = (kind for kind in self.action_set.actions if kind.reads_words)
        offers = tuple(self._offer(kind, state, EdgeChoices(), limits) for kind in kinds)
        offers = (self._figures_of(state, limits), *offers)
        with _NUMBERING:
            return self._word_offers.setdefault(offers, len(self._word_offers))

    def _known_words(self, sentence: Sentence) -> dict[Hashable, int]:
        known = self._words.get(id(sentence))
        if known is None:
            if len(self._words) >= _SENTENCES:
                self._words.clear()
                self._texts.clear()
            known = self._words[id(sentence)] = sentence, {}
        return known[1]

    def _number(self, state: ParserState, choices: EdgeChoices, limits: Limits) -> int:
        offers = tuple(
            None if issubclass(kind, limits.barred) else self._offer(kind, state, choices, limits)
            for kind in self.action_set.actions
        )
        key = (limits, self._figures_of(state, limits), offers)
        with _NUMBERING:
            number = self._numbers.get(key)
            if number is None:
                number = len(self._rows)
                self._rows.append(self._build(*key))
                self._has_any.append(bool(self._rows[-1].any()))
                self._numbers[key] = number
        return number

    def _offer(
        self, kind: type[Action], state: ParserState, choices: EdgeChoices, limits: Limits
    ) -> Hashable:
        """Give what may come of a kind; of templates only the groups of slots that fit."""
        if kind is Copy and (pieces := Copy.pieces(state)):
            is_value = limits.well_formed and written_value(words_at_cursor(state)) is not None
            return tuple(k for k, made in pieces.items() if is_copied(made, is_value, limits))
        offer = kind.offer(state, choices)
        if kind is Subgraph and isinstance(offer, str):
            return self._fitting(offer, limits.well_formed)
        return offer

    def _figures_of(self, state: ParserState, limits: Limits) -> frozenset[str] | None:
        is_asked = limits.faithful and not state.is_at_root
        return self.figures(words_at_cursor(state)) if is_asked else None

    def _build(
        self, limits: Limits, figures: frozenset[str] | None, offers: tuple[Hashable, ...]
    ) -> Tensor:
        row = torch.zeros(len(self.actions), dtype=torch.bool)
        for kind, offer in enumerate(offers):
            if offer:
                row[self._offered(kind, offer)] = True
        return row.logical_and_(self._within(limits._replace(barred=()), figures))

    def _labels_offered(self, kind: int, offer: Hashable) -> Tensor:
        """Give the ids of the labels of a kind, by its number, that are among what it offers."""
        ids = self.ids_of[self.action_set.actions[kind]]
        actions = map(self.actions.__getitem__, ids)
        found = [n for n, a in zip(ids, actions, strict=True) if a and a.is_in(offer)]
        return torch.tensor(found, dtype=torch.long)

    def _labels_within(self, limits: Limits, figures: frozenset[str] | None) -> Tensor:
        """Give the labels that keep to limits, whatever the state, (V,) bool."""
        return torch.tensor([a is not None and is_within(a, limits, figures) for a in self.actions])

    def figures(self, words: str) -> frozenset[str] | None:
        """Give the constants with a digit that do not contradict the words at the cursor.

        Words without a digit ("five", "second") contradict none: None. Otherwise a
        constant must be what the words name or hold, as a number or as a string.
        """
        if not has_digit(words):
            return None
        return self._figures(words)

    def _written_figures(self, words: str) -> frozenset[str]:
        named = set(slot_values(words).values())
        plain = words.replace(",", "")
        return frozenset(
            action.label
            for action in self.actions
            if isinstance(action, Const)
            and has_digit(action.label)
            and (action.label in named or unquote(action.label) in (words, plain, *words.split()))
        )

    def exceptions(self, choices: EdgeChoices) -> list[int]:
        """Give the edge labels all of whose positions are taken."""
        ids = []
        for is_left, role in choices.full():
            label = self.edge_id(is_left, role)
            if label is not None:
                ids.append(label)
        return ids


@dataclass
class Walk:
    """One sentence's actions as the model reads and predicts them; T steps.

    Attributes:
        ids: Label id read at each step.
        edge_ids: Edge label id read at each step, or -1.
        cursor: Cursor before each action.
        left: (step, input position) pairs that the LA head sees.
        right: The same for the RA head.
        targets: Label id of each action; -1 where the vocabulary lacks it.
        pointers: Input position that each action with a pointer names; -1 elsewhere.
        legal: Row number of LabelMasks at each step.
        illegal: (step, label id) pairs that the rows do not rule out.
        items: Newest input position of every item, before each action.
    """

    ids: list[int] = field(default_factory=list)
    edge_ids: list[int] = field(default_factory=list)
    cursor: list[int] = field(default_factory=list)
    left: list[tuple[int, int]] = field(default_factory=list)
    right: list[tuple[int, int]] = field(default_factory=list)
    targets: list[int] = field(default_factory=list)
    pointers: list[int] = field(default_factory=list)
    legal: list[int] = field(default_factory=list)
    illegal: list[tuple[int, int]] = field(default_factory=list)
    items: list[tuple[int, ...]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.ids)


def first_reading(vocabulary: ActionVocabulary) -> Reading:
    """Give the reading of the start symbol."""
    return Reading(vocabulary.ids[START])


def walk_of(
    sentence: Sentence,
    actions: Iterable[Action],
    masks: LabelMasks,
    action_set: ActionSet,
    graph_embedding: bool,
) -> tuple[Walk, ParserState, Reading]:
    """Follow actions from the start; each is checked against the state machine.

    Returns:
        The walk, and the state and the reading after it.

    Raises:
        IllegalActionError: At the first illegal action.
    """
    walk, state = Walk(), start(sentence, action_set)
    reading = first_reading(masks.vocabulary)
    for step, action in enumerate(actions):
        add_step(walk, reading, state)
        choices = edge_choices(state)
        walk.legal.append(masks.row(state, choices))
        walk.illegal.extend((step, label) for label in masks.exceptions(choices))
        label = format_label(action)
        walk.targets.append(masks.vocabulary.ids.get(label, -1))
        walk.pointers.append(_pointer(reading, state, action))
        after = advance(state, action)
        reading = read_action(
            reading, state, action, masks.vocabulary.encode(label), graph_embedding
        )
        state = after
    return walk, state, reading


def add_step(walk: Walk, reading: Reading, state: ParserState) -> None:
    """Append what the decoder reads before the next action."""
    step = len(walk)
    walk.ids.append(reading.id)
    walk.edge_ids.append(reading.edge_id)
    walk.cursor.append(state.cursor)
    walk.items.append(reading.positions)
    walk.left.extend((step, position) for position in reading.left)
    walk.right.extend((step, position) for position in reading.right)


def _pointer(reading: Reading, state: ParserState, action: Action) -> int:
    if not isinstance(action, PointerAction):
        return -1
    item = next((n for n, r in enumerate(state.roots) if r.position == action.position), None)
    return -1 if item is None else reading.positions[item]


def steps_of(walks: Sequence[Walk]) -> Steps:
    """Put walks one after another; on the processor."""
    longest = max(len(walk) for walk in walks)
    links = torch.zeros(len(walks), 2, longest, longest, dtype=torch.bool)
    seen = [
        (number, head, *pair)
        for number, walk in enumerate(walks)
        for head, pairs in enumerate((walk.left, walk.right))
        for pair in pairs
    ]
    if seen:
        links[torch.tensor(seen).unbind(1)] = True
    return Steps(
        ids=torch.tensor([label for walk in walks for label in walk.ids]),
        edge_ids=torch.tensor([label for walk in walks for label in walk.edge_ids]),
        cursor=torch.tensor([place for walk in walks for place in walk.cursor]),
        walks=Padding.of(torch.tensor([len(walk) for walk in walks])),
        links=links,
    )
