"""The actions that move the cursor: SHIFT, REDUCE and MERGE."""

from __future__ import annotations

from dataclasses import dataclass

from aptcore.transition.actions import Action
from aptcore.transition.pieces import pieces_of
from aptcore.transition.state import ParserState
from aptcore.words.tokens import has_words


@dataclass(frozen=True, slots=True)
class Shift(Action):
    """Move on from a token at which something was made."""

    page_name = name = form = "SHIFT"

    @classmethod
    def why_not_here(cls, state: ParserState) -> str | None:
        """Legal when: some item was made at this cursor."""
        if state.is_at_root:
            return "the cursor is past the last token: mark the root with LA(position, root)"
        if state.num_items_here == 0:
            return "nothing was made at this token: use REDUCE"
        return None

    def applied(self, state: ParserState) -> ParserState:
        """Effect: the cursor moves on. Graph change: none."""
        return _moved(state, self)


@dataclass(frozen=True, slots=True)
class Reduce(Action):
    """Move on from a token at which nothing was made."""

    page_name = name = form = "REDUCE"

    @classmethod
    def why_not_here(cls, state: ParserState) -> str | None:
        """Legal when: nothing was made or merged here; on ``<ROOT>``: no concept exists."""
        if state.is_at_root:
            return None if state.num_concepts == 0 else "there are concepts: mark one as the root"
        if state.num_items_here:
            return "a node was made at this token: use SHIFT"
        if state.span_start != state.cursor:
            return "tokens were merged here: make a node of them first"
        is_last = state.cursor + 1 == len(state.sentence.tokens)
        if state.num_concepts == 0 and is_last and has_words(state.sentence):
            return "this is the last token and there is no concept yet: make one"
        return None

    def applied(self, state: ParserState) -> ParserState:
        """Effect: the cursor moves on; on ``<ROOT>`` the walk closes. Graph change: none."""
        if state.is_at_root:
            return state._replace(actions=(*state.actions, self), is_closed=True)
        return _moved(state, self)


@dataclass(frozen=True, slots=True)
class Merge(Action):
    """Join the token at the cursor with the next one."""

    page_name = name = form = "MERGE"

    @classmethod
    def why_not_here(cls, state: ParserState) -> str | None:
        """Legal when: a next word exists and no item was made here yet."""
        if state.cursor + 1 >= len(state.sentence.tokens):
            return "there is no next token to merge with"
        if state.num_items_here:
            return "a node was made at this token already"
        return None

    def applied(self, state: ParserState) -> ParserState:
        """Effect: the cursor moves on, the joined tokens act as one. Graph change: none."""
        return state._replace(actions=(*state.actions, self), cursor=state.cursor + 1)


def _moved(state: ParserState, action: Action) -> ParserState:
    """Go to the next token; past the last one a sound set looks at what hangs together."""
    cursor = state.cursor + 1
    is_at_root = cursor == len(state.sentence.tokens)
    looks = is_at_root and state.action_set.is_sound
    return state._replace(
        actions=(*state.actions, action),
        cursor=cursor,
        span_start=cursor,
        num_items_here=0,
        pieces=pieces_of(state.roots, state.edges) if looks else (),
    )
