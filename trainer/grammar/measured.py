"""Sentences of prices, measures, shares and ages."""

from __future__ import annotations

from trainer.grammar.clauses import (
    done,
    event,
    subject,
    the_verb,
    verb_of,
)
from trainer.grammar.lexicon import (
    ALONE,
    CONTAINERS,
    FOOD,
    FRUIT,
    FURNITURE,
    MASSES,
    PEOPLE,
    THINGS,
    VEHICLES,
    Verb,
)
from trainer.grammar.nouns import (
    bare,
    one,
    plain_person,
    plural,
    simple,
)
from trainer.grammar.phrases import (
    Draw,
    Node,
    Phrase,
    node,
)
from trainer.grammar.quantities import (
    distance,
    full_date,
    mass,
    money,
    percentage,
    speed,
    temperature,
    volume,
)


def a_price(draw: Draw) -> Phrase:
    """``The coat costs $20``, ``Nora paid 30 euros for the coat``, ``$4 a kilo``."""
    amount = money(draw)
    noun = draw.of(THINGS + FRUIT)
    what = one(draw, noun)
    kind = draw.of(("cost", "pay", "buy", "sell", "owe", "rate", "worth"))
    if kind == "cost":
        verb = draw.of(("cost", "will cost"))
        return Phrase(
            f"{what.text} {verb} {amount.text}",
            node("cost-01", ARG1=what.node, ARG2=amount.node),
        )
    if kind == "rate":
        fruit = draw.of(FRUIT)
        unit = draw.of(("kilo", "pound"))
        per = Node(
            "mass-quantity",
            [("quant", "1"), ("unit", Node("kilogram" if unit == "kilo" else unit))],
        )
        rate = node("rate-entity-91", ARG1=amount.node, ARG2=per)
        return Phrase(
            f"{plural(fruit)} cost {amount.text} a {unit}",
            node("cost-01", ARG1=Node(fruit), ARG2=rate),
        )
    if kind == "worth":
        thing = simple(draw, noun)
        return Phrase(
            f"{thing.text} {draw.of(('is', 'was'))} worth {amount.text}",
            node("worth-01", ARG1=thing.node, ARG2=amount.node),
        )
    if kind == "pay":
        return _paid(draw, what, amount)
    who = subject(draw)
    if kind == "owe":
        whom = plain_person(draw)
        owing = node("owe-01", ARG0=who.node, ARG1=amount.node, ARG2=whom.node)
        return Phrase(f"{who.text} owed {whom.text} {amount.text}", owing)
    did = done(draw, the_verb(kind), ARG0=who.node, ARG1=what.node, ARG3=amount.node)
    return Phrase(f"{who.text} {did.text} {what.text} for {amount.text}", did.node)


def _paid(draw: Draw, what: Phrase, amount: Phrase) -> Phrase:
    who = subject(draw)
    verb = Verb("pay", "paid", "paid", "pay-01")
    did = done(draw, verb, ARG0=who.node, ARG1=amount.node, ARG3=what.node)
    return Phrase(f"{who.text} {did.text} {amount.text} for {what.text}", did.node)


def a_measure(draw: Draw) -> Phrase:
    """Temperature, distance, mass, speed and volume."""
    makers = (_heat, _way, _weight, _rate, _amount, _length)
    return makers[draw.number(0, len(makers) - 1)](draw)


def _heat(draw: Draw) -> Phrase:
    heat = temperature(draw)
    if draw.happens(0.5):
        verb, frame, role = draw.of(
            ("rose rise-01 ARG4", "fell fall-01 ARG4", "dropped drop-01 ARG4")
        ).split()
        return Phrase(
            f"the temperature {verb} to {heat.text}",
            Node(frame, [("ARG1", Node("temperature")), (role, heat.node)]),
        )
    what = draw.of(("water", "oven", "soup", "milk", "sand"))
    verb, frame, role = draw.of(("reached reach-01 ARG1", "stayed_at stay-01 ARG3")).split()
    agent = "ARG0" if frame == "reach-01" else "ARG1"
    return Phrase(
        f"the {what} {verb.replace('_', ' ')} {heat.text}",
        Node(frame, [(agent, Node(what)), (role, heat.node)]),
    )


def _way(draw: Draw) -> Phrase:
    way, who = distance(draw), subject(draw)
    verb, frame, role = draw.of(
        ("ran run-02 ARG1", "walked walk-01 ARG2", "swam swim-01 ARG1", "drove drive-01 ARG1")
    ).split()
    return Phrase(
        f"{who.text} {verb} {way.text}", Node(frame, [("ARG0", who.node), (role, way.node)])
    )


def _weight(draw: Draw) -> Phrase:
    weight = mass(draw)
    if draw.happens(0.5):
        what = simple(draw, draw.of(CONTAINERS + FURNITURE + VEHICLES))
        verb = draw.of(("weighed", "will weigh"))
        return Phrase(
            f"{what.text} {verb} {weight.text}",
            node("weigh-01", ARG1=what.node, ARG3=weight.node),
        )
    return _bought(draw, weight, plural_or_mass(draw))


def _amount(draw: Draw) -> Phrase:
    word = draw.of(("milk", "water", "oil", "juice", "vinegar"))
    return _bought(draw, volume(draw), Phrase(word, Node(word)))


def plural_or_mass(draw: Draw) -> Phrase:
    """``rice``, ``apples``."""
    noun = draw.of(FRUIT + FOOD)
    return Phrase(noun if noun in MASSES else plural(noun), Node(noun))


def _bought(draw: Draw, amount: Phrase, what: Phrase) -> Phrase:
    who = subject(draw)
    what.node.add("quant", amount.node)
    verb = the_verb(draw.of(("buy", "carry", "sell")))
    did = done(draw, verb, ARG0=who.node, ARG1=what.node)
    return Phrase(f"{who.text} {did.text} {amount.text} of {what.text}", did.node)


def _rate(draw: Draw) -> Phrase:
    fast = speed(draw)
    if draw.happens(0.5):
        who = subject(draw)
        driving = node("drive-01", ARG0=who.node).add("manner", fast.node)
        return Phrase(f"{who.text} drove at {fast.text}", driving)
    noun = draw.of(("train", "car", "truck", "bus", "boat"))
    moving = node("travel-01", ARG0=Node(noun)).add("manner", fast.node)
    return Phrase(f"the {noun} travels at {fast.text}", moving)


def _length(draw: Draw) -> Phrase:
    what = simple(draw, draw.of(("bridge", "road", "wall", "rope", "river", "table", "tunnel")))
    long = distance(draw, "meter foot m cm inch")
    return Phrase(
        f"{what.text} {'is' if draw.happens(0.6) else 'was'} {long.text} long",
        node("long-03", ARG1=what.node, ARG2=long.node),
    )


def a_share(draw: Draw) -> Phrase:
    """``40 percent of the students left``, ``Prices rose by 5%``."""
    part = percentage(draw)
    if draw.happens(0.5):
        noun = draw.of(list(PEOPLE))
        whole = bare(noun)
        some = Node(whole.concept)
        some.add("ARG1-of", node("include-91", ARG2=whole, ARG3=part.node))
        verb = verb_of(draw, ALONE)
        did = done(draw, verb, **{verb.subject: some})
        return Phrase(f"{part.text} of the {plural(noun)} {did.text}", did.node)
    what = draw.of(("price", "sale", "profit", "cost", "wage", "rent", "export"))
    moves, frame = draw.of(
        ("rose rise-01", "fell fall-01", "increased increase-01", "dropped drop-01")
    ).split()
    concept = {"sale": "sell-01", "profit": "profit-01", "export": "export-01"}.get(what, what)
    moved = Node(frame, [("ARG1", Node(concept)), ("ARG2", part.node)])
    text = f"{plural(what)} {moves} {draw.of(('by ', ''))}{part.text}"
    if draw.happens(0.4):
        date = full_date(draw)
        moved.add("time", date.node)
        text += f" {date.text}"
    return Phrase(text, moved)


def an_age(draw: Draw) -> Phrase:
    """``Nora is 12 years old``, ``a 12-year-old girl``."""
    number = str(draw.number(2, 99))
    years = Node("temporal-quantity", [("quant", number), ("unit", Node("year"))])
    if draw.happens(0.5):
        who = plain_person(draw)
        verb = draw.of(("is", "was"))
        return Phrase(
            f"{who.text} {verb} {number} years old", node("age-01", ARG1=who.node, ARG2=years)
        )
    noun = draw.of(("girl", "boy") if int(number) < 18 else ("man", "woman"))
    who = Phrase(f"{draw.of(('a', 'the'))} {number}-year-old {noun}", Node(noun).add("age", years))
    if number.startswith("8") or number in ("11", "18"):
        who = Phrase(
            who.text.replace("a ", "an ", 1) if who.text.startswith("a ") else who.text, who.node
        )
    return event(draw, who)
