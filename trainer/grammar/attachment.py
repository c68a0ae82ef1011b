"""Phrases that hang on a noun or on the verb, as their meaning says."""

from __future__ import annotations

from trainer.grammar.clauses import done, positive, subject, the_verb, verb_of
from trainer.grammar.lexicon import (
    ON_BEINGS,
    ON_THINGS,
    PEOPLE,
    Verb,
)
from trainer.grammar.nouns import (
    city,
    one,
    place,
    plain_person,
    simple,
    somebody,
)
from trainer.grammar.phrases import Draw, Node, Phrase, node

WITH_PARTS = {
    "man": ("beard", "mustache", "cane"), "woman": ("scarf", "umbrella", "backpack"),
    "girl": ("braid", "backpack", "balloon"), "boy": ("freckle", "kite", "cap"),
    "dog": ("collar", "spot"), "cat": ("bell", "collar"), "house": ("balcony", "chimney"),
    "car": ("dent", "trailer"), "coat": ("hood", "zipper"), "room": ("fireplace", "view"),
    "bicycle": ("basket", "bell"), "cake": ("cherry", "candle"),
}  # fmt: skip
"""What a thing may have, said by "with"; nobody does anything by means of these."""

BY_MEANS = (
    ("cut", "cut", "cut-01", "bread rope cake paper", "knife scissors saw"),
    ("open", "opened", "open-01", "door box crate", "key hammer crowbar"),
    ("eat", "ate", "eat-01", "soup rice stew", "spoon fork"),
    ("draw", "drew", "draw-01", "map circle horse", "pencil brush"),
    ("clean", "cleaned", "clean-01", "floor window car", "brush cloth broom"),
    ("break", "broke", "break-01", "window cup lock", "hammer stone brick"),
    ("tie", "tied", "tie-01", "parcel boat", "rope string"),
)
"""Base, past and frame of a verb, what it is done to, and what it is done with."""

PUTTING = (
    ("put", "put", "put-01", "ARG2"),
    ("leave", "left", "leave-14", "location"),
    ("place", "placed", "place-01", "ARG2"),
)
"""Base, past and frame of a verb, and the role of the place."""

ON_TOP = "table shelf desk chair roof bench counter stove".split()
SOURCES = ("letter", "gift", "message", "postcard", "parcel")
ABOUT = ("book", "story", "poem", "film", "song", "report")
STORIES = "war sea king ghost dragon winter river farmer lion ship mountain".split()
PARTS_OF = {"roof": ("house", "barn", "church"), "door": ("car", "shed", "cellar"),
            "handle": ("cup", "knife", "bucket"), "wheel": ("cart", "bicycle", "truck"),
            "leg": ("table", "chair", "horse"), "page": ("book", "diary")}  # fmt: skip


def attached(draw: Draw) -> Phrase:
    """A phrase that hangs on a noun or on the verb, as its meaning says."""
    makers = (with_part, by_means, put_somewhere, from_somebody, about_something, part_of, located)
    return makers[draw.number(0, len(makers) - 1)](draw)


def with_part(draw: Draw) -> Phrase:
    """``Nora saw the man with the beard``: he has it."""
    noun = draw.of(list(WITH_PARTS))
    thing, part = simple(draw, noun), draw.of(WITH_PARTS[noun])
    thing.node.add("ARG0-of", node("have-03", ARG1=Node(part)))
    who, verb = subject(draw), the_verb(draw.of(("see", "photograph")))
    did = done(draw, verb, ARG0=who.node, ARG1=thing.node)
    article = draw.of(("the", "a"))
    return Phrase(f"{who.text} {did.text} {thing.text} with {article} {part}", did.node)


def by_means(draw: Draw) -> Phrase:
    """``Nora cut the bread with a knife``: she used it."""
    base, past, frame, things, tools = BY_MEANS[draw.number(0, len(BY_MEANS) - 1)]
    what, tool = draw.of(things.split()), draw.of(tools.split())
    who = subject(draw)
    verb = Verb(base, past, past, frame)
    did = positive(verb, ARG0=who.node, ARG1=Node(what), instrument=Node(tool))
    words = "" if tool == "scissors" else draw.of(("a ", "the "))
    return Phrase(f"{who.text} {did.text} the {what} with {words}{tool}", did.node)


def put_somewhere(draw: Draw) -> Phrase:
    """``Nora put the cup on the shelf``: it goes there."""
    base, past, frame, role = PUTTING[draw.number(0, len(PUTTING) - 1)]
    verb = Verb(base, past, past, frame)
    what, where = one(draw, draw.of(verb_of(draw, ON_THINGS).objects)), draw.of(ON_TOP)
    who = subject(draw)
    did = positive(verb, ARG0=who.node, ARG1=what.node, **{role: Node(where)})
    return Phrase(f"{who.text} {did.text} {what.text} on the {where}", did.node)


def from_somebody(draw: Draw) -> Phrase:
    """``Nora kept the letter from her uncle``: it came from him."""
    what, sender = simple(draw, draw.of(SOURCES)), somebody(draw)
    what.node.add("source", sender.node)
    who, verb = subject(draw), the_verb("keep")
    did = done(draw, verb, ARG0=who.node, ARG1=what.node)
    return Phrase(f"{who.text} {did.text} {what.text} from {sender.text}", did.node)


def about_something(draw: Draw) -> Phrase:
    """``Nora read a book about the sea``."""
    topic = draw.of(STORIES)
    what = simple(draw, draw.of(ABOUT))
    what.node.add("topic", Node(topic))
    who, verb = subject(draw), the_verb(draw.of(("find", "keep")))
    did = done(draw, verb, ARG0=who.node, ARG1=what.node)
    return Phrase(f"{who.text} {did.text} {what.text} about the {topic}", did.node)


def part_of(draw: Draw) -> Phrase:
    """``Nora painted the roof of the barn``."""
    part = draw.of(list(PARTS_OF))
    whole = draw.of(PARTS_OF[part])
    thing = Node(part).add("part-of", Node(whole))
    who = subject(draw)
    verb = the_verb(draw.of(("paint", "repair", "clean")))
    did = done(draw, verb, ARG0=who.node, ARG1=thing)
    return Phrase(f"{who.text} {did.text} the {part} of the {whole}", did.node)


def located(draw: Draw) -> Phrase:
    """``Nora met the baker in the garden``, ``Nora met the baker from Lima``."""
    who, other, verb = subject(draw), plain_person(draw), verb_of(draw, ON_BEINGS)
    if draw.happens(0.4):
        where = city(draw)
        other = simple(draw, draw.of(list(PEOPLE)))
        other.node.add("source", where.node)
        did = done(draw, verb, ARG0=who.node, ARG1=other.node)
        return Phrase(f"{who.text} {did.text} {other.text} from {where.text}", did.node)
    where = place(draw)
    did = done(draw, verb, ARG0=who.node, ARG1=other.node)
    did.node.add("location", where.node)
    return Phrase(f"{who.text} {did.text} {other.text} in {where.text}", did.node)
