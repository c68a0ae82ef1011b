"""What a learner has done in a lesson, and how every answer changes it.

A play is a frozen value: the walk so far, the moment that is looked at (how many of its
actions count), and what there is to say. Going back only moves the moment; what was
taken after it stays, to be taken again, until another action is chosen there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from app.addresses.exercises import Feedback, Mode
from app.canvas.trace.readable import read_action, readable
from app.kit.text import as_sentence
from app.lessons.lesson import Lesson
from app.pages.exercises.feedback import astray_at, why_right
from app.pages.exercises.notices import (
    Notice,
    ended,
    lost,
    missed,
    praise,
    refused,
    tell_taken,
    warning,
)
from aptcore.errors import ActionFormatError
from aptcore.oracle.goal import is_on_way
from aptcore.oracle.right_actions import is_right, next_right, right_actions
from aptcore.transition.actions import Action
from aptcore.transition.machine import advance, start, why_illegal
from aptcore.transition.moves import Reduce, Shift
from aptcore.transition.state import ParserState

Mark = Literal["", "wrong", "missed"]
"""``wrong``: the action that left the way to the goal. ``missed``: taken where the first
answer was not right, or shown."""

MAX_WALK = 1000
"""Longest walk, in actions: what stands after that is refused."""


@dataclass(frozen=True, slots=True)
class Taken:
    """An action of a walk; ``is_own`` says that the learner took it, not the page."""

    action: Action
    is_own: bool


@dataclass(frozen=True, slots=True)
class Play:
    """A lesson under way.

    Attributes:
        lesson: The lesson.
        mode: Build the graph by hand, or guess the next action.
        feedback: What is said about an answer.
        walk: All actions, those that were undone included.
        at: How many of them count.
        answers: For every walk at which the learner answered, whether the first answer
            was right.
        notice: What the page says now.
    """

    lesson: Lesson
    mode: Mode
    feedback: Feedback
    walk: tuple[Taken, ...] = ()
    at: int = 0
    answers: Mapping[tuple[Action, ...], bool] | None = None
    notice: Notice | None = None


def begin(lesson: Lesson, mode: Mode | None = None, feedback: Feedback | None = None) -> Play:
    """Open a lesson at its start."""
    play = Play(lesson, mode or lesson.mode, feedback or lesson.feedback, answers={})
    return _settled(at_right_step(play, lesson.start))


def at_right_step(play: Play, step: int) -> Play:
    """Take the first right actions up to a step, from the start."""
    walk = tuple(Taken(action, is_own=False) for action in play.lesson.walk[:step])
    return replace(play, walk=walk, at=len(walk))


def with_walk(play: Play, actions: tuple[Action, ...], step: int) -> Play:
    """Take a walk that an address names.

    Raises:
        IllegalActionError: If an action of it is illegal.
    """
    state = start(play.lesson.sentence, play.lesson.goal.action_set)
    walk = []
    for action in actions:
        is_own = not play.lesson.asks or action.page_name in play.lesson.asks
        state = advance(state, action)
        walk.append(Taken(action, is_own))
    return replace(play, walk=tuple(walk), at=min(max(0, step), len(walk)))


def states_of(play: Play) -> tuple[ParserState, ...]:
    """Give the state at every moment of the walk, undone ones included."""
    states = [start(play.lesson.sentence, play.lesson.goal.action_set)]
    for taken in play.walk:
        states.append(taken.action.applied(states[-1]))
    return tuple(states)


def state_of(play: Play) -> ParserState:
    """Give the state at the moment that counts."""
    return states_of(play)[play.at]


def go(play: Play, moment: int) -> Play:
    """Look at another moment: undo is one less, redo one more."""
    play = replace(play, at=min(max(0, moment), len(play.walk)), notice=None)
    return finished(play) if state_of(play).is_closed else play


def restart(play: Play) -> Play:
    """Begin the lesson again; what was answered is forgotten."""
    return begin(play.lesson, play.mode, play.feedback)


def act(play: Play, text: str) -> Play:
    """Take an answer at the moment that counts; what is not possible there counts as wrong.

    Args:
        play: The play.
        text: The action as typed or pressed.
    """
    state = state_of(play)
    if state.is_closed:
        return go(play, play.at)
    try:
        action = read_action(text, state, right_actions(play.lesson.goal, state))
    except ActionFormatError as error:
        return replace(play, notice=Notice("illegal", "That cannot be read.", (str(error),)))
    reason = why_illegal(state, action)
    if reason is None and play.at >= MAX_WALK:
        title = f"This page takes up to {MAX_WALK} actions."
        return replace(play, notice=Notice("illegal", title))
    goal, feedback = play.lesson.goal, play.feedback
    is_good = is_right(goal, state, action)
    play = _counted(play, state, is_good) if is_on_way(goal, state) else play
    if play.mode == "predict" and not is_good:
        return _missed(play, state, action, reason)
    if reason is not None:
        return replace(play, notice=refused(goal, feedback, state, action, reason))
    tell = praise if is_good else warning
    notice = tell(goal, feedback, state, action)
    return _settled(replace(_taken(play, action, is_own=True), notice=notice))


def reveal(play: Play) -> Play:
    """Let the page take the next right action; it counts as an answer that was missed."""
    state = state_of(play)
    action = next_right(play.lesson.goal, state)
    if action is None:
        return replace(play, notice=lost(state))
    play = _taken(_counted(play, state, is_good=False), action, is_own=True)
    lines = (as_sentence(why_right(play.lesson.goal, state, action)),)
    notice = Notice("note", f"Shown: {readable(action, state)}", lines)
    return _settled(replace(play, notice=notice))


def score_of(play: Play) -> tuple[int, int]:
    """Count the moments that were answered right at once, and all that were answered."""
    answers = play.answers or {}
    return sum(answers.values()), len(answers)


def is_finished(play: Play) -> bool:
    """Tell whether the graph is the goal, and the learner gave a right answer on the way."""
    state = state_of(play)
    return state.is_closed and score_of(play)[0] > 0 and is_on_way(play.lesson.goal, state)


def marks_of(play: Play) -> tuple[Mark, ...]:
    """Mark the actions of a walk, as far as the feedback tells of them."""
    states, answers = states_of(play), play.answers or {}
    is_told = play.feedback in ("full", "step")
    is_told = is_told or (play.feedback == "percentage" and states[-1].is_closed)
    if not is_told:
        return tuple("" for _ in play.walk)
    goal = play.lesson.goal
    marks: list[Mark] = ["" if answers.get(s.actions, True) else "missed" for s in states[:-1]]
    if not is_on_way(goal, states[-1]):
        marks[astray_at(goal, states[-1])] = "wrong"
    return tuple(marks)


def is_crossed_out(play: Play) -> bool:
    """Tell whether moves that are not possible are crossed out beforehand.

    Not where that would be the answer: in guesses, and where only SHIFT and REDUCE are asked.
    """
    moves = {Shift.page_name, Reduce.page_name}
    return play.mode == "build" and not moves.issuperset(play.lesson.asks or ("all",))


def _counted(play: Play, state: ParserState, is_good: bool) -> Play:
    answers = dict(play.answers or {})
    answers.setdefault(state.actions, is_good)
    return replace(play, answers=answers)


def _taken(play: Play, action: Action, *, is_own: bool) -> Play:
    """Take an action; the same one as before keeps what was undone after it."""
    if play.at < len(play.walk) and play.walk[play.at].action == action:
        return replace(play, at=play.at + 1)
    walk = (*play.walk[: play.at], Taken(action, is_own))
    return replace(play, walk=walk, at=play.at + 1)


def _settled(play: Play) -> Play:
    """Take what the lesson does not ask for, and say so if the graph is finished."""
    goal, asks = play.lesson.goal, play.lesson.asks
    state = state_of(play)
    taken: list[str] = []
    while asks and not state.is_closed:
        choices = right_actions(goal, state)
        if not choices or any(action.page_name in asks for action in choices):
            break
        play = _taken(play, choices[0], is_own=False)
        taken.append(tell_taken(state, choices[0]))
        state = choices[0].applied(state)
    if taken and play.notice is not None:
        line = f"Then the page {', '.join(taken)}."
        play = replace(play, notice=replace(play.notice, lines=(*play.notice.lines, line)))
    return finished(play) if state.is_closed else play


def _missed(play: Play, state: ParserState, action: Action, reason: str | None) -> Play:
    """Answer a wrong guess; where nothing is told, the walk goes on by itself."""
    play = replace(play, notice=missed(play.lesson.goal, play.feedback, state, action, reason))
    right = next_right(play.lesson.goal, state)
    if right is None or play.feedback in ("full", "step"):
        return play
    return _settled(_taken(play, right, is_own=True))


def finished(play: Play) -> Play:
    """Say how it ended, after what was said about the last answer."""
    good, num = score_of(play)
    score = f"{good} of {num} right at once ({round(100 * good / num)} %)." if num else ""
    is_goal = is_on_way(play.lesson.goal, state_of(play))
    before = play.notice.lines if play.notice else ()
    notice = ended(play.feedback, is_goal, (*before, play.lesson.closing if is_goal else ""), score)
    return replace(play, notice=notice)
