"""The words of the grammar, with their concepts and frames.

Frames and concepts are those that AMR uses for these words; a word that AMR takes apart
("teacher") is written with its frame.
"""

from __future__ import annotations

from dataclasses import dataclass

PEOPLE = {
    **{
        word: word
        for word in (
            "woman man girl boy child nurse pilot lawyer soldier artist judge tourist "
            "surgeon chef mechanic carpenter plumber dentist librarian sailor tailor waiter"
        ).split()
    },
    "teacher": "teach-01",
    "student": "study-01",
    "singer": "sing-01",
    "dancer": "dance-01",
    "driver": "drive-01",
    "farmer": "farm-01",
    "baker": "bake-01",
    "worker": "work-01",
    "writer": "write-01",
    "swimmer": "swim-01",
    "gardener": "garden-01",
    "climber": "climb-01",
    "visitor": "visit-01",
    "reporter": "report-01",
}
"""A person's word, and its concept or the frame whose ARG0 a person is."""

PLURALS = {"woman": "women", "man": "men", "child": "children", "knife": "knives",
           "shelf": "shelves", "scarf": "scarves", "tomato": "tomatoes", "potato": "potatoes",
           "foot": "feet", "inch": "inches", "fish": "fish", "sheep": "sheep",
           "glass": "glasses", "peach": "peaches", "branch": "branches"}  # fmt: skip

ANIMALS = "dog cat horse cow goat sheep bird fox rabbit duck donkey pony parrot wolf".split()
FOOD = "bread cheese soup rice cake pie salad fish pasta stew honey jam yogurt omelette".split()
FRUIT = (
    "apple pear plum cherry orange banana lemon peach melon grape fig carrot onion tomato potato "
    "bean turnip leek nut olive mushroom pepper cucumber radish egg"
).split()
READINGS = "book letter magazine note report story poem article diary map recipe novel".split()
CONTAINERS = "box bag basket bottle cup bowl jar suitcase bucket trunk vase parcel".split()
CLOTHES = "coat hat shirt shoe scarf jacket glove sweater skirt dress sock belt".split()
FURNITURE = "chair table bed lamp shelf sofa desk mirror cupboard carpet bench clock".split()
VEHICLES = "car bicycle truck boat van tractor motorcycle sled canoe scooter".split()
TOOLS = "hammer rope ladder needle saw broom spade axe candle umbrella drill".split()
PLACES = (
    "kitchen garden park school library market station museum beach forest village harbor "
    "theater restaurant hotel hospital office barn cellar attic bakery garage church castle"
).split()
GROUPS = "team club orchestra committee choir band".split()
THINGS = READINGS + CONTAINERS + CLOTHES + FURNITURE + VEHICLES + TOOLS

MASSES = frozenset("bread cheese soup rice salad fish pasta stew honey jam yogurt pie cake".split())
"""Food that is not counted here."""

ADJECTIVES = {
    "small": "small", "big": "big", "large": "large", "old": "old", "young": "young",
    "tiny": "tiny", "strange": "strange", "red": "red-02", "green": "green-02",
    "blue": "blue-01", "white": "white-03", "black": "black-04", "heavy": "heavy", "new": "new-01",
    "beautiful": "beautiful-02", "dirty": "dirty-02", "clean": "clean-04", "long": "long-03",
    "quiet": "quiet-04", "clever": "clever-01", "rich": "rich", "poor": "poor",
    "cheap": "cheap-02", "expensive": "expensive", "dark": "dark-02", "narrow": "narrow-02",
    "warm": "warm-07", "cold": "cold-01", "empty": "empty-02", "sharp": "sharp-02",
}  # fmt: skip
"""A frame's ARG1 is what is described; other concepts are ``:mod``."""

SIZES = "small big large tiny long narrow heavy".split()
OF_BEINGS = "small big young old strange clever poor quiet".split()
LOOKS = "strange beautiful dirty clean new cheap expensive empty dark old".split()
COLOURS = "red green blue white black".split()
STUFF = "wood glass silver copper plastic leather paper cotton silk steel stone".split()


@dataclass(frozen=True)
class Verb:
    """A verb with its forms and its frame.

    Attributes:
        base: As after "will".
        past: Of "yesterday".
        participle: As after "has".
        frame: Its concept.
        objects: What it takes; empty where it takes nothing.
        subject: The role of its subject.
    """

    base: str
    past: str
    participle: str
    frame: str
    objects: tuple[str, ...] = ()
    subject: str = "ARG0"

    @property
    def third(self) -> str:
        """As after "she", today."""
        if self.base.endswith(("s", "sh", "ch", "x", "z", "o")):
            return self.base + "es"
        if self.base.endswith("y") and self.base[-2] not in "aeou":
            return self.base[:-1] + "ies"
        return self.base + "s"


def verbs(lines: str, objects: dict[str, tuple[str, ...]], subject: str = "ARG0") -> list[Verb]:
    """Read verbs, one a line: forms, frame and what they take."""
    found = []
    for line in lines.strip().splitlines():
        base, past, participle, frame, *kinds = line.split()
        taken = tuple(word for kind in kinds for word in objects[kind])
        found.append(Verb(base, past, participle, frame, taken, subject))
    return found


OBJECTS = {
    "thing": tuple(THINGS),
    "text": tuple(READINGS),
    "food": tuple(FOOD + FRUIT),
    "box": tuple(CONTAINERS),
    "cloth": tuple(CLOTHES),
    "furniture": tuple(FURNITURE),
    "vehicle": tuple(VEHICLES),
    "tool": tuple(TOOLS),
    "animal": tuple(ANIMALS),
    "person": tuple(PEOPLE),
}
"""Classes of nouns that verbs take."""

ON_THINGS = verbs(
    """
    read read read read-01 text
    open opened opened open-01 box
    buy bought bought buy-01 thing food
    sell sold sold sell-01 thing food
    find found found find-01 thing animal
    lose lost lost lose-02 thing
    carry carried carried carry-01 box furniture tool
    hide hid hidden hide-01 thing
    repair repaired repaired repair-01 vehicle furniture tool
    clean cleaned cleaned clean-01 box furniture vehicle
    wash washed washed wash-01 cloth vehicle
    eat ate eaten eat-01 food
    cook cooked cooked cook-01 food
    push pushed pushed push-01 furniture vehicle
    steal stole stolen steal-01 thing
    borrow borrowed borrowed borrow-01 thing
    drop dropped dropped drop-01 box tool
    admire admired admired admire-01 furniture vehicle cloth
    paint painted painted paint-01 furniture vehicle
    keep kept kept keep-01 thing
    see saw seen see-01 thing animal
    describe described described describe-01 furniture vehicle animal
    """,
    OBJECTS,
)

ON_BEINGS = verbs(
    """
    see saw seen see-01 person animal
    watch watched watched watch-01 person animal
    follow followed followed follow-02 person animal
    chase chased chased chase-01 person animal
    love loved loved love-01 person animal
    fear feared feared fear-01 person animal
    help helped helped help-01 person animal
    admire admired admired admire-01 person
    greet greeted greeted greet-01 person
    thank thanked thanked thank-01 person
    visit visited visited visit-01 person
    remember remembered remembered remember-01 person animal
    meet met met meet-03 person
    frighten frightened frightened frighten-01 person animal
    blame blamed blamed blame-01 person
    trust trusted trusted trust-02 person
    photograph photographed photographed photograph-01 person animal
    praise praised praised praise-01 person
    hear heard heard hear-01 person animal
    """,
    OBJECTS,
)

ALONE = [
    *verbs(
        """
        sleep slept slept sleep-01
        laugh laughed laughed laugh-01
        sing sang sung sing-01
        dance danced danced dance-01
        work worked worked work-01
        run ran run run-02
        swim swam swum swim-01
        smile smiled smiled smile-01
        shout shouted shouted shout-01
        cry cried cried cry-02
        complain complained complained complain-01
        """,
        OBJECTS,
    ),
    *verbs(
        """
        arrive arrived arrived arrive-01
        fall fell fallen fall-01
        disappear disappeared disappeared disappear-01
        wait waited waited wait-01
        die died died die-01
        """,
        OBJECTS,
        "ARG1",
    ),
]

GIVING = verbs(
    """
    give gave given give-01 thing
    send sent sent send-01 thing
    show showed shown show-01 thing
    lend lent lent lend-01 thing
    offer offered offered offer-01 thing food
    bring brought brought bring-01 thing food
    """,
    OBJECTS,
)

SAYING = verbs(
    """
    say said said say-01
    think thought thought think-01
    believe believed believed believe-01
    claim claimed claimed claim-01
    report reported reported report-01
    know knew known know-01
    hope hoped hoped hope-01
    admit admitted admitted admit-01
    announce announced announced announce-01
    deny denied denied deny-01
    suspect suspected suspected suspect-01
    hear heard heard hear-01
    remember remembered remembered remember-01
    dream dreamed dreamed dream-01
    discover discovered discovered discover-01
    insist insisted insisted insist-01
    """,
    OBJECTS,
)
"""Verbs whose ARG1 is what somebody says or thinks."""

WANTING = verbs(
    """
    want wanted wanted want-01
    try tried tried try-01
    promise promised promised promise-01
    decide decided decided decide-01
    refuse refused refused refuse-01
    hope hoped hoped hope-01
    plan planned planned plan-01
    begin began begun begin-01
    agree agreed agreed agree-01
    learn learned learned learn-01
    intend intended intended intend-01
    need needed needed need-01
    """,
    OBJECTS,
)
"""Verbs whose subject does also what ARG1 says."""

MAKING_DO = verbs(
    """
    persuade persuaded persuaded persuade-01
    order ordered ordered order-01
    tell told told tell-01
    ask asked asked ask-02
    """,
    OBJECTS,
)
"""Verbs whose object does what they say; which roles those have stands in clauses."""

WOMEN = (
    "Anna Carla Elena Grace Irene Karin Marta Nora Paula Rosa Tessa Wanda Zoe Chloe Esther Greta "
    "Ingrid Lucia Nadia Priya Selma Ursula Vera Yuki"
).split()
MEN = (
    "Ben David Felix Henry Jonas Leo Oscar Simon Victor Yusuf Amir Bruno Dmitri Farid Hassan "
    "Julian Kofi Milan Omar Rafael Tariq"
).split()
FIRST_NAMES = WOMEN + MEN
STARTS = "Ka Lo Mar Ve Zu Tal Bren Or Hal Fen Du Sil Gor Pe Ran Wes Ash Kel Mo Tor Vik Jas".split()
MIDDLES = "a e i o u an en or el ar is ov em il ad un".split()
ENDS = (
    "son man ski berg ton wood ley dez ini sen var ka lin moor field dell hart nov rro mann".split()
)
CITIES = (
    "Lisbon Oslo Prague Lima Cairo Nairobi Dublin Helsinki Warsaw Seville Geneva Porto Kyoto "
    "Toronto Mumbai Hanoi Accra Quito Boston Naples Zagreb Riga Leeds Ghent Denver"
).split() + ["New York", "Buenos Aires", "Cape Town", "San Francisco", "Hong Kong", "Tel Aviv"]
COUNTRIES = (
    "Norway Chile Kenya Portugal Japan Peru Vietnam Poland Ghana Finland Mexico Egypt Iceland "
    "Nepal Cuba Austria Morocco Bolivia Ireland Turkey India Canada Greece"
).split() + ["New Zealand", "South Korea", "Sri Lanka"]
NATIONS = {
    "Norwegian": "Norway", "Chilean": "Chile", "Kenyan": "Kenya", "Portuguese": "Portugal",
    "Japanese": "Japan", "Peruvian": "Peru", "Polish": "Poland", "Mexican": "Mexico",
    "Egyptian": "Egypt", "Irish": "Ireland", "Greek": "Greece", "Indian": "India",
    "French": "France", "German": "Germany", "Italian": "Italy", "Spanish": "Spain",
}  # fmt: skip
RIVERS = "Danube Nile Rhine Thames Amazon Volga Ganges Loire Tagus Mississippi".split()
TRADES = "Foods Motors Bank Airlines Software Textiles Energy Logistics Pharma Electric".split()
SCHOOLS = ("University of {}", "{} University", "{} College")
MONTHS = (
    "January February March April May June July August September October November December"
).split()
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
DAY_PARTS = "morning afternoon evening night".split()
SEASONS = "spring summer autumn winter".split()
ROLES = "president director manager secretary chairman treasurer".split()
OF_WOMEN = "sister mother aunt daughter wife grandmother niece".split()
OF_MEN = "brother father uncle son husband grandfather nephew".split()
OF_ALL = "cousin friend neighbor colleague boss".split()
UNITS = {"second": "second", "minute": "minute", "hour": "hour", "day": "day", "week": "week",
         "month": "month", "year": "year"}  # fmt: skip
WORD_NUMBERS = {
    2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine",
    10: "ten", 12: "twelve", 15: "fifteen", 20: "twenty", 30: "thirty", 40: "forty", 50: "fifty",
}  # fmt: skip
TOPICS = "garden wedding journey storm war election exam accident concert dinner".split()
