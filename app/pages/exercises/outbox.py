"""What the canvas sends while a learner works: a numbered outbox, applied once and in order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

from app.addresses.exercises import Feedback, Mode
from app.pages.exercises.notices import Notice
from app.pages.exercises.play import Play, act, begin, go, restart, reveal
from app.pages.exercises.run_on import Stop, run

Verb = Literal["act", "reveal", "restart", "run", "settings", "open", "toured"]
"""``settings`` begins anew under a mode and a feedback, ``open`` asks for another lesson,
``toured`` says that the tour is over."""

MAX_TEXT = 400
"""Longest action that is read, in characters."""


@dataclass(frozen=True, slots=True)
class Message:
    """One thing that the learner did.

    Attributes:
        number: Rises with every message of a page.
        seen: Number of the last answer that was on the page when it was sent.
        verb: What to do.
        moment: Where the learner was; None where earlier messages were not yet answered.
        text: The action, where a run stops, mode and feedback, or the id of a lesson.
        threshold: For a run to an entropy, in nats.
    """

    number: int
    seen: int
    verb: Verb
    moment: int | None
    text: str
    threshold: float = 0.0


@dataclass(frozen=True, slots=True)
class Answered:
    """A play after some messages.

    Attributes:
        play: The play.
        ack: Number of the last message that was answered.
        refused: Number of the last one that took no action.
    """

    play: Play
    ack: int = 0
    refused: int = 0


def read_messages(outbox: object, lesson: str) -> tuple[Message, ...]:
    """Read the canvas's outbox; what has not the agreed form is left out.

    Args:
        outbox: As it came.
        lesson: Name of the lesson that is on the page: messages for another are left out.
    """
    if not isinstance(outbox, Mapping) or outbox.get("lesson") != lesson:
        return ()
    rows = outbox.get("messages")
    found = [_read(row) for row in rows] if isinstance(rows, list) else []
    return tuple(message for message in found if message is not None)


def _read(row: object) -> Message | None:
    if not isinstance(row, Mapping) or row.get("verb") not in get_args(Verb):
        return None
    number, seen, moment = row.get("number"), row.get("seen"), row.get("moment")
    threshold, text = row.get("threshold", 0.0), row.get("text", "")
    if not isinstance(number, int | float) or not isinstance(seen, int | float):
        return None
    if not isinstance(text, str) or not isinstance(threshold, int | float):
        return None
    place = int(moment) if isinstance(moment, int | float) else None
    verb: Verb = row["verb"]
    return Message(int(number), int(seen), verb, place, text, float(threshold))


def answer(answered: Answered, messages: tuple[Message, ...]) -> Answered:
    """Apply the messages that were not applied yet.

    One that was sent before the learner saw that an earlier one was refused is dropped:
    it was meant for another moment.
    """
    for message in messages:
        if message.number <= answered.ack:
            continue
        if answered.refused > message.seen and message.moment is None:
            answered = replace(answered, ack=message.number)
            continue
        before = answered.play
        play = _applied(before, message)
        is_refused = message.verb == "act" and play.at <= _moment(before, message)
        refused = message.number if is_refused else answered.refused
        answered = Answered(play, message.number, refused)
    return answered


def _moment(play: Play, message: Message) -> int:
    return play.at if message.moment is None else min(max(0, message.moment), len(play.walk))


def _applied(play: Play, message: Message) -> Play:
    if message.verb in ("open", "toured"):
        return play
    play = go(play, _moment(play, message))
    match message.verb:
        case "restart":
            return restart(play)
        case "reveal":
            return reveal(play)
        case "run":
            return _run(play, message)
        case "settings":
            return _set(play, message.text)
        case _:
            if len(message.text) > MAX_TEXT:
                text = f"An action has at most {MAX_TEXT} characters."
                return replace(play, notice=Notice("illegal", "That is too long.", (text,)))
            return act(play, message.text)


def _set(play: Play, text: str) -> Play:
    """Begin the lesson again under a mode and a feedback; one that is unknown stays as it is."""
    words = text.split()
    mode = next((mode for mode in get_args(Mode) if mode in words), play.mode)
    feedback = next((said for said in get_args(Feedback) if said in words), play.feedback)
    return begin(play.lesson, mode, feedback)


def _run(play: Play, message: Message) -> Play:
    stop = next((stop for stop in get_args(Stop) if stop == message.text), None)
    return play if stop is None else run(play, stop, message.threshold)
