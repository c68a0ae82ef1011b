"""The kinds of sentences that the grammar teaches, and the making of so many of them.

Every kind is a production: it chooses its words from a :class:`Draw` and gives a clause
with its graph. The same seed gives the same sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from trainer.grammar.asked import a_command, a_contact, a_question, a_request
from trainer.grammar.attachment import attached
from trainer.grammar.chains import (
    controlled,
    controlled_beside,
    somebody_said_to,
    told,
    told_before,
    told_of_oneself,
)
from trainer.grammar.clauses import (
    centre_embedded,
    done,
    event,
    long_list,
    shared_arguments,
    shared_subjects,
    somebody_who,
    somebody_whom,
    something_that,
    subject,
    the_verb,
    verb_of,
)
from trainer.grammar.dated import a_date, a_span, a_time_of_day, at_a_time
from trainer.grammar.lexicon import (
    ALONE,
    ON_BEINGS,
    Verb,
)
from trainer.grammar.measured import a_measure, a_price, a_share, an_age
from trainer.grammar.nouns import (
    adjectives_in_a_row,
    apposed,
    city,
    company,
    named_person,
    official,
    plain_person,
    rare_name,
    related,
    river,
    somebody,
    the_nth,
    university,
)
from trainer.grammar.phrases import (
    Draw,
    Node,
    Phrase,
    Taught,
    conjoined,
    name,
    node,
    penman_of,
    sentence_of,
)
from trainer.grammar.prepositions import a_preposition


def a_name(draw: Draw) -> Phrase:
    """Names of people, places, rivers, companies and schools."""
    kind = draw.of(("person", "lives", "works", "studies", "river", "company", "apposed", "called"))
    if kind == "person":
        return event(draw, named_person(draw))
    if kind == "apposed":
        return event(draw, apposed(draw))
    who = subject(draw, named_person(draw))
    if kind == "lives":
        where = city(draw)
        verb, frame, role = draw.of(
            ("lived live-01 ARG0", "stayed stay-01 ARG1", "worked work-01 ARG0")
        ).split()
        living = Node(frame, [(role, who.node), ("location", where.node)])
        return Phrase(f"{who.text} {verb} in {where.text}", living)
    if kind == "works":
        where = company(draw)
        working = node("work-01", ARG0=who.node, ARG2=where.node)
        return Phrase(f"{who.text} worked for {where.text}", working)
    if kind == "studies":
        where = university(draw)
        study = node("study-01", ARG0=who.node, location=where.node)
        return Phrase(f"{who.text} studied at {where.text}", study)
    if kind == "river":
        water = river(draw)
        return Phrase(
            f"{who.text} swam in {water.text}",
            node("swim-01", ARG0=who.node, location=water.node),
        )
    if kind == "company":
        firm, other = company(draw), company(draw)
        verb, frame = draw.of(("bought buy-01", "sued sue-02", "acquired acquire-01")).split()
        agent, patient = ("ARG0", "ARG1")
        deal = Node(frame, [(agent, firm.node), (patient, other.node)])
        return Phrase(f"{firm.text} {verb} {other.text}", deal)
    words, noun = (
        rare_name(draw),
        draw.of(("village", "town", "ship", "hotel", "island", "mountain")),
    )
    place_named = name(noun, words)
    did = done(
        draw, Verb("visit", "visited", "visited", "visit-01"), ARG0=who.node, ARG1=place_named
    )
    text = draw.of((f"a {noun} called {words}", f"the {noun} {words}", f"a {noun} named {words}"))
    if text.startswith("an") or noun[0] in "aeiou":
        text = text.replace("a ", "an ", 1) if text.startswith("a ") else text
    return Phrase(f"{who.text} {did.text} {text}", did.node)


def a_relative_of_the_subject(draw: Draw) -> Phrase:
    """``The woman who sold the car laughed``, ``The car that Nora sold fell``."""
    if draw.happens(0.3):
        thing = something_that(draw)
        verb = Verb("disappear", "disappeared", "disappeared", "disappear-01")
        if draw.happens(0.5):
            verb = Verb("fall", "fell", "fallen", "fall-01")
        did = done(draw, verb, ARG1=thing.node)
        return Phrase(f"{thing.text} {did.text}", did.node)
    who = somebody_who(draw) if draw.happens(0.6) else somebody_whom(draw)
    return event(draw, who)


def a_relative_of_the_object(draw: Draw) -> Phrase:
    """``Nora knew the woman who sold the car``."""
    who = subject(draw)
    if draw.happens(0.4):
        thing = something_that(draw)
        did = done(
            draw, the_verb(draw.of(("see", "find", "describe"))), ARG0=who.node, ARG1=thing.node
        )
        return Phrase(f"{who.text} {did.text} {thing.text}", did.node)
    whom = somebody_who(draw) if draw.happens(0.6) else somebody_whom(draw)
    did = done(draw, verb_of(draw, ON_BEINGS), ARG0=who.node, ARG1=whom.node)
    return Phrase(f"{who.text} {did.text} {whom.text}", did.node)


def a_centre(draw: Draw) -> Phrase:
    """One clause or two inside another."""
    who = centre_embedded(draw, 1 if draw.happens(0.4) else 2)
    verb = verb_of(draw, ALONE)
    return Phrase(f"{who.text} {verb.past}", Node(verb.frame, [(verb.subject, who.node)]))


def a_chain_of_saying(draw: Draw) -> Phrase:
    """One to four speakers, one within the other's words."""
    return told_of_oneself(draw) if draw.happens(0.2) else told(draw, draw.number(1, 4))


def a_chain_of_control(draw: Draw) -> Phrase:
    """One to four wishes, one the other's object; perhaps another deed beside them."""
    return controlled_beside(draw) if draw.happens(0.4) else controlled(draw, draw.number(1, 4))


def a_gap_in_what_is_said(draw: Draw) -> Phrase:
    """``The woman who you said laughed left``, ``Nora knew the man who we thought sang``."""
    who = somebody_said_to(draw)
    if draw.happens(0.6):
        verb = verb_of(draw, ALONE)
        left = Node(verb.frame, [(verb.subject, who.node)])
        clause = Phrase(f"{who.text} {verb.past}", left)
        return clause if draw.happens(0.7) else told_before(draw, clause)
    other, verb = plain_person(draw), verb_of(draw, ON_BEINGS)
    did = done(draw, verb, ARG0=other.node, ARG1=who.node)
    return Phrase(f"{other.text} {did.text} {who.text}", did.node)


def some_adjectives(draw: Draw) -> Phrase:
    """A thing with adjectives in a row, done something to."""
    who, thing = subject(draw), adjectives_in_a_row(draw)
    if draw.happens(0.2):
        thing = the_nth(draw, draw.of(("floor", "chapter", "letter", "question", "house")))
    verb = the_verb(draw.of(("see", "find", "sell", "buy", "describe", "lose")))
    did = done(draw, verb, ARG0=who.node, ARG1=thing.node)
    return Phrase(f"{who.text} {did.text} {thing.text}", did.node)


def an_office(draw: Draw) -> Phrase:
    """People known by what they are to others: ``the mayor of Lima``, ``her boss``."""
    who = official(draw) if draw.happens(0.6) else related(draw)
    return event(draw, who)


def two_clauses(draw: Draw) -> Phrase:
    """Two clauses: ``Nora sold the car, and the baker laughed``, ``... because ...``."""
    first, second = event(draw), event(draw)
    kind = draw.of(("and", "but", "because", "when", "if", "before", "after"))
    if kind in ("and", "but"):
        concept = "and" if kind == "and" else "contrast-01"
        if kind == "and":
            both = conjoined([first.node, second.node])
        else:
            both = node(concept, ARG1=first.node, ARG2=second.node)
        return Phrase(f"{first.text}, {kind} {second.text}", both)
    link = {
        "because": ("ARG1-of", node("cause-01", ARG0=second.node)),
        "when": ("time", second.node),
        "if": ("condition", second.node),
        "before": ("time", node("before", op1=second.node)),
        "after": ("time", node("after", op1=second.node)),
    }[kind]
    first.node.add(*link)
    if draw.happens(0.3):
        return Phrase(f"{kind} {second.text}, {first.text}", first.node)
    return Phrase(f"{first.text} {kind} {second.text}", first.node)


def somebody_did(draw: Draw) -> Phrase:
    """A plain clause with a person of any kind."""
    return event(draw, somebody(draw))


SEED = 1
"""Of the sentences trained on: not the run's, or the labels of its seeds would differ."""

KINDS: dict[str, Callable[[Draw], Phrase]] = {
    "time": at_a_time,
    "date": a_date,
    "time-of-day": a_time_of_day,
    "span": a_span,
    "price": a_price,
    "measure": a_measure,
    "share": a_share,
    "age": an_age,
    "name": a_name,
    "office": an_office,
    "contact": a_contact,
    "relative-subject": a_relative_of_the_subject,
    "relative-object": a_relative_of_the_object,
    "centre-embedding": a_centre,
    "saying": a_chain_of_saying,
    "gap-in-saying": a_gap_in_what_is_said,
    "control": a_chain_of_control,
    "shared-arguments": shared_arguments,
    "shared-subjects": shared_subjects,
    "long-list": long_list,
    "attachment": attached,
    "preposition": a_preposition,
    "adjectives": some_adjectives,
    "request": a_request,
    "command": a_command,
    "question": a_question,
    "clauses": two_clauses,
    "plain": somebody_did,
}
"""All kinds of sentences, taken in turn."""


def taught(kind: str, seed: str) -> Taught:
    """Make one sentence of a kind; the same for the same seed."""
    phrase = KINDS[kind](Draw(f"{kind} {seed}"))
    text = phrase.text.rstrip(",")
    end = "" if text.endswith("?") else "."
    return Taught(kind, sentence_of(text, end).replace("..", "."), penman_of(phrase.node))


def corpus_text(count: int) -> str:
    """Write so many sentences as an AMR file; every run of the same number has the same."""
    blocks = [
        f"# ::id grammar.{made.kind}.{number}\n# ::snt {made.text}\n{made.penman}"
        for number, made in enumerate(sentences(count, SEED), 1)
    ]
    return "\n\n".join(blocks) + "\n"


def sentences(count: int, seed: int) -> Iterator[Taught]:
    """Make so many different sentences, the kinds in turn; the same for the same seed."""
    seen: set[str] = set()
    kinds, number = list(KINDS), 0
    while len(seen) < count:
        made = taught(kinds[number % len(kinds)], f"{seed} {number}")
        number += 1
        if made.text not in seen:
            seen.add(made.text)
            yield made
