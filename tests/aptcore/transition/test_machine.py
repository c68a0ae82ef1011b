"""The transition system: what each action does, and when it is legal."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aptcore.errors import ActionFormatError, IllegalActionError
from aptcore.graph.amr import Sentence
from aptcore.transition.actions import ActionSet, format_action
from aptcore.transition.arcs import LeftArc, RightArc
from aptcore.transition.building import graph_of, repaired_graph
from aptcore.transition.closing import Root
from aptcore.transition.items import Const, Copy, Pred, Subgraph
from aptcore.transition.machine import advance, is_legal, replay, start, why_illegal
from aptcore.transition.moves import Merge, Reduce, Shift
from aptcore.transition.sets import EXACT, PAPER, parse_action
from aptcore.transition.state import ParserState
from tests.aptcore.walks import begun, candidates, legal, random_walk, sentence_of, sentences, walk


def why(state: ParserState, action: str) -> str | None:
    return why_illegal(state, parse_action(action))


def labels(state: ParserState) -> list[str]:
    return [item.label for item in state.items]


# --- each action ----------------------------------------------------------------


def test_a_walk_builds_a_graph() -> None:
    state = begun(
        "The boy wants it",
        "REDUCE",
        "COPY(lemma)",
        "SHIFT",
        "COPY(sense)",
        "LA(1, :ARG0)",
        "SHIFT",
        "COPY(lemma)",
        "RA(3, :ARG1)",
        "SHIFT",
        "LA(3, root)",
        lemmas="the boy want it",
    )
    assert state.is_closed
    assert not state.is_failed
    assert labels(state) == ["boy", "want-01", "it"]
    edges = [(edge.source, edge.role, edge.target) for edge in state.edges]
    assert edges == [((3, 0), ":ARG0", (1, 0)), ((3, 0), ":ARG1", (6, 0))]
    assert graph_of(state).root == "w"


def test_shift_moves_on_only_from_a_token_with_an_item() -> None:
    state = begun("boy left")
    assert why(state, "SHIFT") == "nothing was made at this token: use REDUCE"
    assert walk(state, "PRED(boy)", "SHIFT").cursor == 1


def test_reduce_moves_on_only_from_a_token_without_items() -> None:
    state = begun("the boy")
    assert walk(state, "REDUCE").cursor == 1
    after = walk(state, "PRED(boy)")
    assert why(after, "REDUCE") == "a node was made at this token: use SHIFT"


def test_merged_tokens_act_as_one_under_the_last() -> None:
    state = begun("New York City", "MERGE", "MERGE", "COPY(lemma)")
    assert labels(state) == ["new-york-city"]
    assert (state.cursor, state.items[0].start, state.items[0].stop) == (2, 0, 3)


def test_merge_is_illegal_after_an_item_and_at_the_last_word() -> None:
    state = begun("New York", "PRED(city)")
    assert why(state, "MERGE") == "a node was made at this token already"
    assert why(walk(state, "SHIFT"), "MERGE") == "there is no next token to merge with"


def test_reduce_is_illegal_after_merge() -> None:
    state = begun("New York City", "MERGE")
    assert why(state, "REDUCE") == "tokens were merged here: make a node of them first"


@pytest.mark.parametrize(
    ("action", "label", "is_constant"),
    [
        ("COPY(lemma)", "want", False),
        ("COPY(sense)", "want-01", False),
        ("PRED(desire-01)", "desire-01", False),
        ("PRED(2)", "2", False),
        ("CONST(2)", "2", True),
        ('CONST("Lima")', '"Lima"', True),
    ],
)
def test_an_item_action_makes_a_concept_or_a_constant(
    action: str, label: str, is_constant: bool
) -> None:
    (item,) = begun("wants", action, lemmas="want").items
    assert (item.label, item.is_constant) == (label, is_constant)


@pytest.mark.parametrize(
    ("word", "value"),
    [("2", "2"), ("1.5", "1.5"), ("32,000", "32000"), ("five", "5"), ("1,2", '"1,2"')],
)
def test_the_own_set_copies_a_word_as_a_constant(word: str, value: str) -> None:
    (item,) = begun(word, "COPY(token)", action_set=EXACT).items
    assert item.label == value
    assert why(begun(word), "COPY(token)") == "not in the paper's action set"


@pytest.mark.parametrize("word", ["(", "a/b", ":-)", '"', "http://a.b", "~"])
def test_a_lemma_that_cannot_be_written_is_not_copied(word: str) -> None:
    assert why(begun(word), "COPY(lemma)") == f"“{word}” cannot be written as a concept"


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("PRED(a b)", "“a b” cannot be written as a concept"),
        ("PRED(foo(bar))", "“foo(bar)” cannot be written as a concept"),
        ("CONST(a b)", "“a b” cannot be written as a constant; quote it"),
        ('CONST("a)', '“"a” cannot be written as a constant; quote it'),
        ("SUBGRAPH((a/b))", "cannot be written as a concept"),
        ("SUBGRAPH(a)", "lacks a concept in brackets"),
        ("SUBGRAPH((date-entity :year {year}))", "do not fill the template"),
    ],
)
def test_what_no_graph_can_hold_is_illegal(action: str, reason: str) -> None:
    """Written to a file it could not be read back."""
    assert reason in str(why(begun("boy"), action))


def test_a_concept_in_quotation_marks_can_be_made_by_name() -> None:
    assert labels(begun("Baker", 'PRED("Baker")')) == ['"Baker"']
    assert why(begun("Baker"), 'PRED("Ba"ker")') is not None


def test_a_template_makes_several_items_and_counts_once() -> None:
    state = begun("New York left", "MERGE", "SUBGRAPH((city :name (name :op* {words})))")
    assert labels(state) == ["city", "name", '"New"', '"York"']
    assert [item.key for item in state.items] == [(1, 0), (1, 1), (1, 2), (1, 3)]
    assert state.num_items_here == 1
    assert state.num_concepts == 2


def test_only_the_root_of_a_template_takes_edges() -> None:
    state = begun(
        "Lima grew", "SUBGRAPH((city :name (name :op* {words})))", "SHIFT", "PRED(grow-01)"
    )
    assert [item.label for item in state.roots] == ["city", "grow-01"]
    (*_, edge) = walk(state, "LA(0, :ARG1)").edges
    assert edge.target == (0, 0)


# --- edges ----------------------------------------------------------------------


def two_items() -> ParserState:
    return begun("boy wants", "PRED(boy)", "SHIFT", "PRED(want-01)")


def test_several_edges_may_join_one_pair() -> None:
    """The reference code allows one edge for each pair of nodes."""
    state = walk(two_items(), "LA(0, :ARG0)", "LA(0, :ARG1)", "RA(0, :ARG0)", "RA(0, :mod)")
    assert len(state.edges) == 4


def test_the_same_edge_twice_is_illegal() -> None:
    state = walk(two_items(), "LA(0, :ARG0)", "RA(0, :ARG0)")
    assert why(state, "LA(0, :ARG0)") == "the edge want-01 :ARG0 boy exists already"
    assert why(state, "RA(0, :ARG0)") == "the edge boy :ARG0 want-01 exists already"


def test_an_edge_from_an_item_to_itself_is_in_the_own_set_only() -> None:
    """The reference code gives a single-node graph a self-loop."""
    reason = "an edge from a node to itself is not in the paper's action set"
    assert why(two_items(), "LA(2, :ARG0)") == reason
    own = walk(begun("boy", "PRED(boy)", action_set=EXACT), "LA(0, :ARG0)")
    assert why(own, "RA(0, :ARG0)") == "the edge boy :ARG0 boy exists already"


def test_left_arc_to_a_shift_is_illegal() -> None:
    message = r"cannot apply LA\(1, :ARG0\) at step 3: action 1 \(SHIFT\) made no node; nodes "
    with pytest.raises(IllegalActionError, match=message + "were made at: 0, 2"):
        advance(two_items(), LeftArc(1, ":ARG0"))


@pytest.mark.parametrize("position", [-1, 3, 99])
def test_an_edge_to_an_action_that_is_not_there_is_illegal(position: int) -> None:
    reason = why_illegal(two_items(), RightArc(position, ":ARG0"))
    assert reason == f"there is no action {position} yet; nodes were made at: 0, 2"


def test_an_edge_needs_an_item_at_this_token() -> None:
    state = walk(begun("the boy left", "REDUCE", "PRED(boy)", "SHIFT"))
    assert "there is none" in str(why(state, "LA(1, :ARG0)"))


def test_a_constant_has_one_parent_and_no_children() -> None:
    state = begun("two boys want", "CONST(2)", "SHIFT", "PRED(boy)")
    assert why(state, "RA(0, :quant)") == "the constant 2 cannot have an outgoing edge"
    parented = walk(state, "LA(0, :quant)", "SHIFT", "PRED(want-01)")
    assert why(parented, "LA(0, :quant)") == "the constant 2 has its one parent already"


def test_an_inverted_role_is_illegal_and_says_how_to_write_it() -> None:
    assert why(two_items(), "LA(0, :ARG0-of)") == ":ARG0-of is turned round: take RA with :ARG0"
    assert why(two_items(), "LA(0, :consist-of)") is None
    constant = begun("two boys", "CONST(2)", "SHIFT", "PRED(boy)")
    assert why(constant, "LA(0, :quant-of)") is None


def test_a_role_that_cannot_be_written_is_illegal() -> None:
    assert why(two_items(), "LA(0, :a b)") == "“:a b” cannot be written as a role"


# --- the end --------------------------------------------------------------------


def test_the_root_is_the_only_step_past_the_last_word() -> None:
    state = walk(two_items(), "SHIFT")
    assert [a for a in candidates(state) if is_legal(state, a)] == [
        Root(0),
        Root(2),
    ]
    assert why(two_items(), "LA(0, root)") == "the root is marked after the last token"
    assert "mark one as the root" in str(why(state, "REDUCE"))
    assert "mark the root with LA(position, root)" in str(why(state, "SHIFT"))


def test_a_constant_is_never_the_root() -> None:
    state = begun("- boy", "CONST(-)", "SHIFT", "PRED(boy)", "SHIFT")
    assert why(state, "LA(0, root)") == "a constant cannot be the root"


def test_nothing_is_legal_once_closed() -> None:
    state = walk(two_items(), "SHIFT", "LA(0, root)")
    assert {why_illegal(state, action) for action in candidates(state)} == {"the walk is closed"}


def test_without_words_the_walk_may_close_without_a_concept() -> None:
    state = begun(". ?", "REDUCE", "REDUCE", "REDUCE")
    assert state.is_closed
    assert state.is_failed


def test_with_words_the_last_token_must_give_a_concept() -> None:
    state = begun("boy ?", "REDUCE")
    reason = "this is the last token and there is no concept yet: make one"
    assert why(state, "REDUCE") == reason
    assert why(walk(state, "PRED(boy)"), "SHIFT") is None


def test_an_empty_list_of_tokens_closes_at_once() -> None:
    """It crashes the reference code."""
    state = start(Sentence("", "", (), ()))
    assert state.is_at_root
    assert legal(state, candidates(state)) == [Reduce()]
    assert advance(state, Reduce()).is_failed


# --- values ---------------------------------------------------------------------


def test_a_state_never_changes() -> None:
    before = two_items()
    copy = before._replace()
    walk(before, "LA(0, :ARG0)", "SHIFT", "LA(0, root)")
    assert before == copy


def test_the_callers_tokens_are_not_changed() -> None:
    """The reference code appends to the caller's list."""
    tokens = ["the", "boy"]
    sentence = Sentence("", "the boy", tuple(tokens), tuple(tokens))
    replay(sentence, [Reduce(), Pred("boy"), Shift(), Root(1)])
    assert tokens == ["the", "boy"]
    assert sentence.tokens == ("the", "boy")


def test_an_illegal_action_names_its_step_and_reason() -> None:
    message = r"cannot apply SHIFT at step 1: nothing was made at this token: use REDUCE"
    with pytest.raises(IllegalActionError, match=message):
        replay(sentence_of("the boy"), [Reduce(), Shift()])


def test_an_unknown_action_is_a_named_error_before_it_reaches_the_machine() -> None:
    with pytest.raises(ActionFormatError, match="unknown action"):
        begun("the boy", "JUMP(2)")


# --- properties -----------------------------------------------------------------

ACTION_SETS: tuple[ActionSet, ...] = (PAPER, EXACT)


@settings(deadline=None)
@given(sentences(), st.integers(0, 2**32), st.sampled_from(ACTION_SETS))
def test_random_legal_walks_close_within_a_cap(
    sentence: Sentence, seed: int, action_set: ActionSet
) -> None:
    cap = 20
    state = random_walk(sentence, seed, cap, action_set)
    assert state.is_closed
    joins = 2 * len(state.roots) if action_set is EXACT else 0
    assert len(state.actions) <= cap + 2 * len(sentence.tokens) + 2 + joins
    if action_set is EXACT:
        repairs = repaired_graph(state)[1]
        assert state.is_failed or all(repair.text.endswith(" twice") for repair in repairs)
    assert replay(sentence, state.actions, action_set) == state


@settings(deadline=None)
@given(sentences(), st.integers(0, 2**32), st.sampled_from(ACTION_SETS))
def test_advance_raises_exactly_where_there_is_a_reason(
    sentence: Sentence, seed: int, action_set: ActionSet
) -> None:
    whole = random_walk(sentence, seed, 8, action_set)
    state = start(sentence, action_set)
    for action in whole.actions:
        for other in candidates(state):
            reason = why_illegal(state, other)
            if reason is None:
                assert advance(state, other) == other.applied(state)
            else:
                with pytest.raises(IllegalActionError) as caught:
                    advance(state, other)
                assert reason in str(caught.value)
        state = advance(state, action)


@settings(deadline=None)
@given(sentences(min_size=1), st.integers(0, 2**32))
def test_some_action_is_always_legal_until_closed(sentence: Sentence, seed: int) -> None:
    state = start(sentence, PAPER)
    for action in random_walk(sentence, seed, 8).actions:
        assert legal(state, candidates(state))
        state = advance(state, action)
    assert not legal(state, candidates(state))


MOVES = (
    Shift(),
    Reduce(),
    Merge(),
    Copy("lemma"),
    Const("-"),
    Subgraph("(name :op* {words})"),
)


def moves(state: ParserState) -> list[str]:
    """All legal actions over a small vocabulary with one role, pointers expanded."""
    places = range(len(state.actions))
    arcs = [make(place, ":mod") for place in places for make in (LeftArc, RightArc)]
    roots = [Root(place) for place in places]
    return [format_action(action) for action in legal(state, [*MOVES, *arcs, *roots])]


def perft(state: ParserState, depth: int) -> int:
    """Count the walks of exactly ``depth`` more actions, as chess programs count moves."""
    if depth == 0:
        return 1
    return sum(perft(walk(state, move), depth - 1) for move in moves(state))


def test_the_moves_of_the_first_steps_are_these() -> None:
    state = begun("boy left")
    items = ["COPY(lemma)", "CONST(-)", "SUBGRAPH((name :op* {words}))"]
    assert moves(state) == ["REDUCE", "MERGE", *items]
    assert moves(walk(state, "COPY(lemma)")) == ["SHIFT", *items]
    assert moves(walk(state, "COPY(lemma)", "CONST(-)")) == ["SHIFT", *items, "RA(0, :mod)"]
    assert moves(walk(state, "MERGE")) == items
    assert moves(walk(state, "REDUCE")) == items


def test_the_number_of_walks_is_known() -> None:
    """Depths 1 to 3 were counted by hand, 4 and 5 by a second program on plain tuples.

    5 first actions. After REDUCE 3 items, after MERGE 3, after each of the 3 items SHIFT
    and 3 more items: 3 + 3 + 3 * 4 = 18. Then 12 each after REDUCE or MERGE and an item;
    11 after an item and SHIFT, as the last word must give a concept if only "-" is there;
    9 * 4 after two items, with 12 edges between them: 12 + 12 + 11 + 48 = 83.
    """
    state = begun("boy left")
    assert [perft(state, depth) for depth in (1, 2, 3, 4, 5)] == [5, 18, 83, 423, 2454]
