"""Templates of SUBGRAPH."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aptcore.errors import ActionFormatError, InputError
from aptcore.graph.amr import Sentence
from aptcore.transition.templates import (
    Link,
    Piece,
    fill,
    fits,
    parse_template,
    plain_offsets,
    surface,
)
from tests.aptcore.walks import sentence_of


def filled(label: str, words: str) -> tuple[list[str], set[tuple[int, str, int]]] | None:
    found = fill(parse_template(label), words)
    if found is None:
        return None
    pieces, links = found
    return [piece.label for piece in pieces], {(e.source, e.role, e.target) for e in links}


def test_a_name_takes_one_part_for_each_word() -> None:
    assert filled("(city :name (name :op* {words}))", "New York") == (
        ["city", "name", '"New"', '"York"'],
        {(0, ":name", 1), (1, ":op1", 2), (1, ":op2", 3)},
    )


@pytest.mark.parametrize(
    ("form", "words", "parts"),
    [
        ("bare", "Sod2+/+", ['"Sod2"']),
        ("bare", "Snail </i> mRNA", ['"Snail"', '"mRNA"']),
        ("place", "Dutch", ['"Netherlands"']),
        ("place", "Saudis", ['"Saudi"', '"Arabia"']),
        ("singular", "Stem cells", ['"Stem"', '"cell"']),
        ("singular", "antibodies", ['"antibody"']),
        ("lower", "Cyclin D", ['"cyclin"', '"D"']),
        ("capital", "comic con", ['"Comic"', '"Con"']),
        ("joined", "ERK 1/2", ['"ERK1/2"']),
        ("hyphened", "T helper", ['"T-helper"']),
    ],
)
def test_a_name_may_be_spelled_otherwise(form: str, words: str, parts: list[str]) -> None:
    found = filled(f"(name :op* {{{form}}})", words)
    assert found is not None
    assert found[0] == ["name", *parts]


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ("bare", "Lima"),
        ("place", "Lima"),
        ("singular", "class"),
        ("lower", "IL-2"),
        ("lower", "ras"),
        ("capital", "New York"),
        ("joined", "Lima"),
        ("hyphened", "Lima"),
    ],
)
def test_a_form_that_changes_nothing_does_not_fit(form: str, words: str) -> None:
    assert filled(f"(name :op* {{{form}}})", words) is None


def test_the_words_of_a_name_keep_their_signs() -> None:
    """The reference code mangles URLs and smileys."""
    for word in ("http://a.b/c?d=e", ":-)", "32,000", "PI3K/AKT"):
        assert filled("(name :op* {words})", word) == (["name", f'"{word}"'], {(0, ":op1", 1)})


def test_quotation_marks_and_backslashes_in_words_are_escaped() -> None:
    found = fill(parse_template("(name :op* {words})"), 'a"b\\')
    assert found is not None
    assert found[0][1] == Piece(True, '"a\\"b\\\\"')


def test_a_date_must_have_exactly_the_parts_asked_for() -> None:
    label = "(date-entity :year {year} :month {month})"
    assert filled(label, "May 2011") == (
        ["date-entity", "2011", "5"],
        {(0, ":year", 1), (0, ":month", 2)},
    )
    assert filled(label, "9 May 2011") is None
    assert filled(label, "2011") is None
    assert filled(label, "boy") is None


def test_a_number_is_normalised() -> None:
    assert filled("(ordinal-entity :value {number})", "fifth") == (
        ["ordinal-entity", "5"],
        {(0, ":value", 1)},
    )
    assert filled("(ordinal-entity :value {number})", "boy") is None


def test_a_template_without_slots_fits_any_words() -> None:
    label = '(country :name (name :op1 "America"))'
    assert fits(parse_template(label).slots, "anything")
    assert filled(label, "American") == (
        ["country", "name", '"America"'],
        {(0, ":name", 1), (1, ":op1", 2)},
    )


def test_of_turns_an_edge_round_except_in_roles_that_end_so() -> None:
    template = parse_template("(person :ARG0-of (teach-01) :consist-of (x :consist-of-of (y)))")
    assert template.links == (
        Link(1, ":ARG0", 0),
        Link(3, ":consist-of", 2),
        Link(0, ":consist-of", 2),
    )


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("", "lacks a concept in brackets"),
        ("boy", "lacks a concept in brackets"),
        ("(", "lacks a concept in brackets"),
        ("()", "lacks a concept in brackets"),
        ("(a", "is not closed"),
        ("(a :b", "role without a value"),
        ("(a :b)", "role without a value"),
        ("(a b)", "role without a value"),
        ("(a) (b)", "text after the end"),
        ("(a :b {planet})", "unknown slot 'planet'"),
        ("(a/b)", "cannot be written as a concept"),
        ('("a")', "cannot be written as a concept"),
        ("(a :b x/y)", "cannot be written as a constant"),
        ("(a :b 1 :b 1)", "stands twice"),
        ("(a :b {words})", "a role with * goes with {words}"),
        ("(a :op* 3)", "a role with * goes with {words}"),
    ],
)
def test_what_is_no_template_is_a_named_error(label: str, message: str) -> None:
    with pytest.raises(ActionFormatError) as caught:
        parse_template(label)
    assert message in str(caught.value)


def test_two_children_of_one_name_are_two_concepts() -> None:
    assert len(parse_template("(and :op1 (dog) :op1 (dog))").pieces) == 3


@settings(deadline=None)
@given(st.text(alphabet='()a:"{}words* /~1\\', max_size=20), st.text(max_size=10))
def test_any_text_is_a_template_or_a_named_error(label: str, words: str) -> None:
    try:
        template = parse_template(label)
    except ActionFormatError:
        return
    found = fill(template, words)
    assert (found is not None) == fits(template.slots, words)


def test_the_surface_of_tokens_is_the_text_between_them() -> None:
    sentence = Sentence("s", "New  York's", ("New", "York", "'s"), ("new", "york", "'s"))
    assert plain_offsets(sentence) == (sentence.text, ((0, 3), (5, 9), (9, 11)))
    assert surface(sentence, 0, 2) == "New  York"
    assert surface(sentence, 1, 3) == "York's"


def test_the_surface_of_tokens_is_in_its_plain_form() -> None:
    text = "Zoe\u0308  O´Neil&#39;s"
    tokens = ("Zoë", "O'Neil", "'s")
    assert surface(Sentence("s", text, tokens, tokens), 0, 2) == "Zoë  O'Neil"
    old = ("Zoe\u0308", "O´Neil", "&#39;s")  # of a trace that was stored as they stand
    assert surface(Sentence("s", text, old, old), 1, 3) == "O´Neil&#39;s"


def test_tokens_that_are_not_in_the_text_are_a_named_error() -> None:
    with pytest.raises(InputError, match="is not in its text"):
        plain_offsets(Sentence("s", "a b", ("b", "a"), ("b", "a")))


def test_a_sentence_of_the_tests_is_split_at_blanks() -> None:
    assert sentence_of("a b").tokens == ("a", "b")
