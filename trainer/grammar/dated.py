"""Sentences of dates, times of day and spans of time."""

from __future__ import annotations

from trainer.grammar.clauses import (
    done,
    event,
    subject,
    verb_of,
)
from trainer.grammar.lexicon import (
    ALONE,
)
from trainer.grammar.nouns import (
    city,
    named_person,
    place,
)
from trainer.grammar.phrases import (
    Draw,
    Node,
    Phrase,
    node,
)
from trainer.grammar.quantities import (
    clock,
    frequency,
    full_date,
    interval,
    time_span,
    weekday,
    when,
)

DAYS_EVENTS = "meeting concert wedding exam dinner lecture parade auction festival game".split()


def at_a_time(draw: Draw) -> Phrase:
    """Something happened at some time: ``On May 3, Nora sold the car``."""
    time = when(draw)
    draw.tense = tense_of(time.text)
    what = event(draw)
    what.node.add("time", time.node)
    return _with(draw, what, time)


def tense_of(time: str) -> str:
    """Give the tense that a time asks for; empty where any will do."""
    if time.startswith("next"):
        return "will"
    is_past = time.startswith(("last", "yesterday", "since", "recently", "in the "))
    return "past" if is_past or time.endswith("ago") or any(c.isdigit() for c in time) else ""


def _with(draw: Draw, what: Phrase, time: Phrase) -> Phrase:
    """Put a time after a clause, or before it."""
    if draw.happens(0.3):
        return Phrase(f"{time.text.rstrip(',')}, {what.text}", what.node)
    return Phrase(f"{what.text} {time.text}", what.node)


def a_date(draw: Draw) -> Phrase:
    """``Nora was born on August 4, 1961``, ``The concert begins on Friday at 5 pm``."""
    if draw.happens(0.4):
        who, date = named_person(draw), full_date(draw)
        born = node("bear-02", ARG1=who.node, time=date.node)
        where = ""
        if draw.happens(0.4):
            town = city(draw)
            where = f"in {town.text} "
            born.add("location", town.node)
        return Phrase(f"{who.text} was born {where}{date.text}", born)
    noun = draw.of(DAYS_EVENTS)
    verb, frame = draw.of(("begins begin-01", "started start-01", "ended end-01")).split()
    day = weekday(draw) if draw.happens(0.6) else full_date(draw)
    happening = Node(frame, [("ARG1", Node(noun)), ("time", day.node)])
    text = f"the {noun} {verb} {day.text}"
    if draw.happens(0.5) and "dayperiod" not in dict(day.node.edges):
        hour = clock(draw)
        day.node.edges += hour.node.edges
        text = f"{text.rstrip(',')} {hour.text}"
    return Phrase(text, happening)


def a_time_of_day(draw: Draw) -> Phrase:
    """``The museum opens at 5 pm``, ``Nora left at half past``."""
    hour = clock(draw)
    if draw.happens(0.5):
        where = place(draw)
        verb, frame = draw.of(("opens open-01", "closes close-01", "opened open-01")).split()
        return Phrase(
            f"{where.text} {verb} {hour.text}", node(frame, ARG1=where.node, time=hour.node)
        )
    what = event(draw)
    what.node.add("time", hour.node)
    return _with(draw, what, hour)


def a_span(draw: Draw) -> Phrase:
    """``Nora slept for two hours``, ``The war lasted from 1914 to 1918``."""
    who = subject(draw)
    kind = draw.of(("for", "interval", "in", "often", "lasted"))
    if kind == "lasted":
        lasting, noun = time_span(draw, 2, 40), draw.of(DAYS_EVENTS)
        return Phrase(
            f"the {noun} lasted {lasting.text}",
            node("last-01", ARG1=Node(noun), ARG2=lasting.node),
        )
    verb = verb_of(draw, ALONE)
    if kind == "in":
        span = time_span(draw)
        will = Node(verb.frame, [(verb.subject, who.node)])
        will.add("time", node("after", op1=Node("now"), quant=span.node))
        return Phrase(f"{who.text} will {verb.base} in {span.text}", will)
    did = done(draw, verb, **{verb.subject: who.node})
    if kind == "for":
        span = time_span(draw, 2, 40)
        did.node.add("duration", span.node)
        lasting = Phrase(f"for {span.text}", span.node)
        return _with(draw, Phrase(f"{who.text} {did.text}", did.node), lasting)
    if kind == "often":
        rate = frequency(draw)
        did.node.add("frequency", rate.node)
        return Phrase(f"{who.text} {did.text} {rate.text}", did.node)
    times = interval(draw)
    did.node.add("time", times.node)
    return Phrase(f"{who.text} {did.text} {times.text}", did.node)
