"""The transition system: parser states, which actions are legal, and what they do.

A state is a value. ``why_illegal`` is the one rule: it gives the boolean, the
error text and the tooltip. Positions of tokens and actions count from 0; an item
is known by the position of the action that made it and an index inside its
template, 0 for the root of the template. After the last word the cursor stands on
``<ROOT>``, which is not among the tokens.

Source: Zhou and others 2021, section 2 and appendix B. Deviations: constants are
kept apart from concepts, and several edges may join one pair of items.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from aptcore.actions import (
    ROOT_ROLE,
    Action,
    Const,
    Copy,
    EdgeAction,
    LeftArc,
    Merge,
    Pred,
    Reduce,
    RightArc,
    Shift,
    Subgraph,
    format_action,
)
from aptcore.amr import Sentence, is_writable_concept, quote
from aptcore.building import graph_of, repaired_graph
from aptcore.errors import ActionFormatError, IllegalActionError
from aptcore.layout import invert_role, is_role_inverted
from aptcore.penman_text import is_token
from aptcore.templates import fill, fits, parse_template, surface
from aptcore.tokens import has_words

__all__ = [
    "ActionSet",
    "Item",
    "ItemEdge",
    "ItemKey",
    "ParserState",
    "advance",
    "graph_of",
    "has_words",
    "is_legal",
    "legal",
    "repaired_graph",
    "replay",
    "start",
    "why_illegal",
]

ActionSet = Literal["paper", "exact"]
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


@dataclass(frozen=True, slots=True)
class ItemEdge:
    """An edge between two items, in its normal direction.

    ``made_by`` is the position of the action that made it.
    """

    source: ItemKey
    role: str
    target: ItemKey
    made_by: int


@dataclass(frozen=True, slots=True)
class ParserState:
    """A moment in the walk over one sentence.

    Attributes:
        sentence: What is parsed.
        action_set: ``paper`` or ``exact``.
        cursor: Token at the cursor; ``len(sentence.tokens)`` is ``<ROOT>``.
        span_start: First of the tokens joined at the cursor.
        actions: All actions so far.
        items: All concepts and constants so far.
        edges: All edges so far.
        root: Position of the action that made the root.
        is_closed: Whether the walk has ended.
        num_items_here: Items made at this cursor by item actions; a template counts once.
        last_item: Position of the last item action; -1 before the first.
        num_concepts: Concepts so far.
        parented: Positions of constants that have their one parent.
        roots: The items that can take edges (of a template: its root), by position.
    """

    sentence: Sentence
    action_set: ActionSet = "paper"
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

    @property
    def is_at_root(self) -> bool:
        """Whether the cursor stands on ``<ROOT>``."""
        return self.cursor == len(self.sentence.tokens)

    @property
    def is_failed(self) -> bool:
        """Whether the walk closed without a single concept."""
        return self.is_closed and self.root is None


def start(sentence: Sentence, action_set: ActionSet = "paper") -> ParserState:
    """Give the state before the first action."""
    return ParserState(sentence=sentence, action_set=action_set)


def words_at_cursor(state: ParserState) -> str:
    """Give the text of the joined tokens at the cursor, white space folded."""
    return " ".join(surface(state.sentence, state.span_start, state.cursor + 1).split())


def copied_lemma(state: ParserState) -> str:
    """Give the lemmas of the joined tokens at the cursor, joined by ``-``."""
    return "-".join(state.sentence.lemmas[state.span_start : state.cursor + 1])


def copied_token(state: ParserState) -> str:
    """Give the words at the cursor as a constant: a number bare, all else quoted."""
    words = words_at_cursor(state)
    is_number = words.isascii() and words.replace(".", "", 1).isdigit()
    return words if is_number else quote(words)


# --- legality -------------------------------------------------------------------


def why_illegal(state: ParserState, action: Action) -> str | None:
    """Say why an action cannot be taken now; None where it can."""
    match action:
        case LeftArc(_, role) if role == ROOT_ROLE:
            return why_no_root(state, action.position)
        case Shift():
            return why_no_shift(state)
        case Reduce():
            return why_no_reduce(state)
        case Merge():
            return why_no_merge(state)
        case Copy(kind):
            return why_no_copy(state, kind)
        case Pred(label):
            return why_no_item(state) or why_no_concept(label)
        case Const(value):
            return why_no_item(state) or _why_no_constant(value)
        case Subgraph(label):
            return why_no_subgraph(state, label)
        case LeftArc() | RightArc():
            return why_no_edge(state) or _why_no_arc(state, action)


def is_legal(state: ParserState, action: Action) -> bool:
    """Tell whether an action can be taken now."""
    return why_illegal(state, action) is None


def legal(state: ParserState, candidates: Iterable[Action]) -> list[Action]:
    """Keep the candidates that can be taken now."""
    return [action for action in candidates if is_legal(state, action)]


def why_no_shift(state: ParserState) -> str | None:
    """Legal when: some item was made at this cursor."""
    if state.is_closed:
        return "the walk is closed"
    if state.is_at_root:
        return "the cursor is past the last word: mark the root with LA(position, root)"
    if state.num_items_here == 0:
        return "nothing was made at this token: use REDUCE"
    return None


def why_no_reduce(state: ParserState) -> str | None:
    """Legal when: nothing was made or merged here; on ``<ROOT>``: no concept exists."""
    if state.is_closed:
        return "the walk is closed"
    if state.is_at_root:
        return None if state.num_concepts == 0 else "there are concepts: mark one as the root"
    if state.num_items_here:
        return "an item was made at this token: use SHIFT"
    if state.span_start != state.cursor:
        return "tokens were merged here: make an item of them first"
    if _would_leave_no_concept(state, state.cursor + 1):
        return "this is the last word and there is no concept yet: make one"
    return None


def _would_leave_no_concept(state: ParserState, cursor: int) -> bool:
    return (
        state.num_concepts == 0
        and cursor == len(state.sentence.tokens)
        and has_words(state.sentence)
    )


def why_no_merge(state: ParserState) -> str | None:
    """Legal when: a next word exists and no item was made here yet."""
    if state.is_closed:
        return "the walk is closed"
    if state.cursor + 1 >= len(state.sentence.tokens):
        return "there is no next word to merge with"
    if state.num_items_here:
        return "an item was made at this token already"
    return None


def why_no_item(state: ParserState) -> str | None:
    """Legal when: a word is under the cursor."""
    if state.is_closed:
        return "the walk is closed"
    if state.is_at_root:
        return "no word is under the cursor: only the root can be marked here"
    return None


def why_no_copy(state: ParserState, kind: str) -> str | None:
    """Legal when: a word is under the cursor and the result is a writable concept."""
    reason = why_no_item(state)
    if reason:
        return reason
    if kind == "token":
        return None if state.action_set == "exact" else "not in the paper's action set"
    return _why_no_lemma(copied_lemma(state))


@lru_cache(maxsize=65536)
def _why_no_lemma(lemma: str) -> str | None:
    return None if is_writable_concept(lemma) else f"{lemma!r} cannot be written as a concept"


@lru_cache(maxsize=65536)
def why_no_concept(label: str) -> str | None:
    """Legal when: the label can be written as a concept.

    PRED may also name one in quotation marks, which PENMAN allows and people have
    written (``(c / "Baker")`` in the Emory data); COPY never makes one.
    """
    if is_writable_concept(label) or is_token(label, "string"):
        return None
    return f"{label!r} cannot be written as a concept"


def _why_no_constant(value: str) -> str | None:
    if is_token(value, "string", "symbol"):
        return None
    return f"{value!r} cannot be written as a constant; quote it"


def why_no_subgraph(state: ParserState, label: str) -> str | None:
    """Legal when: a word is under the cursor and the template fits the words."""
    reason = why_no_item(state)
    if reason:
        return reason
    try:
        template = parse_template(label)
    except ActionFormatError as error:
        return str(error)
    if not fits(template.slots, words_at_cursor(state)):
        return f"the words {words_at_cursor(state)!r} do not fill the template"
    return None


def why_no_edge(state: ParserState) -> str | None:
    """Legal when: directly after an item or edge action at this cursor."""
    if state.is_closed:
        return "the walk is closed"
    if state.is_at_root:
        return "only the root can be marked here"
    if state.num_items_here == 0:
        return "an edge starts or ends at an item made at this token, and there is none"
    return None


def why_no_root(state: ParserState, position: int) -> str | None:
    """Legal when: the cursor stands on ``<ROOT>`` and a concept was made at ``position``."""
    if state.is_closed:
        return "the walk is closed"
    if not state.is_at_root:
        return "the root is marked after the last word"
    item = root_item_at(state, position)
    if item is None:
        return _no_item_text(state, position)
    return "a constant cannot be the root" if item.is_constant else None


def root_item_at(state: ParserState, position: int) -> Item | None:
    """Give the item (of a template: its root) made by the action at ``position``."""
    for item in reversed(state.roots):
        if item.position <= position:
            return item if item.position == position else None
    return None


def _no_item_text(state: ParserState, position: int) -> str:
    choices = ", ".join(str(item.position) for item in state.roots) or "none yet"
    if 0 <= position < len(state.actions):
        made = f"action {position} ({format_action(state.actions[position])}) made no item"
    else:
        made = f"there is no action {position} yet"
    return f"{made}; items were made at: {choices}"


def _why_no_arc(state: ParserState, action: EdgeAction) -> str | None:
    """Check the two ends of an edge; the moment is right already."""
    other = root_item_at(state, action.position)
    if other is None:
        return _no_item_text(state, action.position)
    last = state.roots[-1]
    if other.position == last.position and state.action_set != "exact":
        return "an edge from an item to itself is not in the paper's action set"
    source, target = (last, other) if isinstance(action, LeftArc) else (other, last)
    if not is_token(action.role, "role"):
        return f"{action.role!r} cannot be written as a role"
    if source.is_constant:
        return f"the constant {source.label} cannot have an outgoing edge"
    if is_role_inverted(action.role) and not target.is_constant:
        turned = RightArc if isinstance(action, LeftArc) else LeftArc
        better = format_action(turned(action.position, invert_role(action.role)))
        return f"{action.role} is turned round: write {better}"
    if target.is_constant and target.position in state.parented:
        return f"the constant {target.label} has its one parent already"
    for edge in reversed(state.edges):
        if edge.made_by <= last.position:
            break
        if edge.source == source.key and edge.role == action.role and edge.target == target.key:
            return f"the edge {source.label} {action.role} {target.label} exists already"
    return None


# --- effects --------------------------------------------------------------------


def advance(state: ParserState, action: Action) -> ParserState:
    """Take one action.

    Raises:
        IllegalActionError: With the step and the reason, if the action is illegal.
    """
    reason = why_illegal(state, action)
    if reason:
        raise IllegalActionError(
            f"cannot apply {format_action(action)} at step {len(state.actions)}: {reason}"
        )
    return advance_unchecked(state, action)


def advance_unchecked(state: ParserState, action: Action) -> ParserState:
    """Take an action that is known to be legal (decoding has masked the others)."""
    actions = (*state.actions, action)
    match action:
        case Shift():
            return _moved(state, actions, state.cursor + 1)
        case Reduce():
            if state.is_at_root:
                return replace(state, actions=actions, is_closed=True)
            return _moved(state, actions, state.cursor + 1)
        case Merge():
            return replace(state, actions=actions, cursor=state.cursor + 1)
        case LeftArc(position, role) if role == ROOT_ROLE:
            return replace(state, actions=actions, root=position, is_closed=True)
        case LeftArc(position, role):
            last = state.last_item
            return _with_edge(state, actions, (last, 0), role, (position, 0))
        case RightArc(position, role):
            last = state.last_item
            return _with_edge(state, actions, (position, 0), role, (last, 0))
        case _:
            return _with_items(state, actions, action)


def _moved(state: ParserState, actions: tuple[Action, ...], cursor: int) -> ParserState:
    return replace(state, actions=actions, cursor=cursor, span_start=cursor, num_items_here=0)


def _with_edge(
    state: ParserState,
    actions: tuple[Action, ...],
    source: ItemKey,
    role: str,
    target: ItemKey,
) -> ParserState:
    edge = ItemEdge(source, role, target, len(state.actions))
    parented = state.parented
    item = root_item_at(state, target[0])
    if item is not None and item.is_constant:
        parented = parented | {target[0]}
    return replace(state, actions=actions, edges=(*state.edges, edge), parented=parented)


def _with_items(state: ParserState, actions: tuple[Action, ...], action: Action) -> ParserState:
    position = len(state.actions)
    span = (state.span_start, state.cursor + 1)
    links: list[ItemEdge] = []
    if isinstance(action, Subgraph):
        filled = fill(parse_template(action.label), words_at_cursor(state))
        if filled is None:
            raise IllegalActionError(f"{format_action(action)} does not fit at step {position}")
        made = tuple(
            Item(position, index, piece.is_constant, piece.label, *span)
            for index, piece in enumerate(filled[0])
        )
        links = [
            ItemEdge((position, link.source), link.role, (position, link.target), position)
            for link in filled[1]
        ]
    else:
        made = (Item(position, 0, *_named(state, action), *span),)
    return replace(
        state,
        actions=actions,
        items=state.items + made,
        roots=(*state.roots, made[0]),
        edges=(*state.edges, *links),
        num_items_here=state.num_items_here + 1,
        last_item=position,
        num_concepts=state.num_concepts + sum(not item.is_constant for item in made),
    )


def _named(state: ParserState, action: Action) -> tuple[bool, str]:
    """Give (is_constant, label) of the single item that an action makes."""
    match action:
        case Pred(label):
            return False, label
        case Const(value):
            return True, value
        case Copy("lemma"):
            return False, copied_lemma(state)
        case Copy("sense"):
            return False, f"{copied_lemma(state)}-01"
        case _:
            return True, copied_token(state)


def replay(
    sentence: Sentence, actions: Iterable[Action], action_set: ActionSet = "paper"
) -> ParserState:
    """Take actions from the start; every one is checked.

    Raises:
        IllegalActionError: At the first illegal action, with its step.
    """
    state = start(sentence, action_set)
    for action in actions:
        state = advance(state, action)
    return state
