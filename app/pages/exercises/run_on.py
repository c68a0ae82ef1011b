"""Running on to where something happens: a reentrancy, an RA, a doubt of the model."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from app.lessons.lesson import Lesson
from app.pages.exercises.notices import Notice, lost
from app.pages.exercises.play import Play, Taken, finished, state_of
from aptcore.oracle.right_actions import next_right
from aptcore.transition.actions import Action
from aptcore.transition.arcs import EdgeAction, RightArc
from aptcore.transition.state import ParserState

Stop = Literal["reentrancy", "ra", "entropy", "end"]
"""Where a run stops: before the first edge that gives a node a second parent, before the
next RA, before an action at which a model was unsure, or where the graph is finished."""


def run(play: Play, stop: Stop, threshold: float = 0.0) -> Play:
    """Let the page take right actions up to where a run stops.

    Args:
        play: The play.
        stop: Before what to stop.
        threshold: For ``entropy``: stop where it is above, in nats.
    """
    goal = play.lesson.goal
    state, walk = state_of(play), list(play.walk[: play.at])
    if next_right(goal, state) is None:
        return replace(play, notice=lost(state))
    if stop == "entropy" and entropy_at(play.lesson, state) is None:
        text = "The model's figures are known only along its own walk: start again, then run."
        return replace(play, notice=Notice("note", "No figure here.", (text,)))
    while not state.is_closed:
        action = _next_of_run(play.lesson, state, stop)
        if action is None or (
            len(walk) > play.at and _stops(play.lesson, state, action, stop, threshold)
        ):
            break
        walk.append(Taken(action, is_own=False))
        state = action.applied(state)
    if state.is_closed and stop != "end":
        missing = {"reentrancy": "no reentrancy", "ra": "no RA", "entropy": "no such action"}
        text = f"There is {missing[stop]} from here on; nothing was taken."
        return replace(play, notice=Notice("note", "The run did not stop.", (text,)))
    num = len(walk) - play.at
    title = f"The page took {num} {'action' if num == 1 else 'actions'}."
    lines = _doubt(play.lesson, state) if stop == "entropy" else ()
    play = replace(play, walk=tuple(walk), at=len(walk), notice=Notice("note", title, lines))
    return finished(play) if state.is_closed else play


def _doubt(lesson: Lesson, state: ParserState) -> tuple[str, ...]:
    """Say how unsure the model was where a run stopped."""
    entropy = entropy_at(lesson, state)
    if entropy is None or lesson.trace is None:
        return ()
    return (f"Here the entropy of {lesson.trace.model} was {entropy:.2f} nats.",)


def _next_of_run(lesson: Lesson, state: ParserState, stop: Stop) -> Action | None:
    """Give the next action of a run: along the model's walk where its entropy is looked at."""
    if stop == "entropy" and lesson.trace is not None:
        num = len(state.actions)
        is_there = lesson.trace.actions[:num] == state.actions
        return lesson.trace.actions[num] if is_there and num < len(lesson.trace.actions) else None
    return next_right(lesson.goal, state)


def _stops(
    lesson: Lesson, state: ParserState, action: Action, stop: Stop, threshold: float
) -> bool:
    if stop == "ra":
        return isinstance(action, RightArc)
    if stop == "entropy":
        entropy = entropy_at(lesson, state)
        return entropy is not None and entropy > threshold
    return stop == "reentrancy" and makes_reentrancy(state, action)


def makes_reentrancy(state: ParserState, action: Action) -> bool:
    """Tell whether an edge gives a node its second parent."""
    if not isinstance(action, EdgeAction):
        return False
    position = action.position if action.is_left else state.last_item
    return any(edge.target == (position, 0) for edge in state.edges)


def entropy_at(lesson: Lesson, state: ParserState) -> float | None:
    """Give the model's entropy before the next action; None where it is not known."""
    num = len(state.actions)
    trace = lesson.trace
    if trace is None or num >= len(trace.actions) or trace.actions[:num] != state.actions:
        return None
    return trace.entropies[num]
