"""An earlier walk over the same sentence, as the draft of another one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from aptcore.trace.trace import Trace
from aptcore.transition.actions import Action, PointerAction
from aptcore.transition.items import ItemAction
from aptcore.transition.state import ParserState


@dataclass
class EarlierWalk:
    """The rest of an earlier walk over the same sentence, as it may go on in another.

    Attributes:
        actions: The earlier walk.
        states: The state before each of its actions.
        at: By the position of an earlier action that of its counterpart in the other walk.
        next: The earlier action that is proposed next.
    """

    actions: Sequence[Action]
    states: Sequence[ParserState]
    at: dict[int, int] = field(default_factory=dict)
    next: int = 0

    @classmethod
    def of(cls, trace: Trace) -> EarlierWalk:
        """Take the walk of a trace."""
        return cls([step.action for step in trace.steps], trace.states)

    def proposed(self) -> Action | None:
        """Give the next action of the earlier walk, its pointer moved along; None for none."""
        if self.next >= len(self.actions):
            return None
        action = self.actions[self.next]
        if not isinstance(action, PointerAction):
            return action
        position = self.at.get(action.position)
        return None if position is None else action.pointing_at(position)

    def follow(self, action: Action, after: ParserState) -> None:
        """Take note of the action that the other walk took, and of the state after it."""
        here, is_same = len(after.actions) - 1, action == self.proposed()
        earlier = self.actions[self.next] if self.next < len(self.actions) else None
        if is_same or (isinstance(earlier, ItemAction) and isinstance(action, ItemAction)):
            self.at[self.next] = here
        self.next = self.next + 1 if is_same else self._place_of(after)

    def _place_of(self, state: ParserState) -> int:
        """Find where the earlier walk stood as another walk stands now, or would stand.

        The action that was taken replaces one, is one more, or makes up for several.
        """
        late = range(self.next, len(self.actions))
        alike = [n for n in late if _stand(self.states[n]) == _stand(state)]
        if self.next + 1 in alike:
            return self.next + 1
        at_token = [n for n in late if self.states[n].cursor == state.cursor]
        return next(iter(alike + at_token), len(self.actions))


def _stand(state: ParserState) -> tuple[int, int, int]:
    return state.cursor, state.span_start, state.num_items_here
