"""Numbers read off words."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aptcore.words.dates import date_parts
from aptcore.words.surface import number_value
from aptcore.words.written_values import written_value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("32,000", "32000"),
        ("five", "5"),
        ("Fifth", "5"),
        ("twenty - one", "21"),
        ("twenty-first", "21"),
        ("3rd", "3"),
        ("1.5 million", "1500000"),
        ("five thousand six hundred and seven", "5607"),
        ("two hundred thousand", "200000"),
        ("a", None),
        ("and", None),
        ("", None),
        ("1 2", None),
        ("zero", "0"),
        ("007", "7"),
        (".5", "0.5"),
        ("1.10", "1.1"),
        ("100", "100"),
        ("1.2.3", None),
        ("1,00", None),
        ("٣", None),
        ("-5", "-5"),
        ("\u22123.5", "-3.5"),
        ("minus twelve", "-12"),
        ("-0", "0"),
        ("-", None),
        ("3.5bn", "3500000000"),
        ("£3m", None),
        ("10k", "10000"),
        ("1.2 mn", "1200000"),
        ("m", None),
        ("2 trillion", "2000000000000"),
    ],
)
def test_a_number_is_read_as_amr_writes_it(text: str, value: str | None) -> None:
    assert number_value(text) == value


def test_zero_joins_no_other_number() -> None:
    """ "zero one" was read as 1, "0 5" as 5."""
    assert number_value("zero one") is None
    assert number_value("0 5") is None


def test_a_scale_needs_a_number_of_its_own() -> None:
    assert number_value("million") == "1000000"
    assert number_value("thousand thousand") is None


@settings(deadline=None)
@given(st.integers(0, 10**40))
def test_every_figure_keeps_its_digits(number: int) -> None:
    """Floats lost those of numbers past 2**53."""
    assert number_value(str(number)) == str(number)
    assert number_value(f"{number:,}") == str(number)


@settings(deadline=None)
@given(st.decimals(0, 10**9, places=3))
def test_decimals_keep_their_value_without_an_exponent(number: Decimal) -> None:
    value = number_value(f"{number:f}")
    assert value is not None
    assert Decimal(value) == number
    assert "e" not in value.lower()


@settings(deadline=None)
@given(st.text())
def test_any_text_is_read_without_an_error(text: str) -> None:
    number_value(text)
    date_parts(text)
    written_value(text)
