"""Dates, times of day and other values read off words."""

from __future__ import annotations

import pytest

from aptcore.words.dates import clock_time, date_parts
from aptcore.words.written_values import written_value


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("9 May 2011", {"day": "9", "month": "5", "year": "2011"}),
        ("May 9 , 2011", {"day": "9", "month": "5", "year": "2011"}),
        ("the 9th of May", {"day": "9", "month": "5"}),
        ("2011-05-09", {"year": "2011", "month": "5", "day": "9"}),
        ("2011 - 05 - 09", {"year": "2011", "month": "5", "day": "9"}),
        ("May", {"month": "5"}),
        ("Sep.", {"month": "9"}),
        ("1909", {"year": "1909"}),
        ("31", {"day": "31"}),
        ("32", {}),
        ("May June", {}),
        ("boy", {}),
        ("May 9, 2011", {"month": "5", "day": "9", "year": "2011"}),
        ("Sept. 9", {"month": "9", "day": "9"}),
        ("2011/05/09", {"year": "2011", "month": "5", "day": "9"}),
        ("12/05/2019", {"year": "2019", "month": "12", "day": "5"}),
        ("25/12/2020", {"year": "2020", "month": "12", "day": "25"}),
        ("3/4/98", {"year": "1998", "month": "3", "day": "4"}),
        ("3-4-05", {"year": "2005", "month": "3", "day": "4"}),
        ("31.12.2002", {"year": "2002", "month": "12", "day": "31"}),
        ("2002-13-31", {}),
        ("40/50/2000", {}),
        ("3/4-98", {}),
        ("9/11", {}),
        ("1920s", {"decade": "1920"}),
        ("1925s", {}),
        ("6:30 pm", {"time": '"18:30"'}),
        (".", {}),
        ("", {}),
    ],
)
def test_the_parts_of_a_date(text: str, parts: dict[str, str]) -> None:
    assert date_parts(text) == parts


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("6:30 pm", "18:30"),
        ("6:30PM", "18:30"),
        ("7 a.m.", "7:00"),
        ("11 P.M", "23:00"),
        ("12 pm", "12:00"),
        ("12:15 am", "0:15"),
        ("18:30", "18:30"),
        ("09:05", "09:05"),
        ("10:45:20", "10:45:20"),
        ("three o'clock", "3:00"),
        ("eight o ’ clock", "8:00"),
        ("half past six", "6:30"),
        ("a quarter to one", "0:45"),
        ("five minutes past 6 pm", "18:05"),
        ("four o'clock in the afternoon", "16:00"),
        ("7 in the morning", "7:00"),
        ("10 at night", "22:00"),
        ("2 at night", "2:00"),
        ("six", None),
        ("25:10", None),
        ("6:75", None),
        ("cat pm", None),
        ("half past 6:30", None),
        ("I am", None),
    ],
)
def test_a_time_of_day_is_read_in_hours_of_twenty_four(text: str, time: str | None) -> None:
    assert clock_time(text) == time


@pytest.mark.parametrize(
    ("text", "concept", "parts"),
    [
        ("2002-12-31", "date-entity", ":month 12 :day 31 :year 2002"),
        ("May 2019", "date-entity", ":month 5 :year 2019"),
        ("6:30 pm", "date-entity", ':time "18:30"'),
        ("$42,000", "monetary-quantity", ":quant 42000 :unit dollar"),
        ("US$ 3.5 million", "monetary-quantity", ":quant 3500000 :unit dollar"),
        ("£3.5m", "monetary-quantity", ":quant 3500000 :unit pound"),
        ("3.5 million euros", "monetary-quantity", ":quant 3500000 :unit euro"),
        ("20 €", "monetary-quantity", ":quant 20 :unit euro"),
        ("50%", "percentage-entity", ":value 50"),
        ("12.5 percent", "percentage-entity", ":value 12.5"),
        ("-5 °C", "temperature-quantity", ":quant -5 :unit degree :scale celsius"),
        ("20°", "temperature-quantity", ":quant 20 :unit degree"),
        ("68℉", "temperature-quantity", ":quant 68 :unit degree :scale fahrenheit"),
        ("5-1", "score-entity", ":op1 5 :op2 1"),
    ],
)
def test_a_value_is_read_as_the_structure_that_amr_has(text: str, concept: str, parts: str) -> None:
    value = written_value(text)
    assert value is not None
    found = " ".join(f"{role} {part}" for role, part in value.parts)
    assert (value.concept, found) == (concept, parts)


@pytest.mark.parametrize(
    "text", ["1999", "May", "31", "42,000", "9/11", "V600E", "ERK1/2", "May five", "$", "%", ""]
)
def test_what_may_be_a_name_is_no_written_value(text: str) -> None:
    assert written_value(text) is None
