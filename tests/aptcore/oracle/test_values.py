"""Dates, times of day and amounts are built without a label that names a figure."""

from __future__ import annotations

import re
from typing import Any

import pytest

from aptcore.alignment.aligner import align
from aptcore.alignment.tables import shipped_tables
from aptcore.graph.layout import TOP, Triple
from aptcore.graph.penman import parse_penman
from aptcore.oracle.oracle import oracle_actions
from aptcore.oracle.report import built_triples, gold_triples
from aptcore.transition.actions import format_label
from aptcore.transition.machine import replay
from aptcore.words.tokens import tokenize

DATE = "(b / bear-02 :ARG1 (s / she) :time (d / date-entity {}))"
TIME = '(l / leave-11 :ARG0 (s / she) :time (d / date-entity :time "{}"))'
PRICE = "(c / cost-01 :ARG1 (i / it) :ARG2 (m / monetary-quantity :quant {} :unit (u / {})))"
COUNT = "(c / come-01 :ARG1 (p / person :quant {}))"
SHARE = "(r / rise-01 :ARG1 (p / price) :ARG2 (p2 / percentage-entity :value {}))"
HEAT = (
    "(r / reach-01 :ARG0 (i / it) :ARG1 (t / temperature-quantity :quant {} :unit (d / degree) "
    ":scale (x / {})))"
)
SCORE = "(e / end-01 :ARG1 (g / game) :ARG2 (s / score-entity :op1 {} :op2 {}))"


@pytest.mark.parametrize(
    ("text", "penman"),
    [
        ("She was born on 2002-12-31.", DATE.format(":year 2002 :month 12 :day 31")),
        ("She was born on 1997/03/09.", DATE.format(":year 1997 :month 3 :day 9")),
        ("She was born on March 26, 1951.", DATE.format(":month 3 :day 26 :year 1951")),
        ("She was born in the 1930s.", DATE.format(":decade 1930")),
        ("She was born on 12/05/2019.", DATE.format(":month 12 :day 5 :year 2019")),
        ("She was born on 25/12/2020.", DATE.format(":day 25 :month 12 :year 2020")),
        ("She was born on 3/4/98.", DATE.format(":month 3 :day 4 :year 1998")),
        ("She was born on 31.10.1974.", DATE.format(":day 31 :month 10 :year 1974")),
        ("She was born on 2002-12-31 at 6:30 pm.",
         DATE.format(':time "18:30" :year 2002 :month 12 :day 31')),
        ("She was born on 2019-12-05T10:00.",
         DATE.format(':time "10:00" :year 2019 :month 12 :day 5')),
        ("½ people came.", COUNT.format("0.5")),
        ("2¼ million people came.", COUNT.format(2250000)),
        ("She left at 6:30 pm.", TIME.format("18:30")),
        ("She left at 6:35pm.", TIME.format("18:35")),
        ("She left at 7 a.m. today.", TIME.format("7:00")),
        ("She left at half past nine.", TIME.format("9:30")),
        ("It cost $42,000.", PRICE.format(42000, "dollar")),
        ("It cost €1,257.", PRICE.format(1257, "euro")),
        ("It cost £3.7m then.", PRICE.format(3700000, "pound")),
        ("It cost US$12 billion.", PRICE.format(12000000000, "dollar")),
        ("3.5 million people came.", COUNT.format(3500000)),
        ("11 billion people came.", COUNT.format(11000000000)),
        ("42 thousand people came.", COUNT.format(42000)),
        ("2.7bn people came.", COUNT.format(2700000000)),
        ("Prices rose 50%.", SHARE.format(50)),
        ("Prices rose 12.5 %.", SHARE.format("12.5")),
        ("Prices rose 7 percent.", SHARE.format(7)),
        ("Prices rose 0.3 per cent.", SHARE.format("0.3")),
        ("It reached -5 °C.", HEAT.format(-5, "celsius")),
        ("It reached 98.6°F.", HEAT.format("98.6", "fahrenheit")),
        ("It reached \u221212 °C.", HEAT.format(-12, "celsius")),
        ("It reached minus 31 degrees Celsius.", HEAT.format(-31, "celsius")),
        ("The game ended 5-1.", SCORE.format(5, 1)),
        ("The game ended 21\u201314.", SCORE.format(21, 14)),
        ("The game ended 102-99.", SCORE.format(102, 99)),
        ("The game ended 0 - 3.", SCORE.format(0, 3)),
    ],
)  # fmt: skip
def test_a_value_is_copied_from_its_words(text: str, penman: str) -> None:
    assert copied_triples(text, penman) == set(gold_triples(parse_penman(penman)))


def copied_triples(text: str, penman: str) -> set[Triple]:
    """What the oracle builds of a graph, with no label that names a figure."""
    sentence = tokenize(text)
    found = oracle_actions(sentence, align(sentence, parse_penman(penman), shipped_tables()))
    named = [format_label(action) for action in found.actions]
    assert not [label for label in named if re.search(r"[( \"]-?\d", label)]
    assert len(found.actions) <= 3.2 * len(sentence.tokens)
    return set(built_triples(found, replay(sentence, found.actions)))


def test_values_of_the_case_are_copied_from_their_words(cases: dict[str, Any]) -> None:
    case = cases["c71"]
    for item, wanted in zip(case["input"]["items"], case["expected"]["triples"], strict=True):
        if wanted is not None:
            built = copied_triples(item["sentence"], item["gold"])
            assert built - {t for t in built if t[1] == TOP} == set(map(tuple, wanted))


def test_written_values_take_one_label_each() -> None:
    """Dates written in three orders had three labels, each as rare as a third."""
    labels = set()
    for text, parts in (
        ("She was born on March 26, 1951.", ":month 3 :day 26 :year 1951"),
        ("She was born on 26 March 1951.", ":day 26 :month 3 :year 1951"),
        ("She was born on 1951-03-26.", ":year 1951 :month 3 :day 26"),
    ):
        sentence = tokenize(text)
        graph = align(sentence, parse_penman(DATE.format(parts)))
        actions = oracle_actions(sentence, graph).actions
        labels |= {format_label(action) for action in actions if "SUBGRAPH" in format_label(action)}
    assert labels == {"SUBGRAPH((date-entity :month {month} :day {day} :year {year}))"}
