"""Clauses: what happened, relative clauses, what is said and wanted, lists."""

from __future__ import annotations

from collections.abc import Sequence

from trainer.grammar.lexicon import (
    ALONE,
    ANIMALS,
    FOOD,
    FRUIT,
    GIVING,
    MASSES,
    ON_BEINGS,
    ON_THINGS,
    PEOPLE,
    PLACES,
    Verb,
)
from trainer.grammar.nouns import (
    bare,
    named_person,
    one,
    plain_person,
    plural,
    pronoun,
    simple,
    somebody,
)
from trainer.grammar.phrases import Draw, Node, Phrase, conjoined, listed

LEAST_LIST, LONGEST_LIST = 3, 20


def done(draw: Draw, verb: Verb, **roles: Node) -> Phrase:
    """Say what a verb says: ``sold``, ``will sell``, ``did not sell``."""
    event = Node(verb.frame, list(roles.items()))
    negations = {"past": ("did not", "didn't"), "will": ("will not", "won't")}
    tense = draw.tense or draw.of(("past", "past", "past", "past", "will"))
    form = draw.of(("past", "past", "past", "had", "not", "never"))
    if tense == "will" and form != "not":
        form = "will"
    if form == "not":
        negation = draw.of(negations[tense])
        return Phrase(f"{negation} {verb.base}", event.add("polarity", "-"))
    if form == "never":
        event.add("polarity", "-").add("time", Node("ever"))
        return Phrase(f"never {verb.past}", event)
    words = {"past": verb.past, "will": f"will {verb.base}", "had": f"had {verb.participle}"}
    return Phrase(words[form], event)


def positive(verb: Verb, **roles: Node) -> Phrase:
    """Say it of the past."""
    return Phrase(verb.past, Node(verb.frame, list(roles.items())))


def verb_of(draw: Draw, choices: Sequence[Verb]) -> Verb:
    """Choose a verb."""
    return choices[draw.number(0, len(choices) - 1)]


def the_verb(base: str) -> Verb:
    """Give a verb that takes something."""
    return next(verb for verb in (*ON_THINGS, *ON_BEINGS) if verb.base == base)


def subject(draw: Draw, choice: Phrase | None = None) -> Phrase:
    """Choose who does it: a person or a pronoun."""
    if choice is not None:
        return choice
    if draw.happens(0.25):
        word = pronoun(draw)
        return Phrase(word, draw.mention(word.lower()))
    return somebody(draw)


def event(draw: Draw, who: Phrase | None = None) -> Phrase:
    """``The baker sold my old car``: somebody does something, perhaps to something."""
    who = subject(draw, who)
    kind = draw.of(("thing", "thing", "being", "alone", "give"))
    if kind == "alone":
        verb = verb_of(draw, ALONE)
        did = done(draw, verb, **{verb.subject: who.node})
        return Phrase(f"{who.text} {did.text}", did.node)
    if kind == "give":
        return giving(draw, who)
    verb = verb_of(draw, ON_BEINGS if kind == "being" else ON_THINGS)
    what = one(draw, draw.of(verb.objects))
    if kind == "being" and draw.happens(0.3):
        what = named_person(draw)
    did = done(draw, verb, ARG0=who.node, ARG1=what.node)
    return Phrase(f"{who.text} {did.text} {what.text}", did.node)


def giving(draw: Draw, who: Phrase) -> Phrase:
    """``Nora lent the baker a ladder``, ``Nora lent a ladder to the baker``."""
    verb = verb_of(draw, GIVING)
    what, whom = one(draw, draw.of(verb.objects)), plain_person(draw)
    receiver = "ARG3" if verb.base == "offer" else "ARG2"
    did = done(draw, verb, ARG0=who.node, ARG1=what.node, **{receiver: whom.node})
    if draw.happens(0.5):
        return Phrase(f"{who.text} {did.text} {whom.text} {what.text}", did.node)
    return Phrase(f"{who.text} {did.text} {what.text} to {whom.text}", did.node)


def act(draw: Draw, who: Node) -> Phrase:
    """``sell the car``: what somebody wants to do, without who does it."""
    kind = draw.of(("thing", "thing", "being", "alone"))
    if kind == "alone":
        verb = verb_of(draw, [v for v in ALONE if v.subject == "ARG0"])
        return Phrase(verb.base, Node(verb.frame, [("ARG0", who)]))
    verb = verb_of(draw, ON_BEINGS if kind == "being" else ON_THINGS)
    what = one(draw, draw.of(verb.objects))
    return Phrase(
        f"{verb.base} {what.text}", Node(verb.frame, [("ARG0", who), ("ARG1", what.node)])
    )


def somebody_who(draw: Draw) -> Phrase:
    """``the woman who sold the car``: the noun is the subject of its clause."""
    noun = draw.of(list(PEOPLE))
    who = simple(draw, noun)
    kind = draw.of(("thing", "being", "alone"))
    if kind == "alone":
        verb = verb_of(draw, ALONE)
        did = done(draw, verb)
        who.node.add(f"{verb.subject}-of", did.node)
        return Phrase(f"{who.text} {draw.of(('who', 'that'))} {did.text}", who.node)
    verb = verb_of(draw, ON_BEINGS if kind == "being" else ON_THINGS)
    what = one(draw, draw.of(verb.objects))
    did = done(draw, verb, ARG1=what.node)
    who.node.add("ARG0-of", did.node)
    return Phrase(f"{who.text} {draw.of(('who', 'that'))} {did.text} {what.text}", who.node)


def somebody_whom(draw: Draw) -> Phrase:
    """``the woman whom the boy saw``, ``the dog that the boy saw``: the noun is the object."""
    verb = verb_of(draw, ON_BEINGS)
    noun = draw.of(verb.objects)
    who, other = simple(draw, noun), plain_person(draw)
    did = done(draw, verb, ARG0=other.node)
    who.node.add("ARG1-of", did.node)
    word = draw.of(("that ", "whom ", "who ", "") if noun in PEOPLE else ("that ", ""))
    return Phrase(f"{who.text} {word}{other.text} {did.text}", who.node)


def something_that(draw: Draw) -> Phrase:
    """``the car that Nora sold``."""
    verb = verb_of(draw, ON_THINGS)
    what, who = simple(draw, draw.of(verb.objects)), plain_person(draw)
    did = done(draw, verb, ARG0=who.node)
    what.node.add("ARG1-of", did.node)
    return Phrase(f"{what.text} {draw.of(('that ', 'which ', ''))}{who.text} {did.text}", what.node)


def centre_embedded(draw: Draw, depth: int) -> Phrase:
    """``the dog that the girl that the nurse knew chased``, so many clauses deep."""
    nouns = draw.some([*PEOPLE, *ANIMALS], depth + 1)
    beings = [simple(draw, noun) for noun in nouns]
    texts, pasts = [beings[0].text], []
    for outer, inner in zip(beings[:-1], beings[1:], strict=True):
        verb = verb_of(draw, ON_BEINGS)
        outer.node.add("ARG1-of", Node(verb.frame, [("ARG0", inner.node)]))
        texts.append(f"that {inner.text}")
        pasts.append(verb.past)
    return Phrase(" ".join([*texts, *reversed(pasts)]), beings[0].node)


def shared_arguments(draw: Draw) -> Phrase:
    """``Nora washed and dried the plates``, ``Nora came in, sat down and laughed``."""
    who = subject(draw)
    count = draw.number(2, 3)
    if draw.happens(0.6):
        kind = ON_THINGS if draw.happens(0.6) else ON_BEINGS
        noun = draw.of(verb_of(draw, kind).objects)
        fitting = [verb for verb in kind if noun in verb.objects]
        count = min(count, len(fitting))
        chosen = [fitting[int(n)] for n in draw.some([str(n) for n in range(len(fitting))], count)]
        what = one(draw, noun)
        parts = [positive(verb, ARG0=who.node, ARG1=what.node) for verb in chosen]
        text = f"{who.text} {listed([part.text for part in parts])} {what.text}"
    else:
        parts = []
        for _ in range(count):
            verb = verb_of(draw, ON_THINGS)
            what = one(draw, draw.of(verb.objects))
            did = positive(verb, ARG0=who.node, ARG1=what.node)
            parts.append(Phrase(f"{did.text} {what.text}", did.node))
        text = f"{who.text} {listed([part.text for part in parts])}"
    if len(parts) == 1:
        return Phrase(text, parts[0].node)
    return Phrase(text, conjoined([part.node for part in parts]))


def shared_subjects(draw: Draw) -> Phrase:
    """``Nora and the baker sold the car``."""
    people = [plain_person(draw) for _ in range(draw.number(2, 4))]
    both = Phrase(listed([who.text for who in people]), conjoined([who.node for who in people]))
    return event(draw, both)


def long_list(draw: Draw) -> Phrase:
    """``Nora bought apples, pears, ... and plums``, with up to twenty things."""
    count = draw.number(LEAST_LIST, LONGEST_LIST)
    kind = draw.of(("fruit", "people", "names", "animals", "places"))
    if kind == "names":
        words = [named_person(draw) for _ in range(count)]
    else:
        nouns = {
            "fruit": [*FRUIT, *FOOD],
            "people": list(PEOPLE),
            "animals": ANIMALS,
            "places": PLACES,
        }[kind]
        chosen = draw.some(nouns, min(count, len(nouns)))
        form = draw.of(("plural", "one"))
        words = [_listed_noun(noun, form == "plural") for noun in chosen]
    comma = "," if draw.happens(0.4) else ""
    texts = [word.text for word in words]
    text = f"{', '.join(texts[:-1])}{comma} {draw.of(('and', 'and', 'and', 'or'))} {texts[-1]}"
    concept = "or" if f" or {texts[-1]}" in text else "and"
    verb = verb_of(draw, ON_BEINGS if kind in ("people", "names", "animals") else ON_THINGS)
    who = subject(draw)
    if kind in ("fruit", "places"):
        verb = the_verb("buy" if kind == "fruit" else "see")
    did = done(draw, verb, ARG0=who.node, ARG1=conjoined([w.node for w in words], concept))
    return Phrase(f"{who.text} {did.text} {text}", did.node)


def _listed_noun(noun: str, is_plural: bool) -> Phrase:
    if noun in MASSES:
        return Phrase(noun, bare(noun))
    return Phrase(plural(noun) if is_plural else f"the {noun}", bare(noun))
