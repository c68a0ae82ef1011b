"""What the page says about an answer, as far as the feedback of a lesson says anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from app.addresses.exercises import Feedback
from app.canvas.trace.readable import readable
from app.kit.text import as_sentence
from app.pages.exercises.feedback import (
    astray_at,
    ends_of,
    label_at,
    what_is_needed,
    why_right,
    why_wrong,
    without_advice,
)
from aptcore.oracle.goal import Goal, is_on_way
from aptcore.oracle.right_actions import right_actions
from aptcore.transition.actions import Action
from aptcore.transition.arcs import EdgeAction
from aptcore.transition.closing import Root
from aptcore.transition.moves import Merge, Reduce, Shift
from aptcore.transition.state import ParserState, words_at_cursor

NoticeKind = Literal["right", "wrong", "illegal", "note", "done"]
_SILENT = ("percentage", "none")


@dataclass(frozen=True, slots=True)
class Notice:
    """What the page says: a short title, and lines that explain it."""

    kind: NoticeKind
    title: str
    lines: tuple[str, ...] = ()


def tell_taken(state: ParserState, action: Action) -> str:
    """Say in plain words what the page did."""
    words = words_at_cursor(state) if not state.is_at_root else ""
    match action:
        case Shift():
            return f"went on from “{words}”"
        case Reduce():
            return f"skipped “{words}”"
        case Merge():
            return f"joined “{words}” with the next token"
        case Root():
            return f"marked {label_at(state, action.position)} as the root"
        case EdgeAction():
            source, target = ends_of(state, action)
            return f"drew {source} {action.made_role(state)} {target}"
        case _:
            made = action.applied(state).items[len(state.items) :]
            return f"made {', '.join(item.label for item in made)}"


def praise(goal: Goal, feedback: Feedback, state: ParserState, action: Action) -> Notice:
    """Say that an action was right, why, and what would have been right as well."""
    if feedback in _SILENT:
        return Notice("note", f"{readable(action, state)}: answer taken.")
    if feedback == "step":
        return Notice("right", f"Right: {readable(action, state)}.")
    lines = [as_sentence(why_right(goal, state, action))]
    others = [readable(other, state) for other in right_actions(goal, state) if other != action]
    if others:
        lines.append(f"Right as well: {', '.join(others)}.")
    return Notice("right", f"Right: {readable(action, state)}.", tuple(lines))


def warning(goal: Goal, feedback: Feedback, state: ParserState, action: Action) -> Notice:
    """Say that a legal action that was taken leads astray."""
    if feedback in _SILENT:
        return Notice("note", f"{readable(action, state)}: answer taken.")
    title = f"{readable(action, state)} is possible, but does not lead to the goal."
    why = [as_sentence(why_wrong(goal, state, action))] if feedback == "full" else []
    if not is_on_way(goal, state):
        num_back = len(state.actions) + 1 - astray_at(goal, state)
        return Notice("wrong", title, (*why, f"Press Undo {num_back} times to be there."))
    return Notice("wrong", title, (*why, "Undo it and try something else."))


def refused(
    goal: Goal, feedback: Feedback, state: ParserState, action: Action, reason: str
) -> Notice:
    """Say that an action is not possible and, where all is told, what the goal needs instead.

    Args:
        goal: The gold graph.
        feedback: What is told at all.
        state: The state in which it is not possible.
        action: What was tried.
        reason: Why the machine refuses it.
    """
    lines = [as_sentence(without_advice(reason))]
    if feedback == "full":
        lines.append(as_sentence(what_is_needed(goal, state)))
    return Notice("illegal", f"{readable(action, state)} is not possible here.", tuple(lines))


def missed(
    goal: Goal, feedback: Feedback, state: ParserState, action: Action, reason: str | None
) -> Notice:
    """Say that a guess was wrong; the action is not taken.

    Args:
        goal: The gold graph.
        feedback: What is told at all.
        state: The state before the action.
        action: The guess.
        reason: Why the machine refuses it; None where it is possible.
    """
    if feedback in _SILENT:
        return Notice("note", f"{readable(action, state)}: answer taken.")
    fault = "possible, but is not right" if reason is None else "not possible"
    title = f"{readable(action, state)} is {fault} here."
    if feedback == "step":
        return Notice("wrong", title, ("Try again, or let the page show it.",))
    why = why_wrong(goal, state, action) if reason is None else without_advice(reason)
    is_told = why == what_is_needed(goal, state)
    lines = [as_sentence(why)]
    for right in right_actions(goal, state):
        name = readable(right, state)
        if not is_told:
            lines.append(f"Right is {name}: {why_right(goal, state, right)}.")
        elif name not in why:
            lines.append(f"Right is {name}.")
    return Notice("wrong", title, tuple(lines))


def lost(state: ParserState) -> Notice:
    """Say that no action is right any more."""
    if state.is_closed:
        return Notice("note", "The graph is finished.", ("Undo, or start again.",))
    text = "An earlier action has left the way to the goal: undo it, or start again."
    return Notice("wrong", "From here the goal cannot be reached.", (text,))


def ended(feedback: Feedback, is_goal: bool, lines: Sequence[str], score: str) -> Notice:
    """Say how a lesson ended.

    Args:
        feedback: What is told at all.
        is_goal: Whether the graph is the goal.
        lines: What explains it; empty ones are left out.
        score: How many answers were right at once; may be empty.
    """
    if feedback == "none":
        return Notice("done", "The graph is finished.")
    if feedback == "percentage":
        return Notice("done", "The graph is finished.", (score,) if score else ())
    told = tuple(line for line in (*lines, score) if line)
    if is_goal:
        return Notice("done", "Done: this is the goal.", told)
    return Notice("wrong", "The graph is finished, but it is not the goal.", told)
