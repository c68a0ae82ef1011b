"""Prepositions that mean one thing or another: what stands beside them says which.

"With" is what somebody has or what is used, "for" a price, a purpose or a person, "by" a
time, an author or a manner, "in" a time, a place or a subject, "from" somebody who is not to
know, or a place.
"""

from __future__ import annotations

from trainer.grammar.clauses import done, subject, the_verb, verb_of
from trainer.grammar.lexicon import (
    CLOTHES,
    COLOURS,
    FIRST_NAMES,
    FOOD,
    FRUIT,
    MASSES,
    OBJECTS,
    ON_BEINGS,
    PEOPLE,
    SIZES,
    THINGS,
    Verb,
    verbs,
)
from trainer.grammar.nouns import (
    city,
    described,
    one,
    person_name,
    plain_person,
    plural,
    related,
    simple,
    somebody,
)
from trainer.grammar.phrases import Draw, Node, Phrase, name, node, with_article
from trainer.grammar.quantities import YEARS, money, plain_point

FEATURES = (
    "beard mustache scar tattoo ponytail braid nose chin forehead helmet cap apron bow "
    "necklace ring earring wig backpack suitcase walking-stick tray toothache accent cough limp"
).split()
SEEING = verbs(
    """
    see saw seen see-01
    watch watched watched watch-01
    spot spotted spotted spot-01
    find found found find-01
    photograph photographed photographed photograph-01
    """,
    {},
)
LENSES = "telescope microscope periscope camera flashlight drone spyglass mirror".split()
"""What one sees by, and does nothing else by."""

BUYING = verbs(
    """
    buy bought bought buy-01
    purchase purchased purchased purchase-01
    get got got get-01
    """,
    {},
)
DISHES = "soup stew salad cake pie sandwich omelette curry breakfast dinner dessert".split()
OCCASIONS = "wedding party picnic journey festival funeral exam winter holiday parade".split()

FINISHING = verbs(
    """
    finish finished finished finish-01 text
    deliver delivered delivered deliver-01 text box tool
    repair repaired repaired repair-01 vehicle furniture tool
    read read read read-01 text
    write wrote written write-01 text
    submit submitted submitted submit-01 text
    """,
    OBJECTS,
)
LIGHTS = "lamplight moonlight torchlight firelight starlight hand".split()

STUDIES = "degree course diploma lesson doctorate apprenticeship training post".split()
SUBJECTS = "physics law medicine music chemistry history botany geology engineering".split()
LEAVING = verbs(
    """
    begin began begun begin-01
    finish finished finished finish-01
    quit quit quit quit-01
    enjoy enjoyed enjoyed enjoy-01
    """,
    {},
)
GIVING_UP = Verb("give up", "gave up", "given up", "give-up-07")
SECRETS = "secret news plan diary letter rumor truth password".split()
HIDING = verbs(
    """
    hide hid hidden hide-01
    keep kept kept keep-04
    conceal concealed concealed conceal-01
    withhold withheld withheld withhold-01
    """,
    {},
)
SOUVENIRS = "ring postcard shell stone coin doll carpet vase bracelet stamp".split()


def a_preposition(draw: Draw) -> Phrase:
    """A clause with one of these prepositions."""
    makers = (
        *(seen_with, seen_with, bought_for, bought_for, done_by, done_by),
        *(left_in, left_in, kept_from, kept_from),
    )
    return makers[draw.number(0, len(makers) - 1)](draw)


def _one_of(draw: Draw, noun: str) -> Phrase:
    """``the beard``, ``a red scarf``, ``the long braids``."""
    thing, words = Node(noun), noun
    if draw.happens(0.35):
        adjective = draw.of(COLOURS if noun in CLOTHES else [*SIZES, *COLOURS])
        described(thing, adjective)
        words = f"{adjective} {noun}"
    if draw.happens(0.2):
        return Phrase(f"the {words.removesuffix(noun)}{plural(noun)}", thing)
    return Phrase(with_article(words) if draw.happens(0.4) else f"the {words}", thing)


def seen_with(draw: Draw) -> Phrase:
    """``Nora feared the man with the scar``, ``... saw the man with a telescope``."""
    who, whom = subject(draw), simple(draw, draw.of(list(PEOPLE)))
    is_by_means = draw.happens(0.35)
    verb = verb_of(draw, SEEING) if is_by_means or draw.happens(0.3) else verb_of(draw, ON_BEINGS)
    did = done(draw, verb, ARG0=who.node, ARG1=whom.node)
    if is_by_means:
        what = _one_of(draw, draw.of(LENSES))
        did.node.add("instrument", what.node)
    else:
        # A lens in somebody's hands is theirs where nothing is seen by it.
        is_odd = verb.frame not in [one.frame for one in SEEING] and draw.happens(0.25)
        what = _one_of(draw, draw.of(LENSES if is_odd else [*FEATURES, *CLOTHES]))
        whom.node.add("ARG0-of", node("have-03", ARG1=what.node))
    return Phrase(f"{who.text} {did.text} {whom.text} with {what.text}", did.node)


def bought_for(draw: Draw) -> Phrase:
    """``Nora bought plums for three dollars``, ``... for the cake``, ``... for her sister``."""
    who, verb = subject(draw), verb_of(draw, BUYING)
    noun = draw.of([*FRUIT, *FRUIT, *FOOD, *THINGS])
    is_plain = noun in MASSES or noun in FRUIT
    what = Phrase(noun if noun in MASSES else plural(noun), Node(noun))
    what = what if is_plain else one(draw, noun)
    kind = draw.of(("price", "price", "dish", "occasion", "person"))
    did = done(draw, verb, ARG0=who.node, ARG1=what.node)
    if kind == "price":
        aim = _price(draw)
        did.node.add("ARG3", aim.node)
    elif kind == "person":
        aim = plain_person(draw) if draw.happens(0.5) else related(draw)
        did.node.add("ARG4", aim.node)
    else:
        aim = simple(draw, draw.of(DISHES if kind == "dish" and is_plain else OCCASIONS))
        what.node.add("purpose", aim.node)
    return Phrase(f"{who.text} {did.text} {what.text} for {aim.text}", did.node)


def _price(draw: Draw) -> Phrase:
    """``$20``, ``a few coins``, ``a small fortune``, ``half the price``."""
    kind = draw.of(("money", "money", "few", "fortune", "amount"))
    if kind == "few":
        unit, many = draw.of(("dollar", "euro", "pound", "cent")), draw.of(("few", "several"))
        text = f"{'a ' * (many == 'few')}{many} {unit}s"
        return Phrase(text, node("monetary-quantity", quant=Node(many), unit=Node(unit)))
    if kind == "fortune":
        size = draw.of(("small", "large", "big"))
        return Phrase(f"a {size} fortune", node("fortune", mod=Node(size)))
    if kind == "amount":
        size = draw.of(("small", "large", "tiny"))
        found = node("amount", mod=Node(size), quant_of=Node("money"))
        return Phrase(f"a {size} amount of money", found)
    return money(draw)


def done_by(draw: Draw) -> Phrase:
    """``Nora will read the book by Friday``, ``... a book by Leo``, ``... by lamplight``."""
    kind = draw.of(("time", "time", "author", "light"))
    who = subject(draw)
    verb = the_verb("read") if kind == "author" else verb_of(draw, FINISHING)
    what = simple(draw, draw.of(verb.objects))
    draw.tense = "will" if kind == "time" and draw.happens(0.6) else draw.tense
    did = done(draw, verb, ARG0=who.node, ARG1=what.node)
    if kind == "author":
        words = person_name(draw)
        writing = node("author-01", ARG0=name("person", words))
        what.node.add("ARG1-of", writing)
        return Phrase(f"{who.text} {did.text} {what.text} by {words}", did.node)
    if kind == "light":
        light = draw.of(LIGHTS)
        did.node.add("manner", Node(light))
        return Phrase(f"{who.text} {did.text} {what.text} by {light}", did.node)
    word = draw.of(("", "", "tonight", "tomorrow", "noon", "midnight", "next week"))
    time = _time(word) if word else plain_point(draw)
    did.node.add("time", node("by", op1=time.node))
    return Phrase(f"{who.text} {did.text} {what.text} by {time.text}", did.node)


def _time(word: str) -> Phrase:
    if word == "next week":
        return Phrase(word, node("week", mod=Node("next")))
    if word in ("noon", "midnight"):
        return Phrase(word, node("date-entity", dayperiod=Node(word)))
    return Phrase(word, Node(word))


def left_in(draw: Draw) -> Phrase:
    """``Nora gave up her degree in law``, ``... in May``, ``... in Lima``."""
    who, verb = subject(draw), verb_of(draw, [GIVING_UP, *LEAVING])
    noun = draw.of(STUDIES)
    what = simple(draw, noun) if noun != "training" else Phrase("the training", Node("train-01"))
    kind = draw.of(("subject", "subject", "time", "place"))
    draw.tense = "past" if kind == "time" else draw.tense
    did = done(draw, verb, ARG0=who.node, ARG1=what.node)
    if kind == "subject":
        topic = draw.of(SUBJECTS)
        role = "ARG1" if noun == "training" else "topic"
        what.node.add(role, Node(topic))
        return Phrase(f"{who.text} {did.text} {what.text} in {topic}", did.node)
    if kind == "place":
        where = city(draw)
        did.node.add("location", where.node)
        return Phrase(f"{who.text} {did.text} {what.text} in {where.text}", did.node)
    time = _season_or_year(draw)
    did.node.add("time", time.node)
    return Phrase(f"{who.text} {did.text} {what.text} in {time.text}", did.node)


def _season_or_year(draw: Draw) -> Phrase:
    """``spring``, ``the winter``, ``1988``, ``the 1970s``, ``the 70s``."""
    kind = draw.of(("season", "year", "decade"))
    if kind == "season":
        season = draw.of(("spring", "summer", "autumn", "winter"))
        text = f"the {season}" if draw.happens(0.3) else season
        return Phrase(text, node("date-entity", season=Node(season)))
    year = draw.number(*YEARS)
    if kind == "year":
        return Phrase(str(year), node("date-entity", year=str(year)))
    decade = year - year % 10
    short = 1910 <= decade < 2000 and draw.happens(0.4)
    return Phrase(
        f"the {str(decade)[2:] if short else decade}s", node("date-entity", decade=str(decade))
    )


def kept_from(draw: Draw) -> Phrase:
    """``Nora hid the plan from her boss``, ``... kept the ring from Lima``."""
    who = subject(draw)
    if draw.happens(0.35):
        what, where = simple(draw, draw.of(SOUVENIRS)), city(draw)
        what.node.add("source", where.node)
        verb = the_verb(draw.of(("keep", "lose", "find", "sell")))
        did = done(draw, verb, ARG0=who.node, ARG1=what.node)
        return Phrase(f"{who.text} {did.text} {what.text} from {where.text}", did.node)
    what = one(draw, draw.of(SECRETS)) if draw.happens(0.5) else simple(draw, draw.of(SECRETS))
    words = draw.of(FIRST_NAMES)
    named = Phrase(words, name("person", words))
    whom = named if draw.happens(0.3) else somebody(draw)
    did = done(draw, verb_of(draw, HIDING), ARG0=who.node, ARG1=what.node, ARG2=whom.node)
    return Phrase(f"{who.text} {did.text} {what.text} from {whom.text}", did.node)
