"""Branches as values: paths and their text, the tree, what is gained and lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.addresses.branch import MAX_FORCED, Forced, Path, format_path, parse_path
from app.addresses.codec import format_link, parse_link
from app.addresses.parse import Link, link_problem
from app.pages.parse.branches import (
    MAX_BRANCHES,
    Branch,
    Change,
    Comparison,
    Tree,
    compare,
    grow,
    in_order,
    move,
    path_with,
    prefix_of,
    trace_at,
)
from app.pages.parse.whatif import payload_of_branches, read_ask
from aptcore.errors import ActionFormatError, InputError
from aptcore.trace.format import decode_trace
from aptcore.trace.trace import Trace
from tests.app.traces import WANT_ACTIONS, WANT_LEMMAS, WANT_TOKENS, build_trace, want_trace

paths = st.dictionaries(
    st.integers(0, 999), st.text(min_size=1, max_size=30), min_size=1, max_size=5
).map(lambda forced: tuple(Forced(step, forced[step]) for step in sorted(forced)))


def want() -> Trace:
    return decode_trace(want_trace())


def walk(*changes: tuple[int, str]) -> Trace:
    actions = list(WANT_ACTIONS)
    for step, action in changes:
        actions[step] = action
    return decode_trace(build_trace(WANT_TOKENS, WANT_LEMMAS, actions))


def branch_at(*changes: tuple[int, str]) -> Branch:
    return Branch(tuple(Forced(*change) for change in changes), walk(*changes), 0.1)


GIRL, HOPE = (1, "PRED(girl)"), (3, "PRED(hope-01)")


# --- paths ----------------------------------------------------------------------------


@given(paths)
def test_a_path_comes_back_as_it_was(path: Path) -> None:
    assert parse_path(format_path(path)) == path


@given(paths)
def test_a_link_keeps_its_branch(path: Path) -> None:
    link = Link("It rains.", 3, 2, path, "feedbeef")
    assert parse_link(Link, format_link(link)) == link


def test_a_path_reads_as_steps_and_actions() -> None:
    path = (Forced(12, "PRED(go-02)"), Forced(20, "LA(3, :ARG0)"), Forced(21, "PRED(a;b\\c)"))
    assert format_path(path) == "12:PRED(go-02);20:LA(3, :ARG0);21:PRED(a\\;b\\\\c)"


@pytest.mark.parametrize(
    "text", [";", "x", "1:", ":SHIFT", "1:SHIFT;", "2:SHIFT;1:SHIFT", "1:A;1:B", "-1:A", "1:\\"]
)
def test_what_is_no_path_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="cannot read the branch"):
        parse_path(text)


def test_a_path_of_too_many_actions_is_refused() -> None:
    text = ";".join(f"{step}:SHIFT" for step in range(MAX_FORCED + 1))
    with pytest.raises(InputError, match="cannot read"):
        parse_path(text)


def test_an_address_with_an_unreadable_branch_is_named() -> None:
    assert link_problem({"branch": "x"}) is not None
    assert link_problem({"branch": "1:SHIFT"}) is None
    assert link_problem({}) is None


@pytest.mark.parametrize(
    ("name", "bad", "good"),
    [
        ("step", ("-5", "abc", "1.5"), ("0", "99999")),
        ("beam", ("0", "99", "x"), ("1", "8")),
        ("model", ("<script>", "a b"), ("07993cc67609", "")),
        ("branch", ("nonsense", "5"), ("1:SHIFT", "")),
    ],
)
def test_what_is_damaged_in_an_address_is_named(
    name: str, bad: tuple[str, ...], good: tuple[str, ...]
) -> None:
    for value in bad:
        problem = link_problem({"sentence": "It rains.", name: value})
        assert problem is not None
        assert f"its {name}" in problem
    for value in good:
        assert link_problem({"sentence": "It rains.", name: value}) is None


# --- the tree -------------------------------------------------------------------------


def test_a_branch_takes_all_before_the_forced_action_from_its_parent() -> None:
    tree = grow(Tree(want()), branch_at(GIRL))
    path = path_with(tree, 3, "PRED(hope-01)")
    assert path == (Forced(*GIRL), Forced(*HOPE))
    assert prefix_of(tree, path) == ("REDUCE", "PRED(girl)", "SHIFT", "PRED(hope-01)")


def test_forcing_an_earlier_action_leaves_what_was_forced_later() -> None:
    tree = grow(Tree(want()), branch_at(HOPE))
    assert path_with(tree, 1, "PRED(girl)") == (Forced(*GIRL),)
    assert path_with(tree, 3, "PRED(plan-01)") == (Forced(3, "PRED(plan-01)"),)


def test_an_action_that_stands_there_already_is_refused() -> None:
    tree = grow(Tree(want()), branch_at(GIRL))
    with pytest.raises(InputError, match=r"action 1 is PRED\(girl\) already"):
        path_with(tree, 1, " PRED(girl) ")
    with pytest.raises(InputError, match="choose that branch"):
        path_with(tree, 1, "COPY(lemma)")


def test_a_step_or_text_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="no action 99"):
        path_with(Tree(want()), 99, "SHIFT")
    with pytest.raises(ActionFormatError, match="JUMP"):
        path_with(Tree(want()), 1, "JUMP")
    with pytest.raises(InputError, match="characters"):
        path_with(Tree(want()), 1, f"PRED({'x' * 400})")


def test_branches_are_shown_below_what_they_grow_from() -> None:
    tree = Tree(want())
    for branch in (branch_at(HOPE), branch_at(GIRL), branch_at(GIRL, HOPE)):
        tree = grow(tree, branch)
    assert [format_path(branch.path) for branch in in_order(tree)] == [
        "1:PRED(girl)",
        "1:PRED(girl);3:PRED(hope-01)",
        "3:PRED(hope-01)",
    ]
    assert move(tree, ()).at == ()
    assert move(tree, (Forced(9, "SHIFT"),)) == tree


def test_past_the_limit_the_oldest_end_gives_way() -> None:
    tree, trace = Tree(want()), want()
    tree = grow(tree, Branch((Forced(0, "A"),), trace, 0.0))
    tree = grow(tree, Branch((Forced(0, "A"), Forced(1, "B")), trace, 0.0))
    for step in range(2, MAX_BRANCHES + 1):
        tree = grow(tree, Branch((Forced(step, "C"),), trace, 0.0))
    assert len(tree.branches) == MAX_BRANCHES
    assert trace_at(tree, (Forced(0, "A"),)) is not None
    assert trace_at(tree, (Forced(0, "A"), Forced(1, "B"))) is None


# --- comparing ------------------------------------------------------------------------


def test_a_trace_does_not_differ_from_itself() -> None:
    difference = compare(want(), want())
    assert difference == Comparison(None, None, (), ())


def test_another_label_gains_its_triples_and_loses_the_old_ones() -> None:
    difference = compare(want(), walk(GIRL))
    assert (difference.step, difference.was) == (1, "COPY(lemma)")
    assert Change("", "concept", "girl") in difference.gained
    assert Change("want-01", ":ARG0", "girl") in difference.gained
    assert Change("want-01", ":ARG0", "boy") in difference.lost
    assert Change("want-01", ":ARG1", "visit-01") not in (*difference.gained, *difference.lost)


def test_another_role_changes_one_triple() -> None:
    difference = compare(want(), walk((4, "LA(1, :ARG2)")))
    assert difference.gained == (Change("want-01", ":ARG2", "boy"),)
    assert difference.lost == (Change("want-01", ":ARG0", "boy"),)


# --- the canvas -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "message",
    [
        None,
        "text",
        {},
        {"key": "a", "number": "1", "step": 0, "action": "SHIFT"},
        {"key": "a", "number": 1, "step": None, "action": "SHIFT"},
        {"key": "a", "number": 1, "step": 0},
        {"key": "a", "number": 1, "step": 0, "path": "nonsense"},
    ],
)
def test_a_message_of_another_form_is_no_question(message: object) -> None:
    assert read_ask(message) is None


def test_the_canvas_is_told_how_a_branch_differs_from_its_parent() -> None:
    tree = grow(grow(Tree(want()), branch_at(GIRL)), branch_at(GIRL, HOPE))
    told = payload_of_branches(tree, 4, None, is_decoding=False)
    assert told["ack"] == 4
    assert told["at"] == "1:PRED(girl);3:PRED(hope-01)"
    assert [branch["depth"] for branch in told["branches"]] == [1, 2]
    assert told["compared"]["was"] == "COPY(sense) → want-01"
    assert "greedy" in told["compared"]["how"]
    original = payload_of_branches(move(tree, ()), 5, "no", is_decoding=True)
    assert (original["compared"], original["isDecoding"]) == (None, True)
