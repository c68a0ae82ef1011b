"""Dates, times of day, spans of time, money, measures, shares and ages."""

from __future__ import annotations

from trainer.grammar.lexicon import (
    DAY_PARTS,
    MONTHS,
    SEASONS,
    UNITS,
    WEEKDAYS,
    WORD_NUMBERS,
)
from trainer.grammar.phrases import Draw, Node, Phrase, node, with_article

CURRENCIES = (
    ("${}", "", "dollar"), ("€{}", "", "euro"), ("£{}", "", "pound"), ("¥{}", "", "yen"),
    ("{}", "dollar", "dollar"), ("{}", "euro", "euro"), ("{}", "pound", "pound"),
    ("{}", "cent", "cent"), ("{}", "franc", "franc"), ("{}", "rupee", "rupee"),
)  # fmt: skip
"""Where the number stands, the word after it, and the unit."""

SCALES = (("Celsius", "celsius"), ("Fahrenheit", "fahrenheit"))
LENGTHS = {"meter": "meter", "m": "meter", "kilometer": "kilometer", "km": "kilometer",
           "mile": "mile", "foot": "foot", "inch": "inch", "centimeter": "centimeter",
           "cm": "centimeter", "yard": "yard"}  # fmt: skip
MASSES = {"kilogram": "kilogram", "kg": "kilogram", "kilo": "kilogram", "gram": "gram",
          "pound": "pound", "ounce": "ounce", "ton": "ton"}  # fmt: skip
VOLUMES = {"liter": "liter", "gallon": "gallon", "pint": "pint", "cup": "cup"}
SHORT = frozenset({"m", "km", "cm", "kg"})
"""Units without a plural."""

PLURAL_UNITS = {"foot": "feet", "inch": "inches"}
YEARS = (1790, 2029)


def counted(unit: str, number: float) -> str:
    """Write a unit after its number."""
    if unit in SHORT or number == 1:
        return unit
    return PLURAL_UNITS.get(unit, f"{unit}s")


def number_of(draw: Draw, first: int, last: int) -> tuple[str, str]:
    """Choose a whole number; gives how it is written, and the constant."""
    number = draw.number(first, last)
    if number in WORD_NUMBERS and draw.happens(0.4):
        return WORD_NUMBERS[number], str(number)
    written = f"{number:,}" if number >= 1000 and draw.happens(0.7) else str(number)
    return written, str(number)


def quantity(kind: str, number: str, unit: str) -> Node:
    """Make a quantity of some kind."""
    return Node(kind, [("quant", number), ("unit", Node(unit))])


def time_span(draw: Draw, first: int = 1, last: int = 12) -> Phrase:
    """``three weeks``."""
    unit = draw.of(list(UNITS))
    text, number = number_of(draw, first, last)
    words = f"{text} {counted(unit, int(number))}"
    if number == "1":
        words = with_article(unit)
    return Phrase(words, quantity("temporal-quantity", number, UNITS[unit]))


def ordinal(day: int) -> str:
    """``1st``, ``2nd``, ``11th``."""
    ending = "th" if 10 < day % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{ending}"


def full_date(draw: Draw) -> Phrase:
    """``on August 4, 1961``, ``on 4 August``, ``in March 2020``, ``in 1984``, ``on 5/7/2012``."""
    month, day = draw.number(1, 12), draw.number(1, 28)
    year, name = draw.number(*YEARS), MONTHS[month - 1]
    short = name[:3] + "." if name not in ("May", "June", "July") and draw.happens(0.3) else name
    numbers = {"year": str(year), "month": str(month), "day": str(day)}
    text, parts = {
        "us": (f"on {short} {day}, {year}", "month day year"),
        "uk": (f"on {day} {name} {year}", "day month year"),
        "ordinal": (f"on {name} {ordinal(day)}", "month day"),
        "the": (f"on the {ordinal(day)} of {name}", "day month"),
        "short": (f"on {short} {day}", "month day"),
        "month": (f"in {name} {year}", "month year"),
        "of": (f"in {name} of {year}", "month year"),
        "year": (f"in {year}", "year"),
        "alone": (f"in {name}", "month"),
        "iso": (f"on {year}-{month:02}-{day:02}", "year month day"),
    }[draw.of("us us uk uk ordinal the short month of year alone iso".split())]
    return Phrase(text, Node("date-entity", [(part, numbers[part]) for part in parts.split()]))


def era(draw: Draw) -> Phrase:
    """``in the 1920s``, ``in the 18th century``, ``in the summer of 1974``."""
    kind = draw.of(("decade", "century", "season"))
    if kind == "decade":
        decade = draw.number(178, 202) * 10
        return Phrase(f"in the {decade}s", node("date-entity", decade=str(decade)))
    if kind == "century":
        century = draw.number(10, 21)
        return Phrase(
            f"in the {ordinal(century)} century", node("date-entity", century=str(century))
        )
    season, year = draw.of(SEASONS), str(draw.number(*YEARS))
    return Phrase(f"in the {season} of {year}", node("date-entity", season=Node(season), year=year))


def weekday(draw: Draw) -> Phrase:
    """``on Friday``, ``on Friday evening``, ``last Friday``, ``on Friday, May 3``."""
    day = draw.of(WEEKDAYS)
    date = node("date-entity", weekday=Node(day.lower()))
    kind = draw.of(("plain", "part", "near", "date"))
    if kind == "part":
        part = draw.of(DAY_PARTS)
        return Phrase(f"on {day} {part}", date.add("dayperiod", Node(part)))
    if kind == "near":
        word = draw.of(("last", "next", "this"))
        return Phrase(f"{word} {day}", date.add("mod", Node(word)))
    if kind == "date":
        month, number = draw.number(1, 12), draw.number(1, 28)
        date.add("month", str(month)).add("day", str(number))
        return Phrase(f"on {day}, {MONTHS[month - 1]} {number},", date)
    return Phrase(f"on {day}", date)


def clock(draw: Draw) -> Phrase:
    """``at 5 pm``, ``at 7:30 in the morning``, ``at noon``, ``at eight o'clock``."""
    hour, minute = draw.number(1, 11), draw.of(("00", "15", "30", "45", "20", "10"))
    kind = draw.of(("pm", "am", "minutes", "oclock", "noon", "part"))
    if kind == "noon":
        word = draw.of(("noon", "midnight"))
        return Phrase(f"at {word}", node("date-entity", dayperiod=Node(word)))
    if kind == "pm":
        text = draw.of((f"{hour} pm", f"{hour} p.m.", f"{hour}pm"))
        return Phrase(f"at {text}", node("date-entity", time=f'"{hour + 12}:00"'))
    if kind == "am":
        text = draw.of((f"{hour}:{minute} am", f"{hour}:{minute} a.m."))
        return Phrase(f"at {text}", node("date-entity", time=f'"{hour}:{minute}"'))
    if kind == "oclock":
        text = f"{WORD_NUMBERS.get(hour, str(hour))} o'clock"
        return Phrase(f"at {text}", node("date-entity", time=f'"{hour}:00"'))
    written = f"{hour}:{minute}"
    date = node("date-entity", time=f'"{written}"')
    if kind == "part":
        part = draw.of(("morning", "evening", "afternoon"))
        return Phrase(f"at {written} in the {part}", date.add("dayperiod", Node(part)))
    return Phrase(f"at {written}", date)


def when(draw: Draw) -> Phrase:
    """A date, a weekday, a time of day or a near time; all hang as ``:time``."""
    makers = (full_date, full_date, era, weekday, weekday, clock, near_time)
    return makers[draw.number(0, len(makers) - 1)](draw)


def near_time(draw: Draw) -> Phrase:
    """``yesterday``, ``last week``, ``two days ago``, ``since Monday``."""
    kind = draw.of(("word", "last", "ago", "since", "before"))
    if kind == "word":
        word = draw.of(("yesterday", "today", "recently"))
        return Phrase(word, Node("recent" if word == "recently" else word))
    if kind == "last":
        unit = draw.of(("week", "month", "year", "night"))
        if unit == "night":
            date = node("date-entity", dayperiod=Node("night"))
            return Phrase("last night", date.add("mod", Node("last")))
        return Phrase(f"last {unit}", node(unit, mod=Node("last")))
    if kind == "ago":
        span = time_span(draw)
        return Phrase(f"{span.text} ago", node("before", op1=Node("now"), quant=span.node))
    point = plain_point(draw)
    if kind == "since":
        return Phrase(f"since {point.text}", node("since", op1=point.node))
    word = draw.of(("before", "after"))
    return Phrase(f"{word} {point.text}", node(word, op1=point.node))


def plain_point(draw: Draw) -> Phrase:
    """A point of time that other words name: ``Monday``, ``1999``, ``May``."""
    if draw.happens(0.4):
        day = draw.of(WEEKDAYS)
        return Phrase(day, node("date-entity", weekday=Node(day.lower())))
    if draw.happens(0.5):
        year = str(draw.number(*YEARS))
        return Phrase(year, node("date-entity", year=year))
    month = draw.number(1, 12)
    return Phrase(MONTHS[month - 1], node("date-entity", month=str(month)))


def interval(draw: Draw) -> Phrase:
    """``from Monday to Friday``, ``from 1914 to 1918``."""
    if draw.happens(0.5):
        first = draw.number(0, 5)
        days = WEEKDAYS[first], WEEKDAYS[draw.number(first + 1, 6)]
        ends = [node("date-entity", weekday=Node(day.lower())) for day in days]
        text = f"from {days[0]} to {days[1]}"
    else:
        year = draw.number(YEARS[0], YEARS[1] - 20)
        years = str(year), str(year + draw.number(1, 15))
        ends = [node("date-entity", year=one) for one in years]
        text = f"from {years[0]} to {years[1]}"
    return Phrase(text, node("date-interval", op1=ends[0], op2=ends[1]))


def frequency(draw: Draw) -> Phrase:
    """``twice a week``, ``every two days``, ``every Monday``; hangs as ``:frequency``."""
    kind = draw.of(("times", "every", "weekday"))
    rate = Node("rate-entity-91")
    if kind == "weekday":
        day = draw.of(WEEKDAYS)
        return Phrase(
            f"every {day}", rate.add("ARG4", node("date-entity", weekday=Node(day.lower())))
        )
    unit = draw.of(("day", "week", "month", "year", "hour"))
    if kind == "every":
        number = draw.number(1, 6)
        words = f"every {unit}" if number == 1 else f"every {WORD_NUMBERS[number]} {unit}s"
        return Phrase(words, rate.add("ARG3", quantity("temporal-quantity", str(number), unit)))
    number = draw.number(1, 5)
    words = {1: "once", 2: "twice"}.get(number) or f"{WORD_NUMBERS[number]} times"
    rate.add("ARG1", str(number)).add("ARG2", quantity("temporal-quantity", "1", unit))
    return Phrase(f"{words} {with_article(unit)}", rate)


def money(draw: Draw) -> Phrase:
    """``$20``, ``30 euros``, ``3.5 million dollars``, ``$1,250.50``."""
    form, word, unit = CURRENCIES[draw.number(0, len(CURRENCIES) - 1)]
    kind = draw.of(("small", "small", "large", "exact", "million"))
    if kind == "million" and unit != "cent":
        halves = draw.number(2, 60)
        text = str(halves // 2) if halves % 2 == 0 else f"{halves / 2}"
        scale, factor = draw.of(("million", "billion")), 1_000_000
        number = halves * (factor if scale == "million" else 1000 * factor) // 2
        text, constant = f"{text} {scale}", str(number)
    elif kind == "exact" and not word:
        whole, cents = draw.number(1, 4000), draw.number(1, 99)
        text, constant = f"{whole:,}.{cents:02}", f"{whole}.{cents:02}"
    else:
        text, constant = number_of(draw, 2, 99 if kind == "small" or unit == "cent" else 90_000)
        if not word and not text[0].isdigit():
            text = constant
    words = form.format(text)
    if word:
        words += f" {word}s"
    return Phrase(words, quantity("monetary-quantity", constant, unit))


def measure(draw: Draw, kind: str, units: dict[str, str], last: int = 200) -> Phrase:
    """``12 kilometers``, ``3.5 kg``."""
    unit = draw.of(list(units))
    if draw.happens(0.25):
        number = f"{draw.number(1, 20)}.{draw.number(1, 9)}"
        return Phrase(f"{number} {counted(unit, 2)}", quantity(kind, number, units[unit]))
    text, number = number_of(draw, 2, last)
    if unit in SHORT:
        text = number
    return Phrase(f"{text} {counted(unit, int(number))}", quantity(kind, number, units[unit]))


def distance(draw: Draw, units: str = "meter kilometer km mile foot yard") -> Phrase:
    """``12 kilometers``."""
    return measure(draw, "distance-quantity", {unit: LENGTHS[unit] for unit in units.split()})


def mass(draw: Draw) -> Phrase:
    """``3.5 kg``."""
    return measure(draw, "mass-quantity", MASSES)


def volume(draw: Draw) -> Phrase:
    """``two liters``."""
    return measure(draw, "volume-quantity", VOLUMES, 30)


def speed(draw: Draw) -> Phrase:
    """``60 miles per hour``, ``90 km an hour``."""
    unit = draw.of(("mile", "kilometer", "km"))
    number = str(draw.number(5, 240))
    per = draw.of(("per hour", "an hour"))
    way = quantity("distance-quantity", number, LENGTHS[unit])
    hour = quantity("temporal-quantity", "1", "hour")
    return Phrase(f"{number} {counted(unit, 2)} {per}", node("rate-entity-91", ARG1=way, ARG2=hour))


def temperature(draw: Draw) -> Phrase:
    """``30 degrees Celsius``, ``-5 degrees``, ``20 °C``."""
    number = str(draw.number(-30, 110))
    heat = quantity("temperature-quantity", number, "degree")
    if draw.happens(0.3):
        return Phrase(f"{number} degrees", heat)
    word, concept = SCALES[draw.number(0, 1)]
    form = draw.of((f"{number} degrees {word}", f"{number} °{word[0]}"))
    return Phrase(form, heat.add("scale", Node(concept)))


def percentage(draw: Draw) -> Phrase:
    """``40 percent``, ``3.5%``."""
    number = str(draw.number(2, 99))
    if draw.happens(0.25):
        number = f"{draw.number(1, 40)}.{draw.number(1, 9)}"
    form = draw.of((f"{number} percent", f"{number}%", f"{number} per cent"))
    return Phrase(form, node("percentage-entity", value=number))
