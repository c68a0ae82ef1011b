"""Noun phrases: things and people, described, named, owned, with titles and in apposition."""

from __future__ import annotations

from trainer.grammar.lexicon import (
    ADJECTIVES,
    ANIMALS,
    CITIES,
    COLOURS,
    COUNTRIES,
    ENDS,
    FIRST_NAMES,
    GROUPS,
    LOOKS,
    MASSES,
    MEN,
    MIDDLES,
    NATIONS,
    OBJECTS,
    OF_ALL,
    OF_BEINGS,
    OF_MEN,
    OF_WOMEN,
    PEOPLE,
    PLACES,
    PLURALS,
    RIVERS,
    ROLES,
    SCHOOLS,
    SIZES,
    STARTS,
    STUFF,
    TRADES,
    WOMEN,
    WORD_NUMBERS,
)
from trainer.grammar.phrases import Draw, Node, Phrase, name, node, with_article
from trainer.grammar.quantities import ordinal

PRONOUNS = {"I": "me", "you": "you", "he": "him", "she": "her", "we": "us", "they": "them"}
"""As subject and as object."""

_OWNERS = {"my": "i", "your": "you", "his": "he", "her": "she", "our": "we", "their": "they"}
HONORIFICS = ("Mr.", "Mrs.", "Ms.", "Dr.")
OFFICES = {"President": "president", "Captain": "captain", "Professor": "professor",
           "Senator": "senator", "Mayor": "mayor", "Queen": "queen", "King": "king",
           "Minister": "minister", "Judge": "judge"}  # fmt: skip
KIN = {"Aunt": ("aunt", WOMEN), "Uncle": ("uncle", MEN), "Grandma": ("grandmother", WOMEN)}


def plural(noun: str) -> str:
    """Give the plural of a noun."""
    if noun in PLURALS:
        return PLURALS[noun]
    if noun.endswith(("s", "sh", "ch", "x", "z")):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2] not in "aeou" else f"{noun}s"


def owner(draw: Draw) -> Phrase:
    """``my``, ``our``; ``her`` only after "she", or it would be somebody named before."""
    near = ("i", "you", "we")
    words = [word for word, who in _OWNERS.items() if who in near or who in draw.mentioned]
    word = draw.of(words)
    return Phrase(word, draw.mention(_OWNERS[word]))


def bare(noun: str) -> Node:
    """Give what a noun stands for."""
    frame = PEOPLE.get(noun, noun)
    return node("person", ARG0_of=Node(frame)) if "-" in frame else Node(frame)


def described(thing: Node, adjective: str) -> Node:
    """Say of a thing what an adjective says; gives the thing."""
    concept = ADJECTIVES[adjective]
    return thing.add("ARG1-of" if concept[-3] == "-" else "mod", Node(concept))


def one(draw: Draw, noun: str, determined: bool = True) -> Phrase:
    """``the box``, ``a red box``, ``my box``, ``two boxes``."""
    thing, words = bare(noun), noun
    if draw.happens(0.25):
        adjective = draw.of(fitting(noun))
        words = f"{adjective} {words}"
        described(thing, adjective)
    if noun in MASSES:
        return Phrase(f"the {words}", thing)
    kind = draw.of(("the", "the", "the", "a", "a", "owned", "counted", "plural", "this"))
    if kind == "owned" and determined:
        whose = owner(draw)
        return Phrase(f"{whose.text} {words}", thing.add("poss", whose.node))
    if kind == "counted":
        number = draw.number(2, 9)
        words = f"{WORD_NUMBERS[number]} {words.removesuffix(noun)}{plural(noun)}"
        return Phrase(words, thing.add("quant", str(number)))
    if kind == "plural":
        return Phrase(f"the {words.removesuffix(noun)}{plural(noun)}", thing)
    if kind == "this":
        which = draw.of(("this", "that"))
        return Phrase(f"{which} {words}", thing.add("mod", Node(which)))
    return Phrase(with_article(words) if kind == "a" else f"the {words}", thing)


def fitting(noun: str) -> list[str]:
    """Give adjectives that fit a noun."""
    if noun in PEOPLE or noun in ANIMALS:
        return OF_BEINGS
    return COLOURS if noun in MASSES else SIZES


def simple(draw: Draw, noun: str) -> Phrase:
    """``the box`` or ``a box``."""
    text = with_article(noun) if noun not in MASSES and draw.happens(0.4) else f"the {noun}"
    return Phrase(text, bare(noun))


def place(draw: Draw) -> Phrase:
    """``the kitchen``, without a preposition."""
    noun = draw.of(PLACES)
    return Phrase(f"the {noun}", Node(noun))


def city(draw: Draw) -> Phrase:
    """``Lisbon``, ``Lisbon, Portugal``."""
    words = draw.of(CITIES)
    found = name("city", words)
    if draw.happens(0.2):
        country = draw.of(COUNTRIES)
        found.add("location", name("country", country))
        words = f"{words}, {country},"
    return Phrase(words, found)


def rare_name(draw: Draw) -> str:
    """Make up a family name, so that none is learnt by heart."""
    middle = draw.of(MIDDLES) if draw.happens(0.6) else ""
    return f"{draw.of(STARTS)}{middle}{draw.of(ENDS)}"


def person_name(draw: Draw) -> str:
    """``Marta Kalinson``, ``Oscar``, ``J. Torwood``, ``Ana Dela Brenari``."""
    first = draw.of(FIRST_NAMES)
    kind = draw.of(("first", "first", "full", "full", "initial", "rare"))
    if kind == "first":
        return first
    if kind == "initial":
        return f"{first} {draw.of(tuple('ABCDEFGHJKLMNPRSTW'))}. {rare_name(draw)}"
    if kind == "rare":
        return f"{rare_name(draw)} {rare_name(draw)}"
    return f"{first} {rare_name(draw)}"


def named_person(draw: Draw) -> Phrase:
    """``Marta``, ``Dr. Torwood``, ``President Kalinson``, ``Aunt Rosa``, ``my sister Nora``."""
    kind = draw.of(("name", "name", "name", "honorific", "office", "kin", "relative"))
    if kind == "honorific":
        text = f"{draw.of(HONORIFICS)} {rare_name(draw)}"
        return Phrase(text, name("person", text))
    if kind == "office":
        office, words = draw.of(list(OFFICES)), rare_name(draw)
        role = node("have-org-role-91", ARG2=Node(OFFICES[office]))
        return Phrase(f"{office} {words}", name("person", words).add("ARG0-of", role))
    words = draw.of(FIRST_NAMES)
    if kind == "kin":
        title = draw.of(list(KIN))
        relation, names = KIN[title]
        words = draw.of(names)
        role = node("have-rel-role-91", ARG2=Node(relation))
        return Phrase(f"{title} {words}", name("person", words).add("ARG0-of", role))
    if kind == "relative":
        relative = related(draw, words)
        return Phrase(f"{relative.text} {words}", merged(name("person", words), relative.node))
    words = person_name(draw)
    return Phrase(words, name("person", words))


def merged(kept: Node, other: Node) -> Node:
    """Hang on a node what hangs on another that is the same thing."""
    kept.edges += other.edges
    return kept


def related(draw: Draw, who: str = "") -> Phrase:
    """``my sister``, ``her boss``; such as somebody of a name may be."""
    first = who.split()[0] if who else draw.of(FIRST_NAMES)
    own = {True: OF_WOMEN, False: OF_MEN}[first in WOMEN] if first in FIRST_NAMES else []
    whose, relative = owner(draw), draw.of([*own, *OF_ALL])
    role = node("have-rel-role-91", ARG1=whose.node, ARG2=Node(relative))
    return Phrase(f"{whose.text} {relative}", node("person", ARG0_of=role))


def official(draw: Draw) -> Phrase:
    """``our manager``, ``the director of the museum``, ``the mayor of Lisbon``."""
    kind = draw.of(("owned", "place", "city", "group"))
    role = "mayor" if kind == "city" else draw.of(ROLES)
    holding = Node("have-org-role-91")
    person = node("person", ARG0_of=holding)
    if kind == "owned":
        whose = owner(draw)
        where, text = whose.node, f"{whose.text} {role}"
    elif kind == "city":
        words = draw.of(CITIES)
        where, text = name("city", words), f"the {role} of {words}"
    else:
        noun = draw.of(("museum", "school", "hotel", "hospital") if kind == "place" else GROUPS)
        where, text = Node(noun), f"the {role} of the {noun}"
    holding.add("ARG1", where).add("ARG2", Node(role))
    return Phrase(text, person)


def company(draw: Draw) -> Phrase:
    """``Northwind Foods``, made up."""
    words = f"{rare_name(draw)} {draw.of(TRADES)}"
    return Phrase(words, name("company", words))


def university(draw: Draw) -> Phrase:
    """``the University of Lisbon``."""
    words = draw.of(SCHOOLS).format(draw.of(CITIES))
    text = f"the {words}" if words.startswith("University") else words
    return Phrase(text, name("university", words))


def river(draw: Draw) -> Phrase:
    """``the Danube``."""
    words = draw.of(RIVERS)
    return Phrase(f"the {words}", name("river", words))


def apposed(draw: Draw) -> Phrase:
    """``Marta, our manager,``, ``my boss, Leo Torwood,``, ``Rex, a small dog,``."""
    words = person_name(draw)
    kind = draw.of(("official", "related", "first", "job", "animal", "age"))
    if kind == "animal":
        pet, animal = draw.of(FIRST_NAMES), draw.of(ANIMALS)
        adjective = draw.of(OF_BEINGS[:4] + COLOURS)
        thing = described(name(animal, pet), adjective)
        return Phrase(f"{pet}, {with_article(f'{adjective} {animal}')},", thing)
    if kind == "job":
        nation, job = draw.of(list(NATIONS)), draw.of([w for w, c in PEOPLE.items() if "-" in c])
        person = merged(
            name("person", words), bare(job).add("mod", name("country", NATIONS[nation]))
        )
        return Phrase(f"{words}, {with_article(f'{nation} {job}')},", person)
    if kind == "age":
        number = str(draw.number(3, 95))
        years = Node("temporal-quantity", [("quant", number), ("unit", Node("year"))])
        return Phrase(f"{words}, {number},", name("person", words).add("age", years))
    other = official(draw) if kind == "official" else related(draw, words)
    person = merged(name("person", words), other.node)
    if kind == "first":
        return Phrase(f"{other.text}, {words},", person)
    return Phrase(f"{words}, {other.text},", person)


def somebody(draw: Draw) -> Phrase:
    """A person, in any of these ways."""
    kind = draw.of(("noun", "noun", "noun", "name", "name", "related", "official", "apposed"))
    if kind == "noun":
        return one(draw, draw.of(list(PEOPLE)))
    makers = {"name": named_person, "related": related, "official": official, "apposed": apposed}
    return makers[kind](draw)


def plain_person(draw: Draw) -> Phrase:
    """A person in few words: ``the baker``, ``Nora``."""
    if draw.happens(0.3):
        words = draw.of(FIRST_NAMES)
        return Phrase(words, name("person", words))
    return simple(draw, draw.of(list(PEOPLE)))


def pronoun(draw: Draw) -> str:
    """Choose a pronoun in the form of a subject."""
    return draw.of(list(PRONOUNS))


def adjectives_in_a_row(draw: Draw) -> Phrase:
    """``a small old red wooden box``, ``the tall sharp silver knife``."""
    noun = draw.of(OBJECTS["box"] + OBJECTS["furniture"] + OBJECTS["tool"])
    words = [draw.of(SIZES), *draw.some(LOOKS, draw.number(0, 2)), draw.of(COLOURS)]
    words = [word for word in words if word == words[0] or draw.happens(0.8)]
    thing = Node(noun)
    for word in words:
        described(thing, word)
    if draw.happens(0.6):
        stuff = draw.of(STUFF)
        thing.add("consist-of", Node(stuff))
        words.append("wooden" if stuff == "wood" else stuff)
    text = " ".join([*words, noun])
    return Phrase(with_article(text) if draw.happens(0.5) else f"the {text}", thing)


def the_nth(draw: Draw, noun: str) -> Phrase:
    """``the third floor``."""
    number = draw.number(1, 12)
    words = ("first", "second", "third", "fourth", "fifth", "sixth")
    word = words[number - 1] if number <= len(words) else ordinal(number)
    thing = Node(noun).add("ord", node("ordinal-entity", value=str(number)))
    return Phrase(f"the {word} {noun}", thing)
