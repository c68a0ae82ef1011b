"""The transition system: what each action does to a parser state.

The states stand in ``state``, what they allow in ``legality``, the graph that they hold in
``building``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from aptcore.errors import IllegalActionError
from aptcore.graph.amr import Sentence
from aptcore.transition.actions import (
    ROOT_ROLE,
    Action,
    Const,
    Copy,
    LeftArc,
    Link,
    Merge,
    Pred,
    Reduce,
    RightArc,
    Shift,
    Subgraph,
    format_action,
)
from aptcore.transition.legality import why_illegal
from aptcore.transition.pieces import joined, pieces_of
from aptcore.transition.state import (
    ActionSet,
    Item,
    ItemEdge,
    ItemKey,
    ParserState,
    copied_lemma,
    copied_token,
    derived_concepts,
    root_item_at,
    root_place,
    start,
    words_at_cursor,
)
from aptcore.transition.templates import fill, parse_template


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
        case Link(position):
            return replace(state, actions=actions, last_item=position, is_linked=True)
        case _:
            return _with_items(state, actions, action)


def _moved(state: ParserState, actions: tuple[Action, ...], cursor: int) -> ParserState:
    pieces: tuple[int, ...] = ()
    if state.action_set == "exact" and cursor == len(state.sentence.tokens):
        pieces = pieces_of(state.roots, state.edges)
    return replace(
        state,
        actions=actions,
        cursor=cursor,
        span_start=cursor,
        num_items_here=0,
        pieces=pieces,
    )


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
    pieces = state.pieces
    if pieces:
        pieces = joined(pieces, root_place(state, source[0]), root_place(state, target[0]))
    return replace(
        state,
        actions=actions,
        edges=(*state.edges, edge),
        parented=parented,
        pieces=pieces,
        is_linked=False,
    )


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
        case Copy("token"):
            return True, copied_token(state)
        case Copy(kind):
            return False, derived_concepts(state.sentence, state.span_start, state.cursor + 1)[kind]
        case _:
            raise IllegalActionError(f"{format_action(action)} makes no item")


def replay(
    sentence: Sentence, actions: Iterable[Action], action_set: ActionSet = "exact"
) -> ParserState:
    """Take actions from the start; every one is checked.

    Raises:
        IllegalActionError: At the first illegal action, with its step.
    """
    state = start(sentence, action_set)
    for action in actions:
        state = advance(state, action)
    return state
