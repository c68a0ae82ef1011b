"""Right actions: against brute force, against the oracle, and on random walks."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aptcore.errors import GraphError
from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.graph.checks import triples
from aptcore.oracle.goal import Goal, assignment, is_on_way
from aptcore.oracle.oracle import VARIANTS, oracle_actions
from aptcore.oracle.right_actions import goal_of, is_right, next_right, right_actions
from aptcore.oracle.sites import sites_of
from aptcore.transition.actions import Action, ActionSet, format_action
from aptcore.transition.arcs import LeftArc, RightArc
from aptcore.transition.building import graph_of
from aptcore.transition.closing import Root
from aptcore.transition.items import Const, Copy, Pred, Subgraph
from aptcore.transition.machine import advance, is_legal, replay, start
from aptcore.transition.moves import Merge, Reduce, Shift
from aptcore.transition.sets import EXACT, PAPER, parse_action
from aptcore.transition.state import ParserState
from tests.aptcore.walks import aligned, graphs, sentence_of, sentences, walk
from tests.seconds import growth

BOY = "The boy wants to go", "the boy want to go"
BOY_GRAPH = "(w / want-01~e.2 :ARG0 (b / boy~e.1) :ARG1 (g / go-02~e.4 :ARG0 b))"


def boy_goal(action_set: ActionSet = EXACT) -> Goal:
    return goal_of(sentence_of(*BOY), aligned(BOY_GRAPH), action_set)


def rights(goal: Goal, *actions: str) -> list[str]:
    state = walk(start(goal.sentence, goal.action_set), *actions)
    return [format_action(action) for action in right_actions(goal, state)]


def test_a_word_that_stands_for_nothing_is_reduced() -> None:
    assert rights(boy_goal()) == ["REDUCE"]


def test_copy_and_pred_of_one_concept_are_both_right() -> None:
    assert rights(boy_goal(), "REDUCE") == ["COPY(lemma)", "PRED(boy)"]
    assert rights(boy_goal(), "REDUCE", "PRED(boy)", "SHIFT") == ["COPY(sense)", "PRED(want-01)"]


def test_an_edge_comes_before_anything_else() -> None:
    made = ("REDUCE", "COPY(lemma)", "SHIFT", "COPY(sense)")
    assert rights(boy_goal(), *made) == ["LA(1, :ARG0)"]
    assert rights(boy_goal(), *made, "LA(1, :ARG0)") == ["SHIFT"]


def test_edges_come_in_any_order() -> None:
    made = ("REDUCE", "COPY(lemma)", "SHIFT", "COPY(sense)", "LA(1, :ARG0)", "SHIFT", "REDUCE")
    assert rights(boy_goal(), *made, "PRED(go-02)") == ["RA(3, :ARG1)", "LA(1, :ARG0)"]
    after = rights(boy_goal(), *made, "PRED(go-02)", "LA(1, :ARG0)")
    assert after == ["RA(3, :ARG1)"]


def test_only_the_root_is_marked_at_the_end() -> None:
    actions = oracle_actions(sentence_of(*BOY), aligned(BOY_GRAPH), "exact").actions
    goal = boy_goal()
    state = replay(goal.sentence, actions[:-1], EXACT)
    assert right_actions(goal, state) == (Root(3),)
    assert right_actions(goal, advance(state, Root(3))) == ()


def test_the_wrong_root_is_wrong() -> None:
    goal = boy_goal()
    actions = oracle_actions(goal.sentence, goal.graph, "exact").actions
    state = replay(goal.sentence, actions[:-1], EXACT)
    assert is_legal(state, Root(1))
    assert not is_right(goal, state, Root(1))


def test_nodes_at_one_word_come_in_any_order() -> None:
    sentence = sentence_of("A teacher sings", "a teacher sing")
    graph = aligned("(s / sing-01~e.2 :ARG0 (p / person~e.1 :ARG0-of (t / teach-01~e.1)))")
    goal = goal_of(sentence, graph)
    assert rights(goal, "REDUCE") == ["PRED(person)", "PRED(teach-01)", *templates(goal)]
    assert rights(goal, "REDUCE", "PRED(teach-01)") == ["PRED(person)"]
    assert rights(goal, "REDUCE", "PRED(teach-01)", "PRED(person)") == ["RA(1, :ARG0)"]


def templates(goal: Goal) -> list[str]:
    """The template of the teacher; its mirror image would shut off the person."""
    template = "SUBGRAPH((person :ARG0-of teach-01))"
    assert not is_right(goal, walk(start(goal.sentence, EXACT), "REDUCE"),
                        parse_action("SUBGRAPH((teach-01 :ARG0 (person)))"))  # fmt: skip
    written = [a for a in rights(goal, "REDUCE") if a.startswith("SUBGRAPH")]
    assert written == ["SUBGRAPH((person :ARG0-of (teach-01)))"] != [template]
    return written


def test_a_name_comes_whole_or_in_pieces() -> None:
    sentence = sentence_of("New York sleeps", "new york sleep")
    graph = aligned(
        "(s / sleep-01~e.2 :ARG0 (c / city~e.0,1 :name (n / name~e.0,1 "
        ':op1 "New"~e.0 :op2 "York"~e.1)))'
    )
    goal = goal_of(sentence, graph)
    assert rights(goal) == ["MERGE"]
    found = rights(goal, "MERGE")
    assert found[0] == "SUBGRAPH((city :name (name :op* {words})))"
    assert {"PRED(city)", "PRED(name)", 'CONST("New")', 'CONST("York")'} <= set(found)
    assert "SUBGRAPH((name :op* {words}))" in found
    spelt = parse_action('SUBGRAPH((city :name (name :op1 "New" :op2 "York")))')
    assert is_right(goal, walk(start(sentence, EXACT), "MERGE"), spelt)
    assert rights(goal, "MERGE", found[0]) == ["SHIFT"]
    assert rights(goal, "MERGE", "PRED(name)", 'CONST("York")') == ["RA(1, :op2)"]


def test_two_nodes_of_one_name_at_one_word_are_both_kept_possible() -> None:
    sentence = sentence_of("Both met", "both meet")
    graph = aligned(
        "(m / meet-03~e.1 :ARG0 (p / person~e.0 :mod (b / both~e.0)) :ARG1 (q / person~e.0))"
    )
    goal = goal_of(sentence, graph)
    assert "PRED(both)" in rights(goal, "PRED(person)")
    assert "PRED(person)" in rights(goal, "PRED(person)")
    made = ("PRED(person)", "PRED(person)", "PRED(both)")
    assert rights(goal, *made) == ["RA(1, :mod)", "RA(0, :mod)"]
    assert assignment(goal, walk(start(sentence, EXACT), *made, "RA(1, :mod)")) == {
        (0, 0): "q",
        (1, 0): "p",
        (2, 0): "b",
    }
    after = (*made, "RA(1, :mod)", "SHIFT", "PRED(meet-03)")
    assert rights(goal, *after) == ["LA(1, :ARG0)", "LA(0, :ARG1)"]


def test_a_node_at_another_word_is_wrong() -> None:
    goal = boy_goal()
    assert not is_right(goal, start(goal.sentence, EXACT), Pred("boy"))


def test_a_constant_and_a_concept_of_one_text_are_kept_apart() -> None:
    sentence = sentence_of("No boy", "no boy")
    goal = goal_of(sentence, aligned("(b / boy~e.1 :polarity -~e.0)"))
    assert rights(goal) == ["CONST(-)"]
    assert not is_right(goal, start(sentence, EXACT), Pred("-"))


def test_after_a_wrong_action_nothing_is_right() -> None:
    assert rights(boy_goal(), "PRED(dog)") == []


def test_a_loop_is_out_of_reach_of_the_papers_set() -> None:
    sentence = sentence_of("it loops", "it loop")
    graph = aligned("(l / loop-01~e.1 :ARG0 l)")
    with pytest.raises(GraphError, match="'loops', after 2 actions"):
        goal_of(sentence, graph, PAPER)
    made = ("REDUCE", "COPY(sense)")
    assert rights(goal_of(sentence, graph), *made) == ["LA(1, :ARG0)", "RA(1, :ARG0)"]


def test_a_derived_copy_is_right_where_it_makes_the_concept() -> None:
    sentence = Sentence("s", "Sadly", ("Sadly",), ("sadly",), ((("adj", "sad-02"),),))
    goal = goal_of(sentence, aligned("(s / sad-02~e.0)"))
    assert rights(goal) == ["COPY(adj)", "PRED(sad-02)"]


# --- against brute force ---------------------------------------------------------------

LOOPS = [("a", "a", "(x / a~e.0 :ARG0 x)")]
SMALL = [
    *LOOPS,
    ("a b", "a b", "(b / b~e.1 :ARG0 (a / a~e.0))"),
    ("a b", "a b", "(a / a~e.0 :ARG0 (b / b~e.0) :ARG1 b)"),
    ("a b", "a b", "(a / a~e.1 :ARG0 (b / a~e.1 :ARG1 a))"),
    ("a b", "a b", "(x / a~e.0 :ARG0 (y / a~e.0 :mod (z / b~e.1)))"),
    ("a b c", "a b c", "(x / x~e.0,1 :op1 (c / c~e.2 :mod x))"),
    ("a 2", "a 2", "(x / a~e.0 :quant 2~e.1 :mod (y / 2~e.1))"),
    ("Lima", "lima", '(c / city~e.0 :name (n / name~e.0 :op1 "Lima"~e.0))'),
    ("a a", "a a", '(x / a~e.0 :li "1"~e.0 :li "2"~e.1)'),
]


@pytest.mark.parametrize(
    ("text", "lemmas", "penman", "action_set"),
    [(*small, PAPER) for small in SMALL if small not in LOOPS]
    + [(*small, EXACT) for small in SMALL],
)
def test_right_is_what_a_search_of_all_walks_finds(
    text: str, lemmas: str, penman: str, action_set: ActionSet
) -> None:
    sentence, graph = sentence_of(text, lemmas), aligned(penman)
    goal = goal_of(sentence, graph, action_set)
    force = Force(sentence, graph)
    waiting, seen = [start(sentence, action_set)], set()
    draw = random.Random(7)
    while waiting:
        state = waiting.pop()
        for action in force.alphabet(state):
            if not is_legal(state, action):
                assert not is_right(goal, state, action)
                continue
            after = advance(state, action)
            assert is_right(goal, state, action) == force.reaches(after), format_action(action)
            assert is_on_way(goal, after) == force.reaches(after)
            is_worth_a_look = is_right(goal, state, action) or draw.random() < 0.02
            if is_worth_a_look and after.actions not in seen and len(seen) < 60:
                seen.add(after.actions)
                waiting.append(after)


class Force:
    """Says by trying every walk whether a state can still end in a gold graph."""

    def __init__(self, sentence: Sentence, graph: AmrGraph) -> None:
        self.graph = graph
        names = [node.id for node in graph.nodes] + [a.id for a in graph.attributes]
        sites, _ = sites_of(sentence, graph, names)
        self.spans = {name: (site.start, site.stop) for site in sites for name in site.items}
        self.labels = {node.id: (False, node.concept) for node in graph.nodes}
        self.labels |= {a.id: (True, a.value) for a in graph.attributes}
        self.edges = {(e.source, e.role, e.target) for e in graph.edges}
        self.edges |= {(a.source, a.role, a.id) for a in graph.attributes}
        self.known: dict[object, bool] = {}

    def alphabet(self, state: ParserState) -> list[Action]:
        labels = dict.fromkeys(self.labels.values())
        plain: list[Action] = [Shift(), Reduce(), Merge(), Copy("lemma"), Copy("sense")]
        plain += [Copy("token"), Pred("wrong")]
        plain += [Const(text) if constant else Pred(text) for constant, text in labels]
        plain += [Subgraph("(city :name (name :op* {words}))"), Subgraph("(name :op* {words})")]
        plain += [Subgraph("(a :ARG0 (b))"), Subgraph("(b :ARG0-of (a))"), Subgraph("(a :ARG1 b)")]
        roles = dict.fromkeys([role for _, role, _ in self.edges] + [":wrong"])
        places = [item.position for item in state.roots]
        arcs = [make(p, r) for p in places for r in roles for make in (LeftArc, RightArc)]
        return [*plain, *arcs, *(Root(place) for place in places)]

    def reaches(self, state: ParserState) -> bool:
        if state.is_closed:
            return self.is_gold(state)
        if self.has_too_much(state):
            return False
        edges = frozenset((edge.source, edge.role, edge.target) for edge in state.edges)
        cursor = state.cursor, state.span_start, state.num_items_here
        spelt = cursor, state.last_item, state.items, edges
        if spelt not in self.known:
            legal = [a for a in self.alphabet(state) if is_legal(state, a)]
            self.known[spelt] = any(self.reaches(advance(state, action)) for action in legal)
        return self.known[spelt]

    def has_too_much(self, state: ParserState) -> bool:
        """Tell whether there is more of anything than in the gold graph: nothing ever goes."""
        labels = {item.key: (item.is_constant, item.label) for item in state.items}
        items = Counter(labels.values()) - Counter(self.labels.values())
        made = Counter((labels[e.source], e.role, labels[e.target]) for e in state.edges)
        gold = Counter((self.labels[s], role, self.labels[t]) for s, role, t in self.edges)
        return bool(items or made - gold)

    def is_gold(self, state: ParserState) -> bool:
        """Compare with the gold graph under every renaming of items."""
        if len(state.items) != len(self.labels) or len(state.edges) != len(self.edges):
            return False
        items = state.items
        for names in permutations(self.labels):
            renamed = dict(zip((item.key for item in items), names, strict=True))
            fits = all(
                self.labels[name] == (item.is_constant, item.label)
                and self.spans[name] == (item.start, item.stop)
                for item, name in zip(items, names, strict=True)
            )
            made = {(renamed[e.source], e.role, renamed[e.target]) for e in state.edges}
            if fits and made == self.edges and renamed[state.root, 0] == self.graph.root:
                return True
        return False


# --- against the oracle, and at random ---------------------------------------------------


def drawn_goal(sentence: Sentence, graph: AmrGraph, action_set: ActionSet) -> Goal | None:
    try:
        return goal_of(sentence, graph, action_set)
    except GraphError:
        return None


@settings(max_examples=80, deadline=None)
@given(st.data(), st.sampled_from(sorted(VARIANTS)))
def test_every_action_of_an_oracle_is_right(data: st.DataObject, variant: str) -> None:
    sentence = data.draw(sentences(min_size=1))
    graph = data.draw(graphs(len(sentence.tokens)))
    result = oracle_actions(sentence, graph, variant)
    goal = drawn_goal(sentence, graph, VARIANTS[variant].action_set)
    if result.unreachable or goal is None:
        return
    state = start(sentence, goal.action_set)
    for action in result.actions:
        assert action in right_actions(goal, state)
        state = advance(state, action)


@settings(max_examples=80, deadline=None)
@given(st.data(), st.sampled_from([PAPER, EXACT]), st.integers(0, 2**32))
def test_random_right_actions_end_in_the_gold_graph(
    data: st.DataObject, action_set: ActionSet, seed: int
) -> None:
    sentence = data.draw(sentences(min_size=1))
    graph = data.draw(graphs(len(sentence.tokens)))
    goal = drawn_goal(sentence, graph, action_set)
    if goal is None:
        return
    draw, state = random.Random(seed), start(sentence, action_set)
    while not state.is_closed:
        state = advance(state, draw.choice(right_actions(goal, state)))
    names = assignment(goal, state)
    assert names is not None
    assert len(names) == len(goal.labels)
    assert triples_under(state, names) == set(triples(graph))


def triples_under(state: ParserState, names: dict) -> set:
    """The triples of what was made, by the gold names of its nodes."""
    made = graph_of(state)
    by_place = dict(zip([i.key for i in state.items if not i.is_constant],
                        [node.id for node in made.nodes], strict=True))  # fmt: skip
    gold = {own: names[key] for key, own in by_place.items()}
    return {tuple(gold.get(part, part) for part in triple) for triple in triples(made)}


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_first_right_action_walks_as_the_oracle_does(data: st.DataObject) -> None:
    sentence = data.draw(sentences(min_size=1))
    graph = data.draw(graphs(len(sentence.tokens)))
    goal = drawn_goal(sentence, graph, EXACT)
    result = oracle_actions(sentence, graph, "exact")
    if goal is None or result.unreachable:
        return
    if any(len({goal.labels[name] for name in s.items}) < len(s.items) for s in goal.sites):
        return  # which of two alike comes first makes a difference
    state = start(sentence, EXACT)
    while not state.is_closed:
        action = next_right(goal, state)
        assert action is not None
        state = advance(state, action)
    assert state.actions == result.actions


def test_many_items_alike_are_told_apart_in_time_that_does_not_explode() -> None:
    def walk(num: int) -> None:
        branches = "".join(
            f" :op{3 * site + n} (x{site}{n} / x~e.{site} :mod (y{site}{n} / y~e.{num + site}))"
            for site in range(num)
            for n in (1, 2, 3)
        )
        text = " ".join(["x"] * num + ["y"] * num + ["and"])
        goal = goal_of(sentence_of(text, text), aligned(f"(a / and~e.{2 * num}{branches})"))
        draw, state = random.Random(2), start(goal.sentence, EXACT)
        while not state.is_closed:
            state = advance(state, draw.choice(right_actions(goal, state)))
        assert len(state.items) == 6 * num + 1

    assert growth(walk, 2, 4) < 20  # about 5; with the orders of three alike it would be 36
