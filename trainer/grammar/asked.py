"""Requests, commands, questions, and where to write or call."""

from __future__ import annotations

from trainer.grammar.clauses import (
    act,
    verb_of,
)
from trainer.grammar.lexicon import (
    CLOTHES,
    MASSES,
    ON_THINGS,
    VEHICLES,
)
from trainer.grammar.nouns import (
    one,
    plain_person,
    plural,
    rare_name,
    simple,
)
from trainer.grammar.phrases import (
    Draw,
    Node,
    Phrase,
    node,
)
from trainer.grammar.quantities import (
    when,
)


def a_contact(draw: Draw) -> Phrase:
    """Telephone numbers, mail and web addresses."""
    who = plain_person(draw)
    kind = draw.of(("phone", "mail", "web"))
    if kind == "phone":
        number = f"{draw.number(200, 999)}-{draw.number(200, 999)}-{draw.number(1000, 9999)}"
        entity = node("phone-number-entity", value=f'"{number}"')
        calling = node("call-02", ARG0=draw.mention("you"), ARG1=who.node, instrument=entity)
        return Phrase(f"call {who.text} at {number}", calling.add("mode", "imperative"))
    host = f"{rare_name(draw).lower()}.{draw.of(('org', 'com', 'net'))}"
    if kind == "mail":
        address = f"{rare_name(draw).lower()}@{host}"
        entity = node("email-address-entity", value=f'"{address}"')
        writing = node("write-01", ARG0=draw.mention("you"), ARG2=who.node, destination=entity)
        return Phrase(f"write to {who.text} at {address}", writing.add("mode", "imperative"))
    address = f"www.{host}"
    entity = node("url-entity", value=f'"{address}"')
    reading = node("visit-01", ARG0=draw.mention("you"), ARG1=entity).add("mode", "imperative")
    return Phrase(f"visit {address}", reading)


def a_request(draw: Draw) -> Phrase:
    """``Please open the box``, ``Could you open the box, please?``."""
    you = draw.mention("you")
    verb = verb_of(draw, [v for v in ON_THINGS if v.base not in ("see", "lose", "steal")])
    what = one(draw, draw.of(verb.objects))
    asked = node(verb.frame, mode="imperative", polite="+", ARG0=you, ARG1=what.node)
    deed = f"{verb.base} {what.text}"
    if draw.happens(0.3):
        time = when(draw)
        asked.add("time", time.node)
        deed += f" {time.text}"
    forms = (
        f"please {deed}", f"{deed}, please", f"could you {deed}?", f"could you please {deed}?",
        f"would you {deed}, please?", f"can you please {deed}?", f"would you please {deed}?",
    )  # fmt: skip
    return Phrase(draw.of(forms), asked)


def a_command(draw: Draw) -> Phrase:
    """``Open the box``, ``Do not wash the coat``."""
    deed = act(draw, draw.mention("you"))
    deed.node.add("mode", "imperative")
    if draw.happens(0.3):
        word = draw.of(("do not", "don't", "never"))
        if word == "never":
            deed.node.add("time", Node("ever"))
        return Phrase(f"{word} {deed.text}", deed.node.add("polarity", "-"))
    return deed


def a_question(draw: Draw) -> Phrase:
    """``Who sold the car?``, ``When did Nora arrive?``, ``How much does the coat cost?``."""
    unknown = Node("amr-unknown")
    kind = draw.of(("who", "what", "when", "where", "price", "yes", "why", "number"))
    if kind == "price":
        what = simple(draw, draw.of(CLOTHES + VEHICLES))
        return Phrase(
            f"how much does {what.text} cost?", node("cost-01", ARG1=what.node, ARG2=unknown)
        )
    verb = verb_of(draw, ON_THINGS)
    noun = draw.of(verb.objects)
    if kind == "who":
        what = one(draw, noun)
        return Phrase(
            f"who {verb.past} {what.text}?", node(verb.frame, ARG0=unknown, ARG1=what.node)
        )
    who = plain_person(draw)
    if kind == "what":
        return Phrase(
            f"what did {who.text} {verb.base}?", node(verb.frame, ARG0=who.node, ARG1=unknown)
        )
    if kind == "number":
        thing = Node(noun).add("quant", unknown)
        words = f"how much {noun}" if noun in MASSES else f"how many {plural(noun)}"
        return Phrase(
            f"{words} did {who.text} {verb.base}?", node(verb.frame, ARG0=who.node, ARG1=thing)
        )
    what = one(draw, noun)
    asked = node(verb.frame, ARG0=who.node, ARG1=what.node)
    if kind == "yes":
        return Phrase(f"did {who.text} {verb.base} {what.text}?", asked.add("polarity", unknown))
    role = {"when": "time", "where": "location", "why": "cause"}[kind]
    return Phrase(f"{kind} did {who.text} {verb.base} {what.text}?", asked.add(role, unknown))
