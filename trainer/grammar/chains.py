"""Clauses within clauses: what is said of what is said, wishes of wishes, gaps far away."""

from __future__ import annotations

from trainer.grammar.clauses import act, event, verb_of
from trainer.grammar.lexicon import ALONE, MAKING_DO, MEN, ON_BEINGS, PEOPLE, SAYING, WANTING, WOMEN
from trainer.grammar.nouns import PRONOUNS, plain_person, simple
from trainer.grammar.phrases import Draw, Node, Phrase, conjoined, name

NEAR = ("I", "you", "we")
"""Pronouns that mean the same wherever they stand in a sentence."""


def told(draw: Draw, depth: int) -> Phrase:
    """``Nora said that you think that the baker saw you``, so many speakers deep."""
    said = _seen(draw) if draw.happens(0.4) else event(draw, _speaker(draw))
    for _ in range(depth):
        said = told_before(draw, said)
    return said


def told_before(draw: Draw, what: Phrase) -> Phrase:
    """``Nora said that ...``."""
    who, verb = _speaker(draw), verb_of(draw, SAYING)
    said = Node(verb.frame, [("ARG0", who.node), ("ARG1", what.node)])
    return Phrase(f"{who.text} {verb.past} {_that(draw, verb.base)}{what.text}", said)


def told_of_oneself(draw: Draw) -> Phrase:
    """``Nora said that the boys admired her``: the pronoun is the one who spoke."""
    is_woman = draw.happens(0.5)
    words = draw.of(WOMEN if is_woman else MEN)
    who = name("person", words)
    verb, deed = verb_of(draw, SAYING), verb_of(draw, ON_BEINGS)
    of_many = draw.of([noun for noun in PEOPLE if noun not in ("man", "woman", "girl", "boy")])
    others = simple(draw, of_many)
    if draw.happens(0.6):
        inner = Node(deed.frame, [("ARG0", others.node), ("ARG1", who)])
        text = f"{others.text} {deed.past} {'her' if is_woman else 'him'}"
    else:
        inner = Node(deed.frame, [("ARG0", who), ("ARG1", others.node)])
        text = f"{'she' if is_woman else 'he'} {deed.past} {others.text}"
    said = Node(verb.frame, [("ARG0", who), ("ARG1", inner)])
    return Phrase(f"{words} {verb.past} {_that(draw, verb.base)}{text}", said)


def _that(draw: Draw, base: str) -> str:
    return "that " if base not in ("say", "think", "know") or draw.happens(0.6) else ""


def _speaker(draw: Draw) -> Phrase:
    """A person in few words, or a pronoun; the same pronoun is the same person."""
    if draw.happens(0.4):
        word = draw.of(NEAR)
        return Phrase(word, draw.mention(word.lower()))
    return plain_person(draw)


def _seen(draw: Draw) -> Phrase:
    """``the baker saw you``."""
    who, verb, word = plain_person(draw), verb_of(draw, ON_BEINGS), draw.of(NEAR)
    whom = draw.mention(word.lower())
    seen = Node(verb.frame, [("ARG0", who.node), ("ARG1", whom)])
    return Phrase(f"{who.text} {verb.past} {PRONOUNS[word]}", seen)


def somebody_said_to(draw: Draw) -> Phrase:
    """``the woman who you said that the baker thought laughed``: the gap is in what is said."""
    noun = draw.of(list(PEOPLE))
    who = simple(draw, noun)
    words = [who.text, draw.of(("who", "that"))]
    said: list[Node] = []
    for _ in range(draw.number(1, 2)):
        speaker, verb = _speaker(draw), verb_of(draw, SAYING)
        words += [f"{'that ' if said else ''}{speaker.text}", verb.past]
        said.append(Node(verb.frame, [("ARG0", speaker.node)]))
    is_object = draw.happens(0.3)
    if is_object:
        other, verb = plain_person(draw), verb_of(draw, ON_BEINGS)
        deed = Node(verb.frame, [("ARG0", other.node)])
        words += [other.text, verb.past]
        who.node.add("ARG1-of", deed)
    elif draw.happens(0.5):
        verb = verb_of(draw, ALONE)
        deed = Node(verb.frame)
        words.append(verb.past)
        who.node.add(f"{verb.subject}-of", deed)
    else:
        other, verb = plain_person(draw), verb_of(draw, ON_BEINGS)
        deed = Node(verb.frame, [("ARG1", other.node)])
        words += [verb.past, other.text]
        who.node.add("ARG0-of", deed)
    for speech in reversed(said):
        deed.add("ARG1-of", speech)
        deed = speech
    return Phrase(" ".join(words), who.node)


def controlled(draw: Draw, depth: int) -> Phrase:
    """``Nora wants to try to persuade the baker to sell the car``."""
    who = plain_person(draw)
    words, doer, top, last = [who.text], who.node, None, None
    for level in range(depth):
        is_making = draw.happens(0.35)
        verb = verb_of(draw, MAKING_DO if is_making else WANTING)
        words.append(verb.past if level == 0 else verb.base)
        wish = Node(verb.frame, [("ARG0", doer)])
        role = "ARG1"
        if is_making:
            whom = plain_person(draw)
            words.append(whom.text)
            hearer, role = (
                ("ARG1", "ARG2") if verb.base in ("persuade", "order") else ("ARG2", "ARG1")
            )
            wish.add(hearer, whom.node)
            doer = whom.node
        words.append("to")
        top = top or wish
        if last is not None:
            last[0].add(last[1], wish)
        last = (wish, role)
    deed = act(draw, doer)
    if last is None or top is None:
        raise ValueError("a chain has at least one verb")
    last[0].add(last[1], deed.node)
    return Phrase(" ".join([*words, deed.text]), top)


def controlled_beside(draw: Draw) -> Phrase:
    """``Nora told the boy to sleep and left``, ``... laughed and tried to sing and dance``.

    The form of the verb says whose the second deed is: "left" Nora's, "dance" of who sings.
    """
    chain = controlled(draw, draw.number(1, 3))
    who = dict(chain.node.edges)["ARG0"]
    verbs = [verb for verb in ALONE if verb.subject == "ARG0"]
    verb = verb_of(draw, verbs)
    if not isinstance(who, Node):
        raise ValueError("a wish is somebody's")
    deed = Node(verb.frame, [("ARG0", who)])
    if draw.happens(0.5):
        return Phrase(f"{chain.text} and {verb.past}", conjoined([chain.node, deed]))
    subject, rest = chain.text.split(" ", 1)
    if subject in ("the", "a", "an"):
        noun, rest = rest.split(" ", 1)
        subject = f"{subject} {noun}"
    return Phrase(f"{subject} {verb.past} and {rest}", conjoined([deed, chain.node]))
