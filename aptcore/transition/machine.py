"""The transition system: from a state by an action to the next, if that is legal.

Each action says itself when it is legal and what it does (see ``actions``).
"""

from __future__ import annotations

from collections.abc import Iterable

from aptcore.errors import IllegalActionError
from aptcore.graph.amr import Sentence
from aptcore.transition.actions import Action, ActionSet, format_action
from aptcore.transition.sets import EXACT
from aptcore.transition.state import ParserState


def start(sentence: Sentence, action_set: ActionSet = EXACT) -> ParserState:
    """Give the state before the first action."""
    return ParserState(sentence, action_set)


def why_illegal(state: ParserState, action: Action) -> str | None:
    """Say why an action cannot be taken now; None where it can.

    The one rule of the transition system: the boolean, the error text and the tooltip.
    """
    return action.why_illegal(state)


def is_legal(state: ParserState, action: Action) -> bool:
    """Tell whether an action can be taken now."""
    return action.why_illegal(state) is None


def advance(state: ParserState, action: Action) -> ParserState:
    """Take one action.

    Raises:
        IllegalActionError: With the step and the reason, if the action is illegal.
    """
    reason = action.why_illegal(state)
    if reason:
        raise IllegalActionError(
            f"cannot apply {format_action(action)} at step {len(state.actions)}: {reason}"
        )
    return action.applied(state)


def replay(
    sentence: Sentence, actions: Iterable[Action], action_set: ActionSet = EXACT
) -> ParserState:
    """Take actions from the start; every one is checked.

    Raises:
        IllegalActionError: At the first illegal action, with its step.
    """
    state = start(sentence, action_set)
    for action in actions:
        state = advance(state, action)
    return state
