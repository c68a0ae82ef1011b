"""Actions and their text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aptcore.errors import ActionFormatError
from aptcore.transition.actions import Action, PointerAction, format_action, format_label
from aptcore.transition.arcs import LeftArc, RightArc
from aptcore.transition.closing import Root
from aptcore.transition.items import Const, Copy, Pred, Subgraph
from aptcore.transition.moves import Merge, Reduce, Shift
from aptcore.transition.sets import parse_action, parse_label

FIXED = [
    (Shift(), "SHIFT"),
    (Reduce(), "REDUCE"),
    (Merge(), "MERGE"),
    (Copy("lemma"), "COPY(lemma)"),
    (Copy("sense"), "COPY(sense)"),
    (Copy("token"), "COPY(token)"),
    (Pred("want-01"), "PRED(want-01)"),
    (Const("-"), "CONST(-)"),
    (Const('"Lima"'), 'CONST("Lima")'),
    (Subgraph("(name :op* {words})"), "SUBGRAPH((name :op* {words}))"),
    (LeftArc(3, ":ARG0"), "LA(3, :ARG0)"),
    (RightArc(12, ":op1"), "RA(12, :op1)"),
    (Root(0), "LA(0, root)"),
]


@pytest.mark.parametrize(("action", "text"), FIXED)
def test_an_action_has_one_text(action: Action, text: str) -> None:
    assert format_action(action) == text
    assert parse_action(text) == action


@pytest.mark.parametrize(
    "label", ["foo(bar)", ":-(", ":-)", "(", ")", "a:b", "SHIFT", "http://a.b/c?d=(e)", "🙂", ", 3"]
)
def test_brackets_and_colons_in_a_label_belong_to_it(label: str) -> None:
    """The reference code reads PRED(foo(bar)) and PRED(:-() wrongly."""
    assert parse_action(f"PRED({label})") == Pred(label)
    assert format_action(Pred(label)) == f"PRED({label})"


def test_quotation_marks_of_a_constant_are_kept() -> None:
    """The reference code loses those of "32,000"."""
    assert parse_action('CONST("32,000")') == Const('"32,000"')
    assert parse_action("CONST(32,000)") == Const("32,000")


def test_a_constant_and_a_concept_of_one_name_differ() -> None:
    """The reference code takes the constant 2 for a concept."""
    assert parse_action("CONST(2)") != parse_action("PRED(2)")
    assert format_label(Const("2")) != format_label(Pred("2"))


def test_a_label_is_the_text_without_the_pointer() -> None:
    assert format_label(LeftArc(7, ":ARG1")) == "LA(:ARG1)"
    assert parse_label("LA(:ARG1)", 7) == LeftArc(7, ":ARG1")
    assert parse_label("LA(root)", 2) == Root(2)
    assert parse_label("COPY(sense)") == Copy("sense")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("JUMP", "neither one of SHIFT, REDUCE, MERGE nor of the form"),
        ("JUMP(3)", "unknown action 'JUMP(3)'"),
        ("", "cannot read the action ''"),
        ("shift", "cannot read the action 'shift'"),
        ("SHIFT()", "unknown action"),
        ("COPY(a word)", "unknown action"),
        ("COPY()", "unknown action"),
        ("COPY(Lemma)", "unknown action"),
        ("PRED()", "unknown action"),
        ("PRED(a", "cannot read the action"),
        ("LA(:ARG0)", r"write LA(position, role), as in LA(3, :ARG0)"),
        ("LA(x, :ARG0)", "write LA(position, role)"),
        ("RA(-1, :ARG0)", "write RA(position, role)"),
        ("LA(3, ARG0)", "a role starts with a colon"),
        ("RA(3, root)", "a role starts with a colon"),
    ],
)
def test_an_unknown_action_is_a_named_error(text: str, message: str) -> None:
    """In the reference code it raises a bare exception in the middle of a batch."""
    with pytest.raises(ActionFormatError) as caught:
        parse_action(text)
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["LA(3, :ARG0)", "LA", "PRED()", "<start>", "LA()"])
def test_what_is_no_label_is_a_named_error(text: str) -> None:
    with pytest.raises(ActionFormatError):
        parse_label(text)


texts = st.text(min_size=1)
roles = st.text().map(lambda text: f":{text}")
positions = st.integers(0, 10_000)
actions = st.one_of(
    st.sampled_from([Shift(), Reduce(), Merge(), Copy("lemma"), Copy("sense"), Copy("token")]),
    texts.map(Pred),
    texts.map(Const),
    texts.map(Subgraph),
    st.builds(LeftArc, positions, roles),
    st.builds(Root, positions),
    st.builds(RightArc, positions, roles),
)


@settings(deadline=None)
@given(actions)
def test_every_action_is_read_back(action: Action) -> None:
    assert parse_action(format_action(action)) == action


@settings(deadline=None)
@given(actions)
def test_every_label_is_read_back(action: Action) -> None:
    position = action.position if isinstance(action, PointerAction) else -1
    assert parse_label(format_label(action), position) == action


@settings(deadline=None)
@given(st.text())
def test_any_text_is_an_action_or_a_named_error(text: str) -> None:
    try:
        action = parse_action(text)
    except ActionFormatError:
        return
    assert parse_action(format_action(action)) == action
